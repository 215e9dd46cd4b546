"""Asynchronous append with libpq in the server's event loop, without a thread and without blocking.

It stores all of a group or nothing. Anything unusual is left to the blocking path (``append.py``), in a thread.
"""

import asyncio
import os
import re
from collections.abc import Iterable, Sequence
from struct import Struct, iter_unpack, pack
from uuid import UUID

import psycopg
from psycopg import pq

from deploy.stores.postgres.append import ANSWERED, ANSWERED_ONE, STORE, STORE_ONE
from domain.journal.commits import Commit, CommitOutcome, find_conflicts
from domain.journal.store import Told

_INT4, _UUID, _TEXT, _BYTEA = 23, 2950, 25, 17  # the numbers of PostgreSQL's types, which never change
_NAMES = re.compile(r"%\((\w+)\)b")
_UNIQUE = b"23505"
_LOOK = 0.1  # seconds
_head = Struct(">iiiii").pack
_int4 = Struct(">i").pack


class Broken(Exception):
    """Raised when the connection broke: whether the group was stored is unknown, and the connection is unusable."""


def prepare(connection: "psycopg.Connection[tuple[object, ...]]") -> None:
    """Prepare the statements on a new connection; blocking, so in a thread. Raises the driver's errors."""
    for name, statement in _STATEMENTS.items():
        result = connection.pgconn.prepare(name, _number_parameters(statement))
        if result.status != pq.ExecStatus.COMMAND_OK:
            raise psycopg.OperationalError(result.get_error_message())


def is_simple(commits: Sequence[Commit]) -> bool:
    """Return whether the commits consist of events, with or without keys, and do not conflict with each other."""
    for commit in commits:
        if commit.texts or commit.ref or commit.origin or commit.board:
            return False
    return len(commits) == 1 or not any(find_conflicts(commits, _bases(commits), (), (), (), ()))


def _read_results(result: pq.abc.PGresult, commits: Sequence[Commit]) -> list[CommitOutcome] | None:
    if result.status != pq.ExecStatus.TUPLES_OK:
        if result.error_field(pq.DiagnosticField.SQLSTATE) == _UNIQUE:
            return None
        raise Broken(result.get_error_message())
    value = result.get_value(0, 0)
    if value is None:
        return None
    found = iter_unpack(">iq", value[20:])
    return [tuple([next(found)[1] for _ in commit.events]) for commit in commits]


class PipelinedWriter:
    """Sends statements over one connection and delivers the results, in one event loop and one at a time.

    It keeps its reader registered in between: adding and removing it for each statement would cost as much as all the rest.
    """

    def __init__(self, pgconn: pq.abc.PGconn, loop: asyncio.AbstractEventLoop) -> None:
        self.loop = loop
        self._pgconn = pgconn
        # A duplicate descriptor: a thread may close the connection, and its number may then belong to another socket.
        self._line = os.dup(pgconn.socket)
        self._told: Told | None = None
        """Callback for the statement under way."""
        self._result: pq.abc.PGresult | None = None
        self._listening = self._flushing = self._watching = False

    def send(self, commits: Sequence[Commit], seconds: float, told: Told) -> None:
        """Send the commits; ``told`` is called in the loop, later and exactly once.

        Its argument is the outcome; ``None`` if there was an objection to one of the commits and nothing was stored; ``Broken`` if that is
        unknown, also if there is no reply in time. Raises the error of a value that cannot be sent; then ``told`` is not called.
        """
        statement, parameters = _one(*commits) if _is_one_event(commits) else _statement_of(commits)
        try:
            self._pgconn.send_query_prepared(statement, parameters, _BINARY[: len(parameters)], result_format=1)
            self._flushing = bool(self._pgconn.flush())
        except psycopg.Error as error:
            self.loop.call_soon(told, Broken(str(error)))
            return
        self._commits, self._told, self._until, self._result = commits, told, self.loop.time() + seconds, None
        if self._flushing:
            self.loop.add_writer(self._line, self._flush)
        if not self._listening:
            self._listening = True
            self.loop.add_reader(self._line, self._read)
        self._watch()

    def close(self) -> None:
        """Give up the connection; callable from any thread. A pending callback gets ``Broken``, if the loop still runs."""
        try:
            self.loop.call_soon_threadsafe(self._leave)
        except RuntimeError:  # the loop is closed
            os.close(self._line)

    def _leave(self) -> None:
        self._end(Broken("the connection was given up"))
        self._stop_listening()
        os.close(self._line)

    def _stop_listening(self) -> None:
        self._listening = False
        self.loop.remove_reader(self._line)

    def _end(self, outcomes: list[CommitOutcome] | Exception | None) -> None:
        told, self._told = self._told, None
        if self._flushing:
            self._flushing = False
            # a socket with room in its buffer is always writable: the loop would call again and again
            self.loop.remove_writer(self._line)
        if told is not None:
            told(outcomes)

    def _watch(self) -> None:
        if not self._watching:
            self._watching = True
            self.loop.call_later(_LOOK, self._check_connection)

    def _check_connection(self) -> None:
        """Read and check the time limit at intervals.

        When a connection is reset, uvloop does not notify its reader; and a server may never reply.
        """
        self._watching = False
        if self._told is None:
            return
        self._watch()
        if self.loop.time() >= self._until:
            self._end(Broken("the server does not answer"))
        else:
            self._read()

    def _flush(self) -> None:
        try:
            self._flushing = bool(self._pgconn.flush())
        except psycopg.Error as error:
            self._end(Broken(str(error)))
            return
        if not self._flushing:
            self.loop.remove_writer(self._line)

    def _read(self) -> None:
        if self._told is None:  # a thread uses the connection, or it has ended
            self._stop_listening()
            return
        outcomes: list[CommitOutcome] | Exception | None
        try:
            result = self._finish_statement()
            if result is None:
                return
            outcomes = _read_results(result, self._commits)
        except psycopg.Error as error:
            outcomes = Broken(str(error))
        except Exception as error:  # whatever it is, the callback has to be called
            outcomes = error
        self._end(outcomes)

    def _finish_statement(self) -> pq.abc.PGresult | None:
        """Return the result once the statement is complete and the next one may be sent; ``None`` before that."""
        self._pgconn.consume_input()
        while not self._pgconn.is_busy():
            result = self._pgconn.get_result()
            if result is None:
                return self._result
            self._result = result
        return None


def _bases(commits: Sequence[Commit]) -> dict[UUID, int]:
    """Return the position in each stream that the first commit to it builds on."""
    bases: dict[UUID, int] = {}
    for commit in commits:
        for stream, base in commit.bases().items():
            bases.setdefault(stream, base)
    return bases


def _is_one_event(commits: Sequence[Commit]) -> bool:
    return len(commits) == 1 and len(commits[0].events) == 1


def _one(commit: Commit) -> tuple[bytes, Sequence[bytes]]:
    event, command = commit.events[0], commit.command
    parameters = (event.stream.bytes, _int4(event.position), event.name.encode(), event.state)
    if command is None:
        return _ONE, parameters
    return _ONE_KEYED, (*parameters, command.principal.encode(), command.key.encode(), command.fingerprint.encode())


def _statement_of(commits: Sequence[Commit]) -> tuple[bytes, Sequence[bytes]]:
    if any(commit.command for commit in commits):
        return _KEYED, (*_events(commits), *_commands(commits))
    return _PLAIN, _events(commits)


def _events(commits: Sequence[Commit]) -> tuple[bytes, ...]:
    events = [event for commit in commits for event in commit.events]
    known = [(stream, base) for stream, base in _bases(commits).items() if base > 0]
    return (
        _uuids(stream for stream, _ in known),
        _int4s(base for _, base in known),
        _int4(len(known)),
        _uuids(event.stream for event in events),
        _int4s(event.position for event in events),
        _texts(event.name for event in events),
        _array(_BYTEA, [event.state for event in events]),
    )


def _commands(commits: Sequence[Commit]) -> tuple[bytes, ...]:
    commands = [(commit.command, *commit.span(), commit.events[-1]) for commit in commits if commit.command]
    return (
        _texts(command.principal for command, *_ in commands),
        _texts(command.key for command, *_ in commands),
        _texts(command.fingerprint for command, *_ in commands),
        _uuids(game for _, game, *_ in commands),
        _int4s(first for _, _, first, *_ in commands),
        _int4s(last for *_, last, _ in commands),
        _uuids(event.stream for *_, event in commands),
        _int4s(event.position for *_, event in commands),
    )


# PostgreSQL's binary array format: dimensions, whether there are nulls, type, length, lower bound; then each value with
# its length before it. (array_recv in src/backend/utils/adt/arrayfuncs.c)


def _array(type: int, values: Sequence[bytes]) -> bytes:
    if not values:
        return pack(">iii", 0, 0, type)
    return _head(1, 0, type, len(values), 1) + b"".join([part for value in values for part in (_int4(len(value)), value)])


def _texts(values: Iterable[str]) -> bytes:
    return _array(_TEXT, [value.encode() for value in values])


def _uuids(values: Iterable[UUID]) -> bytes:
    return _array(_UUID, [value.bytes for value in values])


def _int4s(values: Iterable[int]) -> bytes:
    return _array(_INT4, [_int4(value) for value in values])


_PLAIN, _KEYED = b"kiebitz_append", b"kiebitz_append_keyed"
_ONE, _ONE_KEYED = b"kiebitz_append_one", b"kiebitz_append_one_keyed"
_STATEMENTS = {
    _PLAIN: STORE.format(beside=""),
    _KEYED: STORE.format(beside=ANSWERED),
    _ONE: STORE_ONE.format(beside=""),
    _ONE_KEYED: STORE_ONE.format(beside=ANSWERED_ONE),
}
_EVENTS = ("base_ids", "bases", "expected", "ids", "versions", "topics", "states")
_COMMANDS = ("principals", "keys", "fingerprints", "games", "firsts", "lasts", "last_ids", "last_versions")
_NUMBERS = {name: number for number, name in enumerate((*_EVENTS, *_COMMANDS), 1)}
_BINARY = [1] * len(_NUMBERS)


def _number_parameters(statement: str) -> bytes:
    """Return the statement with numbered parameters, in the order of ``_events`` and ``_commands``."""
    return _NAMES.sub(lambda found: f"${_NUMBERS[found[1]]}", statement).encode()
