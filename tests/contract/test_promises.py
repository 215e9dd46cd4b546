"""What was promised to clients at the last release is still there."""

import json
import tomllib
from pathlib import Path
from typing import Any

import pytest

from domain.games import RULESETS
from tests.api.conftest import running, settings_of
from tests.contract.promises import FILE, heading, promises

ROOT = Path(__file__).parents[2]
GONE = """is promised to clients and not there any more:
{}
Put it back. What has to go is announced first, as docs/api.md says under “What may change”. What was only widened, or goes on its day,
is taken out of {} by ./run contract --promise, and stands in docs/changes.md."""


@pytest.fixture(scope="module")
def document(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    with running(settings_of(tmp_path_factory.mktemp("document"))) as service:
        found: dict[str, Any] = service.client.get("/openapi.json").json()
        return found


@pytest.fixture
def changed(document: dict[str, Any]) -> Any:
    """One that may be changed."""
    return json.loads(json.dumps(document))


def kept() -> list[str]:
    return [line for line in FILE.read_text(encoding="utf-8").splitlines() if not line.startswith("#")]


def broken(before: Any, after: Any) -> list[str]:
    there = set(promises(after, RULESETS))
    return [line for line in promises(before, RULESETS) if line not in there]


def test_nothing_is_gone_that_was_promised_to_clients(document: dict[str, Any]):
    there = set(promises(document, RULESETS))
    missing = [line for line in kept() if line not in there]
    assert missing == [], GONE.format("\n".join(missing), FILE.name)


def test_the_promises_are_those_of_the_present_version():
    assert FILE.read_text(encoding="utf-8").splitlines()[0] == heading(), "write them anew: ./run contract --promise"


def test_the_change_log_begins_with_the_present_version():
    version = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["version"]
    titles = [line for line in (ROOT / "docs" / "changes.md").read_text(encoding="utf-8").splitlines() if line.startswith("## ")]
    assert titles[0].split()[1] == version


def test_what_is_added_breaks_no_promise(document: dict[str, Any], changed: Any):
    schemas = changed["components"]["schemas"]
    schemas["CommandResponse"]["properties"]["weather"] = {"type": "string"}
    schemas["CommandResponse"]["required"].append("weather")
    schemas["OpenGame"]["properties"]["weather"] = {"type": "string", "default": "fair"}
    changed["paths"]["/v1/games"]["get"]["parameters"].append({"name": "weather", "in": "query", "schema": {"type": "string"}})
    changed["paths"]["/v1/weather"] = {"get": {**changed["paths"]["/v1/rulesets"]["get"], "operationId": "read_weather"}}
    assert broken(document, changed) == []


def test_a_field_of_an_answer_that_goes_or_may_be_missing_breaks_a_promise(document: dict[str, Any], changed: Any):
    answered = changed["components"]["schemas"]["CommandResponse"]
    answered["required"].remove("position")
    del answered["properties"]["sequence"]
    assert broken(document, changed) == [
        "CommandResponse.position answered always: integer",
        "CommandResponse.sequence answered: integer",
    ]


def test_a_field_that_has_to_be_sent_from_now_on_breaks_a_promise(document: dict[str, Any], changed: Any):
    changed["components"]["schemas"]["OpenGame"]["required"].append("table")
    assert broken(document, changed) == ["OpenGame sent requires: ruleset, seats"]


def test_a_value_that_is_not_taken_any_more_breaks_a_promise(document: dict[str, Any], changed: Any):
    [finished] = [one for one in changed["paths"]["/v1/games"]["get"]["parameters"] if one["name"] == "state"]
    finished["schema"]["enum"].remove("open")
    assert broken(document, changed) == ['list_games takes state may be "open"']


def test_an_operation_that_goes_breaks_its_promises(document: dict[str, Any], changed: Any):
    del changed["paths"]["/v1/me"]
    assert "read_me is GET /v1/me" in broken(document, changed)
