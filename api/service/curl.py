"""A request as one line for a shell, made of the examples that the document gives."""

import shlex
from collections.abc import Iterator, Mapping
from typing import Any
from urllib.parse import quote, urlencode

from api.http.description.parameters import as_sent
from api.http.media_types import JSON
from api.http.response import encode


def curl_line(path: str, method: str, operation: Mapping[str, Any], example: str, media: str) -> str:
    """``example``: which of them is shown. ``media`` is that of its answer. Where none is given, a name stands in capitals."""
    given = [*_headers(operation, media), *_body(method, operation, example)]
    return " ".join(["curl", f'"$KIEBITZ_URL{_address(path, operation, example)}"', *given])


def _address(path: str, operation: Mapping[str, Any], example: str) -> str:
    values = dict(_values(operation, "path", example))
    parts = (values.get(part[1:-1], part[1:-1].upper()) if part.startswith("{") else part for part in path.split("/"))
    query = urlencode(dict(_values(operation, "query", example)))
    return "/".join(quote(str(part), safe="") for part in parts) + (f"?{query}" if query else "")


def _values(operation: Mapping[str, Any], place: str, example: str) -> Iterator[tuple[str, object]]:
    """Of parameters that the example gives; of a path that it does not know, as any other gives them."""
    for one in operation["parameters"]:
        examples = one.get("examples", {}) if one["in"] == place else {}
        if found := examples.get(example) or (place == "path" and next(iter(examples.values()), None)):
            yield one["name"], as_sent(found["value"])


def _body(method: str, operation: Mapping[str, Any], example: str) -> Iterator[str]:
    content = operation.get("requestBody", {}).get("content", {})
    found: list[tuple[str, Mapping[str, Any]]] = [(media, one["examples"]) for media, one in content.items() if one.get("examples")]
    media, examples = next((one for one in found if example in one[1]), (found or [(JSON, {})])[0])
    sent: Mapping[str, Any] = examples.get(example) or next(iter(examples.values()), {"value": {}})
    if method == "put":
        yield from ("-X", "PUT")
    if content:
        yield from ("-H", f"'Content-Type: {media}'", "--data-binary", _quoted(sent["value"]))
    elif method == "post":
        yield from ("-X", "POST")


def _quoted(body: object) -> str:
    """A text of several lines as shells write it on one."""
    text = body if isinstance(body, str) else encode(body).decode()
    return shlex.quote(text) if "\n" not in text else f"${_escaped(text)}"


def _escaped(text: str) -> str:
    return "'" + text.replace("\\", "\\\\").replace("'", "\\'").replace("\n", "\\n") + "'"


def _headers(operation: Mapping[str, Any], media: str) -> Iterator[str]:
    if media not in ("", JSON):
        yield from ("-H", f"'Accept: {media}'")
    if operation.get("security") != []:
        yield from ("-H", '"Authorization: Bearer $KIEBITZ_TOKEN"')
