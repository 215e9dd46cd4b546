"""`kiebitz record` on a real terminal: the table above, completion, what a line would do below, and one key that takes back."""

from pathlib import Path

from tests.deploy.cli.recording.sessions import ALCASAN
from tests.deploy.terminals import on_a_terminal

CTRL_C, CTRL_D, CTRL_Z = "\x03", "\x04", "\x1a"


def test_the_table_stands_above_and_what_the_line_would_do_below(tmp_path: Path):
    with on_a_terminal("record", *ALCASAN, "--data", tmp_path) as terminal:
        terminal.shows("2 deal >", "Enter: hand 1, seat 0 deals, nobody knows the deck")
        terminal.types("\r")
        terminal.shows("Hand 1: seat 0 deals.", "seat 0: (6 not seen)", "To act: seat 0, 1", "3 seat 0 >")
        terminal.types("37f")
        terminal.shows("Seat 0 lays open 3 7 fire.")
        terminal.types("\r")
        terminal.shows("open: 3 7 fire", "4 seat 1 >")
        terminal.types("99t\r")
        terminal.shows("5 seat 1 >")
        terminal.types("4")
        terminal.shows("Seat 1 lays water (4)", "444")
        terminal.types("4\r")
        terminal.shows("Seat 1 lays water (4), water (4) and draws 2.", "6 seat 0 >")
        terminal.types(CTRL_Z)
        terminal.shows("Taken back to position 4.", "Enter again: 44")
        terminal.types("\r")
        terminal.shows("8 seat 0 >")
        terminal.types("5§")
        terminal.shows("§ means nothing here.")
        terminal.types(CTRL_C)
        terminal.types("/quit\r")
        assert terminal.ended() == 0


def test_the_end_of_input_ends_it_and_says_how_to_go_on(tmp_path: Path):
    with on_a_terminal("record", *ALCASAN, "--lang", "de", "--data", tmp_path) as terminal:
        terminal.shows("2 Geben >")
        terminal.types(CTRL_D)
        terminal.shows("Die Partie geht weiter, wo sie jetzt steht, mit:")
        assert terminal.ended() == 0
