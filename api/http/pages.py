"""Printed and problem pages: templates filled from the same values that are sent as JSON, with a strict content security policy.

They have no scripts, no cookies, and load nothing. A page contains its style, so that it keeps it as a file; the policy allows this style
by its digest, and no other.
"""

from base64 import b64encode
from collections.abc import Mapping
from functools import cache
from hashlib import sha256
from pathlib import Path
from types import FunctionType, MethodType

from jinja2 import Environment, FileSystemLoader, StrictUndefined

_FOLDER = Path(__file__).parents[1] / "templates"
_STYLE = (_FOLDER / "page.css").read_text(encoding="utf-8")
_DIGEST = b64encode(sha256(_STYLE.encode()).digest()).decode()
REFERRER_POLICY = "same-origin"
"""Other sites get no address of ours.

``no-referrer`` would also make the Origin of a form ``null``; on http, where browsers send no Sec-Fetch-Site, nothing would be left to
recognise our own forms by.
"""


def _security(forms: str) -> tuple[tuple[str, str], ...]:
    policy = f"default-src 'none'; style-src 'sha256-{_DIGEST}'; base-uri 'none'; form-action {forms}; frame-ancestors 'none'"
    return (
        ("content-security-policy", policy),
        ("referrer-policy", REFERRER_POLICY),
        ("cross-origin-resource-policy", "same-origin"),
    )


SECURITY = _security("'none'")
SECURITY_OF_SEARCH = _security("'self'")
"""For a page with a form to search."""


@cache
def _templates() -> Environment:
    made = Environment(
        loader=FileSystemLoader(_FOLDER),
        autoescape=True,
        undefined=StrictUndefined,
        finalize=_a_value,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    made.globals["style"] = _STYLE  # pyrefly: ignore[unsupported-operation]
    return made


def _a_value(shown: object) -> object:
    """Raise ``TypeError`` for a function that the template forgot to call: Jinja would print its name and its arguments."""
    if isinstance(shown, MethodType | FunctionType):
        raise TypeError(f"{shown.__qualname__} is to be called")
    return shown


def render_template(template: str, values: Mapping[str, object]) -> bytes:
    return _templates().get_template(template).render(values).encode()
