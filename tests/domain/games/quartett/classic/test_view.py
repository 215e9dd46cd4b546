"""Classic Quartett: what the table looks like, and what may be asked."""

import msgspec

from domain.errors import Refused
from domain.sight import PUBLIC, Viewer, masked
from domain.table import Table
from tests.domain.games.quartett.decks import waters
from tests.domain.games.quartett.positions import CLASSIC, METALS, Position, classic, dealt
from tests.each import each

COMMON = {
    "ruleset",
    "options",
    "seats",
    "parties",
    "phase",
    "hand",
    "dealer",
    "turn",
    "to_act",
    "totals",
    "winners",
    "hands",
    "hand_counts",
}
OWN = {"asks", "active", "quartets"}


def test_before_the_first_hand_the_fields_of_the_game_are_absent():  # COM-31
    view = Position(CLASSIC.bind(METALS, 3), []).view()
    assert set(view) == COMMON
    assert (view["phase"], view["hands"], view["hand_counts"]) == ("no_hand", [[], [], []], [0, 0, 0])


def test_a_fresh_deal_with_hands_in_canonical_order():  # section 4
    position, _ = dealt(CLASSIC.bind(METALS, 3), 2, "C4 A1 B2 A3")
    view = position.view()
    assert set(view) == COMMON | OWN
    assert (view["asks"], view["active"], view["quartets"]) == (0, [True] * 3, [[], [], []])
    assert view["hands"] == [["A3", "B1", "C1", "C4"], ["A1", "A2", "B3", "C2"], ["A4", "B2", "B4", "C3"]]


def test_an_installed_deck_is_shown_by_its_id_and_another_one_whole():  # QDK-6, COM-30
    assert Position(CLASSIC.bind({}, 3), []).view()["options"] == {"deck_def": "wood", "deals": 1, "ask_limit": None}
    assert Position(CLASSIC.bind({"deck_def": waters()}, 3), []).view()["options"]["deck_def"] == waters()


def test_hands_are_hidden_from_the_others_and_quartets_lie_open():  # COM-32, section 4
    position = classic("A1 B1", "A2 B2", "A3 B3 B4", laid=("C", "", ""))
    assert position.view(Viewer(2))["hands"] == [["?", "?"], ["?", "?"], ["A3", "B3", "B4"]]
    assert (position.view(PUBLIC)["hand_counts"], position.view(PUBLIC)["quartets"]) == ([2, 2, 3], [["C"], [], []])


POSITIONS = {
    "three seats": classic("A1 B1", "A2 B2", "A3 B3 C1"),
    "a seat is out": classic("A1 A2 B1 B3", "", "A3 B4", "A4 B2", laid=("", "C", "", "")),
    "another turn": classic("A1 C1", "A2 B2", "A3 B3 C2 C3", turn=2),
}


@each("name", POSITIONS)
def test_every_legal_question_is_listed_once_and_no_other(name: str):
    position = POSITIONS[name]
    legal = []
    for target in range(-1, 5):
        for card in position.rulebook.deck:
            move = {"type": "ask", "target": target, "card": card}
            try:
                position.judge(move)
            except Refused:
                continue
            legal.append(msgspec.json.encode(move))
    listed = [msgspec.json.encode(move) for move in position.legal()]
    assert sorted(listed) == sorted(legal)


def test_questions_are_listed_card_by_card_and_to_the_left():
    position = classic("A1 A2 A3 B1", "B2", "A4 B3", turn=0)
    assert [(move["card"], move["target"]) for move in position.legal()] == [
        ("A4", 1),
        ("A4", 2),
        ("B2", 1),
        ("B2", 2),
        ("B3", 1),
        ("B3", 2),
        ("B4", 1),
        ("B4", 2),
    ]


def test_a_seat_that_is_not_to_act_has_no_question():
    assert classic("A1 B1", "A2 B2", "A3 B3").legal(1) == []


def test_before_the_first_hand_nobody_has_a_question():
    rulebook = CLASSIC.bind(METALS, 3)
    assert list(rulebook.legal(Table(rulebook.setup), 0)) == []


def test_from_a_hand_without_faces_every_card_that_is_not_seen_may_be_asked_for():  # COM-76: unknown and hidden cards are one pool
    position = classic("A1 B1", "A2 B2", "A3 B3", laid=("C", "", ""))
    listed = position.rulebook.legal(masked(position.table, PUBLIC), 0)
    assert [move["card"] for move in listed if move["target"] == 1] == list(position.rulebook.deck[:8])
