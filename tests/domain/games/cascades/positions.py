"""Positions of Cascades laid out by hand, so that a test shows at a glance what lies where."""

from collections.abc import Sequence

from domain.cards import Card
from domain.effects import Effect, Effects, HandOpened, MarkSet, TurnPassed, ZoneAdded
from domain.games import RULESETS
from domain.rules import Rulebook
from domain.table import Table, fold
from tests.domain.games.positions import PlayedPosition, cards, dealt_by, refusal_of

CASCADES = RULESETS["cascades"]

ACE: dict[str, object] = {"variant": "ace"}
ENDLESS: dict[str, object] = {"passes": 0}
EXTENDED: dict[str, object] = {"pawns": True, "courts": True}

BASES = ("A-M A-S", "A-W A-L", "A-Y A-K")


class Position(PlayedPosition):
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

    def judge(self, move: object, seat: object = 0) -> Effects:
        return self.rulebook.resolve(self.table, seat, move)

    def refusal(self, card: Card, tier: int) -> tuple[str, tuple[str, ...]]:
        """Code and rules of the refusal of a placing."""
        return refusal_of(lambda: self.judge({"type": "play", "card": card, "tier": tier}))

    @property
    def turning_refused(self) -> tuple[str, tuple[str, ...]]:
        return refusal_of(lambda: self.judge({"type": "turn"}))


def dealt(first: str = "", options: dict[str, object] | None = None) -> tuple[Rulebook, Table, Effects]:
    """A fresh game from a deck that begins with the cards named and goes on in canonical order."""
    return dealt_by(CASCADES, 1, 0, first, options)
