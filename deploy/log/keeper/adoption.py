"""How a log goes on where its store was moved: the same events and the same keys in another place, and nobody who signs in the old one."""

from deploy.failures import Failure
from deploy.language import say
from deploy.log.keeper.key_files import log_files, signed_file, signer_at
from deploy.log.keeper.recomputation import marks
from deploy.log.keeper.verification import roots_at
from deploy.settings import Settings
from domain.journal.log.register import LogEpoch
from domain.journal.store import EventStore


def require_moved(settings: Settings, events: EventStore) -> LogEpoch:
    """The log, if this store may go on with it. Raises ``Failure``, which says what is missing; OSError and ``Unproven`` for what was
    signed last.

    ``settings``: as ``placed`` answers them.
    """
    epoch, files = events.log_epochs()[-1], log_files(settings)
    if epoch.store == events.epochs()[-1].id:
        raise Failure(say("log_adopt_not_moved", origin=epoch.origin))
    if signer_at(files.key, epoch) is None:
        raise Failure(say("log_key_elsewhere", origin=epoch.origin, file=files.key), say("log_adopt_bring"))
    signed = signed_file(settings).checkpoint()
    if signed is None or signed.origin != epoch.origin:
        raise Failure(say("log_adopt_unsigned", origin=epoch.origin, file=files.signed), say("log_adopt_bring"))
    entries, roots = roots_at(marks(events, epoch), {signed.size})
    if signed.root != roots.get(signed.size):
        raise Failure(say("log_adopt_differs", signed=signed.size, entries=entries), say("log_adopt_lost"))
    return epoch


def adopt(events: EventStore, epoch: LogEpoch) -> None:
    """The log follows this store from now on. Its keeper holds the tree against what was signed before it signs anything."""
    events.follow_store(epoch.number, events.epochs()[-1].id)
