"""A request of the documentation as code: a line of curl, of Python with httpx, and of TypeScript with ``fetch``."""

import shlex
from collections.abc import Callable, Iterator, Mapping
from typing import Any
from urllib.parse import quote, urlencode

from msgspec import Struct

from api.http.description.parameters import as_sent
from api.http.media_types import JSON
from api.http.response import encode


class RequestSample(Struct, frozen=True):
    """A request as an example has it. ``body`` is a text or a value of JSON; ``sends`` is its media type, empty without a body."""

    method: str
    address: str
    accept: str
    sends: str
    body: Any
    open_to_all: bool


def sample_request(path: str, method: str, operation: Mapping[str, Any], example: str, media: str) -> RequestSample:
    """Return the request. ``example``: the name of the example. ``media``: the media type of its response.

    A path parameter without an example is its name in capitals.
    """
    content = operation.get("requestBody", {}).get("content", {})
    found: list[tuple[str, Mapping[str, Any]]] = [(kind, one["examples"]) for kind, one in content.items() if one.get("examples")]
    sends, examples = next((one for one in found if example in one[1]), (found or [(JSON, {})])[0])
    sent: Mapping[str, Any] = examples.get(example) or next(iter(examples.values()), {"value": {}})
    return RequestSample(
        method=method.upper(),
        address=_address(path, operation, example),
        accept="" if media == JSON else media,
        sends=sends if content else "",
        body=sent["value"],
        open_to_all=operation.get("security") == [],
    )


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


def write_shell(sample: RequestSample) -> str:
    """Return the line for a shell. A text of several lines is quoted on one."""
    given = []
    if sample.method not in (("GET", "POST") if sample.sends else ("GET",)):
        given += ["-X", sample.method]
    given += ["-H", f"'Accept: {sample.accept}'"] if sample.accept else []
    given += [] if sample.open_to_all else ["-H", '"Authorization: Bearer $KIEBITZ_TOKEN"']
    given += ["-H", f"'Content-Type: {sample.sends}'", "--data-binary", _quote_body(sample.body)] if sample.sends else []
    return " ".join(["curl", f'"$KIEBITZ_URL{sample.address}"', *given])


def _quote_body(body: object) -> str:
    text = body if isinstance(body, str) else encode(body).decode()
    return shlex.quote(text) if "\n" not in text else f"${_escape(text)}"


def _escape(text: str) -> str:
    return "'" + text.replace("\\", "\\\\").replace("'", "\\'").replace("\n", "\\n") + "'"


def write_python(sample: RequestSample) -> str:
    headers = _headers(sample, implied=JSON)
    given = [f"headers={headers!r}"] if headers else []
    if sample.sends:
        given.append(f"json={sample.body!r}" if sample.sends == JSON else f"content={_as_text(sample.body)!r}.encode()")
    return f"answer = kiebitz.request({', '.join([repr(sample.method), repr(sample.address), *given])})"


def write_script(sample: RequestSample) -> str:
    headers = _headers(sample, implied="")
    given = [f"method: {_literal(sample.method)}"] if sample.method != "GET" else []
    given += [f"headers: {_literal(headers)}"] if headers else []
    if sample.sends:
        given.append(
            f"body: JSON.stringify({_literal(sample.body)})" if sample.sends == JSON else f"body: {_literal(_as_text(sample.body))}"
        )
    options = f", {{ {', '.join(given)} }}" if given else ""
    return f"const answer = await kiebitz({_literal(sample.address)}{options});"


def _headers(sample: RequestSample, implied: str) -> dict[str, str]:
    """Return the headers that the body or the answer needs. ``implied``: the media type of a body whose header the client sets."""
    named = (("Accept", sample.accept), ("Content-Type", "" if sample.sends == implied else sample.sends))
    return {name: value for name, value in named if value}


def _as_text(body: object) -> str:
    return body if isinstance(body, str) else encode(body).decode()


def _literal(value: object) -> str:
    return encode(value).decode()


class CodeLanguage(Struct, frozen=True):
    """``title``: on the tab. ``start``: what stands once at the top of a page."""

    title: str
    start: str
    write: Callable[[RequestSample], str]


CODE: Mapping[str, CodeLanguage] = {
    "curl": CodeLanguage("curl", "export KIEBITZ_URL=http://127.0.0.1:8000 KIEBITZ_TOKEN=kb_…", write_shell),
    "python": CodeLanguage(
        "Python",
        "import os, httpx\n"
        'token = {"Authorization": f"Bearer {os.environ[\'KIEBITZ_TOKEN\']}"}\n'
        'kiebitz = httpx.Client(base_url=os.environ["KIEBITZ_URL"], headers=token)',
        write_python,
    ),
    "typescript": CodeLanguage(
        "TypeScript",
        "const { KIEBITZ_URL, KIEBITZ_TOKEN } = process.env;\n"
        "const kiebitz = (path: string, { headers, ...more }: RequestInit = {}) =>\n"
        "  fetch(KIEBITZ_URL + path, { ...more, headers: { Authorization: `Bearer ${KIEBITZ_TOKEN}`, ...headers } });",
        write_script,
    ),
}
"""The languages of the tabs, by their names in an address."""
