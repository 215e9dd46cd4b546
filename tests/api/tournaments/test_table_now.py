"""A table without naming a round: the game that is on there, the pairing that was drawn for it, the last game."""

from dataclasses import replace
from typing import Any

import pytest

from domain.access import Grant, OfTable, OfTournament, Scope
from tests.api.conftest import Caller, Service, add_token
from tests.api.people import register
from tests.api.tournament import announced, entered, opened, paired, scored


@pytest.fixture
def night(director: Caller) -> str:
    """Four players at two tables, paired by hand."""
    path = announced(director, format="manual")
    entered(director, path, 4)
    paired(director, path, [[1], [2]], [[3], [4]])
    return path


def scoped(service: Service, role: str, scope: Scope) -> Caller:
    name = f"{role} {len(service.services.registers.list_tokens())}"
    return replace(service.caller("viewer"), token=add_token(service.services, role, name, Grant(scope)))


def at(caller: Caller, night: str, table: str = "1", query: str = "") -> dict[str, Any]:
    answer = caller.get(f"{night}/tables/{table}{query}")
    assert answer.status_code == 200, answer.text
    return dict(answer.json())


def closed(director: Caller, night: str, round: int) -> None:
    answer = director.post(f"{night}/rounds/{round}/closing", {})
    assert answer.status_code == 201, answer.text


def test_the_game_that_is_on_is_told_with_who_plays_who_may_act_and_who_records(director: Caller, recorder: Caller, night: str):
    register(director, "p1", "Anna Kowalski", alias="Uhu")
    game = opened(recorder, night)["1"]
    before = at(director, night)
    recorder.deal(game)
    told = at(director, night)
    assert (before["state"], before["game"]["phase"], before["game"]["recorded_by"]) == ("playing", "no_hand", [])
    assert told["game"] == {
        "game": game,
        "ruleset": "casino",
        "state": "open",
        "position": 2,
        "phase": "play",
        "hand": 1,
        "turn": 0,
        "to_act": [0],
        "totals": [0, 0],
        "winners": None,
        "recorded_by": ["p_recorder"],
    }
    assert {name: told[name] for name in ("round", "closed", "state", "table", "seats")} == {
        "round": 1,
        "closed": False,
        "state": "playing",
        "table": "1",
        "seats": [
            {"seat": 0, "entrant": 1, "player": "p1", "shown": "Anna Kowalski"},
            {"seat": 1, "entrant": 2, "player": "p2", "shown": "Entrant 2"},
        ],
    }


def test_what_else_it_tells_is_what_the_round_tells_of_the_table(director: Caller, recorder: Caller, night: str):
    opened(recorder, night)
    told = at(recorder, night, "2")
    (table,) = [one for one in recorder.get(f"{night}/rounds/1").json()["tables"] if one["table"] == "2"]
    assert {name: told[name] for name in table} == table


def test_spectators_are_told_aliases_and_not_who_records(director: Caller, recorder: Caller, viewer: Caller, night: str):
    register(director, "p3", "Cora Lindt", alias="Elster")
    recorder.deal(opened(recorder, night)["2"])
    told = at(viewer, night, "2")
    assert ([seat["shown"] for seat in told["seats"]], "recorded_by" in told["game"]) == (["Elster", "Entrant 4"], False)


def test_between_two_games_the_next_pairing_is_told_once_it_is_drawn_and_the_last_game_until_then(director: Caller, night: str):
    assert [at(director, night)[name] for name in ("state", "game")] == ["paired", None]
    games = opened(director, night)
    scored(director, games["1"], 3, 1)
    over = at(director, night)
    assert (over["state"], over["game"]["game"], over["game"]["totals"], over["points"]) == ("over", games["1"], [3, 1], [3, 1])
    scored(director, games["2"], 0, 2)
    closed(director, night, 1)
    assert (at(director, night)["round"], at(director, night)["closed"]) == (1, True)
    paired(director, night, [[4], [1]], [[2], [3]])
    drawn = at(director, night)
    assert (drawn["round"], drawn["state"], drawn["game"]) == (2, "paired", None)
    assert [seat["player"] for seat in drawn["seats"]] == ["p4", "p1"]


def test_a_game_that_was_annulled_is_as_if_it_had_not_been(director: Caller, night: str):
    first = opened(director, night)["1"]
    assert director.post(f"/v1/games/{first}/annulment", {"reason": "two packs were mixed up"}).status_code == 201
    assert at(director, night)["state"] == "paired"
    second = opened(director, night)["1"]
    assert (second != first, at(director, night)["game"]["game"]) == (True, second)


def test_a_table_whose_result_was_entered_is_over_without_a_game(director: Caller, night: str):
    assert director.put(f"{night}/rounds/1/tables/1/result", {"points": [9, 1]}).status_code == 201
    assert [at(director, night)[name] for name in ("state", "game", "points", "how")] == ["over", None, [9, 1], "entered"]


def test_of_a_game_that_is_not_live_the_public_is_told_that_it_is_on_and_nothing_of_its_hand(director: Caller, viewer: Caller):
    path = announced(director, format="manual", live=False)
    entered(director, path, 2)
    paired(director, path, [[1], [2]])
    director.deal(opened(director, path)["1"])
    whole, dark = at(director, path)["game"], at(viewer, path)["game"]
    assert [whole[name] for name in ("phase", "hand", "turn", "to_act")] == ["play", 1, 0, [0]]
    assert [dark[name] for name in ("phase", "hand", "turn", "to_act", "totals")] == ["covered", 0, None, [], [0, 0]]


def test_the_prepared_board_of_the_hand_is_told_and_to_the_public_once_no_other_table_plays_it(
    director: Caller, viewer: Caller, night: str
):
    deck = [rank + suit for suit in "SHDC" for rank in "23456789TJQKA"]
    assert director.post(f"{night}/boards", {"round": 1, "board": 7, "deck": deck}).status_code == 201
    games = opened(director, night)
    for table in ("1", "2"):
        assert director.post(f"/v1/games/{games[table]}/hands", {"dealer": 1, "board": 7}).status_code == 201
    assert (at(director, night)["game"]["board"], "board" in at(viewer, night)["game"]) == (7, False)
    assert at(viewer, night)["game"]["phase"] == "covered"
    for table in ("1", "2"):
        assert director.post(f"/v1/games/{games[table]}/abandonment", {"reason": "late"}).status_code == 201
    assert at(viewer, night)["game"]["board"] == 7


def test_a_table_that_never_was_is_not_found(director: Caller, night: str):
    for path in (f"{night}/tables/3", "/v1/tournaments/never-announced/tables/1"):
        assert director.get(path).status_code == 404
    answer = director.get(f"{night}/tables/3")
    assert (answer.json()["code"], answer.json()["detail"]) == ("unknown_table", "There is no table 3.")
    assert director.get("/v1/tournaments/never-announced/tables/1").json()["code"] == "unknown_tournament"


def test_it_is_asked_again_with_its_tag_and_read_as_of_what_was_written(director: Caller, night: str):
    game = opened(director, night)["1"]
    first = director.get(f"{night}/tables/1")
    held = {"If-None-Match": first.headers["etag"]}
    assert director.get(f"{night}/tables/1", headers=held).status_code == 304
    sequence = director.deal(game)["sequence"]
    assert at(director, night, query=f"?min_sequence={sequence}")["game"]["position"] == 2
    assert director.get(f"{night}/tables/1", headers=held).status_code == 200
    assert director.get(f"{night}/tables/1?min_sequence={10**9}").json()["code"] == "ahead"


def test_whoever_records_at_a_table_is_an_official_at_it_and_a_spectator_at_the_next(service: Service, director: Caller, night: str):
    for game in opened(director, night).values():
        director.deal(game)
    tournament = night.rpartition("/")[2]
    tablet = scoped(service, "recorder", OfTable(tournament, "1", 1))
    assert ["recorded_by" in at(tablet, night, table)["game"] for table in ("1", "2")] == [True, False]
    later = scoped(service, "recorder", OfTable(tournament, "1", 2))
    assert "recorded_by" not in at(later, night)["game"]
    other = scoped(service, "recorder", OfTournament("elsewhere"))
    assert other.get(f"{night}/tables/1").json()["code"] == "unknown_tournament"


def test_nobody_in_particular_reads_it_where_the_tournament_is_published(director: Caller, nobody: Caller, night: str):
    assert nobody.get(f"{night}/tables/1").status_code == 401
    assert director.post(f"{night}/publication", {"publication": "aliases"}).status_code == 201
    assert at(nobody, night)["state"] == "paired"
