"""Score lines as Parquet, for the extra ``parquet``. Row groups go to the disk as they are full."""

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from api.http.errors import NotInstalled
from api.scores.schema import SCHEMA, Column, Names, ScoreLine, columns, score_lines
from projections.models.score_lines.score_list import GameEntries
from projections.values import microseconds

if TYPE_CHECKING:
    from arro3 import core

_ROW_GROUP = 128 * 1024  # lines; a full group goes to the disk and leaves the memory


def check_parquet() -> None:
    """Raises ``NotInstalled``."""
    try:
        import arro3.core
        import arro3.io  # noqa: F401
    except ImportError as error:
        raise NotInstalled("Parquet files", "parquet") from error


def write_parquet(file: Path, steps: Iterable[tuple[list[GameEntries], Names | None]], named: bool, as_of: int) -> None:
    """With the version of the columns in the file's metadata, and ``as_of`` in that of its Arrow schema: of two entries in one place the
    library changes the order from run to run, and the same lines are to be the same bytes."""
    from arro3 import core, io

    told = columns(named)
    fields = [core.Field(column.name, _type(column), nullable=not column.required) for column in told]
    schema = core.Schema(fields, metadata={"kiebitz.as_of": str(as_of)})
    reader = core.RecordBatchReader.from_batches(schema, _batches(schema, told, steps))
    about = {"kiebitz.schema": SCHEMA}
    io.write_parquet(reader, file, compression="zstd(3)", max_row_group_size=_ROW_GROUP, key_value_metadata=about)


def _batches(
    schema: "core.Schema", told: Sequence[Column], steps: Iterable[tuple[list[GameEntries], Names | None]]
) -> Iterator["core.RecordBatch"]:
    from arro3 import core

    for some, names in steps:
        rows = [line for found in some for line in score_lines(found, names)]
        yield core.RecordBatch.from_arrays([_array(column, rows) for column in told], schema=schema)


def _type(column: Column) -> "core.DataType":
    from arro3.core import DataType

    match column.type:
        case "string":
            return DataType.utf8()
        case "integer":
            return DataType.int64()
        case "datetime":
            return DataType.timestamp("us", tz="UTC")


def _array(column: Column, rows: Sequence[ScoreLine]) -> "core.Array":
    from arro3.core import Array, DataType

    values: list[Any] = [getattr(line, column.name) for line in rows]
    if column.type == "datetime":
        return Array([None if value is None else microseconds(value) for value in values], type=DataType.int64()).cast(_type(column))
    return Array(values, type=_type(column))
