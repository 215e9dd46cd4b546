"""The OpenAPI document as a page for people. Whatever stands on it comes from the document; nothing is described here a second time."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from inspect import cleandoc
from typing import Any, TypeAlias

import msgspec
from markdown_it import MarkdownIt
from msgspec import Struct

from api.http.pages import rendered
from api.http.problems import ProblemType
from api.http.response import encode
from api.service.curl import curl_line

Described: TypeAlias = Mapping[str, Any]
"""A part of the document."""

_WIDE = 96  # characters: what fits stands on one line
_RANGES = (("minimum", "maximum", ""), ("minLength", "maxLength", " characters"), ("minItems", "maxItems", " items"))


class Shown(Struct, frozen=True):
    """An operation, and the example of it that is shown: the line that asks, and what was answered, in ``media`` or at ``elsewhere``."""

    path: str
    method: str
    operation: Described
    line: str
    status: str = ""
    media: str = ""
    answer: str = ""
    elsewhere: str = ""


def page(document: Described, kinds: Sequence[ProblemType], keys: Sequence[str] = ()) -> bytes:
    """``kinds`` of problems, in the order in which they stand there; ``keys`` of the log."""
    shown = [_shown(path, method, one) for path, methods in document["paths"].items() for method, one in methods.items()]
    groups = [(tag, [one for one in shown if one.operation["tags"][0] == tag["name"]]) for tag in document["tags"]]
    values = {"language": "en", "api": document, "groups": groups, "kinds": kinds, "keys": keys}
    said = {"inline": _inline, "block": _block, "limits": limits, "default": _default, "json": pretty}
    return rendered("docs.html.j2", {**values, **said})


def _shown(path: str, method: str, operation: Described) -> Shown:
    found = list(_answers(operation))
    sent = operation.get("requestBody", {}).get("content", {}).get("application/json", {}).get("examples", {})
    status, media, name, example = next((one for one in found if one[2] in sent), (found or [("", "", "", {})])[0])
    line = curl_line(path, method, operation, name, media)
    answer = example.get("value")
    told = "" if answer is None else answer if isinstance(answer, str) else pretty(answer)
    return Shown(path, method, operation, line, status, media, told, example.get("externalValue", ""))


def _answers(operation: Described) -> Iterator[tuple[str, str, str, Described]]:
    """Status, media type, name and example of each answer of success."""
    for status, answer in operation["responses"].items():
        for media, content in answer.get("content", {}).items():
            if status.startswith("2"):
                yield from ((status, media, name, example) for name, example in content.get("examples", {}).items())


def limits(schema: Described) -> list[str]:
    """What a value has to keep to, in words; a pattern as it is."""
    kinds = [kind for kind in schema.get("anyOf", ()) if kind != {"type": "null"}]
    said = [_range(schema, *names) for names in _RANGES] + [schema.get("pattern", "")]
    return [*filter(None, said), *(limit for kind in kinds for limit in limits(kind))]


def _range(schema: Described, least: str, most: str, of: str) -> str:
    match schema.get(least), schema.get(most):
        case None, None:
            return ""
        case None, high:
            return f"at most {high}{of}"
        case low, None:
            return f"at least {low}{of}"
        case low, high:
            return f"{low} to {high}{of}"


def _default(schema: Described) -> str:
    """As it is written in a query; nothing where what is left out has no value."""
    value = schema.get("default")
    return "" if value is None else value if isinstance(value, str) else encode(value).decode()


def pretty(value: object) -> str:
    """JSON for reading: what is short on one line, the rest level by level."""
    return "\n".join(_lines(msgspec.to_builtins(value), ""))


def _lines(value: Any, indent: str) -> Iterable[str]:
    short = msgspec.json.format(encode(value), indent=0).decode()
    if len(indent) + len(short) <= _WIDE or not isinstance(value, dict | list):
        return [indent + short]
    items: Iterable[tuple[str | None, Any]] = value.items() if isinstance(value, dict) else ((None, one) for one in value)
    parts = [_part(key, one, indent + "  ") for key, one in items]
    inner = [[*lines[:-1], lines[-1] + ","] for lines in parts[:-1]] + parts[-1:]
    opening, closing = "{}" if isinstance(value, dict) else "[]"
    return [indent + opening, *(line for lines in inner for line in lines), indent + closing]


def _part(key: str | None, value: Any, indent: str) -> list[str]:
    first, *others = _lines(value, indent)
    return [first if key is None else f"{indent}{encode(key).decode()}: {first.lstrip()}", *others]


@cache
def _markdown() -> MarkdownIt:
    """Without HTML and pictures: the page shows text."""
    return MarkdownIt("commonmark", {"html": False}).disable("image")


def _inline(text: str) -> str:
    return str(_markdown().renderInline(cleandoc(text)))


def _block(text: str) -> str:
    return str(_markdown().render(cleandoc(text)))
