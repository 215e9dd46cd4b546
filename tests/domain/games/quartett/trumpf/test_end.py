"""The Trumpfspiel: elimination, the end of a hand and of the game, and the sheet."""

from typing import Any

import msgspec

from domain.effects import CardsMoved, DetailAnnounced, GameClosed, HandClosed, MarkSet, Scored, SightSet
from domain.score import sheet
from domain.table import fold
from tests.domain.games.quartett.positions import METALS, TRUMPF, Position, dealt, trumpf

# densities: A1 7.87, A2 8.96, A3 7.31, A4 11.34, B1 10.49, B2 19.32, B3 21.45, C1 2.7, C2 1.74
# periods:   A1 4, A2 4, A3 5, A4 6, B1 5, B2 6, C1 3, C2 3


def last_hand(position: Position) -> dict[str, Any]:
    hand = sheet(position.table.setup, position.table.score).hands[-1]
    found: dict[str, Any] = msgspec.json.decode(msgspec.json.encode(hand))
    return found


def test_the_hand_ends_when_one_seat_has_all_cards():  # QTR-22 to QTR-24
    position = trumpf("B3 A1", "C1")
    assert position.play("announce", category="density", card="B3")[6:] == (
        MarkSet("category", None),
        CardsMoved(("C1", "B3"), "round", "hand:0", under=True),
        DetailAnnounced(0, "won", 2),
        MarkSet("tricks", (1, 0)),
        MarkSet("places", (None, 2)),
        DetailAnnounced(1, "eliminated", 2),
        MarkSet("places", (1, 2)),
        MarkSet("trick", None),
        Scored("seats_beaten", (1, 0)),
        HandClosed("one_left", {"places": (1, 2), "cards": (3, 0), "tricks": (1, 0)}),
        GameClosed((1, 2), {}),
    )


def test_seats_that_go_out_by_the_same_trick_share_a_place():  # QTR-24
    position = trumpf("B3 A1 C3 C4", "C1", "C2", "A2 A3 B1 B2")
    position.play("announce", category="density")
    assert position.view()["places"] == [None, 3, 3, None]
    assert position.view()["trick_seats"] == [0, 3]


def test_who_goes_out_later_has_a_better_place():  # QTR-24
    position = trumpf("B3 B2", "C1", "C2 A3")
    position.play("announce", category="density", card="B2")
    position.play("reply", card="C2")
    assert position.view()["places"] == [None, 3, None]
    position.play("announce", category="density", card="B3")
    assert position.view()["places"] == [1, 3, 2]
    assert last_hand(position)["rows"] == {"seats_beaten": [2, 0, 1]}


def test_a_hand_of_a_longer_game_is_followed_by_another():  # QTR-28
    position = trumpf("B3", "C1", options={**METALS, "deals": 2})
    position.play("announce", category="density")
    assert (position.table.phase, position.view()["totals"], position.view()["winners"]) == ("hand_over", [1, 0], None)
    position.table = fold(position.table, position.rulebook.deal(position.table, 1, position.rulebook.deck))
    assert (position.view()["hand"], position.view()["phase"], position.view()["tricks"]) == (2, "announce", [0, 0])


def played_twice(first: str, second: str) -> tuple[int | None, ...] | None:
    """Two hands of a game of two, decided by one round each: the places."""
    rulebook = TRUMPF.bind({**METALS, "deals": 2, "round_limit": 1}, 2)
    position, _ = dealt(rulebook, 1, first)
    position.play("announce", category="density")
    position.table = fold(
        position.table, rulebook.deal(position.table, 1, (*second.split(), *(c for c in rulebook.deck if c not in second)))
    )
    position.play("announce", category="density")
    return sheet(position.table.setup, position.table.score).places


def test_the_totals_give_the_places_and_equal_ones_share_the_win():  # QTR-28
    assert played_twice("B3 C1", "C1 B3") == (1, 1)
    assert played_twice("B3 C1", "B3 C1") == (1, 2)


# The limit


def test_the_limit_ends_the_hand_when_the_trick_has_been_taken():  # QTR-25, QTR-26
    position = trumpf("B3 A1 A2", "C1 A3 A4 B1", options={**METALS, "round_limit": 1})
    position.play("announce", category="density", card="B3")
    assert position.table.phase == "game_over"
    assert position.stacks() == ["A1 A2 B3 C1", "A3 A4 B1"]
    assert last_hand(position) | {"hand": 1, "dealer": 1} == {
        "hand": 1,
        "dealer": 1,
        "end": "round_limit",
        "rows": {"seats_beaten": [1, 0]},
        "points": [1, 0],
        "totals": [1, 0],
        "facts": {"places": [1, 2], "cards": [4, 3], "tricks": [1, 0]},
    }


def test_before_the_limit_the_hand_goes_on():  # QTR-25
    position = trumpf("B3 A1 A2 C2", "C1 A3 A4 B1", options={**METALS, "round_limit": 2})
    position.play("announce", category="density")
    assert position.table.phase == "announce"


def test_one_seat_left_is_the_reason_also_at_the_limit():  # QTR-22, QTR-25
    position = trumpf("B3", "C1", options={**METALS, "round_limit": 1})
    position.play("announce", category="density")
    assert last_hand(position)["end"] == "one_left"


def test_a_tie_at_the_limit_is_not_played_off():  # QTR-25, QTR-26
    position = trumpf("A1 C1 C3", "A2 A3 A4 B1", options={**METALS, "round_limit": 1})
    effects = position.play("announce", category="period", card="A1")
    assert effects[8:] == (
        DetailAnnounced(None, "tied", (0, 1)),
        CardsMoved(("A1", "A2"), "round", "middle"),
        MarkSet("seats", (0, 1), "middle"),
        DetailAnnounced(None, "stopped", "round_limit"),
        CardsMoved(("A1",), "middle", "hand:0", under=True),
        CardsMoved(("A2",), "middle", "hand:1", under=True),
        SightSet("hand:1", "owner-top"),
        MarkSet("seats", None, "middle"),
        MarkSet("places", (2, 1)),
        MarkSet("trick", None),
        Scored("seats_beaten", (0, 1)),
        HandClosed("round_limit", {"places": (2, 1), "cards": (3, 4), "tricks": (0, 0)}),
        GameClosed((2, 1), {}),
    )
    assert position.stacks() == ["C1 C3 A1", "A3 A4 B1 A2"]


def test_everybody_takes_back_what_he_showed_in_the_order_shown():  # QTR-26
    position = trumpf("A1 C1 B1 A3", "A2 C2 B4 C3", options={**METALS, "round_limit": 3})
    for card, reply in (("A1", None), ("C1", "C2"), ("B1", "B4")):
        position.play("announce", category="period", card=card)
        if reply:
            position.play("reply", card=reply)
    assert position.stacks() == ["A3 A1 C1 B1", "C3 A2 C2 B4"]
    assert position.view()["middle"] == []


def test_equal_numbers_of_cards_share_the_better_place():  # QTR-26
    position = trumpf("A1 C1", "A2 C2", "A3 C3 C4", "", options={**METALS, "round_limit": 1}, trick=(0, 1, 2), places=(None, None, None, 4))
    position.play("announce", category="period")
    position.play("reply", card="A2")
    position.play("reply", card="A3")
    assert last_hand(position)["facts"] == {"places": [2, 2, 1, 4], "cards": [2, 2, 3, 0], "tricks": [0, 0, 0, 0]}
    assert last_hand(position)["points"] == [1, 1, 3, 0]


def test_a_tie_that_took_everybodys_last_card_is_decided_by_count():  # QTR-27
    position = trumpf("A1", "A2", "A4")
    effects = position.play("announce", category="period")
    assert DetailAnnounced(None, "stopped", "no_cards") in effects
    assert (last_hand(position)["end"], position.stacks()) == ("no_cards", ["A1", "A2", "A4"])
    assert last_hand(position)["facts"] == {"places": [1, 1, 1], "cards": [1, 1, 1], "tricks": [0, 0, 0]}


def test_who_showed_more_cards_in_the_tie_break_gets_more_back():  # QTR-26, QTR-27
    position = trumpf("A1 C1", "A2 C2", "A4")
    position.play("announce", category="period", card="A1")
    position.play("reply", card="A2")
    assert (position.table.phase, position.view()["trick_seats"]) == ("announce", [0, 1])
    position.play("announce", category="period")
    assert last_hand(position)["facts"] == {"places": [1, 1, 3], "cards": [2, 2, 1], "tricks": [0, 0, 0]}


def test_a_whole_game_leaves_all_cards_with_the_winner():  # QTR-22, QTR-23
    position, _ = dealt(TRUMPF.bind(METALS, 2), 1, "B3 C2 B2 C4 B4 C1 A4 C3 B1 A3 A2 A1")
    while position.table.in_hand:
        position.play("announce", category="density")
        if position.table.phase == "reply":
            position.play("reply", card=position.stacks()[position.table.turn or 0].split()[0])
    assert len(position.stacks()[0].split()) == 12
    assert position.view()["winners"] == [0]
