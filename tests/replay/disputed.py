"""Random games of any ruleset in which officials do all that may be done at a table: what is played, taken back, ruled and overturned."""

from collections.abc import Callable
from contextlib import suppress
from datetime import UTC, datetime
from random import Random
from typing import Any
from uuid import UUID

from domain import codec
from domain.act_validation import complete_act
from domain.errors import InvalidFormatError, Refused
from domain.events import Event, Recorded, Stamp
from domain.events.base import TextRef
from domain.events.game import (
    Act,
    Decision,
    DisputeAppealed,
    DisputeRaised,
    DisputeRuled,
    GameAnnulled,
    HandEndedEarly,
    NoteAdded,
    Openness,
    PlayersCorrected,
    PlayerSeated,
)
from domain.game import Game, fold_event
from domain.moves import AcceptedMove, play_moves
from domain.opening import OpennessContext, opening
from domain.rules import Ruleset
from domain.ruling import Order, PointsChange, adjust, allow_illegal_move, order_table_change, rule
from domain.table import Table
from replay.sample_games import random_deal, random_move
from tests.domain.games.setups import SetUp
from tests.projections.histories import NOTHING

GAME = UUID(int=9)
STAMP = Stamp(datetime(2026, 11, 21, 19, tzinfo=UTC), "p_arbiter")
WHY = TextRef("t1", "digest of t1")
BOARD = 7


class Disputed:
    """A game that goes on at random; ``tables`` are those after each position. ``around``: another table may play the same board."""

    def __init__(self, ruleset: Ruleset, set_up: SetUp, seed: str, openness: Openness, *, live: bool = True, boards: bool = False) -> None:
        self.chance, self.edition = Random(seed), ruleset.edition
        self.rulebook = ruleset.bind(dict(set_up.options), set_up.seats)
        self.around = OpennessContext(frozenset({BOARD})) if boards else NOTHING
        self.history: list[Recorded] = []
        self.tables: dict[int, Table] = {}
        self._game: Game | None = None
        self.add(opening(ruleset, dict(set_up.options), set_up.seats, openness=openness, live=live))

    @property
    def game(self) -> Game:
        assert self._game is not None
        return self._game

    def add(self, *events: Event) -> None:
        last = self.history[-1] if self.history else None
        for recorded in codec.link_events(GAME, len(self.history), last.state if last else None, STAMP, events):
            self._game = fold_event(self._game, recorded)
            self.history.append(recorded)
            self.tables[recorded.position] = self._game.table

    def play(self, length: int) -> "Disputed":
        """About so many events; one of eight is no deal and no move."""
        for _ in range(3 * length):
            if len(self.history) >= length:
                break
            with suppress(Refused, InvalidFormatError, ValueError):  # after a rectification a seat may have no move
                (self._act() if self.chance.random() < 0.125 else self._play)()
        return self

    def _play(self) -> None:
        game, rulebook, chance = self.game, self.rulebook, self.chance
        if game.table.in_hand:
            step = random_move(rulebook, game.table, chance)
            self.add(*play_moves(game, rulebook, [(step.seat, step.move)]))
            return
        step = random_deal(rulebook, game.table, chance)
        if self.around.boards and chance.random() < 0.5:
            self.add(game.deal_board(rulebook, self.edition, step.seat, list(step.deck), BOARD))
        else:
            self.add(game.deal(rulebook, self.edition, step.seat, list(step.deck), "recorded"))

    def _act(self) -> Callable[[], None]:
        return self.chance.choice(
            (
                self._take_back,
                self._take_back,
                self._rule,
                self._rule,
                self._overturn,
                self._put_right,
                self._let_stand,
                self._report,
                self._adjust,
                self._stop,
                self._say,
            )
        )

    def _take_back(self) -> None:
        to = self.chance.randint(max(1, self.game.dealt_at - 1), self.game.position)
        self.add(self.game.rewind(to, WHY, self.tables[to]))

    def _rule(self) -> None:
        self._enact(DisputeRaised(0, self.game.position, 0, WHY, self.chance.random() < 0.5))
        number = len(self.game.docket.disputes)
        decision: Decision = self.chance.choice(("stands", "rewind", "rewind", "rewind", "rectify", "adjust", "penalty", "penalty"))
        if self.chance.random() < 0.05:
            decision = "annul"
        self._decide(decision, number, {"rewind": self._back, "rectify": self._moved}.get(decision, self._points_or_nothing)(decision))
        if self.chance.random() < 0.5:
            self._enact(DisputeAppealed(number, 0, None, WHY))

    def _decide(self, decision: Decision, dispute: int, order: Order) -> None:
        instance: Any = "committee" if decision == "overturn" else "arbiter"
        ruling = DisputeRuled(0, dispute, instance, decision, WHY, ("COM-1",))
        self.add(*rule(self.game, self.rulebook, ruling, order))

    def _back(self, decision: Decision) -> Order:
        to = self.chance.randint(1, self.game.position - 1)
        return Order(to=to, restored=self.tables[to])

    def _moved(self, decision: Decision) -> Order:
        return Order(effects=self._swap())

    def _points_or_nothing(self, decision: Decision) -> Order:
        return Order(adjustments=self._points() if decision in ("adjust", "penalty") else ())

    def _overturn(self) -> None:
        """What the last appeal is about."""
        appealed = [one for one in self.game.docket.disputes if one.stage == "appealed"]
        if appealed:
            self._decide("overturn", appealed[-1].number, Order(tables=self.tables))

    def _put_right(self) -> None:
        self.add(order_table_change(self.game, self.rulebook, self._swap(), WHY, None))

    def _let_stand(self) -> None:
        self.add(allow_illegal_move(self.game, self.rulebook, AcceptedMove(0, {"type": "unheard of"}, self._swap()), WHY, None))

    def _swap(self) -> list[object]:
        """A card of one zone to another, perhaps shown, perhaps beneath it."""
        chance, zones = self.chance, self.game.table.zones
        source, target = chance.sample(sorted(zones), 2) if len(zones) > 1 else ("none", "none")
        cards = [chance.choice(self.game.table.cards(source) or ("none",))]
        return [["moved", cards, source, target, chance.random() < 0.3, chance.random() < 0.3]]

    def _report(self) -> None:
        game, parties = self.game, len(self.game.setup.parties)
        points = {"points": [self.chance.randint(0, 9) for _ in range(parties)]}
        self.add(game.report(self.rulebook, self.edition, self.chance.randrange(game.setup.seats), points))

    def _points(self) -> tuple[PointsChange, ...]:
        chance, parties = self.chance, len(self.game.setup.parties)
        hands = (None, *(hand.hand for hand in self.game.table.score.hands))
        return tuple(
            PointsChange(chance.randrange(parties), chance.randint(-9, 9), chance.choice(hands)) for _ in range(chance.randint(1, 2))
        )

    def _adjust(self) -> None:
        self.add(*adjust(self.game, self._points(), WHY, None, self.rulebook))

    def _stop(self) -> None:
        over = GameAnnulled(WHY) if self.chance.random() < 0.1 else HandEndedEarly((), True, WHY)
        self._enact(over)

    def _say(self) -> None:
        player = self.chance.choice((None, "p_1", "p_2"))
        seats = self.game.setup.seats
        others = PlayersCorrected((player, *(None,) * (seats - 1)), self.chance.randint(1, 2), WHY)
        self._enact(self.chance.choice((PlayerSeated(self.chance.randrange(seats), player), others, NoteAdded(WHY))))

    def _enact(self, act: Act) -> None:
        self.add(complete_act(self.game, act, lambda: self.rulebook))
