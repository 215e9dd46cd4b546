"""What the tables of all games that are laid out by hand have in common."""

import json
from collections.abc import Callable, Mapping
from typing import Any

from domain.cards import Card, append_missing_cards
from domain.effects import CardsMoved, Effects
from domain.errors import Refused
from domain.rules import Rulebook, Ruleset
from domain.table import Table, fold


def cards(text: str) -> tuple[Card, ...]:
    """``"7D 9H"`` as cards."""
    return tuple(text.split())


class PlayedPosition:
    """A table in the middle of a hand, with the rulebook that it is played by."""

    rulebook: Rulebook
    table: Table

    def go(self, move: object, seat: int | None = None) -> Effects:
        """Plays a move and answers its effects; the position goes on from there."""
        effects = self.judge(move) if seat is None else self.judge(move, seat)
        self.table = fold(self.table, effects)
        return effects

    def judge(self, move: object, seat: object = None) -> Effects:
        return self.rulebook.resolve(self.table, self.table.turn if seat is None else seat, move)

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


def moved(effects: Effects) -> list[tuple[str, str, str]]:
    """Which cards went from where to where."""
    return [(" ".join(effect.cards), effect.source, effect.target) for effect in effects if isinstance(effect, CardsMoved)]


def dealt_by(
    ruleset: Ruleset, seats: int, dealer: int, first: str = "", options: Mapping[str, object] | None = None
) -> tuple[Rulebook, Table, Effects]:
    """A fresh hand from a deck that begins with the cards named and goes on in canonical order."""
    rulebook = ruleset.bind(dict(options or {}), seats)
    table = Table(rulebook.setup)
    effects = rulebook.deal(table, dealer, append_missing_cards(cards(first), rulebook.deck))
    return rulebook, fold(table, effects), effects
