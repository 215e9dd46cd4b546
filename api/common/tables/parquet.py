"""Tables as Parquet, for the extra ``parquet``. Row groups are written to the disk when they are full."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import accumulate
from pathlib import Path
from typing import TYPE_CHECKING, Any

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
    from arro3.core import DataType

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
        case "strings" | "integers" | "objects":
            return DataType.list(_item_type(column))


def _item_type(column: Column) -> "core.DataType":
    from arro3.core import DataType, Field

    match column.type:
        case "objects":
            return DataType.struct([Field(name, DataType.int64()) for name in column.fields])
        case "strings":
            return DataType.utf8()
        case _:
            return DataType.int64()


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
        items = Array(flat, type=_item_type(column))
    return list_array(offsets, items, type=_type(column), mask=Array([value is None for value in values], type=DataType.bool()))
