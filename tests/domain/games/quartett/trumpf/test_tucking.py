"""Cards tucked under a stack in an order that nobody recorded (QTR-32)."""

from collections.abc import Mapping
from typing import Any

import pytest

from domain.blocks import Block
from domain.effects import BlockAdded, CardsMoved, Effects, Known
from domain.errors import Refused
from domain.rules import KnownFaces
from domain.sight import PUBLIC, Viewer, masked, redact_effects
from domain.table import Table, fold
from domain.unknown_cards.face_entry import name_faces_of_block
from domain.unknown_cards.support import unknown_view
from tests.domain.games.positions import moved, refusal_of
from tests.domain.games.quartett.positions import METALS, TRUMPF, Position, asks_of, trumpf
from tests.each import each

# densities: A1 7.87, A2 8.96, A3 7.31, A4 11.34, B1 10.49, B2 19.32, B3 21.45, B4 12.02, C1 2.7, C2 1.74, C3 4.51, C4 1.85
# periods:   A1 4, A2 4, A3 5, A4 6, B1 5, B2 6, B3 6, B4 5, C1 3, C2 3, C3 4, C4 2


def tucked(*stacks: str, blocks: Mapping[str, dict[str, tuple[int, ...]]], **more: Any) -> Position:
    """A position with blocks: faces in one text, and their places."""
    at = trumpf(*stacks, **more)
    at.table = fold(at.table, [BlockAdded((), {}), *(BlockAdded(tuple(faces.split()), places) for faces, places in blocks.items())])
    assert len(at.table.blocks or ()) == len(blocks)
    return at


def play(at: Position, known: object = None, /, **move: Any) -> Effects:
    effects = at.judge(move, told=KnownFaces() if known is None else KnownFaces(known))
    at.table = fold(at.table, effects)
    return effects


def announce(at: Position, card: str | None = None, known: object = None, category: str = "density") -> Effects:
    return play(at, known, type="announce", category=category, **({"card": card} if card else {}))


def tell(at: Position, **known: list[str]) -> None:
    told = {zone.replace("_", ":"): faces for zone, faces in known.items()}
    at.table = fold(at.table, at.rulebook.tell(at.table, told))


def blocks(at: Position) -> dict[str, dict[str, tuple[int, ...]]]:
    return {" ".join(sorted(block.faces)): block.places for block in at.table.blocks or ()}


TOP: dict[str, dict[str, tuple[int, ...]]] = {"B1 B2": {"hand:0": (0, 1)}}
"""Seat 0 has two cards on top whose order nobody recorded."""


# How a block comes about


def test_middle_and_round_make_one_block():  # QTR-12, QTR-32
    at = tucked("A1 ? ? ? ?", "A2 ? ? ? ?", blocks={})
    announce(at, category="period")
    announce(at, "B2", {"hand:1": ["A3"]})
    assert blocks(at) == {"A1 A2 A3 B2": {"hand:0": (3, 4, 5, 6)}}
    assert at.stacks()[0] == "? ? ? ? ? ? ?"


def test_blocks_keep_their_order_and_move_up():  # QTR-32
    at = tucked("A4 ? ? ? ?", "A1 A2 ? ? ?", blocks={})
    announce(at)
    announce(at, "B2")
    assert blocks(at) == {"A1 A4": {"hand:0": (3, 4)}, "A2 B2": {"hand:0": (5, 6)}}


def test_a_hand_whose_deck_is_known_has_none_where_the_order_is_recorded():  # QTR-12, QTR-32
    at = Position(TRUMPF.bind(METALS, 2), [])
    for deck, there in ((list(at.rulebook.deck), False), (["?", *at.rulebook.deck[1:]], True)):
        table = fold(at.table, at.rulebook.deal(Table(at.rulebook.setup), 1, deck))
        table = fold(table, at.rulebook.resolve(table, 0, {"type": "announce", "category": "density", "card": "A1"}))
        assert bool(table.blocks) == there


def test_it_does_not_matter_what_was_told_after_the_deal():  # QTR-32
    at = Position(TRUMPF.bind(METALS, 2), [])
    at.table = fold(at.table, at.rulebook.deal(Table(at.rulebook.setup), 1, ["?"] * 12))
    tell(at, hand_0=["A1", "A3", "B1", "B3", "C1", "C3"], hand_1=["A2", "A4", "B2", "B4", "C2", "C4"])
    announce(at, "A1")
    assert blocks(at) == {"A1 A2": {"hand:1": (5, 6)}}


def test_what_the_public_is_told_is_what_it_would_be_told_of_a_known_order():  # QTR-32, COM-77
    seen = {}
    for tuck in ("shown", "free"):
        rulebook = TRUMPF.bind({**METALS, "tuck": tuck}, 2)
        table = fold(Table(rulebook.setup), rulebook.deal(Table(rulebook.setup), 1, list(rulebook.deck)))
        effects = rulebook.resolve(table, 0, {"type": "announce", "category": "density", "card": "A1"})
        seen[tuck] = redact_effects(PUBLIC, table, effects), masked(fold(table, effects), PUBLIC).zones
    assert seen["free"] == seen["shown"]


# What may come out of it


def test_the_top_of_a_block_is_asked_for():  # QTR-30, QTR-32
    at = tucked("? ? A1 A2 A3", "A4 B3 B4 C1", blocks=TOP)
    assert asks_of(lambda: announce(at)) == (("COM-73", "QTR-30"), ({"zone": "hand:0", "places": (0,)},))
    assert moved(announce(at, known={"hand:0": ["B2"]}))[0] == ("B2", "hand:0", "round")


def test_the_move_that_names_it_tells_it_and_the_last_face_is_known():  # QTR-32, COM-72
    at = tucked("? ? A1 A2 A3", "A4 B3 B4 C1", blocks=TOP)
    effects = announce(at, "B2")
    assert effects[:2] == (Known("hand:0", ("B2",)), Known("hand:0", ("B1", "B2")))
    assert at.stacks()[0].split()[:4] == ["B1", "A1", "A2", "A3"]


@each("told", ["A1", "C2"])
def test_another_face_cannot_be_told_of_it_whether_known_elsewhere_or_not(told: str):  # QTR-32, COM-71
    at = tucked("? ? A1 A2 A3", "A4 B3 B4 C1", blocks=TOP)
    for attempt in (lambda: announce(at, told), lambda: announce(at, known={"hand:0": [told]}), lambda: tell(at, hand_0=[told])):
        assert refusal_of(attempt) == ("card_impossible", ("COM-71", "QTR-32"))


def test_the_sentence_names_the_faces_only_to_whom_the_stack_is_open():  # QTR-32
    at = tucked("? ? A1 A2 A3", "A4 B3 B4 C1", blocks=TOP)
    with pytest.raises(Refused) as refused:
        announce(at, "C2")
    closed = TRUMPF.sentence(refused.value, "en")
    name_faces_of_block(refused.value)
    assert "B1" not in closed
    assert "Tell B1 or B2." in TRUMPF.sentence(refused.value, "en")
    assert "B1 oder B2" in TRUMPF.sentence(refused.value, "de")


def test_known_may_tell_any_place_of_a_block():  # QTR-32
    at = tucked("? ? ? A1 A2", "A4 B3 B4 C1", blocks={"B1 B2 C3": {"hand:0": (0, 1, 2)}})
    tell(at, hand_0=["?", "C3"])
    assert (at.stacks()[0], blocks(at)) == ("? C3 ? A1 A2", {"B1 B2": {"hand:0": (0, 2)}})


def test_a_face_of_a_block_lies_nowhere_else():  # QTR-32, COM-71
    at = tucked("? ? A1 A2 A3", "? ? ? ?", blocks=TOP)
    assert refusal_of(lambda: announce(at, "B1", {"hand:1": ["B2"]})) == ("card_impossible", ("COM-71",))


def test_every_face_of_the_block_on_top_is_offered_and_no_other():  # QTR-32, COM-76
    at = tucked("? ? A1 A2 A3", "? ? ? ?", blocks=TOP)
    assert {move["card"] for move in at.rulebook.legal(at.table, 0)} == {"B1", "B2"}


# Three cards or fewer


def test_with_three_cards_a_face_of_the_block_a_known_one_or_an_unaccounted_one_may_be_named():  # QTR-17, QTR-32
    at = tucked("? ? ?", "A1 A2 A3 A4 B3", blocks={"B1 B2": {"hand:0": (1, 2)}})
    listed = {str(move["card"]) for move in at.rulebook.legal(at.table, 0)}
    assert listed == {"B1", "B2", "B4", "C1", "C2", "C3", "C4"}
    for card in listed:
        assert at.judge({"type": "announce", "category": "density", "card": card})
    for card in set(at.rulebook.deck) - listed:
        assert at.refusal("announce", category="density", card=card) == ("card_not_in_hand", ("QTR-9",))


def test_without_an_unknown_dealt_card_an_unaccounted_face_is_not_in_hand():  # QTR-32
    at = tucked("A1 ? ?", "A2 A3 A4 B3", blocks={"B1 B2": {"hand:0": (1, 2)}})
    assert refusal_of(lambda: announce(at, "C1")) == ("card_not_in_hand", ("QTR-9",))


def test_a_known_card_between_two_of_a_block_becomes_one_of_it_when_one_of_them_is_shown():  # QTR-31, QTR-32
    at = tucked("? C3 ?", "A2 A3 A4 B3", blocks=TOP | {"B1 B2": {"hand:0": (0, 2)}})
    announce(at, "B1")
    assert at.stacks()[0].split()[:2] == ["?", "?"]
    assert blocks(at)["B2 C3"] == {"hand:0": (0, 1)}


def test_a_known_card_stays_where_the_shown_one_was_of_another_kind():  # QTR-31, QTR-32
    at = tucked("? C3 ?", "A2 A3 A4 ? ?", blocks={"B1 B2": {"hand:0": (2,), "hand:1": (3,)}})
    announce(at, "C4")
    assert at.stacks()[0].split()[:2] == ["C3", "?"]


# Drawing


def drawing(stack: str, **more: Any) -> Position:
    """Seat 1 has shown its last card in a tie, and draws from the announcer."""
    return tucked(stack, "", "? ? ? ?", phase="draw", trick=(0, 1, 2), turn=1, middle={"A1": 0, "A2": 1, "B3": 2}, **more)


@each(
    ("place", "left"),
    [
        (0, {"B1 B2 C1": {"hand:0": (1, 2, 3)}}),  # the unknown dealt card
        (1, {"B1 B2 C1": {"hand:0": (1, 2, 3)}}),  # the known one
        (3, {"B1 B2 C1": {"hand:0": (2, 3), "hand:1": (0,)}}),
        (4, {"B1 B2 C1": {"hand:0": (2, 3), "hand:1": (0,)}}),
    ],
)
def test_a_card_that_is_drawn_takes_its_place_along(place: int, left: dict[str, Any]):  # QTR-18, QTR-32
    at = drawing("? C2 ? ? ?", blocks={"B1 B2 C1": {"hand:0": (2, 3, 4)}})
    play(at, type="draw", position=place)
    assert blocks(at) == left


def test_a_block_in_two_stacks_is_known_when_one_face_is_left():  # QTR-32
    at = drawing("? ? ? ? ?", blocks={"B1 B2": {"hand:0": (3, 4)}})
    play(at, type="draw", position=4)
    announce(at, "C4", {"hand:1": ["B2"], "hand:2": ["A4"]})
    assert "B1" in at.table.cards("hand:0")
    assert not any("B1" in block.faces for block in at.table.blocks or ())


# Who sees it


def test_blocks_are_for_the_arbiter():  # QTR-32
    at = tucked("? ? A1 A2 A3", "A4 B3 B4 C1", blocks=TOP)
    assert unknown_view(at.table, Viewer("arbiter")) == {
        "unknown": {"hand:0": 2},
        "blocks": [{"faces": ["B1", "B2"], "places": {"hand:0": (0, 1)}}],
    }
    for viewer in (Viewer(0), Viewer(1), PUBLIC, Viewer("public", open=True)):
        assert "blocks" not in unknown_view(masked(at.table, viewer), viewer)


def test_nobody_else_is_told_of_a_block():  # QTR-32
    before = trumpf("A1 ? ? ?", "A2 ? ? ?").table
    effects = (CardsMoved(("A1",), "hand:0", "hand:1"), BlockAdded(("A1", "A2"), {"hand:1": (0, 1)}))
    for viewer in (Viewer(0), Viewer(1), PUBLIC):
        assert not any(isinstance(effect, BlockAdded) for effect in redact_effects(viewer, before, effects))


# A corrected table


def test_a_card_that_an_official_moves_takes_the_block_along():  # COM-75
    at = tucked("? ? A1 A2 A3", "A4 B3 B4 C1", blocks=TOP)
    at.table = fold(at.table, [CardsMoved(("?",), "hand:0", "hand:1", under=True)])
    assert at.table.blocks == (Block(("B1", "B2"), {"hand:0": (0,), "hand:1": (4,)}),)
