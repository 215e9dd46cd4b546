"""Pages for people: templates filled from the same values that go out as JSON. No scripts, no cookies, nothing from elsewhere."""

from collections.abc import Mapping
from functools import cache
from pathlib import Path

from jinja2 import Environment, FileSystemLoader, StrictUndefined

_FOLDER = Path(__file__).parents[1] / "templates"
_POLICY = "default-src 'none'; style-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
SECURITY = (
    ("content-security-policy", _POLICY),
    ("referrer-policy", "no-referrer"),
    ("cross-origin-resource-policy", "same-origin"),
)


@cache
def _templates() -> Environment:
    return Environment(loader=FileSystemLoader(_FOLDER), autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True)


def rendered(template: str, values: Mapping[str, object]) -> bytes:
    return _templates().get_template(template).render(values).encode()


@cache
def style() -> bytes:
    return (_FOLDER / "page.css").read_bytes()
