"""Games out of the store and through the audit, in as many processes as there are processors."""

from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from itertools import chain, islice
from multiprocessing import get_context
from typing import TypeAlias
from uuid import UUID

from msgspec import Struct

from deploy.cli.records import openings
from deploy.language import said
from domain import codec
from domain.errors import Unknown
from domain.events import GameOpened
from domain.games import EDITIONS
from domain.journal.storage import Recorder
from replay.audit import audit
from replay.findings import Audit, Divergence

Rows: TypeAlias = list[tuple[UUID, int, str, bytes]]
"""The stored events of one game."""

_BATCH = 5_000  # events: about half a second of work
_FEW = 8  # batches that are done by the time that processes would have started
_AHEAD = 2  # batches that wait for each process


def audits_of(recorder: Recorder, games: Iterable[UUID], processes: int) -> Iterator[Audit]:
    """In the order of the games. Few events are not worth a process. Raises ``Unknown`` and what the store raises."""
    batches = _batches(_rows(recorder, id) for id in games)
    begun = list(islice(batches, _FEW + 1))
    if len(begun) <= _FEW or processes < 2:
        for batch in chain(begun, batches):
            yield from audited(batch)
        return
    with ProcessPoolExecutor(processes, get_context("spawn")) as pool:
        waiting: deque[Future[list[Audit]]] = deque()
        for batch in chain(begun, batches):
            waiting.append(pool.submit(audited, batch))
            if len(waiting) > processes * _AHEAD:
                yield from waiting.popleft().result()
        for future in waiting:
            yield from future.result()


def audited(games: Sequence[Rows]) -> list[Audit]:
    """What one process does with a batch."""
    return [audit([codec.read(*row) for row in rows], EDITIONS) for rows in games]


def _rows(recorder: Recorder, id: UUID) -> Rows:
    rows = [(id, event.originator_version, event.topic, event.state) for event in recorder.select_events(id)]
    if not rows:
        raise Unknown("game", id)
    return rows


def _batches(games: Iterable[Rows]) -> Iterator[list[Rows]]:
    batch: list[Rows] = []
    events = 0
    for rows in games:
        batch.append(rows)
        events += len(rows)
        if events >= _BATCH:
            yield batch
            batch, events = [], 0
    if batch:
        yield batch


def games_of(recorder: Recorder, tournament: str) -> list[UUID]:
    """The games of a tournament, as their openings say."""
    return [one.stream for one in openings(recorder) if isinstance(one.event, GameOpened) and one.event.tournament == tournament]


class Told(Struct, frozen=True):
    """An audit on a terminal: a line, and below it whatever is not as it should be."""

    audit: Audit
    language: str

    @property
    def colour(self) -> str | None:
        return {"sound": None, "divergent": "red", "not_judged": "yellow"}[self.audit.verdict]

    def in_words(self) -> str:
        found = self.audit
        sign = {"sound": "✓", "divergent": "✗", "not_judged": "?"}[found.verdict]
        told = said(f"audit_{found.verdict}", self.language, count=len(found.divergences), judged=found.judged, events=found.events)
        lines = [f"{sign} {found.game} {found.ruleset or '?'}: {told}"]
        lines += [self._divergence(one) for one in found.divergences]
        lines += [f"    {said('audit_left', self.language, first=one.first, last=one.last)}: {one.reason}" for one in found.unjudged]
        lines += [f"    {said('audit_position', self.language, position=one.position)}: {one.text}" for one in found.remarks]
        return "\n".join(lines)

    def _divergence(self, one: Divergence) -> str:
        place = said("audit_position", self.language, position=one.position)
        recorded, recomputed = said("audit_recorded", self.language), said("audit_recomputed", self.language)
        kind = said(f"audit_{one.kind}", self.language)
        return f"    {place}: {kind}\n        {recorded}: {one.recorded}\n        {recomputed}: {one.recomputed}"
