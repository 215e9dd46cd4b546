"""Audits of streams: of the local store, in parallel batches, or through a server."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack
from functools import cache, partial
from itertools import chain
from typing import TYPE_CHECKING, Literal, NamedTuple, TypeAlias, get_args
from urllib.parse import quote
from uuid import UUID

import msgspec
from msgspec import Struct

from api.common.audits import AuditRunner
from deploy.cli.bulk import in_order
from deploy.cli.journal import game_ids
from deploy.compose import open_event_store
from deploy.config.failures import sentence
from deploy.config.settings import Settings
from domain.events.game import GameOpened
from domain.games import EDITIONS
from domain.journal.feed import list_events_of_kinds
from domain.journal.store import EventStore
from domain.tournament.tournament import tournament_stream
from replay.audit_result import Audit, StreamAudit

Kind: TypeAlias = Literal["game", "tournament", "player", "series", "ratings"]
Audited: TypeAlias = Audit | StreamAudit

_BATCH = 1_000  # events: about a tenth of a second of work
_USUAL = 100  # events of a stream that was not counted
KINDS: tuple[Kind, ...] = ("game", "tournament", "player", "series", "ratings")


class AuditTask(NamedTuple):
    """A stream that is to be audited, and an estimate of the work."""

    kind: Kind
    stream: UUID
    events: int = _USUAL


def audit_store(
    settings: Settings, store: EventStore, games: Sequence[str], tournament: str | None, jobs: int
) -> tuple[int, Iterator[Audited]]:
    """Return the number of audits, and the audits: of these games, of a tournament with its games, or of everything recorded.

    Games come first, then tournaments, players, series, and rating lists; within a kind the oldest first. Raises ``Unknown`` and the
    store's errors.
    """
    due = _list_streams(store, games, tournament)
    return len(due), _audits(settings, store, due, jobs)


def streams_of(store: EventStore, games: Sequence[str], tournament: str | None) -> list[UUID]:
    """Return the streams of these games, or of a tournament with its games. Raises ``Unknown``."""
    return [due.stream for due in _list_streams(store, games, tournament)]


def kind_of(audited: Audited) -> Kind:
    return "game" if isinstance(audited, Audit) else audited.kind


def summary(sound: Mapping[str, tuple[int, int]], language: str) -> str:
    """Return how many of each kind are sound, and of how many."""
    parts = [sentence(f"audited_{kind.removesuffix('s')}s", language, sound=good, count=count) for kind, (good, count) in sound.items()]
    return sentence("audited", language, counts=", ".join(parts))


def _list_streams(store: EventStore, games: Sequence[str], tournament: str | None) -> list[AuditTask]:
    if games:
        return [AuditTask("game", id) for id in game_ids(games)]
    if tournament is not None:
        stream = tournament_stream(tournament)
        return [*_games_of(store, tournament), *([AuditTask("tournament", stream)] if store.select_events(stream, limit=1) else [])]
    streams = sorted(store.streams(), key=lambda one: KINDS.index(one.kind))
    return [AuditTask(one.kind, one.id, one.events) for one in streams]


def _games_of(store: EventStore, tournament: str) -> Iterator[AuditTask]:
    """Yield the games of a tournament, according to their openings."""
    for _, recorded in list_events_of_kinds(store, GameOpened):
        if isinstance(recorded.event, GameOpened) and recorded.event.tournament == tournament:
            yield AuditTask("game", recorded.stream)


def _audits(settings: Settings, store: EventStore, due: Sequence[AuditTask], processes: int) -> Iterator[Audited]:
    """Yield the audits in this order."""
    auditor = AuditRunner(store, EDITIONS)
    here, there = partial(_audit_batch, auditor), partial(_audit_in_process, settings)
    return chain.from_iterable(in_order(here, there, _batches(due), processes))


def _audit_in_process(settings: Settings, batch: Sequence[AuditTask]) -> list[Audited]:
    """Audit a batch in a worker process."""
    auditor, _ = _open_audit_runner(settings)
    return _audit_batch(auditor, batch)


@cache
def _open_audit_runner(settings: Settings) -> tuple[AuditRunner, ExitStack]:
    """Return the auditor for all batches of a process, and the stack that keeps its store open until the process ends."""
    opened = ExitStack()
    return AuditRunner(opened.enter_context(open_event_store(settings, create=False)), EDITIONS), opened


def _audit_batch(auditor: AuditRunner, batch: Sequence[AuditTask]) -> list[Audited]:
    return [_audit_stream(auditor, one) for one in batch]


def _audit_stream(auditor: AuditRunner, due: AuditTask) -> Audited:
    match due.kind:
        case "game":
            return auditor.game(due.stream)
        case "tournament":
            return auditor.tournament(due.stream)
        case "player":
            return auditor.player(due.stream)
        case "series":
            return auditor.series(due.stream)
        case "ratings":
            return auditor.rating_lists(due.stream)


def _batches(due: Sequence[AuditTask]) -> Iterator[list[AuditTask]]:
    batch: list[AuditTask] = []
    events = 0
    for one in due:
        batch.append(one)
        events += one.events
        if events >= _BATCH:
            yield batch
            batch = []
            events = 0
    if batch:
        yield batch


if TYPE_CHECKING:
    from deploy.cli.client import Remote


class HiddenAudit(Struct, frozen=True):
    """An audit that this token may not read."""

    kind: Kind
    id: str
    verdict: Literal["not_told"] = "not_told"


StreamKind: TypeAlias = Literal["tournament", "player", "series", "ratings"]
_STREAMS: tuple[StreamKind, ...] = get_args(StreamKind)


def audit_server(remote: "Remote", games: Sequence[str], tournament: str | None) -> Iterator[Audit | StreamAudit | HiddenAudit]:
    """Yield the audits through a server. Raises ``Failure`` with the server's message, ``Unknown`` for an invalid id of a game."""
    if games:
        yield from (_game(remote, str(id)) for id in game_ids(games))
    elif tournament is not None:
        yield from (_game(remote, str(id)) for id in remote.games(tournament=tournament))
        yield _stream(remote, "tournament", tournament)
    else:
        yield from (_game(remote, str(id)) for id in remote.games())
        for kind in _STREAMS:
            ids = remote.ids("ratings/lists", "ruleset") if kind == "ratings" else remote.ids(_path(kind))
            yield from (_stream(remote, kind, id) for id in dict.fromkeys(ids))


def _game(remote: "Remote", id: str) -> Audit | HiddenAudit:
    body = remote.audit_of("games", id)
    return HiddenAudit("game", id) if body is None else msgspec.json.decode(body, type=Audit)


def _path(kind: StreamKind) -> str:
    return kind if kind.endswith("s") else f"{kind}s"


def _stream(remote: "Remote", kind: StreamKind, id: str) -> StreamAudit | HiddenAudit:
    body = remote.audit_of(_path(kind), quote(id, safe=""))
    return HiddenAudit(kind, id) if body is None else msgspec.json.decode(body, type=StreamAudit)
