"""Tables as text: CSV for spreadsheets, NDJSON and JSON for programs."""

from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime

import msgspec

from api.common.tables.columns import Column, Row
from api.http.spreadsheets import csv_text

_ENCODE = msgspec.json.Encoder().encode


def ndjson(columns: Sequence[Column], steps: Iterable[Sequence[Row]]) -> Iterator[bytes]:
    """An object a line."""
    names = [column.name for column in columns]
    for rows in steps:
        yield b"".join(_ENCODE(dict(zip(names, row, strict=True))) + b"\n" for row in rows)


def json(columns: Sequence[Column], steps: Iterable[Sequence[Row]]) -> Iterator[bytes]:
    """One list of objects."""
    before = b"["
    for piece in ndjson(columns, steps):
        yield before + b",\n".join(piece.splitlines()) if piece else b""
        before = b",\n" if piece else before
    yield b"[]\n" if before == b"[" else b"]\n"


def csv(columns: Sequence[Column], steps: Iterable[Sequence[Row]]) -> Iterator[bytes]:
    """RFC 4180, with a heading."""
    yield f"{','.join(column.name for column in columns)}\r\n".encode()
    for rows in steps:
        yield "".join(f"{','.join(map(_cell, row))}\r\n" for row in rows).encode()


def _cell(value: object) -> str:
    match value:
        case None:
            return ""
        case bool():
            return "true" if value else "false"
        case datetime():
            return value.isoformat().replace("+00:00", "Z")
        case str():
            return csv_text(value)
    return str(value)
