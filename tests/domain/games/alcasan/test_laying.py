"""Laying cards: what fits, what is removed, what is drawn."""

from domain.effects import CardsMoved, DetailAnnounced, MarkSet, TurnPassed
from domain.games.alcasan.kinds import effective, find_mismatch, removal
from domain.sight import Viewer, redact_effects
from tests.domain.games.alcasan.positions import ANY, COMPARED, Position
from tests.domain.games.positions import cards, moved
from tests.each import each

NUMBERS = [str(value) for value in range(1, 11)]
TOO_LOW = ("card_too_low", ("ALC-21",))
TOO_HIGH = ("card_too_high", ("ALC-22",))

# What fits


@each(
    ("on", "fitting", "otherwise"),
    [
        (None, "1 2 3 4 5 6 7 8 9 10", None),
        ("1", "1 2 3 4 5 6 7 8 9 10", None),
        ("2", "2 3 4 5 6 7 8 9 10", "card_too_low"),
        ("3", "3 4 5 6 7 8 9 10", "card_too_low"),
        ("4", "1 2 3 4", "card_too_high"),
        ("5", "5 6 7 8 9 10", "card_too_low"),
        ("6", "6 7 8 9 10", "card_too_low"),
        ("7", "7 8 9 10", "card_too_low"),
        ("8", "8 9 10", "card_too_low"),
        ("9", "9 10", "card_too_low"),
        ("10", "10", "card_too_low"),
        ("earth", "1 2 3 4 5 6 7 8 9 10", None),
    ],
)
def test_the_fit_table(on: str | None, fitting: str, otherwise: str | None):  # section 10, ALC-19 to ALC-23
    assert {card: find_mismatch(card, on) for card in NUMBERS} == {card: None if card in cards(fitting) else otherwise for card in NUMBERS}
    assert [find_mismatch(card, on) for card in ("fire", "earth", "air")] == [None, None, None]


@each(
    ("pile", "counts"),
    [
        ("", None),
        ("air", None),
        ("air air air", None),
        ("7", "7"),
        ("7 air", "7"),
        ("4 air air", "4"),
        ("9 earth air", "earth"),
        ("7 air 8", "8"),
    ],
)
def test_air_is_seen_through(pile: str, counts: str | None):  # ALC-19, ALC-24
    assert effective(cards(pile)) == counts


def test_a_lower_number_is_refused():  # ALC-21
    assert Position("6 7", "1", pile="7").refused("6") == TOO_LOW
    assert Position("6 7", "1", pile="7").lay("7")


def test_water_needs_four_or_less_below_it():  # ALC-21; www.alcasan.de/de/spielanleitung
    for pile in ("1", "2", "3", "4", "9 earth", "3 air", ""):
        assert Position("4 7", "1", pile=pile).lay("4")
    assert Position("4 7", "1", pile="5").refused("4") == TOO_LOW
    assert Position("4 7", "1", pile="5 air").refused("4") == TOO_LOW


def test_water_lets_four_or_less_follow_and_the_special_cards():  # ALC-22; www.alcasan.de/de/spielanleitung
    for card in ("1", "2", "3", "4", "fire", "earth", "air"):
        assert Position(f"{card} 7", "1", pile="4").lay(card)
    for card in ("5", "6", "7", "8", "9", "10"):
        assert Position(f"{card} 7", "1", pile="4").refused(card) == TOO_HIGH
        assert Position(f"{card} 7", "1", pile="4 air air").refused(card) == TOO_HIGH


def test_the_limit_of_water_binds_the_card_on_it_only():  # ALC-22
    position = Position("2 9 9", "3 1 9", pile="4")
    position.lay("2")
    position.lay("3")
    assert position.view["effective"] == "3"
    assert Position("1 9", "1", pile="4 2 3").refused("1") == TOO_LOW
    assert position.lay("9")


def test_everything_fits_on_earth_and_earth_on_everything():  # ALC-23; www.alcasan.de/de/spielanleitung
    for pile in ("10", "4", "1", ""):
        position = Position("earth 9", "1 2", pile=pile)
        position.lay("earth")
        assert position.lay("1")


def test_an_air_on_an_empty_pile_lets_any_card_follow():  # ALC-24; www.alcasan.de/de/spielanleitung
    position = Position("air 9", "4 2")
    position.lay("air")
    assert position.lay("4")


# How many


def test_several_identical_cards_are_laid_together_and_the_turn_passes():  # ALC-16, ALC-20
    position = Position("7 7 7 9", "1", pile="6", made=4)
    assert position.lay("7 7") == (
        CardsMoved(("7", "7"), "hand:0", "pile", shown=True),
        MarkSet("moves_made", 5),
        TurnPassed("play", 1, (1,)),
    )
    assert (position.view["hands"][0], position.view["pile"]) == (["7", "9"], ["6", "7", "7"])


def test_different_cards_are_not_laid_together():  # ALC-20
    assert Position("7 8 9", "1").refused("7 8") == ("cards_not_identical", ("ALC-20",))


@each("laid", ["6", "8 8", "9", "fire"])
def test_cards_that_are_not_in_the_hand(laid: str):  # ALC-18
    assert Position("7 8", "6 9", open=["9 9 9"]).refused(laid) == ("card_not_in_hand", ("ALC-18",))


def test_a_last_hand_card_is_not_laid_together_with_an_equal_open_card():  # ALC-18
    assert Position("9", "1", open=["9 9 9"]).refused("9 9") == ("card_not_in_hand", ("ALC-18",))


def test_four_in_one_lay_have_to_fit_like_one():  # ALC-28
    assert Position("2 2 2 2", "1", pile="9").refused("2 2 2 2") == TOO_LOW
    assert Position("8 8 8 8", "1", pile="4").refused("8 8 8 8") == TOO_HIGH
    assert Position("2 2 2 2", "1", pile="4").lay("2 2 2 2")
    assert Position("2 2 2 2", "1", pile="9 earth").lay("2 2 2 2")
    assert Position("2 2 2 2", "1").lay("2 2 2 2")


# The order of the checks


def test_the_kind_is_looked_at_before_the_hand_and_the_hand_before_the_fit():  # ALC-7
    assert Position("7", "1", pile="9").refused("6 5") == ("cards_not_identical", ("ALC-20",))
    assert Position("7", "1", pile="9").refused("6") == ("card_not_in_hand", ("ALC-18",))
    assert Position("7", "1", extra=True).refused("7 7") == ("card_not_in_hand", ("ALC-18",))


# Removal


def test_fire_takes_the_pile_out_of_the_game_and_the_same_seat_lays_again():  # ALC-25, ALC-29
    position = Position("fire 5 5 5", "1", pile="3 10", removed="8", made=2)
    assert position.lay("fire") == (
        CardsMoved(("fire",), "hand:0", "pile", shown=True),
        CardsMoved(("3", "10", "fire"), "pile", "removed"),
        DetailAnnounced(0, "pile_removed", "fire"),
        MarkSet("moves_made", 3),
        MarkSet("extra_lay", True),
    )
    assert (position.view["removed"], position.view["turn"], position.view["extra_lay"]) == (["8", "3", "10", "fire"], 0, True)


def test_fire_on_an_empty_pile_removes_itself():  # ALC-25
    position = Position("fire 5 5 5", "1")
    position.lay("fire")
    assert (position.view["removed"], position.view["pile"], position.view["extra_lay"]) == (["fire"], [], True)


def test_several_fires_remove_the_pile_once():  # ALC-25, section 11
    position = Position("fire fire fire", "1", pile="9", stock="1 2 3 5")
    assert moved(position.lay("fire fire fire")) == [
        ("fire fire fire", "hand:0", "pile"),
        ("9 fire fire fire", "pile", "removed"),
        ("1 2 3", "stock", "hand:0"),
    ]
    position.lay("2")
    assert position.view["turn"] == 1


@each("kind", ["1", "4", "8", "10", "earth", "air"])
@each("lying", [0, 1, 2, 3])
def test_the_fourth_identical_card_removes_the_pile_whoever_laid_the_others(kind: str, lying: int):  # ALC-26
    position = Position(" ".join([kind] * (4 - lying) + ["9", "9"]), "1", pile=" ".join(["1"] + [kind] * lying))
    laid = " ".join([kind] * (4 - lying))
    assert DetailAnnounced(0, "pile_removed", "four") in position.lay(laid)
    assert (position.view["pile"], position.view["turn"]) == ([], 0)


@each(
    ("pile", "cause"),
    [
        ("8 8 8", None),
        ("8 8 air 8 8", None),
        ("8 8 8 9", None),
        ("8 8 8 8", "four"),
        ("1 8 8 8 8", "four"),
        ("8 8 8 8 8", "four"),
        ("fire", "fire"),
        ("fire fire fire fire", "fire"),
        ("", None),
    ],
)
def test_what_removes_a_pile(pile: str, cause: str | None):  # ALC-25, ALC-26, ALC-8
    assert removal(cards(pile)) == cause


def test_an_air_breaks_the_four():  # ALC-26; the case of raydeater.com/karma/shithead.html
    position = Position("8 8 9", "1", pile="8 8 air")
    position.lay("8 8")
    assert (position.view["pile"], position.view["turn"]) == (["8", "8", "air", "8", "8"], 1)


# The further lay


def test_the_further_lay_is_a_single_card():  # ALC-29
    position = Position("7 7 9", "1", extra=True)
    assert position.refused("7 7") == ("single_card_only", ("ALC-29",))
    assert position.lay("7") == (
        CardsMoved(("7",), "hand:0", "pile", shown=True),
        MarkSet("moves_made", 1),
        MarkSet("extra_lay", None),
        TurnPassed("play", 1, (1,)),
    )


def test_with_the_option_any_the_further_lay_may_be_several_cards():  # ALC-29, ALC-4
    position = Position("7 7 9", "1", extra=True, options=ANY)
    position.lay("7 7")
    assert position.view["pile"] == ["7", "7"]


def test_removals_may_follow_one_another():  # ALC-29
    position = Position("fire 9", "1", extra=True)
    assert position.lay("fire") == (
        CardsMoved(("fire",), "hand:0", "pile", shown=True),
        CardsMoved(("fire",), "pile", "removed"),
        DetailAnnounced(0, "pile_removed", "fire"),
        MarkSet("moves_made", 1),
    )
    assert position.view["extra_lay"] is True


def test_the_pile_cannot_be_taken_instead_of_the_further_lay():  # ALC-29
    assert Position("7 7 9", "1", extra=True).taking_refused == ("must_lay", ("ALC-30",))


# Drawing


@each(
    ("hand", "stock", "drawn"),
    [("7 1 1", "2 3", "2"), ("7 1", "2 3", "2 3"), ("7", "2 3 5", "2 3 5"), ("7", "2", "2"), ("7 1 1 1", "2", ""), ("7 1", "", "")],
)
def test_after_laying_the_hand_is_drawn_up_to_three_while_there_is_a_stock(hand: str, stock: str, drawn: str):  # ALC-27
    position = Position(hand, "1", stock=stock)
    assert moved(position.lay("7")) == [("7", "hand:0", "pile")] + [(drawn, "stock", "hand:0")] * bool(drawn)
    assert position.view["stock"] == stock.split()[len(drawn.split()) :]


def test_drawing_comes_between_a_removal_and_the_further_lay():  # ALC-27, ALC-8
    position = Position("fire", "1", pile="5", stock="2 3 6 7")
    assert moved(position.lay("fire")) == [("fire", "hand:0", "pile"), ("5 fire", "pile", "removed"), ("2 3 6", "stock", "hand:0")]


def test_of_what_is_drawn_the_others_learn_the_number_only():  # ALC-6
    position = Position("7 1", "1", stock="2 3")
    before, effects = position.table, position.lay("7")
    assert CardsMoved(("?", "?"), "stock", "hand:0") in redact_effects(Viewer(1), before, effects)
    assert CardsMoved(("2", "3"), "stock", "hand:0") in redact_effects(Viewer(0), before, effects)


# Four in one lay that are compared


FOUR_TOO_LOW = ("card_too_low", ("ALC-28",))


@each(
    ("laid", "pile", "refusal"),
    [
        ("8 8 8 8", "4", None),
        ("8 8 8 8", "4 air", None),
        ("2 2 2 2", "4", FOUR_TOO_LOW),
        ("2 2 2", "4", None),
        ("8 8 8", "4", TOO_HIGH),
        ("2 2 2 2", "9", TOO_LOW),
        ("4 4 4 4", "9", TOO_LOW),
        ("4 4 4 4", "3", None),
        ("9 9 9 9", "8", None),
        ("2 2 2 2", "9 earth", None),
        ("2 2 2 2", "", None),
        ("air air air air", "4", None),
    ],
)
def test_four_in_one_lay_may_be_compared_also_on_water(laid: str, pile: str, refusal: tuple[str, tuple[str, ...]] | None):  # ALC-28
    position = Position(f"{laid} 1", "1", pile=pile, options=COMPARED)
    if refusal is None:
        assert DetailAnnounced(0, "pile_removed", "four") in position.lay(laid) or len(cards(laid)) < 4
    else:
        assert position.refused(laid) == refusal


def test_four_in_one_lay_fit_like_one_unless_that_is_agreed():  # ALC-28
    assert Position("8 8 8 8", "1", pile="4").refused("8 8 8 8") == TOO_HIGH
    assert Position("2 2 2 2 1", "1", pile="4").lay("2 2 2 2")


def test_who_can_lay_nothing_but_four_has_to():  # ALC-28, ALC-30, ALC-31
    assert Position("8 8 8 8 9", "1", pile="4", options=COMPARED).taking_refused == ("must_lay", ("ALC-30", "ALC-28"))
    assert Position("8 8 8 8 9", "1", pile="4").take()
    assert Position("8 8 8 9", "1", pile="4", options=COMPARED).take()


def test_a_card_that_is_turned_is_judged_as_one():  # ALC-28, ALC-36
    position = Position("", "1", open=[""], down=["8 8 8"], pile="4", options=COMPARED)
    position.reveal(0)
    assert position.lies("hand:0") == "8 4"
