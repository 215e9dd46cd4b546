"""Making of proof files from recorded events, and of the masked views in them. The caller has to decide who may have one, and of which
view.

A view is the same whatever is open, void or dark at the time of the request. It is signed once and compared with the record years later, so
it may change only with ``EDITION``, and then the older way is kept: ``tests/golden/told`` has every kind of event of every game, as it was
shown in each view.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import datetime
from typing import TypeAlias

import msgspec
from msgspec import UNSET, Struct, UnsetType

from domain.events import Event, Recorded
from domain.sight import Viewer, Who
from replay.game_frames import redacted
from replay.past import GamePast, GameStep
from replay.proof.exact import to_base64
from replay.proof.files import FULL, FirstCheckpoint, ProofEvent, ProofFile
from replay.proof.marks import ZEROS, commitment_of, salt_of

Blinding: TypeAlias = Callable[[int], bytes]
"""Returns the key that blinds the event at a position of the stream."""


class Place(Struct, frozen=True):
    """The place of a file's last event in the log, and the path from it to a signed root."""

    checkpoint: str
    leaf: int
    path: Sequence[bytes]
    earlier: tuple[str, Sequence[bytes]] | None = None


class _ViewEvent(Struct, frozen=True):
    at: datetime
    by: str
    body: Event
    happened_at: datetime | UnsetType = UNSET


_ENCODER = msgspec.json.Encoder()


def viewer_of(view: str) -> Who:
    """Return the viewer of a view ``public`` or ``seat:n``."""
    return int(view.partition(":")[2]) if view.startswith("seat:") else "public"


def redact_step(step: GameStep, who: Who) -> bytes:
    """Return the bytes of the event in this view, by the redaction of ``EDITION`` 1."""
    recorded, before = step.recorded, step.before or step.after
    body = redacted(Viewer(who), before.table, recorded.event)
    if body is None:
        raise ValueError("a viewer who is not in the dark is told something")
    stamp = recorded.stamp
    return _ENCODER.encode(_ViewEvent(stamp.at, stamp.by, body, stamp.happened_at or UNSET))


class Otherwise(Struct, frozen=True):
    """An event that the service showed and signed, and how it should have shown it."""

    position: int
    told: str
    due: str


def find_differences(view: str, told: Sequence[str | None], history: Sequence[Recorded]) -> Iterator[Otherwise]:
    """Yield every event that a view showed otherwise than the record makes it.

    ``told``: the bytes of each event in the file, ``None`` of one that was opened. ``history``: of the game, as far as the view goes.
    """
    who = viewer_of(view)
    steps: Iterator[GameStep] = GamePast(lambda after, limit: history[after : after + limit]).steps(0, len(history))
    for step, shown in zip(steps, told, strict=True):
        due = redact_step(step, who).decode()
        if shown is not None and shown != due:
            yield Otherwise(step.recorded.position, shown, due)


def record_of(history: Sequence[Recorded], blinding: Blinding, place: Place, prev: bytes = ZEROS) -> ProofFile:
    """Return the file of the stored events. ``prev``: the mark of the event before the first of them. Raises ``UnicodeDecodeError`` for
    damaged bytes.
    """
    return _file(history[0], FULL, [_open_event(recorded, blinding) for recorded in history], place, prev)


def view_of(steps: Iterable[GameStep], view: str, who: Who, is_open: Callable[[int], bool], blinding: Blinding, place: Place) -> ProofFile:
    """Return the file of a view from position 1 on, without a receipt: events that everybody may see by now are shown as stored."""
    told, open_before, events = list(steps), True, list[ProofEvent]()
    for step in told:
        open_now = is_open(step.recorded.position)
        # Stored bytes hold the digest of the event before them, from which a hidden card could be found by trying.
        whole = open_now and open_before and _tells_all(step, who)
        events.append(_open_event(step.recorded, blinding) if whole else _hide_event(step, who, blinding))
        open_before = open_now
    return _file(told[0].recorded, view, events, place, ZEROS)


def _tells_all(step: GameStep, who: Who) -> bool:
    """Return whether the viewer may see the whole event. Not if it refers to words of people: viewers get neither them nor their digest,
    whatever is open.
    """
    event = step.recorded.event
    return redacted(Viewer(who, open=True), (step.before or step.after).table, event) == event


def _open_event(recorded: Recorded, blinding: Blinding) -> ProofEvent:
    salt = salt_of(blinding(recorded.position), recorded.stream, recorded.position)
    return ProofEvent(name=recorded.name, bytes=recorded.state.decode(), salt=to_base64(salt))


def _hide_event(step: GameStep, who: Who, blinding: Blinding) -> ProofEvent:
    recorded = step.recorded
    commitment = commitment_of(blinding(recorded.position), recorded.stream, recorded.position, recorded.name, recorded.state)
    return ProofEvent(name=recorded.name, bytes=redact_step(step, who).decode(), commitment=to_base64(commitment))


def _file(first: Recorded, view: str, events: Sequence[ProofEvent], place: Place, prev: bytes) -> ProofFile:
    earlier = place.earlier and FirstCheckpoint(place.earlier[0], tuple(map(to_base64, place.earlier[1])))
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
