"""What the tables of a projection hold, as one number: the same rows give the same one, on either database and in any order."""

from collections.abc import Iterable
from hashlib import sha256

import msgspec

from projections.engine.store import Reads

_ROOM = 2**256


def content(reads: Reads, tables: Iterable[str]) -> str:
    """64 hexadecimal digits."""
    found = sha256()
    for table in sorted(tables):
        found.update(f"{table}\0{_sum(reads, table):064x}\n".encode())
    return found.hexdigest()


def _sum(reads: Reads, table: str) -> int:
    """Of the digests of the rows. A sum does not ask for their order, and unlike exclusive or sees a row that is there twice."""
    encode = msgspec.json.Encoder().encode
    return sum(int.from_bytes(sha256(encode(row)).digest()) for row in reads.rows(f"SELECT * FROM {table}")) % _ROOM
