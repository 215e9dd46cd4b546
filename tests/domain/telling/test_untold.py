"""What is known of a zone, and how many cards of it nobody has told (COM-74, COM-76)."""

from collections import Counter

from domain.cards import HIDDEN, copies_of
from domain.sight import ARBITER, PUBLIC, Viewer, masked
from domain.table import Table, Zone
from domain.telling.untold import Unsure, faces, has_untold, unaccounted, unknown_view, unsure_of
from tests.domain.telling.tables import BOARD, RULES, dealt

COPIES = copies_of(RULES.deck)


def test_the_faces_that_are_not_accounted_for_are_as_many_as_the_unknown_cards():
    table = dealt(hand_0=("6S",))
    pool = unaccounted(table, COPIES)
    assert sum(pool.values()) == sum(zone.cards.count(HIDDEN) for zone in table.zones.values()) == 47
    assert not set(pool) & {"6S", *BOARD["board"]}


def test_copies_that_lie_anywhere_are_accounted_for_one_by_one():
    table = Table(
        RULES.setup, {"pile": Zone("all", None, ("A", "?", "A")), "hand:0": Zone("owner", 0, ("?", "B", "?")), "stock": Zone("none")}
    )
    assert unaccounted(table, copies_of(("C", "A", "A", "A", "B"))) == {"C": 1, "A": 1}


def test_where_each_card_is_there_once_the_faces_that_lie_anywhere_are_accounted_for():
    table = dealt(hand_0=("6S",))
    assert faces(table) - {HIDDEN} == {"6S", *BOARD["board"]}
    assert set(unaccounted(table, COPIES)) == set(RULES.deck) - faces(table)


def test_to_a_seat_hidden_and_unknown_cards_are_one_pool():  # COM-76
    table = masked(dealt(hand_0=("6S",), hand_1=("7S",)), Viewer(0))
    assert "7S" in unaccounted(table, COPIES)
    assert unsure_of(table.cards("hand:1"), unaccounted(table, COPIES)).holds("7S") is None


def test_a_question_whether_a_zone_holds_a_face_has_three_answers():  # COM-74
    held = Unsure(("A",), 1, Counter("BBC"))
    assert [held.holds(card) for card in "ABD"] == [True, None, False]
    assert Unsure((), 2, Counter("BBC")).holds("B") is True  # the only other face is C
    assert Unsure((), 0, Counter("B")).holds("B") is False


def test_none_of_some_faces_need_be_there_as_long_as_others_are_enough():  # ALC-47
    assert Unsure(("A",), 2, Counter("BCC")).may_lack({"B": 1})
    assert not Unsure(("A",), 3, Counter("BCC")).may_lack({"B": 1})
    assert not Unsure(("A",), 0, Counter("BCC")).may_lack({"A": 1})
    assert Unsure(("A", "B"), 2, Counter("BBC")).may_lack({"B": 3})
    assert not Unsure(("A", "B"), 3, Counter("BBC")).may_lack({"B": 3})
    assert not Unsure(("B", "B"), 0, Counter("C")).may_lack({"B": 2})


def test_what_a_zone_is_told_to_lack_can_be_none_of_its_cards():  # COM-71
    table = dealt()
    pool = {card: copies for card, copies in unaccounted(table, COPIES).items() if card != "6S"}
    assert unsure_of(table.cards("hand:0"), pool).may_hold("6S") is False


def test_unknown_cards_are_counted_in_zones_that_the_viewer_sees():  # COM-76
    table = dealt(hand_0=("6S",))
    assert unknown_view(table, ARBITER) == {"unknown": {"stock": 40, "hand:0": 3, "hand:1": 4}}
    assert unknown_view(masked(table, Viewer(0)), Viewer(0)) == {"unknown": {"hand:0": 3}}
    assert unknown_view(masked(table, PUBLIC), PUBLIC) == {}
    assert unknown_view(table, Viewer("public", open=True)) == unknown_view(table, ARBITER)


def test_where_every_card_is_known_the_view_says_nothing_of_it():
    table = Table(RULES.setup)
    assert not has_untold(table)
    assert unknown_view(table, ARBITER) == {}
