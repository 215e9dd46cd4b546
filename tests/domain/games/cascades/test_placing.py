"""Placing cards on the tiers: every refusal, and what goes."""

from domain.cards import Card
from tests.domain.games.cascades.positions import ACE, EXTENDED, Position
from tests.domain.games.positions import refusal_of
from tests.each import each

MALFORMED = ("malformed_move", ("COM-22", "CSC-39"))
NOT_AVAILABLE = ("card_not_available", ("CSC-14", "CSC-21", "CSC-23", "CSC-33"))
MISSING_ABOVE = ("rank_missing_above", ("CSC-28",))
MISSING_BELOW = ("rank_missing_below", ("CSC-32",))
MISMATCH = ("suit_mismatch", ("CSC-26",))


# The form of a move


@each("move", [None, [], "turn", {}, {"type": 1}, {"type": None}, {"card": "4-MS"}])
def test_a_move_is_an_object_with_a_type(move: object):  # COM-20, CSC-39
    assert refusal_of(lambda: Position("4-MS").judge(move)) == ("malformed_move", ("COM-20", "CSC-39"))


@each("type_", ["draw", "Turn", "", "pass"])
def test_a_move_of_a_type_that_cascades_does_not_know(type_: str):  # COM-21, CSC-39
    assert refusal_of(lambda: Position("4-MS").judge({"type": type_})) == ("unknown_move", ("COM-21", "CSC-39"))


@each(
    "move",
    [
        {"type": "play"},
        {"type": "play", "card": "3-SK"},
        {"type": "play", "tier": 0},
        {"type": "play", "card": "3-SK", "tier": 3},
        {"type": "play", "card": "3-SK", "tier": -1},
        {"type": "play", "card": "3-SK", "tier": True},
        {"type": "play", "card": "3-SK", "tier": False},
        {"type": "play", "card": "3-SK", "tier": 0.0},
        {"type": "play", "card": "3-SK", "tier": "0"},
        {"type": "play", "card": "3-SK", "tier": None},
        {"type": "play", "card": "3-KS", "tier": 0},
        {"type": "play", "card": "?", "tier": 0},
        {"type": "play", "card": None, "tier": 0},
        {"type": "play", "card": ["3-SK"], "tier": 0},
        {"type": "play", "card": "EXCUSE", "tier": 0},
        {"type": "play", "card": "PAWN-MSL", "tier": 0},
        {"type": "play", "card": "3-SK", "tier": 0, "source": "waste"},
        {"type": "turn", "cards": 3},
        {"type": "resign", "card": "3-SK"},
    ],
)
def test_fields_that_a_move_does_not_have_or_cannot_have(move: object):  # COM-22, CSC-33, CSC-39
    assert refusal_of(lambda: Position("4-MS", waste="3-SK").judge(move)) == MALFORMED


def test_a_pawn_is_known_where_pawns_are_played():  # COM-22, CSC-33
    assert Position("4-MS", options={"pawns": True}).refusal("PAWN-MSL", 0) == NOT_AVAILABLE


@each("seat", [1, -1, True, False, 0.0, "0", None])
def test_only_seat_0_moves(seat: object):  # COM-25, CSC-1
    assert refusal_of(lambda: Position("4-MS").judge({"type": "turn"}, seat)) == ("not_your_turn", ("COM-25", "CSC-1"))


def test_after_every_move_the_player_is_to_act_again():  # CSC-39
    position = Position("4-MS", waste="6-LK 3-SK")
    position.play("3-SK", 0)
    position.turn()
    assert (position.table.phase, position.table.turn, position.table.to_act) == ("play", 0, (0,))


# The card


@each("tier", [0, 1, 2])
def test_a_card_is_never_moved_or_taken_back(tier: int):  # CSC-25
    position = Position("4-MS 3-SK", "4-YK", waste="2-MK")
    assert position.refusal("3-SK", tier) == ("card_already_played", ("CSC-25",))
    assert position.refusal("4-YK", tier) == ("card_already_played", ("CSC-25",))


def test_the_aces_beside_the_tiers_are_never_placed():  # CSC-34
    assert Position(waste="2-MK", options=ACE).refusal("A-W", 0) == ("card_already_played", ("CSC-34",))


@each(
    "card",
    [
        "2-MK",  # below the top of the waste
        "9-MS",  # in the stock
        "8-MS",  # covered in an open pile
        "7-ML",  # in a closed pile
        "7-WY",  # on top of a closed pile
        "CROWN-Y",  # nowhere to be seen
    ],
)
@each("tier", [0, 1, 2])
def test_a_card_that_is_hidden_or_covered_is_not_available_whatever_else_is_wrong(card: Card, tier: int):  # CSC-14, CSC-23, CSC-33
    position = Position("4-MS 9-WY", waste="2-MK 3-SK", stock="9-MS A-M", reserve=("8-MS 8-YK", "7-ML 7-WY"), pass_=2)
    assert position.refusal(card, tier) == NOT_AVAILABLE


# How many of a rank


@each("tier", [0, 1, 2])
def test_a_number_lies_once_in_a_tier(tier: int):  # CSC-27
    lying = ["5-SW 4-MS", "5-SW", "5-SW"]
    lying[tier] = "4-MS 5-SW"
    assert Position(*lying, waste="4-WL").refusal("4-WL", tier) == ("rank_limit_reached", ("CSC-27",))


@each(("rank", "third"), [("A", "A-W"), ("CROWN", "CROWN-W")])
@each("tier", [0, 1, 2])
def test_a_tier_has_room_for_two_aces_and_two_crowns(rank: str, third: Card, tier: int):  # CSC-29
    two = f"{rank}-M {rank}-S"
    assert Position(two, two, two, waste=third).refusal(third, tier) == ("rank_limit_reached", ("CSC-29",))


@each(("first", "second", "third"), [("PAWN-MSL", "PAWN-MYK", "PAWN-SWK"), ("COURT-MWK", "COURT-MLY", "COURT-SWY")])
def test_the_upper_tier_has_room_for_two_pawns_and_two_courts_the_others_for_one(first: Card, second: Card, third: Card):  # CSC-31
    limit = ("rank_limit_reached", ("CSC-31",))
    position = Position(f"{first} {second}", first, first, waste=third, options=EXTENDED)
    assert [position.refusal(third, tier) for tier in range(3)] == [limit, limit, limit]


# The rank above and below


def test_a_lower_tier_needs_the_rank_in_the_tier_directly_above():  # CSC-28
    assert Position("4-MS", waste="3-LY").refusal("3-LY", 1) == MISSING_ABOVE
    assert Position("4-MS 3-SK", waste="3-LY").refusal("3-LY", 2) == MISSING_ABOVE
    assert Position("4-MS 3-SK", waste="3-LY").play("3-LY", 1)
    assert Position("4-MS 3-SK", "3-MW", waste="3-LY").play("3-LY", 2)


@each("card", ["A-K", "CROWN-K"])
def test_a_second_ace_or_crown_below_needs_two_above(card: Card):  # CSC-28, CSC-29
    rank = card.partition("-")[0]
    assert Position(f"{rank}-M", f"{rank}-Y 4-YK", waste=card).refusal(card, 1) == MISSING_ABOVE
    assert Position(f"{rank}-M {rank}-S", f"{rank}-Y 4-YK", waste=card).play(card, 1)


def test_the_second_ace_of_a_tier_needs_a_second_ace_above():  # CSC-29; the example on wiki.decktet.com/game:cascades
    assert Position("A-M 4-MS", "A-Y 4-YK", waste="A-K").refusal("A-K", 1) == MISSING_ABOVE
    assert Position("A-M 4-MS A-S", "A-Y 4-YK", waste="A-K").play("A-K", 1)


def test_aces_and_crowns_do_not_count_for_each_other():  # CSC-29
    assert Position("A-M A-S", waste="CROWN-K").refusal("CROWN-K", 1) == MISSING_ABOVE


@each(("first", "second"), [("A-M", "A-S"), ("CROWN-M", "CROWN-S")])
def test_the_upper_tier_takes_a_second_ace_or_crown_at_once(first: Card, second: Card):  # CSC-30
    assert Position(f"{first} 4-MS", waste=second).play(second, 0)


@each(("first", "second", "other"), [("PAWN-MSL", "PAWN-SWK", "COURT-MWK"), ("COURT-MWK", "COURT-SWY", "PAWN-MSL")])
def test_a_second_pawn_or_court_above_needs_one_in_the_lower_tier(first: Card, second: Card, other: Card):  # CSC-32
    rank = first.partition("-")[0]
    spare = "PAWN-MYK PAWN-WLY" if rank == "PAWN" else "COURT-MLY COURT-SLK"
    middle, lower = spare.split()
    assert Position(first, middle, waste=second, options=EXTENDED).refusal(second, 0) == MISSING_BELOW
    assert Position(first, middle, other, waste=second, options=EXTENDED).refusal(second, 0) == MISSING_BELOW
    assert Position(first, middle, lower, waste=second, options=EXTENDED).play(second, 0)


@each("card", ["PAWN-MSL", "COURT-MWK"])
def test_pawns_and_courts_need_their_rank_above_like_the_others(card: Card):  # CSC-32
    assert Position("4-MS", waste=card, options=EXTENDED).refusal(card, 1) == MISSING_ABOVE


def test_the_first_pawn_needs_nothing_below():  # CSC-32
    assert Position("4-MS", waste="PAWN-MSL", options=EXTENDED).play("PAWN-MSL", 0)


# The suit


@each("end", ["4-MS", "3-SK", "A-S", "6-MW"])
def test_a_card_shares_a_suit_with_the_right_end_of_the_tier(end: Card):  # CSC-26
    assert Position(f"4-YK {end}" if end[0] != "4" else end, waste="8-MS").play("8-MS", 0)


@each("end", ["4-WL", "CROWN-Y", "9-LK"])
def test_a_card_of_other_suits_does_not_fit(end: Card):  # CSC-26
    assert Position(end, waste="8-MS").refusal("8-MS", 0) == MISMATCH


def test_only_the_right_end_matters():  # CSC-26
    assert Position("8-MS 4-WL", waste="3-SK").refusal("3-SK", 0) == MISMATCH


def test_on_an_empty_tier_every_suit_fits():  # CSC-26
    assert Position("4-MS 3-SK", "", waste="3-LY").play("3-LY", 1)
    assert Position("", waste="3-LY").play("3-LY", 0)


@each(("card", "fits"), [("8-MS", True), ("3-SK", True), ("2-MK", True), ("4-WL", False), ("CROWN-Y", False)])
@each("lying", ["", "9-MS", "9-LK", "9-WY"])
def test_in_the_ace_variant_a_card_shares_a_suit_with_an_ace_of_the_tier(card: Card, fits: bool, lying: str):  # CSC-36
    position = Position(lying, waste=card, stock="7-ML 7-SK", options=ACE)
    if fits:
        assert position.play(card, 0)
    else:
        assert position.refusal(card, 0) == ("suit_mismatch", ("CSC-36",))


def test_in_the_ace_variant_ranks_are_judged_as_ever():  # CSC-37
    assert Position("4-MS", waste="4-WL", options=ACE).refusal("4-WL", 0) == ("rank_limit_reached", ("CSC-27",))
    assert Position("3-SK", waste="4-WL", options=ACE).refusal("4-WL", 1) == MISSING_ABOVE
    assert Position("4-MS", waste="4-WL", options=ACE).play("4-WL", 1)


# The order of the checks


def test_the_room_in_the_tier_is_judged_before_the_rank_above():  # CSC-33
    position = Position("", "4-MS", waste="4-YK")
    assert position.refusal("4-YK", 1) == ("rank_limit_reached", ("CSC-27",))


def test_the_rank_above_is_judged_before_the_suit():  # CSC-33
    assert Position("4-MS", "9-MS", waste="3-LY").refusal("3-LY", 1) == MISSING_ABOVE


def test_the_rank_below_is_judged_before_the_suit():  # CSC-33
    assert Position("PAWN-MYK 5-ML", waste="PAWN-SWK", options=EXTENDED).refusal("PAWN-SWK", 0) == MISSING_BELOW
