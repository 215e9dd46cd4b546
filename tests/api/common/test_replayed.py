"""What comes again under its key is answered as it was the first time, and says so: of every kind that is recorded."""

from collections.abc import Callable
from typing import Any
from uuid import uuid4

import pytest

from tests.api.conftest import Caller, Service
from tests.api.people import path, register
from tests.api.tournament import announced, entered, paired

Asked = tuple[str, Any, dict[str, str]]


def transfer(director: Caller) -> Asked:
    return f"{path(_player(director))}/transfer", {"club": "lehrte"}, {}


def merger(director: Caller) -> Asked:
    return f"{path(_player(director))}/merger", {"into": _player(director)}, {}


def separation(director: Caller) -> Asked:
    one, other = _player(director), _player(director)
    assert director.post(f"{path(one)}/merger", {"into": other}).status_code == 201
    return f"{path(one)}/separation", {}, {}


def erasure(director: Caller) -> Asked:
    player = _player(director)
    return f"{path(player)}/erasure", {"confirm": player}, {}


def announcement(director: Caller) -> Asked:
    return "/v1/tournaments", {"id": f"t-{uuid4().hex[:8]}", "ruleset": "casino", "seats": 2, "format": "swiss"}, {}


def entry(director: Caller) -> Asked:
    return f"{announced(director)}/entries", {"players": ["a"]}, {}


def list_of_entries(director: Caller) -> Asked:
    return f"{announced(director)}/entries", "player\na\nb\n", {"Content-Type": "text/csv"}


def pairing(director: Caller) -> Asked:
    tournament = announced(director)
    entered(director, tournament, 2)
    return f"{tournament}/rounds", {}, {}


def unpairing(director: Caller) -> Asked:
    tournament = announced(director)
    entered(director, tournament, 2)
    paired(director, tournament)
    return f"{tournament}/unpairing", {}, {}


def record(director: Caller) -> Asked:
    game = director.open()
    director.deal(game)
    return "/v1/records", director.get(f"/v1/games/{game}/record").content, {}


def dispute(director: Caller) -> Asked:
    game = director.open()
    director.deal(game)
    return f"/v1/games/{game}/disputes", {"position": 2, "seat": 0, "claim": "No."}, {}


def registration(_: Caller) -> Asked:
    return "/v1/players", {"name": "Anna"}, {}


def _player(director: Caller) -> str:
    id = f"p-{uuid4().hex[:8]}"
    register(director, id, "Anna")
    return id


KINDS = (
    transfer, merger, separation, erasure, announcement, entry, list_of_entries, pairing, unpairing, record, dispute, registration,
)  # fmt: skip


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.__name__)
def test_an_answer_that_was_given_before_says_so(service: Service, kind: Callable[[Caller], Asked]):
    director = service.caller("director")
    address, body, headers = kind(director)
    first, again = (director.post(address, body, headers={**headers, "Idempotency-Key": kind.__name__}) for _ in range(2))
    assert (again.status_code, again.content) == (first.status_code, first.content)
    assert first.status_code in (200, 201)
    assert [one.headers.get("idempotent-replayed") for one in (first, again)] == [None, "true"]
