"""The Trumpfspiel with cards that nobody has told (QTR-30, QTR-31)."""

from typing import Any

import pytest

from domain.cards import HIDDEN
from domain.effects import CardsMoved, DetailAnnounced, Effects, Known
from domain.errors import Refused
from domain.rules import KnownFaces
from domain.table import Table, fold
from tests.domain.games.positions import moved, refusal_of
from tests.domain.games.quartett.positions import METALS, TRUMPF, Position, asks_of, trumpf
from tests.each import each

# densities: A1 7.87, A2 8.96, A3 7.31, A4 11.34, B1 10.49, B2 19.32, B3 21.45, B4 12.02, C1 2.7, C2 1.74, C3 4.51, C4 1.85
# periods:   A1 4, A2 4, A3 5, A4 6, B1 5, B2 6, B3 6, B4 5, C1 3, C2 3, C3 4, C4 2
MANY = "? ? ? ?"
RULES = ("COM-73", "QTR-30")


def play(at: Position, known: object = None, /, **move: Any) -> Effects:
    """The seat whose turn it is makes a move, and this is told beside it; the position goes on from there."""
    effects = at.judge(move, told=KnownFaces() if known is None else KnownFaces(known))
    at.table = fold(at.table, effects)
    return effects


def announce(at: Position, card: str | None = None, known: object = None, category: str = "density") -> Effects:
    return play(at, known, type="announce", category=category, **({"card": card} if card else {}))


def reply(at: Position, card: str, known: object = None) -> Effects:
    return play(at, known, type="reply", card=card)


def top(*seats: int) -> tuple[object, ...]:
    """What is asked for: the top cards of these seats."""
    return tuple({"zone": f"hand:{seat}", "places": (0,)} for seat in seats)


# What is asked for


def test_all_cards_that_are_shown_without_a_choice_are_asked_for_at_once():  # QTR-30
    assert asks_of(lambda: announce(trumpf(MANY, MANY, MANY))) == (RULES, top(0, 1, 2))


def test_cards_are_asked_for_up_to_the_next_seat_that_chooses():  # QTR-11, QTR-30
    position = trumpf(MANY, MANY, "? ?", "? ? ? ?", options={})
    assert asks_of(lambda: announce(position))[1] == top(0, 1)
    announce(position, known={"hand:0": ["A1"], "hand:1": ["B1"]})
    assert (position.table.phase, position.table.turn) == ("reply", 2)
    assert asks_of(lambda: reply(position, "C1"))[1] == top(3)


def test_the_last_card_of_a_seat_is_asked_for_as_well():  # QTR-11, QTR-30
    assert asks_of(lambda: announce(trumpf("A1 ? ? ?", "?", MANY)))[1] == top(1, 2)


def test_a_card_that_the_move_names_tells_itself():  # QTR-30, COM-72
    position = trumpf(MANY, MANY)
    assert asks_of(lambda: announce(position, "A1"))[1] == top(1)
    effects = announce(position, "A1", {"hand:1": ["B1"]})
    assert effects[:2] == (Known("hand:1", ("B1",)), Known("hand:0", ("A1",)))
    assert moved(effects)[:2] == [("A1", "hand:0", "round"), ("B1", "hand:1", "round")]


def test_also_a_seat_that_could_choose_is_asked_for_its_top_card_if_it_names_none():  # QTR-9, QTR-30
    position = trumpf("? ? ?", MANY)
    assert asks_of(lambda: announce(position))[1] == top(0, 1)
    assert moved(announce(position, known={"hand:0": ["A1"], "hand:1": ["B1"]}))[0] == ("A1", "hand:0", "round")


def test_what_is_known_is_not_asked_for():  # QTR-30
    assert asks_of(lambda: announce(trumpf("A1 ? ? ?", MANY, "? C1")))[1] == top(1)
    assert announce(trumpf("A1 ? ? ?", "B1 ? ? ?", "C1"))


def test_cards_that_were_won_are_known():  # QTR-12, QTR-30
    position = trumpf("? ? ?", MANY)
    announce(position, "B1", {"hand:1": ["A1"]})
    assert position.stacks() == ["? ? B1 A1", "? ? ?"]


def test_ties_and_the_end_ask_for_nothing():  # QTR-30, QTR-15, QTR-26
    position = trumpf("A1 ? ? ?", "? ? ? ?", options={**METALS, "round_limit": 1})
    announce(position, known={"hand:1": ["A2"]}, category="period")
    assert position.stacks() == ["? ? ? A1", "? ? ? A2"]
    assert position.table.phase == "game_over"


def test_cards_set_aside_are_never_asked_for_but_may_be_told():  # QTR-4, QTR-30
    position = Position(TRUMPF.bind(METALS, 5), [])
    position.table = fold(position.table, position.rulebook.deal(Table(position.rulebook.setup), 4, [HIDDEN] * 12, {"aside": ["C3", "C4"]}))
    assert position.view()["set_aside"] == ["C3", "C4"]
    assert position.view()["hands"] == [["?", "?"]] * 5


def test_who_can_only_draw_the_last_card_sits_out_and_nothing_is_asked_for():  # QTR-21, QTR-30
    position = trumpf("A1 ?", "?")
    effects = announce(position, "A1", {"hand:1": ["A2"]}, category="period")
    assert DetailAnnounced(1, "sat_out") in effects


def test_a_tie_break_of_the_tied_asks_for_their_cards_only():  # QTR-29, QTR-30
    position = trumpf("? ? ? ? ?", "? ? ? ? ?", "? ?", options={**METALS, "tie_break": "tied"})
    announce(position, "A1", {"hand:1": ["A2"]}, category="period")
    reply(position, "A4")
    assert asks_of(lambda: announce(position))[1] == top(0, 1)


# Known faults come first


def test_known_faults_are_found_before_anything_is_asked_for():  # COM-73
    position = trumpf("A1 ? ? ?", MANY)
    assert position.refusal("reply", card="A1")[0] == "wrong_phase"
    assert position.refusal("announce", category="colour")[0] == "unknown_category"
    assert position.refusal("announce", category="density", card="B1")[0] == "choice_not_allowed"


def test_a_card_that_lies_elsewhere_is_not_the_unknown_top_card():  # QTR-9, COM-72
    with pytest.raises(Refused) as refused:
        announce(trumpf("? ? ? A2", MANY), "A2")
    assert (refused.value.code, refused.value.rules) == ("choice_not_allowed", ("QTR-9", "QTR-17"))
    assert [TRUMPF.sentence(refused.value, language) for language in ("en", "de")] == [
        "A2 (Copper) is not your top card, and with 4 cards you cannot choose.",
        "A2 (Copper) ist nicht deine oberste Karte, und mit 4 Karten hast du keine Wahl.",
    ]


def test_a_card_that_a_known_hand_does_not_hold():  # QTR-11, COM-72
    position = trumpf("A1 A2 A3 A4", "B1 ?", category="density", shown="A1", phase="reply", trick=(0, 1), turn=1)
    assert refusal_of(lambda: reply(position, "A2")) == ("card_not_in_hand", ("QTR-11",))


@each(
    "known",
    [
        {"hand:1": ["A1"]},  # lies in another stack
        {"hand:0": ["A2"]},  # another card is known to lie there
        {"hand:1": ["?", "?", "?", "?", "A2"]},  # there are not so many cards
        {"hand:2": ["A1", "A2"]},  # there is one card only
        {"round": ["A2"]},  # what lies there was told
    ],
)
def test_what_cannot_be_is_refused(known: dict[str, list[str]]):  # COM-71
    position = trumpf("A1 ? ? ?", "? ? ? ?", "?")
    assert refusal_of(lambda: announce(position, known=known)) == ("card_impossible", ("COM-71",))


# Order


def test_stacks_are_told_from_the_top_with_one_card_or_more_than_three():  # COM-71
    position = trumpf(MANY, "?", "? ? ?", "? ?")
    position.table = fold(position.table, position.rulebook.tell(position.table, {"hand:0": ["?", "A2"], "hand:1": ["B1"]}))
    assert position.stacks()[:2] == ["? A2 ? ?", "B1"]


@each(("count", "told", "stack"), [(4, ["?", "A2"], ["?", "A2", "?", "?"]), (3, ["A2"], ["A2", "?", "?"])])
def test_a_deal_is_told_in_the_same_order(count: int, told: list[str], stack: list[str]):  # COM-70
    position = Position(TRUMPF.bind(METALS, 12 // count), [])
    position.table = fold(position.table, position.rulebook.deal(Table(position.rulebook.setup), 0, [HIDDEN] * 12, {"hand:1": told}))
    assert position.view()["hands"][1] == stack


def test_what_is_told_of_two_or_three_cards_is_taken_to_lie_from_the_top_down():  # QTR-30
    position = trumpf("? C4 ?", MANY)
    position.table = fold(position.table, position.rulebook.tell(position.table, {"hand:0": ["C4", "A1"]}))
    assert position.stacks()[0] == "A1 C4 ?"


# A card drawn blind, and the card in the middle (QTR-31)


def drawing(stack: str) -> Position:
    """Seat 1 has shown its last card in a tie, and draws from the announcer."""
    return trumpf(stack, "", "? ? ? ?", phase="draw", trick=(0, 1, 2), turn=1, middle={"A1": 0, "A2": 1, "B1": 2})


@each(("position", "stack"), [(0, "B2 ? ?"), (2, "? B2 ?"), (3, "? B2 ?")])
def test_an_unknown_card_leaves_the_place_where_it_is_drawn(position: int, stack: str):  # QTR-31
    drawn = drawing("? B2 ? ?")
    play(drawn, type="draw", position=position)
    assert drawn.stacks()[:2] == [stack, "?"]


def test_a_known_card_that_is_drawn_stays_known():  # QTR-31
    drawn = drawing("? B2 ? ?")
    play(drawn, type="draw", position=1)
    assert drawn.stacks()[:2] == ["? ? ?", "B2"]


def test_what_was_drawn_is_asked_for_when_it_is_shown():  # QTR-30, QTR-31
    drawn = drawing("? B2 ? ?")
    play(drawn, type="draw", position=0)
    assert asks_of(lambda: announce(drawn, "B2"))[1] == top(1, 2)


def test_a_known_card_in_the_middle_of_three_becomes_unknown_when_an_unknown_one_is_shown():  # QTR-31
    position = trumpf("? B2 ?", MANY)
    effects = announce(position, "A1", {"hand:1": ["C1"]})
    assert Known("hand:0", (HIDDEN, HIDDEN)) in effects
    assert position.stacks()[0] == "? ? A1 C1"


def test_also_with_a_reply():  # QTR-31
    position = trumpf("B1 ? ? ?", "? B2 ?", category="density", shown="A1", phase="reply", trick=(0, 1), turn=1)
    reply(position, "A2")
    assert position.stacks()[1] == "? ? A1 A2"


@each(
    ("stack", "shown", "left"),
    [
        ("? B2 ?", "B2", "? ?"),  # the known card itself
        ("B2 ? ?", "A1", "B2 ?"),  # above both unknown ones
        ("? ? B2", "A1", "? B2"),
        ("B3 B2 ?", "A1", "B3 B2"),  # the only unknown one
        ("? B2", "A1", "B2"),
        ("? B2 ? ?", "A1", "B2 ? ?"),  # with more than three the top one is shown
    ],
)
def test_where_the_place_of_the_others_is_certain_they_stay_known(stack: str, shown: str, left: str):  # QTR-31
    position = trumpf(stack, "? ? ? ?")
    effects = announce(position, shown, {"hand:1": ["C1"]})
    assert position.stacks()[0].split()[: len(left.split())] == left.split()
    assert not any(isinstance(effect, Known) and HIDDEN in effect.cards[-2:] for effect in effects)


def test_the_card_that_became_unknown_may_be_told_again():  # QTR-31
    position = trumpf("? B2 ?", MANY)
    announce(position, "A1", {"hand:1": ["B1"]})
    assert position.stacks()[0] == "? ?"
    assert moved(reply_after(position))[0] == ("B2", "hand:0", "round")


def reply_after(position: Position) -> Effects:
    """Seat 1 announces, and seat 0 replies with what had become unknown."""
    announce(position, known={"hand:1": ["A2"]})
    return reply(position, "B2")


# What may be played


def test_an_unknown_top_card_may_be_any_that_the_seat_does_not_see():  # COM-76
    position = trumpf("? A1 A2 A3", "A4 B1 B2 B3", "B4 C1 ?", options=METALS)
    listed = [move["card"] for move in position.rulebook.legal(position.table, 0) if move["category"] == "density"]
    assert listed == ["C2", "C3", "C4"]


def test_known_cards_come_first_where_a_seat_may_choose():  # COM-76
    position = trumpf("? C4 A1", "A2 A3 A4 B1", "B2 B3 B4 C1", category="density", shown="A2", phase="reply", trick=(1, 0, 2), turn=0)
    assert [move["card"] for move in position.rulebook.legal(position.table, 0)] == ["C4", "A1", "C2", "C3"]


def test_the_places_to_draw_from_are_known():  # COM-76
    assert [move["position"] for move in drawing("? B2 ? ?").legal()] == [0, 1, 2, 3]


def test_a_card_is_shown_with_its_value_as_soon_as_it_is_told():  # QTR-30
    position = trumpf(MANY, "? ?")
    effects = announce(position, "A1")
    assert CardsMoved(("A1",), "hand:0", "round", shown=True) in effects
    assert position.view()["round"] == [{"seat": 0, "card": "A1", "value": 7.87}]
