"""What holds every answer of these tests against the description finds what is not in it."""

import httpx
import pytest

from tests.api.contract import PROBLEM, Contract

_SEAT = {"type": "object", "required": ["seat"], "properties": {"seat": {"type": "integer", "minimum": 0}}, "additionalProperties": False}
_READ = {
    "operationId": "read_seat",
    "responses": {
        "200": {"content": {"application/json": {"schema": {"$ref": "#/components/schemas/Seat"}}}},
        "404": {"$ref": "#/components/responses/Missing"},
    },
}
CONTRACT = Contract(
    {
        "openapi": "3.1.0",
        "paths": {"/v1/seats/{seat}": {"get": _READ}},
        "components": {
            "schemas": {"Seat": _SEAT},
            "responses": {"Missing": {"content": {PROBLEM: {"schema": {"type": "object", "required": ["code"]}}}}},
        },
    }
)


def violations(status: int, body: str, media: str = "application/json", path: str = "/v1/seats/1") -> list[str]:
    return list(CONTRACT.violations("GET", path, httpx.Response(status, text=body, headers={"Content-Type": media})))


@pytest.mark.parametrize(
    ("status", "body", "media"), [(200, '{"seat": 1}', "application/json"), (404, '{"code": "unknown_seat"}', PROBLEM), (200, "", "")]
)
def test_what_is_described_is_no_violation(status: int, body: str, media: str):
    assert violations(status, body, media) == []


@pytest.mark.parametrize(
    ("status", "body", "media", "found"),
    [
        (200, '{"seat": "1"}', "application/json", """read_seat: ['seat'] "1" is not of type "integer\""""),
        (200, '{"seat": -1}', "application/json", "read_seat: ['seat'] -1 is less than the minimum of 0"),
        (200, "{}", "application/json", 'read_seat: [] "seat" is a required property'),
        (
            200,
            '{"seat": 1, "card": "8c"}',
            "application/json",
            "read_seat: [] Additional properties are not allowed ('card' was unexpected)",
        ),
        (404, "{}", PROBLEM, 'read_seat: [] "code" is a required property'),
        (200, "seat 1", "text/plain", "read_seat answers text/plain, which is not documented"),
        (500, "{}", PROBLEM, "read_seat answers 500, which is not documented: {}"),
    ],
)
def test_what_is_not_described_is_found(status: int, body: str, media: str, found: str):
    assert violations(status, body, media) == [found]


def test_what_no_operation_answers_is_nobodys():
    assert violations(200, "{}", path="/v1/tables/1") == []
