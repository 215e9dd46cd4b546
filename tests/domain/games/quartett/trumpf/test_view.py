"""The Trumpfspiel: what the table looks like to those who may see it."""

from domain.effects import MarkSet
from domain.sight import PUBLIC, Viewer
from domain.table import fold
from tests.domain.games.quartett.decks import waters
from tests.domain.games.quartett.positions import METALS, TRUMPF, Position, dealt, trumpf
from tests.each import each

COMMON = {"ruleset", "options", "seats", "parties", "phase", "hand", "dealer", "turn", "to_act", "totals", "winners"}
HELD = {"hands", "hand_counts"}
OWN = {"announcer", "category", "tiebreak", "round", "middle", "rounds", "trick_seats", "set_aside", "tricks", "places"}


def test_before_the_first_hand_the_fields_of_the_game_are_absent():  # COM-31
    view = Position(TRUMPF.bind(METALS, 3), []).view()
    assert set(view) == COMMON | HELD
    assert (view["phase"], view["hands"], view["hand_counts"]) == ("no_hand", [[], [], []], [0, 0, 0])


def test_a_fresh_deal():  # section 3.5
    position, _ = dealt(TRUMPF.bind(METALS, 5), 3)
    view = position.view()
    assert set(view) == COMMON | HELD | OWN
    assert {name: view[name] for name in OWN} == {
        "announcer": 4,
        "category": None,
        "tiebreak": False,
        "round": [],
        "middle": [],
        "rounds": 0,
        "trick_seats": [4, 0, 1, 2, 3],
        "set_aside": ["C3", "C4"],
        "tricks": [0, 0, 0, 0, 0],
        "places": [None, None, None, None, None],
    }


def test_an_installed_deck_is_shown_by_its_id_and_another_one_whole():  # QDK-6, COM-30
    options = {"deals": 1, "remainder": "set_aside", "round_limit": None, "tie_break": "all", "tuck": "shown"}
    assert Position(TRUMPF.bind({}, 2), []).view()["options"] == {"deck_def": "wood", **options}
    assert Position(TRUMPF.bind({"deck_def": waters()}, 2), []).view()["options"] == {"deck_def": waters(), **options}


def test_the_round_in_progress_is_shown_with_its_values():  # section 3.5
    position = trumpf("A1 A2 A3 A4", "B1 B2 B3 B4", "C1 C2 C3")
    position.play("announce", category="density")
    view = position.view()
    assert (view["category"], view["announcer"], view["turn"], view["phase"]) == ("density", 0, 2, "reply")
    assert view["round"] == [{"seat": 0, "card": "A1", "value": 7.87}, {"seat": 1, "card": "B1", "value": 10.49}]


def test_a_value_is_shown_as_the_deck_gives_it():  # QDK-4
    position = trumpf("R3 R4", "B1 B2", options={"deck_def": waters()})
    position.play("announce", category="width", card="R3")
    assert [(shown["value"], type(shown["value"])) for shown in position.view()["round"]] == [(3.0, float)]


def test_after_the_end_nobody_announces():  # section 3.5
    position = trumpf("B3", "C1")
    position.play("announce", category="density")
    view = position.view()
    assert [view[name] for name in ("announcer", "category", "tiebreak", "round", "trick_seats", "turn", "to_act")] == [
        None,
        None,
        False,
        [],
        [],
        None,
        [],
    ]


@each(
    ("viewer", "hands"),
    [
        (Viewer(0), [["A1", "?", "?", "?"], ["?", "?", "?"], ["?"]]),
        (Viewer(1), [["?", "?", "?", "?"], ["B1", "B2", "B3"], ["?"]]),
        (Viewer(2), [["?", "?", "?", "?"], ["?", "?", "?"], ["C1"]]),
        (PUBLIC, [["?", "?", "?", "?"], ["?", "?", "?"], ["?"]]),
    ],
)
def test_a_seat_sees_its_top_card_and_three_cards_or_fewer_all(viewer: Viewer, hands: list[list[str]]):  # section 3.5
    position = trumpf("A1 A2 A3 A4", "B1 B2 B3", "C1")
    assert position.view(viewer)["hands"] == hands


def test_cards_that_were_won_are_hidden_again():  # section 3.5
    position = trumpf("B3 A2 A3 A4", "B1 B2 A1 C1")
    position.play("announce", category="density")
    assert position.view(Viewer(0))["hands"] == [["A2", "?", "?", "?", "?"], ["?", "?", "?"]]


def test_what_was_set_aside_is_hidden_from_everybody():  # section 3.5
    position, _ = dealt(TRUMPF.bind(METALS, 5), 3)
    assert [position.view(viewer)["set_aside"] for viewer in (Viewer(0), PUBLIC)] == [["?", "?"], ["?", "?"]]


def test_a_drawn_card_is_seen_by_the_seat_that_drew_it():  # QTR-19
    position = trumpf("A1 C1 C2 C3 B1", "A2", "A4 B2 B3 B4")
    position.play("announce", category="period")
    position.play("draw", position=1)
    assert position.view(Viewer(1))["hands"] == [["?", "?", "?"], ["C2"], ["?", "?", "?"]]
    assert position.view(Viewer(2))["hands"] == [["?", "?", "?"], ["?"], ["B2", "B3", "B4"]]


def test_damaged_marks_do_not_stop_a_reader():
    position = trumpf("A1 A2", "B1 B2")
    damaged = (MarkSet("trick", 7), MarkSet("category", {"density": 1}), MarkSet("seats", "01", "middle"))
    position.table = fold(position.table, damaged)
    view = position.view()
    assert (view["announcer"], view["category"], view["trick_seats"], view["middle"]) == (None, None, [], [])
