"""Options, the one seat, and the deal."""

from domain.cards import Card, append_missing_cards
from domain.effects import CardsMoved, HandOpened, MarkSet, Plain, TurnPassed, ZoneAdded
from domain.setup import Setup
from domain.sight import Viewer, redact_effects
from domain.table import Table
from tests.domain.games.cascades.positions import ACE, CASCADES, EXTENDED, Position, dealt
from tests.domain.games.positions import cards, refusal_of
from tests.each import each

DEFAULTS: dict[str, Plain] = {"variant": "standard", "pawns": False, "courts": False, "passes": 3}
FIRST = "9-MS 9-WY 9-LK 8-MS 8-WL 8-YK 7-ML 7-SK 7-WY 2-MK 3-SK 4-MS"


def test_what_is_left_out_gets_its_default():  # CSC-2
    assert CASCADES.bind({}, 1).setup == Setup(
        ruleset="cascades",
        options=DEFAULTS,
        seats=1,
        parties=((0,),),
        rows=("upper", "middle", "lower"),
        start_totals=(0,),
    )


def test_the_ace_variant_has_no_limit_of_passes_unless_told_otherwise():  # CSC-2, CSC-38
    assert CASCADES.bind(ACE, 1).setup.options == {**DEFAULTS, "variant": "ace", "passes": 0}
    assert CASCADES.bind({**ACE, "passes": 3}, 1).setup.options["passes"] == 3
    assert CASCADES.bind({"passes": 0}, 1).setup.options["passes"] == 0


@each("passes", [0, 3, 4, 5, 6, 7, 8, 9])
@each("variant", ["standard", "ace"])
def test_passes_are_unlimited_or_three_to_nine(variant: str, passes: int):  # CSC-2, CSC-18
    assert CASCADES.bind({"variant": variant, "passes": passes}, 1).setup.options["passes"] == passes


@each(
    "options",
    [
        None,
        [],
        {"jokers": True},
        {"variant": "aces"},
        {"variant": None},
        {"pawns": 1},
        {"pawns": None},
        {"courts": 0},
        {"courts": "yes"},
        {"passes": 1},
        {"passes": 2},
        {"passes": 10},
        {"passes": -1},
        {"passes": False},
        {"passes": 3.0},
        {"passes": "3"},
        {"passes": None},
    ],
)
def test_an_option_that_is_not_allowed(options: object):  # COM-10, CSC-2
    assert refusal_of(lambda: CASCADES.bind(options, 1)) == ("bad_option", ("COM-10", "CSC-2"))


@each("seats", [0, 2, -1, True, 1.0, "1", None, [1]])
def test_cascades_has_one_seat(seats: object):  # COM-11, CSC-1
    assert refusal_of(lambda: CASCADES.bind({}, seats)) == ("bad_seats", ("COM-11", "CSC-1"))


def test_the_options_are_judged_before_the_seats():  # COM-10, COM-11
    assert refusal_of(lambda: CASCADES.bind({"passes": 1}, 2)) == ("bad_option", ("COM-10", "CSC-2"))


# The cards


@each(("pawns", "courts", "size"), [(False, False, 36), (True, False, 40), (False, True, 40), (True, True, 44)])
def test_pawns_and_courts_may_be_added_each_or_both(pawns: bool, courts: bool, size: int):  # CSC-3, CSC-4
    deck = CASCADES.bind({"pawns": pawns, "courts": courts}, 1).deck
    ranks = [card.partition("-")[0] for card in deck]
    assert (len(set(deck)), ranks.count("PAWN"), ranks.count("COURT")) == (size, 4 * pawns, 4 * courts)
    assert [ranks.count(rank) for rank in ("A", "2", "3", "4", "5", "6", "7", "8", "9", "CROWN")] == [6, *[3] * 8, 6]


def test_a_number_has_each_suit_once_and_a_pawn_or_court_each_suit_twice():  # CSC-3, section 3
    for rank in ("A", *"23456789", "CROWN"):
        assert sorted(suits_of(rank)) == sorted("MSWLYK")
    for rank in ("PAWN", "COURT"):
        assert sorted(suits_of(rank)) == sorted("MSWLYK" * 2)


def suits_of(rank: str) -> str:
    return "".join(card.partition("-")[2] for card in CASCADES.bind(EXTENDED, 1).deck if card.startswith(f"{rank}-"))


def test_the_market_is_the_six_of_leaves_and_knots():  # the introduction to the Decktet on decktet.wikidot.com
    assert "6-LK" in CASCADES.bind({}, 1).deck


def test_the_canonical_order_goes_from_the_aces_to_the_crowns():  # section 3
    deck = CASCADES.bind(EXTENDED, 1).deck
    assert deck[:9] == cards("A-M A-S A-W A-L A-Y A-K 2-MK 2-SY 2-WL")
    assert deck[-14:] == cards(
        "PAWN-MSL PAWN-MYK PAWN-SWK PAWN-WLY COURT-MWK COURT-MLY COURT-SWY COURT-SLK CROWN-M CROWN-S CROWN-W CROWN-L CROWN-Y CROWN-K"
    )


def test_the_excuse_has_no_code():  # CSC-5
    assert {len(card.partition("-")[2]) for card in CASCADES.bind(EXTENDED, 1).deck} == {1, 2, 3}


# The start


@each("dealer", [1, -1, True, False, 0.0, "0", None])
def test_the_player_deals(dealer: object):  # COM-15, CSC-1
    rulebook = CASCADES.bind({}, 1)
    assert refusal_of(lambda: rulebook.deal(Table(rulebook.setup), dealer, rulebook.deck)) == ("bad_dealer", ("COM-15", "CSC-1"))


BASIC = CASCADES.bind({}, 1).deck


@each(
    "deck",
    [
        None,
        [],
        "deck",
        BASIC[:-1],
        (*BASIC, "A-M"),
        (*BASIC[:-1], "A-M"),
        (*BASIC[:-1], "PAWN-MSL"),
        (*BASIC[:-1], "EXCUSE"),
        (*BASIC[:-1], 7),
    ],
)
@each("options", [{}, ACE])
def test_a_deck_that_does_not_hold_every_card_once(deck: object, options: dict[str, object]):  # COM-16, CSC-6
    rulebook = CASCADES.bind(options, 1)
    assert refusal_of(lambda: rulebook.deal(Table(rulebook.setup), 0, deck)) == ("bad_deck", ("COM-16", "CSC-6"))


def test_a_second_deal_is_refused_while_the_first_is_played():  # COM-14, CSC-7
    rulebook, table, _ = dealt()
    assert refusal_of(lambda: rulebook.deal(table, 1, None)) == ("hand_in_progress", ("COM-14", "CSC-7"))


OVER = ("CSC-7", "CSC-40", "CSC-41", "CSC-42")


def test_a_second_deal_is_refused_after_the_first():  # COM-13, CSC-7
    position = Position("4-MS")
    position.resign()
    assert refusal_of(lambda: position.rulebook.deal(position.table, 0, BASIC)) == ("game_over", ("COM-13", *OVER))


# The deal


def test_the_deal_lays_the_reserve_turns_three_cards_and_places_the_top_one():  # CSC-8 to CSC-10
    _, table, effects = dealt(FIRST)
    deck = append_missing_cards(cards(FIRST), BASIC)
    assert effects == (
        HandOpened(1, 0),
        ZoneAdded("stock", "none", None, deck[::-1]),
        ZoneAdded("waste", "top", None),
        ZoneAdded("tier:0", "all", None),
        ZoneAdded("tier:1", "all", None),
        ZoneAdded("tier:2", "all", None),
        ZoneAdded("reserve:0", "none", None),
        ZoneAdded("reserve:1", "none", None),
        ZoneAdded("reserve:2", "none", None),
        CardsMoved(("9-MS", "9-WY", "9-LK"), "stock", "reserve:0"),
        CardsMoved(("8-MS", "8-WL", "8-YK"), "stock", "reserve:1"),
        CardsMoved(("7-ML", "7-SK", "7-WY"), "stock", "reserve:2"),
        CardsMoved(("2-MK", "3-SK", "4-MS"), "stock", "waste"),
        MarkSet("pass", 1),
        MarkSet("turns", 1),
        CardsMoved(("4-MS",), "waste", "tier:0", shown=True),
        CardsMoved(("3-SK",), "waste", "waste", shown=True),
        TurnPassed("play", 0, (0,)),
    )
    assert table.cards("stock")[::-1] == deck[12:]


@each(("options", "left"), [({}, 24), ({"pawns": True}, 28), ({"courts": True}, 28), (EXTENDED, 32)])
def test_the_stock_holds_what_is_left(options: dict[str, object], left: int):  # CSC-10
    assert len(dealt("", options)[1].cards("stock")) == left


@each("opening", ["A-M", "CROWN-Y", "PAWN-SWK", "COURT-MLY", "9-WY"])
def test_the_opening_card_is_placed_whatever_it_is(opening: Card):  # CSC-10
    others = [card for card in CASCADES.bind(EXTENDED, 1).deck if card != opening][:11]
    assert dealt(" ".join([*others, opening]), EXTENDED)[1].cards("tier:0") == (opening,)


def test_in_the_ace_variant_the_aces_are_laid_beside_the_tiers_in_the_order_of_the_deck():  # CSC-34, CSC-35
    first = "4-YK A-K 4-WL A-L A-M 4-MS A-Y A-W 2-MK A-S"
    _, table, effects = dealt(first, ACE)
    assert [effect for effect in effects if isinstance(effect, CardsMoved)] == [
        CardsMoved(("A-K", "A-L"), "stock", "base:0", shown=True),
        CardsMoved(("A-M", "A-Y"), "stock", "base:1", shown=True),
        CardsMoved(("A-W", "A-S"), "stock", "base:2", shown=True),
        CardsMoved(("4-YK", "4-WL", "4-MS"), "stock", "waste"),
    ]
    assert [table.cards(f"tier:{tier}") for tier in range(3)] == [(), (), ()]
    assert table.cards("stock")[:-3:-1] == ("2-MK", "2-SY")
    assert [zone for zone in table.zones if zone.startswith("reserve")] == []


@each(("options", "left"), [({}, 27), ({"pawns": True}, 31), (EXTENDED, 35)])
def test_in_the_ace_variant_all_other_cards_are_the_stock(options: dict[str, object], left: int):  # CSC-35
    assert len(dealt("", {**options, **ACE})[1].cards("stock")) == left


def test_of_the_deal_the_player_is_told_what_lies_open():  # CSC-14, CSC-44
    rulebook, _, effects = dealt(FIRST)
    told = redact_effects(Viewer(0), Table(rulebook.setup), effects)
    assert [effect for effect in told if isinstance(effect, CardsMoved)] == [
        *[CardsMoved(("?", "?", "?"), "stock", f"reserve:{pile}") for pile in range(3)],
        CardsMoved(("?", "3-SK", "4-MS"), "stock", "waste"),
        CardsMoved(("4-MS",), "waste", "tier:0", shown=True),
        CardsMoved(("3-SK",), "waste", "waste", shown=True),
    ]
