"""What a store holds, by digests that are the same on every database."""

from collections import defaultdict
from hashlib import sha256
from operator import itemgetter
from typing import Any, NamedTuple
from uuid import UUID

import msgspec

from deploy.stores.transferring.ends import End, Tell, counted
from deploy.stores.transferring.tables import EVENTS, LOCAL, REGISTERS

_packed = msgspec.msgpack.Encoder().encode  # says of each value what it is and where it ends


class Contents(NamedTuple):
    """A SHA-256 of each stream, of its sequences, positions, names and stored bytes, and of each register, of all its rows."""

    streams: dict[bytes, bytes]
    registers: dict[str, bytes]

    @property
    def digest(self) -> str:
        """Of all of it."""
        return sha256(_packed((sorted(self.streams.items()), sorted(self.registers.items())))).hexdigest()

    def differences(self, other: "Contents") -> list[str]:
        """The streams and registers that are not the same in both."""
        streams = sorted(self.streams.items() ^ other.streams.items())
        registers = sorted(self.registers.items() ^ other.registers.items())
        return [*dict.fromkeys(name for name, _ in registers), *dict.fromkeys(str(UUID(bytes=id)) for id, _ in streams)]


def contents(end: End, tell: Tell) -> Contents:
    """Within a transaction."""
    return Contents(_streams(end, tell), {name: _register(end, name, tell) for name in REGISTERS})


def _streams(end: End, tell: Tell) -> dict[bytes, bytes]:
    table = end.table(EVENTS)
    stream = itemgetter(table.columns.index("originator_id"))
    found: defaultdict[bytes, Any] = defaultdict(sha256)
    with end.rows(table) as rows:
        for row in counted(rows, tell):
            found[stream(row)].update(_packed(row))
    return {id: digest.digest() for id, digest in found.items()}


def _register(end: End, name: str, tell: Tell) -> bytes:
    table = end.table(name)
    compared = itemgetter(*(place for place, column in enumerate(table.columns) if column not in LOCAL.get(name, ())))
    digest = sha256()
    with end.rows(table) as rows:
        for row in counted(rows, tell):
            digest.update(_packed(compared(row)))
    return digest.digest()
