"""Columns, described once: for headings, cells, types of files, and for the schema that programs read."""

from collections.abc import Sequence
from typing import Any, Literal, TypeAlias

from msgspec import Struct

ColumnType: TypeAlias = Literal["string", "integer", "number", "boolean", "datetime"]
Row: TypeAlias = Sequence[Any]
"""The cells of a row in the order of the columns; what is empty is ``None``, several in one cell are a text with commas."""


class Column(Struct, frozen=True):
    name: str
    type: ColumnType
    says: str
    required: bool = False


class Table(Struct, frozen=True):
    """``schema`` is the version of the columns: it rises when one changes its meaning, its type or its name, or goes. Columns may be added
    at the end without. ``title`` is what a row is, for people. ``unique``: the columns that no two rows have alike.
    """

    name: str
    schema: str
    title: str
    columns: tuple[Column, ...]
    unique: tuple[str, ...]


def table_schema(table: Table) -> dict[str, Any]:
    """The columns as a Table Schema (Data Package standard), which tools of data people read."""
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
