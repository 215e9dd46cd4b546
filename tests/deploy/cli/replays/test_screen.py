"""`kiebitz replay --step` on a real terminal: keys are typed, and the screen is read."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from click.testing import CliRunner

from deploy.cli.main import main
from domain.games import RULESETS
from tests.deploy.cli.replays.test_told import CLAIM, evening
from tests.deploy.terminals import Terminal, on_a_terminal

CASES = Path(__file__).parent.parent.parent.parent / "cases"
HAND = CASES / "casino" / "hand-two-players-classic.json"
KEYS = "→ on  ← back  Home  End  ↑↓ scroll  g position  h hand  d dispute  q quit"
RIGHT, LEFT, DOWN, HOME, END, ESCAPE = "\x1bOC", "\x1bOD", "\x1bOB", "\x1bOH", "\x1bOF", "\x1b"


@contextmanager
def stepping(*arguments: object, rows: int = 24, columns: int = 100, term: str = "xterm") -> Iterator[Terminal]:
    with on_a_terminal("replay", *arguments, "--step", rows=rows, columns=columns, term=term) as terminal:
        yield terminal


def test_keys_lead_through_the_game_and_stand_on_the_screen():
    with stepping(HAND, "--position", 2) as terminal:
        first = terminal.shows("Position 2 of 50, hand 1", "quit")
        assert first[-1] == KEYS
        assert first[:6] == [
            "Position 2 of 50, hand 1",
            "Hand 1: seat 0 deals. Open: 9♣ 7♣ 8♥ 2♦. Deal 1.",
            "",
            "  seat 0: J♣ K♠ 6♦ J♠",
            "  seat 1: 4♣ 2♥ 8♠ 5♦",
            "  stock: 40 cards",
        ]
        for keys, shown in [
            (RIGHT, "Position 3 of 50"),
            ("n\r ", "Position 6 of 50"),
            (LEFT + "p", "Position 4 of 50"),
            (END, "Position 50 of 50"),
            (HOME, "Position 1 of 50"),
            ("g2", "Go to position: 2_"),
            ("1\r", "Seat 1 takes the build of 8 with 8♦."),
            ("h1\r", "Position 2 of 50"),
            ("d1\r", "There is no dispute 1"),
            ("g51\r", "There is no position 51; the last is 50."),
            ("h9" + ESCAPE, KEYS),
        ]:
            terminal.types(keys)
            terminal.shows(shown)
        terminal.types("q")
        assert terminal.ended() == 0


def test_the_keys_of_a_terminal_that_sends_other_sequences_are_known_too():
    with stepping(HAND, term="linux") as terminal:
        terminal.shows("Position 1 of 50", "quit")
        for keys, shown in [("\x1b[C", "Position 2 of 50"), ("\x1b[4~", "Position 50 of 50"), ("\x1b[1~", "Position 1 of 50")]:
            terminal.types(keys)
            terminal.shows(shown)
        terminal.types(ESCAPE)
        assert terminal.ended() == 0


def test_what_does_not_fit_is_scrolled_and_the_keys_stay():
    with stepping(HAND, "--position", 19, rows=10, columns=40) as terminal:
        top = terminal.shows("Position 19", "quit")
        assert top[-3:] == ["→ on  ← back  Home  End  ↑↓ scroll  g", "      position  h hand  d dispute  q", "      quit"]
        terminal.types(DOWN * 40)
        assert terminal.shows("To act: seat 0")[-3:] == top[-3:]
        terminal.types(RIGHT)
        assert terminal.shows("Position 20 of 50")[-3:] == top[-3:]


def test_ctrl_c_ends_it_quietly():
    with stepping(HAND) as terminal:
        terminal.shows("quit")
        terminal.types("\x03")
        assert terminal.ended() == 0
        assert "Traceback" not in "\n".join(terminal.lines)


def test_of_a_refused_record_the_last_step_says_why():
    with stepping(CASES / "casino" / "owner-must-not-trail.json") as terminal:
        terminal.shows("Position 1 of 4", "quit")
        terminal.types(END)
        terminal.shows("Position 4 of 4", "must_not_trail (CNO-41)")
        terminal.types("q")
        assert terminal.ended() == 1


def test_names_claims_and_disputes_of_the_store(tmp_path: Path):
    game = evening(tmp_path)
    with stepping(game, "--data", tmp_path, "--lang", "de") as terminal:
        terminal.shows("Position 1 von", "q aus")
        terminal.types("d1\r")
        assert CLAIM in "\n".join(terminal.shows("(Anna Müller)", CLAIM))
        terminal.types("d2\r")
        terminal.shows("Streitfall 2 gibt es nicht; so viele gibt es: 1.")


@pytest.mark.parametrize("ruleset", RULESETS)
def test_every_game_can_be_stepped_through(tmp_path: Path, ruleset: str):
    out = tmp_path / "game.ndjson"
    assert CliRunner().invoke(main, ["simulate", ruleset, "--max-moves", "20", "--out", str(out)]).exit_code == 0
    with stepping(out, "--lang", "de", rows=40) as terminal:
        terminal.shows("Position 1 ")
        terminal.types(RIGHT * 5)
        terminal.shows("Position 6 ")
        terminal.types("q")
        assert terminal.ended() == 0


def test_a_terminal_that_nothing_is_known_of_is_said_to_be_one():
    with stepping(HAND, term="no-such-terminal") as terminal:
        terminal.shows("--step cannot use this terminal (no-such-terminal)")
        assert terminal.ended() == 2
