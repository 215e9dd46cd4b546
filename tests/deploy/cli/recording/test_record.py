"""`kiebitz record`, line by line: what is asked for, what is recorded, and what is said of a line that is not taken."""

import json
from pathlib import Path

from deploy.cli.hints import program
from tests.deploy.cli.recording.sessions import ALCASAN, game_of, kiebitz, recorded

BEGUN = ["", "37f", "99t"]
DEAL = "2 deal [Enter: hand 1, seat 0 deals, nobody knows the deck] >"


def test_a_line_is_a_move_and_what_it_did_is_told(tmp_path: Path):
    assert recorded(*ALCASAN, "--data", tmp_path, lines=["", "37f", "99t", "44"]) == [
        DEAL,
        "Hand 1: seat 0 deals.",
        "3 seat 0 > 37f",
        "Seat 0 lays open 3 7 fire.",
        "4 seat 1 > 99t",
        "Seat 1 lays open 9 9 10.",
        "5 seat 1 > 44",
        "Seat 1 lays water (4), water (4) and draws 2.",
        "6 seat 0 >",
    ]


def test_letters_words_and_sentences_are_german_for_who_asks_for_german(tmp_path: Path):
    assert recorded(*ALCASAN, "--data", tmp_path, "--lang", "de", lines=["", "37f", "99z", "/zur", "", "/ende"]) == [
        "2 Geben [Eingabe: Spiel 1, Sitz 0 gibt, niemand kennt das Kartenspiel] >",
        "Spiel 1: Sitz 0 gibt.",
        "3 Sitz 0 > 37f",
        "Sitz 0 legt 3 7 Feuer offen hin.",
        "4 Sitz 1 > 99z",
        "Sitz 1 legt 9 9 10 offen hin.",
        "5 Sitz 1 > /zur",
        "Zurückgenommen bis Position 3.",
        "6 Sitz 1 [Eingabe noch einmal: 99T] >",
        "Sitz 1 legt 9 9 10 offen hin.",
        "7 Sitz 1 > /ende",
    ]


def test_what_was_taken_back_is_offered_again_one_by_one(tmp_path: Path):
    assert recorded(*ALCASAN, "--data", tmp_path, lines=[*BEGUN, "44", "f", "/undo 3", "", "55", ""])[10:] == [
        "7 seat 0 > /undo 3",
        "Taken back to position 3.",
        "8 seat 1 [Enter again: 99T] >",
        "Seat 1 lays open 9 9 10.",
        "9 seat 1 [Enter again: 44] > 55",
        "Seat 1 lays 5 5 and draws 2.",
        "10 seat 0 [Enter again: F] >",
        "Seat 0 lays fire and draws 1. The pile is removed.",
        "11 seat 0 >",
    ]


def test_what_is_not_to_be_taken_again_is_dropped(tmp_path: Path):
    assert recorded(*ALCASAN, "--data", tmp_path, lines=[*BEGUN, "44", "f", "/undo 2", "/drop", "/drop", "55"])[12:] == [
        "8 seat 1 [Enter again: 44] > /drop",
        "8 seat 1 [Enter again: F] > /drop",
        "8 seat 1 > 55",
        "Seat 1 lays 5 5 and draws 2.",
        "9 seat 0 >",
    ]


def test_whoever_starts_again_is_where_he_was(tmp_path: Path):
    game = game_of(kiebitz("record", *ALCASAN, "--data", tmp_path, lines=[*BEGUN, "44", "/u 2"]))
    again = kiebitz("record", game, "--data", tmp_path, "--lang", "en", lines=["", "", "f"])
    lines = [line.rstrip() for line in again.stdout.splitlines()]
    assert lines[:3] == ["", "seat 0: (3 not seen)", "seat 1: (6 not seen)"]
    assert lines[lines.index("To act: seat 1") :] == [
        "To act: seat 1",
        "",
        "7 seat 1 [Enter again: 99T] >",
        "Seat 1 lays open 9 9 10.",
        "8 seat 1 [Enter again: 44] >",
        "Seat 1 lays water (4), water (4) and draws 2.",
        "9 seat 0 > f",
        "Seat 0 lays fire and draws 1. The pile is removed.",
        "10 seat 0 >",
        f"The game goes on where it is now with: {program()} record {game} --data {tmp_path}",
    ]


NOT_TAKEN = {
    "5§": "§ means nothing here.",
    "/nonsense": "There is no command /nonsense, or several begin like that. /help names them all.",
    "/d": "There is no command /d, or several begin like that. /help names them all.",
    "/undo 2x": "There is nothing in this hand to take back.",
    "/seat 2": "A seat is a number from 0 to 1.",
    "/shuffle": "A hand is in progress.",
}


def test_a_line_that_is_not_taken_says_why_and_changes_nothing(tmp_path: Path):
    result = kiebitz("record", *ALCASAN, "--data", tmp_path, lines=[*BEGUN, *NOT_TAKEN])
    printed = [line.rstrip() for line in result.stdout.splitlines()]
    for line, says in NOT_TAKEN.items():
        at = printed.index(f"5 seat 1 > {line}")
        assert says in printed[at + 1]
        assert printed[at + 2].startswith("5 seat 1 >")
    assert result.exit_code == 1


def test_where_several_may_act_the_seat_is_named(tmp_path: Path):
    assert recorded(*ALCASAN, "--data", tmp_path, lines=["", "/seat 1", "99t", "37f"])[2:-1] == [
        "3 seat 0 > /seat 1",
        "3 seat 1 > 99t",
        "Seat 1 lays open 9 9 10.",
        "4 seat 0 > 37f",
        "Seat 0 lays open 3 7 fire.",
    ]


def test_what_is_still_possible_is_told_also_of_what_begins_so(tmp_path: Path):
    told = recorded(*ALCASAN, "--data", tmp_path, lines=[*BEGUN, "/moves", "/moves 4", "/moves §"])
    assert told[told.index("5 seat 1 > /moves") + 1 :][:4] == ["1", "11", "111", "2"]
    first = told.index("5 seat 1 > /moves 4")
    assert told[first : told.index("5 seat 1 > /moves §")] == ["5 seat 1 > /moves 4", "4", "44", "444"]
    assert told[-2] == "Nothing of that is possible here."


def test_the_service_can_shuffle_and_a_deck_can_be_typed(tmp_path: Path):
    assert recorded(*ALCASAN, "--data", tmp_path, lines=["/dealer 1", "/shuffle"]) == [
        f"{DEAL} /dealer 1",
        "2 deal [Enter: hand 1, seat 1 deals, nobody knows the deck] > /shuffle",
        "Hand 1: seat 1 deals.",
        "3 seat 0 >",
    ]
    typed = kiebitz("record", *ALCASAN, "--data", tmp_path, lines=["/deck 3 7f t 9 9?"])
    exported = json.loads(kiebitz("export", game_of(typed), "--data", tmp_path).stdout)
    assert exported["hands"][0]["deck"][:8] == ["3", "7", "fire", "10", "9", "9", "?", "?"]


def test_a_hand_of_which_only_the_points_are_known_is_entered_by_them(tmp_path: Path):
    lines = ["/result", "/result eight 3", "/result 1", "/result -25 120"]
    told = recorded("--ruleset", "canasta", "--seats", 4, "--lang", "en", "--data", tmp_path, lines=lines)
    assert told[1:6:2] == ["Points are whole numbers, one a party: 8 3."] * 2 + [told[5]]
    assert "(COM-67" in told[5]
    assert "-25 : 120" in told[7]
    assert told[-1].startswith("3 deal [Enter: hand 2, seat 1 deals")


def test_a_board_is_dealt_in_a_round_only(tmp_path: Path):
    told = recorded(*ALCASAN, "--data", tmp_path, lines=["/board 3"])
    assert told[1] == "Boards are prepared for the rounds of a tournament, and this game belongs to none. Deal from a deck."


def test_a_deck_with_what_is_no_card_is_not_dealt(tmp_path: Path):
    told = recorded(*ALCASAN, "--data", tmp_path, lines=["/deck 37 q"])
    assert told == [f"{DEAL} /deck 37 q", "“q” is no card here, or may be several; name the suit.", DEAL]


def test_the_help_names_every_command(tmp_path: Path):
    told = recorded(*ALCASAN, "--data", tmp_path, lines=["/help"])
    assert [line.split()[0] for line in told[1:-1]] == [
        "/undo",
        "/drop",
        "/moves",
        "/table",
        "/seat",
        "/dealer",
        "/shuffle",
        "/deck",
        "/board",
        "/result",
        "/help",
        "/quit",
    ]


def test_games_that_are_not_over_are_named(tmp_path: Path):
    game = game_of(kiebitz("record", *ALCASAN, "--data", tmp_path, lines=[""]))
    assert kiebitz("record", "--data", tmp_path, "--lang", "en").stdout.splitlines() == [
        f"{game}  alcasan, hand 1, position 2",
        f"Games that are not over: 1. Go on with one: {program()} record GAME --data {tmp_path}.",
        f"Open one: {program()} record --ruleset RULESET --seats NUMBER --data {tmp_path}",
    ]


NOT_RECORDED = (
    (["nonsense"], "There is no game"),
    (["5c0c8f1e-0000-4000-8000-000000000000"], "There is no game"),
    (["5c0c8f1e-0000-4000-8000-000000000000", "--ruleset", "casino"], "not both"),
    (["--ruleset", "alcasan", "--seats", 9], "bad_seats"),
    (["--ruleset", "alcasan", "--seats", 2, "--option", "limit=x"], "bad_option"),
    (["--ruleset", "alcasan", "--seats", 2, "--player", "anna"], "bad_players"),
)


def test_what_cannot_be_recorded_at_all_is_said_in_a_line(tmp_path: Path):
    kiebitz("record", *ALCASAN, "--data", tmp_path)
    for arguments, says in NOT_RECORDED:
        result = kiebitz("record", *arguments, "--data", tmp_path, "--lang", "en")
        assert result.exit_code != 0
        assert says in result.output
        assert "Traceback" not in result.output


def test_nobody_is_called_by_the_id_of_a_player(tmp_path: Path):
    result = kiebitz("record", *ALCASAN, "--data", tmp_path, "--player", "anna", "--player", "-", lines=[""])
    assert ("seat 0:" in result.stdout, "anna" in result.stdout) == (True, False)
