"""Command `kiebitz replay`: a game on the terminal, from the local store, through a server and from a file."""

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from deploy.cli.main import main
from tests.deploy.serving import served

CASES = Path(__file__).parent.parent.parent / "cases"
HAND = CASES / "casino" / "hand-two-players-classic.json"


def kiebitz(*arguments: object) -> Result:
    return CliRunner().invoke(main, [str(argument) for argument in arguments])


def told(*arguments: object) -> list[str]:
    result = kiebitz("replay", *arguments)
    assert result.exit_code == 0, result.output
    return result.stdout.splitlines()


def imported(data: Path, record: Path = HAND) -> str:
    result = kiebitz("import", record, "--data", data)
    assert result.exit_code == 0, result.output
    return result.stdout.split("game ")[1].split()[0]


def test_a_game_is_told_with_its_hands_and_points():
    lines = told(HAND)
    record = json.loads(HAND.read_text())
    assert lines[0] == "     1   Casino and Royal Casino. Seats: 2."
    assert lines[1].startswith(f"     2   Hand 1: seat {record['hands'][0]['dealer']} deals. Open: ")
    assert [line.split(":")[0].strip() for line in lines[2:4]] == ["seat 0", "seat 1"]
    moves = len(record["hands"][0]["moves"])
    assert lines[-2].startswith(f"{moves + 2:>6}   Seat ")
    assert lines[-1].strip().startswith("Totals: ")
    assert len(lines) == moves + 5


def test_a_game_is_told_in_german():
    lines = told(HAND, "--lang", "de")
    assert lines[1].startswith("     2   Spiel 1: Sitz ")
    assert lines[-1].strip().startswith("Stand: ")


def test_the_store_tells_what_the_file_tells(tmp_path: Path):
    assert told(imported(tmp_path), "--data", tmp_path) == told(HAND)


def test_through_a_server_the_same_is_told(tmp_path: Path):
    with served("--data", tmp_path) as server:
        through = ("--url", server.url, "--token", server.token)
        result = kiebitz("import", HAND, *through)
        game = result.stdout.split("game ")[1].split()[0]
        for view in ("public", "seat:0", "seat:1", "arbiter"):
            assert told(game, *through, "--view", view) == told(HAND, "--view", view)
        assert told(game, *through, "--lang", "de", "--position", 9)[1:] == told(HAND, "--lang", "de", "--position", 9)[1:]
        unknown = kiebitz("replay", "00000000-0000-4000-8000-000000000000", *through)
        assert (unknown.exit_code, "unknown_game" in unknown.output) == (1, True)


def test_a_position_shows_what_happened_and_how_the_table_lies():
    first, caption, blank, *table = told(HAND, "--position", 3)
    assert first.startswith("Position 3 of ")
    assert caption.startswith("Seat ")
    assert blank == ""
    names = [line.split(":")[0].strip() for line in table]
    assert names[:4] == ["seat 0", "seat 1", "stock", "deal"]
    assert names[-2:] == ["Totals", "To act"]
    assert not any("(" in line.replace("(seat)", "") or "'" in line for line in table)


def test_a_seat_is_told_no_cards_of_others(tmp_path: Path):
    record = json.loads(HAND.read_text())
    record["hands"][0]["moves"] = record["hands"][0]["moves"][:5]
    unfinished = tmp_path / "unfinished.json"
    unfinished.write_text(json.dumps({key: record[key] for key in ("name", "ruleset", "options", "seats", "hands") if key in record}))
    hands = {view: [line.strip() for line in told(unfinished, "--view", view)[2:4]] for view in ("seat:0", "public", "arbiter")}
    assert hands["seat:0"] == [hands["arbiter"][0], "seat 1: (4 not seen)"]
    assert hands["public"] == ["seat 0: (4 not seen)", "seat 1: (4 not seen)"]


def test_what_was_taken_back_is_marked(tmp_path: Path):
    game = imported(tmp_path)
    full = tmp_path / "full.json"
    full.write_text(kiebitz("export", game, "--full", "--data", tmp_path).stdout)
    record = json.loads(full.read_text())
    assert told(full) == told(HAND)
    assert [line for line in told(full) if "×" in line] == []
    assert record["events"][0]["at"][:4] in told(full, "--position", 1)[0]


def test_every_game_can_be_told(tmp_path: Path):
    from domain.games import RULESETS

    for key in RULESETS:
        out = tmp_path / f"{key}.ndjson"
        assert kiebitz("simulate", key, "--max-moves", 20, "--out", out).exit_code == 0
        assert len(told(out, "--lang", "en")) > 10
        assert len(told(out, "--lang", "de", "--position", 20)) > 4


def test_of_a_refused_record_the_moves_before_it_are_told_and_why_it_is_refused():
    result = kiebitz("replay", CASES / "casino" / "owner-must-not-trail.json")
    assert result.exit_code == 1
    assert result.stdout.splitlines() == [
        "     1   Casino and Royal Casino. Seats: 2.",
        "     2   Hand 1: seat 1 deals. Open: 5♠ 8♦ K♥ Q♥. Deal 1.",
        "         seat 0: 3♥ 8♣ 4♦ K♠",
        "         seat 1: K♣ K♦ Q♠ Q♦",
        "     3   Seat 0 builds 8 with 3♥: 3♥ 5♠.",
        "     4   Seat 1 trails K♣.",
        "         Totals: 0 : 0",
    ]
    assert "must_not_trail (CNO-41)" in result.stderr
    at = kiebitz("replay", CASES / "casino" / "owner-must-not-trail.json", "--position", 4)
    assert (at.exit_code, at.stdout.splitlines()[:2]) == (1, ["Position 4 of 4, hand 1", "Seat 1 trails K♣."])


def test_a_refused_deal_leaves_the_hands_before_it(tmp_path: Path):
    record = json.loads(HAND.read_text())
    refused = tmp_path / "refused.json"
    refused.write_text(json.dumps({**record, "hands": [*record["hands"], {**record["hands"][0], "dealer": 1, "deck": ["AS"]}]}))
    result = kiebitz("replay", refused)
    assert result.stdout.splitlines() == told(HAND)
    assert (result.exit_code, "bad_deck" in result.stderr) == (1, True)


def test_where_the_set_up_is_refused_there_is_nothing_to_tell_but_why():
    result = kiebitz("replay", CASES / "alcasan" / "20-refused-set-up.json", "--lang", "de")
    assert (result.exit_code, result.stdout) == (1, "")
    assert "Eröffnung abgelehnt: bad_option (COM-10, ALC-4)" in result.stderr


def test_one_of_several_records_is_chosen(tmp_path: Path):
    out = tmp_path / "games.ndjson"
    kiebitz("simulate", "casino", "--games", 2, "--out", out)
    assert told(out, "--record", 2) != told(out)
    assert kiebitz("replay", out, "--record", 3).exit_code == 2


@pytest.fixture(scope="module")
def stored(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A store with a game, for reading."""
    data = tmp_path_factory.mktemp("stored")
    imported(data)
    return data


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["nonsense"], "There is no game"),
        ([HAND, "--position", 9999], "There is no position 9999"),
        ([HAND, "--view", "seat:2"], "There is no seat 2"),
        ([HAND, "--view", "everybody"], "arbiter, public or seat:N"),
        ([CASES / "casino" / "owner-must-not-trail.json"], "must_not_trail"),
    ],
)
def test_what_cannot_be_told_is_said_in_a_line(stored: Path, arguments: list[Any], says: str):
    result = kiebitz("replay", *arguments, "--data", stored)
    assert result.exit_code != 0
    assert says in result.output
    assert "Traceback" not in result.output


def test_who_wants_to_step_through_a_game_is_sent_to_its_page():
    result = kiebitz("replay", HAND, "--step", "--lang", "en")
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr.startswith("Error: The game is stepped through on its page: start `kiebitz serve` and open /g/GAME in a browser")


def test_cards_that_nobody_has_told_are_told_as_such():
    """Of a record that somebody kept who saw no hand."""
    record = CASES / "casino" / "own-unknown-cards-told-as-they-are-played.json"
    assert told(record)[2:6] == [
        "         seat 0: (4 not seen)",
        "         seat 1: (4 not seen)",
        "     3   Seat 0 trails 6♠.",
        "     4   Told: 10♦.",
    ]
    at_the_end = told(record, "--position", "5", "--lang", "de")
    assert "  Sitz 1: 10♦ (2 verdeckt)" in at_the_end
    assert "  unbekannt: Talon 40, hand:0 3, hand:1 2" in at_the_end


def test_a_record_with_unknown_cards_is_imported_and_exported_as_it_was(tmp_path: Path):
    record = CASES / "casino" / "own-unknown-cards-told-as-they-are-played.json"
    game = imported(tmp_path, record)
    exported = json.loads(kiebitz("export", game, "--data", tmp_path).stdout)
    [hand], [given] = exported["hands"], json.loads(record.read_text())["hands"]
    assert hand["moves"] == given["moves"]
    assert [card for card in hand["deck"] if card != "?"] == given["known"]["board"]
    assert kiebitz("audit", game, "--data", tmp_path).exit_code == 0
