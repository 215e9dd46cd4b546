"""Taking the pile, open cards, and face-down cards."""

from domain.effects import CardsMoved, DetailAnnounced, MarkSet, TurnPassed
from domain.sight import PUBLIC, Viewer, redact_effects
from tests.domain.games.alcasan.positions import Position
from tests.domain.games.positions import moved
from tests.each import each

MUST_LAY = ("must_lay", ("ALC-30",))
MUST_REVEAL = ("must_reveal", ("ALC-36",))
BLOCKED = ("down_cards_blocked", ("ALC-18", "ALC-35", "ALC-37"))


@each(
    ("hand", "pile"),
    [("7 8", "7"), ("2 3", "10 earth"), ("1 9", "4"), ("2 fire", "10"), ("2 earth", "10"), ("2 air", "10"), ("9", ""), ("9", "air")],
)
def test_who_can_lay_may_not_take(hand: str, pile: str):  # ALC-30
    assert Position(hand, "1", pile=pile).taking_refused == MUST_LAY


@each(("hand", "pile"), [("2 3 6", "9"), ("5 9", "4"), ("5 9", "4 air"), ("9 8", "10")])
def test_who_cannot_lay_takes_the_pile_and_the_next_seat_begins_a_new_one(hand: str, pile: str):  # ALC-31, ALC-32
    position = Position(hand, "1 2", pile=pile, made=3, stock="1")
    assert position.take() == (
        CardsMoved(tuple(pile.split()), "pile", "hand:0"),
        MarkSet("moves_made", 4),
        TurnPassed("play", 1, (1,)),
    )
    assert position.table.cards("hand:0") == (*hand.split(), *pile.split())
    assert (position.view["pile"], position.view["extra_lay"], position.view["stock"]) == ([], False, ["1"])
    assert position.lay("1")


def test_cards_that_were_taken_are_hidden_in_the_hand():  # ALC-6, ALC-32
    position = Position("2 3", "1 2", pile="9")
    assert redact_effects(Viewer(1), position.table, position.judge({"type": "take"}))[0] == CardsMoved(("9",), "pile", "hand:0")
    position.take()
    assert position.view["hands"][0] == ["2", "3", "9"]


# Open cards


def test_with_an_empty_hand_open_cards_are_laid():  # ALC-33
    position = Position("", "1", open=["9 9 7"], pile="5")
    assert moved(position.lay("9 9")) == [("9 9", "open:0", "pile")]
    assert position.view["open"][0] == ["7"]


def test_cards_that_do_not_lie_open():  # ALC-33, ALC-18
    refused = ("card_not_in_open", ("ALC-33", "ALC-18"))
    position = Position("", "1", open=["9 9 7"], pile="5")
    assert [position.refused(laid) for laid in ("8", "7 7", "9 9 9", "fire")] == [refused] * 4


def test_open_cards_wait_for_the_hand():  # ALC-35
    assert Position("2", "1", open=["9 9 7"], pile="5").refused("9") == ("card_not_in_hand", ("ALC-18",))


def test_from_the_last_hand_card_to_the_open_cards_within_one_turn():  # ALC-33
    position = Position("fire", "1", open=["9 9 7"], pile="5")
    position.lay("fire")
    assert position.view["turn"] == 0
    assert position.lay("7")


def test_if_no_open_card_fits_the_pile_is_taken_and_the_open_cards_stay():  # ALC-34
    position = Position("", "1", open=["9 9 7"], pile="5 10")
    assert position.refused("9") == ("card_too_low", ("ALC-21",))
    position.take()
    assert (position.view["hands"][0], position.view["open"][0]) == (["5", "10"], ["7", "9", "9"])


def test_an_open_card_that_fits_has_to_be_laid():  # ALC-30, ALC-33
    assert Position("", "1", open=["9 9 7"], pile="5").taking_refused == MUST_LAY


# Face-down cards


def test_with_neither_hand_nor_open_cards_a_face_down_card_is_turned():  # ALC-36
    position = Position("", "1", open=[""], down=["8 - 9"], pile="5")
    assert position.refused("8") == MUST_REVEAL
    assert position.taking_refused == MUST_REVEAL


@each(("hand", "open_cards"), [("2", "9"), ("2", ""), ("", "9")])
def test_face_down_cards_wait_for_hand_and_open_cards(hand: str, open_cards: str):  # ALC-18, ALC-35, ALC-37
    assert Position(hand, "1", open=[open_cards]).turning_refused(0) == BLOCKED
    assert Position(hand, "1", open=[open_cards]).turning_refused(7) == BLOCKED


@each("position", [-1, 1, 3, 10**9])
def test_a_position_without_a_card(position: int):  # ALC-36
    assert Position("", "1", open=[""], down=["8 - 9"]).turning_refused(position) == ("bad_position", ("ALC-36",))


def test_a_turned_card_that_fits_is_laid_at_once():  # ALC-36
    position = Position("", "1", open=[""], down=["8 - 9"], pile="5")
    assert position.reveal(2) == (
        CardsMoved(("9",), "down:0:2", "pile", shown=True),
        MarkSet("moves_made", 1),
        TurnPassed("play", 1, (1,)),
    )
    assert (position.view["down"][0], position.view["pile"]) == (["8", None, None], ["5", "9"])


def test_a_turned_card_that_does_not_fit_goes_to_the_hand_with_the_pile():  # ALC-37
    position = Position("", "1", open=[""], down=["3 - 9"], pile="5 6")
    before = position.table
    effects = position.reveal(0)
    assert effects == (
        CardsMoved(("3",), "down:0:0", "hand:0", shown=True),
        CardsMoved(("5", "6"), "pile", "hand:0"),
        MarkSet("moves_made", 1),
        TurnPassed("play", 1, (1,)),
    )
    assert redact_effects(PUBLIC, before, effects) == effects
    assert (position.view["hands"][0], position.view["down"][0]) == (["3", "5", "6"], [None, None, "9"])


def test_a_turned_card_is_measured_like_any_other():  # ALC-36, ALC-22
    position = Position("", "1", open=[""], down=["5 3 -"], pile="4 air")
    position.reveal(0)
    assert position.view["hands"][0] == ["4", "5", "air"]
    position = Position("", "1", open=[""], down=["5 3 -"], pile="4 air")
    position.reveal(1)
    assert position.view["pile"] == ["4", "air", "3"]


def test_the_hand_is_played_before_the_next_face_down_card():  # ALC-37
    position = Position("", "1", open=["", ""], down=["3 - 9", "8 8 8"], pile="5 6")
    position.reveal(0)
    position.lay("1")
    assert position.turning_refused(2) == BLOCKED


def test_a_turned_fire_removes_the_pile_and_the_seat_goes_on_with_its_next_card():  # ALC-36, ALC-29, section 11
    position = Position("", "1", open=[""], down=["fire 2 -"], pile="5 6")
    assert DetailAnnounced(0, "pile_removed", "fire") in position.reveal(0)
    assert (position.view["turn"], position.view["extra_lay"]) == (0, True)
    position.reveal(1)
    assert position.view["pile"] == ["2"]


def test_a_turned_card_may_be_the_fourth():  # ALC-26, ALC-36
    position = Position("", "1", open=[""], down=["6 2 -"], pile="6 6 6")
    assert DetailAnnounced(0, "pile_removed", "four") in position.reveal(0)


def test_a_further_card_from_the_face_down_ones_always_fits():  # section 11
    for card in ("1", "4", "10", "air", "earth"):
        position = Position("", "1", open=[""], down=[f"{card} 2 -"], extra=True)
        position.reveal(0)
        assert position.view["pile"] == [card]
