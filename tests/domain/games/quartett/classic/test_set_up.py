"""Classic Quartett: options, seats and the start of a hand."""

from domain.effects import CardsMoved, DetailAnnounced, GameClosed, HandClosed, HandOpened, Scored, TurnPassed, ZoneAdded
from domain.games.quartett.options import load_installed_decks
from domain.setup import Setup
from domain.table import Table
from tests.domain.games.positions import refusal_of
from tests.domain.games.quartett.decks import waters
from tests.domain.games.quartett.positions import CLASSIC, METALS, classic, dealt, said
from tests.each import each

BAD_OPTION = ("bad_option", ("COM-10", "QDK-7", "QKL-1"))
BAD_SEATS = ("bad_seats", ("COM-11", "QKL-2"))
EVERYBODY_A_QUARTET = "B1 A1 C1 B2 A2 C2 B3 A3 C3 B4 A4 C4"


def test_what_is_left_out_gets_its_default():  # QKL-1
    assert CLASSIC.bind({}, 3).setup == Setup(
        ruleset="quartett-classic",
        options={"deck_def": load_installed_decks()["wood"], "deals": 1, "ask_limit": None},
        seats=3,
        parties=((0,), (1,), (2,)),
        rows=("quartets",),
        start_totals=(0, 0, 0),
    )


@each(
    "options",
    [
        None,
        [],
        {"deck_def": None},
        {"deals": 0},
        {"deals": 100},
        {"deals": None},
        {"ask_limit": 0},
        {"ask_limit": True},
        {"ask_limit": "9"},
        {"remainder": "deal"},
        {"round_limit": 6},
    ],
)
def test_an_option_that_is_not_allowed(options: object):  # COM-10, QKL-1
    assert refusal_of(lambda: CLASSIC.bind(options, 3)) == BAD_OPTION


@each("seats", [0, 1, 2, 13, True, 3.0, "3", None])
def test_a_number_of_seats_that_is_not_allowed(seats: object):  # COM-11, QKL-2
    assert refusal_of(lambda: CLASSIC.bind(METALS, seats)) == BAD_SEATS


def test_there_is_a_card_for_every_seat():  # QKL-2
    assert [CLASSIC.bind(options, seats).setup.seats for options, seats in ((METALS, 3), (METALS, 12), ({}, 32))] == [3, 12, 32]


def test_an_option_is_judged_before_the_seats():  # COM-10, COM-11
    assert refusal_of(lambda: CLASSIC.bind({"deals": 0}, 1)) == BAD_OPTION


# The deal


def test_a_deal_is_told_whole():  # QKL-3, QKL-5
    _, effects = dealt(CLASSIC.bind({"deck_def": waters()}, 3), dealer=0)
    assert effects == (
        HandOpened(1, 0),
        ZoneAdded("stock", "none", None, ("B4", "B3", "B2", "B1", "R4", "R3", "R2", "R1")),
        ZoneAdded("hand:0", "owner", 0),
        ZoneAdded("hand:1", "owner", 1),
        ZoneAdded("hand:2", "owner", 2),
        ZoneAdded("laid:0", "all", 0),
        ZoneAdded("laid:1", "all", 1),
        ZoneAdded("laid:2", "all", 2),
        CardsMoved(("R1", "R4", "B3"), "stock", "hand:1"),
        CardsMoved(("R2", "B1", "B4"), "stock", "hand:2"),
        CardsMoved(("R3", "B2"), "stock", "hand:0"),
        TurnPassed("ask", 1, (1,)),
    )


@each("dealer", [0, 1, 2])
def test_any_seat_may_deal_and_the_next_one_asks(dealer: int):  # QKL-3, QKL-5
    position, _ = dealt(CLASSIC.bind(METALS, 3), dealer)
    assert (position.table.phase, position.table.turn, position.table.to_act) == ("ask", (dealer + 1) % 3, ((dealer + 1) % 3,))


def test_whole_quartets_are_laid_down_before_the_first_question():  # QKL-4, QKL-13
    _, effects = dealt(CLASSIC.bind(METALS, 3), 0, "C1 A1 B1 C2 A2 B2 C3 A3 A4 C4 B4 B3")
    assert effects[-4:] == (
        CardsMoved(("C1", "C2", "C3", "C4"), "hand:1", "laid:1", shown=True),
        DetailAnnounced(1, "quartet", "C"),
        DetailAnnounced(1, "out"),
        TurnPassed("ask", 2, (2,)),
    )


def test_quartets_are_laid_down_from_the_dealers_left_and_in_canonical_order():  # QKL-4
    _, effects = dealt(CLASSIC.bind(METALS, 3), 1, EVERYBODY_A_QUARTET)
    assert said(effects) == [
        (2, "quartet", "B"),
        (0, "quartet", "A"),
        (1, "quartet", "C"),
        (2, "out", None),
        (0, "out", None),
        (1, "out", None),
    ]


def test_a_seat_that_was_dealt_two_quartets_lays_them_in_canonical_order():  # QKL-4
    wood = CLASSIC.bind({}, 4)
    piles = [("H", "A"), ("B", "C"), ("D", "E"), ("F", "G")]
    hands = [[f"{letter}{number}" for letter in pile for number in range(1, 5)] for pile in piles]
    deck = " ".join(card for round_ in zip(*hands, strict=True) for card in round_)
    position, effects = dealt(wood, 3, deck)
    assert position.view()["quartets"] == [["A", "H"], ["B", "C"], ["D", "E"], ["F", "G"]]
    assert isinstance(effects[-1], GameClosed)


def test_the_hand_ends_at_once_if_everything_was_laid_down():  # QKL-5, QKL-15
    _, effects = dealt(CLASSIC.bind(METALS, 3), 1, EVERYBODY_A_QUARTET)
    assert effects[-3:] == (Scored("quartets", (1, 1, 1)), HandClosed("complete", {"places": (1, 1, 1)}), GameClosed((1, 1, 1), {}))


@each("dealer", [-1, 3, True, 0.0, "0", None])
def test_a_dealer_who_is_no_seat(dealer: object):  # COM-15, QKL-3
    rulebook = CLASSIC.bind(METALS, 3)
    assert refusal_of(lambda: rulebook.deal(Table(rulebook.setup), dealer, rulebook.deck)) == ("bad_dealer", ("COM-15", "QKL-3"))


@each("deck", [None, [], ["A1"], "A1 A2"])
def test_a_deck_that_does_not_hold_all_cards(deck: object):  # COM-16, QKL-3
    rulebook = CLASSIC.bind(METALS, 3)
    assert refusal_of(lambda: rulebook.deal(Table(rulebook.setup), 0, deck)) == ("bad_deck", ("COM-16", "QKL-3"))


def test_no_hand_is_dealt_into_a_hand():  # COM-14, QTR-28
    position, _ = dealt(CLASSIC.bind(METALS, 3), 0)
    assert refusal_of(lambda: position.rulebook.deal(position.table, 0, None)) == ("hand_in_progress", ("COM-14", "QTR-28"))


def test_no_hand_is_dealt_and_no_question_asked_in_a_game_that_is_over():  # COM-13, COM-23, QTR-28
    position = classic("A1 A2 A3", "A4", "")
    position.play("ask", target=1, card="A4")
    assert position.table.phase == "game_over"
    assert refusal_of(lambda: position.rulebook.deal(position.table, None, None)) == ("game_over", ("COM-13", "QTR-28"))
    assert refusal_of(lambda: position.judge({"type": "ask", "target": 1, "card": "A4"}, 0)) == ("game_over", ("COM-23", "QTR-28"))


def test_no_question_is_asked_before_the_first_hand():  # COM-24
    rulebook = CLASSIC.bind(METALS, 3)
    move = {"type": "ask", "target": 1, "card": "A4"}
    assert refusal_of(lambda: rulebook.resolve(Table(rulebook.setup), 0, move)) == ("hand_over", ("COM-24",))


@each("seat", [1, 2, -1, True, 0.0, "0", None])
def test_only_the_seat_whose_turn_it_is_may_ask(seat: object):  # COM-25, QKL-5, QKL-11
    position = classic("A1 B1", "A2 B2", "A3 B3")
    refusal = refusal_of(lambda: position.rulebook.resolve(position.table, seat, {"type": "ask", "target": 2, "card": "A3"}))
    assert refusal == ("not_your_turn", ("COM-25", "QKL-5", "QKL-11"))


@each("move", [None, [], "ask", {}, {"type": 7}])
def test_what_is_no_move(move: object):  # COM-20, QTR-7, QKL-7
    assert refusal_of(lambda: classic("A1", "A2", "A3").judge(move)) == ("malformed_move", ("COM-20", "QTR-7", "QKL-7"))


def test_a_move_that_the_game_does_not_know():  # COM-21, QTR-7
    assert classic("A1", "A2", "A3").refusal("announce", category="density") == ("unknown_move", ("COM-21", "QTR-7"))


@each(
    "move",
    [
        {"type": "ask", "target": 1},
        {"type": "ask", "card": "A2"},
        {"type": "ask", "target": "1", "card": "A2"},
        {"type": "ask", "target": True, "card": "A2"},
        {"type": "ask", "target": 1, "card": None},
        {"type": "ask", "target": 1, "card": "D1"},
        {"type": "ask", "target": 1, "card": "copper"},
        {"type": "ask", "target": 1, "card": "a2"},
        {"type": "ask", "target": 1, "card": "A2 Copper"},
        {"type": "ask", "target": 1, "card": "A2", "politely": True},
    ],
)
def test_a_question_of_the_wrong_form(move: object):  # COM-22, QTR-7, QKL-7
    assert refusal_of(lambda: classic("A1", "A2", "A3").judge(move)) == ("malformed_move", ("COM-22", "QTR-7", "QKL-7"))
