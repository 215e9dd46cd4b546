"""Composition root: builds the parts of a running service and wires them together.

No other module knows which implementations a service consists of.
"""

import logging
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager, nullcontext
from datetime import datetime
from functools import partial
from random import SystemRandom
from secrets import token_bytes
from typing import Protocol, TypedDict, Unpack
from uuid import UUID, uuid4

from api.services import Bound, Limits, Services, Sources
from deploy.config.failures import Failure, older_copy, say
from deploy.config.key_files import snapshot_key
from deploy.config.settings import Settings, existing_journal, prepare_folder
from deploy.http.listening_socket import list_network_hosts
from deploy.processes.exports import ExportProcess, ExportWork, NoProcess, ReaderProcess, ReadingWork
from deploy.processes.journal_file import check_journal_file, check_journal_log, check_journal_of, upgrade
from deploy.processes.process_driver import ProcessDriver, Work
from deploy.stores.migrating import is_being_filled, is_noted, pending, require_readable
from deploy.stores.opening import load_drivers as load_drivers
from deploy.stores.opening import open_events, open_projections, pools_of
from deploy.stores.statements import ANSWER
from deploy.system.clock import now
from deploy.system.startup import preload_codecs
from domain.cards import Card
from domain.free_texts import SALT
from domain.games import EDITIONS, RULESETS
from domain.journal.application import Journal
from domain.journal.archive import Archive
from domain.journal.store import EventStore
from domain.version import VERSION
from projections.engine.checkpoints import checkpoints
from projections.engine.driver import ProjectorDriver
from projections.engine.projector import Projector
from projections.engine.store import Projection
from projections.models.disputes import DISPUTES
from projections.models.game_index import GAME_INDEX
from projections.models.player_places import APPEARANCES
from projections.models.players import PLAYERS
from projections.models.results import RESULTS
from projections.models.rulings import RULINGS
from projections.models.score_lines.projection import SCORE_LINES
from projections.models.score_sheets import SCORE_SHEETS
from projections.models.series import SERIES_INDEX
from projections.models.tournaments import TOURNAMENTS

PROJECTIONS: tuple[Projection, ...] = (
    GAME_INDEX,
    SCORE_SHEETS,
    RULINGS,
    DISPUTES,
    SCORE_LINES,
    PLAYERS,
    APPEARANCES,
    RESULTS,
    SERIES_INDEX,
    TOURNAMENTS,
)  # fmt: skip

_LOG = logging.getLogger("kiebitz.journal")
_CHANCE = SystemRandom()
_FIRST = "journal-0001-tables"


def new_salt() -> bytes:
    return token_bytes(SALT)


def shuffled(cards: Sequence[Card]) -> tuple[Card, ...]:
    """Return the cards in an order drawn from the system's source of randomness.

    Cards that somebody has seen therefore do not reveal the rest of the deck.
    """
    return tuple(_CHANCE.sample(cards, len(cards)))


class OpenMode(TypedDict, total=False):
    """Flags for opening the databases; ``prepare_database`` explains each of them."""

    create: bool
    migrate_too: bool
    accept_older_copy: bool
    look: bool


def prepare_database(
    settings: Settings, *, create: bool = True, migrate_too: bool = False, accept_older_copy: bool = False, look: bool = False
) -> None:
    """Check that the databases can be used, and bring the embedded one up to date.

    PostgreSQL is migrated only with ``migrate_too``, because other servers may be using it. Without ``create`` the embedded database has to
    exist. With ``look`` it has to exist, too, and nothing is changed. If projections were filled from a journal that no longer exists, a
    new journal is created only with ``accept_older_copy``.

    Raises ``Failure`` with advice if the store cannot be used as it is, and ``StoreBlockedError`` for a store of a newer version.
    """
    if settings.embedded and (look or not create):
        existing_journal(settings)
    check_journal_file(settings)
    if settings.embedded and not look:
        prepare_folder(settings.data)
        check_journal_log(settings)
    if is_being_filled(settings.journal_url):
        raise Failure(say("transfer_under_way", store=settings.store), say("transfer_again"))
    require_readable(settings.journal_url)
    missing = pending(settings.journal_url)
    if _FIRST in missing and not accept_older_copy and (projected := _read_projected_sequence(settings)):
        raise older_copy(settings.store, projected, 0)
    if missing and (look or not (settings.embedded or migrate_too)):
        raise Failure(say("not_up_to_date", store=settings.store, missing=tuple(missing)), say("migrate_once"))
    if not look and (missing or not is_noted(settings.journal_url)):
        _upgrade(settings)


def _upgrade(settings: Settings) -> None:
    backup = upgrade(settings).backup
    if backup is not None:
        _LOG.warning("the store before the upgrade to Kiebitz %s is kept in %s", VERSION, backup)


def is_up_to_date(settings: Settings) -> bool:
    """Return whether the store exists and has every migration of this version."""
    return (not settings.embedded or settings.journal_file.exists()) and not pending(settings.journal_url)


@contextmanager
def open_event_store(settings: Settings, *, answer: float = ANSWER, **manner: Unpack[OpenMode]) -> Iterator[EventStore]:
    """Open the events and registers alone, for commands that need no more."""
    prepare_database(settings, **manner)
    with closing(open_events(settings.journal_url, answer, read_only=manner.get("look", False))) as events:
        yield events


def limits_of(settings: Settings) -> Limits:
    return Limits(
        streams=Bound(settings.streams, settings.streams_each),
        followers=Bound(settings.followers, settings.followers_each),
        exports=Bound(settings.exports, settings.exports_each),
    )


@contextmanager
def open_readers(journal_url: str, projections_url: str, snapshot_key: bytes | None = None) -> Iterator[Sources]:
    """Open the stores for a process that only reads: the databases refuse every write."""
    check_journal_of(journal_url)
    with (
        closing(open_events(journal_url, read_only=True)) as events,
        closing(open_projections(projections_url, read_only=True)) as store,
        closing(Journal(events, now, alone=False, snapshot_key=snapshot_key)) as journal,
    ):
        journal.snapshots.close()  # they are read, and none is kept
        yield Sources(events, store, journal)


@contextmanager
def open_reading(work: ReadingWork) -> Iterator[Services]:
    """Open the services for a reader process, as far as it needs them; the databases refuse every write."""
    none = NoProcess()
    with open_readers(work.journal_url, work.projections_url, work.snapshot_key) as (registers, store, journal):
        events = journal.store
        projector = Projector(PROJECTIONS, store, journal.feed, journal.head, events.wait_for, epoch=lambda: events.epoch.id)
        yield Services(journal, RULESETS, store, projector, registers, now, uuid4, new_salt, shuffled, EDITIONS, none, none)


@contextmanager
def open_projector(work: Work, drive: ProjectorDriver) -> Iterator[Projector]:
    """Open a projector for a process that only projects.

    The journal refuses every write and begins no epoch for this process, so the projector asks the journal for the epoch each time.
    """

    def epoch() -> str:
        events.head()
        return events.epoch.id

    check_journal_of(work.journal_url)
    with (
        closing(open_events(work.journal_url, read_only=True)) as events,
        closing(Archive(events, now, alone=False)) as archive,
        closing(open_projections(work.projections_url, holder=work.holder)) as store,
    ):
        yield Projector(PROJECTIONS, store, archive.feed, archive.head, events.wait_for, epoch=epoch, drive=drive)


class SignalDriver(ProjectorDriver, Protocol):
    """A drive that is notified of recorded events, because it projects in another process."""

    def notify_recorded(self) -> None:
        """Notify the drive of new events. Callable from any thread; does not block."""


@contextmanager
def open_services(
    settings: Settings,
    *,
    alone: bool = False,
    drive: SignalDriver | None = None,
    worker: int = 1,
    key: bytes | None = None,
    answer: float = ANSWER,
    clock: Callable[[], datetime] = now,
    new_id: Callable[[], UUID] = uuid4,
    shuffle: Callable[[Sequence[Card]], tuple[Card, ...]] = shuffled,
    **manner: Unpack[OpenMode],
) -> Iterator[Services]:
    """Open all services for as long as the context lasts.

    ``alone``: the caller holds the lock of the data folder, and no other process writes. ``drive``: another process projects, from the
    start of the projector to its end. ``worker``: the number of this process among several that serve together. ``key``: the key with which
    they seal snapshots, if it is not to be looked up. ``answer``: seconds to wait for a reply of a database server where a caller waits for
    what is read. ``look``: read only; create nothing.
    """
    preload_codecs()
    look = manner.get("look", False)
    urls = settings.journal_url, settings.projections_url, settings.log_format
    with (
        open_event_store(settings, answer=answer, **manner) as events,
        closing(open_projections(settings.projections_url, answer, create=not look)) as store,
        nullcontext(key or snapshot_key(settings, create=not look)) as key,
        closing(Journal(events, clock, alone=alone, snapshot_key=key, keeps_up=worker == 1)) as journal,
        closing(ExportProcess(ExportWork(*urls))) as exports,
        closing(ReaderProcess(ReadingWork(*urls, snapshot_key=key))) as readers,
    ):
        if drive is not None:
            events.on_news(drive.notify_recorded)
        yield Services(
            journal=journal,
            rulesets=RULESETS,
            store=store,
            projector=Projector(
                PROJECTIONS, store, journal.feed, journal.head, events.wait_for, epoch=lambda: events.epoch.id, drive=drive
            ),
            registers=events,
            clock=clock,
            new_id=new_id,
            new_salt=new_salt,
            shuffle=shuffle,
            editions=EDITIONS,
            exports=exports,
            readers=readers,
            limits=limits_of(settings),
            time_zone=settings.time_zone,
            fast_path=settings.fast_path,
            origins=settings.cors_origins,
            pools=lambda: pools_of(events, store),
            webhook_networks=settings.webhook_networks,
            public_url=settings.public_url,
            network_hosts=partial(list_network_hosts, settings.host),
            worker=worker,
        )


@contextmanager
def start_projecting_process(settings: Settings) -> Iterator[ProcessDriver]:
    """Start a process that projects; it comes up while the server does."""
    work = Work(settings.journal_url, settings.projections_url, uuid4().hex[:12], settings.log_format)
    with closing(ProcessDriver(work)) as drive:
        drive.start_early()
        yield drive


def check_epoch(services: Services, settings: Settings, *, accept_older_copy: bool = False) -> None:
    """Check before the first write that the journal is the known one, and begin an epoch if it is a copy.

    Raises ``Failure`` if the projections know events that are gone, or if the store was transferred, unless ``accept_older_copy`` is set.
    """
    store, lost = services.journal.store, services.projector.last_lost()
    left = store.epochs()[-1].left_for is not None
    if not accept_older_copy:
        require_present(settings, store)
    if lost and not accept_older_copy:
        raise older_copy(settings.store, lost, store.head())
    before = store.epoch.number
    store.check_epoch()
    if (lost or left) and store.epoch.number == before:
        store.begin_epoch(None if lost else store.head())


def require_present(settings: Settings, store: EventStore) -> None:
    """Raise ``Failure`` if the store was transferred and continues elsewhere."""
    [*_, present] = store.epochs()
    if present.left_for is not None:
        raise Failure(say("store_left", store=settings.store, to=present.left_for), say("store_left_there"), say("store_left_accept"))


def _read_projected_sequence(settings: Settings) -> int:
    """Return the newest sequence that projections were filled with; 0 if there are none."""
    if settings.embedded and not settings.projections_file.exists():
        return 0
    with closing(open_projections(settings.projections_url)) as store, store.snapshot() as reads:
        return max((checkpoint.position for checkpoint in checkpoints(reads).values()), default=0)
