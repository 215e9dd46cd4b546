"""Source stores for transfers, filled below their ports: a row or two in every table, whatever its columns are."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any
from uuid import UUID

from deploy.stores.opening import open_end, open_events
from deploy.stores.sqlite.connections import path_of
from deploy.stores.store_transfer import EPOCHS, EVENTS, REGISTERS, End
from domain.journal.commits import Commit, StoredEvent
from tests.migrated import migrated_file

GAMES = tuple(UUID(int=number, version=4) for number in (7, 1, 3))
STATES = (b"{}", b"\x00\\N\t\n\\x41", '{"card":"7♦"}'.encode(), bytes(range(256)))
"""As nobody stores them, and as a format of text would spoil them."""

_CHOSEN = {"disabled_why": "asked"}


def filled_file(path: Path, rounds: int = 5) -> str:
    """The URL of an embedded store in which every table has a row without and one with nulls, and three games so many rounds of events."""
    url = f"sqlite:///{path}"
    migrated_file(path)
    with closing(open_events(url)) as events:
        for position in range(1, rounds + 1):
            state = STATES[position % len(STATES)]
            events.commit_group([Commit((StoredEvent(game, position, "move.played/1", state),)) for game in GAMES])
    with closing(sqlite3.connect(path)) as file, file:
        for name in REGISTERS:
            for number in (2, 3):
                row = dict(_row(file, name, number))
                marks = ", ".join("?" * len(row))
                file.execute(f"INSERT INTO {name} ({', '.join(row)}) VALUES ({marks})", tuple(row.values()))
    return url


def _row(file: sqlite3.Connection, name: str, number: int) -> Iterator[tuple[str, Any]]:
    for column, kind, needed, key in file.execute('SELECT name, type, "notnull", pk FROM pragma_table_info(?)', (name,)):
        if number == 3 and not needed and not key:
            yield column, None
        elif kind == "INTEGER":
            yield column, number if key else 1
        elif kind == "BLOB":
            yield column, bytes([number]) * (32 if column == "key" else 16)  # ids have 16
        else:
            yield column, _CHOSEN.get(column, f"{column} {number} – ä\\N\t\n")


def rows(url: str) -> dict[str, list[tuple[Any, ...]]]:
    """All that stands in the file, table by table, but for where its epoch is."""
    with closing(sqlite3.connect(path_of(url))) as file:
        file.execute(f"UPDATE {EPOCHS} SET place = NULL")
        return {name: sorted(file.execute(f"SELECT * FROM {name}"), key=repr) for name in (EVENTS, *REGISTERS)}


@contextmanager
def ends(source: str, target: str) -> Iterator[tuple[End, End]]:
    with closing(open_end(source)) as there, closing(open_end(target)) as here, there.lock():
        yield there, here
