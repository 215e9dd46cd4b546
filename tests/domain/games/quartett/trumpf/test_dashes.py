"""The Trumpfspiel with a deck that has dashes, and ids with the number first (QDK-9, QDK-10)."""

import pytest

from domain.effects import CardsMoved, DetailAnnounced, MarkSet, SightSet, TurnPassed
from domain.errors import Refused
from tests.domain.games.quartett.decks import planes
from tests.domain.games.quartett.positions import TRUMPF, Position, trumpf

# speed (high), length (low), seats (high): 1A 180 - 4, 2A 240 1.5 -, 3A - 1.5 12, 4A 180 2.5 -,
#                                           1B - - 60, 2B 900 - 300, 3B 820 - 180, 4B - 40 300


def flying(*stacks: str) -> Position:
    return trumpf(*stacks, options={"deck_def": planes()})


def test_the_announcer_cannot_name_a_category_in_which_his_top_card_has_a_dash():
    assert flying("1A 2B 3B 4B", "2A").refusal("announce", category="length") == ("no_value", ("QDK-10",))
    assert flying("1A 2B 3B 4B", "2A").refusal("announce", category="length", card="1A") == ("no_value", ("QDK-10",))


def test_nor_one_in_which_the_card_that_he_chooses_has_a_dash():
    position = flying("2A 1A", "3A")
    assert position.refusal("announce", category="length", card="1A") == ("no_value", ("QDK-10",))
    position.play("announce", category="length", card="2A")


def test_that_there_is_no_choice_and_that_the_card_is_not_his_are_looked_at_first():
    assert flying("2A 1A 2B 3B", "3A").refusal("announce", category="length", card="1A")[0] == "choice_not_allowed"
    assert flying("2A 2B", "1A 3A").refusal("announce", category="length", card="1A")[0] == "card_not_in_hand"
    assert flying("1A", "2A").refusal("announce", category="wings")[0] == "unknown_category"


def test_a_dash_loses_to_every_number():
    position = flying("4A 2B 3B 1B", "3A 4B")
    position.play("announce", category="speed")
    assert position.play("reply", card="3A") == (
        CardsMoved(("3A",), "hand:1", "round", shown=True),
        DetailAnnounced(1, "no_value"),
        MarkSet("rounds", 1),
        MarkSet("category", None),
        CardsMoved(("3A", "4A"), "round", "hand:0", under=True),
        SightSet("hand:0", "owner-top"),
        DetailAnnounced(0, "won", 2),
        MarkSet("tricks", (1, 0)),
        MarkSet("trick", (0, 1)),
        TurnPassed("announce", 0, (0,)),
    )


def test_a_dash_is_no_best_low_value_either():
    position = flying("4A 3B", "1A 2B")
    position.play("announce", category="length", card="4A")
    position.play("reply", card="1A")
    assert position.stacks() == ["3B 4A 1A", "2B"]


def test_dashes_are_never_tied_and_the_only_number_wins():
    position = flying("2A 3B", "1A", "2B", "1B")
    position.play("announce", category="length", card="2A")
    assert position.stacks() == ["3B 2A 1A 2B 1B", "", "", ""]


def test_equal_numbers_tie_among_dashes():
    position = flying("1A 2B", "4A 3B", "3A 4B")
    position.play("announce", category="speed", card="1A")
    position.play("reply", card="4A")
    position.play("reply", card="3A")
    assert (position.view()["tiebreak"], position.view()["trick_seats"]) == (True, [0, 1, 2])


def test_where_an_announcement_without_a_value_stood_and_nobody_shows_a_number_all_are_tied():  # QDK-10
    position = trumpf("2A 3B", "1B 2B", options={"deck_def": planes()}, category="length", shown="1A", phase="reply", trick=(0, 1), turn=1)
    effects = position.play("reply", card="1B")
    assert DetailAnnounced(None, "tied", (0, 1)) in effects
    assert (position.stacks(), position.table.cards("middle")) == (["2A 3B", "2B"], ("1A", "1B"))
    assert position.legal()


def test_the_round_shows_a_dash_as_no_value():
    position = flying("4A 2B 3B 1B", "3A", "4B 1A")
    position.play("announce", category="speed")
    assert position.view()["round"] == [{"seat": 0, "card": "4A", "value": 180}, {"seat": 1, "card": "3A", "value": None}]


def test_what_cannot_be_announced_is_not_listed():
    assert flying("1A 2B 3B 4B", "2A").legal() == [
        {"type": "announce", "category": "speed", "card": "1A"},
        {"type": "announce", "category": "seats", "card": "1A"},
    ]
    assert {(move["category"], move["card"]) for move in flying("2A 1A", "3A").legal()} == {
        ("speed", "2A"),
        ("speed", "1A"),
        ("length", "2A"),
        ("seats", "1A"),
    }


def test_an_id_of_another_spelling_is_no_card_of_the_deck():  # QDK-9, QTR-7
    assert flying("1A", "2A").refusal("announce", category="speed", card="A1")[0] == "malformed_move"


def test_it_is_told_what_can_be_announced_instead():
    with pytest.raises(Refused) as refused:
        flying("1A 2B 3B 4B", "2A").judge({"type": "announce", "category": "length"})
    assert TRUMPF.sentence(refused.value, "en") == '1A (Dove) has no value for "length". You can announce: "speed", "seats".'
    assert TRUMPF.sentence(refused.value, "de") == "1A (Dove) hat keinen Wert für „length“. Ansagen kannst du: „speed“, „seats“."
