"""The history that a record tells: the stored events of a full record, or those of a simple one, played anew."""

from datetime import UTC, datetime
from typing import Any
from uuid import UUID

from domain import codec
from domain.events import Recorded, Stamp, digest
from domain.rules import Rulesets
from replay.record import events_of, parse, stored_event

NEVER = datetime(1, 1, 1, tzinfo=UTC)
"""When the events of a simple record were recorded: nobody knows."""


def history_of(read: Any, rulesets: Rulesets) -> list[Recorded]:
    """From the decoded JSON. Raises ``Malformed``, and ``Refusal`` for a simple record that its rulebook refuses."""
    record = parse(read)
    if isinstance(read, dict) and "events" in read:
        return [stored_event(position, event) for position, event in enumerate(read["events"], 1)]
    history: list[Recorded] = []
    for position, event in enumerate(events_of(record, rulesets), 1):
        link = digest(history[-1].state) if history else None
        history.append(codec.record(UUID(int=0), position, link, Stamp(NEVER, ""), event))
    return history
