"""The examples of the document: every operation has one with a real answer, and read top to bottom they can be sent in a row."""

import json
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import quote, urlencode

import pytest
from msgspec import json as strict

from api.http.description.examples import FILE, Step, found_at, load_steps, order
from api.http.description.parameters import as_sent
from domain.access import Grant
from tests.api.conftest import Caller, Service, add_token, settings_of
from tests.api.log.conftest import logging
from tests.api.web import OURS
from tests.examples.telling import told, written

RENEW = "python -m tests.examples"


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    """One for all: only those who read the examples top to bottom record anything."""
    with logging(settings_of(tmp_path_factory.mktemp("examples"))) as logged:
        yield logged.service


def operations(document: dict[str, Any]) -> Iterator[tuple[str, str, dict[str, Any]]]:
    """In the order of the story, which the description has too but for the methods of one path: method, path, what it says."""
    found = [(method.upper(), path, one) for path, methods in document["paths"].items() for method, one in methods.items()]
    yield from sorted(found, key=lambda each: order(each[2]["operationId"]))


def test_every_operation_has_an_example_and_its_answer(service: Service):
    told_of = {step.operation for step in load_steps()}
    silent = [
        f"{id} has no example: write a request for it into {FILE.name}, at a place of the story where it is answered well, then run {RENEW}"
        for _, _, operation in operations(service.contract.document)
        if (id := operation["operationId"]) not in told_of
    ]
    assert silent == [], "\n".join(silent)


def test_the_answers_of_the_examples_are_those_of_a_running_service(tmp_path: Path):
    before = FILE.read_text(encoding="utf-8")
    after = written(list(told(strict.decode(before, type=list[Step]), tmp_path)))
    pairs = zip(before.splitlines(), after.splitlines(), strict=False)
    other = [f"now\n{new[:2000]}\nwas\n{old[:2000]}\nif that is meant, run {RENEW}" for old, new in pairs if old != new]
    assert other == [], "\n".join(other[:3])
    assert after == before


class Example(NamedTuple):
    """As the document tells it."""

    name: str
    method: str
    path: str
    operation: dict[str, Any]

    def given(self, where: str) -> dict[str, Any]:
        """The parameters of path or query."""
        found = [(one["name"], one.get("examples", {})) for one in self.operation["parameters"] if one["in"] == where]
        return {name: examples[self.name]["value"] for name, examples in found if self.name in examples}

    @property
    def body(self) -> tuple[str, Any] | None:
        """Media type and value."""
        contents = self.operation.get("requestBody", {}).get("content", {}).items()
        return next(((media, one["examples"][self.name]["value"]) for media, one in contents if self.name in one.get("examples", {})), None)

    @property
    def answer(self) -> tuple[int, Any]:
        """The status under which it stands, and the value."""
        for status, answer in self.operation["responses"].items():
            for content in answer.get("content", {}).values():
                if self.name in content.get("examples", {}):
                    return int(status), content["examples"][self.name]["value"]
        raise AssertionError(f"{self.operation['operationId']}: the example {self.name} has no answer")


def examples(document: dict[str, Any]) -> Iterator[Example]:
    for method, path, operation in operations(document):
        names = dict.fromkeys(
            name
            for answer in operation["responses"].values()
            for content in answer.get("content", {}).values()
            for name in content.get("examples", {})
        )
        yield from (Example(name, method, path, operation) for name in names)


_MADE = {"issue_code": ("/code", "/issued/id"), "list_sessions": ("/items/0/id",), "test_webhook": ("/message",)}
"""Where an answer tells what no link leads to: a secret, or what can be ended and not read."""


class Reader:
    """Knows the document and nothing else. What a service makes up he takes from its answers, as the links say."""

    def __init__(self, caller: Caller, sign: Callable[[], None]) -> None:
        self.caller = self.by = caller
        self.sign = sign
        self.made: dict[str, str] = {}

    def send(self, example: Example, by: Caller) -> None:
        self.by = by
        answer = self.ask(example)
        status, told = example.answer
        assert answer.status_code == status, f"{example.operation['operationId']}, {example.name}: {answer.text[:500]}"
        for pointer in _MADE.get(example.operation["operationId"], ()):
            self.made[str(found_at(told, pointer))] = str(found_at(answer.json(), pointer))
        for link in example.operation["responses"][str(status)].get("links", {}).values():
            for value in link["parameters"].values():
                if value.startswith("$response.body#"):
                    pointer = value.removeprefix("$response.body#")
                    self.made[str(found_at(told, pointer))] = str(found_at(answer.json(), pointer))
            assert self.follow(example, link, answer) == 200, f"{example.operation['operationId']} links to {link['operationId']}"

    def ask(self, example: Example) -> Any:
        path = example.path.format(**{name: self._here(value) for name, value in example.given("path").items()})
        query = urlencode({name: as_sent(value) for name, value in example.given("query").items()})
        media, body = example.body or ("application/json", None)
        if isinstance(body, dict):
            body = {name: self.made.get(value, value) if name == "secret" else value for name, value in body.items()}
        content: dict[str, Any] = (
            {} if body is None else {"content": body if isinstance(body, str) else json.dumps(body), "headers": {"Content-Type": media}}
        )
        content.setdefault("headers", {}).update(OURS)
        answer = self.by.call(example.method, f"{path}?{query}" if query else path, **content)
        self.sign()
        return answer

    def follow(self, example: Example, link: dict[str, Any], answer: Any) -> int:
        """The status of what the link leads to."""
        reads = {operation["operationId"]: path for _, path, operation in operations(self.caller.contract.document)}
        given = {name: self._value(value, example, answer) for name, value in link["parameters"].items()}
        return int(self.caller.get(reads[link["operationId"]].format(**given)).status_code)

    def _value(self, expression: str, example: Example, answer: Any) -> str:
        if expression.startswith("$request.path."):
            return self._here(example.given("path")[expression.removeprefix("$request.path.")])
        return quote(str(found_at(answer.json(), expression.removeprefix("$response.body#"))), safe="")

    def _here(self, value: str | int) -> str:
        return quote(self.made.get(str(value), str(value)), safe="")


def test_read_top_to_bottom_the_examples_are_answered_as_documented_by_an_empty_service(service: Service):
    director, ben = service.caller("director"), add_token(service.services, "player", "ben", Grant(player="ben"))
    callers = {"director": director, "ben": replace(director, token=ben)}
    by = {(step.operation, step.name): callers[step.by] for step in load_steps()}
    reader = Reader(director, service.sign)
    sent = list(examples(service.contract.document))
    for example in sent:
        reader.send(example, by[example.operation["operationId"], example.name])
    assert len(sent) == len(load_steps())
    assert len(reader.made) > 3


def test_the_groups_of_operations_stand_in_the_order_of_the_story(service: Service):
    document = service.contract.document
    told = [operation["tags"][0] for _, _, operation in operations(document)]
    assert [tag for number, tag in enumerate(told) if tag not in told[number - 1 : number]] == [
        tag["name"] for tag in document["tags"] if tag["name"] != "Messages"
    ]


def test_links_lead_from_a_new_game_player_and_tournament_to_what_can_be_read_of_them(service: Service):
    found = {
        operation["operationId"]: set(answer["links"])
        for _, _, operation in operations(service.contract.document)
        for answer in operation["responses"].values()
        if "links" in answer
    }
    assert found["open_game"] == found["import_records"] == found["open_round_games"]
    assert {"read_game", "read_table", "read_history", "read_score_sheet", "list_legal_moves", "read_record"} <= found["open_game"]
    assert {"read_tournament", "list_entries", "list_rounds", "read_standings"} <= found["announce_tournament"]
    assert {"read_player", "read_player_scores"} <= found["register_players"]
    assert found["pair_round"] == {"read_round", "read_seating"}
