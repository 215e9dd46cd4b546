"""Opens the log of a store: its tree, its keeper, and what the API has of it."""

from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from functools import partial
from pathlib import Path
from typing import NamedTuple

from api.services import KeptLog, Services
from deploy.failures import Failure, explained
from deploy.journal_file import check_journal_of
from deploy.language import say
from deploy.log.keeper.epochs import begun
from deploy.log.keeper.key_files import log_files, read_seed, signer_at
from deploy.log.keeper.key_folder import placed
from deploy.log.keeper.process import KEEPING, KeeperWork, Watched
from deploy.log.keeper.signed_file import SignedFile
from deploy.log.keeper.signing_status import Signing
from deploy.log.keeper.witness_client import Asking
from deploy.log.keeper.witness_standings import standings_of
from deploy.log.keeper.writer import PAUSE, Keeper
from deploy.projecting.drive import ProcessDrive
from deploy.settings import Settings
from deploy.stores.opening import kept_beside, open_cosignatures, open_events, open_log_tree
from domain.journal.store import EventStore
from projections.engine.drive import Drive, ThreadDrive
from replay.proof.cosignatures import Standing
from replay.proof.log import LogTree


class Keeping(NamedTuple):
    """What drives a keeper, and how it is started: with the settings as ``placed`` answers them."""

    drive: Drive
    start: Callable[[Settings], None]

    @contextmanager
    def running(self, settings: Settings) -> Iterator[None]:
        self.start(settings)
        try:
            yield
        finally:
            self.drive.stop()


def open_tree(settings: Settings, *, read_only: bool = True) -> LogTree:
    """The tree of the log alone, for commands. None is made; what is not there counts as empty. Raises ``Failure``."""
    try:
        return open_log_tree(settings.log_url, read_only=read_only, create=False)
    except Exception as error:
        if (failure := explained(error)) is None:
            raise
        raise Failure(say("log_tree_unusable", problem=failure.problem), say("log_tree_advice")) from error


def standings_in(settings: Settings) -> tuple[int, list[Standing]]:
    """How many entries are signed, and how it stands with each witness, for commands that look at it."""
    with closing(open_tree(settings)) as tree, closing(open_cosignatures(settings.log_url, create=False)) as cosignatures:
        head = tree.head()
        return head.signed if head else 0, standings_of(cosignatures, settings.witnesses)


@contextmanager
def open_keeper(work: KeeperWork) -> Iterator[Keeper]:
    """For whoever keeps the log: the journal refuses it everything but reading."""
    check_journal_of(work.journal_url)
    with (
        closing(open_events(work.journal_url, read_only=True)) as events,
        closing(open_log_tree(work.log_url)) as tree,
        _asking(work, tree) as witnesses,
    ):
        yield Keeper(events, tree, partial(signer_at, Path(work.key)), SignedFile(Path(work.signed)), witnesses=witnesses, gather=PAUSE)


@contextmanager
def _asking(work: KeeperWork, tree: LogTree) -> Iterator[Asking | None]:
    if not work.witnesses:
        yield None
        return
    with closing(open_cosignatures(work.log_url)) as cosignatures, closing(Asking(tree, cosignatures, work.witnesses)) as asking:
        yield asking


@contextmanager
def keeping_apart(settings: Settings) -> Iterator[Keeping | None]:
    """A process that keeps the log, and comes up while the server does; ``None`` where none is kept."""
    if settings.log == "off":
        yield None
        return
    with closing(ProcessDrive(_work(settings), KEEPING, "the process that keeps the log")) as drive:

        def start(at: Settings) -> None:
            drive.work = _work(at)
            drive.start(Watched())

        drive.warm_up()
        yield Keeping(drive, start)


@contextmanager
def keeping_here(settings: Settings, events: EventStore) -> Iterator[Keeping | None]:
    """The same by a thread of this process, which serves by itself."""
    if settings.log == "off":
        yield None
        return
    with open_keeper(_work(placed(settings, events))) as keeper:
        drive = ThreadDrive(events.wait_for, who="the keeper of the log")
        yield Keeping(drive, lambda _: drive.start(keeper))


@contextmanager
def open_log(settings: Settings, services: Services, keeping: Keeping | None = None) -> Iterator[KeptLog | None]:
    """The log, which is begun where there is none; ``None`` where none is kept. Whoever serves starts and stops ``keeping``.

    Raises ``Failure`` where its keys cannot be used.
    """
    if settings.log == "off":
        yield None
        return
    events = services.journal.store
    settings = placed(settings, events)
    begun(settings, events, services.clock())
    with closing(open_log_tree(settings.log_url)) as tree, _standings(settings) as standings:
        signing = Signing(tree, events.head)
        yield KeptLog(
            register=events,
            tree=tree,
            kept=kept_beside(tree),
            told=partial(read_seed, log_files(settings).told),
            open=settings.log == "open",
            failure=lambda: (keeping.drive.failure if keeping else None) or signing.failure(),
            behind=signing.behind,
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


def _work(settings: Settings) -> KeeperWork:
    files = log_files(settings)
    return KeeperWork(settings.journal_url, settings.log_url, str(files.key), str(files.signed), settings.log_format, settings.witnesses)
