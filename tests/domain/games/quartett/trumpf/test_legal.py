"""The Trumpfspiel: the list of moves, complete and without repetition."""

from collections.abc import Iterator
from typing import Any

import msgspec

from domain.errors import Refused
from domain.sight import PUBLIC, masked
from domain.table import Table, fold
from tests.domain.games.quartett.positions import METALS, TRUMPF, Position, trumpf
from tests.each import each


def tie() -> Position:
    position = trumpf("A1 C1 C2 C3 B1", "A2", "A4 B2 B3 B4")
    position.play("announce", category="period")
    return position


def reply() -> Position:
    position = trumpf("A1 C1 C2 C3", "A2 B1", "A4 B2 B3")
    position.play("announce", category="density")
    return position


POSITIONS = {
    "many cards": trumpf("A1 A2 A3 A4", "B1 B2 B3 B4"),
    "three cards": trumpf("A1 A2 A3", "B1 B2 B3 B4"),
    "one card": trumpf("A1", "B1 B2 B3 B4"),
    "a reply": reply(),
    "a draw": tie(),
}


def every_move(position: Position) -> Iterator[dict[str, Any]]:
    """Every move of the right form that names the top card where it could be left out."""
    deck = position.rulebook.deck
    for category in ("density", "melting", "period", "colour"):
        yield from ({"type": "announce", "category": category, "card": card} for card in deck)
    yield from ({"type": "reply", "card": card} for card in deck)
    yield from ({"type": "draw", "position": position} for position in range(-1, 14))


def is_legal(position: Position, move: dict[str, Any]) -> bool:
    try:
        position.judge(move)
    except Refused:
        return False
    return True


@each("name", POSITIONS)
def test_every_legal_move_is_listed_once_and_no_other(name: str):
    position = POSITIONS[name]
    listed = position.legal()
    legal = {msgspec.json.encode(move) for move in every_move(position) if is_legal(position, move)}
    assert {msgspec.json.encode(move) for move in listed} == legal
    assert len(listed) == len(legal)


@each("name", POSITIONS)
def test_different_moves_lead_to_different_tables(name: str):
    position = POSITIONS[name]
    tables = [msgspec.json.encode((fold(position.table, position.judge(move)), position.judge(move))) for move in position.legal()]
    assert len(set(tables)) == len(tables)


def test_a_seat_that_is_not_to_act_has_no_move():
    assert trumpf("A1 A2", "B1 B2").legal(1) == []


def test_before_the_first_hand_nobody_has_a_move():
    rulebook = TRUMPF.bind(METALS, 2)
    assert list(rulebook.legal(Table(rulebook.setup), 0)) == []


def test_from_a_stack_without_faces_every_card_that_is_not_seen_may_be_shown():  # COM-76: unknown and hidden cards are one pool
    position = trumpf("A1 A2 A3", "B1 B2", middle={"C1": 0, "C2": 1})
    listed = position.rulebook.legal(masked(position.table, PUBLIC), 0)
    seen = ("C1", "C2")
    assert [move["card"] for move in listed if move["category"] == "density"] == [
        card for card in position.rulebook.deck if card not in seen
    ]
