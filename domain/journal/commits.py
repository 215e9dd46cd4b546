"""What one command appends, and what can become of it. Pure: the recorders and the writer share these values."""

from collections.abc import Iterable, Mapping
from uuid import UUID

import msgspec
from eventsourcing.persistence import StoredEvent


class CommandKey(msgspec.Struct, frozen=True):
    """The key under which a principal sent a command, and a digest of what was sent with it."""

    principal: str
    key: str
    fingerprint: str


class Text(msgspec.Struct, frozen=True):
    """A free text of a person. Events hold only its id and digest, so that it can be erased."""

    id: str
    body: str


class Commit(msgspec.Struct, frozen=True):
    """What one command appends, all or nothing. ValueError if there are no events or a game's versions do not follow one another."""

    events: tuple[StoredEvent, ...]
    command: CommandKey | None = None
    texts: tuple[Text, ...] = ()

    def __post_init__(self) -> None:
        if not self.events:
            raise ValueError("a commit needs an event")
        expected: dict[UUID, int] = {}
        for event in self.events:
            originator = identity(event)
            if event.originator_version < 1 or event.originator_version != expected.get(originator, event.originator_version):
                raise ValueError(f"version {event.originator_version} does not follow in {originator}")
            expected[originator] = event.originator_version + 1

    def bases(self) -> dict[UUID, int]:
        """For each originator the version that must be its last before this commit; 0 for a new one."""
        return {identity(event): event.originator_version - 1 for event in reversed(self.events)}

    def span(self) -> tuple[UUID, int, int]:
        """The first event's originator, and the first and last of its versions in this commit."""
        game = identity(self.events[0])
        return game, self.events[0].originator_version, self.heads()[game]

    def heads(self) -> dict[UUID, int]:
        """For each originator its last version after this commit."""
        return {identity(event): event.originator_version for event in self.events}


class StoredCommand(msgspec.Struct, frozen=True):
    """What a command appended: positions `first` to `last` of a game, and the sequence of its last event.

    Of a commit with several originators it is the first event's, and the sequence is that of the whole commit.
    """

    principal: str
    key: str
    fingerprint: str
    game: UUID
    first: int
    last: int
    sequence: int
    at: str


class Conflict(Exception):
    """Somebody else appended first, or the events would leave a gap. Nothing of this commit was stored."""


class KeyTaken(Exception):
    """The principal has used this key already; see the register of commands. Nothing of this commit was stored."""


class Unavailable(Exception):
    """Nothing was stored, for no fault of the commit: the store is away, full, locked or closed. It may be sent again."""


class Unclear(Exception):
    """The time ran out before it was known whether the commit is stored. Reading back tells: by its events or by its key."""


Outcome = tuple[int, ...] | Conflict | KeyTaken
Verdict = Conflict | KeyTaken | None
Key = tuple[str, str]


def identity(event: StoredEvent) -> UUID:
    """The originator's id, which is always a UUID here; the library would allow text."""
    if not isinstance(event.originator_id, UUID):
        raise ValueError(f"not a UUID: {event.originator_id!r}")
    return event.originator_id


def judge(commits: Iterable[Commit], heads: Mapping[UUID, int], keys: Iterable[Key], texts: Iterable[str]) -> list[Verdict]:
    """What speaks against each commit, one after another: a commit builds on those before it that nothing spoke against.

    `heads` are the last versions in the store, `keys` and `texts` what of the commits' keys and text ids is taken there.
    """
    heads, keys, texts = dict(heads), set(keys), set(texts)
    verdicts: list[Verdict] = []
    for commit in commits:
        verdict = _objection(commit, heads, keys, texts)
        verdicts.append(verdict)
        if verdict is None:
            heads.update(commit.heads())
            keys.update(key_of(commit))
            texts.update(text.id for text in commit.texts)
    return verdicts


def _objection(commit: Commit, heads: Mapping[UUID, int], keys: set[Key], texts: set[str]) -> Verdict:
    if any(key in keys for key in key_of(commit)):
        return KeyTaken(*key_of(commit)[0])
    for originator, base in commit.bases().items():
        if heads.get(originator, 0) != base:
            return Conflict(f"{originator} stands at {heads.get(originator, 0)}, not at {base}")
    taken = [text.id for text in commit.texts if text.id in texts]
    return Conflict(f"text {taken[0]} exists") if taken else None


def key_of(commit: Commit) -> tuple[Key, ...]:
    """The commit's (principal, key): one or none."""
    return ((commit.command.principal, commit.command.key),) if commit.command else ()


Row = tuple[int, str, bytes]


def claimed(commits: Iterable[Commit], rows: Mapping[tuple[UUID, int], Row], keys: Mapping[Key, int]) -> list[tuple[int, ...] | None]:
    """The sequences of those commits that lie in the store already, as they were sent; None for the others.

    `rows` are (sequence, topic, state) by originator and version, `keys` the last sequence by command key.
    Two commits never claim the same rows: of equal ones the first is taken for the one that was stored.
    """
    taken: set[int] = set()
    outcomes: list[tuple[int, ...] | None] = []
    for commit in commits:
        sequences = _found(commit, rows)
        keyed = sequences is not None and all(keys.get(key) == sequences[-1] for key in key_of(commit))
        mine = sequences if sequences is not None and keyed and taken.isdisjoint(sequences) else None
        taken.update(mine or ())
        outcomes.append(mine)
    return outcomes


def _found(commit: Commit, rows: Mapping[tuple[UUID, int], Row]) -> tuple[int, ...] | None:
    found = [rows.get((identity(event), event.originator_version)) for event in commit.events]
    sequences = tuple(
        row[0] for row, event in zip(found, commit.events, strict=True) if row is not None and row[1:] == (event.topic, event.state)
    )
    return sequences if len(sequences) == len(commit.events) else None
