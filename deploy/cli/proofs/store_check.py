"""The store of one's own against everything that was signed and is at hand."""

from collections.abc import Sequence
from contextlib import closing
from typing import NamedTuple, TypeAlias
from uuid import UUID

import msgspec
from msgspec import Struct

from deploy.cli.proofs.checkpoint_options import Asked, kept_in
from deploy.compose import open_event_store
from deploy.log.keeper.compose import open_tree
from deploy.log.keeper.key_folder import placed
from deploy.log.keeper.named_checkpoints import named_in
from deploy.log.keeper.trusted_checkpoints import Unusable, own_checkpoints
from deploy.log.keeper.typed_roots import Mark, Root, look_for
from deploy.log.keeper.verification import Held, Kept, hold, hold_named, hold_streams, without_checkpoint
from deploy.settings import Settings
from domain.journal.log.own import FORKED
from domain.journal.log.register import LogEpoch, LogRegister
from domain.journal.store import EventStore
from replay.proof.checkpoints import read_checkpoint
from replay.proof.exact import Unproven
from replay.proof.log import LogTree


class Compared(Struct, frozen=True):
    """What somebody typed, and what it is; ``None``: neither a root nor a mark of this store."""

    said: str
    found: Root | Mark | None


class Past(NamedTuple):
    """Since when a log goes on, and what it was forked from: how many entries were signed of that one, and how many are the same; ``None``
    where nobody knows.
    """

    began_at: str
    before: str | None = None
    signed: int | None = None
    common: int | None = None


class _Fork(Struct, frozen=True):
    before: str | None = None
    common: int | None = None


class _Forked(Struct, frozen=True):
    """What the first entry of a log that was forked says (``deploy/log/keeper/epochs.py``)."""

    body: _Fork


class Holdings(Struct, frozen=True):
    """``whole``: of the whole store, else of some streams. ``origin``: the present log. ``past``: of each log, the oldest first.

    ``unusable``: what should have told what was signed.
    """

    whole: bool
    origin: str
    held: tuple[Held, ...]
    said: tuple[Compared, ...]
    past: tuple[Past, ...]
    unusable: tuple[Unusable, ...] = ()

    @property
    def is_sound(self) -> bool:
        return not self.unusable and all(one.verdict == "sound" for one in self.held) and all(one.found for one in self.said)


Streams: TypeAlias = Sequence[UUID]


def held_here(settings: Settings, asked: Asked, streams: Streams | None = None, *, look: bool = False) -> Holdings | None:
    """``None`` where no log was ever begun and none is asked for. ``streams``: these alone. ``look``: nothing in the store is changed.

    Raises ``Failure`` for a checkpoint that cannot be read or was not signed, and what the store raises.
    """
    with open_event_store(settings, create=False, look=look) as events, closing(open_tree(settings)) as tree:
        epochs = events.log_epochs()
        own, unusable = own_checkpoints(placed(settings, events), events, tree)
        kept, named = [*own, *kept_in(asked, events)], list(named_in(events, streams))
        if not epochs and not kept and not named and not asked.said and not unusable:
            return None
        held = list(hold(events, tree, kept + named)) if streams is None else _of_streams(events, tree, kept, named, streams)
        found = look_for(events, dict(asked.said)) if asked.said else {}
        if epochs and not kept and not any(isinstance(one, Root) for one in found.values()):
            held.append(without_checkpoint(epochs[-1].origin))
        compared = tuple(Compared(text, found.get(text)) for text, _ in asked.said)
        past = tuple(_past(events, epoch) for epoch in epochs)
        return Holdings(streams is None, epochs[-1].origin if epochs else "", tuple(held), compared, past, tuple(unusable))


def _of_streams(events: EventStore, tree: LogTree, kept: list[Kept], named: list[Kept], streams: Streams) -> list[Held]:
    """Quick, by the tree that lies here."""
    by_tree = (hold_named(events, tree, one) for one in named)
    return [*(hold_streams(events, tree, one, streams) for one in kept), *(one for one in by_tree if one is not None)]


def _past(register: LogRegister, epoch: LogEpoch) -> Past:
    forked = next((own.state for own in register.own_entries(epoch.number) if own.name == FORKED), None)
    try:
        body = msgspec.json.decode(forked, type=_Forked).body if forked else _Fork()
        before = read_checkpoint(body.before) if body.before is not None else None
    except (ValueError, Unproven):  # somebody damaged the entry: that the tree comes to another root is told by itself
        before = None
    return Past(epoch.began_at) if before is None else Past(epoch.began_at, before.origin, before.size, body.common)
