"""Formats of a response: each resource that has several keeps a table of them, by the names that its query takes."""

import re
from collections.abc import Mapping
from functools import lru_cache
from typing import Any, TypeVar

from msgspec import Struct

from api.http import media_types
from api.http.request import Request, header, media_type

_TEXT = {"type": "string"}


class Format(Struct, frozen=True):
    """A format.

    ``schema``: its schema in the OpenAPI document. ``parameters`` of the media type are sent with it. ``binary``: no terminal can show it.
    """

    media_type: str
    schema: Any
    parameters: str = ""
    binary: bool = False

    @property
    def content_type(self) -> str:
        return self.media_type + self.parameters


CSV = Format(media_types.CSV, _TEXT, "; charset=utf-8; header=present")
HTML = Format(media_types.HTML, _TEXT, "; charset=utf-8")
Name = TypeVar("Name", bound=str)


def binary_format(media_type: str) -> Format:
    return Format(media_type, {**_TEXT, "contentMediaType": media_type}, binary=True)


def schemas(formats: Mapping[Name, Format]) -> dict[str, Any]:
    """Return the schemas by media type, for the OpenAPI document."""
    return {one.media_type: one.schema for one in formats.values()}


def choose_format(request: Request, named: Name | None, formats: Mapping[Name, Format]) -> Name:
    """Return the format that the query names, else the one that fits ``Accept`` best. Raises ``NotAcceptable``."""
    if named is not None:
        return named
    best = media_type(header(request, b"accept"), tuple(schemas(formats)))
    return next(name for name, one in formats.items() if one.media_type == best)


# Cells of spreadsheets. Text that people write must not become a formula in somebody's spreadsheet (OWASP: CSV injection).


_FORMULA = re.compile(
    r"""
    (?P<before>^|[;\t\r\n])          # where a cell begins, also for programs that part cells there though the file does not
    (?=[\s"'\ufeff\u200b-\u200f]*       # what is left out before a formula
       [=+\-@\uff1d\uff0b\uff0d\uff20\ufe66\ufe62\ufe63\ufe6b]  # and in the forms of full and small width
     |[\t\r\n])""",
    re.VERBOSE,
)
_QUOTED = frozenset(',;"\t\r\n')


def escape_cell(cell: object) -> object:
    """Put an apostrophe before text that a spreadsheet would read as a formula, or as cells one of which is a formula. Numbers stay
    numbers.
    """
    return _FORMULA.sub(r"\g<before>'", cell) if isinstance(cell, str) else cell


@lru_cache(maxsize=10_000)
def csv_text(text: str | None) -> str:
    """Return a cell of RFC 4180. Text with other separators is quoted too, so that programs that split there keep one cell."""
    cell = str(escape_cell(text or ""))
    return '"{}"'.format(cell.replace('"', '""')) if _QUOTED.intersection(cell) else cell
