"""Codec for stored events: events to bytes and back, as JSON by msgspec. Small, quick, and readable without this program."""

from collections.abc import Iterable, Mapping
from datetime import datetime
from hashlib import sha256
from typing import Annotated, Any, Generic, TypeAlias, TypeVar
from uuid import UUID

import msgspec
from msgspec import Meta, Struct

from domain.events import NAMES, UPCASTS, Event, Recorded, Stamp, Upcast, digest, upgrade_event
from domain.events.base import Unreadable

EventBody = TypeVar("EventBody")
_Moment: TypeAlias = Annotated[datetime, Meta(tz=True)]


class _Stored(Struct, Generic[EventBody], frozen=True, forbid_unknown_fields=True, omit_defaults=True, gc=False):
    """The JSON object that lies in the store: the stamp, the link and the event's own body."""

    at: _Moment
    by: str
    link: str | None
    body: EventBody
    happened_at: _Moment | None = None


_ENCODER = msgspec.json.Encoder()
_DECODERS = {name: msgspec.json.Decoder(_Stored[kind]) for kind, name in NAMES.items()}
_KINDS = {name: kind for kind, name in NAMES.items()}
_ANY_BODY = msgspec.json.Decoder(_Stored[dict[str, Any]])


def encode_event(game: UUID, position: int, link: str | None, stamp: Stamp, event: Event) -> Recorded:
    """Return the event as it will be stored, with its bytes."""
    state = _ENCODER.encode(_Stored(stamp.at, stamp.by, link, event, stamp.happened_at))
    return Recorded(game, position, NAMES[type(event)], stamp, link, event, state)


def link_events(
    stream: UUID, position: int, last: bytes | None, stamp: Stamp, events: Iterable[Event], *, bound: bool = True
) -> tuple[Recorded, ...]:
    """Return the events as they will be stored after ``position``, each linked to the one before it.

    ``last``: the stored bytes of the event at ``position``, or ``None`` for a new stream. ``bound`` is false for a stream that an older
    version began, without a link: it keeps links that are digests of bytes alone.
    """
    chained: list[Recorded] = []
    for number, event in enumerate(events, position + 1):
        link = expected_link(stream, number, NAMES[type(event)], last, bound=bound)
        chained.append(encode_event(stream, number, link, stamp, event))
        last = chained[-1].state
    return tuple(chained)


def expected_link(stream: UUID, position: int, name: str, before: bytes | None, *, bound: bool) -> str | None:
    """Return the link that an event has to hold. ``before``: the stored bytes of the event before it; ``None`` for the first."""
    if bound:
        return link_of(stream, position, name, before or b"")
    return None if before is None else digest(before)


def link_of(stream: UUID, position: int, name: str, before: bytes) -> str:
    """Return the link of an event: SHA-256 in hexadecimal of stream, position and name, a line each, and of the stored bytes of the event
    before it (none for the first). So an event belongs to its stream, its position, its name and all that came before.
    """
    id = msgspec.to_builtins(stream)  # the same text as str(stream), in a third of the time
    return sha256(f"{id}\n{position}\n{name}\n".encode(errors="surrogatepass") + before).hexdigest()


def decode_event(game: UUID, position: int, name: str, state: bytes, upcasts: Mapping[str, Upcast] = UPCASTS) -> Recorded:
    """Return the stored bytes as an event. Raises nothing: bytes that cannot be read become ``Unreadable`` in their place."""
    decoder = None if name in upcasts else _DECODERS.get(name)
    if decoder is None and name not in upcasts:
        return _unreadable(game, position, name, state, "no event of this name is known")
    try:
        stored = _older(name, state, upcasts) if decoder is None else decoder.decode(state)
    except Exception as error:  # Any error: an upcast may meet a damaged body, and the rest of the history has to stay readable.
        return _unreadable(game, position, name, state, f"{type(error).__name__}: {error}")
    return Recorded(game, position, name, Stamp(stored.at, stored.by, stored.happened_at), stored.link, stored.body, state)


def _older(name: str, state: bytes, upcasts: Mapping[str, Upcast]) -> _Stored[Any]:
    stored = _ANY_BODY.decode(state)
    newest, body = upgrade_event(name, stored.body, upcasts)
    event: Any = msgspec.convert(body, _KINDS[newest])
    return _Stored(stored.at, stored.by, stored.link, event, stored.happened_at)


# The stamp of an event whose own cannot be read: earlier than any that was ever recorded.
_NEVER = Stamp(datetime.fromisoformat("0001-01-01T00:00:00+00:00"), "")


def _unreadable(game: UUID, position: int, name: str, state: bytes, problem: str) -> Recorded:
    return Recorded(game, position, name, _NEVER, None, Unreadable(name, problem), state)
