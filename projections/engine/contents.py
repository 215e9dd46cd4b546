"""A digest of the tables of a projection: the same rows give the same digest, on either database and in any order."""

from collections.abc import Iterable
from hashlib import sha256

import msgspec

from projections.engine.store import Reads

_ROOM = 2**256  # sums stay as long as one SHA-256


def content(reads: Reads, tables: Iterable[str]) -> str:
    """64 hexadecimal digits."""
    found = sha256()
    for table, rows in table_sums(reads, tables).items():
        found.update(f"{table}\0{rows:064x}\n".encode())
    return found.hexdigest()


def table_sums(reads: Reads, tables: Iterable[str]) -> dict[str, int]:
    """A number for what each of the tables holds, by name and in this order."""
    return {table: _sum(reads, table) for table in sorted(tables)}


def _sum(reads: Reads, table: str) -> int:
    """The sum of the digests of the rows. It does not depend on their order, and unlike exclusive or it sees a row that is there twice."""
    encode = msgspec.json.Encoder().encode
    return sum(int.from_bytes(sha256(encode(row)).digest()) for row in reads.rows(f"SELECT * FROM {table}")) % _ROOM
