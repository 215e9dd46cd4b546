"""An official moves unknown cards, and what he names he tells (COM-75)."""

from typing import Any

from domain.effects import CardsMoved, Known
from domain.table import fold
from domain.table_changes import correct_table, read_table_change
from tests.domain.unknown_cards.tables import RULES, dealt, refusal
from tests.each import each


def test_a_card_that_is_named_is_told():
    read = read_table_change(RULES, dealt(), [["moved", ["6S"], "hand:0", "board"]])
    assert read == (Known("hand:0", ("6S",)), CardsMoved(("6S",), "hand:0", "board"))
    assert correct_table(dealt(), read).cards("board")[-1] == "6S"  # as the audit plays it again


def test_an_unknown_card_is_moved_without_a_face():
    read = read_table_change(RULES, dealt(), [["moved", ["?"], "stock", "hand:0"]])
    table = fold(dealt(), read)
    assert (table.cards("hand:0"), table.has_unknown_cards) == (("?",) * 5, True)


def test_nothing_untold_is_laid_in_sight():  # COM-73
    code, detail = refusal(lambda: read_table_change(RULES, dealt(), [["moved", ["?", "?"], "stock", "board"]]))
    assert (code, detail["asks"]) == ("card_unknown", ({"zone": "stock", "places": (0, 1)},))


@each(
    ("effects", "code"),
    [
        ([["known", "hand:0", ["6S"]]], "not_by_rectification"),
        ([["moved", ["9C"], "hand:0", "board"]], "card_not_there"),
        ([["moved", ["6S"] * 2, "hand:0", "board"]], "card_not_there"),
        ([["moved", ["?"] * 5, "hand:0", "hand:1"]], "card_not_there"),
    ],
)
def test_what_cannot_be_is_refused(effects: Any, code: str):
    assert refusal(lambda: read_table_change(RULES, dealt(), effects))[0] == code
