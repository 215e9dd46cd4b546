"""Lines of Cascades on positions."""

from domain.notation.reading import read
from domain.notation.reading_types import Ambiguous, IllegalReading, Incomplete, MoveReading, Reading, Unreadable
from domain.notation.syntax import MoveFaces
from domain.rules import Move
from domain.sight import PUBLIC, masked
from tests.domain.games.cascades.positions import EXTENDED, Position
from tests.notation.short import write_short

TURN: Move = {"type": "turn"}


def answer(position: Position, line: str, language: str = "en") -> Reading:
    return read(position.rulebook, position.table, 0, line, language)


def play(card: str, tier: int) -> Move:
    return {"type": "play", "card": card, "tier": tier}


def test_the_empty_line_turns_three_though_other_moves_are_legal():
    assert answer(Position("5-ML", waste="4-WL"), "") == answer(Position("5-ML", waste="4-WL"), ".") == MoveReading(TURN, ".")


def test_a_card_is_named_as_far_as_needed():
    position = Position("5-ML", waste="4-WL")
    for line in ("4", "4w", "4lw", "4-", "4-1", "41", "4 1", "4wl -1"):
        assert answer(position, line) == MoveReading(play("4-WL", 0), "4wl -1")
    assert write_short(position.rulebook, position.table, 0, play("4-WL", 0), "en") == "4"


def test_two_tiers_are_both_offered():
    position = Position("A-W 5-ML", "6-LK", waste="A-L")
    several = answer(position, "a")
    assert isinstance(several, Ambiguous)
    assert [option.written for option in several.options] == ["Al -1", "Al -2"]
    assert several.says == "Al -1 or Al -2?"
    assert write_short(position.rulebook, position.table, 0, play("A-L", 1), "en") == "a2"


def test_a_court_and_a_crown_are_one_letter_as_long_as_only_one_fits():
    position = Position("5-ML", waste="CROWN-L", options=EXTENDED)
    assert answer(position, "c") == answer(position, "cr") == MoveReading(play("CROWN-L", 0), "CRl -1")
    assert answer(position, "k", "de") == answer(position, "cr", "de") == MoveReading(play("CROWN-L", 0), "Kb -1")
    assert isinstance(answer(position, "co"), IllegalReading)


def test_giving_up_is_spelled_out():
    position = Position("5-ML", waste="4-YK", stock="", pass_=3, turns=9)
    assert isinstance(answer(position, ""), Incomplete)
    assert isinstance(answer(position, "r"), Unreadable)
    assert answer(position, "aufgeben", "de") == answer(position, "resign", "de") == MoveReading({"type": "resign"}, "aufgeben")


def test_what_does_not_fit_is_refused_with_its_rules():
    refused = answer(Position("5-ML", waste="4-YK"), "4")
    assert isinstance(refused, IllegalReading)
    assert refused.refused.code == "suit_mismatch"
    assert refused.says.endswith("(CSC-26)")


def test_the_last_card_of_a_turn_is_told_and_may_stand_alone():
    position = Position("5-ML", waste="4-WL")
    table = masked(position.table, PUBLIC)
    for line in ("!9lk", ". !9lk", "! ? ? 9lk", "!??9lk"):
        assert read(position.rulebook, table, 0, line, "en") == MoveReading(TURN, ".", MoveFaces({"stock": ("?", "?", "9-LK")}))


def test_the_card_that_is_uncovered_is_told():
    position = Position("5-ML", waste="4-MS 4-WL")
    told = MoveFaces({"waste": ("?", "4-MS")})
    read_ = read(position.rulebook, masked(position.table, PUBLIC), 0, "4wb1 !4ms", "de")
    assert read_ == MoveReading(play("4-WL", 0), "4wb -1", told)


def test_a_face_without_its_suits_tells_nothing():
    position = Position("5-ML", waste="4-MS 4-WL")
    found = read(position.rulebook, masked(position.table, PUBLIC), 0, "4!4", "en")
    assert isinstance(found, Incomplete)
    assert all(card in found.says for card in ("(4-MS)", "(4-WL)", "(4-YK)"))
