"""SQL of the registers: commands, texts, origins, shuffle secrets, cached game states, walls, people and looks.

It is shared by both databases. ``StoreHeads`` notifies readers of new events.
"""

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from threading import Condition, Lock
from time import monotonic
from typing import Any, TypeVar
from uuid import UUID, uuid4

import msgspec

from deploy.stores.statements import FORGET_FINGERPRINTS, Statements, placeholders
from domain.free_texts import SaltedText
from domain.journal.commits import Board, CommandKey, ForeignRef, Origin, PreparedBoard, Ref, StoredCommand
from domain.journal.registers import CardAccess, LookPlace, Person, RefusalCount, expand_search_words, search_texts
from domain.journal.store import SnapshotRow
from domain.player import player_stream
from domain.tournament.publication import Wall, WallPlan

# SQL of the register of prepared boards, shared by both databases.


Item = TypeVar("Item")

_WHERE = "WHERE tournament = ? AND round = ? AND board = ?"
_PREPARE = "INSERT INTO prepared_boards (tournament, round, board, deck, prepared_at, prepared_by) VALUES (?, ?, ?, ?, ?, ?)"
# For a board that was dealt the deck becomes NULL. The table refuses that, and so the whole list is refused.
_REPLACE = (
    f"{_PREPARE} ON CONFLICT (tournament, round, board) DO UPDATE SET"
    " deck = CASE WHEN prepared_boards.dealt = 0 THEN excluded.deck END,"
    " prepared_at = excluded.prepared_at, prepared_by = excluded.prepared_by"
)
_LIST = "SELECT round, board, prepared_at, prepared_by, dealt FROM prepared_boards WHERE tournament = ? ORDER BY round, board"

LIES = f"SELECT 1 FROM prepared_boards {_WHERE} AND deck = ?"
"""Finds a board that still has exactly this deck. Parameters: those of ``columns_of``."""

DEALT = f"UPDATE prepared_boards SET dealt = 1 {_WHERE} AND deck = ?"
"""Marks the board as dealt, within the transaction of the deal. The same parameters."""


def columns_of(board: Board) -> tuple[Any, ...]:
    return (board.tournament, board.round, board.number, msgspec.json.encode(board.deck).decode())


class BoardsSql(Statements):
    """Boards part of ``Registers``."""

    def prepare_boards(self, boards: Sequence[Board], at: str, by: str, *, replace: bool, command: CommandKey | None = None) -> None:
        sql = _REPLACE if replace else _PREPARE
        self.change_together(*((sql, (*columns_of(board), at, by)) for board in boards), *self.key_of(command))

    def find_board(self, tournament: str, round: int, number: int) -> Board | None:
        found = self.query(f"SELECT deck FROM prepared_boards {_WHERE}", (tournament, round, number))
        return next((Board(tournament, round, number, msgspec.json.decode(deck, type=tuple[str, ...])) for (deck,) in found), None)

    def list_boards(self, tournament: str) -> list[PreparedBoard]:
        rows = self.query(_LIST, (tournament,))
        return [PreparedBoard(round, number, at, by, bool(dealt)) for round, number, at, by, dealt in rows]


_COMMAND = "SELECT fingerprint, game, first, last, sequence, at FROM commands WHERE principal = ? AND key = ?"
_REF = "SELECT game FROM refs WHERE digest = ? AND copy = ?"
_TRIAL = "INSERT INTO commands (principal, key, fingerprint, game, first, last, sequence) VALUES ('', ?, '', ?, 0, 0, 0)"
_UNDO_TRIAL = "DELETE FROM commands WHERE principal = '' AND key = ?"


class RegistersSql(Statements):
    """Commands, refs and texts part of ``Registers``."""

    def find_command(self, principal: str, key: str) -> StoredCommand | None:
        for fingerprint, game, first, last, sequence, at in self.query(_COMMAND, (principal, key)):
            return StoredCommand(principal, key, fingerprint, self.from_column(game), first, last, sequence, at)
        return None

    def keep_command(self, command: CommandKey) -> None:
        self.change_together(*self.key_of(command))

    def forget_commands(self, before: str) -> int:
        return self.change("DELETE FROM commands WHERE at < ?", (before,))

    def find_ref(self, ref: Ref) -> UUID | None:
        return next((self.from_column(game) for (game,) in self.query(_REF, (ref.digest, ref.copy))), None)

    def try_writing(self) -> None:
        game = uuid4()  # also used as the key, so that trials do not wait for each other
        self.change_together((_TRIAL, (game.hex, self.to_column(game))), (_UNDO_TRIAL, (game.hex,)))

    def text(self, id: str) -> str | None:
        found = self.find_text(id)
        return found.body if found else None

    def find_text(self, id: str) -> SaltedText | None:
        return next((SaltedText(*row) for row in self.query("SELECT body, salt FROM texts WHERE id = ? AND body IS NOT NULL", (id,))), None)

    def has_text(self, id: str) -> bool:
        return bool(self.query("SELECT 1 FROM texts WHERE id = ?", (id,)))

    def erase_text(self, id: str, stream: UUID, position: int, command: CommandKey | None = None) -> bool:
        # The fingerprint first and always: an erasure that broke off is asked for again.
        self.change(f"{FORGET_FINGERPRINTS} AND first <= ? AND last >= ?", (self.to_column(stream), position, position))
        sql = "UPDATE texts SET body = NULL, salt = NULL WHERE id = ? AND body IS NOT NULL"
        erased = self.change(sql, (id,), *self.key_of(command)) == 1
        self.changes += 1
        return erased


# The SQL of the register of origins, once for both databases.


_BY_REF = "SELECT game, digest FROM origins WHERE system = ? AND id = ?"
_ORIGIN = "SELECT system, id, digest, meta FROM origins WHERE game = ?"
_ERASE = "UPDATE origins SET meta = NULL WHERE game = ? AND meta IS NOT NULL"


class OriginsSql(Statements):
    """Origins part of ``Registers``."""

    def find_by_ref(self, ref: ForeignRef) -> tuple[UUID, str] | None:
        return next(((self.from_column(game), digest) for game, digest in self.query(_BY_REF, (ref.system, ref.id))), None)

    def find_origin(self, game: UUID) -> Origin | None:
        for system, id, digest, meta in self.query(_ORIGIN, (self.to_column(game),)):
            return Origin(None if system is None else ForeignRef(system, id), digest, meta)
        return None

    def erase_meta(self, game: UUID, command: CommandKey | None = None) -> bool:
        # The fingerprint first and always: an erasure that broke off is asked for again.
        self.change(f"{FORGET_FINGERPRINTS} AND first = 1", (self.to_column(game),))
        return self.change(_ERASE, (self.to_column(game),), *self.key_of(command)) == 1


# The SQL of the register of secrets, once for both databases.


_KEEP_SECRET = "INSERT INTO shuffle_secrets (commitment, secret, kept_at) VALUES (?, ?, ?)"
_FIND_SECRET = "SELECT secret FROM shuffle_secrets WHERE commitment = ?"


class ShufflesSql(Statements):
    """Secrets part of ``Registers``."""

    def keep_secret(self, commitment: str, secret: bytes, at: str) -> None:
        self.change(_KEEP_SECRET, (commitment, secret.hex(), at))

    def find_secret(self, commitment: str) -> bytes | None:
        return next((bytes.fromhex(secret) for (secret,) in self.query(_FIND_SECRET, (commitment,))), None)


# The SQL of the snapshots, once for both databases.


_FITTING = """
SELECT snapshots.position, snapshots.link, snapshots.earliest, snapshots.state, snapshots.seal, events.state
FROM snapshots JOIN events ON events.originator_id = snapshots.game AND events.originator_version = snapshots.position
WHERE snapshots.game = ? AND snapshots.form = ? AND snapshots.position > ? AND snapshots.position <= ?
ORDER BY snapshots.position DESC
"""
_KEEP_SNAPSHOT = """
INSERT INTO snapshots (game, position, form, link, earliest, state, seal) VALUES (?, ?, ?, ?, ?, ?, ?)
ON CONFLICT (game, position)
DO UPDATE SET form = excluded.form, link = excluded.link, earliest = excluded.earliest, state = excluded.state, seal = excluded.seal
"""
_END = 2**31 - 1  # the highest position that PostgreSQL's column can hold


class SnapshotsSql(Statements):
    """Snapshots part of ``EventStore``."""

    def select_snapshots(
        self, game: UUID, form: str, after: int = 0, upto: int | None = None, limit: int | None = None
    ) -> list[tuple[SnapshotRow, bytes]]:
        some = "" if limit is None else f" LIMIT {int(limit)}"
        rows = self.query(f"{_FITTING}{some}", (self.to_column(game), form, after, _END if upto is None else upto))
        return [
            (SnapshotRow(game, position, form, link, earliest, state, seal), last) for position, link, earliest, state, seal, last in rows
        ]

    def keep_snapshots(self, snapshots: Sequence[SnapshotRow]) -> None:
        self.derive(_KEEP_SNAPSHOT, [(self.to_column(snapshot.game), *snapshot[1:]) for snapshot in snapshots])


# The SQL of the register of what is on the walls, once for both databases.


_FIND_WALL = "SELECT version, shown, message, changed_at, changed_by FROM walls WHERE tournament = ?"
_FIRST = (
    "INSERT INTO walls (version, shown, message, changed_at, changed_by, tournament) VALUES (?, ?, ?, ?, ?, ?)"
    " ON CONFLICT (tournament) DO NOTHING"
)
_NEXT = "UPDATE walls SET version = ?, shown = ?, message = ?, changed_at = ?, changed_by = ? WHERE tournament = ? AND version = ?"


class WallsSql(Statements):
    """Walls part of ``Registers``."""

    def wall(self, tournament: str) -> Wall:
        for version, shown, *rest in self.query(_FIND_WALL, (tournament,)):
            return Wall(version, msgspec.json.decode(shown, type=WallPlan), *rest)
        return Wall()

    def change_wall(self, tournament: str, wall: Wall, command: CommandKey | None = None) -> bool:
        shown = msgspec.json.encode(wall.plan).decode()
        values = (wall.version, shown, wall.message, wall.changed_at, wall.changed_by, tournament)
        key = self.key_of(command)
        if wall.version == 1:
            return self.change(_FIRST, values, *key) == 1
        return self.change(_NEXT, (*values, wall.version - 1), *key) == 1


# The SQL of the register of people, once for both databases.


_COLUMNS = "player, name, alias, changed_at, changed_by, objects"
_ADD = "INSERT INTO people (player, name, alias, words, public_words, changed_at, changed_by, objects) VALUES "
_PERSON_ROW = "(?, ?, ?, ?, ?, ?, ?, ?)"
_RENAME = (
    " ON CONFLICT (player) DO UPDATE SET name = excluded.name, alias = excluded.alias, words = excluded.words,"
    " public_words = excluded.public_words, changed_at = excluded.changed_at, changed_by = excluded.changed_by,"
    " objects = excluded.objects WHERE people.name = ? AND COALESCE(people.alias, '') = COALESCE(?, '') AND people.objects = ?"
    " AND people.changed_at = ? AND people.changed_by = ?"
)
_ERASE_PERSON = (
    " ON CONFLICT (player) DO UPDATE SET name = NULL, alias = NULL, words = '', public_words = '',"
    " changed_at = excluded.changed_at, changed_by = excluded.changed_by WHERE people.name IS NOT NULL"
)
_MOST_PEOPLE = 500  # rows in a statement


class PlayersSql(Statements):
    """People part of ``Registers``."""

    def enter_players(self, people: Sequence[Person]) -> None:
        for some in _batches(people):
            values = [value for person in some for value in _values(person)]
            # whoever is in the register by now keeps what it says
            self.change(f"{_ADD}{', '.join([_PERSON_ROW] * len(some))} ON CONFLICT (player) DO NOTHING", values)
        self.changes += 1

    def rename_person(self, person: Person, known: Person | None, command: CommandKey | None = None) -> bool:
        stream = player_stream(person.player)  # an erasure also deletes the fingerprint, which was computed from the name
        before = (known.name, known.alias, int(known.objects_to_names), known.changed_at, known.changed_by) if known else (None,) * 5
        values = (*_values(person), *before)
        renamed = self.change(f"{_ADD}{_PERSON_ROW}{_RENAME}", values, *self.key_of(command, stream.hex)) == 1
        self.changes += 1
        return renamed

    def erase_person(self, player: str, stream: UUID, at: str, by: str) -> None:
        self.change(f"{_ADD}{_PERSON_ROW}{_ERASE_PERSON}", (player, None, None, "", "", at, by, 0))
        self.changes += 1
        self.change(FORGET_FINGERPRINTS, (self.to_column(stream),))

    def find_players(self, players: Iterable[str]) -> dict[str, Person]:
        found: dict[str, Person] = {}
        for some in _batches(list(dict.fromkeys(players))):
            rows = self.query(f"SELECT {_COLUMNS} FROM people WHERE player IN ({placeholders(some)})", some)
            found |= {row[0]: _person(row) for row in rows}
        return found

    def find_same_names(self, names: Iterable[str], *, aliases: bool = False) -> list[Person]:
        found: dict[str, Person] = {}
        for some in _batches(list(dict.fromkeys(names))):
            for column in ("name", "alias") if aliases else ("name",):
                rows = self.query(f"SELECT {_COLUMNS} FROM people WHERE {column} IN ({placeholders(some)})", some)
                found |= {row[0]: _person(row) for row in rows}
        return sorted(found.values(), key=lambda person: person.player)

    def search_players(self, words: str, *, after: str, limit: int, public: bool, among: Collection[str] | None = None) -> list[Person]:
        wanted = expand_search_words(words)
        if among is not None and not among:
            return []
        column = "public_words" if public else "words"
        each = " AND ".join(f"({' OR '.join([f'{column} LIKE ?'] * len(spellings))})" for spellings in wanted)
        patterns = [f"% {spelling}%" for spellings in wanted for spelling in spellings]
        chosen = "" if among is None else f" AND player IN ({placeholders(among)})"
        sql = f"SELECT {_COLUMNS} FROM people WHERE player > ? AND {each}{chosen} ORDER BY player LIMIT ?"
        return [_person(row) for row in self.query(sql, (after, *patterns, *(among or ()), limit))]


def _batches(items: Sequence[Item]) -> Iterator[Sequence[Item]]:
    return (items[start : start + _MOST_PEOPLE] for start in range(0, len(items), _MOST_PEOPLE))


def _values(person: Person) -> tuple[str | int | None, ...]:
    return (
        person.player,
        person.name,
        person.alias,
        *search_texts(person),
        person.changed_at,
        person.changed_by,
        int(person.objects_to_names),
    )


def _person(row: Sequence[Any]) -> Person:
    player, name, alias, changed_at, changed_by, objects = row
    return Person(player, name, alias, changed_at, changed_by, bool(objects))


# The SQL of the register of looks, and of the counts of refused moves, once for both databases.


_KEEP_LOOKS = "INSERT INTO looks (minute, game, view, principal, tournament) VALUES "
_ROW = "(?, ?, ?, ?, ?)"
_SELECT = "SELECT minute, game, view, principal, tournament FROM looks WHERE "
_ORDER = " ORDER BY minute DESC, game DESC, view DESC, principal DESC"
_MOST = 500  # rows in a statement
_ADD_REFUSALS = (
    "INSERT INTO refusals (hour, ruleset, code, number) VALUES (?, ?, ?, ?)"
    " ON CONFLICT (ruleset, hour, code) DO UPDATE SET number = refusals.number + excluded.number"
)
_COUNT_REFUSALS = "SELECT code, SUM(number) FROM refusals WHERE ruleset = ? AND hour >= ? AND hour < ? GROUP BY code"


class LooksSql(Statements):
    """Looks and refusals part of ``Registers``."""

    def keep_looks(self, looks: Sequence[CardAccess]) -> None:
        # Always in the same order: otherwise two processes that write the same rows could deadlock.
        ordered = sorted(set(looks), key=lambda look: (look.game, look.minute, look.view, look.principal))
        for start in range(0, len(ordered), _MOST):
            rows = [value for look in ordered[start : start + _MOST] for value in self._row(look)]
            self.change(f"{_KEEP_LOOKS}{', '.join([_ROW] * (len(rows) // 5))} ON CONFLICT DO NOTHING", rows)

    def list_looks(
        self, *, game: UUID | None = None, tournament: str | None = None, before: LookPlace | None = None, limit: int | None = None
    ) -> list[CardAccess]:
        of, values = "TRUE", list[Any]()
        if game is not None:
            of, values = "game = ?", [self.to_column(game)]
        elif tournament is not None:
            of, values = "tournament = ?", [tournament]
        if before is not None:
            of += " AND (minute, game, view, principal) < (?, ?, ?, ?)"
            values += [before[0], self.to_column(before[1]), *before[2:]]
        some = "" if limit is None else f" LIMIT {int(limit)}"
        return self._looks(f"{_SELECT}{of}{_ORDER}{some}", values)

    def add_refusals(self, counts: Sequence[RefusalCount]) -> None:
        self.derive(_ADD_REFUSALS, [(one.hour, one.ruleset, one.code, one.number) for one in sorted(counts)])

    def count_refusals(self, ruleset: str, since: str | None = None, until: str | None = None) -> dict[str, int]:
        rows = self.query(_COUNT_REFUSALS, (ruleset, since or "", until or "9"))
        return {code: int(number) for code, number in rows}

    def looks_by(self, principals: Collection[str]) -> list[CardAccess]:
        return self._looks(f"{_SELECT}principal IN ({placeholders(principals)}){_ORDER}", list(principals)) if principals else []

    def erase_looks(self, principals: Collection[str]) -> int:
        return self.change(f"DELETE FROM looks WHERE principal IN ({placeholders(principals)})", list(principals)) if principals else 0

    def forget_looks(self, before: str) -> int:
        return self.change("DELETE FROM looks WHERE minute < ?", (before,))

    def _looks(self, sql: str, values: Sequence[Any]) -> list[CardAccess]:
        rows = self.query(sql, values)
        return [CardAccess(minute, self.from_column(game), view, principal, of) for minute, game, view, principal, of in rows]

    def _row(self, look: CardAccess) -> tuple[Any, ...]:
        return (look.minute, self.to_column(look.game), look.view, look.principal, look.tournament)


# Notification of readers: at once in the same process, within ``POLL`` seconds of commits by other processes.


POLL = 0.1  # seconds: how late a commit of another process may be noticed


class StoreHeads:
    """Highest sequence that this process knows of. Any thread may announce and any may wait."""

    def __init__(self, probe: Callable[[], int]) -> None:
        self._probe = probe
        self._latest = 0
        self._lock = Lock()
        self._changed = Condition(self._lock)
        self._waiting = 0
        self._heard: Callable[[], object] | None = None

    def on_news(self, heard: Callable[[], object]) -> None:
        """Call ``heard`` whenever something newer is known, from the thread that found it; it must not block."""
        self._heard = heard

    def announce(self, sequence: int) -> None:
        with self._lock:
            newer = sequence > self._latest
            if newer:
                self._latest = sequence
                if self._waiting:
                    self._changed.notify_all()
        if newer and self._heard is not None:
            self._heard()

    def forget(self) -> None:
        """Forget the sequence: in a new epoch sequences begin anew."""
        with self._lock:
            self._latest = 0

    def wait(self, after: int, timeout: float) -> bool:
        """Return True as soon as a sequence beyond `after` is known, False when ``timeout`` seconds have passed."""
        end = monotonic() + timeout
        while True:
            if self._latest <= after:
                self.announce(self._probe())
            with self._lock:
                if self._latest > after:
                    return True
                left = end - monotonic()
                if left <= 0:
                    return False
                self._waiting += 1
                try:
                    self._changed.wait(min(left, POLL))
                finally:
                    self._waiting -= 1
