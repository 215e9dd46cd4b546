"""Verification of the store against signed tree heads: recomputes roots and reports the events that differ."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from typing import Literal, TypeAlias
from uuid import UUID

from msgspec import Struct

from deploy.log.writer.differences import Difference, differences, read_signed_marks, stream_differences, stream_leaves
from deploy.log.writer.log_rebuild import compute_marks
from domain.journal.log import LogEpoch
from domain.journal.store import EventStore
from replay.audit_result import Verdict
from replay.proof.checkpoints import Checkpoint
from replay.proof.log import LogTree, mark_at
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
