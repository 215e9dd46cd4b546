"""Positions of alcasan laid out by hand, so that a test shows at a glance what lies where."""

import json
from collections.abc import Callable, Sequence
from typing import Any

from domain.cards import Card, Seat, append_missing_cards
from domain.effects import CardsMoved, Effect, Effects, HandOpened, MarkSet, TurnPassed, ZoneAdded
from domain.errors import Refused
from domain.games import RULESETS
from domain.rules import Rulebook
from domain.table import Table, fold

ALCASAN = RULESETS["alcasan"]

ANY: dict[str, object] = {"extra_lay": "any"}
COMPARED: dict[str, object] = {"four_fit": "compared"}
MAY: dict[str, object] = {"extra_lay_right": "may"}


def cards(text: str) -> tuple[Card, ...]:
    """``"7 7 fire"`` as cards."""
    return tuple(text.split())


class Position:
    """A table in the middle of a hand. Piles are written with the top card last, the stock with the next card first."""

    def __init__(
        self,
        *hands: str,
        open: Sequence[str] = (),
        down: Sequence[str] = (),
        pile: str = "",
        removed: str = "",
        stock: str = "",
        turn: Seat = 0,
        extra: bool = False,
        finished: tuple[Seat, ...] = (),
        made: int = 0,
        options: dict[str, object] | None = None,
    ) -> None:
        """A face-down card that was turned is written ``-``. Without a word the open cards are ``9 9 9`` and the others ``8 8 8``."""
        self.rulebook: Rulebook = ALCASAN.bind(options or {}, len(hands))
        effects: list[Effect] = [HandOpened(1, len(hands) - 1), ZoneAdded("stock", "none", None, cards(stock)[::-1])]
        for seat, hand in enumerate(hands):
            gone = seat in finished
            effects.append(ZoneAdded(f"hand:{seat}", "owner", seat, cards(hand)))
            effects.append(ZoneAdded(f"open:{seat}", "all", seat, () if gone else cards(dict(enumerate(open)).get(seat, "9 9 9"))))
            lying = cards("- - -" if gone else dict(enumerate(down)).get(seat, "8 8 8"))
            for position, card in enumerate(lying):
                effects.append(ZoneAdded(f"down:{seat}:{position}", "none", seat, () if card == "-" else (card,)))
        effects += [ZoneAdded("pile", "all", None, cards(pile)), ZoneAdded("removed", "all", None, cards(removed))]
        marks: dict[str, Any] = {"moves_made": made or None, "extra_lay": extra or None, "finished": finished or None}
        effects += [MarkSet(mark, value) for mark, value in marks.items() if value is not None]
        effects.append(TurnPassed("play", turn, (turn,)))
        self.table: Table = fold(Table(self.rulebook.setup), effects)

    def lay(self, text: str) -> Effects:
        """Lays the cards and answers the effects; the position goes on from there."""
        return self.go({"type": "lay", "cards": list(cards(text))})

    def take(self) -> Effects:
        return self.go({"type": "take"})

    def reveal(self, position: int) -> Effects:
        return self.go({"type": "reveal", "position": position})

    def decline(self) -> Effects:
        return self.go({"type": "decline"})

    def go(self, move: object) -> Effects:
        effects = self.judge(move)
        self.table = fold(self.table, effects)
        return effects

    def judge(self, move: object, seat: object = None) -> Effects:
        return self.rulebook.resolve(self.table, self.table.turn if seat is None else seat, move)

    def refused(self, text: str) -> tuple[str, tuple[str, ...]]:
        """Code and rules of the refusal of a lay."""
        return refusal_of(lambda: self.judge({"type": "lay", "cards": list(cards(text))}))

    @property
    def taking_refused(self) -> tuple[str, tuple[str, ...]]:
        return refusal_of(lambda: self.judge({"type": "take"}))

    @property
    def declining_refused(self) -> tuple[str, tuple[str, ...]]:
        return refusal_of(lambda: self.judge({"type": "decline"}))

    def turning_refused(self, position: int) -> tuple[str, tuple[str, ...]]:
        return refusal_of(lambda: self.judge({"type": "reveal", "position": position}))

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


def dealt(seats: int, dealer: Seat, first: str = "", options: dict[str, object] | None = None) -> tuple[Rulebook, Table, Effects]:
    """A fresh hand from a deck that begins with the cards named and goes on in canonical order."""
    rulebook = ALCASAN.bind(options or {}, seats)
    table = Table(rulebook.setup)
    effects = rulebook.deal(table, dealer, append_missing_cards(cards(first), rulebook.deck))
    return rulebook, fold(table, effects), effects
