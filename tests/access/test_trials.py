"""Every act on a tournament that can be tried: a trial by a director answers as the act would, and records nothing."""

from collections.abc import Iterator
from typing import Any

import pytest

from tests.access.test_matrix import Asked, route_of, routes
from tests.api.conftest import Service, settings_of
from tests.api.log.conftest import logging
from tests.api.web import OURS
from tests.evening.chapters.operations import WRITES, Request


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    with logging(settings_of(tmp_path_factory.mktemp("trials"))) as found:
        yield found.service


def can_be_tried(service: Service, request: Request) -> bool:
    _, operation = routes(service)[route_of(service, request)]
    return operation.query is not None and "dry_run" in operation.query.__struct_fields__


@pytest.mark.parametrize(
    "request_", [one for one in WRITES if one.target.startswith("/v1/tournaments/")], ids=lambda one: f"{one.stage} {one.target}"
)
def test_a_trial_records_nothing(service: Service, request_: Request):
    if not can_be_tried(service, request_):
        return
    asked, director = Asked(service, request_), service.caller("director")
    before = head(director)
    tried = director.call(request_.method, f"{asked.target}?dry_run=true", json=asked.body, headers=OURS)
    assert (tried.status_code, head(director)) == (200, before), tried.text


def head(caller: Any) -> int:
    return int(caller.get("/v1/feed?limit=1").json()["head"])
