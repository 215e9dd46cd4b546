"""Tournaments as they lie in a store: with sequences, and with games that were recorded in between."""

import random
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from typing import Any

from msgspec.structs import replace

from domain import codec
from domain.events import Recorded, Stamp
from domain.events.tournament import TournamentAnnounced
from domain.tournament.tournament import tournament_stream
from replay.audit_result import StoredContext, StreamAudit
from replay.table_games import Change, Merger, RecordedContext
from replay.tournaments import audit_tournament
from tests.domain.tournament.recorded import game
from tests.domain.tournament.test_evenings import Evening

START = datetime(2026, 11, 21, 9, tzinfo=UTC)
STREAM = tournament_stream("spring")


class StoredEvening(Evening):
    """Everything that is recorded has its sequence, ten minutes after what was recorded before it."""

    def __init__(self, announced: TournamentAnnounced, chance: random.Random, *, bound: bool = True) -> None:
        self.bound = bound
        self.sequence = 0
        self.sequences: list[int] = []
        self.mergers: list[Merger] = []
        super().__init__(announced, chance)

    def next(self) -> Stamp:
        self.sequence += 1
        return Stamp(START + timedelta(minutes=10 * self.sequence), "p_director")

    def record(self, *events: Any) -> None:  # pyrefly: ignore[bad-override]
        """In one commit."""
        last, stamp = self.events[-1] if self.events else None, self.next()
        link = last.position if last else 0, last.state if last else None, stamp, events
        self.events += codec.link_events(STREAM, *link, bound=self.bound)
        self.sequences += range(self.sequence, self.sequence + len(events))
        self.sequence += len(events) - 1

    def play(self, table: str, round: int, players: tuple[str, ...]) -> None:
        parties = self.now.plan.parties
        for _ in range(self.now.plan.games):
            totals = tuple(self.chance.sample(range(100), len(parties)))
            self.play_game(players, totals, round=round, table=table, parties=parties)

    def play_game(self, players: tuple[str, ...], totals: tuple[int, ...], **given: Any) -> None:
        self.next()
        rules: dict[str, Any] = {"ruleset": self.now.plan.ruleset, "options": self.now.plan.options}
        self.games.append(game(self.sequence, players, totals, **rules, **given))

    def merge(self, player: str, into: str) -> None:
        at = self.next().at
        self.mergers.append(Merger(self.sequence, at, player, into))

    @property
    def around(self) -> RecordedContext:
        return RecordedContext([Change(START + timedelta(minutes=10 * one.since), one) for one in self.games], self.mergers)

    def audit(self, editions: Any, history: Sequence[Recorded] | None = None) -> StreamAudit:
        return audit_tournament(self.events if history is None else history, editions, StoredContext(self.sequences), self.around)


def corrected(evening: StoredEvening, number: int, *totals: int) -> None:
    """A ruling changes what the game with this index came to."""
    evening.next()
    places = tuple(1 + sum(other > own for other in totals) for own in totals)
    evening.games.append(replace(evening.games[number], since=evening.sequence, totals=totals, places=places))
