"""The Trumpfspiel: options, seats and the start of a hand."""

from domain.effects import CardsMoved, HandClosed, HandOpened, MarkSet, TurnPassed, ZoneAdded
from domain.games.quartett.options import load_installed_decks
from domain.setup import Setup
from domain.table import Table, fold
from tests.domain.games.positions import refusal_of
from tests.domain.games.quartett.decks import waters
from tests.domain.games.quartett.positions import METALS, TRUMPF, dealt, trumpf
from tests.each import each

BAD_OPTION = ("bad_option", ("COM-10", "QDK-7", "QTR-2"))
BAD_SEATS = ("bad_seats", ("COM-11", "QTR-3"))


def test_what_is_left_out_gets_its_default():  # QTR-2
    assert TRUMPF.bind({}, 3).setup == Setup(
        ruleset="quartett-trumpf",
        options={
            "deck_def": load_installed_decks()["wood"],
            "deals": 1,
            "remainder": "set_aside",
            "round_limit": None,
            "tie_break": "all",
            "tuck": "shown",
        },
        seats=3,
        parties=((0,), (1,), (2,)),
        rows=("seats_beaten",),
        start_totals=(0, 0, 0),
    )


@each(
    "options",
    [
        None,
        [],
        {"jokers": True},
        {"deck_def": None},
        {"deck_def": ["wood"]},
        {"deals": 0},
        {"deals": 100},
        {"deals": True},
        {"deals": 1.0},
        {"deals": None},
        {"remainder": "keep"},
        {"remainder": None},
        {"tie_break": "some"},
        {"tie_break": None},
        {"tuck": "any"},
        {"tuck": None},
        {"round_limit": 0},
        {"round_limit": 1.5},
        {"round_limit": "6"},
        {"ask_limit": 6},
    ],
)
def test_an_option_that_is_not_allowed(options: object):  # COM-10, QTR-2
    assert refusal_of(lambda: TRUMPF.bind(options, 3)) == BAD_OPTION


@each(
    "options",
    [
        {"deals": 99},
        {"deals": 1},
        {"remainder": "deal"},
        {"round_limit": None},
        {"round_limit": 1},
        {"round_limit": 10**9},
        {"tie_break": "tied"},
    ],
)
def test_an_option_that_is_allowed(options: dict[str, object]):  # QTR-2
    assert TRUMPF.bind(options, 2).setup.options.items() >= options.items()


@each("seats", [0, 1, 13, -2, True, 2.0, "2", None])
def test_a_number_of_seats_that_is_not_allowed(seats: object):  # COM-11, QTR-3
    assert refusal_of(lambda: TRUMPF.bind(METALS, seats)) == BAD_SEATS


def test_there_is_a_card_for_every_seat():  # QTR-3
    assert [TRUMPF.bind(options, seats).setup.seats for options, seats in ((METALS, 2), (METALS, 12), ({}, 32))] == [2, 12, 32]
    assert refusal_of(lambda: TRUMPF.bind({"deck_def": waters()}, 9)) == BAD_SEATS


def test_an_option_is_judged_before_the_seats():  # COM-10, COM-11
    assert refusal_of(lambda: TRUMPF.bind({"deals": 0}, 1)) == BAD_OPTION


# The deal


def test_a_deal_is_told_whole():  # QTR-4 to QTR-6
    _, effects = dealt(TRUMPF.bind({"deck_def": waters()}, 3), dealer=0)
    assert effects == (
        HandOpened(1, 0),
        ZoneAdded("stock", "none", None, ("B4", "B3", "B2", "B1", "R4", "R3", "R2", "R1")),
        ZoneAdded("hand:0", "owner", 0),
        ZoneAdded("hand:1", "owner", 1),
        ZoneAdded("hand:2", "owner", 2),
        ZoneAdded("round", "all", None),
        ZoneAdded("middle", "all", None),
        ZoneAdded("aside", "none", None),
        CardsMoved(("R4", "R1"), "stock", "hand:1"),
        CardsMoved(("B1", "R2"), "stock", "hand:2"),
        CardsMoved(("B2", "R3"), "stock", "hand:0"),
        CardsMoved(("B3", "B4"), "stock", "aside"),
        MarkSet("trick", (1, 2, 0)),
        TurnPassed("announce", 1, (1,)),
    )


def test_the_first_card_dealt_is_the_top_of_the_stack():  # QTR-5
    position, _ = dealt(TRUMPF.bind(METALS, 5), dealer=3)
    assert position.stacks() == ["A2 B3", "A3 B4", "A4 C1", "B1 C2", "A1 B2"]


def test_what_does_not_go_round_is_set_aside_in_the_order_of_the_deck():  # QTR-4
    position, _ = dealt(TRUMPF.bind(METALS, 5), dealer=3)
    assert position.table.cards("aside") == ("C3", "C4")


def test_what_does_not_go_round_may_be_dealt_on():  # QTR-4
    position, _ = dealt(TRUMPF.bind({**METALS, "remainder": "deal"}, 5), dealer=3)
    assert position.stacks() == ["A2 B3 C4", "A3 B4", "A4 C1", "B1 C2", "A1 B2 C3"]
    assert position.table.cards("aside") == ()


@each("dealer", [0, 1, 2])
def test_any_seat_may_deal_and_the_next_one_announces(dealer: int):  # QTR-5, QTR-6
    position, _ = dealt(TRUMPF.bind(METALS, 3), dealer)
    assert (position.table.phase, position.table.turn, position.table.to_act) == ("announce", (dealer + 1) % 3, ((dealer + 1) % 3,))


def test_the_same_seat_may_deal_again():  # QTR-28
    position, _ = dealt(TRUMPF.bind({**METALS, "deals": 2}, 3), 1)
    table = fold(position.table, (HandClosed("one_left", {}),))
    assert fold(table, position.rulebook.deal(table, 1, position.rulebook.deck)).dealer == 1


@each("dealer", [-1, 3, True, 0.0, "0", None])
def test_a_dealer_who_is_no_seat(dealer: object):  # COM-15, QTR-5
    rulebook = TRUMPF.bind(METALS, 3)
    assert refusal_of(lambda: rulebook.deal(Table(rulebook.setup), dealer, rulebook.deck)) == ("bad_dealer", ("COM-15", "QTR-5"))


@each("deck", [None, [], ["A1"], "A1 A2"])
def test_a_deck_that_does_not_hold_all_cards(deck: object):  # COM-16, QTR-1, QTR-4
    rulebook = TRUMPF.bind(METALS, 3)
    assert refusal_of(lambda: rulebook.deal(Table(rulebook.setup), 0, deck)) == ("bad_deck", ("COM-16", "QTR-1", "QTR-4"))


def test_a_deck_that_holds_a_card_twice():  # COM-16, QTR-1
    rulebook = TRUMPF.bind(METALS, 3)
    deck = [*rulebook.deck[:-1], "A1"]
    assert refusal_of(lambda: rulebook.deal(Table(rulebook.setup), 0, deck)) == ("bad_deck", ("COM-16", "QTR-1", "QTR-4"))


def test_no_hand_is_dealt_into_a_hand():  # COM-14, QTR-28
    position, _ = dealt(TRUMPF.bind(METALS, 3), 0)
    refusal = refusal_of(lambda: position.rulebook.deal(position.table, 0, position.rulebook.deck))
    assert refusal == ("hand_in_progress", ("COM-14", "QTR-28"))


def test_no_hand_is_dealt_and_no_move_made_in_a_game_that_is_over():  # COM-13, COM-23, QTR-28
    position = trumpf("B3", "A1")
    position.play("announce", category="density")
    assert position.table.phase == "game_over"
    assert refusal_of(lambda: position.rulebook.deal(position.table, None, None)) == ("game_over", ("COM-13", "QTR-28"))
    assert refusal_of(lambda: position.judge({"type": "reply", "card": "A1"}, 0)) == ("game_over", ("COM-23", "QTR-28"))


def test_no_move_is_made_before_the_first_hand():  # COM-24
    rulebook = TRUMPF.bind(METALS, 3)
    move = {"type": "announce", "category": "density"}
    assert refusal_of(lambda: rulebook.resolve(Table(rulebook.setup), 0, move)) == ("hand_over", ("COM-24",))


@each("seat", [1, 2, -1, True, 0.0, "0", None])
def test_only_the_seat_whose_turn_it_is_may_move(seat: object):  # COM-25, QTR-7, QTR-11, QTR-13, QTR-18
    position = trumpf("A1", "A2", "A3")
    refusal = refusal_of(lambda: position.rulebook.resolve(position.table, seat, {"type": "announce", "category": "density"}))
    assert refusal == ("not_your_turn", ("COM-25", "QTR-7", "QTR-11", "QTR-13", "QTR-18"))


@each("move", [None, [], "announce", {}, {"type": 7}])
def test_what_is_no_move(move: object):  # COM-20, QTR-7
    assert refusal_of(lambda: trumpf("A1", "A2").judge(move)) == ("malformed_move", ("COM-20", "QTR-7"))


def test_a_move_that_the_game_does_not_know():  # COM-21, QTR-7
    assert trumpf("A1", "A2").refusal("ask", target=1, card="A1") == ("unknown_move", ("COM-21", "QTR-7"))


@each(
    "move",
    [
        {"type": "announce"},
        {"type": "announce", "category": 1},
        {"type": "announce", "category": "density", "card": None},
        {"type": "announce", "category": "density", "card": "D1"},
        {"type": "announce", "category": "density", "card": "Iron"},
        {"type": "announce", "category": "density", "seat": 0},
        {"type": "reply"},
        {"type": "reply", "card": "?"},
        {"type": "draw", "position": 0.0},
        {"type": "draw", "position": True},
        {"type": "draw", "position": "0"},
    ],
)
def test_a_move_whose_fields_are_not_those_of_its_type(move: object):  # COM-22, QTR-7
    assert refusal_of(lambda: trumpf("A1", "A2").judge(move)) == ("malformed_move", ("COM-22", "QTR-7"))


def test_the_form_of_a_move_is_judged_before_the_turn():  # COM-20 to COM-25
    position = trumpf("A1", "A2")
    assert refusal_of(lambda: position.judge({"type": "reply", "card": "D1"}, 1))[0] == "malformed_move"
    assert refusal_of(lambda: position.judge({"type": "reply", "card": "A1"}, 1))[0] == "not_your_turn"
    assert refusal_of(lambda: position.judge({"type": "reply", "card": "A1"}, 0))[0] == "wrong_phase"
