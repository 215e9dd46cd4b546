"""Encoders of tables: Parquet, for the extra ``parquet``, and spreadsheets (XLSX). Rows go to the disk as they come, in constant memory."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import datetime
from itertools import accumulate
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from xlsxwriter import Workbook

from api.common.tables.columns import Column, Row
from api.http.errors import NotInstalled
from projections.values import microseconds

if TYPE_CHECKING:
    from arro3 import core

_ROW_GROUP = 128 * 1024  # lines; a full group is written to the disk and freed


def check_parquet() -> None:
    """Raise ``NotInstalled`` if the library is missing."""
    try:
        import arro3.core
        import arro3.io  # noqa: F401
    except ImportError as error:
        raise NotInstalled("parquet") from error


def write_parquet(file: Path, columns: Sequence[Column], steps: Iterable[Sequence[Row]], schema: str, as_of: int | None) -> None:
    """Write the file, with the version of the columns in the file's metadata and ``as_of`` in that of its Arrow schema.

    They are apart because the library changes the order of two entries in one place from run to run, and the same lines have to give the
    same bytes.
    """
    from arro3 import core, io

    fields = [core.Field(column.name, _type(column), nullable=not column.required) for column in columns]
    told = core.Schema(fields, metadata={} if as_of is None else {"kiebitz.as_of": str(as_of)})
    reader = core.RecordBatchReader.from_batches(told, _batches(told, columns, steps))
    about = {"kiebitz.schema": schema}
    io.write_parquet(reader, file, compression="zstd(3)", max_row_group_size=_ROW_GROUP, key_value_metadata=about)


def _batches(schema: "core.Schema", columns: Sequence[Column], steps: Iterable[Sequence[Row]]) -> Iterator["core.RecordBatch"]:
    from arro3 import core

    for rows in steps:
        yield core.RecordBatch.from_arrays([_array(column, [row[n] for row in rows]) for n, column in enumerate(columns)], schema=schema)


def _type(column: Column) -> "core.DataType":
    from arro3.core import DataType, Field

    match column.type:
        case "string":
            return DataType.utf8()
        case "integer":
            return DataType.int64()
        case "number":
            return DataType.float64()
        case "boolean":
            return DataType.bool()
        case "datetime":
            return DataType.timestamp("us", tz="UTC")
        case "strings":
            return DataType.list(DataType.utf8())
        case "integers":
            return DataType.list(DataType.int64())
        case "objects":
            return DataType.list(DataType.struct([Field(name, DataType.int64()) for name in column.fields]))


def _array(column: Column, values: list[Any]) -> "core.Array":
    from arro3.core import Array, DataType

    if column.type == "datetime":
        return Array([None if value is None else microseconds(value) for value in values], type=DataType.int64()).cast(_type(column))
    if column.type in ("strings", "integers", "objects"):
        return _list_array(column, values)
    if column.type == "number":
        values = [None if value is None else float(value) for value in values]
    return Array(values, type=_type(column))


def _list_array(column: Column, values: Sequence[Sequence[Any] | None]) -> "core.Array":
    from arro3.core import Array, DataType, Field, list_array, struct_array

    offsets = Array([0, *accumulate(len(value or ()) for value in values)], type=DataType.int32())
    flat = [one for value in values for one in value or ()]
    if column.fields:
        parts = [Array([getattr(one, name) for one in flat], type=DataType.int64()) for name in column.fields]
        items = struct_array(parts, fields=[Field(name, DataType.int64()) for name in column.fields])
    else:
        items = Array(flat, type=cast("core.DataType", _type(column).value_type))
    return list_array(offsets, items, type=_type(column), mask=Array([value is None for value in values], type=DataType.bool()))


# Tables as spreadsheets (XLSX). Rows are written to the disk one by one, so that a file of any length takes constant memory.


LINES_A_SHEET = 1_048_575
"""Most lines of a sheet below its head; further lines go on further sheets."""

_OPTIONS = {
    "constant_memory": True,
    "strings_to_formulas": False,
    "strings_to_urls": False,
    "strings_to_numbers": False,
    "remove_timezone": True,
    "default_date_format": "yyyy-mm-dd hh:mm:ss",
}


def write_xlsx(
    file: Path,
    name: str,
    columns: Sequence[Column],
    rows: Iterable[Row],
    says: str,
    at: datetime,
    lines_a_sheet: int = LINES_A_SHEET,
) -> None:
    """Write the file. Text stays text, never a formula, a link or a number.

    ``says`` goes into the file's properties; ``at`` is when it is made.
    """
    with Workbook(file, {**_OPTIONS, "tmpdir": str(file.parent)}) as book:
        book.set_properties({"title": name.capitalize(), "comments": says, "created": at.replace(tzinfo=None)})
        write, number = _sheet(book, name, columns), 0
        for row in rows:
            if number == lines_a_sheet:
                write, number = _sheet(book, name, columns), 0
            number += 1
            for column, (value, cell) in enumerate(zip(row, write, strict=False)):
                if value is not None:
                    cell(number, column, value)


def _sheet(book: Workbook, name: str, columns: Sequence[Column]) -> list[Callable[[int, int, Any], object]]:
    """Add a sheet with its head. Return the function that writes a cell, for each column."""
    sheet = book.add_worksheet(f"{name} {len(book.worksheets()) + 1}")
    sheet.freeze_panes(1, 0)
    sheet.write_row(0, 0, [column.name for column in columns], book.add_format({"bold": True}))
    kinds = {
        "string": sheet.write_string,
        "integer": sheet.write_number,
        "number": sheet.write_number,
        "boolean": sheet.write_boolean,
        "datetime": sheet.write_datetime,
        "strings": sheet.write_string,
        "integers": sheet.write_string,
        "objects": sheet.write_string,
    }
    return [kinds[column.type] for column in columns]
