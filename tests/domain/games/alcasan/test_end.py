"""Finishing, places, the end of a hand and of the game."""

from domain.effects import CardsMoved, DetailAnnounced, GameClosed, HandClosed, MarkSet, Scored, TurnPassed
from domain.games.alcasan.score import count_lower_seats, hand_places
from domain.score import sheet
from tests.domain.games.alcasan.positions import Position
from tests.each import each

GONE = "- - -"


def last_card(*others: str, card: str = "7", **position: object) -> Position:
    """Seat 0 holds its last card; nobody has open or face-down cards, so that the others' hands are all they have."""
    seats = 1 + len(others)
    return Position(card, *others, open=[""] * seats, down=[GONE] * seats, **position)  # pyrefly: ignore[bad-argument-type]


def test_who_has_no_card_left_has_finished_and_the_others_play_on():  # ALC-38, ALC-39
    position = last_card("8 8", "9 9 9", pile="5")
    assert position.lay("7") == (
        CardsMoved(("7",), "hand:0", "pile", shown=True),
        MarkSet("moves_made", 1),
        MarkSet("finished", (0,)),
        TurnPassed("play", 1, (1,)),
    )
    assert (position.view["places"], position.view["phase"]) == ([1, None, None], "play")


def test_who_draws_has_not_finished():  # ALC-38, ALC-27
    position = last_card("8 8", "9 9 9", stock="1")
    position.lay("7")
    assert position.view["places"] == [None, None, None]


def test_finished_seats_are_passed_over():  # ALC-16, ALC-40
    position = Position("7 7", "", "8 8", "9 9", open=[""] * 4, down=[GONE] * 4, finished=(1,), pile="5")
    position.lay("7")
    assert position.view["turn"] == 2
    position.lay("8")
    position.lay("9")
    assert position.view["turn"] == 0


def test_the_next_seat_follows_the_pile_as_it_lies():  # ALC-40
    position = last_card("9 3", "9 9", card="4", pile="2")
    position.lay("4")
    assert position.refused("9") == ("card_too_high", ("ALC-22",))
    assert position.lay("3")


@each(("card", "pile", "cause"), [("fire", "5", "fire"), ("8", "8 8 8", "four")])
def test_a_last_card_that_removes_the_pile_leaves_the_new_one_to_the_next_seat(card: str, pile: str, cause: str):  # ALC-29, ALC-40
    position = last_card("1 1", "9 9", card=card, pile=pile)
    effects = position.lay(card)
    assert effects[2:] == (
        DetailAnnounced(0, "pile_removed", cause),
        MarkSet("moves_made", 1),
        MarkSet("finished", (0,)),
        TurnPassed("play", 1, (1,)),
    )
    assert position.view["extra_lay"] is False
    assert position.lay("1")


def test_a_further_lay_that_finishes_lifts_the_right_to_it():  # ALC-29, ALC-40
    position = last_card("1 1", "9 9", extra=True)
    assert position.lay("7")[-3:] == (MarkSet("finished", (0,)), MarkSet("extra_lay", None), TurnPassed("play", 1, (1,)))


def test_a_hand_of_two_is_over_when_the_first_finishes():  # ALC-41, ALC-42
    position = Position("7", "8 8", open=["", "9"], down=[GONE, "1 - 2"], pile="5", made=9)
    assert position.lay("7") == (
        CardsMoved(("7",), "hand:0", "pile", shown=True),
        MarkSet("moves_made", 10),
        MarkSet("finished", (0,)),
        Scored("seats_beaten", (1, 0)),
        HandClosed("finished", {"places": (1, 2), "cards_left": (0, 5)}),
        GameClosed((1, 2), {}),
    )
    view = position.view
    assert (view["phase"], view["turn"], view["places"], view["winners"], view["totals"]) == ("game_over", None, [1, 2], [0], [1, 0])
    assert view["pile"] == ["5", "7"]


def test_the_last_seat_with_cards_gets_the_last_place():  # ALC-41
    position = last_card("", "8 8", "", pile="5", finished=(3, 1))
    assert position.lay("7")[-3:] == (
        Scored("seats_beaten", (1, 2, 0, 3)),
        HandClosed("finished", {"places": (3, 2, 4, 1), "cards_left": (0, 0, 2, 0)}),
        GameClosed((3, 2, 4, 1), {}),
    )


def test_a_turned_card_may_be_the_last():  # ALC-36, ALC-38
    position = Position("", "8 8", open=["", ""], down=["- - 9", GONE], pile="5")
    position.reveal(2)
    assert position.view["places"] == [1, 2]


# The limit of moves


@each("made", [0, 8])
def test_before_the_limit_the_hand_goes_on(made: int):  # ALC-43
    position = Position("7 7", "8", options={"move_limit": 10}, made=made)
    position.lay("7")
    assert position.view["phase"] == "play"


def test_the_hand_ends_with_the_last_move_allowed_and_its_effects():  # ALC-43
    position = Position("7 2 2", "8", "8 8", options={"move_limit": 10}, made=9, stock="1 3")
    assert position.lay("7") == (
        CardsMoved(("7",), "hand:0", "pile", shown=True),
        CardsMoved(("1",), "stock", "hand:0"),
        MarkSet("moves_made", 10),
        Scored("seats_beaten", (0, 2, 1)),
        HandClosed("move_limit", {"places": (3, 1, 2), "cards_left": (9, 7, 8)}),
        GameClosed((3, 1, 2), {}),
    )


def test_taking_and_turning_count_as_moves():  # ALC-43
    taken = Position("2", "8", pile="9", options={"move_limit": 1})
    taken.take()
    turned = Position("", "8", open=[""], pile="5", options={"move_limit": 1})
    turned.reveal(0)
    assert [position.view["phase"] for position in (taken, turned)] == ["game_over", "game_over"]


def test_a_right_to_a_further_lay_lapses_with_the_hand():  # ALC-43, section 9
    position = Position("fire 7", "8", options={"move_limit": 1, "deals": 2})
    position.lay("fire")
    assert (position.view["phase"], position.view["extra_lay"]) == ("hand_over", False)
    position = Position("fire 7", "8", options={"move_limit": 1, "deals": 2}, extra=True)
    position.lay("fire")
    assert position.view["extra_lay"] is False


def test_a_hand_that_ends_by_itself_with_the_last_move_is_finished():  # ALC-43
    position = Position("7", "8 8", open=["", ""], down=[GONE, GONE], options={"move_limit": 1})
    position.lay("7")
    assert sheet(position.table.setup, position.table.score).hands[0].end == "finished"


@each(
    ("finished", "left", "places"),
    [
        ((), (3, 3), (1, 1)),
        ((), (5, 2, 5), (2, 1, 2)),
        ((2,), (4, 4, 0), (2, 2, 1)),
        ((), (1, 2, 1), (1, 3, 1)),
        ((3, 0), (0, 9, 8, 0), (2, 4, 3, 1)),
        ((1, 0, 2), (0, 0, 0, 7), (2, 1, 3, 4)),
    ],
)
def test_places_after_a_hand(finished: tuple[int, ...], left: tuple[int, ...], places: tuple[int, ...]):  # ALC-38, ALC-41, ALC-43
    assert hand_places(finished, left) == places


@each(("places", "points"), [((1, 2), (1, 0)), ((1, 1), (0, 0)), ((2, 1, 3), (1, 2, 0)), ((1, 3, 1, 4), (2, 1, 2, 0))])
def test_a_point_for_each_seat_with_a_worse_place(places: tuple[int, ...], points: tuple[int, ...]):  # ALC-42
    assert count_lower_seats(places) == points


# The game


def test_the_game_goes_on_until_all_hands_are_played():  # ALC-44
    position = Position("7", "8 8", open=["", ""], down=[GONE, GONE], options={"deals": 2})
    position.lay("7")
    assert (position.view["phase"], position.view["turn"], position.view["to_act"]) == ("hand_over", None, [])
    assert (position.view["winners"], position.view["totals"], position.view["places"]) == (None, [1, 0], [1, 2])


def test_seats_with_equal_totals_share_the_first_place():  # ALC-42, ALC-44
    position = Position("2 2", "8 8", pile="9", options={"move_limit": 1})
    position.take()
    done = sheet(position.table.setup, position.table.score)
    assert (done.totals, done.places, done.winners) == ((0, 1), (2, 1), (1,))
    position = Position("7 2 2", "8 8", options={"move_limit": 1})
    position.lay("7")
    done = sheet(position.table.setup, position.table.score)
    assert (done.totals, done.places, done.winners) == ((0, 0), (1, 1), (0, 1))
