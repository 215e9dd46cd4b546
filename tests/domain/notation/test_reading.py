"""What a line means, on positions of alcasan: the answers of ``docs/notation.md``."""

from domain.notation.reading import read
from domain.notation.reading_types import Ambiguous, IllegalReading, Incomplete, MoveReading, Option, Reading, Unreadable
from domain.notation.writing import write
from domain.rules import Move
from tests.domain.games.alcasan.positions import Position
from tests.notation.short import write_short

SEVEN: Move = {"type": "lay", "cards": ("7",)}
SEVENS: Move = {"type": "lay", "cards": ("7", "7")}
TAKE: Move = {"type": "take"}


def answer(position: Position, line: str, language: str = "en") -> Reading:
    return read(position.rulebook, position.table, 0, line, language)


def test_a_move_that_is_named_completely_is_meant_and_longer_lines_are_offered():
    assert answer(Position("7 7 9", "9", pile="5"), "7") == MoveReading(SEVEN, "7", longer=(Option(SEVENS, "77"),))


def test_blanks_and_notes_are_free():
    assert answer(Position("7 7 9", "9", pile="5"), " 7  7 ; at last") == MoveReading(SEVENS, "77")


def test_the_empty_line_is_the_only_move_there_is():
    assert answer(Position("1 2 3", "9", pile="9"), "") == MoveReading(TAKE, "x")
    assert answer(Position("1 2 3", "9", pile="9"), ".") == MoveReading(TAKE, "x")


def test_the_empty_line_says_nothing_where_there_are_several_moves():
    read_ = answer(Position("7 9", "9", pile="5"), "")
    assert read_ == Incomplete((Option(SEVEN, "7"), Option({"type": "lay", "cards": ("9",)}, "9")), "Type a move: there is more than one.")


def test_what_nothing_fits_is_refused_as_the_rules_refuse_it():
    refused = answer(Position("3 7 9", "9", pile="5"), "3")
    assert isinstance(refused, IllegalReading)
    assert (refused.refused.code, refused.refused.rules) == ("card_too_low", ("ALC-21",))
    assert refused.says.endswith("(ALC-21)")


def test_a_sign_that_the_game_does_not_use_means_nothing():
    assert answer(Position("7 9", "9", pile="5"), "7=") == Unreadable(1, "= means nothing here.")
    assert answer(Position("7 9", "9", pile="5"), "§", "de") == Unreadable(0, "§ bedeutet hier nichts.")


def test_a_sign_that_no_move_goes_on_with_means_nothing():
    assert answer(Position("7 9", "9", pile="5"), "7x") == Unreadable(1, "x means nothing here.")


def test_a_number_may_stand_without_its_sign_and_says_a_position_counted_from_one():
    position = Position("", "9", open=("",), pile="5")
    second: Move = {"type": "reveal", "position": 1}
    assert answer(position, "2") == answer(position, "#2") == answer(position, " # 2") == MoveReading(second, "#2")
    assert write_short(position.rulebook, position.table, 0, second, "en") == "2"


def test_a_sign_without_its_number_fits_several_moves():
    position = Position("", "9", open=("",), pile="5")
    several = answer(position, "#")
    assert isinstance(several, Ambiguous)
    assert [option.written for option in several.options] == ["#1", "#2", "#3"]
    assert several.says == "#1, #2 or #3?"


def test_every_language_has_its_letters_and_reads_the_english_ones():
    position = Position("air 10", "9", pile="5")
    air: Move = {"type": "lay", "cards": ("air",)}
    assert write(position.rulebook, air, "en") == "A"
    assert write(position.rulebook, air, "de") == "L"
    assert answer(position, "l", "de") == answer(position, "a", "de") == MoveReading(air, "L")
    assert isinstance(answer(position, "z", "de"), MoveReading)
    assert isinstance(answer(position, "z"), Unreadable)


def test_a_line_of_ever_so_many_signs_is_answered():
    position = Position("7 9", "9", pile="5")
    assert isinstance(answer(position, "7" * 100), IllegalReading)
    assert isinstance(answer(position, "#" * 100), Unreadable)
    assert answer(position, "7" * 10_000) == Unreadable(300, "7 means nothing here.")
    assert answer(position, f"@{'7' * 290} !7") == Unreadable(0, "@ means nothing here.")


def test_a_seat_that_is_not_to_act_is_refused_as_the_rules_refuse_it():
    position = Position("7 9", "9", pile="5")
    later = read(position.rulebook, position.table, 1, "9", "en")
    assert isinstance(later, IllegalReading)
    assert later.refused.code == "not_your_turn"
    assert read(position.rulebook, position.table, 1, "", "en") == Incomplete((), "For this seat there is no move now.")
