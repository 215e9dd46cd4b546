"""A sign may say what lies on the table: then the full form is written with the table before the move."""

from msgspec import Struct
from msgspec.structs import replace

from domain.cards import Seat
from domain.games.alcasan.table import AlcasanTable
from domain.notation.letters import CardUnit, Move, SignUnit, Unit
from domain.notation.reading import read
from domain.notation.reading_types import MoveReading
from domain.notation.syntax import Notation
from domain.notation.writing import notation_of, write
from tests.domain.games.alcasan.positions import Position
from tests.notation.short import write_short

SEVEN: Move = {"type": "lay", "cards": ("7",)}


class Rules(Struct):
    """A rulebook, as far as the notation needs it."""

    notation: Notation | None


def with_the_pile(_: object, table: AlcasanTable, seat: Seat, move: Move) -> tuple[Unit, ...]:
    """``#`` where nothing lies under the card."""
    card = CardUnit("7", role="played")
    return (card,) if table.table.cards("pile") else (card, SignUnit("#"))


def test_the_full_form_says_what_lies_there_if_the_table_is_at_hand():
    upon, alone = Position("7 9", "9", pile="5"), Position("7 9", "9", pile="")
    notation = notation_of(upon.rulebook)
    rules = Rules(replace(notation, grammar=replace(notation.grammar, spell_there=with_the_pile)))
    assert write(rules, SEVEN, "en") == "7"
    assert write(rules, SEVEN, "en", before=(upon.table, 0)) == "7"
    assert write(rules, SEVEN, "en", before=(alone.table, 0)) == "7 #"
    assert read(rules, alone.table, 0, "7", "en") == MoveReading(SEVEN, "7 #")
    assert write_short(rules, alone.table, 0, SEVEN, "en") == "7"
