"""Verification report of the local store against everything signed, in words and as JSON."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing
from typing import Any, NamedTuple, TypeAlias
from uuid import UUID

import msgspec
from msgspec import Struct

from deploy.cli.proofs.checkpoint_options import CheckpointOptions, read_checkpoint_files
from deploy.compose import open_event_store
from deploy.config.failures import render, say, sentence
from deploy.config.settings import Settings
from deploy.log.writer import verification
from deploy.log.writer.compose import open_tree
from deploy.log.writer.key_files import with_key_folder
from deploy.log.writer.log_rebuild import Difference, Mark, Root, find_typed_roots
from domain.journal.log import FORKED, LogEpoch, LogRegister, stream_of_log
from domain.journal.store import EventStore
from domain.texts import Saying
from replay.audit_result import Verdict
from replay.proof.checkpoints import VerificationError, read_checkpoint
from replay.proof.log import LogTree

_SIGNS: Mapping[Verdict, str] = {"sound": "✓", "divergent": "✗", "not_judged": "?"}
_NAMED = 20  # maximum number of differences that are listed

Streams: TypeAlias = Sequence[UUID]


class Compared(Struct, frozen=True):
    """A typed text and its meaning; ``None``: neither a root nor a mark of this store."""

    said: str
    found: Root | Mark | None


class Past(NamedTuple):
    """Beginning of a log, and the log it was forked from.

    ``signed`` is how many entries were signed of that one, ``common`` how many are the same; ``None`` if unknown.
    """

    began_at: str
    before: str | None = None
    signed: int | None = None
    common: int | None = None


class _Fork(Struct, frozen=True):
    before: str | None = None
    common: int | None = None


class _Forked(Struct, frozen=True):
    """First entry of a forked log (``deploy/log/writer/epochs.py``)."""

    body: _Fork


class StoreCheck(Struct, frozen=True):
    """Results of a verification.

    ``whole``: of the whole store, else of some streams. ``origin``: the present log. ``past``: of each log, oldest first. ``unusable``:
    sources of signed checkpoints that cannot be used.
    """

    whole: bool
    origin: str
    held: tuple[verification.CheckResult, ...]
    said: tuple[Compared, ...]
    past: tuple[Past, ...]
    unusable: tuple[verification.InvalidSource, ...] = ()

    @property
    def is_consistent(self) -> bool:
        return not self.unusable and all(one.verdict == "sound" for one in self.held) and all(one.found for one in self.said)


def check_store(settings: Settings, asked: CheckpointOptions, streams: Streams | None = None, *, look: bool = False) -> StoreCheck | None:
    """Verify the store; ``None`` if no log was ever begun and none is asked for.

    ``streams``: these alone. ``look``: nothing in the store is changed. Raises ``Failure`` for a checkpoint that cannot be read or was not
    signed, and the store's errors.
    """
    with open_event_store(settings, create=False, look=look) as events, closing(open_tree(settings)) as tree:
        epochs = events.log_epochs()
        own, unusable = verification.read_own_checkpoints(with_key_folder(settings, events), events, tree)
        kept, named = [*own, *read_checkpoint_files(asked, events)], list(verification.list_named_checkpoints(events, streams))
        if not epochs and not kept and not named and not asked.said and not unusable:
            return None
        held = (
            list(verification.verify_store(events, tree, kept + named))
            if streams is None
            else _of_streams(events, tree, kept, named, streams)
        )
        found = find_typed_roots(events, dict(asked.said)) if asked.said else {}
        if epochs and not kept and not any(isinstance(one, Root) for one in found.values()):
            held.append(verification.without_checkpoint(epochs[-1].origin))
        compared = tuple(Compared(text, found.get(text)) for text, _ in asked.said)
        past = tuple(_past(events, epoch) for epoch in epochs)
        return StoreCheck(streams is None, epochs[-1].origin if epochs else "", tuple(held), compared, past, tuple(unusable))


def _of_streams(
    events: EventStore,
    tree: LogTree,
    kept: list[verification.TrustedCheckpoint],
    named: list[verification.TrustedCheckpoint],
    streams: Streams,
) -> list[verification.CheckResult]:
    """Verify streams quickly, by the tree that is here."""
    by_tree = (verification.verify_by_tree(events, tree, one) for one in named)
    return [*(verification.verify_streams(events, tree, one, streams) for one in kept), *(one for one in by_tree if one is not None)]


def _past(register: LogRegister, epoch: LogEpoch) -> Past:
    forked = next((own.state for own in register.own_entries(epoch.number) if own.name == FORKED), None)
    try:
        body = msgspec.json.decode(forked, type=_Forked).body if forked else _Fork()
        before = read_checkpoint(body.before) if body.before is not None else None
    except (ValueError, VerificationError):  # the entry was damaged; the root of the tree then differs, which is reported separately
        return Past(epoch.began_at)
    return Past(epoch.began_at) if before is None else Past(epoch.began_at, before.origin, before.size, body.common)


def as_json(holdings: StoreCheck) -> Iterator[str]:
    """Yield an object for each checkpoint, each unusable source, and each typed text."""
    for source, problem in holdings.unusable:
        yield _encode({"kind": "log", "source": source, "verdict": "not_judged", "why": "unusable", "problem": render(problem)})
    for one in holdings.held:
        about = {name: value for name, value in msgspec.to_builtins(one).items() if name != "named" or value}
        yield _encode({"kind": "log", **about})
    for compared in holdings.said:
        yield _encode({"kind": "said", **msgspec.to_builtins(compared)})


def in_words(holdings: StoreCheck, names: Mapping[UUID, str], language: str) -> Iterator[tuple[str, bool]]:
    """Yield paragraphs, each with whether it is good. ``names``: names of streams."""
    for unusable in holdings.unusable:
        yield f"✗ {render(unusable.problem, language)}", False
    for one in (one for one in holdings.held if one.named is None):
        called = {stream_of_log(one.origin): sentence("log_itself", language), **names}
        lines = [_describe_result(one, language, whole=holdings.whole), *_differences(one, called, language)]
        yield "\n    ".join(lines), one.verdict == "sound"
    yield from _of_rounds(holdings, language)
    if holdings.whole and holdings.past:
        yield "\n".join(f"    {line}" for line in _history(holdings.past, language)), True
    for compared in holdings.said:
        yield _describe_comparison(compared, names, language), compared.found is not None


def _of_rounds(holdings: StoreCheck, language: str) -> Iterator[tuple[str, bool]]:
    """Yield the checkpoints that events name: one by one if they are not sound."""
    named = [one for one in holdings.held if one.named is not None]
    wrong = [one for one in named if one.verdict != "sound"]
    for one in wrong:
        yield f"{_SIGNS[one.verdict]} {render(describe_problem(one), language)}", False
    if stand := len(named) - len(wrong):
        yield f"✓ {sentence('log_named_stand', language, count=stand)}", True


def describe_problem(one: verification.CheckResult) -> Saying:
    """Return the problem of a checkpoint that is not sound."""
    about = {"origin": one.origin, "source": one.source, "size": one.size, "entries": one.entries}
    unknown = one.why == "unknown_log"
    if one.named is None:
        return say(_key(one), **about)
    otherwise = "log_named_unjudged" if one.verdict == "not_judged" else "log_named_otherwise"
    return say("log_named_unknown" if unknown else otherwise, **about, round=one.named.round, tournament=one.named.tournament)


def _describe_result(one: verification.CheckResult, language: str, *, whole: bool) -> str:
    key = f"{_key(one)}_streams" if not whole and one.why in ("as_signed", "differs") else _key(one)
    about = {"origin": one.origin, "source": one.source, "size": one.size, "entries": one.entries}
    return f"{_SIGNS[one.verdict]} {sentence(key, language, **about)}"


def _key(one: verification.CheckResult) -> str:
    return "log_differs" if one.verdict == "divergent" and one.why == "no_tree" else f"log_{one.why}"


def _differences(one: verification.CheckResult, names: Mapping[UUID, str], language: str) -> Iterator[str]:
    for difference in one.differences[:_NAMED]:
        place = _place(difference, language)
        yield f"{names.get(difference.stream, difference.stream)}, {place}: {sentence(f'log_way_{difference.way}', language)}"
    if more := len(one.differences[_NAMED:]):
        yield sentence("log_more", language, more=more)
    if one.verdict == "divergent" and one.why == "no_tree":
        yield sentence("log_unnamed", language)


def _place(difference: Difference, language: str) -> str:
    if difference.first == difference.last:
        return sentence("audit_position", language, position=difference.first)
    return sentence("log_positions", language, first=difference.first, last=difference.last)


def _history(past: tuple[Past, ...], language: str) -> Iterator[str]:
    yield sentence("log_taken_up", language, at=past[0].began_at)
    for one in past[1:]:
        key = "log_forked_from" if one.before else "log_forked_from_nothing"
        common = sentence("log_unknown_count", language) if one.common is None else one.common
        yield sentence(key, language, at=one.began_at, before=one.before, signed=one.signed, common=common)


def _describe_comparison(one: Compared, names: Mapping[UUID, str], language: str) -> str:
    if one.found is None:
        return f"✗ {sentence('said_nothing', language, said=one.said)}"
    if isinstance(one.found, Root):
        return f"✓ {sentence('said_root', language, said=one.said, size=one.found.size, origin=one.found.origin)}"
    stream = names.get(one.found.stream, one.found.stream)
    return f"✓ {sentence('said_mark', language, said=one.said, stream=stream, position=one.found.position, origin=one.found.origin)}"


def _encode(found: dict[str, Any]) -> str:
    return msgspec.json.encode(found).decode()
