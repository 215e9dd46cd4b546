"""Proof files out of recorded events, and what a view is told in them. Who may have one, and of which view, is the caller's to decide.

What a view is told is the same whatever is open, void or dark when somebody asks. It is signed once and held against the record years
later, so it may change only with ``EDITION``, and then the older way is kept: ``tests/golden/told`` has every kind
of event of every game, as each view was told it.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import datetime
from typing import TypeAlias

import msgspec
from msgspec import UNSET, Struct, UnsetType

from domain.events import Event, Recorded
from domain.sight import Viewer, Who
from replay.past import GamePast, GameStep
from replay.proof.exact import to_base64
from replay.proof.files import FULL, Earlier, ProofFile, ShownEvent
from replay.proof.marks import ZEROS, commitment_of, salt_of
from replay.timeline import redacted

Blinding: TypeAlias = Callable[[int], bytes]
"""The key that blinds the event at a position of the stream."""


class Place(Struct, frozen=True):
    """Where the last event of a file lies in the log, and what leads from it to a checkpoint."""

    checkpoint: str
    leaf: int
    path: Sequence[bytes]
    earlier: tuple[str, Sequence[bytes]] | None = None


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


def record_of(history: Sequence[Recorded], blinding: Blinding, place: Place, prev: bytes = ZEROS) -> ProofFile:
    """The stored events. ``prev``: the mark of the event before the first of them. Raises ``UnicodeDecodeError`` for damaged bytes."""
    return _file(history[0], FULL, [_opened(recorded, blinding) for recorded in history], place, prev)


def view_of(steps: Iterable[GameStep], view: str, who: Who, is_open: Callable[[int], bool], blinding: Blinding, place: Place) -> ProofFile:
    """What a view is told from position 1 on, without a receipt: what everybody may see by now as it is stored."""
    told, open_before, events = list(steps), True, list[ShownEvent]()
    for step in told:
        open_now = is_open(step.recorded.position)
        # Stored bytes hold the digest of the event before them, from which a hidden card could be found by trying.
        whole = open_now and open_before and _tells_all(step, who)
        events.append(_opened(step.recorded, blinding) if whole else _kept_back(step, who, blinding))
        open_before = open_now
    return _file(told[0].recorded, view, events, place, ZEROS)


def _tells_all(step: GameStep, who: Who) -> bool:
    """Not where the event refers to words of people: viewers are told neither them nor their digest, whatever is open."""
    event = step.recorded.event
    return redacted(Viewer(who, open=True), (step.before or step.after).table, event) == event


def _opened(recorded: Recorded, blinding: Blinding) -> ShownEvent:
    salt = salt_of(blinding(recorded.position), recorded.stream, recorded.position)
    return ShownEvent(name=recorded.name, bytes=recorded.state.decode(), salt=to_base64(salt))


def _kept_back(step: GameStep, who: Who, blinding: Blinding) -> ShownEvent:
    recorded = step.recorded
    commitment = commitment_of(blinding(recorded.position), recorded.stream, recorded.position, recorded.name, recorded.state)
    return ShownEvent(name=recorded.name, bytes=told_of(step, who).decode(), commitment=to_base64(commitment))


def _file(first: Recorded, view: str, events: Sequence[ShownEvent], place: Place, prev: bytes) -> ProofFile:
    earlier = place.earlier and Earlier(place.earlier[0], tuple(map(to_base64, place.earlier[1])))
    return ProofFile(
        format="kiebitz-proof/1",
        checkpoint=place.checkpoint,
        stream=str(first.stream),
        view=view,
        first=first.position,
        prev=to_base64(prev),
        events=tuple(events),
        leaf=place.leaf,
        path=tuple(map(to_base64, place.path)),
        earlier=earlier or UNSET,
    )
