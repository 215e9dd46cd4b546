"""Rounds over HTTP: pairing, the games of the tables, what came of them, closing; results that are told; seating cards."""

import asyncio
import json
import random
from collections.abc import Coroutine
from functools import partial
from pathlib import Path
from typing import Any
from uuid import UUID, uuid4

import pytest
from httpx import Response

from api.services import Services
from deploy.compose import open_services
from tests.api.at_once import at_once, crowd
from tests.api.conftest import Caller, Service, add_token, settings_of
from tests.api.tournament import announced, entered, opened, paired, played_out, scored, table_of


@pytest.fixture
def director(service: Service) -> Caller:
    return service.caller("director")


@pytest.fixture
def duel(director: Caller, recorder: Caller) -> str:
    """Two entrants, paired by hand."""
    path = announced(director, format="manual")
    entered(recorder, path, 2)
    paired(director, path, [[1], [2]])
    return path


def test_a_round_is_drawn_by_the_format(director: Caller, recorder: Caller, viewer: Caller):
    path = announced(director)
    entered(recorder, path, 5)
    tried = director.post(f"{path}/rounds?dry_run=true", {})
    assert (tried.status_code, tried.json()["dry_run"]) == (200, True)
    done = paired(director, path)
    assert done["events"][0]["body"] == tried.json()["events"][0]["body"]
    (round,) = viewer.get(f"{path}/rounds").json()["rounds"]
    assert (round["round"], round["drawn"], round["closed"], len(round["byes"])) == (1, True, False, 1)
    seated = [entrant for table in round["tables"] for party in table["parties"] for entrant in party]
    assert sorted([*seated, *round["byes"]]) == [1, 2, 3, 4, 5]
    assert {(table["points"], table["how"]) for table in round["tables"]} == {(None, "open")}


def test_a_round_by_hand_is_checked_and_repeats_are_remarked(director: Caller, recorder: Caller, duel: str):
    assert recorder.put(f"{duel}/rounds/1/tables/1/result", {"points": [1, 2], "side": 1}).status_code == 201
    assert recorder.post(f"{duel}/rounds/1/tables/1/confirmation", {"side": 2}).status_code == 201
    assert director.post(f"{duel}/rounds/1/closing", {}).status_code == 201
    missing = director.post(f"{duel}/rounds", {"tables": [], "byes": [1]})
    assert (missing.status_code, missing.json()["code"]) == (422, "not_paired")
    again = director.post(f"{duel}/rounds", {"tables": [{"table": "A", "parties": [[2], [1]]}]}, headers={"Accept-Language": "de"})
    assert again.json()["remarks"] == [
        {"code": "met_before", "sentence": "Tisch A: 1, 2 haben sich schon in Runde 1 getroffen.", "entrants": [1, 2]}
    ]


def test_pairings_without_a_format_are_given_by_hand(director: Caller, recorder: Caller):
    path = announced(director, format="manual")
    entered(recorder, path, 2)
    assert director.post(f"{path}/rounds", {}).json()["code"] == "paired_by_hand"


def test_games_are_opened_with_their_players_and_only_once(recorder: Caller, duel: str):
    first = recorder.post(f"{duel}/rounds/1/games", {}).json()
    assert [(one["table"], one["state"]) for one in first["tables"]] == [("1", "opened")]
    again = recorder.post(f"{duel}/rounds/1/games", {}).json()
    assert again["tables"] == [{**first["tables"][0], "state": "running"}]
    row = recorder.get(f"/v1/games/{first['tables'][0]['game']}").json()
    assert (row["players"], row["tournament"], row["round"], row["table"]) == (["p1", "p2"], duel.rpartition("/")[2], 1, "1")
    assert (row["options"], row["openness"]) == (recorder.get(duel).json()["options"], "game_over")
    assert recorder.post(f"{duel}/rounds/1/games", {"tables": ["9"]}).json()["code"] == "unknown_table"


def test_under_the_same_key_no_next_game_is_opened(director: Caller, recorder: Caller):
    path = announced(director, games=2)
    key = {"Idempotency-Key": f"{path} games"}
    entered(recorder, path, 2)
    paired(director, path)
    first = recorder.post(f"{path}/rounds/1/games", {}, headers=key)
    [table] = first.json()["tables"]
    scored(director, table["game"], 3, 1)
    again = recorder.post(f"{path}/rounds/1/games", {}, headers=key)
    assert (again.json()["tables"], again.headers["idempotent-replayed"]) == ([{**table, "state": "running"}], "true")
    assert len(recorder.get(f"/v1/games?tournament={path.rpartition('/')[2]}").json()["items"]) == 1
    [next_table] = recorder.post(f"{path}/rounds/1/games", {}).json()["tables"]
    assert (next_table["state"], next_table["game"] == table["game"]) == ("opened", False)


def test_a_game_that_is_played_out_is_the_result_of_its_table(director: Caller, recorder: Caller, viewer: Caller):
    path = announced(director, options={"target": 4})
    entered(recorder, path, 2)
    paired(director, path)
    game = opened(recorder, path)["1"]
    refused = director.post(f"{path}/rounds/1/closing", {})
    assert (refused.status_code, refused.json()["code"]) == (422, "round_open")
    assert refused.json()["waiting"] == [
        {"round": 1, "table": "1", "code": "game_unfinished", "sentence": "Table 1 is still playing.", "game": game}
    ]
    sheet = played_out(recorder, game, random.Random(1))
    table = table_of(viewer, path)
    assert (table["points"], table["how"], table["waiting"]) == (sheet["totals"], "games", [])
    assert table["games"][0]["places"] == sheet["places"]
    assert recorder.post(f"{path}/rounds/1/games", {}).json()["tables"] == [{"table": "1", "state": "complete", "game": None}]
    closed = director.post(f"{path}/rounds/1/closing", {})
    assert (closed.status_code, director.get(path).json()["closed"]) == (201, 1)
    assert director.post(f"{path}/rounds/1/closing", {}).json()["code"] == "round_closed"


def test_several_games_of_a_table_are_opened_one_after_the_other(director: Caller, recorder: Caller):
    path = announced(director, games=2)
    entered(recorder, path, 2)
    paired(director, path)
    first = opened(recorder, path)["1"]
    assert opened(recorder, path)["1"] == first
    scored(director, first, 21, 17)
    second = opened(recorder, path)["1"]
    assert second != first
    scored(director, second, 3, 5)
    assert table_of(recorder, path)["points"] == [24, 22]


def test_a_late_ruling_changes_the_result_by_itself(director: Caller, recorder: Caller, duel: str):
    game = opened(recorder, duel)["1"]
    scored(director, game, 21, 17)
    assert director.post(f"{duel}/rounds/1/closing", {}).status_code == 201
    before = recorder.get(f"{duel}/rounds")
    assert before.json()["rounds"][0]["tables"][0]["points"] == [21, 17]
    director.post(f"/v1/games/{game}/adjustments", {"adjustments": [{"party": 0, "points": -5}], "reason": "late"})
    after = recorder.get(f"{duel}/rounds", headers={"If-None-Match": before.headers["etag"]})
    assert (after.status_code, after.json()["rounds"][0]["tables"][0]["points"]) == (200, [16, 17])
    assert recorder.get(f"{duel}/rounds", headers={"If-None-Match": after.headers["etag"]}).status_code == 304


def test_an_annulled_game_leaves_its_table_waiting_and_another_is_opened(director: Caller, recorder: Caller, duel: str):
    game = opened(recorder, duel)["1"]
    scored(director, game, 21, 17)
    director.post(f"/v1/games/{game}/annulment", {"reason": "wrong deck"})
    assert [one["code"] for one in table_of(recorder, duel)["waiting"]] == ["game_missing"]
    assert opened(recorder, duel)["1"] != game


def test_a_game_opened_by_hand_counts_for_its_table_if_the_right_ones_play(director: Caller, recorder: Caller, duel: str):
    id, options = duel.rpartition("/")[2], {"sweeps": False}
    wrong = recorder.open(players=["p1", "x"], tournament=id, round=1, table="1", options=options)
    (waits,) = table_of(recorder, duel)["waiting"]
    assert (waits["code"], waits["game"]) == ("players_do_not_fit", wrong)
    assert recorder.post(f"{duel}/rounds/1/games", {}).json()["tables"][0]["state"] == "running"
    director.post(f"/v1/games/{wrong}/annulment", {"reason": "wrong players"})
    right = recorder.open(players=["p2", "p1"], tournament=id, round=1, table="1", options=options)
    scored(director, right, 21, 17)
    assert table_of(recorder, duel)["points"] == [17, 21]


def test_a_game_at_no_table_of_the_tournament_is_shown_as_a_stray(director: Caller, recorder: Caller, duel: str):
    game = recorder.open(players=["p1", "p2"], tournament=duel.rpartition("/")[2], round=1, table="99")
    assert recorder.get(f"{duel}/rounds").json()["strays"] == [{"game": game, "round": 1, "table": "99"}]
    director.post(f"/v1/games/{game}/annulment", {"reason": "wrong table"})
    assert recorder.get(f"{duel}/rounds").json()["strays"] == []


def test_partnerships_of_canasta_meet_with_all_options_pinned(director: Caller, recorder: Caller):
    path = announced(director, ruleset="canasta", seats=4, format="round_robin", options={"end": "hands", "hand_count": 1})
    for names in (["a", "b"], ["c", "d"]):
        assert recorder.post(f"{path}/entries", {"players": names}).status_code == 201
    paired(director, path)
    game = opened(recorder, path)["1"]
    players = recorder.get(f"/v1/games/{game}").json()["players"]
    assert (set(players[::2]), set(players[1::2])) in (({"a", "b"}, {"c", "d"}), ({"c", "d"}, {"a", "b"}))
    scored(director, game, 1200, -300)
    assert table_of(recorder, path)["points"] == [1200, -300]


def test_a_pairing_is_taken_back_while_nothing_was_played(director: Caller, recorder: Caller, duel: str):
    game = opened(recorder, duel)["1"]
    tried = director.post(f"{duel}/unpairing?dry_run=true", {})
    assert (tried.status_code, recorder.get(f"/v1/games/{game}").json()["state"]) == (200, "open")
    assert director.post(f"{duel}/unpairing", {"reason": "two more came"}).status_code == 201
    assert recorder.get(f"/v1/games/{game}").json()["state"] == "annulled"
    assert recorder.get(f"{duel}/rounds").json()["rounds"] == []
    paired(director, duel, [[2], [1]])
    assert opened(recorder, duel)["1"] != game


def test_an_unpairing_that_is_sent_again_leaves_the_next_pairing_alone(director: Caller, recorder: Caller, duel: str):
    key = {"Idempotency-Key": uuid4().hex}
    first = director.post(f"{duel}/unpairing", {}, headers=key)
    paired(director, duel, [[2], [1]])
    game = opened(recorder, duel)["1"]
    again = director.post(f"{duel}/unpairing", {}, headers=key)
    assert (again.status_code, again.json()) == (201, first.json())
    assert recorder.get(f"/v1/games/{game}").json()["state"] == "open"


def test_an_unpairing_that_is_sent_again_while_it_is_under_way_gets_the_same_answer(new_service: Service, tmp_path: Path):
    director = new_service.caller("director")
    path = announced(director)
    entered(director, path, 2)
    paired(director, path, [[1], [2]])
    game = opened(director, path)["1"]
    unpair = partial(director.post, f"{path}/unpairing", {}, headers={"Idempotency-Key": "u"})
    first, again = at_once(new_service, settings_of(tmp_path).journal_url, UUID(game), unpair, unpair)
    assert (first.status_code, again.status_code, again.content) == (201, 201, first.content)
    assert sorted(one.headers.get("idempotent-replayed", "") for one in (first, again)) == ["", "true"]


def test_who_would_unpair_an_older_position_changes_nothing(director: Caller, recorder: Caller, duel: str):
    game = opened(recorder, duel)["1"]
    assert director.post(f"{duel}/unpairing", {}, headers={"If-Match": '"1"'}).status_code == 412
    assert recorder.get(f"/v1/games/{game}").json()["state"] == "open"


def test_what_was_dealt_keeps_the_pairing_and_its_games(director: Caller, recorder: Caller):
    path = announced(director)
    entered(recorder, path, 4)
    paired(director, path)
    games = opened(recorder, path)
    recorder.deal(games["1"])
    assert director.post(f"{path}/unpairing", {}).json()["code"] == "round_played"
    assert recorder.get(f"/v1/games/{games['2']}").json()["state"] == "open"


def test_a_draw_says_who_would_play_twice_since_a_merger(director: Caller):
    path, (one, other) = announced(director), (f"m-{uuid4().hex[:8]}" for _ in range(2))
    for id in (one, other):
        assert director.post("/v1/players", {"id": id, "name": "Anna"}).status_code == 201
        assert director.post(f"{path}/entries", {"players": [id]}).status_code == 201
    assert director.post(f"/v1/players/{other}/merger", {"into": one}).status_code == 201
    (remark,) = director.post(f"{path}/rounds", {}, headers={"Accept-Language": "de"}).json()["remarks"]
    said = "Eine Person soll seit einer Zusammenführung mehrfach spielen, für Nummer 1, 2."
    assert (remark["code"], remark["sentence"].startswith(said)) == ("one_person", True)


def test_both_sides_agree_on_an_entered_result(recorder: Caller, duel: str):
    done = recorder.put(f"{duel}/rounds/1/tables/1/result", {"points": [21, 17], "side": 2})
    assert (done.status_code, done.json()["events"][0]["name"]) == (201, "result.entered/1")
    table = table_of(recorder, duel)
    assert (table["points"], table["entered"]) == (None, {"points": [21, 17], "sides": [2]})
    assert table["waiting"] == [
        {
            "round": 1,
            "table": "1",
            "code": "result_unconfirmed",
            "sentence": "The result of table 1 waits for the word of entrant 1.",
            "sides": [1],
        }
    ]
    same = recorder.put(f"{duel}/rounds/1/tables/1/result", {"points": [21, 17], "side": 1})
    assert same.json()["events"][0]["name"] == "result.confirmed/1"
    assert table_of(recorder, duel)["points"] == [21, 17]


def test_a_side_that_contradicts_the_other_is_told_what_that_one_said(recorder: Caller, duel: str):
    first = recorder.put(f"{duel}/rounds/1/tables/1/result", {"points": [21, 17], "side": 2}).json()
    second = recorder.put(f"{duel}/rounds/1/tables/1/result", {"points": [17, 21], "side": 1}).json()
    said = "Table 1: entrant 2 had said 21, 17. What was entered now stands instead, and waits for that side."
    assert (first.get("remarks"), second["remarks"]) == (None, [{"code": "said_otherwise", "sentence": said, "entrants": [2]}])


def test_the_answer_to_a_result_names_both_sides(director: Caller, recorder: Caller, viewer: Caller):
    path = announced(director, seats=4, options={"partners": True}, format="manual")
    for player, name in (("anna", "Anna"), ("ben", "Ben"), ("cleo", "Cleo"), ("dana", "Dana")):
        director.post("/v1/players", {"id": f"{path[-8:]}-{player}", "name": name})
    for pair in (("anna", "ben"), ("cleo", "dana")):
        assert recorder.post(f"{path}/entries", {"players": [f"{path[-8:]}-{one}" for one in pair]}).status_code == 201
    paired(director, path, [[2], [1]])
    at = f"{path}/rounds/1/tables/1"

    def side(entrant: int, names: list[str], points: int, waits: bool) -> dict[str, Any]:
        players = [f"{path[-8:]}-{name.lower()}" for name in names]
        return {"entrants": [entrant], "players": players, "shown": names, "points": points, "waits": waits}

    def table(waits: bool, points: list[int] | None, how: str) -> dict[str, Any]:
        sides = [side(2, ["Cleo", "Dana"], 21, waits), side(1, ["Anna", "Ben"], 17, False)]
        return {"round": 1, "table": "1", "sides": sides, "points": points, "how": how}

    tried = recorder.put(f"{at}/result?dry_run=true", {"points": [21, 17], "side": 1}).json()
    assert tried["table"] == table(True, None, "open")
    said = recorder.put(f"{at}/result", {"points": [21, 17], "side": 1}).json()
    assert said["table"] == tried["table"]
    agreed = recorder.post(f"{at}/confirmation", {"side": 2}).json()
    assert agreed["table"] == table(False, [21, 17], "entered")
    final = director.put(f"{at}/result", {"points": [21, 17]}).json()
    assert final["table"] == table(False, [21, 17], "entered")
    assert viewer.get(at.rpartition("/tables")[0]).json()["tables"][0]["points"] == [21, 17]


def test_only_a_director_says_a_result_finally(director: Caller, recorder: Caller, duel: str):
    refused = recorder.put(f"{duel}/rounds/1/tables/1/result", {"points": [21, 17]})
    assert (refused.status_code, refused.json()["needs"]) == (403, ["director"])
    assert director.put(f"{duel}/rounds/1/tables/1/result", {"points": [21, 17]}).status_code == 201
    assert table_of(recorder, duel)["how"] == "entered"
    assert director.send("DELETE", f"{duel}/rounds/1/tables/1/result", {"reason": "a slip"}).status_code == 201
    assert table_of(recorder, duel)["how"] == "open"


def test_a_forfeit_brings_what_was_announced(director: Caller, recorder: Caller):
    path = announced(director, format="manual", scoring={"by": "points", "bye": 12, "forfeit": [21, 0]})
    entered(recorder, path, 2)
    paired(director, path, [[1], [2]])
    assert director.post(f"{path}/rounds/1/tables/1/forfeit", {"absent": [1], "reason": "not there"}).status_code == 201
    table = table_of(recorder, path)
    assert (table["points"], table["how"], table["absent"]) == ([0, 21], "forfeited", [1])
    assert recorder.post(f"{path}/rounds/1/games", {}).json()["tables"][0]["state"] == "complete"


def test_an_adjourned_table_is_finished_before_the_end(director: Caller, recorder: Caller, duel: str):
    game = opened(recorder, duel)["1"]
    assert director.post(f"{duel}/rounds/1/tables/1/adjournment", {"reason": "the hall closes"}).status_code == 201
    assert director.post(f"{duel}/rounds/1/closing", {}).status_code == 201
    refused = director.post(f"{duel}/ending", {}).json()
    assert refused["code"] == "tournament_open"
    assert [(one["table"], one["code"]) for one in refused["waiting"]] == [("1", "adjourned")]
    scored(director, game, 21, 17)
    assert table_of(recorder, duel)["how"] == "games"
    assert director.post(f"{duel}/ending", {}).status_code == 201


def test_a_substitute_sits_down_in_the_next_game_of_a_table(director: Caller, recorder: Caller):
    path = announced(director, games=2)
    entered(recorder, path, 2)
    paired(director, path, [[1], [2]])
    scored(director, opened(recorder, path)["1"], 1, 2)
    assert recorder.post(f"{path}/entries/2/substitution", {"players": ["x"]}).status_code == 201
    second = opened(recorder, path)["1"]
    assert recorder.get(f"/v1/games/{second}").json()["players"] == ["p1", "x"]
    scored(director, second, 3, 4)
    assert table_of(recorder, path)["points"] == [4, 6]


def test_partners_change_from_round_to_round(director: Caller, recorder: Caller):
    path = announced(director, format="manual", entrants="players", seats=4, options={"partners": True})
    entered(recorder, path, 4)
    paired(director, path, [[1, 2], [3, 4]])
    assert [(one["seat"], one["player"]) for one in table_of(recorder, path)["seats"]] == [(0, "p1"), (1, "p3"), (2, "p2"), (3, "p4")]
    scored(director, opened(recorder, path)["1"], 21, 17)
    assert director.post(f"{path}/rounds/1/closing", {}).status_code == 201
    paired(director, path, [[1, 3], [2, 4]])
    assert table_of(recorder, path, round=2)["parties"] == [[1, 3], [2, 4]]


def test_who_plays_alone_has_a_table_of_his_own(director: Caller, recorder: Caller):
    path = announced(director, ruleset="cascades", seats=1, scoring={"by": "points"})
    entered(recorder, path, 3)
    paired(director, path)
    games = opened(recorder, path)
    assert len(games) == 3
    scored(director, games["1"], 30)
    for table in ("2", "3"):
        ((entrant,),) = table_of(recorder, path, table)["parties"]
        assert recorder.put(f"{path}/rounds/1/tables/{table}/result", {"points": [12], "side": entrant}).status_code == 201
    assert [table["points"] for table in recorder.get(f"{path}/rounds").json()["rounds"][0]["tables"]] == [[30], [12], [12]]
    assert director.post(f"{path}/rounds/1/closing", {}).status_code == 201


def test_the_seating_names_tables_and_players_in_alphabetical_order(director: Caller, recorder: Caller, viewer: Caller):
    path = announced(director, format="manual", title="Frühling & Co")
    for player, name in (("n1", "Zoë"), ("n2", "álvaro"), ("n3", "Berta")):
        director.post("/v1/players", {"id": f"{path[-8:]}-{player}", "name": name})
        assert recorder.post(f"{path}/entries", {"players": [f"{path[-8:]}-{player}"]}).status_code == 201
    paired(director, path, [[1], [2]], byes=[3])
    plan = recorder.get(f"{path}/rounds/1/seating").json()
    assert [(one["shown"], one["table"], one["seat"]) for one in plan["players"]] == [
        ("álvaro", "1", 1),
        ("Berta", None, None),
        ("Zoë", "1", 0),
    ]
    assert [(one["seat"], one["shown"]) for one in plan["tables"][0]["seats"]] == [(0, "Zoë"), (1, "álvaro")]
    assert [one["shown"] for one in table_of(recorder, path)["seats"]] == ["Zoë", "álvaro"]
    assert [one["shown"] for one in recorder.get(f"{path}/entries").json()["entrants"]] == [["Zoë"], ["álvaro"], ["Berta"]]
    assert [one["shown"] for one in viewer.get(f"{path}/rounds/1/seating").json()["players"]] == [f"Entrant {n}" for n in (1, 2, 3)]


def test_the_seating_page_speaks_the_language_of_the_reader(director: Caller, recorder: Caller, duel: str):
    page = recorder.get(f"{duel}/rounds/1/seating?format=html", headers={"Accept-Language": "de"})
    assert (page.headers["content-language"], page.headers["content-type"]) == ("de", "text/html; charset=utf-8")
    assert "default-src 'none'" in page.headers["content-security-policy"]
    assert "<h2>Tisch 1</h2>" in page.text
    assert "<h1>Seating</h1>" in recorder.get(f"{duel}/rounds/1/seating", headers={"Accept": "text/html"}).text
    assert recorder.get(f"{duel}/rounds/1/seating", headers={"Accept": "image/png"}).status_code == 406


def test_the_same_on_a_database_server(postgres_service: Service):
    director = postgres_service.caller("director")
    path = announced(director)
    entered(director, path, 4)
    paired(director, path)
    for game in opened(director, path).values():
        scored(director, game, 21, 17)
    assert director.post(f"{path}/rounds/1/closing", {}).status_code == 201
    paired(director, path)
    rounds = director.get(f"{path}/rounds").json()["rounds"]
    assert [[table["points"] for table in round["tables"]] for round in rounds] == [[[21, 17], [21, 17]], [None, None]]


def test_three_recorders_who_open_the_games_at_once_open_them_once(tmp_path: Path):
    settings = settings_of(tmp_path)
    with open_services(settings, alone=True) as services:
        asyncio.run(_opened_at_once(services, settings.journal_url))


async def _opened_at_once(services: Services, url: str) -> None:
    async with crowd(services, url, Authorization=f"Bearer {add_token(services, 'director')}") as callers:

        def post(path: str, body: object) -> Coroutine[Any, Any, Response]:
            return callers.client.post(f"/v1/tournaments{path}", content=json.dumps(body))

        await post("", {"id": "t", "ruleset": "casino", "seats": 2, "format": "swiss"})
        await post("/t/entries", {"entries": [{"players": [f"p{number}"]} for number in range(40)]})
        await post("/t/rounds", {})
        answers = await callers.together(*(post("/t/rounds/1/games", {}) for _ in range(3)))
        games = [{table["game"] for table in answer.json()["tables"]} for answer in answers]
        assert (len(games[0]), games[1:]) == (20, [games[0], games[0]])
        page = (await callers.client.get("/v1/games?tournament=t&limit=200")).json()
        assert len(page["items"]) == 20


def test_seven_play_at_a_table_of_four_and_one_of_three(director: Caller, recorder: Caller):
    path = announced(director, seats=4, smaller_tables=True, scoring={"by": "points"}, tie_breaks=["wins"])
    entered(recorder, path, 7)
    paired(director, path)
    games = opened(recorder, path)
    seats = {table: len(recorder.get(f"/v1/games/{game}").json()["players"]) for table, game in games.items()}
    assert sorted(seats.values()) == [3, 4]
    smaller = min(seats, key=lambda table: seats[table])
    scored(director, games.pop(smaller), 9, 5, 1)
    (full,) = games
    assert director.put(f"{path}/rounds/1/tables/{full}/result", {"points": [6, 4, 2]}).json()["code"] == "points_per_party"
    assert director.put(f"{path}/rounds/1/tables/{full}/result", {"points": [6, 4, 2, 0]}).status_code == 201
    assert director.post(f"{path}/rounds/1/closing", {}).status_code == 201
    assert [line["score"] for line in director.get(f"{path}/standings").json()["lines"]] == [7, 6, 4, 3, 2, 0, -1]
    assert director.get(f"{path}/rounds/1/seating?format=html").status_code == 200
    assert director.get(f"{path}/audit").json()["verdict"] == "sound"
