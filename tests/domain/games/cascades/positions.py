"""Positions of Cascades laid out by hand, so that a test shows at a glance what lies where."""

import json
from collections.abc import Callable, Sequence
from typing import Any

from domain.cards import Card, append_missing_cards
from domain.effects import Effect, Effects, HandOpened, MarkSet, TurnPassed, ZoneAdded
from domain.errors import Refused
from domain.games import RULESETS
from domain.rules import Move, Rulebook
from domain.table import Table, fold

CASCADES = RULESETS["cascades"]

ACE: dict[str, object] = {"variant": "ace"}
ENDLESS: dict[str, object] = {"passes": 0}
EXTENDED: dict[str, object] = {"pawns": True, "courts": True}

BASES = ("A-M A-S", "A-W A-L", "A-Y A-K")


def cards(text: str) -> tuple[Card, ...]:
    """``"4-MS CROWN-W"`` as cards."""
    return tuple(text.split())


class Position:
    """A table in the middle of a game. Stock and deck are written with the next card first, piles with the top card last.

    Unless a stock is named there are six cards in it.
    """

    def __init__(
        self,
        *tiers: str,
        waste: str = "",
        stock: str = "9-MS 9-WY 9-LK 8-MS 8-WL 8-YK",
        reserve: Sequence[str] = (),
        bases: Sequence[str] = BASES,
        options: dict[str, object] | None = None,
        pass_: int = 1,
        turns: int = 1,
        placed_before: int = 0,
    ) -> None:
        self.rulebook: Rulebook = CASCADES.bind(options or {}, 1)
        ace = self.rulebook.setup.options["variant"] == "ace"
        effects: list[Effect] = [
            HandOpened(1, 0),
            ZoneAdded("stock", "none", None, cards(stock)[::-1]),
            ZoneAdded("waste", "top", None, cards(waste)),
        ]
        effects += [ZoneAdded(f"tier:{tier}", "all", None, cards(text)) for tier, text in enumerate((*tiers, "", "", "")[:3])]
        if ace:
            effects += [ZoneAdded(f"base:{tier}", "all", None, cards(text)) for tier, text in enumerate(bases)]
        for pile, text in enumerate((*reserve, "", "", "")[:3] if not ace else ()):
            is_open = pile < pass_ - bool(stock) or not (stock or waste)
            effects.append(ZoneAdded(f"reserve:{pile}", "top" if is_open else "none", None, cards(text)))
        marks = {"pass": pass_, "turns": turns, "placed_before": placed_before}
        effects += [MarkSet(mark, value) for mark, value in marks.items() if value]
        effects.append(TurnPassed("play", 0, (0,)))
        self.table: Table = fold(Table(self.rulebook.setup), effects)

    def play(self, card: Card, tier: int) -> Effects:
        """Places a card and answers the effects; the position goes on from there."""
        return self.go({"type": "play", "card": card, "tier": tier})

    def turn(self) -> Effects:
        return self.go({"type": "turn"})

    def resign(self) -> Effects:
        return self.go({"type": "resign"})

    def go(self, move: Move) -> Effects:
        effects = self.judge(move)
        self.table = fold(self.table, effects)
        return effects

    def judge(self, move: object, seat: object = 0) -> Effects:
        return self.rulebook.resolve(self.table, seat, move)

    def refusal(self, card: Card, tier: int) -> tuple[str, tuple[str, ...]]:
        """Code and rules of the refusal of a placing."""
        return refusal_of(lambda: self.judge({"type": "play", "card": card, "tier": tier}))

    @property
    def turning_refused(self) -> tuple[str, tuple[str, ...]]:
        return refusal_of(lambda: self.judge({"type": "turn"}))

    @property
    def view(self) -> dict[str, Any]:
        """The arbiter's view as JSON."""
        view: dict[str, Any] = json_of(self.rulebook.view(self.table))
        return view

    def lies(self, zone: str) -> str:
        return " ".join(self.table.cards(zone))


def refusal_of(call: Callable[[], object]) -> tuple[str, tuple[str, ...]]:
    """Code and rules of a refusal."""
    try:
        call()
    except Refused as refused:
        return refused.code, refused.rules
    raise AssertionError("nothing was refused")


def json_of(value: object) -> Any:
    """As a client reads it: tuples are lists."""
    return json.loads(json.dumps(value))


def dealt(first: str = "", options: dict[str, object] | None = None) -> tuple[Rulebook, Table, Effects]:
    """A fresh game from a deck that begins with the cards named and goes on in canonical order."""
    rulebook = CASCADES.bind(options or {}, 1)
    table = Table(rulebook.setup)
    effects = rulebook.deal(table, 0, append_missing_cards(cards(first), rulebook.deck))
    return rulebook, fold(table, effects), effects
