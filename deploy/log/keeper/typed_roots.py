"""What people compare: a root or a mark that somebody wrote down as words or digits, looked for in everything that is stored."""

from collections.abc import Mapping
from uuid import UUID

from msgspec import Struct

from deploy.log.keeper.recomputation import marked
from domain.journal.log.register import LogEpoch
from domain.journal.store import EventStore
from replay.proof.tree import Growing
from replay.proof.words import has_bits


class Root(Struct, frozen=True, tag="root"):
    """Of the first ``size`` entries of a log."""

    origin: str
    size: int


class Mark(Struct, frozen=True, tag="mark"):
    """Of an event, as a log has it."""

    origin: str
    stream: UUID
    position: int


def look_for(events: EventStore, said: Mapping[str, int]) -> dict[str, Root | Mark]:
    """What was said, as ``bits_said`` reads it, and what of it is a root or a mark of the events as they are stored; the newest log first.
    What is neither is not among the answers.
    """
    found: dict[str, Root | Mark] = {}
    for epoch in reversed(events.log_epochs()):
        found = _in(events, epoch, {text: bits for text, bits in said.items() if text not in found}) | found
    return found


def _in(events: EventStore, epoch: LogEpoch, said: Mapping[str, int]) -> dict[str, Root | Mark]:
    found: dict[str, Root | Mark] = {}
    growing = Growing()
    for event, mark in marked(events, epoch):
        if len(found) == len(said):
            break
        growing.add(mark)
        root = growing.root
        for text, bits in said.items():
            if has_bits(mark, bits):
                found[text] = Mark(epoch.origin, event.stream, event.position)
            elif has_bits(root, bits):
                found[text] = Root(epoch.origin, growing.size)
    return found
