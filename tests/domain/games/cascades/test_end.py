"""Winning, losing, giving up, and the sheet of a deal."""

from typing import Any

from domain.effects import CardsMoved, DetailAnnounced, GameClosed, HandClosed, MarkSet, Scored, SightSet
from domain.score import sheet
from tests.domain.games.cascades.positions import ACE, ENDLESS, Position
from tests.domain.games.positions import refusal_of
from tests.each import each

FACTS: dict[str, Any] = {
    "result": "lost",
    "won": 0,
    "cards_total": 0,
    "cards_placed": 0,
    "cards_left": 0,
    "left_stock": 0,
    "left_waste": 0,
    "left_reserve": 0,
    "passes": 1,
    "turns": 1,
}
OVER = ("CSC-7", "CSC-40", "CSC-41", "CSC-42")


def end_of(position: Position) -> tuple[str, str | None, str | None]:
    view = position.view
    return view["phase"], view["result"], view["end"]


LOST = ("game_over", "lost", "stuck")
GOES_ON = ("play", None, None)


def test_the_last_card_placed_wins():  # CSC-40, CSC-45, CSC-47
    position = Position("9-MS", "9-LK", stock="", waste="9-WY", pass_=3, turns=16)
    assert position.play("9-WY", 2) == (
        CardsMoved(("9-WY",), "waste", "tier:2", shown=True),
        Scored("upper", (1,)),
        Scored("middle", (1,)),
        Scored("lower", (1,)),
        HandClosed("complete", {**FACTS, "result": "won", "won": 1, "cards_total": 3, "cards_placed": 3, "passes": 3, "turns": 16}),
        GameClosed((1,), {}),
    )
    assert end_of(position) == ("game_over", "won", "complete")


def test_with_cards_in_the_reserve_nothing_is_won_yet():  # CSC-40
    position = Position("9-MS", "9-LK", stock="", waste="9-WY", reserve=("8-MS", "", ""), pass_=3)
    position.play("9-WY", 2)
    assert end_of(position) == GOES_ON


def test_the_game_is_lost_when_nothing_can_be_placed_and_nothing_turned():  # CSC-18, CSC-41
    position = Position("4-MS", stock="8-YK", waste="9-MS", reserve=("8-WL", "7-WY", "9-LK"), pass_=3, turns=26)
    assert position.turn() == (
        CardsMoved(("8-YK",), "stock", "waste"),
        MarkSet("turns", 27),
        DetailAnnounced(None, "pass_ended", 3),
        SightSet("reserve:2", "top"),
        CardsMoved(("9-LK",), "reserve:2", "reserve:2", shown=True),
        SightSet("waste", "all"),
        SightSet("reserve:0", "all"),
        SightSet("reserve:1", "all"),
        SightSet("reserve:2", "all"),
        Scored("upper", (1,)),
        Scored("middle", (0,)),
        Scored("lower", (0,)),
        HandClosed(
            "stuck",
            {**FACTS, "cards_total": 6, "cards_placed": 1, "cards_left": 5, "left_waste": 2, "left_reserve": 3, "passes": 3, "turns": 27},
        ),
        GameClosed((None,), {}),
    )


def test_after_the_last_pass_the_game_goes_on_while_a_card_can_be_placed():  # CSC-41
    position = Position("4-MS", stock="8-YK", waste="9-MS", reserve=("6-MW", "7-ML", "3-SK"), pass_=3)
    position.turn()
    assert end_of(position) == GOES_ON
    position.play("3-SK", 0)
    assert end_of(position) == GOES_ON  # the 8 of Wyrms and Knots fits now
    position.play("8-YK", 0)
    assert end_of(position) == LOST


def test_a_placing_may_leave_nothing_to_do():  # CSC-41
    position = Position("4-MS", stock="", waste="9-LK 3-SK", pass_=3)
    position.play("3-SK", 0)
    position.play("9-LK", 0)
    assert end_of(position) == ("game_over", "won", "complete")
    position = Position("4-MS", stock="", waste="9-WY 3-SK", pass_=3)
    position.play("3-SK", 0)
    assert end_of(position) == LOST


def test_with_nothing_left_to_turn_the_open_piles_decide():  # CSC-24, CSC-41
    position = Position("4-MS", stock="", waste="3-SK", reserve=("9-WY", "8-WL", "7-ML"))
    position.play("3-SK", 0)
    assert end_of(position) == LOST
    position = Position("4-MS", stock="", waste="3-SK", reserve=("9-WY", "8-WL", "7-SK"))
    position.play("3-SK", 0)
    assert end_of(position) == GOES_ON


def test_a_hopeless_position_goes_on_while_turns_remain():  # CSC-41
    position = Position("4-MS", stock="8-YK", waste="4-YK 4-WL", pass_=2)
    position.turn()
    assert end_of(position) == GOES_ON


# A pass that changed nothing


def barren(
    *tiers: str,
    waste: str,
    stock: str,
    options: dict[str, object] = ENDLESS,
    pass_: int = 4,
    before: int = 1,
    reserve: tuple[str, ...] = (),
) -> Position:
    position = Position(*tiers, waste=waste, stock=stock, options=options, pass_=pass_, placed_before=before, reserve=reserve)
    position.turn()
    return position


def test_a_pass_that_placed_nothing_and_offers_nothing_loses_the_game():  # CSC-38
    assert end_of(barren("4-MS", waste="9-MS 4-YK 8-WL", stock="9-WY 3-SK 7-WY")) == LOST


def test_a_card_that_was_passed_over_keeps_the_game_going():  # CSC-38
    assert end_of(barren("4-MS", waste="9-MS 4-YK 3-SK", stock="9-WY 4-WL 7-WY")) == GOES_ON


def test_the_top_of_the_waste_counts_also_where_it_is_not_a_third_card():  # CSC-38
    assert end_of(barren("4-MS", waste="9-WY 4-YK 8-WL", stock="3-SK")) == GOES_ON
    assert end_of(barren("4-MS", waste="9-MS 4-YK 8-WL", stock="9-WY")) == LOST


def test_cards_that_the_next_pass_would_not_bring_up_do_not_count():  # CSC-38
    assert end_of(barren("4-MS", waste="9-MS 3-SK 8-WL", stock="2-MK 5-ML 7-WY")) == LOST


def test_the_tops_of_open_piles_count():  # CSC-38
    cards = {"waste": "4-YK 4-WL 8-WL", "stock": "9-WY"}
    assert end_of(barren("4-MS", **cards, reserve=("9-LK", "", "3-SK"))) == GOES_ON
    assert end_of(barren("4-MS", **cards, reserve=("9-LK", "", "3-LY"))) == LOST


def test_a_pass_that_placed_a_card_is_not_barren():  # CSC-38
    assert end_of(barren("4-MS 5-ML", waste="9-MS 4-YK 8-YK", stock="9-WY", before=1)) == GOES_ON


def test_a_pass_that_opens_a_pile_is_not_barren():  # CSC-38
    position = {"waste": "9-MS 4-YK 8-WL", "stock": "9-WY", "reserve": ("7-WY", "7-WY", "7-WY")}
    assert [end_of(barren("4-MS", **position, pass_=number)) for number in (2, 3, 4)] == [GOES_ON, GOES_ON, LOST]


def test_the_opening_card_counts_as_placed_in_the_first_pass():  # CSC-38
    assert end_of(barren("4-MS", waste="9-MS 4-YK 8-WL", stock="9-WY", pass_=1, before=0)) == GOES_ON


def test_in_the_ace_variant_the_first_pass_can_be_barren():  # CSC-38
    assert end_of(barren(waste="2-MK 3-SK 4-WL", stock="CROWN-L", options=ACE, pass_=1, before=0)) == LOST
    assert end_of(barren(waste="2-MK 3-SK 4-WL", stock="CROWN-M", options=ACE, pass_=1, before=0)) == GOES_ON


@each("passes", [5, 9])
def test_with_a_limit_a_barren_pass_ends_nothing(passes: int):  # CSC-38
    assert end_of(barren("4-MS", waste="9-MS 4-YK 8-WL", stock="9-WY 3-SK 7-WY", options={"passes": passes})) == GOES_ON


def test_a_recycling_begins_the_count_of_a_pass_anew():  # CSC-38
    position = Position("4-MS 5-ML", waste="4-YK 4-WL 9-WY", stock="", options=ENDLESS, pass_=7, placed_before=1)
    position.turn()
    assert end_of(position) == LOST


# Giving up


def test_whoever_gives_up_has_lost():  # CSC-42
    position = Position("4-MS", waste="2-MK 3-SK", stock="9-MS", reserve=("8-YK", "7-ML 7-SK", ""))
    assert position.resign() == (
        SightSet("stock", "all"),
        SightSet("waste", "all"),
        SightSet("reserve:0", "all"),
        SightSet("reserve:1", "all"),
        Scored("upper", (1,)),
        Scored("middle", (0,)),
        Scored("lower", (0,)),
        HandClosed(
            "resigned",
            {**FACTS, "cards_total": 7, "cards_placed": 1, "cards_left": 6, "left_stock": 1, "left_waste": 2, "left_reserve": 3},
        ),
        GameClosed((None,), {}),
    )
    assert end_of(position) == ("game_over", "lost", "resigned")


def test_a_lost_game_is_finished_without_a_winner():  # CSC-47, COM-41
    position = Position("4-MS 3-SK", "4-YK", waste="2-MK")
    position.resign()
    done = sheet(position.table.setup, position.table.score)
    assert (done.finished, done.places, done.winners, done.totals) == (True, (None,), (), (3,))
    assert done.hands[0].rows == {"upper": (2,), "middle": (1,), "lower": (0,)}


@each("move", [{"type": "play", "card": "2-MK", "tier": 0}, {"type": "turn"}, {"type": "resign"}])
def test_after_the_end_no_move_is_made(move: object):  # COM-23
    position = Position("4-MS", waste="2-MK")
    position.resign()
    assert refusal_of(lambda: position.judge(move)) == ("game_over", ("COM-23", *OVER))


@each("move", [{"type": "play", "card": "2-MK", "tier": 0}, {"type": "turn"}, {"type": "resign"}])
def test_before_the_deal_no_move_is_made(move: object):  # COM-24
    position = Position()
    position.table = type(position.table)(position.rulebook.setup)
    assert refusal_of(lambda: position.judge(move)) == ("hand_over", ("COM-24",))
