"""Every act, tried: a dry run is answered as the act would be, without any secret, and changes nothing: no event, no register, no key."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from tests.access.test_matrix import Asked, Place, holding, route_of, routes
from tests.api.conftest import Service, settings_of
from tests.api.log.conftest import logging
from tests.api.web import OURS
from tests.evening.chapters.operations import WRITES, Request
from tests.evening.stored import Row, rows_in_file

SECRETS = {"secret", "code", "address", "qr"}
WHOLE = ("/v1/tournaments", "/v1/players")
"""Their dry run answers otherwise: with the whole announcement, and as a list of one player."""
NOTED = {"looks", "tokens"}
"""Who saw hidden cards, as of any read, and when a token was used."""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("trials")


@pytest.fixture(scope="module")
def service(folder: Path) -> Iterator[Service]:
    with logging(settings_of(folder)) as found:
        yield found.service


def stored(service: Service, folder: Path) -> list[Row]:
    tokens = [{"table": "tokens", "row": replace(one, used_at=None)} for one in service.services.registers.list_tokens()]
    return [*tokens, *(row for row in rows_in_file(settings_of(folder).journal_file) if row["table"] not in NOTED)]


def can_be_tried(service: Service, request: Request) -> bool:
    return "dry_run" in routes(service)[route_of(service, request)][1].query.__struct_fields__


def untimed(answer: dict[str, Any]) -> dict[str, Any]:
    """Without the times, which are those of two requests."""
    return {name: value for name, value in answer.items() if not name.endswith("_at")}


@pytest.mark.parametrize("request_", WRITES, ids=lambda one: f"{one.stage} {one.method} {one.target}")
def test_an_act_that_is_tried_is_answered_and_changes_nothing(service: Service, folder: Path, request_: Request):
    if not can_be_tried(service, request_):
        return
    place = Place(service, request_.stage)
    asked = Asked(service, request_, place)
    player = routes(service)[route_of(service, request_)][1].role == "player"
    caller = holding(service, "player", place.scope()) if player else service.caller("director")
    before = stored(service, folder)
    headers = {**OURS, "Idempotency-Key": f"{request_.target} {place.book.number}"}
    tried = caller.call(request_.method, f"{asked.target}?dry_run=true", json=asked.body, headers=headers)
    assert stored(service, folder) == before
    done = caller.call(request_.method, asked.target, json=asked.body, headers=headers)
    assert "idempotent-replayed" not in done.headers
    if done.status_code < 300:
        missing = done.json().keys() - tried.json().keys() - {"sequence"}
        assert tried.status_code == 200
        assert request_.target in WHOLE or missing == SECRETS & done.json().keys()
        if request_.method != "POST" and "events" not in done.json():
            assert untimed(tried.json()) == untimed(done.json())
    else:
        assert (tried.status_code, tried.json()) == (done.status_code, done.json())
