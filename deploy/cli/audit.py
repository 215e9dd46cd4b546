"""`kiebitz audit`: games out of the store and through the audit, in as many processes as there are processors."""

import os
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from itertools import chain, islice
from multiprocessing import get_context
from typing import Any, TypeAlias
from uuid import UUID

import click
import msgspec

from deploy.cli.console import print_line, progress
from deploy.cli.journal import game_ids, openings
from deploy.cli.options import STORE, setting_options, settings_of
from deploy.compose import open_event_store
from deploy.language import lang_option, sentence
from domain import codec
from domain.errors import Unknown
from domain.events.game import GameOpened
from domain.games import EDITIONS
from domain.journal.store import EventStore
from replay.audit import audit
from replay.findings import Audit, Divergence

Rows: TypeAlias = list[tuple[UUID, int, str, bytes]]
"""The stored events of one game."""

_BATCH = 5_000  # events: about half a second of work
_FEW = 8  # batches that are done by the time that processes would have started
_AHEAD = 2  # batches that wait for each process

_SIGNS = {"sound": ("✓", None), "divergent": ("✗", "red"), "not_judged": ("?", "yellow")}


@click.command("audit")
@click.argument("games", nargs=-1, metavar="[GAME…]")
@click.option("--tournament", metavar="ID", help="Every game of this tournament.")
@click.option("--all", "everything", is_flag=True, help="Every game.")
@click.option("--json", "as_json", is_flag=True, help="One JSON object a line and game.")
@click.option("--jobs", type=click.IntRange(min=1), default=lambda: os.cpu_count() or 1, show_default="one a processor", help="Processes.")
@lang_option
@setting_options(*STORE)
def audit_command(
    games: tuple[str, ...], tournament: str | None, everything: bool, as_json: bool, jobs: int, language: str, **flags: Any
) -> None:
    """Is what was recorded what the rules make of it? Every event is judged anew. It tells cards.

    \b
    Exit code: 0 every game is sound, 1 not so.
    \b
    Examples:
      kiebitz audit --all
      kiebitz audit 5c0c8f1e-… --json
      kiebitz audit --tournament spring-open --database-url postgresql://kiebitz@db/kiebitz
    """
    if [bool(games), tournament is not None, everything].count(True) != 1:
        raise click.UsageError("Name games, or a --tournament, or say --all.")
    sound = 0
    with open_event_store(settings_of(flags), create=False) as store:
        ids = game_ids(games) if games else store.games() if tournament is None else _games_of(store, tournament)
        with progress("Auditing", len(ids)) as advance:
            for done, found in enumerate(_audits(store, ids, jobs), 1):
                if as_json:
                    print_line(msgspec.json.encode(found).decode())
                else:
                    print_line(_in_words(found, language), _SIGNS[found.verdict][1])
                sound += found.verdict == "sound"
                advance(done)
    if not as_json and len(ids) != 1:
        print_line(sentence("audited", language, sound=sound, count=len(ids)))
    raise click.exceptions.Exit(int(sound < len(ids)))


def _games_of(store: EventStore, tournament: str) -> list[UUID]:
    """The games of a tournament, as their openings say."""
    return [one.stream for one in openings(store) if isinstance(one.event, GameOpened) and one.event.tournament == tournament]


def _audits(store: EventStore, games: Iterable[UUID], processes: int) -> Iterator[Audit]:
    """In the order of the games. Few events are not worth a process. Raises ``Unknown`` and what the store raises."""
    batches = _batches(_rows(store, id) for id in games)
    begun = list(islice(batches, _FEW + 1))
    if len(begun) <= _FEW or processes < 2:
        for batch in chain(begun, batches):
            yield from _audit_batch(batch)
        return
    with ProcessPoolExecutor(processes, get_context("spawn")) as pool:
        waiting: deque[Future[list[Audit]]] = deque()
        for batch in chain(begun, batches):
            waiting.append(pool.submit(_audit_batch, batch))
            if len(waiting) > processes * _AHEAD:
                yield from waiting.popleft().result()
        for future in waiting:
            yield from future.result()


def _audit_batch(games: Sequence[Rows]) -> list[Audit]:
    """What one process does with a batch."""
    return [audit([codec.decode_event(*row) for row in rows], EDITIONS) for rows in games]


def _rows(store: EventStore, id: UUID) -> Rows:
    rows = [(id, event.position, event.name, event.state) for event in store.select_events(id)]
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


def _in_words(found: Audit, language: str) -> str:
    """A line, and below it whatever is not as it should be."""
    verdict = sentence(f"audit_{found.verdict}", language, count=len(found.divergences), judged=found.judged, events=found.events)
    lines = [f"{_SIGNS[found.verdict][0]} {found.game} {found.ruleset or '?'}: {verdict}"]
    lines += [_divergence(one, language) for one in found.divergences]
    lines += [f"    {sentence('audit_left', language, first=one.first, last=one.last)}: {one.reason}" for one in found.unjudged]
    lines += [f"    {sentence('audit_position', language, position=one.position)}: {one.text}" for one in found.remarks]
    return "\n".join(lines)


def _divergence(one: Divergence, language: str) -> str:
    place, kind = sentence("audit_position", language, position=one.position), sentence(f"audit_{one.kind}", language)
    recorded, recomputed = sentence("audit_recorded", language), sentence("audit_recomputed", language)
    return f"    {place}: {kind}\n        {recorded}: {one.recorded}\n        {recomputed}: {one.recomputed}"
