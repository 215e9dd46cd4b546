"""The forms in which tables come whole, and how rows become the bytes of one."""

from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime
from typing import Any, Literal, TypeAlias

from api.common.tables import text
from api.common.tables.columns import Row, Table
from api.common.tables.parquet import check_parquet, write_parquet
from api.common.tables.through_a_file import Make, Pieces, through_a_file
from api.common.tables.xlsx import write_xlsx
from api.http.formats import CSV, Format, binary_format
from api.http.media_types import JSON, NDJSON

FormatName: TypeAlias = Literal["ndjson", "csv", "xlsx", "parquet"]
FormName: TypeAlias = Literal["json", FormatName]
"""Over HTTP JSON comes page by page."""

FILES: dict[Any, Format] = {
    "ndjson": Format(NDJSON, {"type": "string"}),
    "csv": CSV,
    "xlsx": binary_format("application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"),
    "parquet": binary_format("application/vnd.apache.parquet"),
}
LABELS = ("NDJSON", "CSV", "XLSX", "Parquet")


def list_formats(page: type) -> dict[FormName, Format]:
    """Of a list whose pages of JSON are of this type."""
    return {"json": Format(JSON, page), **FILES}


def check_installed(format: FormName) -> None:
    """Raises ``NotInstalled``."""
    if format == "parquet":
        check_parquet()


def pieces(table: Table, format: FormName, at: datetime, steps: Iterable[Sequence[Row]]) -> Pieces:
    """The bytes of the file; ``at``: when it is made. Raises ``NotInstalled``."""
    check_installed(format)
    match format:
        case "json":
            yield from text.json(table.columns, steps)
        case "ndjson":
            yield from text.ndjson(table.columns, steps)
        case "csv":
            yield from text.csv(table.columns, steps)
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
