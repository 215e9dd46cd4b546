"""The description for people: all that the document says, in groups, with an example of every operation; and the way to it."""

import json
import re
import shlex
from collections.abc import Iterator
from html import unescape
from typing import Any

import pytest

from api.service.docs_page import limits
from tests.api.conftest import Caller, Service
from tests.api.markup import part, rows, words

BROWSER = {"Accept": "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8"}


@pytest.fixture(scope="module")
def page(service: Service) -> str:
    return str(service.caller(None).get("/docs").text)


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


def test_operations_stand_in_groups_and_the_contents_lead_to_each(service: Service, page: str):
    tags = [tag["name"] for tag in service.contract.document["tags"]]
    groups = {
        name: re.findall(r'<section class="operation" id="(\w+)">', text)
        for name, text in zip(tags, part(page, '<section class="group">'), strict=True)
    }
    expected: dict[str, list[str]] = {tag: [] for tag in tags}
    for _, _, operation in operations(service):
        expected[operation["tags"][0]].append(operation["operationId"])
    assert groups == expected
    (contents,) = part(page, "<nav")
    assert re.findall(r'href="#(?!tag-|problems|schemas)(\w+)"', contents) == [id for tag in tags for id in expected[tag]]


def test_what_the_document_writes_in_markdown_is_rendered(service: Service, page: str):
    shown = re.sub(r"<(pre|code)\b.*?</\1>", "", page, flags=re.DOTALL)
    assert "`" not in words(shown)
    assert "by <code>Accept</code> or by <code>format</code>" in section(page, "read_standings")
    for _, _, operation in operations(service):
        assert plain(operation["description"]) in read(section(page, operation["operationId"])), operation["operationId"]


def test_every_parameter_stands_with_its_meaning_its_default_and_its_limits(service: Service, page: str):
    for _, _, operation in operations(service):
        table = rows(section(page, operation["operationId"]))
        for one in operation["parameters"]:
            (row,) = [row for row in table if row[0].split()[0] == one["name"] and one["in"] in row[0]]
            schema = one["schema"]
            assert plain(one.get("description") or schema.get("description", "")) in " ".join(row[1].split()), one
            if schema.get("default") is not None:
                assert row[3] == (schema["default"] if isinstance(schema["default"], str) else json.dumps(schema["default"])), one
            for limit in ("minimum", "maximum", "minLength", "maxLength", "pattern"):
                assert limit not in schema or str(schema[limit]) in row[4], one
            assert ("required" in row[0]) == one.get("required", False), one


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
        (line,) = part(section(page, operation["operationId"]), '<pre class="curl">')
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
        if told:
            assert told[0] in [one["value"] for one in examples if isinstance(one.get("value"), str)] or json.loads(told[0]) in [
                one["value"] for one in examples if "value" in one
            ]
        else:
            assert not examples or "too long to be shown here" in shown


def test_a_body_that_the_document_shows_is_what_the_line_sends(service: Service, page: str):
    for _, _, operation in operations(service):
        for media, content in operation.get("requestBody", {}).get("content", {}).items():
            for example in list(content.get("examples", {}).values())[:1]:
                (line,) = part(section(page, operation["operationId"]), '<pre class="curl">')
                given = shlex.split(unescape(re.sub("<[^>]*>", "", line)))
                if f"Content-Type: {media}" in given and media == "application/json":
                    assert json.loads(given[given.index("--data-binary") + 1]) == example["value"]


def test_every_kind_of_problem_stands_there_with_the_title_that_answers_bear(nobody: Caller, page: str):
    kinds = {name: title for _, name, title in (row for row in rows(page) if len(row) == 3 and row[0].isdecimal())}
    for answer in (nobody.get("/nothing"), nobody.get("/v1/games")):
        told = answer.json()
        assert kinds[told["type"].partition("#")[2]] == told["title"]
    assert [title for title in kinds.values() if "<" in title] == []


def test_the_page_says_that_it_is_english(page: str):
    assert '<html lang="en">' in page
    assert "This page is in English." in words(page)
