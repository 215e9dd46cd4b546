"""Cards that nobody has told: what a move tells by itself, what is asked for, and when the pile may be taken."""

from collections.abc import Iterable
from typing import Any

import pytest

from domain.cards import HIDDEN, Card, Seat
from domain.effects import CardsMoved, Effects, Known, MarkSet, TurnPassed
from domain.errors import Refused
from domain.games.alcasan.kinds import DECK
from domain.rules import KnownFaces, Move, Rulebook
from domain.sight import PUBLIC, Viewer, masked, redact_effects
from domain.table import Table, fold
from tests.domain.games.alcasan.positions import ALCASAN, ANY, COMPARED, MAY, Position
from tests.domain.games.positions import cards
from tests.each import each

TAKE: Move = {"type": "take"}
DOWN: tuple[str, ...] = ("? ? ?",) * 2


def judged(position: Position, move: Move, **known: str) -> Effects:
    """``hand_1="7 7"`` tells cards of a zone beside the move."""
    told = {zone.replace("_", ":"): cards(text) for zone, text in known.items()}
    return position.rulebook.resolve(position.table, position.table.turn, move, KnownFaces(known=told))


def refused(call: Any) -> tuple[str, tuple[str, ...], object]:
    """Code and rules of a refusal, and what it asks for."""
    with pytest.raises(Refused) as error:
        call()
    return error.value.code, error.value.rules, error.value.detail.get("asks")


def lay(*laid: Card) -> Move:
    return {"type": "lay", "cards": laid}


def removed_but(*left: Card) -> str:
    """All cards of the game but these."""
    return " ".join(_without(DECK, left))


def _without(deck: Iterable[Card], gone: Iterable[Card]) -> list[Card]:
    lying = list(deck)
    for card in gone:
        lying.remove(card)
    return lying


def begun(seats: int, dealer: Seat, known: object = None) -> tuple[Rulebook, Table]:
    """A hand that is dealt from an unknown deck."""
    rulebook = ALCASAN.bind({}, seats)
    table = Table(rulebook.setup)
    deck = (HIDDEN,) * len(rulebook.deck)
    effects = rulebook.deal(table, dealer, deck) if known is None else rulebook.deal(table, dealer, deck, known)
    return rulebook, fold(table, effects)


# The deal and the choice


def test_a_deal_asks_for_nothing():  # ALC-46
    _, table = begun(3, 0)
    assert [table.cards(zone) for zone in ("hand:1", "down:2:1", "stock")] == [("?",) * 6, ("?",), ("?",) * 25]


def test_hands_face_down_cards_and_stock_may_be_told_with_the_deal():  # COM-70
    _, table = begun(2, 0, {"hand:1": ["7", "fire"], "down:0:2": ["9"], "stock": ["?", "air"]})
    assert [table.cards(zone) for zone in ("hand:1", "down:0:2")] == [("7", "fire", "?", "?", "?", "?"), ("9",)]
    assert table.cards("stock")[-3:] == ("?", "air", "?")


def test_a_choice_tells_the_three_cards():  # ALC-46, COM-72
    rulebook, table = begun(2, 0)
    assert rulebook.resolve(table, 1, {"type": "choose_open", "cards": ["7", "fire", "7"]}) == (
        Known("hand:1", ("7",)),
        Known("hand:1", ("fire", "7")),
        Known("hand:1", ("7", "fire", "7")),
        CardsMoved(("7", "fire", "7"), "hand:1", "open:1", shown=True),
        TurnPassed("choose_open", None, (0,)),
    )


def test_a_choice_of_cards_that_lie_elsewhere_is_not_held():  # COM-72
    rulebook, table = begun(2, 0, {"hand:0": ["7", "7"]})
    choice = {"type": "choose_open", "cards": ["7", "7", "7"]}
    assert refused(lambda: rulebook.resolve(table, 1, choice)) == ("card_not_in_hand", ("ALC-12",), None)


# Laying


def test_a_lay_tells_the_cards_by_itself():  # ALC-46, COM-72
    position = Position("? ? ?", "? ? ?", down=DOWN, pile="5", stock="? ? ?")
    assert position.judge(lay("7", "7"))[:4] == (
        Known("hand:0", ("7",)),
        Known("hand:0", ("7", "7")),
        CardsMoved(("7", "7"), "hand:0", "pile", shown=True),
        CardsMoved(("?", "?"), "stock", "hand:0"),
    )


def test_of_equal_copies_the_known_one_is_meant_first():  # COM-72
    position = Position("7 ? ?", "? ? ?", down=DOWN, pile="5", stock="? ? ?")
    assert position.judge(lay("7"))[0] == CardsMoved(("7",), "hand:0", "pile", shown=True)


def test_a_card_is_not_held_where_all_its_copies_lie_elsewhere():  # COM-72
    position = Position("? ? ?", "? ? ?", down=DOWN, pile="7 7 5", removed="7 7", stock="? ? ?")
    assert refused(lambda: position.judge(lay("7"))) == ("card_not_in_hand", ("ALC-18",), None)


def test_more_copies_than_unknown_cards_are_not_held():  # COM-72
    position = Position("3 ? ?", "? ? ?", down=DOWN, pile="5", stock="? ? ?")
    assert refused(lambda: position.judge(lay("7", "7", "7"))) == ("card_not_in_hand", ("ALC-18",), None)


def test_a_card_of_the_open_ones_is_not_told_of_the_hand():  # COM-72
    position = Position("", "? ? ?", open=("7 7 3", ""), down=DOWN, pile="5")
    assert position.judge(lay("7"))[0] == CardsMoved(("7",), "open:0", "pile", shown=True)


def test_what_does_not_fit_is_refused_also_if_nobody_knows_the_hand():  # ALC-21
    position = Position("? ? ?", "? ? ?", down=DOWN, pile="8", stock="? ? ?")
    assert refused(lambda: position.judge(lay("7"))) == ("card_too_low", ("ALC-21",), None)


def test_drawing_asks_for_nothing():  # ALC-46
    position = Position("? ? ?", "? ? ?", down=DOWN, pile="5", stock="? 6 ?")
    position.go(lay("7", "7"))
    assert position.lies("hand:0") == "? ? 6"


# Taking the pile


def test_the_pile_may_be_taken_by_a_hand_that_nobody_knows():  # ALC-47
    position = Position("? ? ?", "? ? ?", down=DOWN, pile="8", stock="? ? ?")
    assert position.take() == (CardsMoved(("8",), "pile", "hand:0"), MarkSet("moves_made", 1), TurnPassed("play", 1, (1,)))
    assert position.lies("hand:0") == "? ? ? 8"


def test_the_pile_may_not_be_taken_if_a_known_card_fits():  # ALC-47
    position = Position("? 10 ?", "? ? ?", down=DOWN, pile="8", stock="? ? ?")
    assert position.taking_refused == ("must_lay", ("ALC-30",))


def test_the_pile_may_not_be_taken_with_nothing_on_it_that_could_forbid_a_lay():  # ALC-30, ALC-47
    position = Position("? ? ?", "? ? ?", down=DOWN, pile="air", stock="? ? ?")
    assert position.taking_refused == ("must_lay", ("ALC-30", "ALC-47"))


def test_the_pile_may_not_be_taken_if_too_few_cards_are_left_that_do_not_fit():  # ALC-47
    left = ("2", "3", "9", "9", "fire", "fire")
    position = Position("? ? ?", "? ? ?", open=("", ""), down=("- - -", "- - -"), pile="8", removed=removed_but("8", *left))
    assert position.taking_refused == ("must_lay", ("ALC-30", "ALC-47"))
    enough = ("2", "3", "2", "9", "fire", "fire")
    position = Position("? ? ?", "? ? ?", open=("", ""), down=("- - -", "- - -"), pile="8", removed=removed_but("8", *enough))
    assert position.take()


def on_water(hand: str, unseen: str) -> Position:
    """Four are compared with water; these cards are all that nobody has seen."""
    left = (*_without(cards(hand), "?" * hand.count("?")), *cards(unseen))
    other = " ".join("?" * (len(cards(unseen)) - hand.count("?")))
    gone = ("- - -", "- - -")
    return Position(hand, other, open=("", ""), down=gone, pile="4", removed=removed_but("4", *left), options=COMPARED)


def test_the_pile_may_not_be_taken_if_four_that_are_known_fit_together():  # ALC-28, ALC-30
    assert on_water("8 8 8 8 ?", "9 9 fire").taking_refused == ("must_lay", ("ALC-30", "ALC-28"))


def test_three_and_an_unknown_card_may_not_be_four():  # ALC-28, ALC-47
    position = on_water("8 8 8 ?", "8 9")
    assert listed(position) == ["8 8 8 8", "take"]
    assert position.take()


def test_the_pile_may_not_be_taken_if_the_unknown_card_makes_four_or_fits_by_itself():  # ALC-28, ALC-47
    position = on_water("8 8 8 ?", "8 fire")
    assert listed(position) == ["8 8 8 8", "fire"]
    assert position.taking_refused == ("must_lay", ("ALC-30", "ALC-47"))


def test_a_fitting_card_that_is_laid_later_makes_no_taking_wrong():  # ALC-47
    position = Position("? ? ?", "? ? ?", down=DOWN, pile="8", stock="? ? ?")
    position.take()
    position.go(lay("2"))
    assert position.lay("10")[0] == Known("hand:0", ("10", "8"))


def test_cards_of_the_pile_stay_known_in_the_hand_that_takes_them():  # ALC-46
    position = Position("? ?", "? ? ?", down=DOWN, pile="7 8")
    position.take()
    position.go(lay("10"))
    assert position.lies("hand:0") == "? ? 7 8"


# Face-down cards


def test_turning_asks_for_the_card():  # ALC-46
    position = Position("", "? ? ?", open=("", "9 9 9"), down=DOWN, pile="8")
    ask = ({"zone": "down:0:1", "places": (0,)},)
    assert refused(lambda: position.judge({"type": "reveal", "position": 1})) == ("card_unknown", ("COM-73", "ALC-46"), ask)


@each(("card", "ends"), [("9", "pile"), ("7", "hand:0")])
def test_a_card_that_is_turned_is_told_whether_it_fits_or_not(card: Card, ends: str):  # ALC-36, ALC-37, ALC-46
    position = Position("", "? ? ?", open=("", "9 9 9"), down=DOWN, pile="8")
    effects = judged(position, {"type": "reveal", "position": 1}, down_0_1=card)
    assert effects[:2] == (Known("down:0:1", (card,)), CardsMoved((card,), "down:0:1", ends, shown=True))


def test_only_face_down_cards_that_are_left_can_be_turned_however_unknown():  # ALC-36
    position = Position("", "? ? ?", open=("", "9 9 9"), down=("- ? ?", "? ? ?"), pile="8")
    assert refused(lambda: position.judge({"type": "reveal", "position": 0})) == ("bad_position", ("ALC-36",), None)


# Declining


def test_a_further_lay_may_be_declined_whatever_is_held():  # ALC-45
    position = Position("? ? ?", "? ? ?", down=DOWN, stock="? ? ?", extra=True, options=MAY)
    assert position.decline() == (MarkSet("extra_lay", None), TurnPassed("play", 1, (1,)))


# What is known of others


def test_nobody_is_told_what_the_record_learns_of_a_hand():  # COM-71
    position = Position("? ? ?", "? ? ?", down=DOWN, pile="5", stock="? ? ?")
    effects = judged(position, lay("7"), hand_1="fire")
    told = redact_effects(PUBLIC, position.table, effects)
    assert told[0] == CardsMoved(("7",), "hand:0", "pile", shown=True)
    assert redact_effects(Viewer(1), position.table, effects)[0] == Known("hand:1", ("fire",))


@each(
    ("known", "why"),
    [
        ({"hand:1": ["5"] * 3}, ("hand:1", "5", "accounted")),
        ({"hand:1": ["6"] * 4}, ("hand:1", "6", "full")),
        ({"down:0:0": ["6", "6"]}, ("down:0:0", "6", "place")),
        ({"down:0:3": ["6"]}, ("down:0:3", "?", "zone")),
        ({"open:0": ["9"]}, ("open:0", "?", "zone")),
        ({"pile": ["5"]}, ("pile", "?", "zone")),
    ],
)
def test_what_cannot_be_is_refused(known: dict[str, list[Card]], why: tuple[str, Card, str]):  # COM-71
    position = Position("? ? ?", "? ? ?", down=DOWN, pile="5 5", stock="? ? ?")
    with pytest.raises(Refused) as error:
        position.rulebook.tell(position.table, known)
    detail = error.value.detail
    assert (error.value.code, detail["zone"], detail["card"], detail["problem"]) == ("card_impossible", *why)


# What can be played


def listed(position: Position, seat: Seat = 0) -> list[str]:
    """The moves of the seat from what it sees: ``7 7`` is a lay."""
    moves = position.rulebook.legal(masked(position.table, Viewer(seat)), seat)
    return [" ".join(move.get("cards", (move["type"],))) for move in moves]  # pyrefly: ignore[no-matching-overload]


def with_unseen(hand: str, unseen: str) -> Position:
    """Seat 0 is to lay on a 9; these cards are all that it does not see."""
    left = (*_without(cards(hand), "?" * hand.count("?")), *cards(unseen))
    return Position(hand, "? ?", open=("8 8 8", "7 7 7"), down=DOWN, pile="9", removed=removed_but(*cards("8 8 8 7 7 7 9"), *left))


def test_an_unknown_hand_may_lay_whatever_fits_and_is_not_seen_and_may_take():  # COM-76
    assert listed(with_unseen("? ?", "9 9 fire 2 2 3 3 5 5 6")) == ["9", "9 9", "fire", "take"]


def test_a_known_card_that_fits_has_to_be_laid():  # COM-76, ALC-47
    assert listed(with_unseen("9 ?", "9 fire 2 2 3 3 5 5 6")) == ["9", "9 9", "fire"]


def test_a_hand_that_must_hold_a_fitting_card_may_not_take():  # COM-76, ALC-47
    left = ("2", "3", "9", "9", "fire", "fire")
    position = Position("? ? ?", "? ? ?", open=("", ""), down=("- - -", "- - -"), pile="8", removed=removed_but("8", *left))
    assert listed(position) == ["9", "9 9", "fire", "fire fire"]


def test_as_a_further_lay_only_one_card_is_listed_of_an_unknown_hand():  # ALC-29
    left = ("2", "2", "3", "4", "fire")
    position = Position("? ?", "? ?", open=("", ""), down=("- - -", "? - -"), removed=removed_but(*left), extra=True)
    assert listed(position) == ["2", "3", "4", "fire"]
    position = Position("? ?", "? ?", open=("", ""), down=("- - -", "? - -"), removed=removed_but(*left), extra=True, options=ANY)
    assert listed(position) == ["2", "2 2", "3", "4", "fire"]


def test_an_unknown_hand_may_choose_any_three_cards_that_are_not_seen():  # COM-76
    rulebook, table = begun(2, 0, {"hand:0": ["7", "7", "7"], "hand:1": ["9", "9", "9", "fire", "fire"]})
    look = masked(table, Viewer(1))
    choices = [move["cards"] for move in rulebook.legal(look, 1)]
    assert len(choices) == len(set(map(str, choices)))  # each once
    assert (("1", "9", "9") in choices, ("1", "1", "9") in choices, ("7", "9", "9") in choices) == (True, False, True)
