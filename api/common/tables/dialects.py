"""CSV (RFC 4180) and its dialect for German spreadsheets, which read numbers and separators by the language of their computer."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from typing import Annotated, Literal, TypeAlias

from msgspec import Meta, Struct

from api.http.formats import csv_text

DialectName: TypeAlias = Literal["excel-de"]
CsvDialect: TypeAlias = Annotated[
    DialectName | None, Meta(description="of CSV: `excel-de` for German spreadsheets (semicolons, decimal commas, a byte order mark)")
]


class Dialect(Struct, frozen=True):
    """The signs of a CSV file. ``mark`` begins it, by which spreadsheets know that it is UTF-8."""

    separator: str = ","
    decimal: str = "."
    mark: str = ""


DIALECTS: Mapping[DialectName | None, Dialect] = {None: Dialect(), "excel-de": Dialect(";", ",", "\ufeff")}


def encode_csv(heading: Sequence[str], steps: Iterable[Iterable[Sequence[object]]], name: DialectName | None = None) -> Iterator[bytes]:
    """Yield the heading, then the lines of each step. Text never becomes a formula (``csv_text``)."""
    dialect = DIALECTS[name]
    yield f"{dialect.mark}{dialect.separator.join(heading)}\r\n".encode()
    for rows in steps:
        yield "".join(f"{dialect.separator.join(_cell(value, dialect) for value in row)}\r\n" for row in rows).encode()


def _cell(value: object, dialect: Dialect) -> str:
    match value:
        case None:
            return ""
        case bool():
            return "true" if value else "false"
        case float():
            return str(value).replace(".", dialect.decimal)
        case datetime():
            return value.isoformat().replace("+00:00", "Z")
        case str():
            return csv_text(value)
    return str(value)
