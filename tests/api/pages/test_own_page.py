"""A player's own page: what stands on it, to whom."""

import re
from dataclasses import replace
from html import unescape
from typing import Any

import pytest

from tests.api.conftest import Caller, Service
from tests.api.markup import words
from tests.api.tournament import announced, entered, opened


@pytest.fixture
def director(service: Service) -> Caller:
    return service.caller("director")


@pytest.fixture
def evening(director: Caller, recorder: Caller) -> tuple[str, str]:
    """Five players, of whom two have played, two play, and one is free; the tournament, and the game that is over."""
    path = announced(director, title="Club night", seed="me", rounds=3)
    entered(director, path, 5)
    for number in range(1, 6):
        director.post("/v1/players", {"id": f"p{number}", "name": f"Player {number}"})
    pairing = {"tables": [{"table": "1", "parties": [[1], [2]]}, {"table": "2", "parties": [[3], [4]]}], "byes": [5]}
    assert director.post(f"{path}/rounds", pairing).status_code == 201
    game = opened(recorder, path)["1"]
    assert recorder.post(f"/v1/games/{game}/hands", {"dealer": 0, "result": {"points": [22, 8]}}).status_code == 201
    return path.rpartition("/")[2], game


def page_of(service: Service, scope: Any, **more: Any) -> str:
    issued = service.caller("director").post("/v1/tokens", {"role": "player", "scope": scope, **more})
    assert issued.status_code == 201, issued.text
    return words(replace(service.caller("viewer"), token=issued.json()["secret"]).get("/me").text)


def test_a_player_finds_his_table_his_score_and_his_games(evening: tuple[str, str], service: Service):
    text = page_of(service, {"tournament": evening[0]}, player="p2")
    assert "Table 1 seat 2 against Player 1 This table is over." in text
    assert "The score as it stands Player 1 22 Player 2 8" in text
    assert "Sign the sheet" in text
    assert "Casino Games 1 Won 0 Points 8" in text


def test_a_player_reads_that_his_table_is_called_and_has_more_time(evening: tuple[str, str], service: Service, director: Caller):
    notice = {"extra_minutes": 5, "called": True}
    assert director.post(f"/v1/tournaments/{evening[0]}/rounds/1/tables/2/notice", notice).status_code == 201
    told = "against Player 3 Please come to the director. Your table has 5 more minutes."
    assert told in page_of(service, {"tournament": evening[0]}, player="p4")
    assert "Please come" not in page_of(service, {"tournament": evening[0]}, player="p2")


def test_a_player_calls_the_director_to_his_table_and_to_no_other(evening: tuple[str, str], service: Service, director: Caller):
    path = f"/v1/tournaments/{evening[0]}/rounds/1/tables"
    issued = director.post("/v1/tokens", {"role": "player", "scope": {"tournament": evening[0]}, "player": "p4"}).json()
    player = replace(service.caller("viewer"), token=issued["secret"])
    assert "Call the director" in words(player.get("/me").text)
    assert player.post(f"{path}/2/notice", {"calls": True}).status_code == 201
    assert "You called the director. No longer needed" in words(player.get("/me").text)
    assert "Table 2: calls the director" in words(director.get(f"/t/{evening[0]}/desk").text)
    assert [player.post(f"{path}/{table}/notice", body).status_code for table, body in ((1, {"calls": True}), (2, {"called": True}))] == [
        403,
        403,
    ]


def test_who_is_free_and_who_is_not_entered_is_told_so(evening: tuple[str, str], service: Service, director: Caller):
    assert "You are free this round." in page_of(service, {"tournament": evening[0]}, player="p5")
    assert director.post(f"/v1/tournaments/{evening[0]}/entries", {"players": ["p6"]}).status_code == 201
    assert "The next round is not paired yet." in page_of(service, {"tournament": evening[0]}, player="p6")


def test_who_holds_a_seat_of_a_game_finds_that_game(evening: tuple[str, str], service: Service):
    text = page_of(service, {"game": evening[1]}, seat=0)
    assert "Player 1 Club night" in text
    assert "Seat 1" in text
    assert "Something was not right" in text


def test_a_dispute_is_about_one_of_the_last_moves_or_the_deal_and_no_note(service: Service, recorder: Caller):
    game = recorder.open()
    recorder.deal(game, "QC", "TD", "QH", "7D", "2C", "3C", "4C", "5C")
    recorder.trail(game, 0, "TD")
    assert recorder.post(f"/v1/games/{game}/notes", {"text": "He was late."}).status_code == 201
    text = page_of(service, {"game": game}, seat=0)
    assert re.search(r"Which move\? [^.]+ trails 10♦\. Hand 1: ", text)


def test_other_roles_are_told_what_it_is_and_where_to_go(service: Service):
    for role in ("director", "recorder", "arbiter", "viewer"):
        page = service.caller(role).get("/me")
        assert "This page is for players" in words(page.text)
        assert 'href="/in?next=/me"' in page.text


def test_who_is_nobody_signs_in_and_comes_back(service: Service):
    page = service.caller(None).get("/me", headers={"Accept": "text/html"})
    assert page.status_code == 401
    assert "/in?next=/me" in page.text


def test_the_first_page_leads_a_player_to_his_own(evening: tuple[str, str], service: Service):
    issued = service.caller("director").post("/v1/tokens", {"role": "player", "scope": {"tournament": evening[0]}, "player": "p1"})
    player = replace(service.caller("viewer"), token=issued.json()["secret"])
    assert 'href="/me"' in player.get("/", headers={"Accept": "text/html"}).text
    assert 'href="/me"' not in service.caller("viewer").get("/", headers={"Accept": "text/html"}).text


def test_each_side_of_a_table_enters_its_result_and_reads_where_it_stands(service: Service, director: Caller):
    path = announced(director, title="Club night", own_results=True, format="manual")
    entered(director, path, 2)
    assert director.post(f"{path}/rounds", {"tables": [{"table": "1", "parties": [[1], [2]]}]}).status_code == 201
    scope = {"tournament": path.rpartition("/")[2]}

    def pages() -> list[str]:
        return [page_of(service, scope, player=player) for player in ("p1", "p2")]

    assert ["Enter the result" in page for page in pages()] == [True, True]
    told = f"{path}/rounds/1/tables/1/result"
    assert director.put(told, {"points": [21, 17], "side": 1}).status_code == 201
    one, other = pages()
    assert "Your side has entered the result. It counts as soon as the other side agrees." in one
    assert "Is this the result?" in other
    assert director.put(told, {"points": [17, 21], "side": 2}).status_code == 201
    one, other = pages()
    assert "The other side entered something else Your side entered 21 : 17. Nothing counts until both say the same" in one
    assert "The other side entered something else. Nothing counts until both say the same" in other
    desk = words(director.get(f"/t/{scope['tournament']}/desk").text)
    assert re.search(r"Table 1, two results \w+ 1: 21 : 17 \w+ 2: 17 : 21 Decide it", desk)
    assert director.put(told, {"points": [20, 20]}).status_code == 201
    assert ["This table is over." in page for page in pages()] == [True, True]


def test_where_players_enter_no_results_their_page_offers_none(evening: tuple[str, str], service: Service):
    assert "Enter the result" not in page_of(service, {"tournament": evening[0]}, player="p3")


def test_a_player_reads_his_rounds_with_both_points_and_his_own_first(service: Service, director: Caller):
    path = announced(director, seats=4, options={"partners": True}, entrants="players", format="manual")
    for number in range(1, 6):
        director.post("/v1/players", {"id": f"r{number}", "name": f"Rounder {number}"})
        assert director.post(f"{path}/entries", {"players": [f"r{number}"]}).status_code == 201
    for round, (tables, bye, points) in enumerate((([[1, 3], [2, 4]], 5, [22, 8]), ([[4, 1], [5, 3]], 2, [3, 21])), 1):
        assert director.post(f"{path}/rounds", {"tables": [{"parties": tables}], "byes": [bye]}).status_code == 201
        assert director.put(f"{path}/rounds/{round}/tables/1/result", {"points": points}).status_code == 201
        assert director.post(f"{path}/rounds/{round}/closing", {}).status_code == 201
    assert director.post(f"{path}/rounds", {"tables": [{"parties": [[1, 2], [3, 5]]}], "byes": [4]}).status_code == 201
    scope = {"tournament": path.rpartition("/")[2]}
    one, two = (unescape(page_of(service, scope, player=player)) for player in ("r1", "r2"))
    rows = "My rounds Round With and against Points "
    assert "Table 1 seat N with Rounder 2 against Rounder 3 & Rounder 5" in one
    assert (
        f"{rows}2 with Rounder 4 against Rounder 5 & Rounder 3 Table 1 3 : 21 1 with Rounder 3 against Rounder 2 & Rounder 4 Table 1 22 : 8"
        in one
    )
    assert f"{rows}2 free – 1 with Rounder 4 against Rounder 1 & Rounder 3 Table 1 8 : 22" in two


def test_the_first_page_shows_a_player_his_own_tables_and_no_abandoned_ones(service: Service, director: Caller, recorder: Caller):
    path = announced(director, format="manual", hall_names="names")
    entered(director, path, 4)
    assert director.post(f"{path}/rounds", {"tables": [{"parties": [[3], [4]]}, {"parties": [[1], [2]]}]}).status_code == 201
    games = opened(recorder, path)
    wanted = {"role": "player", "scope": {"tournament": path.rpartition("/")[2]}, "player": "p1"}
    issued = director.post("/v1/tokens", wanted).json()
    player = replace(service.caller("viewer"), token=issued["secret"])

    def tables() -> list[str]:
        page = player.get("/", headers={"Accept": "text/html"}).text.partition("Newest")[0]
        return [game for game in re.findall(r'class="whole" href="/g/([^"]+)"', page) if game in games.values()]

    assert tables() == [games["2"], games["1"]]
    assert director.post(f"/v1/games/{games['2']}/abandonment", {"reason": "on paper"}).status_code == 201
    assert games["2"] not in player.get("/", headers={"Accept": "text/html"}).text.partition("Playing")[0]


def test_while_a_game_is_recorded_at_the_table_its_players_enter_no_result(service: Service, director: Caller, recorder: Caller):
    path = announced(director, own_results=True, format="manual")
    entered(director, path, 2)
    assert director.post(f"{path}/rounds", {"tables": [{"parties": [[1], [2]]}]}).status_code == 201
    game, scope = opened(recorder, path)["1"], {"tournament": path.rpartition("/")[2]}
    assert "Enter the result" in page_of(service, scope, player="p1")
    recorder.deal(game)
    assert "Enter the result" not in page_of(service, scope, player="p1")
