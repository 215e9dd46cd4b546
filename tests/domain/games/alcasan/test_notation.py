"""Lines of alcasan on positions: what is incomplete, what is refused, what is told."""

from domain.notation.reading import read
from domain.notation.reading_types import IllegalReading, Incomplete, MoveReading, Reading, Tells, Unreadable
from domain.notation.syntax import MoveFaces
from domain.rules import Move
from domain.sight import PUBLIC, masked
from domain.table import Table, fold
from tests.domain.games.alcasan.positions import MAY, Position
from tests.notation.short import write_short


def answer(position: Position, line: str, language: str = "en") -> Reading:
    return read(position.rulebook, position.table, 0, line, language)


def chosen_from(hand: str) -> Position:
    """The first choice of a hand of two seats, before seat 0 has chosen."""
    position = Position(hand, "9")
    table = Table(position.rulebook.setup)
    position.table = fold(table, position.rulebook.deal(table, 0, deck_with(position.rulebook.deck, tuple(hand.split()))))
    return position


def deck_with(full: tuple[str, ...], hand: tuple[str, ...]) -> tuple[str, ...]:
    """A deck from which seat 0, to the dealer's right of two, gets this hand."""
    left = list(full)
    for card in hand:
        left.remove(card)
    deck: list[str] = left[:6]
    others = left[6:]
    for card in hand:
        deck += [others.pop(0), card]
    return (*deck, *others)


def test_two_of_three_cards_are_incomplete_and_the_rules_say_what_is_missing():
    several = answer(chosen_from("1 2 3 5 6 7"), "12")
    assert isinstance(several, Incomplete)
    assert {option.written for option in several.options} == {"123", "125", "126", "127"}
    assert several.refused is not None
    assert several.refused.code == "wrong_card_count"


def test_a_card_that_is_not_held_cannot_be_chosen():
    refused = answer(chosen_from("1 2 3 5 6 7"), "12t")
    assert isinstance(refused, IllegalReading)
    assert refused.refused.code == "card_not_in_hand"


def test_more_copies_than_are_held_are_refused_and_not_read_as_fewer():
    refused = answer(Position("7 7 9", "9", pile="5"), "777")
    assert isinstance(refused, IllegalReading)
    assert refused.refused.code == "card_not_in_hand"


def test_taking_and_declining_are_refused_with_their_own_codes():
    taken, declined = answer(Position("7 9", "9", pile="5"), "x"), answer(Position("7 9", "9", pile="5"), "~")
    assert isinstance(taken, IllegalReading)
    assert isinstance(declined, IllegalReading)
    assert (taken.refused.code, declined.refused.code) == ("must_lay", "nothing_to_decline")


def test_a_further_lay_is_declined_with_its_sign():
    position = Position("7 9", "9", pile="", extra=True, options=MAY)
    assert answer(position, "~") == MoveReading({"type": "decline"}, "~")


def test_the_card_that_is_turned_is_told_behind_the_sign():
    position = Position("", "9", open=("",), down=("? ? ?",), pile="5")
    told = MoveFaces({"down:0:0": ("7",)})
    assert answer(position, "1!7") == answer(position, "#1 ! 7") == MoveReading({"type": "reveal", "position": 0}, "#1", told)


def test_the_sign_alone_tells_nothing_yet_and_what_is_not_there_is_lacking():
    position = Position("", "9", open=("",), down=("? ? ?",), pile="5")
    reveal: Move = {"type": "reveal", "position": 0}
    assert answer(position, "1!") == MoveReading(reveal, "#1")
    assert answer(position, "1!~7") == MoveReading(reveal, "#1", MoveFaces(lacks={"down:0:0": ("7",)}))
    assert answer(Position("7 8", "9", pile="5"), "7!") == MoveReading({"type": "lay", "cards": ("7",)}, "7")
    assert answer(Position("7 8", "9", pile="5"), "7!8") == Unreadable(1, "! means nothing here.")


def test_a_hand_is_told_at_any_time():
    assert answer(Position("? 9", "9", pile="5"), "@0 !7") == Tells(MoveFaces({"hand:0": ("7",)}))
    assert answer(Position("? 9", "9", pile="5"), "@1 !~7 f") == Tells(MoveFaces(lacks={"hand:1": ("7", "fire")}))


def test_of_an_unknown_hand_any_kind_may_be_played():
    position = Position("7 9", "9", pile="5")
    unknown = masked(position.table, PUBLIC)
    assert write_short(position.rulebook, unknown, 0, {"type": "lay", "cards": ("7",)}, "en") == "7"
    assert isinstance(read(position.rulebook, unknown, 0, "8", "en"), MoveReading)
    assert isinstance(answer(position, "8"), IllegalReading)


def test_sentences_count_positions_as_lines_do():
    position = Position("", "9", open=("",), down=("- 8 8",), pile="5")
    gone, laid = answer(position, "#1"), answer(position, "8 8")
    assert isinstance(gone, IllegalReading)
    assert isinstance(laid, IllegalReading)
    assert gone.says == "No face-down card of yours lies at position 1. Turn one at position 2 or 3. (ALC-36)"
    assert laid.says == "You have neither hand nor open cards. Turn one of your face-down cards, at position 2 or 3. (ALC-36)"
