"""Verification of the store against trusted, signed tree heads: recomputes roots and reports the events that differ."""

from collections.abc import Iterable, Iterator, Sequence
from functools import cache, partial
from itertools import groupby
from typing import Literal, NamedTuple, TypeAlias
from uuid import UUID

from msgspec import UNSET, Struct

from deploy.config.failures import say, system_problem
from deploy.config.settings import Settings
from deploy.log.writer.key_files import log_files, open_signed_file
from deploy.log.writer.log_rebuild import Difference, compute_marks, differences, read_signed_marks, stream_differences, stream_leaves
from domain.events import NAMES, Recorded
from domain.events.tournament import NamedCheckpoint, RoundClosed, TournamentAnnounced
from domain.journal.commits import from_stored
from domain.journal.feed import in_all_versions, list_events_of_kinds
from domain.journal.log import LogEpoch, LogRegister
from domain.journal.store import EventStore
from domain.texts import Saying
from replay.audit_result import Verdict
from replay.proof.checkpoints import Checkpoint, VerificationError, VerifierKey, checkpoint_of, read_checkpoint, read_key, verify_witnessed
from replay.proof.log import LogTree, mark_at
from replay.proof.making import receipt_key_name
from replay.proof.tiles import TilesMissing, build_tree_reader
from replay.proof.tree import Growing, inclusion_path, root_of, verify_inclusion

Why: TypeAlias = Literal["as_signed", "differs", "unknown_log", "no_tree", "unsigned", "no_checkpoint"]
"""``unknown_log``: the store does not know the log. ``no_tree``: the tree that would name events is not that of the checkpoint.
``unsigned``: nothing of these streams was signed yet. ``no_checkpoint``: a log is kept, but nothing that it signed is here.
"""


class ClosedRound(Struct, frozen=True):
    """Round whose closing named the checkpoint."""

    tournament: str
    round: int


class TrustedCheckpoint(Struct, frozen=True):
    """A checkpoint and its source. ``named``: in an event, and not signed there."""

    source: str
    checkpoint: Checkpoint
    named: ClosedRound | None = None


class CheckResult(Struct, frozen=True):
    """Result of verifying one checkpoint.

    ``entries``: how many the store has in all or, for single streams, how many of theirs were signed. ``differences``: none if the tree
    cannot name them, and none for a named checkpoint, which is older than the newest signed one.
    """

    source: str
    origin: str
    size: int
    verdict: Verdict
    why: Why
    entries: int = 0
    differences: tuple[Difference, ...] = ()
    named: ClosedRound | None = None


def verify_store(events: EventStore, tree: LogTree, kept: Iterable[TrustedCheckpoint]) -> Iterator[CheckResult]:
    """Verify the whole store: its tree is recomputed from the stored events. Raises the store's errors."""
    epochs = {epoch.origin: epoch for epoch in events.log_epochs()}
    for origin, grouped in groupby(sorted(kept, key=_origin), key=_origin):
        epoch, of_log = epochs.get(origin), list(grouped)
        yield from _compare_all(events, tree, epoch, of_log) if epoch else map(_unknown, of_log)


def verify_streams(events: EventStore, tree: LogTree, kept: TrustedCheckpoint, streams: Sequence[UUID]) -> CheckResult:
    """Verify some streams alone, by their places in the tree: quick, and as reliable as the tree."""
    checkpoint = kept.checkpoint
    epoch = next((epoch for epoch in events.log_epochs() if epoch.origin == checkpoint.origin), None)
    if epoch is None:
        return _unknown(kept)
    head = tree.head()
    if head is None or head.epoch != epoch.number or head.size < checkpoint.size:
        return _make_result(kept, "not_judged", "no_tree")
    found: list[Difference] = []
    signed = 0
    for stream in streams:
        leaves = stream_leaves(tree, stream, checkpoint.size)
        if leaves and not _is_in(tree, leaves[-1].leaf, checkpoint):
            return _make_result(kept, "not_judged", "no_tree")
        found += stream_differences(events, tree, epoch, leaves, checkpoint.size) if leaves else ()
        signed += len(leaves)
    if not signed:
        return _make_result(kept, "not_judged", "unsigned")
    return _make_result(kept, "divergent", "differs", signed, tuple(found)) if found else _make_result(kept, "sound", "as_signed", signed)


def verify_by_tree(events: EventStore, tree: LogTree, kept: TrustedCheckpoint) -> CheckResult | None:
    """Verify by the tree alone: quick, and as reliable as the tree. ``None`` for a log that was forked since, whose tree is not here."""
    origin, size = kept.checkpoint.origin, kept.checkpoint.size
    epoch = next((epoch for epoch in events.log_epochs() if epoch.origin == origin), None)
    if epoch is None:
        return _unknown(kept)
    head = tree.head()
    if head is None or head.epoch != epoch.number:
        return None
    if head.size < size:
        return _make_result(kept, "not_judged", "no_tree")
    try:
        root = root_of(build_tree_reader(tree.tile), 0, size)
    except TilesMissing:
        return _make_result(kept, "not_judged", "no_tree")
    return _make_result(kept, "sound", "as_signed") if root == kept.checkpoint.root else _make_result(kept, "divergent", "no_tree")


def without_checkpoint(origin: str) -> CheckResult:
    """Return the result for a log that is kept while nothing that it signed is at hand: nothing was verified."""
    return CheckResult("log.signed", origin, 0, "not_judged", "no_checkpoint")


def _compare_all(events: EventStore, tree: LogTree, epoch: LogEpoch, kept: Sequence[TrustedCheckpoint]) -> Iterator[CheckResult]:
    sizes = {one.checkpoint.size for one in kept}
    entries, roots = compute_roots(compute_marks(events, epoch), sizes)
    wrong = {one.checkpoint.size for one in kept if roots.get(one.checkpoint.size) != one.checkpoint.root}
    head = tree.head() if wrong else None
    reached = min(max(wrong), head.size) if head and head.epoch == epoch.number else 0
    signed = compute_roots(read_signed_marks(tree, reached), wrong)[1]
    for one in kept:
        size, root = one.checkpoint.size, one.checkpoint.root
        if roots.get(size) == root:
            yield _make_result(one, "sound", "as_signed", entries)
        elif signed.get(size) == root:
            yield _make_result(one, "divergent", "differs", entries, () if one.named else differences(events, tree, epoch, size))
        else:
            yield _make_result(one, "divergent", "no_tree", entries)


def compute_roots(leaves: Iterable[bytes], sizes: set[int]) -> tuple[int, dict[int, bytes]]:
    """Return the number of leaves, and the root at each of these sizes that they reach."""
    growing = Growing()
    roots = {0: growing.root}
    for leaf in leaves:
        growing.add(leaf)
        if growing.size in sizes:
            roots[growing.size] = growing.root
    return growing.size, roots


def _is_in(tree: LogTree, leaf: int, checkpoint: Checkpoint) -> bool:
    try:
        path, mark = inclusion_path(build_tree_reader(tree.tile), leaf, checkpoint.size), mark_at(tree, leaf)
    except TilesMissing:
        return False
    return verify_inclusion(mark, leaf, checkpoint.size, path, checkpoint.root)


def _make_result(kept: TrustedCheckpoint, verdict: Verdict, why: Why, entries: int = 0, found: tuple[Difference, ...] = ()) -> CheckResult:
    return CheckResult(kept.source, kept.checkpoint.origin, kept.checkpoint.size, verdict, why, entries, found, kept.named)


def _unknown(kept: TrustedCheckpoint) -> CheckResult:
    return _make_result(kept, "divergent", "unknown_log")


def _origin(kept: TrustedCheckpoint) -> str:
    return kept.checkpoint.origin


# Signed tree heads that the log must contain: the newest signed here, those given by the user, and those that closed rounds name.


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
