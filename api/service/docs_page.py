"""The API documentation as a page for people, made from the OpenAPI document alone, so that nothing is described twice."""

import shlex
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from inspect import cleandoc
from typing import Any, TypeAlias
from urllib.parse import quote, urlencode

import msgspec
from markdown_it import MarkdownIt
from msgspec import Struct

from api.http.description.parameters import as_sent
from api.http.media_types import JSON
from api.http.pages import render_template
from api.http.problems import ProblemType
from api.http.response import encode

# A request as one line for a shell, from the examples of the document.


def build_command_line(path: str, method: str, operation: Mapping[str, Any], example: str, media: str) -> str:
    """Return the line. ``example``: the name of the example. ``media``: the media type of its response.

    A path parameter without an example is its name in capitals.
    """
    given = [*_headers(operation, media), *_body(method, operation, example)]
    return " ".join(["curl", f'"$KIEBITZ_URL{_address(path, operation, example)}"', *given])


def _address(path: str, operation: Mapping[str, Any], example: str) -> str:
    values = dict(_values(operation, "path", example))
    parts = (values.get(part[1:-1], part[1:-1].upper()) if part.startswith("{") else part for part in path.split("/"))
    query = urlencode(dict(_values(operation, "query", example)))
    return "/".join(quote(str(part), safe="") for part in parts) + (f"?{query}" if query else "")


def _values(operation: Mapping[str, Any], place: str, example: str) -> Iterator[tuple[str, object]]:
    """Yield the values of the example; for the path also those of any other example."""
    for one in operation["parameters"]:
        examples = one.get("examples", {}) if one["in"] == place else {}
        if found := examples.get(example) or (place == "path" and next(iter(examples.values()), None)):
            yield one["name"], as_sent(found["value"])


def _body(method: str, operation: Mapping[str, Any], example: str) -> Iterator[str]:
    content = operation.get("requestBody", {}).get("content", {})
    found: list[tuple[str, Mapping[str, Any]]] = [(media, one["examples"]) for media, one in content.items() if one.get("examples")]
    media, examples = next((one for one in found if example in one[1]), (found or [(JSON, {})])[0])
    sent: Mapping[str, Any] = examples.get(example) or next(iter(examples.values()), {"value": {}})
    if method not in (("get", "post") if content else ("get",)):
        yield from ("-X", method.upper())
    if content:
        yield from ("-H", f"'Content-Type: {media}'", "--data-binary", _quote_body(sent["value"]))


def _quote_body(body: object) -> str:
    """Quote a text of several lines on one line for the shell."""
    text = body if isinstance(body, str) else encode(body).decode()
    return shlex.quote(text) if "\n" not in text else f"${_escape(text)}"


def _escape(text: str) -> str:
    return "'" + text.replace("\\", "\\\\").replace("'", "\\'").replace("\n", "\\n") + "'"


def _headers(operation: Mapping[str, Any], media: str) -> Iterator[str]:
    if media not in ("", JSON):
        yield from ("-H", f"'Accept: {media}'")
    if operation.get("security") != []:
        yield from ("-H", '"Authorization: Bearer $KIEBITZ_TOKEN"')


Described: TypeAlias = Mapping[str, Any]
"""A part of the document."""

_WIDE = 96  # characters: shorter values stay on one line
_RANGES = (("minimum", "maximum", ""), ("minLength", "maxLength", " characters"), ("minItems", "maxItems", " items"))


class OperationExample(Struct, frozen=True):
    """An operation with one example: the request line, and the response in ``media`` or at ``elsewhere``."""

    path: str
    method: str
    operation: Described
    line: str
    status: str = ""
    media: str = ""
    answer: str = ""
    elsewhere: str = ""


def page(document: Described, kinds: Sequence[ProblemType], keys: Sequence[str] = ()) -> bytes:
    """Return the page. ``kinds`` of problems, in the order of the page; ``keys`` of the log."""
    shown = [_show_operation(path, method, one) for path, methods in document["paths"].items() for method, one in methods.items()]
    groups = [(tag, [one for one in shown if one.operation["tags"][0] == tag["name"]]) for tag in document["tags"]]
    values = {"language": "en", "api": document, "groups": groups, "kinds": kinds, "keys": keys}
    said = {"inline": _inline, "block": _block, "limits": limits, "default": _default, "json": pretty}
    return render_template("docs.html.j2", {**values, **said})


def _show_operation(path: str, method: str, operation: Described) -> OperationExample:
    found = list(_list_responses(operation))
    sent = operation.get("requestBody", {}).get("content", {}).get("application/json", {}).get("examples", {})
    status, media, name, example = next((one for one in found if one[2] in sent), (found or [("", "", "", {})])[0])
    line = build_command_line(path, method, operation, name, media)
    answer = example.get("value")
    told = "" if answer is None else answer if isinstance(answer, str) else pretty(answer)
    return OperationExample(path, method, operation, line, status, media, told, example.get("externalValue", ""))


def _list_responses(operation: Described) -> Iterator[tuple[str, str, str, Described]]:
    """Yield status, media type, name and example of each success response."""
    for status, answer in operation["responses"].items():
        for media, content in answer.get("content", {}).items():
            if status.startswith("2"):
                yield from ((status, media, name, example) for name, example in content.get("examples", {}).items())


def limits(schema: Described) -> list[str]:
    """Return the limits of a value in words; a pattern as it is."""
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
    """Return the default as it is written in a query; an empty text for none."""
    value = schema.get("default")
    return "" if value is None else value if isinstance(value, str) else encode(value).decode()


def pretty(value: object) -> str:
    """Return readable JSON: short values on one line, the rest level by level."""
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
    """Return a parser without HTML and pictures: the page shows text."""
    return MarkdownIt("commonmark", {"html": False}).disable("image")


def _inline(text: str) -> str:
    return str(_markdown().renderInline(cleandoc(text)))


def _block(text: str) -> str:
    return str(_markdown().render(cleandoc(text)))
