"""Every route by every role and scope, as docs/access-matrix.md has it."""

import re
from collections.abc import Iterator
from dataclasses import replace
from itertools import count
from typing import Any
from uuid import UUID

import pytest

from api.http.description.openapi import operations
from api.http.operations import PAGES, is_public_operation
from domain.access import EVERYTHING, Grant, OfGame, OfSeries, OfTable, OfTournament, Scope
from tests.access.addresses import secrets_in_addresses
from tests.access.matrix import ROLES, Placed, Row, rows, told
from tests.api.conftest import Caller, Service, add_token, settings_of
from tests.api.log.conftest import logging
from tests.api.web import OURS
from tests.evening.chapters.operations import READS, WRITES, Request
from tests.evening.chapters.stages import STAGES
from tests.evening.chapters.tour import filled

MATRIX = rows()
REQUESTS = (*READS, *WRITES)
AWAY = "away"
_NUMBERS = count()


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    with logging(settings_of(tmp_path_factory.mktemp("matrix"))) as found:
        yield found.service


def routes(service: Service) -> dict[str, Any]:
    """Each with what it says about itself, pages too."""
    return {f"{method.upper()} {path}": (path, operation) for path, method, operation in operations(service.client.app)}


def route_of(service: Service, request: Request) -> str:
    """The route that a request of the evening asks."""
    path = re.sub(r"\{\w+\}", "1", request.target).partition("?")[0]
    found = [route for route in routes(service) if re.fullmatch(pattern_of(route), f"{request.method} {path}")]
    return min(found, key=lambda route: route.count("{"))


def pattern_of(route: str) -> str:
    """Of the places of the log alone some have more than one part."""
    return re.sub(r"\{\w+\}", "[^/]+", route.replace("{place}", ".+"))


def test_every_route_is_judged(service: Service):
    assert sorted(MATRIX) == sorted(routes(service))


def test_the_description_says_which_routes_answer_without_a_token(service: Service):
    paths = service.contract.document["paths"]
    found = {f"{method.upper()} {path}": operation for path, methods in paths.items() for method, operation in methods.items()}
    told = {route for route, operation in found.items() if operation.get("security") == [] or {} in operation.get("security", ())}
    assert sorted(told) == sorted(route for route, row in MATRIX.items() if row.nobody != "–" and route in found)


def test_pages_answer_without_a_token_as_the_table_says(service: Service):
    pages = {route: one for route, one in routes(service).items() if one[1].tag == PAGES}
    told = [route for route, (path, one) in pages.items() if one.role == "anybody" or is_public_operation(path, one)]
    assert sorted(told) == sorted(route for route in pages if MATRIX[route].nobody != "–")


def test_every_route_is_asked(service: Service):
    assert sorted(set(MATRIX) - {route_of(service, request) for request in REQUESTS}) == []


class Asked:
    """One request of the evening on a stage of its own, to be asked by whoever comes."""

    def __init__(self, service: Service, request: Request) -> None:
        self.service, self.request = service, request
        everybody = {role: service.caller(role) for role in ("director", "recorder", "arbiter", "committee", "viewer")}
        number = next(_NUMBERS)
        self.home = f"home {number}"
        self.book = Placed(everybody["director"], everybody, self.home)
        self.book.number = 1000 * number
        self.names = STAGES[request.stage](self.book)
        self.target, self.body = filled(request, self.names)

    def by(self, caller: Caller) -> Any:
        self.service.sign()
        given = {} if self.request.method == "GET" else {"json": self.body, "headers": OURS}
        answer = caller.call(self.request.method, self.target, **given)
        assert secrets_in_addresses(self.target, answer, [caller.token] if caller.token else []) == []
        return answer

    def scope(self) -> Scope:
        """The least one in which the place lies."""
        if "game" in self.names:
            return OfGame(UUID(self.names["game"]), self.home, 1, "1")
        if "series" in self.names:
            return OfSeries(self.names["series"])
        return OfTournament(self.names["tournament"]) if "tournament" in self.names else EVERYTHING

    def beside(self) -> Scope:
        """Another table of the same tournament."""
        return OfTable(self.names.get("tournament", self.home), "no such table", 1)

    def publish(self) -> None:
        """Everything else about the place stays as it was."""
        if "series" in self.names:
            path = f"/v1/series/{self.names['series']}/publication"
            assert self.service.caller("director").post(path, {"publication": "aliases"}).status_code == 201
            return
        if "number" in self.names:
            body = {"ruleset": "casino", "publication": "aliases"}
            assert self.service.caller("director").post("/v1/ratings/lists", body).status_code == 201
            return
        tournament, director = self.names.get("tournament"), self.service.caller("director")
        if tournament is None:
            tournament = self.home
            plan = {"id": tournament, "ruleset": "casino", "seats": 2, "format": "manual"}
            assert director.post("/v1/tournaments", plan).status_code == 201
        assert director.post(f"/v1/tournaments/{tournament}/publication", {"publication": "aliases"}).status_code == 201


def holding(service: Service, role: str, scope: Scope) -> Caller:
    grant = Grant(scope, seat=1) if role == "player" and isinstance(scope, OfGame) else Grant(scope)
    return replace(service.caller("viewer"), token=add_token(service.services, role, f"{role} {next(_NUMBERS)}", grant))


def refused(answer: Any) -> bool:
    return answer.status_code in (401, 403)


def recorded(service: Service) -> int:
    return service.services.journal.head()


@pytest.mark.parametrize("request_", REQUESTS, ids=lambda one: f"{one.stage}: {one.method} {one.target}")
def test_it_is_as_the_table_says(service: Service, request_: Request):
    asked, row = Asked(service, request_), MATRIX[route_of(service, request_)]
    public = told(asked.by(service.caller("viewer")))
    _inside(asked, row, public)
    _beyond(asked, row, row.beside, asked.beside(), public)
    _beyond(asked, row, row.elsewhere, OfTournament(AWAY), public)
    _by_nobody(asked, row.nobody, public)
    if row.elsewhere == "published" or row.nobody == "published":
        asked.publish()
        public = told(asked.by(service.caller("viewer")))
        assert told(asked.by(service.caller(None))) == public
        _beyond(asked, row, "public", OfTournament(AWAY), public)


def _by_nobody(asked: Asked, cell: str, public: object) -> None:
    nobody = asked.by(asked.service.caller(None))
    match cell:
        case "all":
            assert told(nobody) == public
        case "listed":
            assert nobody.status_code == 200
        case "status":
            assert (nobody.status_code, list(nobody.json())) == (200, ["status"])
        case _:
            assert nobody.status_code == 401


def _inside(asked: Asked, row: Row, public: object) -> None:
    for role in reversed(ROLES):
        cell, before = row.inside[role], recorded(asked.service)
        answer = asked.by(holding(asked.service, role, asked.scope()))
        match cell:
            case "–":
                assert (answer.status_code, recorded(asked.service)) == (403, before), (role, cell)
            case "public":
                assert told(answer) == public, (role, cell)
            case "all":
                assert not refused(answer), (role, cell, answer.text)
            case "own":
                assert answer.status_code != 401, (role, cell)
            case "self":
                assert answer.status_code == (200 if asked.request.method == "GET" else 403), (role, cell)


def _beyond(asked: Asked, row: Row, cell: str, scope: Scope, public: object) -> None:
    """By the first role that may do it in the scope, and by those who see least."""
    service = asked.service
    for role in dict.fromkeys((*[role for role in ROLES if row.inside[role] != "–"][:1], "player", "viewer")):
        before = recorded(service)
        answer = asked.by(holding(service, role, scope))
        assert recorded(service) == before
        match cell:
            case "–":
                assert answer.status_code == 403, (role, cell, answer.text)
            case "all" | "public":
                assert told(answer) == public, (role, cell)
            case "published":
                assert (answer.status_code, answer.json()["code"][:8]) == (404, "unknown_"), (role, cell)
            case "scope":
                assert answer.status_code == (200 if role == "director" else 403), (role, cell, answer.text)
            case "listed" | "self":
                assert answer.status_code == 200, (role, cell, answer.text)
            case "met":
                assert (answer.status_code, answer.json()["code"]) == (404, "unknown_player"), (role, cell)
