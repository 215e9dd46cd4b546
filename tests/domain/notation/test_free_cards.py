"""A free card of a spelled move, such as the rank that names a meld, is left out of the short form by itself."""

from msgspec.structs import replace

from domain.notation.letters import CardUnit, Move, Unit
from domain.notation.writing import notation_of
from tests.domain.games.alcasan.positions import Position
from tests.notation.short import shorter

SEVENS: Move = {"type": "lay", "cards": ("7", "7")}


def named_first(_: object, move: Move) -> tuple[Unit, ...]:
    return (CardUnit("7", role="free"), CardUnit("7"), CardUnit("7", joined=True))


def test_what_names_a_meld_is_left_out_and_its_cards_stay():
    notation = notation_of(Position("7 7 9", "9", pile="5").rulebook)
    spelled = replace(notation, grammar=replace(notation.grammar, spell=named_first))
    assert "77" in shorter(spelled, SEVENS, "en")
