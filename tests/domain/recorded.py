"""Real games that grow by random play and by what officials do, as the journal lets them grow."""

from itertools import islice
from random import Random
from typing import Any

from domain import codec
from domain.act_validation import complete_act
from domain.cards import Card
from domain.events import Event, Recorded
from domain.events.game import Act
from domain.game import Game, project
from domain.games import EDITIONS, RULESETS
from domain.moves import play_moves
from domain.opening import opening
from domain.ruling import Order, PointsChange, adjust, rule
from domain.score import Sheet, sheet
from domain.table import Table
from replay.audit import audit
from replay.audit_result import Audit
from replay.sample_games import random_deal, random_move
from tests.domain.test_game import GAME, STAMP
from tests.projections.histories import table_at

__all__ = ["GrowingGame", "Order", "PointsChange", "RealGame"]


class GrowingGame:
    """A history that grows by events, as the journal links them; the game is folded from it."""

    def __init__(self, opened: Event) -> None:
        self.history: list[Recorded] = []
        self._folded: list[Game] = []  # after each event; looking at a game again and again folds nothing twice
        self.add(opened)

    @property
    def game(self) -> Game:
        for recorded in self.history[len(self._folded) :]:
            game = project(self._folded[-1] if self._folded else None, [recorded])
            assert game
            self._folded.append(game)
        return self._folded[len(self.history) - 1]

    def add(self, *events: Event) -> None:
        del self._folded[len(self.history) :]  # a test may have taken back the last events
        last = self.history[-1].state if self.history else None
        self.history += codec.link_events(GAME, len(self.history), last, STAMP, events)


class RealGame(GrowingGame):
    """A game of a ruleset, in its newest edition or an older one."""

    def __init__(
        self, key: str, options: dict[str, Any] | None = None, seats: int = 2, *, edition: int | None = None, seed: int = 1
    ) -> None:
        self.ruleset = RULESETS[key] if edition is None else EDITIONS[key, edition]
        self.rulebook = self.ruleset.bind(options or {}, seats)
        self.chance = Random(seed)
        super().__init__(opening(self.ruleset, options or {}, seats))

    @property
    def table(self) -> Table:
        return self.game.table

    @property
    def sheet(self) -> Sheet:
        return sheet(self.game.setup, self.table.score)

    @property
    def last(self) -> Event:
        return self.history[-1].event

    def at(self, position: int) -> Table:
        table = table_at(self.history, position)
        assert table
        return table

    def enact(self, act: Act) -> None:
        self.add(complete_act(self.game, act, lambda: self.rulebook))

    def adjust(self, *points: PointsChange, ruling: int | None = None) -> None:
        self.add(*adjust(self.game, points, None, ruling, self.rulebook))

    def rule(self, ruling: Any, order: Order) -> None:
        self.add(*rule(self.game, self.rulebook, ruling, order))

    def deal(self, *deck: Card) -> None:
        """By whoever may deal; the deck shuffled, or as it is given."""
        step = random_deal(self.rulebook, self.table, self.chance)
        self.add(self.game.deal(self.rulebook, self.ruleset.edition, step.seat, deck or step.deck, "recorded"))

    def deal_as(self, dealer: object, *deck: Card) -> None:
        self.add(self.game.deal(self.rulebook, self.ruleset.edition, dealer, deck, "recorded"))

    def report(self, dealer: object, result: object) -> None:
        self.add(self.game.report(self.rulebook, self.ruleset.edition, dealer, result))

    def rewind(self, to: int) -> None:
        self.add(self.game.rewind(to, None, self.at(to)))

    def play(self, moves: int = 10_000) -> None:
        """So many random moves, or to the end of the hand."""
        for _ in islice(iter(lambda: self.table.in_hand, False), moves):
            step = random_move(self.rulebook, self.table, self.chance)
            self.add(*play_moves(self.game, self.rulebook, [(step.seat, step.move)]))

    def hand(self) -> None:
        self.deal()
        self.play()

    def judged(self) -> Audit:
        return audit(self.history, EDITIONS)
