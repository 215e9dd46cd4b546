"""Short forms: what they leave out, and what they never do."""

from msgspec import Struct
from msgspec.structs import replace

from domain.notation.letters import Cut, Move, SignUnit
from domain.notation.syntax import Meaning, MoveContext, Notation
from domain.notation.writing import notation_of
from tests.domain.games.alcasan.positions import Position
from tests.notation.short import write_short

SEVENS: Move = {"type": "lay", "cards": ("7", "7")}


class Other(Struct, frozen=True):
    """A rulebook whose grammar differs in something."""

    notation: Notation


def with_grammar(position: Position, **other: object) -> Other:
    notation = notation_of(position.rulebook)
    return Other(replace(notation, grammar=replace(notation.grammar, **other)))


def test_the_only_play_need_not_be_spelled_as_the_rules_list_it():  # NOT-12
    def spelled(_: object, move: Move) -> tuple[SignUnit, ...]:
        return (SignUnit("x"), SignUnit("~")) if move.get("otherwise") else (SignUnit("x"),)

    position = Position("7", "9", pile="5")
    otherwise: Move = {"type": "lay", "cards": ("7",), "otherwise": True}
    spelled_alike, alike = with_grammar(position, spell=spelled), with_grammar(position, spell=spelled, same=lambda _, move: move["cards"])
    assert write_short(spelled_alike, position.table, 0, otherwise, "en") == "x ~"
    assert write_short(alike, position.table, 0, otherwise, "en") == ""


def test_a_list_that_was_cut_off_makes_no_short_form():  # NOT-6
    def unsure(situation: MoveContext, cut: Cut) -> Meaning:
        return Meaning((SEVENS,), sure=False)

    position = Position("7 7 9", "9", pile="5")
    assert write_short(with_grammar(position, fitting=unsure), position.table, 0, SEVENS, "en") == "77"


def test_what_leaves_out_a_sign_that_its_number_needs_is_no_short_form():
    position = Position("", "9", open=("",), pile="5")
    second: Move = {"type": "reveal", "position": 1}
    assert write_short(with_grammar(position, bare=False), position.table, 0, second, "en") == "#2"
