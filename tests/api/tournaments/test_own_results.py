"""Players enter the results of their own tables, and the other side confirms them."""

from dataclasses import replace

import pytest

from domain.access import Grant, OfTournament
from tests.api.conftest import Caller, Service, add_token
from tests.api.tournament import announced, entered, paired, table_of


@pytest.fixture
def director(service: Service) -> Caller:
    return service.caller("director")


def player_of(service: Service, path: str, player: str) -> Caller:
    grant = Grant(OfTournament(path.rpartition("/")[2]), player=player)
    return replace(service.caller("viewer"), token=add_token(service.services, "player", f"{player} of {path}", grant))


def one_table(director: Caller, **wanted: object) -> str:
    path = announced(director, format="manual", **wanted)
    entered(director, path, 2)
    paired(director, path, [[1], [2]])
    return path


AT = "rounds/1/tables/1/result"


def test_a_player_enters_the_result_of_his_table_and_the_other_side_agrees_with_one_tap(service: Service, director: Caller):
    path = one_table(director, own_results=True)
    one, other = (player_of(service, path, player) for player in ("p1", "p2"))
    tried = one.put(f"{path}/{AT}?dry_run=true", {"points": [21, 17], "side": 1})
    assert (tried.status_code, table_of(director, path)["entered"]) == (200, None)
    done = one.put(f"{path}/{AT}", {"points": [21, 17], "side": 1}, headers={"Idempotency-Key": "once"})
    assert (done.status_code, done.json()["events"][0]["name"], done.json()["table"]["points"]) == (201, "result.entered/1", None)
    again = one.put(f"{path}/{AT}", {"points": [21, 17], "side": 1}, headers={"Idempotency-Key": "once"})
    assert again.headers["idempotent-replayed"] == "true"
    agreed = other.post(f"{path}/rounds/1/tables/1/confirmation", {"side": 2})
    assert agreed.json()["table"]["points"] == [21, 17]
    late = other.put(f"{path}/{AT}", {"points": [17, 21], "side": 2}, headers={"Accept-Language": "de"}).json()
    assert (late["code"], late["detail"]) == (
        "result_stands",
        "Das Ergebnis von Tisch 1 steht. Wenn es falsch ist, bitte der Turnierleitung sagen.",
    )
    assert director.put(f"{path}/{AT}", {"points": [17, 21]}).json()["table"]["points"] == [17, 21]


def test_two_entries_that_differ_count_nothing_and_everybody_reads_both(service: Service, director: Caller):
    path = one_table(director, own_results=True)
    one, other = (player_of(service, path, player) for player in ("p1", "p2"))
    assert one.put(f"{path}/{AT}", {"points": [21, 17], "side": 1}).status_code == 201
    assert other.put(f"{path}/{AT}", {"points": [17, 21], "side": 2}).json()["remarks"][0]["code"] == "said_otherwise"
    table = table_of(director, path)
    assert (table["points"], table["entered"], table["differing"]) == (
        None,
        {"points": [17, 21], "sides": [2]},
        [{"points": [21, 17], "sides": [1]}],
    )
    assert [(one["code"], one["sentence"], one["sides"]) for one in table["waiting"]] == [
        (
            "results_differ",
            "Table 1: the sides entered 21 : 17, 17 : 21, and nothing counts. Entrant 1 confirms the last one, or the director decides.",
            [1],
        )
    ]
    assert director.post(f"{path}/rounds/1/closing", {}).json()["code"] == "round_open"
    assert other.put(f"{path}/{AT}", {"points": [21, 17], "side": 2}).json()["table"]["points"] == [21, 17]
    assert "differing" not in table_of(director, path)


@pytest.mark.parametrize(
    ("own_results", "body", "code"),
    [
        (False, {"points": [21, 17], "side": 1}, "In this tournament players do not enter results: tell the director or the recorder."),
        (True, {"points": [21, 17], "side": 2}, "A player enters and confirms results only for their own side."),
        (True, {"points": [21, 17]}, "Name the side that enters the result. A final result needs the role director."),
    ],
)
def test_players_enter_nothing_where_it_was_not_announced_nor_for_others(
    service: Service, director: Caller, own_results: bool, body: dict[str, object], code: str
):
    path = one_table(director, own_results=own_results)
    refused = player_of(service, path, "p1").put(f"{path}/{AT}", body)
    assert (refused.status_code, refused.json()["detail"], table_of(director, path)["entered"]) == (403, code, None)


def test_who_enters_results_can_be_changed_during_the_evening(service: Service, director: Caller):
    path = one_table(director)
    assert director.get(path).json()["own_results"] is False
    changed = director.post(f"{path}/correction", {"own_results": True})
    assert (changed.status_code, changed.json().get("remarks"), director.get(path).json()["own_results"]) == (201, None, True)
    assert player_of(service, path, "p1").put(f"{path}/{AT}", {"points": [21, 17], "side": 1}).status_code == 201
    assert director.post(f"{path}/correction", {"own_results": True}).json()["code"] == "nothing_corrected"
