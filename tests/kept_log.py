"""Transparency log with fixed keys for services in tests. It is signed on demand, so that no response depends on timing."""

from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from functools import partial
from itertools import count
from typing import NamedTuple

from api.services import Services, StoreLog
from deploy.config.settings import Settings
from deploy.log.writer.compose import open_log
from deploy.log.writer.key_files import log_files, open_signed_file, signer_at
from deploy.log.writer.writer import LogWriter
from deploy.stores.opening import open_events, open_log_tree
from domain.journal.log import LogEpoch
from replay.proof.checkpoints import Signer

ORIGIN = "club.example/log/1"
LOG_SEED, TOLD_SEED, BLINDING = b"\1" * 32, b"\2" * 32, b"\3" * 32


class Kept(NamedTuple):
    """A log, its writer, and the function that signs."""

    log: StoreLog
    keeper: LogWriter
    sign: Callable[[], None]
    """Signs everything recorded so far."""


def any_time() -> Callable[[], float]:
    """Return a clock with which a checkpoint is due at every step."""
    seconds = count(1_764_000_000, 10)
    return lambda: next(seconds)


@contextmanager
def kept_log(settings: Settings, services: Services, clock: Callable[[], float] | None = None) -> Iterator[Kept]:
    """Open the log, which is begun if there is none. Only ``sign`` writes it."""
    files, store = log_files(settings), services.journal.store
    for file, seed in ((files.key, LOG_SEED), (files.told, TOLD_SEED)):
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(f"{seed.hex()}\n", encoding="utf-8")
    if not store.log_epochs():
        key = str(Signer(ORIGIN, LOG_SEED).key)
        store.begin_log(LogEpoch(1, ORIGIN, key, store.epochs()[-1].id, "2026-11-21T00:00:00Z"), BLINDING)
    with (
        open_log(settings, services) as log,
        closing(open_events(settings.journal_url, read_only=True)) as events,
        closing(open_log_tree(settings.log_url)) as tree,
    ):
        assert log is not None
        keeper = LogWriter(events, tree, partial(signer_at, files.key), open_signed_file(settings), clock or any_time())
        yield Kept(log, keeper, partial(_sign, keeper))


def _sign(keeper: LogWriter) -> None:
    while keeper.step():
        pass
