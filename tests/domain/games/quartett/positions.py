"""Positions of both games laid out by hand, so that a test shows at a glance who holds what."""

import json
from collections.abc import Callable, Mapping
from typing import Any, cast

import pytest

from domain.cards import Card, Seat, append_missing_cards
from domain.effects import DetailAnnounced, Effect, Effects, HandOpened, MarkSet, TurnPassed, ZoneAdded
from domain.errors import Refused
from domain.games import RULESETS
from domain.rules import NOTHING_TOLD, KnownFaces, Rulebook
from domain.sight import Viewer, masked
from domain.table import Table, fold
from tests.domain.games.positions import cards, refusal_of

TRUMPF = RULESETS["quartett-trumpf"]
CLASSIC = RULESETS["quartett-classic"]
METALS: dict[str, object] = {"deck_def": "metals"}


class Position:
    """A table in the middle of a hand, with the rulebook that it is played by."""

    def __init__(self, rulebook: Rulebook, effects: list[Effect]) -> None:
        self.rulebook = rulebook
        self.table: Table = fold(Table(rulebook.setup), effects)

    def play(self, type_: str, **fields: Any) -> Effects:
        """Plays a move of the seat whose turn it is and answers its effects; the position goes on from there."""
        effects = self.judge({"type": type_, **fields})
        self.table = fold(self.table, effects)
        return effects

    def judge(self, move: object, seat: object = None, told: KnownFaces = NOTHING_TOLD) -> Effects:
        return self.rulebook.resolve(self.table, self.table.turn if seat is None else seat, move, told)

    def refusal(self, type_: str, **fields: Any) -> tuple[str, tuple[str, ...]]:
        """Code and rules of the refusal of a move by the seat whose turn it is."""
        return refusal_of(lambda: self.judge({"type": type_, **fields}))

    def stacks(self) -> list[str]:
        """What the seats hold, the top card first."""
        return [" ".join(self.table.cards(f"hand:{seat}")[::-1]) for seat in range(self.table.setup.seats)]

    def legal(self, seat: Seat | None = None) -> list[dict[str, Any]]:
        """What the seat is offered, from what it sees."""
        mover = self.table.turn if seat is None else seat
        assert mover is not None
        return list(self.rulebook.legal(masked(self.table, Viewer(mover)), mover))

    def view(self, viewer: Viewer | None = None) -> dict[str, Any]:
        """The state view as JSON; without a viewer the arbiter's."""
        table = masked(self.table, viewer) if viewer else self.table
        view: dict[str, Any] = json.loads(json.dumps(self.rulebook.view(table)))
        return view


def trumpf(
    *stacks: str,
    options: Mapping[str, object] = METALS,
    trick: tuple[Seat, ...] | None = None,
    turn: Seat = 0,
    phase: str = "announce",
    category: str | None = None,
    shown: str = "",
    middle: Mapping[Card, Seat] | None = None,
    rounds: int = 0,
    places: tuple[int | None, ...] | None = None,
) -> Position:
    """Stacks with the top card first; ``middle`` says who showed which card."""
    seats = len(stacks)
    lying = {} if middle is None else dict(middle)
    effects: list[Effect] = [HandOpened(1, seats - 1), ZoneAdded("stock", "none", None)]
    for seat, stack in enumerate(stacks):
        effects.append(ZoneAdded(f"hand:{seat}", "owner" if len(cards(stack)) <= 3 else "owner-top", seat, cards(stack)[::-1]))
    effects += [
        ZoneAdded("round", "all", None, cards(shown)),
        ZoneAdded("middle", "all", None, tuple(lying)),
        ZoneAdded("aside", "none", None),
    ]
    order = tuple((turn + step) % seats for step in range(seats)) if trick is None else trick
    marks: dict[str, Any] = {"trick": order, "category": category, "rounds": rounds or None, "places": places}
    effects += [MarkSet(mark, value) for mark, value in marks.items() if value is not None]
    if lying:
        effects.append(MarkSet("seats", tuple(lying.values()), "middle"))
    effects.append(TurnPassed(phase, turn, (turn,)))
    return Position(TRUMPF.bind(dict(options), seats), effects)


def classic(*hands: str, options: Mapping[str, object] = METALS, turn: Seat = 0, laid: tuple[str, ...] = (), asks: int = 0) -> Position:
    """Hands, and the quartets that lie before the seats, as in ``("A", "", "CB")``."""
    seats = len(hands)
    effects: list[Effect] = [HandOpened(1, seats - 1), ZoneAdded("stock", "none", None)]
    effects += [ZoneAdded(f"hand:{seat}", "owner", seat, cards(hand)) for seat, hand in enumerate(hands)]
    for seat, letters in enumerate((*laid, *[""] * seats)[:seats]):
        effects.append(ZoneAdded(f"laid:{seat}", "all", seat, tuple(f"{letter}{number}" for letter in letters for number in range(1, 5))))
    if asks:
        effects.append(MarkSet("asks", asks))
    return Position(CLASSIC.bind(dict(options), seats), [*effects, TurnPassed("ask", turn, (turn,))])


def dealt(rulebook: Rulebook, dealer: Seat, first: str = "") -> tuple[Position, Effects]:
    """A fresh hand from a deck that begins with the cards named and goes on in canonical order."""
    position = Position(rulebook, [])
    effects = rulebook.deal(position.table, dealer, append_missing_cards(cards(first), rulebook.deck))
    position.table = fold(position.table, effects)
    return position, effects


def asks_of(call: Callable[[], object]) -> tuple[tuple[str, ...], tuple[object, ...]]:
    """The rules of a refusal that asks back, and what it asks for."""
    with pytest.raises(Refused, match="card_unknown") as refused:
        call()
    return refused.value.rules, cast("tuple[object, ...]", refused.value.detail["asks"])


def said(effects: Effects) -> list[tuple[Seat | None, str, object]]:
    return [(effect.seat, effect.what, effect.value) for effect in effects if isinstance(effect, DetailAnnounced)]
