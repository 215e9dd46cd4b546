"""Columns of exported tables, described once: for headings, cells, types of files, and for the schema that programs read."""

from collections.abc import Callable, Generator, Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Annotated, Any, Literal, TypeAlias, TypeVar

from msgspec import UNSET, Meta, Struct, inspect, json

from api.http.response import csv_text, format_time

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
            return format_time(value)
        case str():
            return csv_text(value)
    return str(value)


ColumnType: TypeAlias = Literal["string", "integer", "number", "boolean", "datetime", "strings", "integers", "objects"]
Row: TypeAlias = Sequence[Any]
"""The cells of a row in the order of the columns; an empty cell is ``None``, several values in one cell are a list."""


class Column(Struct, frozen=True):
    """The description of a column. ``fields``: of a column of objects, their fields, which are integers."""

    name: str
    type: ColumnType
    says: str
    required: bool = False
    fields: tuple[str, ...] = ()


class Table(Struct, frozen=True):
    """The description of a table.

    ``schema`` is the version of the columns. It rises when a column is removed or changes its meaning, its type or its name. Columns may be
    added at the end without a new version. ``title`` says what a row is, for people. ``unique``: the columns that together identify a row.
    """

    name: str
    schema: str
    title: str
    columns: tuple[Column, ...]
    unique: tuple[str, ...]


_LISTS: Mapping[type[inspect.Type], ColumnType] = {inspect.IntType: "integers", inspect.StrType: "strings"}
_TYPES: Mapping[type[inspect.Type], ColumnType] = {
    inspect.IntType: "integer",
    inspect.FloatType: "number",
    inspect.BoolType: "boolean",
    inspect.DateTimeType: "datetime",
    inspect.StrType: "string",
    inspect.LiteralType: "string",
    inspect.DictType: "string",
    inspect.UUIDType: "string",
}


def columns_of(kind: type[Struct]) -> tuple[Column, ...]:
    """Return the columns of a table whose rows are Structs of this kind: one for each field, with its description."""
    found = inspect.type_info(kind)
    assert isinstance(found, inspect.StructType)
    return tuple(_column(field) for field in found.fields)


def _column(field: inspect.Field) -> Column:
    assert isinstance(field.type, inspect.Metadata)
    assert field.type.extra_json_schema
    kind = field.type.type
    kinds = kind.types if isinstance(kind, inspect.UnionType) else (kind,)
    required = field.required and not any(isinstance(one, inspect.NoneType) for one in kinds)
    type_, fields = _column_type(kinds[0])
    return Column(field.name, type_, field.type.extra_json_schema["description"], required, fields)


def _column_type(kind: inspect.Type) -> tuple[ColumnType, tuple[str, ...]]:
    """Return the type of a column, and the fields of its objects."""
    match kind:
        case inspect.ListType(item_type=inspect.StructType(fields=fields)):
            return "objects", tuple(one.name for one in fields)
        case inspect.VarTupleType(item_type=item):
            return _LISTS[type(item)], ()
        case _:
            return _TYPES[type(kind)], ()


def row_of(table: Table, one: object, **told: object) -> Row:
    """Return the cells of a row: the value in ``told`` by the name of the column, else the attribute of that name."""
    cells = (told[column.name] if column.name in told else getattr(one, column.name) for column in table.columns)
    return [None if cell is UNSET else cell for cell in cells]


def table_schema(table: Table) -> dict[str, Any]:
    """Return the columns as a Table Schema (Data Package standard), which data tools read."""
    fields = [_field(column) for column in table.columns]
    return {
        "version": table.schema,
        "title": table.title,
        "fields": fields,
        "fieldsMatch": "partial",
        "uniqueKeys": [list(table.unique)],
        "missingValues": [""],
    }


def _field(column: Column) -> dict[str, Any]:
    kind: dict[str, Any] = {"type": "array"} if column.fields else {"type": column.type}
    if column.type in ("strings", "integers"):
        kind = {"type": "list", "itemType": column.type[:-1]}
    described = {"name": column.name, **kind, "description": column.says}
    return {**described, "constraints": {"required": True}} if column.required else described


def flatten_cells(row: Row) -> Row:
    """Return the row for formats that know no lists: several values are a text with commas, objects are JSON, none is an empty cell."""
    return [_flatten(cell) if isinstance(cell, (list, tuple)) else cell for cell in row]


def _flatten(cell: Sequence[Any]) -> str | None:
    if cell and isinstance(cell[0], Struct):
        return json.encode(cell).decode()
    return ",".join("" if one is None else str(one) for one in cell) or None


# Steps of rows become the bytes of a file.


Step = TypeVar("Step")
Pieces: TypeAlias = Generator[bytes, None, None]
Make: TypeAlias = Callable[[Iterator[Step]], Pieces]
Write: TypeAlias = Callable[[Path, Iterator[Step]], None]

_PIECE = 256 * 1024  # bytes passed on at a time


def through_a_file(write: Write[Step]) -> Make[Step]:
    """Make a file on the disk first and pass it on in pieces, for formats that cannot be written from front to back."""

    def make(steps: Iterator[Step]) -> Pieces:
        with TemporaryDirectory(prefix="kiebitz-") as folder:
            file = Path(folder) / "export"
            write(file, steps)
            with file.open("rb") as stream:
                while piece := stream.read(_PIECE):
                    yield piece

    return make
