"""Columns of exported tables, described once: for headings, cells, types of files, and for the schema that programs read."""

from collections.abc import Callable, Generator, Iterator, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Literal, TypeAlias, TypeVar

from litestar.handlers import HTTPRouteHandler
from msgspec import UNSET, Struct

from api.http.media_types import JSON
from api.http.operations import Content, Operation, reads
from api.http.request import Request
from api.http.response import Response, encode

ColumnType: TypeAlias = Literal["string", "integer", "number", "boolean", "datetime"]
Row: TypeAlias = Sequence[Any]
"""The cells of a row in the order of the columns; an empty cell is ``None``, several values in one cell are a text with commas."""


class Column(Struct, frozen=True):
    name: str
    type: ColumnType
    says: str
    required: bool = False


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
    described = {"name": column.name, "type": column.type, "description": column.says}
    return {**described, "constraints": {"required": True}} if column.required else described


# The columns of a table are public: a route for each table, which its wing joins.


def columns_route(table: Table, tag: str) -> HTTPRouteHandler:
    """Return the route ``GET /v1/tables/{name}``."""
    schema: dict[str, Any] = table_schema(table)
    operation = Operation(
        id=f"read_{table.name}_columns",
        tag=tag,
        summary=f"Read the columns of the table of {table.name}, as a Table Schema",
        description=(
            "`version` rises when a column changes its name, type or meaning, or is removed. Columns may be added at the end "
            "without a new version."
        ),
        responses={200: Content("the schema", {JSON: {"type": "object"}})},
        role="anybody",
    )

    async def read_columns(request: Request) -> Response:
        return Response(encode(schema), headers=[("cache-control", "public, max-age=3600")])

    return reads(f"/v1/tables/{table.name}", operation)(read_columns)


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
