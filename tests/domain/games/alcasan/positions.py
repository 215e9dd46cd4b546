"""Positions of alcasan laid out by hand, so that a test shows at a glance what lies where."""

from collections.abc import Sequence
from typing import Any

from domain.cards import Seat
from domain.effects import Effect, Effects, HandOpened, MarkSet, TurnPassed, ZoneAdded
from domain.games import RULESETS
from domain.rules import Rulebook
from domain.table import Table, fold
from tests.domain.games.positions import PlayedPosition, cards, dealt_by, refusal_of

ALCASAN = RULESETS["alcasan"]

ANY: dict[str, object] = {"extra_lay": "any"}
COMPARED: dict[str, object] = {"four_fit": "compared"}
MAY: dict[str, object] = {"extra_lay_right": "may"}


class Position(PlayedPosition):
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


def dealt(seats: int, dealer: Seat, first: str = "", options: dict[str, object] | None = None) -> tuple[Rulebook, Table, Effects]:
    """A fresh hand from a deck that begins with the cards named and goes on in canonical order."""
    return dealt_by(ALCASAN, seats, dealer, first, options)
