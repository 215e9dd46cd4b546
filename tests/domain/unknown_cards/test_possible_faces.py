"""What is known of a zone, and how many cards of it nobody has told (COM-74, COM-76)."""

from collections import Counter

from domain.cards import HIDDEN, copies_of
from domain.sight import ARBITER, PUBLIC, Viewer, masked
from domain.table import Table, Zone
from domain.unknown_cards.support import PossibleFaces, count_unknown_faces, faces, possible_faces, unknown_view
from tests.domain.unknown_cards.tables import BOARD, RULES, dealt

COPIES = copies_of(RULES.deck)


def test_the_faces_that_are_not_accounted_for_are_as_many_as_the_unknown_cards():
    table = dealt(hand_0=("6S",))
    pool = count_unknown_faces(table, COPIES)
    assert sum(pool.values()) == sum(zone.cards.count(HIDDEN) for zone in table.zones.values()) == 47
    assert not set(pool) & {"6S", *BOARD["board"]}


def test_copies_that_lie_anywhere_are_accounted_for_one_by_one():
    table = Table(
        RULES.setup, {"pile": Zone("all", None, ("A", "?", "A")), "hand:0": Zone("owner", 0, ("?", "B", "?")), "stock": Zone("none")}
    )
    assert count_unknown_faces(table, copies_of(("C", "A", "A", "A", "B"))) == {"C": 1, "A": 1}


def test_where_each_card_is_there_once_the_faces_that_lie_anywhere_are_accounted_for():
    table = dealt(hand_0=("6S",))
    assert faces(table) - {HIDDEN} == {"6S", *BOARD["board"]}
    assert set(count_unknown_faces(table, COPIES)) == set(RULES.deck) - faces(table)


def test_to_a_seat_hidden_and_unknown_cards_are_one_pool():  # COM-76
    table = masked(dealt(hand_0=("6S",), hand_1=("7S",)), Viewer(0))
    assert "7S" in count_unknown_faces(table, COPIES)
    held = possible_faces(table.cards("hand:1"), count_unknown_faces(table, COPIES))
    assert (held.may_have_card("7S"), held.must_have_card("7S")) == (True, False)


def test_a_question_whether_a_zone_holds_a_face_has_three_answers():  # COM-74
    held = PossibleFaces(("A",), 1, Counter("BBC"))
    assert [(held.may_have_card(card), held.must_have_card(card)) for card in "ABD"] == [(True, True), (True, False), (False, False)]
    assert PossibleFaces((), 2, Counter("BBC")).must_have_card("B")  # the only other face is C
    assert not PossibleFaces((), 0, Counter("B")).may_have_card("B")


def test_none_of_some_faces_need_be_there_as_long_as_others_are_enough():  # ALC-47
    assert PossibleFaces(("A",), 2, Counter("BCC")).can_be_missing({"B": 1})
    assert not PossibleFaces(("A",), 3, Counter("BCC")).can_be_missing({"B": 1})
    assert not PossibleFaces(("A",), 0, Counter("BCC")).can_be_missing({"A": 1})
    assert PossibleFaces(("A", "B"), 2, Counter("BBC")).can_be_missing({"B": 3})
    assert not PossibleFaces(("A", "B"), 3, Counter("BBC")).can_be_missing({"B": 3})
    assert not PossibleFaces(("B", "B"), 0, Counter("C")).can_be_missing({"B": 2})


def test_what_a_zone_is_told_to_lack_can_be_none_of_its_cards():  # COM-71
    table = dealt()
    pool = {card: copies for card, copies in count_unknown_faces(table, COPIES).items() if card != "6S"}
    assert possible_faces(table.cards("hand:0"), pool).may_have_card("6S") is False


def test_unknown_cards_are_counted_in_zones_that_the_viewer_sees():  # COM-76
    table = dealt(hand_0=("6S",))
    assert unknown_view(table, ARBITER) == {"unknown": {"stock": 40, "hand:0": 3, "hand:1": 4}}
    assert unknown_view(masked(table, Viewer(0)), Viewer(0)) == {"unknown": {"hand:0": 3}}
    assert unknown_view(masked(table, PUBLIC), PUBLIC) == {}
    assert unknown_view(table, Viewer("public", open=True)) == unknown_view(table, ARBITER)


def test_where_every_card_is_known_the_view_says_nothing_of_it():
    table = Table(RULES.setup)
    assert not table.has_unknown_cards
    assert unknown_view(table, ARBITER) == {}
