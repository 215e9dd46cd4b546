"""Signed tree heads that the log must contain: the newest signed here, those given by the user, and those that closed rounds name."""

from collections.abc import Iterable, Iterator, Sequence
from functools import cache, partial
from typing import NamedTuple
from uuid import UUID

from msgspec import UNSET

from api.common.audits import list_events_of_kinds
from deploy.config.failures import system_problem
from deploy.config.settings import Settings
from deploy.log.writer.key_files import log_files, open_signed_file
from deploy.log.writer.verification import ClosedRound, TrustedCheckpoint
from deploy.system.language import say
from domain.events import NAMES, Recorded
from domain.events.tournament import NamedCheckpoint, RoundClosed, TournamentAnnounced
from domain.journal.commits import from_stored
from domain.journal.feed import in_all_versions
from domain.journal.log import LogRegister
from domain.journal.store import EventStore
from domain.texts import Saying
from replay.proof.checkpoints import Checkpoint, VerifierKey, checkpoint_of, read_checkpoint, read_key, verify_witnessed
from replay.proof.exact import VerificationError
from replay.proof.log import LogTree
from replay.proof.making import receipt_key_name

_CLOSED = in_all_versions([NAMES[RoundClosed]])


class InvalidSource(NamedTuple):
    """A source of signed checkpoints that cannot be used: a file, the tree, or a row of the register."""

    source: str
    problem: Saying


def read_own_checkpoints(settings: Settings, register: LogRegister, tree: LogTree) -> tuple[list[TrustedCheckpoint], list[InvalidSource]]:
    """Return the newest signed checkpoint, and the sources that are unusable.

    It comes from the file beside the key, else from the tree as it was published. If one source is of another log, or signed by an unknown
    key, the other one is still read.
    """
    found, unusable = (
        list[TrustedCheckpoint](),
        [InvalidSource("log_keys", say("log_foreign_key", key=key)) for key in _foreign_keys(register)],
    )
    for source, place, read in (
        ("log.signed", log_files(settings).signed, open_signed_file(settings).note),
        ("log.db", "log.db", partial(_read_published, tree)),
    ):
        try:
            note = read()
            one = _own(source, note, register) if note is not None else None
        except (OSError, VerificationError) as error:
            problem = system_problem(error.errno) if isinstance(error, OSError) else _reason_not_own(error)
            unusable.append(InvalidSource(source, say("log_signed_damaged", file=place, problem=problem)))
            continue
        if one is not None and one.checkpoint not in [other.checkpoint for other in found]:
            found.append(one)
        if one is not None and not _is_foreign(one.checkpoint, register):
            break
    return found, unusable


def _read_published(tree: LogTree) -> str | None:
    head = tree.head()
    return head.note if head is not None else None


def _own(source: str, note: str, register: LogRegister) -> TrustedCheckpoint:
    """Return the checkpoint of a note. Raises ``VerificationError``."""
    checkpoint = read_checkpoint(note)
    return TrustedCheckpoint(source, checkpoint) if _is_foreign(checkpoint, register) else read_trusted(source, note, _keys(register))


def read_trusted(source: str, note: str, keys: Sequence[VerifierKey]) -> TrustedCheckpoint:
    """Return a checkpoint signed by these keys; every witness among them has to have signed. Raises ``VerificationError``."""
    return TrustedCheckpoint(source, verify_witnessed(note, keys)[0])


def read_trusted_by_store_keys(source: str, note: str, keys: Sequence[VerifierKey], register: LogRegister) -> TrustedCheckpoint:
    """Return a checkpoint signed by the given keys or, if there are none, by the keys that the store knows. Raises
    ``VerificationError``.
    """
    return read_trusted(source, note, keys or _keys(register))


def reason_for(unproven: VerificationError) -> Saying:
    return say(f"verify.{unproven.fault}", where=unproven.where)


def _reason_not_own(unproven: VerificationError) -> Saying:
    return say("log_signed_by_others") if unproven.fault == "key_unknown" else reason_for(unproven)


def _keys(register: LogRegister) -> list[VerifierKey]:
    """Return the valid keys of the register; other rows may have been inserted, and sign nothing."""
    return [key for text in register.log_keys() if (key := _key(text)) is not None]


def _foreign_keys(register: LogRegister) -> list[str]:
    """Return rows of the register that are not keys, or keys of no log of this store."""
    origins = [epoch.origin for epoch in register.log_epochs()]
    names = {*origins, *map(receipt_key_name, origins)}
    return [text for text in register.log_keys() if (key := _key(text)) is None or key.name not in names]


def _key(text: str) -> VerifierKey | None:
    try:
        return read_key(text)
    except VerificationError:
        return None


def _is_foreign(checkpoint: Checkpoint, register: LogRegister) -> bool:
    """Return whether a checkpoint is of a log that the store does not know; no key is known for it."""
    return checkpoint.origin not in {epoch.origin for epoch in register.log_epochs()}


def list_named_checkpoints(events: EventStore, streams: Iterable[UUID] | None = None) -> Iterator[TrustedCheckpoint]:
    """Yield the checkpoints that events name, in the whole store or in these streams alone. Raises the store's errors."""

    @cache
    def name_of(stream: UUID) -> str:
        first = next((from_stored(one).event for one in events.select_events(stream, limit=1)), None)
        return first.tournament if isinstance(first, TournamentAnnounced) else str(stream)

    for recorded in _closings(events) if streams is None else _closings_of(events, streams):
        event = recorded.event
        if isinstance(event, RoundClosed) and event.checkpoint is not UNSET:
            yield TrustedCheckpoint(recorded.name, _checkpoint(event.checkpoint), ClosedRound(name_of(recorded.stream), event.round))


def _closings(events: EventStore) -> Iterator[Recorded]:
    return (recorded for _, recorded in list_events_of_kinds(events, RoundClosed))


def _closings_of(events: EventStore, streams: Iterable[UUID]) -> Iterator[Recorded]:
    return (from_stored(one) for stream in streams for one in events.select_events(stream) if one.name in _CLOSED)


def _checkpoint(named: NamedCheckpoint) -> Checkpoint:
    """Return the named checkpoint; if the event was damaged, one with a root that no tree has."""
    return checkpoint_of(named) or Checkpoint(named.origin, 0, b"")
