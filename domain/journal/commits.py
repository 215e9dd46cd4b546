"""Commits: the events, key, texts and refs that one command appends, and the conflicts that can keep them from being stored. Pure: both
stores and the writer work with these values.
"""

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from datetime import datetime
from typing import Any, Generic, TypeAlias
from uuid import UUID

import msgspec
from msgspec import Struct

from domain.cards import Card
from domain.codec import decode_event
from domain.errors import Worded
from domain.events import A, Event, Recorded
from domain.events.base import TextRef
from domain.free_texts import text_digest
from domain.game import Game
from domain.texts import say

# Refs recognise an imported game, so that its file adds nothing when it comes once more; origins say where it comes from.


class Ref(msgspec.Struct, frozen=True):
    """The digest of the content of a record (``replay/content.py``), and its number among equal ones in its file, from 1."""

    digest: str
    copy: int


class ForeignRef(msgspec.Struct, frozen=True):
    """The name of a game's record elsewhere: ``ref`` of a record (COM-66)."""

    system: str
    id: str


AnyRef: TypeAlias = Ref | ForeignRef


class Origin(msgspec.Struct, frozen=True):
    """The origin of an imported game, as its record states it. ``digest`` is that of its content, ``meta`` a JSON object as it came, which
    may hold anything, names too; ``None`` where there was none or it was erased.
    """

    ref: ForeignRef | None
    digest: str
    meta: str | None = None

    def as_record(self, *, with_meta: bool) -> dict[str, Any]:
        """Return the origin in the form of a record."""
        ref = {} if self.ref is None else {"ref": {"system": self.ref.system, "id": self.ref.id}}
        return ref | ({} if self.meta is None or not with_meta else {"meta": msgspec.Raw(self.meta.encode())})


def origin_of(ref: Mapping[str, str] | None, meta: str | None, digest: str) -> Origin | None:
    """Return the origin of a record; ``None`` if the record states none."""
    return None if ref is None and meta is None else Origin(None if ref is None else ForeignRef(ref["system"], ref["id"]), digest, meta)


class Copies:
    """Counts the equal records of a file: two equal games in one file are two games. ``first``: the number of the first of them."""

    def __init__(self, first: int = 1) -> None:
        self._first = first
        self._seen: Counter[str] = Counter()

    def next(self, digest: str) -> Ref:
        ref = Ref(digest, self._first + self._seen[digest])
        self._seen[digest] += 1
        return ref


# Boards that a director prepared: decks that several tables of a round are to play.
#
# The register of boards is the one place that holds such a deck until it is dealt. Reads of it for people never hold a card.


class Board(Struct, frozen=True):
    """A prepared deck. ``number`` is that of the board in its round; the first card is dealt first."""

    tournament: str
    round: int
    number: int
    deck: tuple[Card, ...]


class PreparedBoard(Struct, frozen=True):
    """A prepared board without its deck: its author, the time (RFC 3339 in UTC), and whether any table was dealt it."""

    round: int
    number: int
    prepared_at: str
    prepared_by: str
    dealt: bool


class StoredEvent(msgspec.Struct, frozen=True, gc=False):
    """An event as it lies in a store: the id of its stream, its number there from 1 on, its name with a version, its bytes."""

    stream: UUID
    position: int
    name: str
    state: bytes


# Names of stored events are the events' own, never Python paths.


def to_stored(recorded: Recorded) -> StoredEvent:
    return StoredEvent(recorded.stream, recorded.position, recorded.name, recorded.state)


def from_stored(event: StoredEvent) -> Recorded:
    """Return the stored event, decoded. Raises nothing: unreadable bytes become an ``Unreadable`` event."""
    return decode_event(event.stream, event.position, event.name, event.state)


class CommandKey(msgspec.Struct, frozen=True):
    """The key under which a principal sent a command, and a digest of what was sent with it."""

    principal: str
    key: str
    fingerprint: str


class Text(msgspec.Struct, frozen=True):
    """A free text of a person. Events hold only its id and digest, so that it can be erased. ``salt``: ``None`` for an older text."""

    id: str
    body: str
    salt: bytes | None = None


class Commit(msgspec.Struct, frozen=True):
    """The events and register entries of one command, appended all or nothing. Raises ValueError if there are no events or a stream's
    positions do not follow one another.

    ``ref`` and ``origin`` are those of the game whose first event is the first one here. ``board`` is the one that is dealt here, as it was
    read.
    """

    events: tuple[StoredEvent, ...]
    command: CommandKey | None = None
    texts: tuple[Text, ...] = ()
    ref: Ref | None = None
    board: Board | None = None
    origin: Origin | None = None

    def __post_init__(self) -> None:
        if not self.events:
            raise ValueError("a commit needs an event")
        if len(self.events) == 1 and self.events[0].position >= 1:
            return  # the usual case: there is nothing to check
        expected: dict[UUID, int] = {}
        for event in self.events:
            if event.position < 1 or event.position != expected.get(event.stream, event.position):
                raise ValueError(f"position {event.position} does not follow in {event.stream}")
            expected[event.stream] = event.position + 1

    @property
    def is_plain(self) -> bool:
        """Return whether this is one event and nothing else. Then only another event in its place can keep it from being stored."""
        return len(self.events) == 1 and not (self.command or self.texts or self.ref or self.board or self.origin)

    def bases(self) -> dict[UUID, int]:
        """Return for each stream the position that must be its last before this commit; 0 for a new one."""
        return {event.stream: event.position - 1 for event in reversed(self.events)}

    def span(self) -> tuple[UUID, int, int]:
        """Return the first event's stream, and the first and last of its positions in this commit."""
        first = self.events[0]
        return first.stream, first.position, self.heads()[first.stream]

    def heads(self) -> dict[UUID, int]:
        """Return for each stream its last position after this commit."""
        return {event.stream: event.position for event in self.events}


class StoredCommand(msgspec.Struct, frozen=True):
    """The stored result of a command: positions `first` to `last` of a game, and the sequence of its last event.

    Of a commit with several streams the positions are those of the first event's stream, and the sequence is that of the whole commit. A
    command that changed a register appended no event: its positions are 0, and ``game`` names what it made, if anything. ``fingerprint`` is
    empty if words or names were erased that the request held.
    """

    principal: str
    key: str
    fingerprint: str
    game: UUID
    first: int
    last: int
    sequence: int
    at: str

    @property
    def entry_id(self) -> str:
        """The id of the entry that a command made in a register."""
        return f"{self.game.int:08x}"


class Conflict(Exception):
    """Another commit came first, or the events would leave a gap. Nothing of this commit was stored."""


class DuplicateKeyError(Exception):
    """The principal has used this key already; see the register of commands. Nothing of this commit was stored."""


class DuplicateRefError(Exception):
    """This game was imported already; see the registers of refs and of origins. Nothing of this commit was stored."""

    def __init__(self, ref: AnyRef) -> None:
        super().__init__(ref)
        self.ref = ref


class BoardReplaced(Exception):
    """The prepared board that was to be dealt has another deck by now. Nothing of this commit was stored."""


class StoreUnavailableError(Exception):
    """The store is away, full, locked or closed; nothing was read or stored. The caller may try again."""


class StoreBlockedError(Worded, StoreUnavailableError):
    """The store accepts nothing more until an operator acts. The message says why and what to do, and anybody may read it."""


class StoreReplacedError(StoreBlockedError):
    """Another file lies in the place of the open database file."""

    def __init__(self, file: str) -> None:
        super().__init__(say("store_replaced", file=file))


class StoreUpgradedError(StoreBlockedError):
    """A newer version upgraded the store, and left it to versions from ``readable_from`` on."""

    def __init__(self, own: str, version: str, day: str, readable_from: str) -> None:
        super().__init__(say("store_upgraded", own=own, version=version, day=day, readable_from=readable_from))


class StoreUnknownError(StoreBlockedError):
    """The store holds tables that this version does not know, and nothing says that it can use them. ``names``: scripts that made them."""

    def __init__(self, own: str, names: Sequence[str]) -> None:
        super().__init__(say("store_unknown", own=own, names=tuple(names)))


class OutcomeUnknownError(Exception):
    """Time ran out before it was known whether the commit is stored. Its events or its key can be read back to find out."""


CommitOutcome = tuple[int, ...] | Conflict | DuplicateKeyError | DuplicateRefError | BoardReplaced
Objection = Conflict | DuplicateKeyError | DuplicateRefError | BoardReplaced | None
Key = tuple[str, str]


def find_conflicts(
    commits: Iterable[Commit],
    heads: Mapping[UUID, int],
    keys: Iterable[Key],
    texts: Iterable[str],
    refs: Iterable[AnyRef],
    boards: Collection[Board],
) -> list[Objection]:
    """Return the objection to each commit, in order, or ``None``. A commit may build on accepted commits before it.

    `heads` are the last positions in the store, `keys`, `texts` and `refs` those of the commits' keys, text ids and refs that are taken
    there; `boards` are those of the commits' boards that lie there with the very same deck.
    """
    # Copies: an accepted commit changes what the commits after it in the group may build on.
    heads, keys, texts, refs = dict(heads), set(keys), set(texts), set(refs)
    verdicts: list[Objection] = []
    for commit in commits:
        verdict = _find_conflict(commit, heads, keys, texts, refs, boards)
        verdicts.append(verdict)
        if verdict is None:
            heads.update(commit.heads())
            keys.update(keys_of(commit))
            texts.update(text.id for text in commit.texts)
            refs.update(_all_refs(commit))
    return verdicts


def _find_conflict(
    commit: Commit, heads: Mapping[UUID, int], keys: set[Key], texts: set[str], refs: set[AnyRef], boards: Collection[Board]
) -> Objection:
    # The key first: a repeated command conflicts with its own events, but has to get its first receipt.
    if any(key in keys for key in keys_of(commit)):
        return DuplicateKeyError(*keys_of(commit)[0])
    for ref in _all_refs(commit):
        if ref in refs:
            return DuplicateRefError(ref)
    if commit.board and commit.board not in boards:
        return BoardReplaced()
    for stream, base in commit.bases().items():
        if heads.get(stream, 0) != base:
            return Conflict(f"{stream} stands at {heads.get(stream, 0)}, not at {base}")
    taken = [text.id for text in commit.texts if text.id in texts]
    return Conflict(f"text {taken[0]} exists") if taken else None


def keys_of(commit: Commit) -> tuple[Key, ...]:
    """Return the commit's (principal, key): one or none."""
    return ((commit.command.principal, commit.command.key),) if commit.command else ()


def refs_of(commits: Iterable[Commit]) -> list[Ref]:
    """Return the refs of the commits."""
    return [commit.ref for commit in commits if commit.ref]


def origins_of(commits: Iterable[Commit]) -> list[Origin]:
    """Return the origins of the commits."""
    return [commit.origin for commit in commits if commit.origin]


def foreign_refs_of(commits: Iterable[Commit]) -> list[ForeignRef]:
    """Return the foreign refs of the commits."""
    return [origin.ref for origin in origins_of(commits) if origin.ref]


def _all_refs(commit: Commit) -> list[AnyRef]:
    return [*refs_of([commit]), *foreign_refs_of([commit])]


def boards_of(commits: Iterable[Commit]) -> list[Board]:
    """Return the boards that the commits deal."""
    return [commit.board for commit in commits if commit.board]


FoundRow = tuple[int, str, bytes]


def find_claimed_sequences(
    commits: Iterable[Commit], rows: Mapping[tuple[UUID, int], FoundRow], keys: Mapping[Key, int]
) -> list[tuple[int, ...] | None]:
    """Return the sequences of those commits that lie in the store already, as they were sent; None for the others.

    `rows` are (sequence, name, state) by stream and position, `keys` the last sequence by command key. Two commits never claim the same
    rows: of equal ones the first is taken for the one that was stored.
    """
    taken: set[int] = set()
    outcomes: list[tuple[int, ...] | None] = []
    for commit in commits:
        sequences = _found(commit, rows)
        keyed = sequences is not None and all(keys.get(key) == sequences[-1] for key in keys_of(commit))
        mine = sequences if sequences is not None and keyed and taken.isdisjoint(sequences) else None
        taken.update(mine or ())
        outcomes.append(mine)
    return outcomes


def _found(commit: Commit, rows: Mapping[tuple[UUID, int], FoundRow]) -> tuple[int, ...] | None:
    found = [rows.get((event.stream, event.position)) for event in commit.events]
    sequences = tuple(
        row[0] for row, event in zip(found, commit.events, strict=True) if row is not None and row[1:] == (event.name, event.state)
    )
    return sequences if len(sequences) == len(commit.events) else None


# The parameters of every command, and its receipt.


class Call(Struct, frozen=True):
    """The sender of a command (an opaque principal id), the position it was decided on (``None``: any), and its idempotency key.

    ``fingerprint`` is a digest of the request: the same key with another fingerprint is refused (``KeyConflictError``). ``former`` is the
    digest of
    the same request as older versions made it, which the register may still hold. ``happened_at`` is the time at the table, if given.
    """

    by: str
    expected: int | None = None
    key: str | None = None
    fingerprint: str = ""
    happened_at: datetime | None = None
    former: str = ""

    def is_like(self, fingerprint: str) -> bool:
        """Return whether the fingerprint is that of this request, as far as that can still be known: an erasure of words removes the
        fingerprint, and then the key alone decides.
        """
        return fingerprint in ("", self.fingerprint, self.former)

    @property
    def command(self) -> CommandKey | None:
        return CommandKey(self.by, self.key, self.fingerprint) if self.key is not None else None


class Receipt(Struct, Generic[A], frozen=True):
    """The result of a command: the aggregate before, the events in order, the aggregate after them, and the sequence of the last one.

    A command that came twice under one key gets the receipt of the first, with ``repeated`` set; ``after`` is as it stood then.
    """

    before: A | None
    events: tuple[Recorded, ...]
    after: A
    sequence: int
    repeated: bool = False


class ImportResult(Struct, frozen=True):
    """The result of importing a whole game: its last position, and the sequence of that. ``already``: it had been imported before."""

    game: UUID
    position: int
    sequence: int
    repeated: bool = False
    already: bool = False


class LinkedStreams(Struct, Generic[A], frozen=True):
    """Games in which a command of another aggregate records, too. ``decide`` gets that aggregate as it stands before the command, and each
    game; it may return nothing.
    """

    games: Sequence[UUID]
    decide: Callable[[A, Game], Sequence[Event]]


class RegisteredText(Struct, frozen=True):
    """A free text of a person on its way into the register of texts."""

    text: Text
    ref: TextRef


def note(id: str, body: str, salt: bytes) -> RegisteredText:
    """Return the text with its reference. ``salt``: random bytes, for this text alone."""
    return RegisteredText(Text(id, body, salt), TextRef(id, text_digest(body, salt)))
