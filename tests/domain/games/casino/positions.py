"""Positions of Casino laid out by hand, so that a test shows at a glance what lies where."""

from collections.abc import Iterable
from typing import Any

from domain.cards import Card
from domain.effects import Effect, Effects, HandOpened, MarkSet, TurnPassed, ZoneAdded
from domain.games import RULESETS
from domain.rules import Rulebook
from domain.table import Table, fold
from tests.domain.games.positions import PlayedPosition, cards, dealt_by, refusal_of

CASINO = RULESETS["casino"]

ROYAL: dict[str, object] = {"variant": "royal"}
SWEEPS: dict[str, object] = {"sweeps": True}
PARTNERS: dict[str, object] = {"partners": True}


class Position(PlayedPosition):
    """A table in the middle of a hand. Every seat that has no hand named holds a king, so that no deal follows."""

    def __init__(
        self,
        *hands: str,
        board: str = "",
        builds: Iterable[tuple[int, int, str]] = (),
        options: dict[str, object] | None = None,
        seats: int = 2,
        turn: int = 0,
        stock: str = "2D 2C",
        piles: dict[int, str] | None = None,
    ) -> None:
        """``builds`` are value, owner and groups, as in ``(8, 1, "5D 3S, 8H")``."""
        self.rulebook: Rulebook = CASINO.bind(options or {}, seats)
        effects: list[Effect] = [HandOpened(1, seats - 1), ZoneAdded("stock", "none", None, cards(stock)[::-1])]
        for seat, hand in enumerate((*hands, *["KC"] * seats)[:seats]):
            effects.append(ZoneAdded(f"hand:{seat}", "owner", seat, cards(hand)))
        effects.append(ZoneAdded("board", "all", None, cards(board)))
        for party in range(len(self.rulebook.setup.parties)):
            effects.append(ZoneAdded(f"won:{party}", "none", None, cards((piles or {}).get(party, ""))))
        for number, (value, owner, groups) in enumerate(builds, 1):
            for place, group in enumerate(groups.split(",")):
                effects.append(ZoneAdded(f"build:{number}:{place}", "all", None, cards(group)))
            effects += [MarkSet("value", value, f"build:{number}:0"), MarkSet("owner", owner, f"build:{number}:0")]
        effects.append(TurnPassed("play", turn, (turn,)))
        self.table: Table = fold(Table(self.rulebook.setup), effects)

    def play(self, type_: str, seat: int | None = None, **fields: Any) -> Effects:
        """Plays a move and answers its effects; the position goes on from there."""
        return self.go({"type": type_, **fields}, seat)

    def refusal(self, type_: str, **fields: Any) -> tuple[str, tuple[str, ...]]:
        """Code and rules of the refusal of a move by the seat whose turn it is."""
        return refusal_of(lambda: self.judge({"type": type_, **fields}))


def dealt(seats: int, dealer: int, first: str = "", options: dict[str, object] | None = None) -> tuple[Rulebook, Table, Effects]:
    """A fresh hand from a deck that begins with the cards named and goes on in canonical order."""
    return dealt_by(CASINO, seats, dealer, first, options)


def groups(*texts: str) -> list[list[Card]]:
    """``groups("7D 2H", "9S")`` as a move names them."""
    return [list(cards(text)) for text in texts]
