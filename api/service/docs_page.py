"""The API documentation as pages for people, made from the OpenAPI document alone, so that nothing is described twice."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from inspect import cleandoc
from typing import Any, TypeAlias
from urllib.parse import urlencode

import msgspec
from litestar.exceptions import NotFoundException
from markdown_it import MarkdownIt
from markupsafe import Markup, escape
from msgspec import Struct
from msgspec.structs import replace

from api.http.pages import render_template
from api.http.problems import ProblemType
from api.http.response import encode
from api.service.request_samples import CODE, sample_request

Described: TypeAlias = Mapping[str, Any]
"""A part of the document."""

_WIDE = 96  # characters: shorter values stay on one line
_LONGEST = 40  # lines of an answer; the rest is cut
_MOST = 30  # operations on a page
_RANGES = (("minimum", "maximum", ""), ("minLength", "maxLength", " characters"), ("minItems", "maxItems", " items"))


class OperationExample(Struct, frozen=True):
    """An operation with one example: the request as code, and the response in ``media``. ``longer``: its lines that are not shown.
    ``part``: the page of its tag on which it stands, from 1.
    """

    path: str
    method: str
    operation: Described
    part: int
    code: str = ""
    status: str = ""
    media: str = ""
    answer: str = ""
    longer: int = 0

    def address(self, code: str = "") -> str:
        query = urlencode({**({"part": self.part} if self.part > 1 else {}), **({"code": code} if code else {})})
        return f"/docs/{page_of(self.operation['tags'][0])}{'?' if query else ''}{query}#{self.operation['operationId']}"


class TagPage(Struct, frozen=True):
    """A tag with its operations; in the contents without examples."""

    tag: Described
    operations: Sequence[OperationExample]

    @property
    def parts(self) -> int:
        return self.operations[-1].part if self.operations else 1


def page_of(tag: str) -> str:
    return tag.lower()


def contents_page(document: Described, kinds: Sequence[ProblemType], search: str) -> bytes:
    """Return the start: first steps, all operations or those found by ``search``, shared headers, and ``kinds`` of problems."""
    found = search_operations(document, search) if search else []
    return _render(document, "docs.html.j2", search=search, found=found, kinds=kinds, headers=list_shared_headers(document))


def search_operations(document: Described, search: str) -> list[OperationExample]:
    """Return the operations in whose description all words occur; first those with all of them in the summary."""
    wanted = search.casefold().split()
    shown = [one for group in _groups(document) for one in group.operations]
    hits = [one for one in shown if all(word in _text_of(one) for word in wanted)]
    return sorted(hits, key=lambda one: not all(word in one.operation["summary"].casefold() for word in wanted))


def _text_of(one: OperationExample) -> str:
    told = one.operation
    names = [parameter["name"] for parameter in told["parameters"]]
    return " ".join([one.method, one.path, told["operationId"], told["summary"], told["description"], *told["tags"], *names]).casefold()


def list_shared_headers(document: Described) -> dict[str, str]:
    """Return the meaning of each request header, once for all operations."""
    operations = [one for methods in document["paths"].values() for one in methods.values()]
    return {one["name"]: one["description"] for told in operations for one in told["parameters"] if one["in"] == "header"}


def tag_page(document: Described, name: str, part: int, code: str, keys: Sequence[str]) -> bytes:
    """Return a page of a tag. ``code``: the language of its requests. ``keys`` of the log. Raises ``NotFoundException``."""
    group = next((one for one in _groups(document) if page_of(one.tag["name"]) == name), None)
    if group is None or part > group.parts:
        raise NotFoundException
    tag = group.tag
    shown = [_show_operation(one, code) for one in group.operations if one.part == part]
    sent = {type_: one["post"] for type_, one in document["webhooks"].items() if one["post"]["tags"] == [tag["name"]]}
    return _render(document, "docs_tag.html.j2", open=tag, group=group, shown=shown, sent=sent, code=code, keys=keys, part=part)


def schema_page(document: Described, name: str) -> bytes:
    """Return the page of a schema; of all names for an empty one. Raises ``NotFoundException``."""
    schemas = document["components"]["schemas"]
    if name and name not in schemas:
        raise NotFoundException
    return _render(document, "docs_schema.html.j2", shown=name, names=list(schemas), schema=schemas.get(name, {}))


def _render(document: Described, template: str, **values: Any) -> bytes:
    shared = {
        "language": "en",
        "api": document,
        "groups": _groups(document),
        "languages": CODE,
        "page_of": page_of,
        "open": None,
        "code": "curl",
    }
    said = {"inline": _inline, "block": _block, "limits": limits, "default": _default, "text": _text}
    return render_template(template, {**shared, **said, **values})


def _groups(document: Described) -> list[TagPage]:
    found: dict[str, list[OperationExample]] = {tag["name"]: [] for tag in document["tags"]}
    for path, methods in document["paths"].items():
        for method, operation in methods.items():
            group = found[operation["tags"][0]]
            group.append(OperationExample(path, method, operation, len(group) // _MOST + 1))
    return [TagPage(tag, found[tag["name"]]) for tag in document["tags"]]


def _show_operation(one: OperationExample, code: str) -> OperationExample:
    operation = one.operation
    found = list(_list_responses(operation))
    sent = operation.get("requestBody", {}).get("content", {}).get("application/json", {}).get("examples", {})
    status, media, name, example = next((each for each in found if each[2] in sent), (found or [("", "", "", {})])[0])
    answer = example.get("value")
    lines = ("" if answer is None else answer if isinstance(answer, str) else pretty(answer)).split("\n")
    written = CODE[code].write(sample_request(one.path, one.method, operation, name, media))
    shown, longer = "\n".join(lines[:_LONGEST]), max(len(lines) - _LONGEST, 0)
    return replace(one, code=written, status=status, media=media, answer=shown, longer=longer)


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
    if len(indent) + len(short) <= _WIDE or not isinstance(value, (dict, list)):
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


def _text(text: str) -> Markup:
    """Return the text as HTML. Quotes stay as they are: as entities they would be a tenth of a page."""
    return Markup(escape(text).replace("&#34;", '"').replace("&#39;", "'"))
