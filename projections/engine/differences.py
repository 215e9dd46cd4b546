"""Which rows of two sets of tables differ: the running ones, and those that were filled from the events to compare."""

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from hashlib import sha256

import msgspec
from msgspec import Struct

from projections.engine.contents import table_sums
from projections.engine.projection import Projection
from projections.engine.store import Reads, Row

_EXAMPLES = 3
_FIRST_COLUMN = re.compile(r"\(\s*(\w+)")


class TableDifference(Struct, frozen=True):
    """``beyond`` counts rows that do not follow from the events, ``lacking`` those that do and are not there; a changed row is in both.

    ``examples`` are some of their values in the first column, which is named ``key``.
    """

    table: str
    beyond: int
    lacking: int
    key: str
    examples: tuple[str, ...]


def differences(running: Reads, rebuilt: Reads, projection: Projection) -> tuple[TableDifference, ...]:
    """One for each table that differs, by name."""
    ours, theirs = table_sums(running, projection.tables), table_sums(rebuilt, projection.tables)
    return tuple(_difference(running, rebuilt, table, projection.tables) for table in sorted(ours) if ours[table] != theirs[table])


def _difference(running: Reads, rebuilt: Reads, table: str, tables: Mapping[str, tuple[str, ...]]) -> TableDifference:
    counts = Counter(map(_mark, _rows(running, table)))
    counts.subtract(map(_mark, _rows(rebuilt, table)))
    beyond, lacking = +counts, -counts
    examples = dict.fromkeys((*_some(running, table, beyond), *_some(rebuilt, table, lacking)))
    key = _FIRST_COLUMN.search(tables[table][0])
    return TableDifference(table, beyond.total(), lacking.total(), key[1] if key else "", tuple(examples)[:_EXAMPLES])


def _some(reads: Reads, table: str, marks: Mapping[bytes, int]) -> tuple[str, ...]:
    """What rows with these marks have in the first column: as many values as examples are told."""
    found: set[str] = set()
    for row in _rows(reads, table) if marks else ():
        if len(found) < _EXAMPLES and _mark(row) in marks:
            found.add(str(row[0]))
    return tuple(sorted(found))


def _rows(reads: Reads, table: str) -> Iterator[Row]:
    return reads.rows(f"SELECT * FROM {table}")


def _mark(row: Row) -> bytes:
    """Short, because there may be one for each row of a table in memory."""
    return sha256(msgspec.json.encode(row)).digest()[:16]
