"""Making of proof files from recorded events, and of the masked views in them. The caller has to decide who may have one, and of which
view.

A view is the same whatever is open, void or dark at the time of the request. It is signed once and compared with the record years later, so
it may change only with ``EDITION``, and then the older way is kept: ``tests/golden/told`` has every kind of event of every game, as it was
shown in each view.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import datetime
from typing import Annotated, Literal, TypeAlias
from uuid import UUID

import msgspec
from msgspec import UNSET, Meta, Struct, UnsetType
from msgspec.structs import replace

from domain.events import Event, Recorded
from domain.sight import Viewer, Who
from replay.game_frames import redacted
from replay.past import GamePast, GameStep
from replay.proof.checkpoints import Signer, VerificationError, from_base64, sign, to_base64
from replay.proof.tree import ZEROS, commitment_of, commitment_to, extend_view_digest, head_of, mark_of, salt_of

FULL = "full"
EDITION = 1
"""The edition of the redaction of views (``replay/proof/making.py``). It rises when a view of the same event would change."""

# Patterns as JSON Schema has them, which knows no \Z; "$" would let a newline pass.
View: TypeAlias = Annotated[str, Meta(pattern=r"^(full|public|seat:(0|[1-9][0-9]{0,2}))(?![\s\S])")]
_Count: TypeAlias = Annotated[int, Meta(ge=0, lt=1 << 53)]
_Place: TypeAlias = Annotated[int, Meta(ge=1, lt=1 << 53)]
_Line: TypeAlias = Annotated[str, Meta(pattern=r"^[^\n]*(?![\s\S])", max_length=200)]


class _Form(Struct, frozen=True, forbid_unknown_fields=True):
    pass


class ProofEvent(_Form, frozen=True, kw_only=True):
    """An event in a file. With its salt ``bytes`` are the stored ones; with its commitment they are those that the view was shown."""

    name: _Line
    bytes: str
    salt: str | UnsetType = UNSET
    commitment: str | UnsetType = UNSET


def _read_commitment(event: ProofEvent, head: bytes, where: str) -> bytes:
    """Return the commitment, computed where the event is opened. Raises ``VerificationError``."""
    if event.salt is not UNSET and event.commitment is UNSET:
        return commitment_to(from_base64(event.salt, where, 16), head, event.bytes.encode())
    if event.commitment is not UNSET and event.salt is UNSET:
        return from_base64(event.commitment, where, 32)
    raise VerificationError("malformed", where)


class FirstCheckpoint(_Form, frozen=True):
    """The first checkpoint behind the last event that was kept, and the path from it to the one of the file: since when it stood."""

    checkpoint: str
    path: tuple[str, ...]


class ProofFile(_Form, frozen=True, kw_only=True):
    format: Literal["kiebitz-proof/1"]
    checkpoint: str
    stream: str
    view: View
    first: _Place
    prev: str
    events: tuple[ProofEvent, ...]
    leaf: _Count
    path: tuple[str, ...]
    edition: _Place | UnsetType = UNSET
    receipt: str | UnsetType = UNSET
    earlier: FirstCheckpoint | UnsetType = UNSET

    @property
    def id(self) -> UUID:
        return UUID(self.stream)

    @property
    def last(self) -> int:
        """The position of the last event."""
        return self.first + len(self.events) - 1

    def heads(self) -> list[bytes]:
        stream = self.id
        return [head_of(stream, position, event.name) for position, event in enumerate(self.events, self.first)]

    def mark(self) -> bytes:
        """Return the mark of the last event, through all events of the file."""
        stream, mark = self.id, from_base64(self.prev, "prev", 32)
        for position, (event, head) in enumerate(zip(self.events, self.heads(), strict=True), self.first):
            mark = mark_of(stream, position, mark, _read_commitment(event, head, f"events[{position - self.first}]"))
        return mark

    def view_digest(self) -> bytes:
        told = ZEROS
        for event, head in zip(self.events, self.heads(), strict=True):
            told = extend_view_digest(told, head, event.bytes.encode(), opened=event.salt is not UNSET)
        return told

    def receipt_text(self, origin: str, nonce: bytes) -> str:
        """Return the text of a receipt over this file: everything that the service showed, for signing."""
        mark, told = to_base64(self.mark()), to_base64(self.view_digest())
        lines = ("kiebitz-told/1", origin, self.stream, self.view, str(self.edition), str(self.last), mark, told, to_base64(nonce))
        return "".join(f"{line}\n" for line in lines)

    def add_receipt(self, origin: str, signer: Signer, nonce: bytes) -> "ProofFile":
        """Return the file of a view, with the receipt of it. ``nonce``: 16 random bytes."""
        edited = replace(self, edition=EDITION)
        return replace(edited, receipt=sign(edited.receipt_text(origin, nonce), signer))

    def as_bytes(self) -> bytes:
        return msgspec.json.encode(self) + b"\n"


def receipt_key_name(origin: str) -> str:
    """Return the name of the key that signs receipts of a log."""
    return f"{origin}/told"


def hashes(path: tuple[str, ...], where: str) -> tuple[bytes, ...]:
    return tuple(from_base64(one, f"{where}[{number}]", 32) for number, one in enumerate(path))


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
