"""Pages for people: templates filled from the same values that go out as JSON. No scripts, no cookies, nothing from elsewhere."""

from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path

from jinja2 import Environment, FileSystemLoader, StrictUndefined

from api.http.media_types import HTML
from api.http.response import Response

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


def page(template: str, values: Mapping[str, object], headers: Iterable[tuple[str, str]] = ()) -> Response:
    return Response(rendered(template, values), media_type=f"{HTML}; charset=utf-8", headers=(*SECURITY, *headers))


@cache
def style() -> bytes:
    return (_FOLDER / "page.css").read_bytes()
