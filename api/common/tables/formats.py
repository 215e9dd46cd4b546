"""File formats of exported tables, and the encoding of rows in each."""

from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime
from typing import Any, Literal, TypeAlias

import msgspec

from api.common.tables.columns import Column, Make, Pieces, Row, Table, through_a_file
from api.common.tables.parquet import check_parquet, write_parquet
from api.common.tables.xlsx import write_xlsx
from api.http.formats import CSV, Format, binary_format, csv_text
from api.http.media_types import JSON, NDJSON, PARQUET

# Tables as text: CSV for spreadsheets, NDJSON and JSON for programs.


_ENCODE = msgspec.json.Encoder().encode


def encode_json_lines(columns: Sequence[Column], steps: Iterable[Sequence[Row]]) -> Iterator[bytes]:
    """Yield one JSON object per line."""
    names = [column.name for column in columns]
    for rows in steps:
        yield b"".join(_ENCODE(dict(zip(names, row, strict=True))) + b"\n" for row in rows)


def json(columns: Sequence[Column], steps: Iterable[Sequence[Row]]) -> Iterator[bytes]:
    """Yield one list of objects."""
    before = b"["
    for piece in encode_json_lines(columns, steps):
        yield before + b",\n".join(piece.splitlines()) if piece else b""
        before = b",\n" if piece else before
    yield b"[]\n" if before == b"[" else b"]\n"


def csv(columns: Sequence[Column], steps: Iterable[Sequence[Row]]) -> Iterator[bytes]:
    """Yield CSV (RFC 4180) with a heading."""
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


FormatName: TypeAlias = Literal["ndjson", "csv", "xlsx", "parquet"]
FormName: TypeAlias = Literal["json", FormatName]
"""Over HTTP JSON comes page by page."""

FILES: dict[Any, Format] = {
    "ndjson": Format(NDJSON, {"type": "string"}),
    "csv": CSV,
    "xlsx": binary_format("application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"),
    "parquet": binary_format(PARQUET),
}
LABELS = ("NDJSON", "CSV", "XLSX", "Parquet")


def list_formats(page: type) -> dict[FormName, Format]:
    """Return the formats of a list whose JSON pages are of this type."""
    return {"json": Format(JSON, page), **FILES}


def check_installed(format: FormName) -> None:
    """Raise ``NotInstalled`` if the library for this format is missing."""
    if format == "parquet":
        check_parquet()


def pieces(table: Table, format: FormName, at: datetime, steps: Iterable[Sequence[Row]]) -> Pieces:
    """Yield the bytes of the file; ``at``: when it is made. Raises ``NotInstalled``."""
    check_installed(format)
    match format:
        case "json":
            yield from json(table.columns, steps)
        case "ndjson":
            yield from encode_json_lines(table.columns, steps)
        case "csv":
            yield from csv(table.columns, steps)
        case "xlsx":
            make: Make[Sequence[Row]] = through_a_file(
                lambda file, some: write_xlsx(file, table.name, table.columns, _each(some), table.schema, at)
            )
            yield from make(iter(steps))
        case "parquet":
            make = through_a_file(lambda file, some: write_parquet(file, table.columns, some, table.schema, None))
            yield from make(iter(steps))


def _each(steps: Iterable[Sequence[Row]]) -> Iterator[Row]:
    return (row for rows in steps for row in rows)
