"""Recording is handed over in mid-hand: to another device, at the same table, with nothing more."""

from typing import Any, NamedTuple
from uuid import UUID

import pytest

from domain.access import EVERYTHING, OfGame, OfTable, OfTournament
from tests.api.conftest import Caller, Service
from tests.api.sessions.test_codes import holding
from tests.api.tournament import announced, entered, opened, paired
from tests.api.web import Browser, browser, code


@pytest.fixture
def director(service: Service) -> Caller:
    return service.caller("director")


class Table(NamedTuple):
    """The game at table 1, the only one of a tournament that plays."""

    tournament: str
    game: str

    @property
    def place(self) -> dict[str, object]:
        return {"tournament": self.tournament, "table": "1"}


@pytest.fixture
def table(director: Caller) -> Table:
    path = announced(director, format="manual")
    entered(director, path, 2)
    paired(director, path, [[1], [2]])
    return Table(path.rpartition("/")[2], opened(director, path)["1"])


def signed_in(service: Service, issued: Any) -> Browser:
    found = browser(service)
    found.enter(issued["code"])
    return found


def handed_over(giver: Browser | Caller, game: str) -> Any:
    answer = giver.post(f"/v1/games/{game}/handover")
    assert answer.status_code == 201, answer.text
    return answer.json()


def test_the_other_device_gets_the_table_of_the_recorder_for_ten_minutes_and_once(service: Service, director: Caller, table: Table):
    game = table.game
    recorder = signed_in(service, code(director, "recorder", table.place, sees="public", label="Table 1", good_for="tournament"))
    issued = handed_over(recorder, game)
    told = issued["issued"]
    assert (told["role"], told["label"], told["many"], told["lasting"]) == ("recorder", "Table 1", False, False)
    assert told["grant"] == {"scope": {**table.place, "since": 1, "in_play": True}, "sees": "public"}
    other = signed_in(service, issued)
    assert browser(service).post("/in", {"secret": issued["code"]}).status_code == 401
    assert [one.post(f"/v1/games/{game}/hands", {"dealer": 0}).status_code for one in (other, recorder)] == [201, 422]
    assert other.post(f"/v1/games/{director.open()}/hands", {"dealer": 0}).status_code == 403


def test_a_larger_scope_is_handed_over_for_the_game_alone(service: Service, table: Table):
    for scope in (EVERYTHING, OfTournament(table.tournament)):
        given = handed_over(holding(service, scope, "recorder"), table.game)["issued"]
        assert given["grant"] == {"scope": {**table.place, "game": table.game, "round": 1}, "sees": "all"}
    assert handed_over(holding(service, EVERYTHING), table.game)["issued"]["role"] == "recorder"


@pytest.mark.parametrize("role", ["arbiter", "committee", "viewer"])
def test_only_recorders_hand_over(service: Service, table: Table, role: str):
    assert service.caller(role).post(f"/v1/games/{table.game}/handover").status_code == 403


def test_nothing_is_handed_over_beyond_the_own_table(service: Service, director: Caller, table: Table):
    for scope in (OfTable(table.tournament, "2", 1), OfTable(table.tournament, "1", 2), OfGame(UUID(director.open()))):
        assert holding(service, scope, "recorder").post(f"/v1/games/{table.game}/handover").status_code == 403


def test_a_repetition_issues_no_second_code(service: Service, table: Table):
    recorder = holding(service, OfTable(table.tournament, "1", 1), "recorder")
    first, again = (recorder.post(f"/v1/games/{table.game}/handover", headers={"Idempotency-Key": "once"}) for _ in range(2))
    assert "code" in first.json()
    assert {**first.json(), "code": None, "address": None, "qr": None} == {"code": None, "address": None, "qr": None, **again.json()}
