"""Options, seats and the start of a hand."""

import pytest

from domain.effects import CardsMoved, HandClosed, HandOpened, MarkSet, Plain, TurnPassed, ZoneAdded
from domain.errors import Refused
from domain.setup import Setup
from domain.table import Table, fold
from tests.domain.games.canasta.positions import CANASTA, DECK, Position, dealt, refusal_of
from tests.domain.games.positions import cards, json_of, moved
from tests.each import each

DEFAULTS: dict[str, Plain] = {
    "end": "target",
    "target_score": 5000,
    "hand_count": 4,
    "target_check": "hand_end",
    "start_totals": (0, 0),
    "wild_top_take": True,
    "pile_red_three_replaced": True,
    "one_card_pile": "allowed",
    "first_upcard": "covered",
}


# Options and seats


def test_what_is_left_out_gets_its_default():  # CAN-3
    assert CANASTA.bind({}, 4).setup == Setup(
        ruleset="canasta",
        options=DEFAULTS,
        seats=4,
        parties=((0, 2), (1, 3)),
        rows=(
            "melded_cards",
            "mixed_canastas",
            "natural_canastas",
            "going_out",
            "concealed_going_out",
            "red_threes",
            "all_red_threes",
            "hand_cards",
        ),
        start_totals=(0, 0),
        facts={},
    )


def test_at_a_table_of_two_each_seat_is_a_party():  # CAN-2
    assert CANASTA.bind({}, 2).setup.parties == ((0,), (1,))


def test_a_match_may_be_taken_over_from_paper():  # CAN-3
    assert CANASTA.bind({"start_totals": [1200, -35]}, 4).setup.start_totals == (1200, -35)


@each(
    "options",
    [
        None,
        [],
        {"jokers": 4},
        {"end": "points"},
        {"end": None},
        {"target_score": 0},
        {"target_score": 1_000_001},
        {"target_score": 5000.0},
        {"target_score": True},
        {"hand_count": 0},
        {"hand_count": 1001},
        {"target_check": "always"},
        {"start_totals": [0]},
        {"start_totals": [0, 0, 0]},
        {"start_totals": [0, "0"]},
        {"start_totals": [0, 1_000_001]},
        {"start_totals": [-1_000_001, 0]},
        {"start_totals": 0},
        {"wild_top_take": 1},
        {"pile_red_three_replaced": None},
        {"one_card_pile": True},
        {"first_upcard": True},
        {"first_upcard": "open"},
        {"end": "hands", "target_score": 0},
    ],
)
def test_an_option_that_is_not_allowed(options: object):  # COM-10, CAN-3
    assert refusal_of(lambda: CANASTA.bind(options, 4)) == ("bad_option", "COM-10", "CAN-3")


@each("seats", [0, 1, 3, 5, True, 2.0, "4", None])
def test_a_number_of_seats_that_is_not_allowed(seats: object):  # COM-11, CAN-1
    assert refusal_of(lambda: CANASTA.bind({}, seats)) == ("bad_seats", "COM-11", "CAN-1")


@each("totals", [[5000, 0], [0, 5000], [0, 6000]])
def test_no_party_begins_with_the_target(totals: list[int]):  # COM-12, CAN-3
    assert refusal_of(lambda: CANASTA.bind({"start_totals": totals}, 4)) == ("bad_option", "COM-12", "CAN-3")
    assert CANASTA.bind({"start_totals": totals, "end": "hands"}, 4).setup.start_totals == tuple(totals)


def test_an_option_by_itself_is_judged_before_the_seats_and_both_before_their_combination():  # COM-10 to COM-12
    assert refusal_of(lambda: CANASTA.bind({"target_score": 0}, 3)) == ("bad_option", "COM-10", "CAN-3")
    assert refusal_of(lambda: CANASTA.bind({"start_totals": [5000, 0]}, 3)) == ("bad_seats", "COM-11", "CAN-1")


# Dealer and deck


def test_the_deck_has_both_copies_side_by_side_and_the_jokers_last():  # CAN-4
    assert len(DECK) == 108
    assert DECK[:4] == ("AS", "AS", "KS", "KS")
    assert DECK[-6:] == ("2C", "2C", "JK", "JK", "JK", "JK")


def test_anybody_may_deal_the_first_hand_and_the_seat_on_the_left_begins():  # CAN-6, CAN-10
    assert [dealt(4, dealer)[1].turn for dealer in range(4)] == [1, 2, 3, 0]


@each("dealer", [-1, 4, True, 0.0, "0", None])
def test_a_dealer_who_is_no_seat(dealer: object):  # COM-15, CAN-6
    rulebook = CANASTA.bind({}, 4)
    assert refusal_of(lambda: rulebook.deal(Table(rulebook.setup), dealer, DECK)) == ("bad_dealer", "COM-15", "CAN-6")


def test_the_next_seat_deals_the_next_hand():  # COM-15, CAN-6
    rulebook, table, _ = dealt(4, 3)
    table = fold(table, (HandClosed("went_out", {}),))
    assert refusal_of(lambda: rulebook.deal(table, 3, DECK)) == ("bad_dealer", "COM-15", "CAN-6")
    assert fold(table, rulebook.deal(table, 0, DECK)).dealer == 0


@each("deck", [None, [], "deck", DECK[1:], (*DECK, "JK"), (*DECK[1:], "JK"), (*DECK[1:], 7)])
def test_a_deck_that_does_not_hold_the_108_cards(deck: object):  # COM-16, CAN-4
    rulebook = CANASTA.bind({}, 4)
    assert refusal_of(lambda: rulebook.deal(Table(rulebook.setup), 0, deck)) == ("bad_deck", "COM-16", "CAN-4")


def test_no_hand_is_dealt_during_another():  # COM-14
    rulebook, table, _ = dealt(4, 0)
    assert refusal_of(lambda: rulebook.deal(table, 1, DECK)) == ("hand_in_progress", "COM-14")


# The deal


def test_cards_are_dealt_one_at_a_time_from_the_dealers_left():  # CAN-7
    _, table, _ = dealt(4, 1)
    assert [table.cards(f"hand:{seat}")[:3] for seat in range(4)] == [
        cards(text) for text in ("KS JS 9S", "KS JS 9S", "AS QS TS", "AS QS TS")
    ]
    assert [len(table.cards(f"hand:{seat}")) for seat in range(4)] == [11] * 4
    _, table, _ = dealt(2, 1)
    assert [len(table.cards(f"hand:{seat}")) for seat in range(2)] == [15] * 2


def test_a_deal_is_recorded_from_the_hand_to_the_first_turn():  # COM-50, CAN-7 to CAN-10, CAN-26
    _, table, effects = dealt(2, 0, options={"start_totals": [-5, 1500]})
    stock = DECK[::-1]
    assert effects == (
        HandOpened(1, 0),
        ZoneAdded("stock", "none", None, stock),
        ZoneAdded("hand:0", "owner", 0),
        ZoneAdded("hand:1", "owner", 1),
        ZoneAdded("pile", "all", None),
        ZoneAdded("red:0", "all", None),
        ZoneAdded("red:1", "all", None),
        MarkSet("minimums", (15, 90)),
        CardsMoved(DECK[0:30:2], "stock", "hand:1"),
        CardsMoved(DECK[1:30:2], "stock", "hand:0"),
        CardsMoved(("QH",), "stock", "pile", shown=True),
        TurnPassed("draw", 1, (1,)),
    )
    assert table.cards("stock")[::-1] == DECK[31:]


def upcards(text: str) -> str:
    """A deck for two in which nobody is dealt a red three and these cards are turned up."""
    return f"{' '.join(DECK[:22])} {' '.join(DECK[26:34])} {text}"


def test_wild_cards_and_red_threes_are_covered_and_freeze_the_pile():  # CAN-8, CAN-28
    _, table, effects = dealt(2, 0, upcards("JK 3D 8C"))
    assert table.cards("pile") == cards("JK 3D 8C")
    assert table.zones["pile"].marks == {"frozen": "JK", "red_threes": 1}
    assert CardsMoved(("JK",), "stock", "pile", shown=True) in effects


def test_a_red_three_alone_freezes_the_pile_too():  # CAN-28
    _, table, _ = dealt(2, 0, upcards("3H 3D 8C"))
    assert table.zones["pile"].marks == {"frozen": "3H", "red_threes": 2}


def test_a_black_three_stays_and_blocks():  # CAN-8, CAN-33
    rulebook, table, _ = dealt(2, 0, upcards("3C"))
    view = json_of(rulebook.view(table))
    assert (view["pile"], view["pile_frozen"], view["pile_blocked"]) == (["3C"], False, True)


LEFT: dict[str, object] = {"first_upcard": "left"}


def test_where_the_first_card_is_left_a_wild_card_stays_and_freezes():  # CAN-8, CAN-32
    rulebook, table, _ = dealt(2, 0, upcards("JK 3D 8C"), LEFT)
    assert (table.cards("pile"), table.zones["pile"].marks) == (("JK",), {"frozen": "JK"})
    assert json_of(rulebook.view(table))["pile_blocked"] is False


def test_where_the_first_card_is_left_a_red_three_stays_and_blocks_and_freezes_nothing():  # CAN-8
    rulebook, table, _ = dealt(2, 0, upcards("3H 3D 8C"), LEFT)
    assert (table.cards("pile"), table.zones["pile"].marks) == (("3H",), {"red_threes": 1})
    view = json_of(rulebook.view(table))
    assert (view["pile"], view["pile_frozen"], view["pile_blocked"]) == (["3H"], False, True)


def test_where_the_first_card_is_left_others_stay_as_ever():  # CAN-8, CAN-33
    rulebook, table, _ = dealt(2, 0, upcards("3C"), LEFT)
    assert (table.cards("pile"), json_of(rulebook.view(table))["pile_blocked"]) == (("3C",), True)


def test_dealt_red_threes_are_laid_from_the_dealers_left_and_replaced_in_a_chain():  # CAN-9, CAN-11
    first = ["AS", "3H", *DECK[2:22], "5C", "3D", *DECK[26:32], "9H", "3H", "5D", "6C"]
    _, table, effects = dealt(2, 0, " ".join(first))
    assert moved(effects)[3:] == [
        ("3H", "hand:0", "red:0"),
        ("3H", "stock", "red:0"),
        ("5D", "stock", "hand:0"),
        ("3D", "hand:0", "red:0"),
        ("6C", "stock", "hand:0"),
    ]
    assert table.cards("red:0") == cards("3H 3H 3D")
    assert [len(table.cards(f"hand:{seat}")) for seat in range(2)] == [15, 15]


# COM-20 to COM-25


@each("move", [None, [], "draw", {}, {"type": 1}, {"type": None}])
def test_a_move_is_an_object_with_a_type(move: object):  # COM-20, CAN-52
    assert refusal_of(lambda: Position().judge(move)) == ("malformed_move", "COM-20", "CAN-52")


def test_a_move_that_the_game_does_not_have():  # COM-21, CAN-52
    assert Position().refusal("knock") == ("unknown_move", "COM-21", "CAN-52")


@each(
    "move",
    [
        {"type": "draw", "card": "4D"},
        {"type": "discard"},
        {"type": "discard", "card": "1D"},
        {"type": "discard", "card": "10D"},
        {"type": "discard", "card": ["4D"]},
        {"type": "meld", "melds": []},
        {"type": "meld", "melds": [{"rank": "K", "cards": []}]},
        {"type": "meld", "melds": [{"rank": "1", "cards": ["KS"]}]},
        {"type": "meld", "melds": [{"rank": "K", "cards": ["KS"], "kind": "mixed"}]},
        {"type": "meld", "melds": [{"cards": ["KS"]}]},
        {"type": "take", "rank": "K"},
        {"type": "take", "cards": []},
        {"type": "take", "rank": "K", "cards": [], "melds": None},
        {"type": "take", "rank": "K", "cards": [], "melds": [{"rank": "A", "cards": []}]},
        {"type": "answer"},
        {"type": "answer", "consent": 1},
    ],
)
def test_a_move_of_the_wrong_form(move: object):  # COM-22, CAN-52
    assert refusal_of(lambda: Position().judge(move)) == ("malformed_move", "COM-22", "CAN-52")


def test_no_move_is_made_before_the_first_hand():  # COM-24, CAN-43
    rulebook = CANASTA.bind({}, 2)
    assert refusal_of(lambda: rulebook.resolve(Table(rulebook.setup), 0, {"type": "draw"})) == ("hand_over", "COM-24", "CAN-43")


@each("seat", [1, 4, -1, True, 0.0, "0", None])
def test_only_the_seat_whose_turn_it_is_may_move(seat: object):  # COM-25, CAN-10
    position = Position(phase="draw")
    assert refusal_of(lambda: position.rulebook.resolve(position.table, seat, {"type": "draw"})) == (
        "not_your_turn",
        "COM-25",
        "CAN-10",
        "CAN-39",
    )


def test_when_the_match_is_over_nothing_is_dealt_or_played():  # COM-13, COM-23, CAN-48
    position = Position("4S", melds={0: "K: KS KS KH KH KD KD KC"}, options={"end": "hands", "hand_count": 1})
    position.play("discard", card="4S")
    assert refusal_of(lambda: position.judge({"type": "draw"}, 1)) == ("game_over", "COM-23", "CAN-48")
    assert refusal_of(lambda: position.rulebook.deal(position.table, 0, DECK)) == ("game_over", "COM-13", "CAN-48")


def test_a_refused_hand_tells_which_dealer_is_demanded():  # COM-27
    rulebook, table, _ = dealt(4, 2)
    with pytest.raises(Refused) as refused:
        rulebook.deal(fold(table, (HandClosed("went_out", {}),)), 2, DECK)
    assert refused.value.detail == {"dealer": 2, "allowed": (3,)}
