"""What a view tells of an event in a proof: the same whatever is open, void or dark when somebody asks.

It is signed once and held against the record years later, so it may change only with ``EDITION``, and then the older way is kept:
``tests/golden/told`` has every kind of event of every game, as each view was told it.
"""

from collections.abc import Iterator, Sequence
from datetime import datetime

import msgspec
from msgspec import UNSET, Struct, UnsetType

from domain.events import Event, Recorded
from domain.sight import Viewer, Who
from replay.past import GamePast, GameStep
from replay.timeline import redacted


class _Told(Struct, frozen=True):
    at: datetime
    by: str
    body: Event
    happened_at: datetime | UnsetType = UNSET


_ENCODER = msgspec.json.Encoder()


def who_of(view: str) -> Who:
    """The viewer of a view ``public`` or ``seat:n``."""
    return int(view.partition(":")[2]) if view.startswith("seat:") else "public"


def told_of(step: GameStep, who: Who) -> bytes:
    """What this view is told of the event, by the redaction of ``EDITION`` 1."""
    recorded, before = step.recorded, step.before or step.after
    body = redacted(Viewer(who), before.table, recorded.event)
    if body is None:
        raise ValueError("a viewer who is not in the dark is told something")
    stamp = recorded.stamp
    return _ENCODER.encode(_Told(stamp.at, stamp.by, body, stamp.happened_at or UNSET))


class Otherwise(Struct, frozen=True):
    """What the service told and signed, and what it should have told."""

    position: int
    told: str
    due: str


def told_otherwise(view: str, told: Sequence[str | None], history: Sequence[Recorded]) -> Iterator[Otherwise]:
    """Every event of which a view was told something else than the record makes of it.

    ``told``: the bytes of each event in the file, ``None`` of one that was opened. ``history``: of the game, as far as the view goes.
    """
    who = who_of(view)
    steps: Iterator[GameStep] = GamePast(lambda after, limit: history[after : after + limit]).steps(0, len(history))
    for step, shown in zip(steps, told, strict=True):
        due = told_of(step, who).decode()
        if shown is not None and shown != due:
            yield Otherwise(step.recorded.position, shown, due)
