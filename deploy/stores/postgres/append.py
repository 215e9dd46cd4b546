"""Append of a batch of commits to PostgreSQL: SQL statements, conflict checks and recovery after a lost connection."""

from collections.abc import Collection, Iterator, Sequence
from contextlib import contextmanager
from typing import Any
from uuid import UUID

import psycopg
from psycopg.types.numeric import Int4

from deploy.stores.postgres.connections import AnyConnection, Connection, dialect
from deploy.stores.registers import DEALT, LIES, columns_of
from domain.journal.commits import (
    AnyRef,
    Board,
    Commit,
    CommitOutcome,
    ForeignRef,
    Key,
    Objection,
    Ref,
    boards_of,
    find_claimed_sequences,
    find_conflicts,
    foreign_refs_of,
    keys_of,
    refs_of,
)

LOCK = 7_103_481_001  # an arbitrary number: the holder of this advisory lock appends
CHANNEL = "events"  # for listeners that use the library's subscriptions

Heads = dict[UUID, int]

# One statement, hence one round trip and one transaction. It stores nothing unless every event that must exist already does;
# a version or key that exists breaks a constraint. "known" may read the store as it was before the lock was granted: then it counts
# too few, never too many, because events are never removed. LATERAL … LIMIT keeps the planner at one look into the index for each.
STORE = f"""
WITH known AS (
    SELECT count(*) AS number
    FROM unnest(%(base_ids)b::uuid[], %(bases)b::int4[]) AS base (id, version)
    CROSS JOIN LATERAL (
        SELECT FROM events WHERE originator_id = base.id AND originator_version = base.version LIMIT 1
    ) AS found
), turn AS MATERIALIZED (
    SELECT pg_advisory_xact_lock({LOCK})
), stored AS (
    INSERT INTO events (originator_id, originator_version, topic, state)
    SELECT event.id, event.version, event.topic, event.state
    FROM turn, known, unnest(%(ids)b::uuid[], %(versions)b::int4[], %(topics)b::text[], %(states)b::bytea[])
        WITH ORDINALITY AS event (id, version, topic, state, place)
    WHERE known.number = %(expected)b::int4
    ORDER BY event.place -- and so the sequences rise in this order
    RETURNING sequence, originator_id, originator_version
){{beside}}
SELECT (SELECT array_agg(sequence ORDER BY sequence) FROM stored), pg_notify('{CHANNEL}', '')
"""
ANSWERED = """, answered AS (
    INSERT INTO commands (principal, key, fingerprint, game, first, last, sequence)
    SELECT command.principal, command.key, command.fingerprint, command.game, command.first, command.last, stored.sequence
    FROM unnest(%(principals)b::text[], %(keys)b::text[], %(fingerprints)b::text[], %(games)b::uuid[], %(firsts)b::int4[],
            %(lasts)b::int4[], %(last_ids)b::uuid[], %(last_versions)b::int4[])
        AS command (principal, key, fingerprint, game, first, last, last_id, last_version)
    JOIN stored ON stored.originator_id = command.last_id AND stored.originator_version = command.last_version
)"""
# The same for one event, the usual group where few play: it takes a sixth less of the server's time.
STORE_ONE = f"""
WITH turn AS MATERIALIZED (
    SELECT pg_advisory_xact_lock({LOCK})
), stored AS (
    INSERT INTO events (originator_id, originator_version, topic, state)
    SELECT $1::uuid, $2::int4, $3::text, $4::bytea
    FROM turn
    WHERE $2 = 1 OR EXISTS (SELECT FROM events WHERE originator_id = $1 AND originator_version = $2 - 1)
    RETURNING sequence
){{beside}}
SELECT (SELECT array_agg(sequence) FROM stored), pg_notify('{CHANNEL}', '')
"""
ANSWERED_ONE = """, answered AS (
    INSERT INTO commands (principal, key, fingerprint, game, first, last, sequence)
    SELECT $5::text, $6::text, $7::text, $1, $2, $2, sequence FROM stored
)"""
_SAID = """, said AS (
    INSERT INTO texts (id, body, salt)
    SELECT text.id, text.body, text.salt
    FROM known, unnest(%(text_ids)b::text[], %(bodies)b::text[], %(salts)b::bytea[]) AS text (id, body, salt)
    WHERE known.number = %(expected)b::int4
)"""
# Joined with "stored", so that it runs after the lock is granted: a row locked before that could cause a deadlock.
_REFERRED = """, referred AS (
    INSERT INTO refs (digest, copy, game)
    SELECT ref.digest, ref.copy, ref.game
    FROM unnest(%(digests)b::text[], %(copies)b::int4[], %(referred)b::uuid[], %(referred_versions)b::int4[])
        AS ref (digest, copy, game, version)
    JOIN stored ON stored.originator_id = ref.game AND stored.originator_version = ref.version
)"""
_CAME = """, came AS (
    INSERT INTO origins (game, system, id, digest, meta)
    SELECT origin.game, origin.system, origin.id, origin.digest, origin.meta
    FROM unnest(%(came)b::uuid[], %(came_versions)b::int4[], %(systems)b::text[], %(ids_there)b::text[], %(contents)b::text[],
            %(metas)b::text[])
        AS origin (game, version, system, id, digest, meta)
    JOIN stored ON stored.originator_id = origin.game AND stored.originator_version = origin.version
)"""

_HEADS = "SELECT originator_id, max(originator_version) FROM events WHERE originator_id = ANY(%b) GROUP BY originator_id"
_KEYS = "SELECT principal, key, sequence FROM commands JOIN unnest(%b::text[], %b::text[]) AS asked (principal, key) USING (principal, key)"
_TEXTS = "SELECT id FROM texts WHERE id = ANY(%b::text[])"
_REFS = "SELECT digest, copy FROM refs JOIN unnest(%b::text[], %b::int4[]) AS asked (digest, copy) USING (digest, copy)"
_FOREIGN = "SELECT system, id FROM origins JOIN unnest(%b::text[], %b::text[]) AS asked (system, id) USING (system, id)"
_ROWS = """
SELECT events.originator_id, events.originator_version, events.sequence, events.topic, events.state
FROM unnest(%b::uuid[], %b::int4[]) AS asked (id, version)
JOIN events ON originator_id = asked.id AND originator_version = asked.version
"""
_DURABLY = "SELECT set_config('synchronous_commit', 'on', false) WHERE current_setting('synchronous_commit') IN ('off', 'local')"
_TERMINATE = "SELECT pg_terminate_backend(pid, 3000) FROM pg_stat_activity WHERE application_name = %s AND pid <> pg_backend_pid()"


def enable_sync_commit(connection: AnyConnection) -> None:
    """Make commits of this connection durable, also on a standby if the server waits for one, whatever the server's default is."""
    connection.execute(_DURABLY)


def prepare(connection: Connection) -> None:
    """Set up a writing connection, whatever the settings of the server or the role are."""
    connection.execute("SET statement_timeout = 0")  # a commit cancelled while it waits for a synchronous standby counts as done
    connection.execute("SET lock_timeout = '5s'")  # a frozen process may hold the lock
    connection.execute("SET idle_in_transaction_session_timeout = '5s'")  # ends such a transaction, which releases the lock
    connection.execute("SET plan_cache_mode = force_generic_plan")
    connection.execute("SET enable_seqscan = off")  # a plan made while the table was small must not outlive that


def append_all(connection: Connection, commits: Sequence[Commit]) -> list[CommitOutcome] | None:
    """Store all commits, or nothing and return None if there is an objection to one of them, or one deals a prepared board.

    This is the optimistic pass: it does not look before it writes.
    """
    bases: Heads = {}
    for commit in commits:
        for stream, base in commit.bases().items():
            bases.setdefault(stream, base)
    if boards_of(commits) or any(find_conflicts(commits, bases, (), (), (), ())):
        return None
    try:
        return _run_statement(connection, commits, bases)
    except psycopg.errors.UniqueViolation:
        return None


def leaving_out(connection: Connection, commits: Sequence[Commit]) -> list[CommitOutcome] | None:
    """Look for objections without taking the lock, and store the other commits quickly. None as in ``append_all``.

    An objection that holds once holds permanently: positions and keys are only added.
    """
    if boards_of(commits):
        return None
    verdicts = _find_conflicts(connection, commits, ())
    rest = [commit for commit, verdict in zip(commits, verdicts, strict=True) if verdict is None]
    stored = append_all(connection, rest) if rest else []
    if stored is None or len(rest) == len(commits):
        return stored
    added = iter(stored)
    return [verdict or next(added) for verdict in verdicts]


def append_each(connection: Connection, commits: Sequence[Commit], *, perhaps_stored: bool = False) -> list[CommitOutcome]:
    """Store those commits that have no objection, with the lock held from the start.

    With `perhaps_stored` a commit that is already stored exactly as it was sent counts as stored.
    """
    with exclusive_transaction(connection):
        mine = _find_claimed(connection, commits) if perhaps_stored else [None] * len(commits)
        rest = [commit for commit, found in zip(commits, mine, strict=True) if found is None]
        verdicts = _find_conflicts(connection, rest, _boards(connection, rest))
        accepted = [commit for commit, verdict in zip(rest, verdicts, strict=True) if verdict is None]
        added = iter(_append_commits(connection, accepted))
        for board in boards_of(accepted):
            connection.execute(dialect(DEALT), columns_of(board))
        judged = iter([verdict or next(added) for verdict in verdicts])
    return [found or next(judged) for found in mine]


@contextmanager
def exclusive_transaction(connection: AnyConnection) -> Iterator[None]:
    """Open a transaction in which no other process appends. Its statements see all that was committed before."""
    with connection.transaction():
        connection.execute(f"SELECT pg_advisory_xact_lock({LOCK})".encode())
        yield


def close_lost_connection(connection: AnyConnection, name: str) -> None:
    """Ensure that nothing sent on a lost connection of that name can still be stored, and that what was stored is durable.

    A transaction terminated while it waited for a synchronous standby is visible, but not yet replicated. Therefore a commit of our own
    waits for the standby.
    """
    ended = connection.execute(_TERMINATE, (name,)).fetchall()
    if not all(done for (done,) in ended):
        raise psycopg.errors.LockNotAvailable("a lost connection still lives on the server")
    connection.execute("SELECT pg_logical_emit_message(true, 'kiebitz', 'settled')")


def _find_conflicts(connection: Connection, commits: Sequence[Commit], boards: Collection[Board]) -> list[Objection]:
    """Return the objections.

    Keys are read last: if the events of a command are found that another process has just recorded, its key has to be found, too.
    """
    heads, texts, refs = _heads(connection, commits), _texts(connection, commits), _refs(connection, commits)
    return find_conflicts(commits, heads, _keys(connection, commits), texts, refs, boards)


def _find_claimed(connection: Connection, commits: Sequence[Commit]) -> list[tuple[int, ...] | None]:
    return find_claimed_sequences(commits, _rows(connection, commits), _keys(connection, commits))


def _append_commits(connection: Connection, commits: Sequence[Commit]) -> list[CommitOutcome]:
    if not commits:
        return []
    outcomes = _run_statement(connection, commits, {})
    assert outcomes is not None  # nothing was asked to be known
    return outcomes


def _run_statement(connection: Connection, commits: Sequence[Commit], bases: Heads) -> list[CommitOutcome] | None:
    """Run the statement. `bases` are the positions that must exist. Return None if one does not."""
    statement, parameters = _statement(commits, bases)
    with connection.cursor(binary=True) as cursor:
        row = cursor.execute(statement, parameters, prepare=True).fetchone()
    if row is None or row[0] is None:
        return None
    sequences = iter(row[0])
    return [tuple([next(sequences) for _ in commit.events]) for commit in commits]


def _statement(commits: Sequence[Commit], bases: Heads) -> tuple[bytes, dict[str, Any]]:
    """Return the statement with only those parts that the commits need: moves need none, and absent parts are not planned and run."""
    beside = [
        (ANSWERED, _commands(commits)),
        (_SAID, _text_parameters(commits)),
        (_REFERRED, _ref_parameters(commits)),
        (_CAME, _origin_parameters(commits)),
    ]
    sql, parameters = "", _events(commits, bases)
    for part, brought in beside:
        if brought:
            sql, parameters = sql + part, parameters | brought
    return STORE.format(beside=sql).encode(), parameters


def _events(commits: Sequence[Commit], bases: Heads) -> dict[str, Any]:
    events = [event for commit in commits for event in commit.events]
    known = [(stream, base) for stream, base in bases.items() if base > 0]
    return {
        "base_ids": [stream for stream, _ in known],
        "bases": [Int4(base) for _, base in known],
        "expected": Int4(len(known)),
        "ids": [event.stream for event in events],
        "versions": [Int4(event.position) for event in events],
        "topics": [event.name for event in events],
        "states": [event.state for event in events],
    }


def _text_parameters(commits: Sequence[Commit]) -> dict[str, Any]:
    texts = [text for commit in commits for text in commit.texts]
    if not texts:
        return {}
    return {
        "text_ids": [text.id for text in texts],
        "bodies": [text.body for text in texts],
        "salts": [text.salt for text in texts],
    }


def _commands(commits: Sequence[Commit]) -> dict[str, Any]:
    commands = [(commit.command, *commit.span(), commit.events[-1]) for commit in commits if commit.command]
    if not commands:
        return {}
    return {
        "principals": [command.principal for command, *_ in commands],
        "keys": [command.key for command, *_ in commands],
        "fingerprints": [command.fingerprint for command, *_ in commands],
        "games": [game for _, game, *_ in commands],
        "firsts": [Int4(first) for _, _, first, *_ in commands],
        "lasts": [Int4(last) for *_, last, _ in commands],
        "last_ids": [event.stream for *_, event in commands],
        "last_versions": [Int4(event.position) for *_, event in commands],
    }


def _ref_parameters(commits: Sequence[Commit]) -> dict[str, Any]:
    brought = [(commit.ref, commit.events[0]) for commit in commits if commit.ref]
    if not brought:
        return {}
    return {
        "digests": [ref.digest for ref, _ in brought],
        "copies": [Int4(ref.copy) for ref, _ in brought],
        "referred": [event.stream for _, event in brought],
        "referred_versions": [Int4(event.position) for _, event in brought],
    }


def _origin_parameters(commits: Sequence[Commit]) -> dict[str, Any]:
    brought = [(commit.origin, commit.origin.ref, commit.events[0]) for commit in commits if commit.origin]
    if not brought:
        return {}
    return {
        "came": [event.stream for *_, event in brought],
        "came_versions": [Int4(event.position) for *_, event in brought],
        "systems": [ref and ref.system for _, ref, _ in brought],
        "ids_there": [ref and ref.id for _, ref, _ in brought],
        "contents": [origin.digest for origin, *_ in brought],
        "metas": [origin.meta for origin, *_ in brought],
    }


def _heads(connection: Connection, commits: Sequence[Commit]) -> Heads:
    streams = list({stream for commit in commits for stream in commit.bases()})
    return dict(connection.execute(_HEADS, (streams,)).fetchall())


def _keys(connection: Connection, commits: Sequence[Commit]) -> dict[Key, int]:
    keys = [key for commit in commits for key in keys_of(commit)]
    if not keys:
        return {}
    rows = connection.execute(_KEYS, ([principal for principal, _ in keys], [key for _, key in keys])).fetchall()
    return {(principal, key): sequence for principal, key, sequence in rows}


def _texts(connection: Connection, commits: Sequence[Commit]) -> list[str]:
    ids = [text.id for commit in commits for text in commit.texts]
    return [id for (id,) in connection.execute(_TEXTS, (ids,)).fetchall()] if ids else []


def _refs(connection: Connection, commits: Sequence[Commit]) -> list[AnyRef]:
    refs, foreign = refs_of(commits), foreign_refs_of(commits)
    if not refs and not foreign:
        return []
    asked = [ref.digest for ref in refs], [Int4(ref.copy) for ref in refs]
    there: list[AnyRef] = [Ref(digest, copy) for digest, copy in connection.execute(_REFS, asked).fetchall()]
    asked_there = [ref.system for ref in foreign], [ref.id for ref in foreign]
    return [*there, *(ForeignRef(system, id) for system, id in connection.execute(_FOREIGN, asked_there).fetchall())]


def _boards(connection: Connection, commits: Sequence[Commit]) -> list[Board]:
    """Return the prepared boards that exist with these decks, locked, so that no one replaces one before it is dealt."""
    return [board for board in boards_of(commits) if connection.execute(dialect(f"{LIES} FOR UPDATE"), columns_of(board)).fetchone()]


def _rows(connection: Connection, commits: Sequence[Commit]) -> dict[tuple[UUID, int], tuple[int, str, bytes]]:
    events = [event for commit in commits for event in commit.events]
    asked = [event.stream for event in events], [Int4(event.position) for event in events]
    return {(id, position): (sequence, name, state) for id, position, sequence, name, state in connection.execute(_ROWS, asked).fetchall()}
