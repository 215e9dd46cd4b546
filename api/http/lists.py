"""Uploaded lists as NDJSON or CSV, one item per line: each line with its number, and the problem of a refused line.

CSV is read as spreadsheets write it: UTF-8 with or without a byte order mark, columns named in the first line; the separator is a comma, a
semicolon or a tab.
"""

import csv
import io
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TypeAlias

from msgspec import UNSET, Struct, UnsetType

from api.http.decoding import ResponseModel
from api.http.errors import BadRequest, say
from api.http.media_types import NDJSON
from api.http.response import encode
from domain.errors import Exists, InvalidFormatError
from domain.texts import Phrase


class LineProblem(ResponseModel, frozen=True, kw_only=True):
    """The reason why a line was refused; ``where`` names the field."""

    code: str
    message: str
    where: str | UnsetType = UNSET


class Columns(Struct, frozen=True):
    """The columns of a list in CSV: accepted headings, the sentence about others, and the function that makes an item of a line's cells."""

    known: Callable[[Sequence[str]], bool]
    says: Phrase
    item: Callable[[Mapping[str, str]], object] = dict


LineError: TypeAlias = InvalidFormatError | BadRequest | Exists
"""The errors that a line can have."""


def problem_of(error: LineError, language: str) -> LineProblem:
    where = "id" if isinstance(error, Exists) else error.where
    return LineProblem(code=error.code, message=error.in_words(language), where=where or UNSET)


def lines_of(body: bytes, kind: str, columns: Columns) -> Iterator[tuple[int, bytes]]:
    """Yield each line that is not blank as JSON, with its number in the file.

    Raises ``BadRequest`` for what is no CSV, and ``InvalidFormatError`` for another heading, while it is read.
    """
    if kind == NDJSON:
        return ((number, line) for number, line in enumerate(body.split(b"\n"), 1) if line.strip())
    return ((number, encode(columns.item(cells))) for number, cells in _rows(body, columns))


def _rows(body: bytes, columns: Columns) -> Iterator[tuple[int, dict[str, str]]]:
    try:
        text = body.decode("utf-8-sig")
        reader = csv.reader(io.StringIO(text, newline=""), delimiter=find_separator(text), strict=True)
        heading = [cell.strip().lower() for cell in next(reader, [])]
        if len(set(heading)) < len(heading) or not columns.known(heading):
            raise InvalidFormatError("bad_heading", say("bad_heading", columns=columns.says), "line 1")
        yield from ((reader.line_num, cells_of(heading, row)) for row in reader if any(cell.strip() for cell in row))
    except UnicodeDecodeError as error:
        raise BadRequest("malformed_csv", say("csv_not_utf8", byte=error.start)) from error
    except csv.Error as error:
        raise BadRequest("malformed_csv", say("no_csv"), f"line {reader.line_num}") from error


def find_separator(text: str) -> str:
    """Return the separator of the first line: a comma, a semicolon or a tab."""
    heading = text.partition("\n")[0]
    return max((",", ";", "\t"), key=heading.count)


def cells_of(heading: Sequence[str], row: Sequence[str]) -> dict[str, str]:
    """Return the cells of a line by column, empty ones left out.

    A surplus cell gets a column of its own, so that it is refused like any unknown field.
    """
    named = {name: cell.strip() for name, cell in zip(heading, row, strict=False) if cell.strip()}
    return named | {f"column {number}": cell for number, cell in enumerate(row, 1) if number > len(heading)}
