"""The recorded evening itself, a short one: is it answered the same each time, and does the comparison see what differs? A whole one:
``./run evenings``.
"""

import json
import re
from pathlib import Path
from typing import Any

import pytest

from tests.each import each
from tests.evening.book import EVERYBODY, without_the_moment
from tests.evening.compare import differences
from tests.evening.coverage import Coverage
from tests.evening.described import Comparison, Described, compared
from tests.evening.recording import record
from tests.evening.script import SHORT
from tests.evening.wire import WireDriver


@pytest.fixture(scope="module")
def recorded(tmp_path_factory: pytest.TempPathFactory) -> list[dict[str, Any]]:
    """A short evening."""
    lines: list[dict[str, Any]] = []
    record(tmp_path_factory.mktemp("evening"), None, lines.append, SHORT)
    return lines


def test_it_is_told_who_asked_what_and_nothing_breaks(recorded: list[dict[str, Any]]):
    """Every operation, by everybody, and answered in every form: ``./run evenings``."""
    found = Coverage.of(recorded)
    assert found.roles.keys() < found.operations.keys()
    assert set().union(*found.roles.values()) == set(EVERYBODY)
    assert [id for id, statuses in found.statuses.items() if 500 in statuses] == []


TIME = re.compile(r'(?<!\\)"\d{4}-\d\d-\d\d[Tt]\d\d:[^"\\]*"')
AS_STORED = ("/record", "/openapi.json", "/schemas/")
"""What keeps the form in which it was stored or sent."""


def test_every_time_has_six_digits_of_a_second_and_is_in_utc(recorded: list[dict[str, Any]]):
    asked = [line for line in recorded if "target" in line and not any(one in line["target"] for one in AS_STORED)]
    found = {(line["target"], time) for line in asked for time in TIME.findall(str(line["answer"]))}
    assert len(found) > 100
    assert sorted(one for one in found if not re.fullmatch(r'".{19}\.\d{6}Z"', one[1])) == []


def test_over_a_connection_and_in_another_store_every_byte_is_the_same(recorded: list[dict[str, Any]], tmp_path: Path):
    lines: list[dict[str, Any]] = []
    record(tmp_path, None, lines.append, SHORT, WireDriver)
    assert list(differences(recorded, lines, Described())) == []


# The comparison


LINE = {"n": 1, "role": "viewer", "method": "GET", "target": "/v1/games", "headers": {}, "body": None, "status": 200}


def line(answer: str, **changed: Any) -> dict[str, Any]:
    return {**LINE, "answered": [["etag", '"1"']], "answer": answer, **changed}


@each("changed", [{"answer": '{"a": 2}'}, {"answered": [["etag", '"2"']]}, {"status": 201}])
def test_a_byte_that_differs_is_shown(changed: dict[str, Any]):
    [(name, diff)] = differences([line('{"a": 1}')], [line('{"a": 1}') | changed], Described())
    assert name == "1: viewer GET /v1/games"
    assert any(one.startswith("+ ") for one in diff)


def test_metrics_are_compared_without_what_waits_at_the_moment():
    told = '# TYPE waiting gauge\nwaiting{pool="service"} 1.0\n# HELP moves Moves.\n# TYPE moves counter\nmoves_total 4.0\n'
    assert without_the_moment(told) == told.replace("} 1.0", "} …")


def test_what_is_stored_is_compared_by_table():
    rows = [{"table": "events", "row": {"sequence": number}} for number in range(3)]
    [(name, diff)] = differences(
        [*rows, {"table": "texts", "row": {"id": "x"}}], [*rows[:2], {"table": "texts", "row": {"id": "x"}}], Described()
    )
    assert (name, diff[-1]) == ("stored in events", '-{"sequence": 2}')


@pytest.fixture(scope="module")
def description(recorded: list[dict[str, Any]]) -> str:
    """The OpenAPI document."""
    return str(recorded[0]["answer"])


def against(description: str, new: str) -> Comparison:
    return compared(Described(documents={(description, new): None}))


def test_schemas_may_be_called_and_described_otherwise(description: str):
    document = json.loads(description.replace("schemas/ReasonBody", "schemas/Cause"))
    schemas = document["components"]["schemas"]
    schemas["Cause"] = schemas.pop("ReasonBody") | {"title": "Cause", "description": "A reason."}
    found = against(description, json.dumps(document))
    assert (list(found.renamed), found.forbidden) == ([("ReasonBody", "Cause")], [])
    assert len(found.told) == 2


@pytest.mark.parametrize("where", ["property", "path", "summary", "schema that nothing refers to"])
def test_nothing_else_may_differ_in_the_document(description: str, where: str):
    document = json.loads(description)
    match where:
        case "property":
            document["components"]["schemas"]["ReasonBody"]["properties"]["why"] = {"type": "string"}
        case "path":
            del document["paths"]["/v1/clubs"]
        case "summary":
            document["paths"]["/v1/clubs"]["get"]["summary"] = "Clubs"
        case _:
            document["components"]["schemas"]["Other"] = {}
    assert len(against(description, json.dumps(document)).forbidden) == 1
