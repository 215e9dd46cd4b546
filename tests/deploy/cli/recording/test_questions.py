"""What has to be told is asked for, answered in cards, and told with the act; a question that is left records nothing."""

import json
from pathlib import Path

from tests.deploy.cli.recording.sessions import game_of, kiebitz, recorded

CASCADES = ("--ruleset", "cascades", "--seats", 1, "--lang", "en")
CLASSIC = ("--ruleset", "quartett-classic", "--option", "deck_def=wood", "--seats", 3, "--lang", "en")
DEAL = "2 deal [Enter: hand 1, seat 0 deals, nobody knows the deck] >"
OPEN = "stock, card 2, 3 of those that go there: which cards? [Enter leaves it] >"
DEALT = "Hand 1: seat 0 deals. Open: 2 of Waves/Leaves, Crown of Leaves."


def moves_in(data: Path, game: str) -> list[object]:
    moves: list[object] = json.loads(kiebitz("export", game, "--data", data).stdout)["hands"][0]["moves"]
    return moves


def test_what_lies_open_after_a_deal_is_asked_for_or_stands_in_the_line(tmp_path: Path):
    assert recorded(*CASCADES, "--data", tmp_path, lines=["", "2wl crl"]) == [DEAL, f"{OPEN} 2wl crl", DEALT, "3 seat 0 >"]
    assert recorded(*CASCADES, "--data", tmp_path, lines=["! 2wl crl"]) == [f"{DEAL} ! 2wl crl", DEALT, "3 seat 0 >"]
    assert recorded(*CASCADES, "--data", tmp_path, lines=["2wl crl"]) == [f"{DEAL} 2wl crl", DEALT, "3 seat 0 >"]


def test_a_question_that_is_left_records_nothing(tmp_path: Path):
    assert recorded(*CASCADES, "--data", tmp_path, lines=["", ""]) == [DEAL, OPEN, "Nothing was recorded.", DEAL]


def test_an_answer_that_is_none_is_asked_for_again(tmp_path: Path):
    told = recorded(*CASCADES, "--data", tmp_path, lines=["", "2wl", "2wl §", "2wl crl"])
    assert told == [
        DEAL,
        f"{OPEN} 2wl",
        "Asked for were 2 cards, not 1.",
        f"{OPEN} 2wl §",
        "“§” is no card here, or may be several; name the suit.",
        f"{OPEN} 2wl crl",
        DEALT,
        "3 seat 0 >",
    ]


def test_a_card_that_is_uncovered_is_told_with_the_move(tmp_path: Path):
    result = kiebitz("record", *CASCADES, "--data", tmp_path, lines=["2wl crl", "2wl -1", "6sy"])
    assert moves_in(tmp_path, game_of(result)) == [
        {"seat": 0, "move": {"type": "play", "card": "2-WL", "tier": 0}, "known": {"waste": ["?", "6-SY"]}}
    ]


def test_whether_a_card_lies_there_is_answered_by_yes_or_no_or_that_it_completes_a_quartet(tmp_path: Path):
    lines = ["/dealer 1", "", "0e3", "perhaps", "y", "1g4", "=", "1a2", "n"]
    result = kiebitz("record", *CLASSIC, "--data", tmp_path, lines=lines)
    assert "Yes or no? y or n." in result.stdout
    assert moves_in(tmp_path, game_of(result)) == [
        {"seat": 2, "move": {"type": "ask", "target": 0, "card": "E3"}, "known": {"hand:0": ["E3"]}},
        {"seat": 2, "move": {"type": "ask", "target": 1, "card": "G4"}, "known": {"hand:1": ["G4"], "hand:2": ["G1", "G2", "G3"]}},
        {"seat": 2, "move": {"type": "ask", "target": 1, "card": "A2"}, "lacks": {"hand:1": ["A2"]}},
    ]


def test_what_is_told_behind_the_move_is_not_asked_for(tmp_path: Path):
    result = kiebitz("record", *CLASSIC, "--data", tmp_path, lines=["/dealer 1", "", "0e3!", "1g4!=", "1a2~"])
    assert "is E3 among them" not in result.stdout
    assert [move.keys() for move in moves_in(tmp_path, game_of(result)) if isinstance(move, dict)] == [
        {"seat", "move", "known"},
        {"seat", "move", "known"},
        {"seat", "move", "lacks"},
    ]


def test_between_moves_a_hand_is_told_by_its_seat(tmp_path: Path):
    result = kiebitz("record", *CLASSIC, "--data", tmp_path, lines=["/dealer 1", "", "@1 !b1 b2", "@1 !~c1"])
    assert "Told: B1 B2." in result.stdout
    assert "That a card does not lie there is told with the move that asks for it." in result.stdout
    assert moves_in(tmp_path, game_of(result)) == [{"known": {"hand:1": ["B1", "B2"]}}]
