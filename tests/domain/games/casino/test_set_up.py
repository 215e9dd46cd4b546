"""Options, seats and the start of a hand."""

import pytest

from domain.cards import FRENCH_DECK
from domain.effects import DetailAnnounced, HandClosed, Plain
from domain.errors import Refused
from domain.setup import Setup
from domain.table import Table, fold
from tests.domain.games.casino.positions import CASINO, ROYAL, Position, dealt
from tests.domain.games.positions import refusal_of
from tests.each import each

DEFAULTS: dict[str, Plain] = {
    "variant": "classic",
    "partners": False,
    "sweeps": False,
    "target": 21,
    "count_out": "total",
    "last_sweep": "counts",
}
BAD_OPTION = ("bad_option", ("COM-10", "CNO-2"))


def test_what_is_left_out_gets_its_default():  # CNO-2
    assert CASINO.bind({}, 3).setup == Setup(
        ruleset="casino",
        options=DEFAULTS,
        seats=3,
        parties=((0,), (1,), (2,)),
        rows=("cards", "spades", "big_casino", "little_casino", "ace_spades", "ace_clubs", "ace_hearts", "ace_diamonds", "sweeps"),
        start_totals=(0, 0, 0),
        facts={"target": 21, "decided_by": None},
    )


def test_royal_casino_counts_out_in_order_unless_told_otherwise():  # CNO-2
    assert CASINO.bind(ROYAL, 2).setup.options == {**DEFAULTS, "variant": "royal", "count_out": "order"}
    assert CASINO.bind({**ROYAL, "count_out": "total"}, 2).setup.options["count_out"] == "total"
    assert CASINO.bind({"count_out": "order"}, 2).setup.options["count_out"] == "order"


def test_partners_sit_across():  # CNO-3
    assert CASINO.bind({"partners": True}, 4).setup.parties == ((0, 2), (1, 3))


def test_four_may_play_alone():  # CNO-3
    assert CASINO.bind({}, 4).setup.parties == ((0,), (1,), (2,), (3,))


@each(
    "options",
    [
        None,
        [],
        {"jokers": True},
        {"variant": "spade"},
        {"variant": None},
        {"partners": 1},
        {"partners": None},
        {"sweeps": 0},
        {"sweeps": "yes"},
        {"target": 0},
        {"target": 101},
        {"target": True},
        {"target": 21.0},
        {"target": "21"},
        {"count_out": None},
        {"count_out": "Total"},
        {"last_sweep": None},
        {"last_sweep": False},
        {"last_sweep": "never", "sweeps": False},
    ],
)
def test_an_option_that_is_not_allowed(options: object):  # COM-10, CNO-2
    assert refusal_of(lambda: CASINO.bind(options, 4)) == BAD_OPTION


@each("target", [1, 100])
def test_the_target_goes_from_1_to_100(target: int):  # CNO-2
    assert CASINO.bind({"target": target}, 2).setup.facts == {"target": target, "decided_by": None}


@each("seats", [0, 1, 5, -2, True, 2.0, "2", None])
def test_a_number_of_seats_that_is_not_allowed(seats: object):  # COM-11, CNO-1
    assert refusal_of(lambda: CASINO.bind({}, seats)) == ("bad_seats", ("COM-11", "CNO-1"))


@each("seats", [2, 3])
def test_partners_need_four_seats(seats: int):  # COM-12, CNO-2
    assert refusal_of(lambda: CASINO.bind({"partners": True}, seats)) == ("bad_option", ("COM-12", "CNO-2"))


def test_an_option_by_itself_is_judged_before_the_seats_and_both_before_their_combination():  # COM-10 to COM-12
    assert refusal_of(lambda: CASINO.bind({"target": 0, "partners": True}, 9)) == BAD_OPTION
    assert refusal_of(lambda: CASINO.bind({"partners": True}, 9)) == ("bad_seats", ("COM-11", "CNO-1"))


def test_anybody_may_deal_the_first_hand():  # CNO-8
    assert [dealt(3, dealer)[1].turn for dealer in range(3)] == [1, 2, 0]


@each("dealer", [-1, 2, True, 0.0, "0", None])
def test_a_dealer_who_is_no_seat(dealer: object):  # COM-15, CNO-8
    rulebook = CASINO.bind({}, 2)
    assert refusal_of(lambda: rulebook.deal(Table(rulebook.setup), dealer, list(FRENCH_DECK))) == ("bad_dealer", ("COM-15", "CNO-8"))


def test_the_next_seat_deals_the_next_hand():  # COM-15, CNO-8
    rulebook, table, _ = dealt(3, 2)
    table = fold(table, (HandClosed("played_out", {}),))
    assert refusal_of(lambda: rulebook.deal(table, 2, FRENCH_DECK)) == ("bad_dealer", ("COM-15", "CNO-8"))
    assert refusal_of(lambda: rulebook.deal(table, 1, FRENCH_DECK)) == ("bad_dealer", ("COM-15", "CNO-8"))
    assert fold(table, rulebook.deal(table, 0, FRENCH_DECK)).dealer == 0


@each(
    "deck",
    [
        None,
        [],
        "deck",
        list(FRENCH_DECK[:-1]),
        [*FRENCH_DECK, "AS"],
        [*FRENCH_DECK[:-1], "AS"],
        [*FRENCH_DECK[:-1], "*1"],
        [*FRENCH_DECK[:-1], 7],
        [*FRENCH_DECK[:-1], ["2C"]],
    ],
)
def test_a_deck_that_does_not_hold_the_52_cards(deck: object):  # COM-16, CNO-7
    rulebook = CASINO.bind({}, 2)
    assert refusal_of(lambda: rulebook.deal(Table(rulebook.setup), 0, deck)) == ("bad_deck", ("COM-16", "CNO-7"))


def test_no_hand_is_dealt_into_a_hand():  # COM-14, CNO-7
    rulebook, table, _ = dealt(2, 0)
    assert refusal_of(lambda: rulebook.deal(table, 1, FRENCH_DECK)) == ("hand_in_progress", ("COM-14", "CNO-7"))


def test_no_hand_is_dealt_in_a_game_that_is_won():  # COM-13, CNO-7, CNO-64 to CNO-66
    won = ("game_over", ("COM-13", "CNO-7", "CNO-64", "CNO-65", "CNO-66"))
    position = last_card_wins()
    assert refusal_of(lambda: position.rulebook.deal(position.table, None, None)) == won


def test_no_move_is_made_in_a_game_that_is_won():  # COM-23, CNO-64 to CNO-66
    won = ("game_over", ("COM-23", "CNO-7", "CNO-64", "CNO-65", "CNO-66"))
    assert refusal_of(lambda: last_card_wins().judge({"type": "trail", "card": "5D"}, 0)) == won


def last_card_wins() -> Position:
    position = Position("5D", "", board="5H", stock="", options={"target": 1}, piles={0: "AS"})
    position.play("capture", card="5D", groups=[["5H"]])
    return position


def test_no_move_is_made_before_the_first_hand():  # COM-24, CNO-50
    rulebook = CASINO.bind({}, 2)
    move = {"type": "trail", "card": "5D"}
    assert refusal_of(lambda: rulebook.resolve(Table(rulebook.setup), 0, move)) == ("hand_over", ("COM-24", "CNO-50"))


@each("seat", [0, 2, -1, True, 1.0, "1", None])
def test_only_the_seat_whose_turn_it_is_may_move(seat: object):  # COM-25, CNO-15
    rulebook, table, _ = dealt(2, 0)
    move = {"type": "trail", "card": table.cards("hand:1")[0]}
    assert refusal_of(lambda: rulebook.resolve(table, seat, move)) == ("not_your_turn", ("COM-25", "CNO-15"))


# The deal


def hands_of(table: Table) -> list[str]:
    return [" ".join(table.cards(f"hand:{seat}")) for seat in range(table.setup.seats)]


def test_two_players_get_their_cards_in_twos_and_the_table_before_the_dealer():  # CNO-9, CNO-10
    _, table, _ = dealt(2, 1)
    assert hands_of(table) == ["AS KS 8S 7S", "TS 9S 4S 3S"]
    assert table.cards("board") == ("QS", "JS", "6S", "5S")


def test_three_players_get_their_cards_in_twos():  # CNO-9, CNO-10
    _, table, _ = dealt(3, 0)
    assert hands_of(table) == ["8S 7S KH QH", "AS KS 6S 5S", "QS JS 4S 3S"]
    assert table.cards("board") == ("TS", "9S", "2S", "AH")


def test_four_players_get_their_cards_in_twos():  # CNO-9, CNO-10
    _, table, _ = dealt(4, 2)
    assert hands_of(table) == ["QS JS 2S AH", "TS 9S KH QH", "6S 5S 9H 8H", "AS KS 4S 3S"]
    assert table.cards("board") == ("8S", "7S", "JH", "TH")


def test_the_rest_of_the_pack_lies_aside_with_the_next_card_on_top():  # CNO-14
    _, table, _ = dealt(2, 1)
    assert table.cards("stock")[::-1] == FRENCH_DECK[12:]


def test_the_seat_left_of_the_dealer_begins():  # CNO-15
    _, table, _ = dealt(4, 3)
    assert (table.phase, table.turn, table.to_act) == ("play", 0, (0,))


@each("seats", [2, 3, 4])
def test_all_52_cards_are_dealt_in_as_many_deals_as_the_seats_need(seats: int):  # CNO-11 to CNO-13
    rulebook, table, effects = dealt(seats, 0)
    said = [effect.value for effect in effects if isinstance(effect, DetailAnnounced)]
    while table.in_hand:
        turn = table.turn
        assert turn is not None
        effects = rulebook.resolve(table, turn, {"type": "trail", "card": table.cards(f"hand:{turn}")[0]})
        said += [effect.value for effect in effects if isinstance(effect, DetailAnnounced) and effect.what == "dealt"]
        table = fold(table, effects)
    deals = {2: 6, 3: 4, 4: 3}[seats]
    assert said == [{"deal": deal, "last": deal == deals} for deal in range(1, deals + 1)]
    assert len(table.cards("board")) == 52


def test_a_later_deal_gives_twos_to_the_hands_only_and_the_dealer_comes_last():  # CNO-11
    position = Position("5D", "", board="9H", turn=0, stock="AS KS QS JS TS 9S 8S 7S 2D 2C")
    position.play("trail", card="5D")
    assert hands_of(position.table) == ["AS KS TS 9S", "QS JS 8S 7S"]
    assert position.table.cards("board") == ("9H", "5D")
    assert position.table.turn == 0


@each(("hands", "deals"), [(("2H", ""), True), (("2H 3H", ""), False), (("2H", "KC"), False)])
def test_cards_are_dealt_again_when_nobody_holds_one_any_more(hands: tuple[str, str], deals: bool):  # CNO-11
    effects = Position(*hands, stock="4D 4C").play("trail", card="2H")
    assert any(isinstance(effect, DetailAnnounced) and effect.what == "dealt" for effect in effects) is deals


def test_a_refused_hand_tells_which_dealer_is_demanded():  # COM-27
    rulebook, table, _ = dealt(3, 2)
    with pytest.raises(Refused) as refused:
        rulebook.deal(fold(table, (HandClosed("played_out", {}),)), 2, FRENCH_DECK)
    assert refused.value.detail == {"dealer": 2, "allowed": (0,)}
