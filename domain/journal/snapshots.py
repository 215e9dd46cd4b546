"""Snapshots of games, kept beside the events every so many positions so that a long game need not be folded from its beginning; and
adapters of the eventsourcing library that reads both.

A snapshot is never the truth. It counts only if this very program wrote it, if it carries the seal of a key that is not in the database, if
it can be read, and if the event at its position is still the one it was made after. Through the links between the events that one event
vouches for all before it. Other snapshots are ignored, and replaced the next time the events are folded.

docs/decisions/0007-snapshots.md and 0016-links-and-keys.md give the reasons.
"""

import hmac
import logging
import zlib
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from datetime import datetime
from hashlib import sha256
from pathlib import Path
from typing import Annotated, Any, NamedTuple
from uuid import UUID

import msgspec
from eventsourcing import persistence
from eventsourcing.persistence import ApplicationRecorder, IntegrityError, JSONTranscoder, Mapper, Notification, Subscription
from msgspec import Meta, Struct
from msgspec.structs import replace

import domain
from domain.events import Recorded, digest
from domain.game import Game
from domain.journal.commits import Conflict, StoredEvent, from_stored
from domain.journal.store import EventStore, SnapshotRow

EVERY = 64
"""Events from one snapshot to the next: folding them takes about a millisecond."""

KEY_LENGTH = 32
"""Least length of the key by which snapshots are sealed, in bytes."""

_LOG = logging.getLogger("kiebitz.journal")
_DECODER = msgspec.json.Decoder(Game)

END = 2**31 - 1
"""The highest position that a column can hold."""


def _form() -> str:
    """Return a digest of the source by which events are read and folded, and of this module: all that a snapshot depends on besides events.

    A version number raised by hand could be forgotten; then wrong tables would be shown and nobody would notice.
    """
    folder = Path(domain.__file__).parent
    rooms = (folder, folder / "events")
    sources = [*(path for room in rooms for path in sorted(room.glob("*.py"))), Path(__file__)]
    parts = [f"{path.relative_to(folder)}\n".encode() + path.read_bytes() for path in sources]
    return sha256(b"\0".join(parts)).hexdigest()[:16]


FORM = _form()


class Snapshot(NamedTuple):
    """A game in the place of the events up to its position, as eventsourcing's repository expects it."""

    game: Game

    @property
    def originator_version(self) -> int:
        return self.game.position


class Span(NamedTuple):
    """The events after one position, up to another, and the earliest moment at which one of them was recorded."""

    after: int
    upto: int
    earliest: datetime


class Snapshots:
    """Reads and writes snapshots. Thread-safe. A thread of its own writes them, so that neither commands nor reads wait for it.

    ``key``: only snapshots that were sealed with it count.
    """

    def __init__(self, store: EventStore, key: bytes, form: str = FORM) -> None:
        self._store = store
        self._key = key
        self._form = form
        self._warned = False
        self._thread = ThreadPoolExecutor(1, "journal-snapshots")

    def close(self) -> None:
        """Write what waits, while the store is still open."""
        self._thread.shutdown()

    def last(self, id: UUID, after: int = 0, upto: int = END) -> Game | None:
        """Return the newest valid snapshot after one position, up to another."""
        while upto // EVERY > after // EVERY:
            found = self._store.select_snapshots(id, self._form, after, upto, 1)
            if not found:
                return None
            [(row, last)] = found
            game = decode_snapshot(row.state, last) if self._counts(row, last) else None
            if game is not None and (game.id, game.position) == (id, row.position):
                return game
            upto = row.position - 1  # tampered with or unreadable: the one before it may do
        return None

    def spans(self, id: UUID) -> list[Span]:
        """Return the spans of events that end at a snapshot, each with its earliest moment. Events after the last snapshot are in none."""
        return [
            Span(row.position - EVERY, row.position, datetime.fromisoformat(row.earliest))
            for row, last in self._store.select_snapshots(id, self._form)
            if row.earliest is not None and self._counts(row, last)
        ]

    def _counts(self, row: SnapshotRow, last: bytes) -> bool:
        # in constant time: the duration of a comparison must not reveal a seal
        if row.seal is None or not hmac.compare_digest(row.seal.encode(), self._sign_state(row).encode()):
            self._warn(row)
            return False
        # the seal says who made it, the link that it was made after this very event
        return digest(last) == row.link

    def _sign_state(self, row: SnapshotRow) -> str:
        """Return HMAC-SHA-256 in hexadecimal of all that a snapshot says and of its place."""
        place = f"{row.game}\n{row.position}\n{row.form}\n{row.link}\n{row.earliest or ''}\n"
        return hmac.new(self._key, place.encode(errors="surrogatepass") + row.state, "sha256").hexdigest()

    def _warn(self, row: SnapshotRow) -> None:
        """Warn once: after the key was lost every snapshot fails."""
        if not self._warned:
            self._warned = True
            _LOG.warning(
                "the snapshot of game %s at position %s is not sealed by this service's key: it is not used, nor are others like it, "
                "and the events are folded instead. If nobody changed the key, see what `kiebitz audit` says of it",
                row.game,
                row.position,
            )

    def keep(self, games: Sequence[Game]) -> None:
        """Write the games soon, in the thread. If the process ends before that, they are written when the game is folded again."""
        if games:
            with suppress(RuntimeError):  # a command that was recorded while the journal was being closed
                self._thread.submit(self._write, games)

    def get(self, originator_id: UUID, **_: Any) -> Iterator[Snapshot]:
        """Return the newest snapshot, if any, for eventsourcing's repository."""
        game = self.last(originator_id)
        return iter(() if game is None else (Snapshot(game),))

    def _write(self, games: Sequence[Game]) -> None:
        try:
            self._store.keep_snapshots([self._row(game) for game in games])
        except Exception:  # In a thread nobody could catch it, and without a snapshot only time is lost.
            _LOG.exception("snapshots of game %s were not written", games[0].id)

    def _row(self, game: Game) -> SnapshotRow:
        earliest = self._first_recorded_at(game)
        written = earliest.isoformat() if earliest else None
        row = SnapshotRow(game.id, game.position, self._form, digest(game.last), written, encode_snapshot(game), None)
        return row._replace(seal=self._sign_state(row))

    def _first_recorded_at(self, game: Game) -> datetime | None:
        events = self._store.select_events(game.id, game.position - EVERY, game.position)
        return min((moment for event in events if (moment := _recorded_at(event.state)) is not None), default=None)


def encode_snapshot(game: Game) -> bytes:
    """Return a game as it is kept, without the stored bytes of its last event, which lie in the store anyway."""
    return zlib.compress(msgspec.json.encode(replace(game, last=b"")))


def decode_snapshot(state: bytes, last: bytes) -> Game | None:
    """Return the game of a snapshot, with the bytes of its last event; ``None`` if it cannot be read."""
    try:
        return replace(_DECODER.decode(zlib.decompress(state)), last=last)
    except Exception:  # Any error: the game can always be folded from its events.
        return None


def read_snapshots(store: EventStore, game: UUID) -> dict[int, Game | None]:
    """Return the games in the present snapshots by their positions, whether they count or not; ``None`` for an unreadable one."""
    return {row.position: decode_snapshot(row.state, last) for row, last in store.select_snapshots(game, FORM)}


class _RecordedAt(Struct):
    at: Annotated[datetime, Meta(tz=True)]


_MOMENT = msgspec.json.Decoder(_RecordedAt)


def _recorded_at(state: bytes) -> datetime | None:
    """Return the time of recording; ``None`` for an event that cannot be read."""
    try:
        return _MOMENT.decode(state).at
    except Exception:  # Any error on damaged bytes, as in the codec.
        return None


# Adapters for the eventsourcing library: its mapper and recorder, on top of the journal's codec and store.


class EventMapper(Mapper[UUID]):
    """Replaces the library's mapper: msgspec reads and writes the bytes, upcasts run before a Struct is built."""

    def __init__(self) -> None:
        super().__init__(JSONTranscoder())

    def to_stored_event(self, domain_event: Any) -> persistence.StoredEvent:
        recorded: Recorded = domain_event
        return persistence.StoredEvent(recorded.stream, recorded.position, recorded.name, recorded.state)

    def to_domain_event(self, stored_event: persistence.StoredEvent) -> Any:
        return from_stored(_convert_event(stored_event))


class StoreRecorder(ApplicationRecorder):
    """The library's recorder on top of a store."""

    def __init__(self, store: EventStore) -> None:
        self._store = store

    def insert_events(self, stored_events: Sequence[persistence.StoredEvent], **_: Any) -> Sequence[int]:
        try:
            return self._store.insert_events([_convert_event(event) for event in stored_events])
        except Conflict as error:
            # the error that the library expects for a position that is taken
            raise IntegrityError(*error.args) from error

    def select_events(
        self, originator_id: UUID | str, *, gt: int | None = None, lte: int | None = None, desc: bool = False, limit: int | None = None
    ) -> list[persistence.StoredEvent]:
        found = self._store.select_events(_id(originator_id), gt or 0, lte, None if desc else limit)
        events = [persistence.StoredEvent(event.stream, event.position, event.name, event.state) for event in found]
        return events[::-1][:limit] if desc else events

    def select_notifications(
        self, start: int | None, limit: int, stop: int | None = None, topics: Sequence[str] = (), *, inclusive_of_start: bool = True
    ) -> list[Notification]:
        # The library counts from ``start`` on, the store after a sequence.
        after = (start or 0) - (1 if inclusive_of_start and start else 0)
        rows = self._store.events_after(after, limit, upto=stop, names=topics or None)
        return [Notification(event.stream, event.position, event.name, event.state, sequence) for sequence, event in rows]

    def max_notification_id(self) -> int | None:
        return self._store.head() or None

    def subscribe(self, gt: int | None = None, topics: Sequence[str] = ()) -> Subscription[ApplicationRecorder]:
        raise NotImplementedError("followers wait with the store's wait_for")


def _convert_event(event: persistence.StoredEvent) -> StoredEvent:
    return StoredEvent(_id(event.originator_id), event.originator_version, event.topic, event.state)


def _id(given: UUID | str) -> UUID:
    return given if isinstance(given, UUID) else UUID(given)
