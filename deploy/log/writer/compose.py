"""Composition of the transparency log: its tree, the process or thread that writes it, and its interface for the API."""

import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from functools import partial
from pathlib import Path
from typing import NamedTuple

from msgspec import Struct

from api.services import Services, StoreLog
from deploy.config.failures import Failure, explain_error, say
from deploy.config.settings import Settings
from deploy.log.writer.epochs import begin_log
from deploy.log.writer.key_files import SignedFile, log_files, read_seed, signer_at, with_key_folder
from deploy.log.writer.witness_client import WitnessClient, standings_of
from deploy.log.writer.writer import PAUSE, LogWriter
from deploy.processes.journal_file import check_journal_of
from deploy.processes.process_driver import ProcessDriver, Watched
from deploy.stores.opening import open_cosignatures, open_events, open_log_tree, open_trusted_checkpoints
from deploy.system.log_lines import LogFormat
from domain.journal.store import EventStore
from projections.engine.driver import ProjectorDriver, ThreadDriver
from replay.proof.log import Head, LogTree
from replay.proof.witnesses import NamedWitness, Standing

LOG_PROCESS = "deploy.log.writer.main"
_PATIENCE = 30.0  # seconds for which entries may stay unsigned


class LogWork(Struct, frozen=True):
    """First message to the log process: the databases, and the files of the key and of what was signed last."""

    journal_url: str
    log_url: str
    key: str
    signed: str
    log_format: LogFormat = "text"
    witnesses: tuple[NamedWitness, ...] = ()


class LogDriver(NamedTuple):
    """Drive of a log writer and the function that starts it, with the settings that ``with_key_folder`` returns."""

    drive: ProjectorDriver
    start: Callable[[Settings], None]

    @contextmanager
    def running(self, settings: Settings) -> Iterator[None]:
        self.start(settings)
        try:
            yield
        finally:
            self.drive.stop()


class SigningStatus:
    """Signing delay, as of the moments at which it is queried. ``newest`` returns the newest sequence of the store."""

    def __init__(self, tree: LogTree, newest: Callable[[], int], clock: Callable[[], float] = time.monotonic) -> None:
        self._tree = tree
        self._newest = newest
        self._clock = clock
        self._behind_since: float | None = None

    def unsigned_seconds(self) -> float:
        """Return for how many seconds entries have been unsigned, since the first query; 0 if all are signed."""
        return self._unsigned_seconds(self._tree.head())

    def _unsigned_seconds(self, head: Head | None) -> float:
        newest = self._newest()
        if newest == 0 or (head is not None and head.sequence >= newest and head.signed == head.size):
            self._behind_since = None
            return 0.0
        now = self._clock()
        self._behind_since = now if self._behind_since is None else self._behind_since
        return now - self._behind_since

    def failure(self) -> str | None:
        """Return the failure that the log writer reports, or that no log writer signs; ``None`` if all is well."""
        head = self._tree.head()
        if head is not None and head.failure is not None:
            return head.failure
        return "Unsigned: nobody signs with the key of the log" if self._unsigned_seconds(head) > _PATIENCE else None


def open_tree(settings: Settings, *, read_only: bool = True) -> LogTree:
    """Open the tree of the log alone, for commands. None is created; a missing one counts as empty. Raises ``Failure``."""
    try:
        return open_log_tree(settings.log_url, read_only=read_only, create=False)
    except Exception as error:
        if (failure := explain_error(error)) is None:
            raise
        raise Failure(say("log_tree_unusable", problem=failure.problem), say("log_tree_advice")) from error


def read_standings(settings: Settings) -> tuple[int, list[Standing]]:
    """Return how many entries are signed, and the standing of each witness, for commands."""
    with closing(open_tree(settings)) as tree, closing(open_cosignatures(settings.log_url, create=False)) as cosignatures:
        head = tree.head()
        return head.signed if head else 0, standings_of(cosignatures, settings.witnesses)


@contextmanager
def open_log_writer(work: LogWork) -> Iterator[LogWriter]:
    """Open a log writer: the journal refuses it every write."""
    check_journal_of(work.journal_url)
    with (
        closing(open_events(work.journal_url, read_only=True)) as events,
        closing(open_log_tree(work.log_url)) as tree,
        _asking(work, tree) as witnesses,
    ):
        yield LogWriter(events, tree, partial(signer_at, Path(work.key)), SignedFile(Path(work.signed)), witnesses=witnesses, gather=PAUSE)


@contextmanager
def _asking(work: LogWork, tree: LogTree) -> Iterator[WitnessClient | None]:
    if not work.witnesses:
        yield None
        return
    with closing(open_cosignatures(work.log_url)) as cosignatures, closing(WitnessClient(tree, cosignatures, work.witnesses)) as asking:
        yield asking


@contextmanager
def log_process(settings: Settings) -> Iterator[LogDriver | None]:
    """Start a process that writes the log and comes up while the server does; yield ``None`` if no log is kept."""
    if settings.log == "off":
        yield None
        return
    with closing(ProcessDriver(_work(settings), LOG_PROCESS, "the process that keeps the log")) as drive:

        def start(at: Settings) -> None:
            drive.work = _work(at)
            drive.start(Watched())

        drive.start_early()
        yield LogDriver(drive, start)


@contextmanager
def log_thread(settings: Settings, events: EventStore) -> Iterator[LogDriver | None]:
    """Write the log in a thread of this process, for a service without other processes; yield ``None`` if no log is kept."""
    if settings.log == "off":
        yield None
        return
    with open_log_writer(_work(with_key_folder(settings, events))) as keeper:
        drive = ThreadDriver(events.wait_for, who="the keeper of the log")
        yield LogDriver(drive, lambda _: drive.start(keeper))


@contextmanager
def open_log(settings: Settings, services: Services, keeping: LogDriver | None = None) -> Iterator[StoreLog | None]:
    """Open the log, which is begun if there is none; yield ``None`` if no log is kept. The service starts and stops ``keeping``.

    Raises ``Failure`` if its keys cannot be used.
    """
    if settings.log == "off":
        yield None
        return
    events = services.journal.store
    settings = with_key_folder(settings, events)
    begin_log(settings, events, services.clock())
    with closing(open_log_tree(settings.log_url)) as tree, _standings(settings) as standings:
        signing = SigningStatus(tree, events.head)
        yield StoreLog(
            register=events,
            tree=tree,
            kept=open_trusted_checkpoints(tree),
            told=partial(read_seed, log_files(settings).told),
            open=settings.log == "open",
            failure=lambda: (keeping.drive.failure if keeping else None) or signing.failure(),
            behind=signing.unsigned_seconds,
            start=lambda: keeping.start(settings) if keeping else None,
            stop=lambda: keeping.drive.stop() if keeping else None,
            standings=standings,
        )


@contextmanager
def _standings(settings: Settings) -> Iterator[Callable[[], list[Standing]]]:
    if not settings.witnesses:
        yield list
        return
    with closing(open_cosignatures(settings.log_url)) as cosignatures:
        yield lambda: standings_of(cosignatures, settings.witnesses)


def _work(settings: Settings) -> LogWork:
    files = log_files(settings)
    return LogWork(settings.journal_url, settings.log_url, str(files.key), str(files.signed), settings.log_format, settings.witnesses)
