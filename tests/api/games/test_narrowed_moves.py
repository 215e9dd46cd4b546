"""Legal moves narrowed by type and cards, and what each would do."""

from typing import Any

import pytest

from tests.api.conftest import Caller, trailing
from tests.api.rulings.test_rulings import dealt


def listed(caller: Caller, game: str, query: str = "") -> Any:
    answer = caller.get(f"/v1/games/{game}/legal-moves{query}")
    assert answer.status_code == 200, answer.text
    return answer.json()


def test_only_moves_of_a_type_are_listed_in_the_same_order(recorder: Caller):
    game = dealt(recorder)
    whole = listed(recorder, game)["moves"]
    for kind in ("trail", "capture", "build", "raise"):
        assert listed(recorder, game, f"?type={kind}")["moves"] == [move for move in whole if move["type"] == kind]


def test_only_moves_that_name_all_of_the_cards_are_listed_in_whatever_order_they_are_given(recorder: Caller):
    game = dealt(recorder)
    wanted = [move for move in listed(recorder, game)["moves"] if {"7D", "5S", "2S"} <= named(move)]
    assert wanted != []
    for asked in ("7D,5S,2S", "2S,7D,5S"):
        assert listed(recorder, game, f"?cards={asked}")["moves"] == wanted
    assert listed(recorder, game, "?cards=4S,3H")["moves"] == []  # two cards of one hand


def named(move: dict[str, Any]) -> set[str]:
    return {move["card"], *(card for group in move.get("groups", ()) for card in group)}


def test_of_equal_cards_as_many_have_to_be_named_as_were_given(recorder: Caller):
    game = recorder.open(ruleset="alcasan", seats=2)
    deck = ["1"] * 4 + ["2"] * 4 + ["3"] * 4 + ["4"] * 4
    answer = recorder.post(f"/v1/games/{game}/hands", {"dealer": 1, "deck": deck, "fill": "sorted"})
    assert answer.status_code == 201, answer.text
    two = listed(recorder, game, "?seat=0&cards=4,4")["moves"]
    assert two == [move for move in listed(recorder, game, "?seat=0")["moves"] if move["cards"].count("4") >= 2] != []


def test_narrowed_moves_are_paged_within_one_position(recorder: Caller):
    game = dealt(recorder)
    whole = listed(recorder, game, "?type=trail")
    page = listed(recorder, game, "?type=trail&limit=1")
    found = page["moves"]
    recorder.trail(game, 0, "QC")
    while page["next"] is not None:
        page = listed(recorder, game, f"?type=trail&limit=1&cursor={page['next']}")
        found += page["moves"]
    assert (found, whole["next"]) == (whole["moves"], None)


def test_a_type_or_a_card_that_the_game_does_not_have_is_told_with_those_that_it_has(recorder: Caller):
    game = dealt(recorder)
    answer = recorder.get(f"/v1/games/{game}/legal-moves?type=meld")
    assert (answer.status_code, answer.json()["code"], answer.json()["where"]) == (400, "bad_parameter", "type")
    assert answer.json()["detail"] == 'This game has no move "meld". It has: "trail", "capture", "build", "raise", "add".'
    german = recorder.get(f"/v1/games/{game}/legal-moves?cards=7D,8X", headers={"Accept-Language": "de"})
    assert (german.status_code, german.json()["where"]) == (400, "cards")
    assert german.json()["detail"] == "Eine Karte „8X“ hat dieses Spiel nicht."


def test_what_each_move_would_do_stands_beside_it_as_it_happens_when_it_is_made(recorder: Caller):
    game = dealt(recorder)
    page = listed(recorder, game, "?type=trail&effects=true")
    assert "effects" not in listed(recorder, game)
    [effects] = [does for move, does in zip(page["moves"], page["effects"], strict=True) if move["card"] == "QC"]
    made = recorder.post(f"/v1/games/{game}/moves", trailing(0, "QC")).json()
    assert made["events"][0]["body"]["effects"] == effects


@pytest.mark.parametrize("query", ["", "?effects=true", "?type=trail", "?cards=QC"])
def test_a_viewer_is_told_none_of_it_before_the_game_is_open(recorder: Caller, viewer: Caller, query: str):
    assert viewer.get(f"/v1/games/{dealt(recorder)}/legal-moves{query}").status_code == 403
