"""Every route by every role and scope, as docs/access-matrix.md has it."""

import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
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
_ROUTES: dict[str, Any] = {}


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    with logging(settings_of(tmp_path_factory.mktemp("matrix"))) as found:
        yield found.service


def routes(service: Service) -> dict[str, Any]:
    """Each with what it says about itself, pages too."""
    if not _ROUTES:
        _ROUTES.update({f"{method.upper()} {path}": (path, operation) for path, method, operation in operations(service.client.app)})
    return _ROUTES


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


class Place:
    """What the requests of a stage are about, and where whoever asks them may be at home."""

    def __init__(self, service: Service, stage: str) -> None:
        self._service = service
        everybody = {role: service.caller(role) for role in ("director", "recorder", "arbiter", "committee", "viewer")}
        number = next(_NUMBERS)
        self._home = f"home {number}"
        self.book = Placed(everybody["director"], everybody, self._home)
        self.book.number = 1000 * number
        self.names = STAGES[stage](self.book)

    def scope(self) -> Scope:
        """The least one in which the place lies."""
        if "game" in self.names:
            return OfGame(UUID(self.names["game"]), self._home, 1, "1")
        if "series" in self.names:
            return OfSeries(self.names["series"])
        return OfTournament(self.names["tournament"]) if "tournament" in self.names else EVERYTHING

    def beside(self) -> Scope:
        """Another table of the same tournament."""
        return OfTable(self.names.get("tournament", self._home), "no such table", 1)

    def publish(self) -> None:
        """Everything else about the place stays as it was."""
        if "series" in self.names:
            path = f"/v1/series/{self.names['series']}/publication"
            assert self._service.caller("director").post(path, {"publication": "aliases"}).status_code == 201
            return
        if "number" in self.names:
            body = {"ruleset": "casino", "publication": "aliases"}
            assert self._service.caller("director").post("/v1/ratings/lists", body).status_code == 201
            return
        tournament, director = self.names.get("tournament"), self._service.caller("director")
        if tournament is None:
            tournament = self._home
            plan = {"id": tournament, "ruleset": "casino", "seats": 2, "format": "manual"}
            assert director.post("/v1/tournaments", plan).status_code == 201
        assert director.post(f"/v1/tournaments/{tournament}/publication", {"publication": "aliases"}).status_code == 201


class Asked:
    """One request of the evening at a place, to be asked by whoever comes."""

    def __init__(self, service: Service, request: Request, place: Place) -> None:
        self.service, self.request, self.place = service, request, place
        self.row = MATRIX[route_of(service, request)]
        self.target, self.body = filled(request, place.names)
        if "game" in place.names and (self.row.inside["viewer"], self.row.elsewhere) == ("public", "listed") and request.method == "GET":
            self.target += f"{'&' if '?' in self.target else '?'}game={place.names['game']}"  # else others stand in the list, too

    def by(self, caller: Caller) -> Any:
        self.service.sign()
        given = {} if self.request.method == "GET" else {"json": self.body, "headers": OURS}
        answer = caller.call(self.request.method, self.target, **given)
        assert secrets_in_addresses(self.target, answer, [caller.token] if caller.token else []) == []
        return answer


def holding(service: Service, role: str, scope: Scope) -> Caller:
    grant = Grant(scope, seat=1) if role == "player" and isinstance(scope, OfGame) else Grant(scope)
    return replace(service.caller("viewer"), token=add_token(service.services, role, f"{role} {next(_NUMBERS)}", grant))


def refused(answer: Any) -> bool:
    return answer.status_code in (401, 403)


def recorded(service: Service) -> int:
    return service.services.journal.head()


@pytest.mark.parametrize("request_", WRITES, ids=lambda one: f"{one.stage}: {one.method} {one.target}")
def test_what_changes_something_is_as_the_table_says(service: Service, request_: Request):
    """At a place of its own."""
    hold_against_the_table(service, request_.stage, [request_])


@pytest.mark.parametrize("stage", dict.fromkeys(one.stage for one in READS))
def test_what_is_read_is_as_the_table_says(service: Service, stage: str):
    """All that can be read there at one place: it changes nothing."""
    hold_against_the_table(service, stage, [one for one in READS if one.stage == stage])


def hold_against_the_table(service: Service, stage: str, requests: Sequence[Request]) -> None:
    place = Place(service, stage)
    asked = [Asked(service, request, place) for request in requests]
    for one in asked:
        with named(one.target):
            _before_it_is_published(one)
    published = [one for one in asked if "published" in (one.row.elsewhere, one.row.nobody)]
    if published:
        place.publish()
    for one in published:
        with named(one.target):
            _once_it_is_published(one)


@contextmanager
def named(target: str) -> Iterator[None]:
    """What fails says by which request."""
    try:
        yield
    except AssertionError as failure:
        failure.add_note(f"asked: {target}")
        raise


def _before_it_is_published(asked: Asked) -> None:
    row, public = asked.row, told(asked.by(asked.service.caller("viewer")))
    _inside(asked, row, public)
    _beyond(asked, row, row.beside, asked.place.beside(), public)
    _beyond(asked, row, row.elsewhere, OfTournament(AWAY), public)
    _by_nobody(asked, row.nobody, public)


def _once_it_is_published(asked: Asked) -> None:
    public = told(asked.by(asked.service.caller("viewer")))
    assert told(asked.by(asked.service.caller(None))) == public
    _beyond(asked, asked.row, "public", OfTournament(AWAY), public)


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
        answer = asked.by(holding(asked.service, role, asked.place.scope()))
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
            case _:
                raise AssertionError(cell)


def _beyond(asked: Asked, row: Row, cell: str, scope: Scope, public: object) -> None:
    """By the first role that may do it in the scope, and by those who see least: by one of two who may not do it within it either, and by
    one alone where nobody in particular is told as much.
    """
    service, may = asked.service, [role for role in ROLES if row.inside[role] != "–"]
    least = [role for role in ("player", "viewer") if role in may or cell != "–"] or ["viewer"]
    for role in dict.fromkeys((*may[:1], *least)) if row.nobody != "all" else ("viewer",):
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
