"""Deprecated operations: each response announces it by headers, and the description does."""

from datetime import date
from pathlib import Path

import pytest
from litestar import Litestar
from litestar.testing import TestClient

from api.http.deprecation import Deprecation, add_deprecation
from api.http.description.components import schemas_of
from api.http.description.openapi import _operation as describe_operation
from api.http.description.openapi import operations
from api.http.media_types import JSON
from api.http.operations import Content, Operation, build_route
from api.http.request import Request, set_parts
from api.http.response import Response
from api.http.sending import Origins, ResponseFinalizer, complete
from tests.api.conftest import Service

CHANGES = Path(__file__).parents[3] / "docs" / "changes.md"
YEAR = Deprecation(date(2027, 1, 1), date(2028, 1, 1))
OLD = Operation(
    "old_list",
    "Read the old list",
    responses={200: Content("a list", {JSON: {"type": "array"}})},
    role="anybody",
    deprecation=YEAR,
)


@build_route("GET", "/v1/lists", OLD)
async def old_list(request: Request) -> Response:
    return Response(b"[]", media_type=JSON)


def test_every_response_of_a_deprecated_operation_says_since_when_until_when_and_where_to_read():
    app = Litestar([old_list], before_send=[complete], logging_config=None)
    set_parts(app, ResponseFinalizer(Origins(()), add_deprecation))
    with TestClient(app) as client:
        answers = [client.get("/v1/lists"), client.get("/v1/lists?unknown=1")]
    said = {
        "deprecation": "@1798761600",
        "sunset": "Sat, 01 Jan 2028 00:00:00 GMT",
        "link": '</docs#old_list>; rel="deprecation"; type="text/html"',
    }
    assert [{name: answer.headers.get(name) for name in said} for answer in answers] == [said, said]
    assert answers[0].json() == []


def test_the_description_marks_it_and_says_it_in_words():
    [(path, _, operation)] = operations(Litestar([old_list], openapi_config=None, logging_config=None))
    described = describe_operation(path, operation, schemas_of([operation], {}))
    assert (described["deprecated"], described["description"]) == (
        True,
        "Deprecated since 2027-01-01; it may be gone from 2028-01-01. Needs no token.",
    )
    assert {"Deprecation", "Sunset"} <= set(described["responses"]["200"]["headers"])


def test_less_than_a_year_is_no_announcement():
    with pytest.raises(ValueError, match="less than a year"):
        Deprecation(date(2027, 1, 1), date(2027, 12, 31))


def test_what_is_deprecated_stands_in_the_list_of_changes_and_nothing_else_is_announced(service: Service):
    found = [(path, one.deprecation) for path, _, one in operations(service.client.app) if one.deprecation]
    changes = CHANGES.read_text(encoding="utf-8")
    assert [path for path, one in found if path not in changes or one.in_words() not in changes] == []
    assert "deprecation" not in service.caller("viewer").get("/v1/games").headers
