"""The description for people: a page for each tag with all that the document says, and the way to it."""

import json
import re
import shlex
import subprocess
from collections.abc import Iterator
from html import unescape
from typing import Any

import httpx
import pytest

from api.service.docs_page import limits
from api.service.request_samples import CODE, RequestSample, sample_request
from tests.api.conftest import Caller, Service
from tests.api.markup import part, rows, words
from tests.npm import NODE

BROWSER = {"Accept": "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8"}
LARGEST = 150_000  # bytes of a page


@pytest.fixture(scope="module")
def contents(service: Service) -> str:
    return str(service.caller(None).get("/docs").text)


@pytest.fixture(scope="module")
def addresses(contents: str) -> list[str]:
    """Where the contents lead to: a page of each tag, and two of a large one."""
    found = dict.fromkeys(re.findall(r'href="(/docs/\w+(?:\?part=\d)?)["#]', contents))
    return [path for path in found if path != "/docs/schemas"]


@pytest.fixture(scope="module")
def pages(service: Service, addresses: list[str]) -> dict[str, str]:
    """The pages by tag; those of a large tag one after the other."""
    found = {path: service.client.get(path).text for path in addresses}
    tags = [tag["name"] for tag in service.contract.document["tags"]]
    return {tag: "".join(text for path, text in found.items() if path.partition("?")[0] == f"/docs/{tag.lower()}") for tag in tags}


@pytest.fixture(scope="module")
def page(pages: dict[str, str]) -> str:
    return "".join(pages.values())


def operations(service: Service) -> Iterator[tuple[str, str, dict[str, Any]]]:
    for path, methods in service.contract.document["paths"].items():
        for method, operation in methods.items():
            yield path, method, operation


def section(page: str, id: str) -> str:
    (found,) = part(page, f'<section class="operation" id="{id}">')
    return found


def plain(text: str) -> str:
    """Markdown as it reads when it is rendered, but for what HTML writes otherwise."""
    return " ".join(re.sub(r"`+", "", text).split())


def read(html: str) -> str:
    return re.sub(r" ([.,;:)’])", r"\1", unescape(words(html)).replace("( ", "("))


def test_a_browser_gets_a_page_at_the_start(nobody: Caller):
    answer = nobody.get("/", headers=BROWSER)
    assert (answer.status_code, answer.headers["content-type"]) == (200, "text/html; charset=utf-8")
    assert "accept" in answer.headers["vary"]


@pytest.mark.parametrize("headers", [{}, {"Accept": "*/*"}, {"Accept": "application/json"}])
def test_a_program_is_told_at_the_start_what_there_is(nobody: Caller, headers: dict[str, str]):
    answer = nobody.get("/", headers=headers, follow_redirects=False)
    told = answer.json()
    assert (answer.status_code, told["name"]) == (200, "Kiebitz")
    assert {key: value for key, value in told.items() if key not in ("name", "version")} == {
        "description": "/openapi.json",
        "docs": "/docs",
        "rulesets": "/v1/rulesets",
        "health": "/health/ready",
    }
    assert nobody.get(told["description"]).json()["info"]["version"] == told["version"]
    assert all(nobody.get(told[name]).status_code == 200 for name in ("docs", "health"))


def test_every_tag_has_a_page_with_its_operations_and_the_contents_lead_to_each(service: Service, pages: dict[str, str], contents: str):
    expected: dict[str, list[str]] = {tag: [] for tag in pages}
    for _, _, operation in operations(service):
        expected[operation["tags"][0]].append(operation["operationId"])
    assert {tag: re.findall(r'<section class="operation" id="(\w+)">', page) for tag, page in pages.items()} == expected
    links = re.findall(r'<li id="(\w+)"><a href="/docs/(\w+)(?:\?part=\d)?#(\w+)"', contents)
    assert links == [(id, tag.lower(), id) for tag, ids in expected.items() for id in ids]


def test_no_page_is_larger_than_150_kb_in_any_language(nobody: Caller, addresses: list[str]):
    """The languages of samples differ by a twentieth; pages of less than half that size are asked for in one."""
    sizes = {path: len(nobody.get(path).content) for path in ("/docs", "/docs/schemas", *addresses)}
    large = [f"{path}{'&' if '?' in path else '?'}code=" for path in addresses if sizes[path] > LARGEST / 2]
    sizes |= {f"{path}{code}": len(nobody.get(f"{path}{code}").content) for path in large for code in CODE}
    assert len(large) > 1
    assert {path: size for path, size in sizes.items() if size > LARGEST} == {}


def test_a_search_finds_the_operations_in_which_all_words_occur(nobody: Caller):
    found = nobody.get("/docs?search=rotate+SECRET").text
    (main,) = part(found, "<main>")
    assert re.findall(r'href="/docs/webhooks#(\w+)"', main) == ["rotate_webhook", "register_webhook"]
    assert "0 operations with “<b>”" in unescape(nobody.get("/docs?search=%3Cb%3E").text)
    assert "<b>" not in nobody.get("/docs?search=%3Cb%3E").text


def test_a_page_of_nothing_is_not_there(nobody: Caller):
    for path in ("/docs/nothing", "/docs/games?part=2", "/docs/schemas/Nothing"):
        assert nobody.get(path).status_code == 404


def test_every_schema_that_a_page_names_has_a_page_and_an_event_is_led_to_its_body(nobody: Caller, page: str):
    names = sorted(set(re.findall(r'href="/docs/schemas/(\w+)"', page)))
    listed = re.findall(r'href="/docs/schemas/(\w+)"', nobody.get("/docs/schemas").text)
    assert set(names) <= set(listed)
    assert "MovePlayed" in names
    assert rows(nobody.get("/docs/schemas/MovePlayed").text)[1][0] == "seat required"


def test_what_the_document_writes_in_markdown_is_rendered(service: Service, page: str):
    shown = re.sub(r"<(pre|code)\b.*?</\1>", "", page, flags=re.DOTALL)
    assert "`" not in words(shown)
    assert "by <code>Accept</code> or by <code>format</code>" in section(page, "read_standings")
    for _, _, operation in operations(service):
        assert plain(operation["description"]) in read(section(page, operation["operationId"])), operation["operationId"]


def test_every_parameter_stands_with_its_meaning_its_default_and_its_limits(service: Service, page: str):
    for _, _, operation in operations(service):
        table = rows(section(page, operation["operationId"]))
        for one in (one for one in operation["parameters"] if one["in"] != "header"):
            (row,) = [row for row in table if row[0].split()[0] == one["name"] and one["in"] in row[0]]
            schema = one["schema"]
            assert plain(one.get("description") or schema.get("description", "")) in " ".join(row[1].split()), one
            if schema.get("default") is not None:
                assert row[3] == (schema["default"] if isinstance(schema["default"], str) else json.dumps(schema["default"])), one
            for limit in ("minimum", "maximum", "minLength", "maxLength", "pattern"):
                assert limit not in schema or str(schema[limit]) in row[4], one
            assert ("required" in row[0]) == one.get("required", False), one


def test_headers_are_named_with_each_operation_and_explained_once(service: Service, page: str, contents: str):
    explained = {row[0] for row in rows(contents) if len(row) == 2}
    for _, _, operation in operations(service):
        for header in (one["name"] for one in operation["parameters"] if one["in"] == "header"):
            assert f"<code>{header}</code>" in section(page, operation["operationId"])
            assert header in explained


@pytest.mark.parametrize(
    ("schema", "said"),
    [
        ({"type": "integer", "minimum": 1, "maximum": 1000}, ["1 to 1000"]),
        ({"type": "integer", "minimum": 0}, ["at least 0"]),
        ({"type": "string", "minLength": 1, "maxLength": 200}, ["1 to 200 characters"]),
        ({"type": "string", "maxLength": 4000}, ["at most 4000 characters"]),
        ({"type": "array", "items": {}, "minItems": 1, "maxItems": 50}, ["1 to 50 items"]),
        ({"type": "string", "pattern": "^a|b$"}, ["^a|b$"]),
        ({"anyOf": [{"type": "integer", "maximum": 3}, {"type": "null"}]}, ["at most 3"]),
    ],
)
def test_limits_are_said_in_words(schema: dict[str, Any], said: list[str]):
    assert limits(schema) == said


def test_every_operation_has_one_line_for_a_shell(service: Service, page: str):
    for path, method, operation in operations(service):
        (line,) = part(section(page, operation["operationId"]), '<pre class="code curl">')
        text = unescape(re.sub("<[^>]*>", "", line))
        assert "\n" not in text
        command, *given = shlex.split(text)
        (address,) = [word for word in given if word.startswith("$KIEBITZ_URL")]
        wanted = re.escape(path).replace(r"\{", "{").replace(r"\}", "}")
        assert re.fullmatch(re.sub(r"\{\w+\}", "[^/]+", wanted), address.removeprefix("$KIEBITZ_URL").partition("?")[0]), line
        assert (command, "-X POST" in text) == ("curl", method == "post" and "requestBody" not in operation)
        assert ("Authorization: Bearer $KIEBITZ_TOKEN" in given) == (operation.get("security") != [])


def test_of_every_operation_whose_answers_the_document_shows_one_is_shown(service: Service, page: str):
    for _, _, operation in operations(service):
        contents = [answer.get("content", {}) for status, answer in operation["responses"].items() if status.startswith("2")]
        examples = [one for media in contents for content in media.values() for one in content.get("examples", {}).values()]
        shown = section(page, operation["operationId"])
        told = [unescape(re.sub("<[^>]*>", "", answer)) for answer in part(shown, '<pre class="answer">')]
        if told and "more line" in told[0]:
            lines = told[0].partition("\n\n… ")[0].splitlines()
            assert lines[0] in ("{", "[") or any(str(one.get("value")).startswith("\n".join(lines)) for one in examples)
        elif told:
            assert told[0] in [one["value"] for one in examples if isinstance(one.get("value"), str)] or json.loads(told[0]) in [
                one["value"] for one in examples if "value" in one
            ]
        else:
            assert not any("value" in one for one in examples)


def test_a_body_that_the_document_shows_is_what_the_line_sends(service: Service, page: str):
    for _, _, operation in operations(service):
        for media, content in operation.get("requestBody", {}).get("content", {}).items():
            for example in list(content.get("examples", {}).values())[:1]:
                (line,) = part(section(page, operation["operationId"]), '<pre class="code curl">')
                given = shlex.split(unescape(re.sub("<[^>]*>", "", line)))
                if f"Content-Type: {media}" in given and media == "application/json":
                    assert json.loads(given[given.index("--data-binary") + 1]) == example["value"]


def test_every_kind_of_problem_stands_there_with_the_title_that_answers_bear(nobody: Caller, contents: str):
    kinds = {name: title for _, name, title in (row for row in rows(contents) if len(row) == 3 and row[0].isdecimal())}
    for answer in (nobody.get("/nothing"), nobody.get("/v1/games")):
        told = answer.json()
        assert kinds[told["type"].partition("#")[2]] == told["title"]
    assert [title for title in kinds.values() if "<" in title] == []


def test_the_pages_say_that_they_are_english(contents: str):
    assert '<html lang="en">' in contents
    assert "These pages are in English." in words(contents)


def samples(service: Service) -> list[RequestSample]:
    """Requests of all operations: the first example of each, in its first media type."""
    found = []
    for path, method, operation in operations(service):
        bodies = operation.get("requestBody", {}).get("content", {}).values()
        named = [name for one in bodies for name in one.get("examples", {})]
        found.append(sample_request(path, method, operation, (named or [""])[0], ""))
    return found


def sent(sample: RequestSample) -> list[Any]:
    """Method, address, media type and body of the request, as it should come over the line."""
    body = sample.body if sample.sends else None
    return [sample.method, sample.address, sample.sends, body if isinstance(body, str) or body is None else json.loads(json.dumps(body))]


def test_python_sends_what_the_example_says(service: Service):
    def answer(request: httpx.Request) -> httpx.Response:
        media, text = request.headers.get("content-type", ""), request.content.decode()
        body = (json.loads(text) if media == "application/json" else text) if media else None
        heard.append([request.method, request.url.raw_path.decode(), media, body])
        return httpx.Response(200)

    heard: list[list[Any]] = []
    asked = samples(service)
    with httpx.Client(base_url="http://hall", transport=httpx.MockTransport(answer)) as kiebitz:
        for sample in asked:
            exec(CODE["python"].write(sample), {"kiebitz": kiebitz})
    assert heard == [sent(sample) for sample in asked]


def test_typescript_sends_what_the_example_says(service: Service):
    asked = samples(service)
    lines = [f"{{ {CODE['typescript'].write(sample)} }}" for sample in asked]
    start = """
    const heard = [];
    const kiebitz = async (path, { method = "GET", headers = {}, body } = {}) => {
      const media = headers["Content-Type"] ?? "";
      heard.push([method, path, media, media === "application/json" ? JSON.parse(body) : body ?? null]);
    };
    """
    program = "\n".join([start, *lines, "console.log(JSON.stringify(heard));"])
    done = subprocess.run([NODE, "--input-type=module"], input=program, capture_output=True, text=True, check=True)
    assert json.loads(done.stdout) == [sent(sample) for sample in asked]
