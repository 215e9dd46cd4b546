"""Uploaded lists as NDJSON or CSV, one item per line: each line with its number, and the problem of a refused line.

CSV is read as spreadsheets write it: UTF-8 with or without a byte order mark, or the encodings of Windows; columns named in the first line,
in English or German; the separator is a comma, a semicolon or a tab. Other columns are ignored, and a remark names them.
"""

import codecs
import csv
import io
import re
from collections.abc import Callable, Mapping, Sequence
from typing import TypeAlias

from msgspec import UNSET, Struct, UnsetType

from api.http.decoding import ResponseModel
from api.http.errors import BadRequest, say
from api.http.media_types import NDJSON
from api.http.response import encode
from domain.errors import Exists, InvalidFormatError
from domain.texts import Phrase, render


class LineProblem(ResponseModel, frozen=True, kw_only=True):
    """The reason why a line was refused; ``where`` names the field."""

    code: str
    message: str
    where: str | UnsetType = UNSET


class ListRemark(ResponseModel, frozen=True, kw_only=True):
    """A remark on how a list was read."""

    code: str
    sentence: str


GERMAN = {"verein": "club", "spieler": "player", "kennung": "id", "wertzahl": "rating", "wertungszahl": "rating", "ab runde": "from_round"}
"""The columns of German headings."""


class Columns(Struct, frozen=True):
    """The columns of a list in CSV: those that are read, the one that is needed, the sentence about both, and the function that makes an
    item of a line's cells.
    """

    known: re.Pattern[str]
    needed: re.Pattern[str]
    says: Phrase
    item: Callable[[Mapping[str, str]], object] = dict


class UploadedList(Struct, frozen=True):
    """The lines that are not blank, as JSON, by their numbers in the file; and the remarks on the whole list, by their codes."""

    lines: list[tuple[int, bytes]]
    remarks: Mapping[str, Phrase]

    def list_warnings(self, language: str) -> list[ListRemark]:
        return [ListRemark(code=code, sentence=render(says, language)) for code, says in self.remarks.items()]


LineError: TypeAlias = InvalidFormatError | BadRequest | Exists
"""The errors that a line can have."""


def problem_of(error: LineError, language: str) -> LineProblem:
    where = "id" if isinstance(error, Exists) else error.where
    return LineProblem(code=error.code, message=error.in_words(language), where=where or UNSET)


def read_list(body: bytes, kind: str, columns: Columns) -> UploadedList:
    """Read the list. Raises ``BadRequest`` for what is no CSV, and ``InvalidFormatError`` for a heading without the needed column."""
    if kind == NDJSON:
        return UploadedList([(number, line) for number, line in enumerate(body.split(b"\n"), 1) if line.strip()], {})
    text, remarks = _decode_text(body)
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=find_separator(text), strict=True)
    try:
        heading = next(reader, [])
        if names_separator(text.partition("\n")[0]):
            heading = next(reader, [])
        names = _name_columns(heading, columns)
        if ignored := [cell.strip() for cell, name in zip(heading, names, strict=True) if cell.strip() and name is None]:
            remarks["columns_ignored"] = say("columns_ignored", columns=ignored)
        rows = [(reader.line_num, cells_of(names, row)) for row in reader if any(cell.strip() for cell in row)]
        return UploadedList([(number, encode(columns.item(cells))) for number, cells in rows], remarks)
    except csv.Error as error:
        raise BadRequest("malformed_csv", say("no_csv"), f"line {reader.line_num}") from error


_SEPARATOR = re.compile("sep=([,;\t])", re.IGNORECASE)


def names_separator(first: str) -> bool:
    """Return whether the first line only names the separator, as some spreadsheets write it."""
    return _SEPARATOR.fullmatch(first.strip()) is not None


def _decode_text(body: bytes) -> tuple[str, dict[str, Phrase]]:
    """Return the text, and a remark where it is not Unicode: Windows-1252 has nearly no impossible bytes, so that it may be a guess."""
    if body.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        return body.decode("utf-16", "replace"), {}
    try:
        return body.decode("utf-8-sig"), {}
    except UnicodeDecodeError as error:
        try:
            return body.decode("cp1252"), {"read_as_windows_1252": say("read_as_windows_1252")}
        except UnicodeDecodeError:
            raise BadRequest("malformed_csv", say("csv_not_utf8", byte=error.start)) from error


def _name_columns(heading: Sequence[str], columns: Columns) -> list[str | None]:
    """Return the column of each heading, ``None`` for those that are not read. Raises ``InvalidFormatError``."""
    names = [name if columns.known.fullmatch(name) else None for name in map(_column_name, heading)]
    read = [name for name in names if name is not None]
    if len(set(read)) < len(read) or not any(map(columns.needed.fullmatch, read)):
        raise InvalidFormatError("bad_heading", say("bad_heading", columns=columns.says), "line 1")
    return names


def _column_name(heading: str) -> str:
    word, number = re.fullmatch(r"(.*?)(?:[ _]?([1-9][0-9]?))?", heading.strip().lower(), re.DOTALL).groups()  # type: ignore[union-attr]
    name = GERMAN.get(word, word)
    return f"{name}_{number}" if number else name


def find_separator(text: str) -> str:
    """Return the separator of the first line: a comma, a semicolon or a tab."""
    heading = text.partition("\n")[0]
    return max((",", ";", "\t"), key=heading.count)


def cells_of(heading: Sequence[str | None], row: Sequence[str]) -> dict[str, str]:
    """Return the cells of a line by column, empty ones and those of no column left out.

    A surplus cell gets a column of its own, so that it is refused like any unknown field.
    """
    named = {name: cell.strip() for name, cell in zip(heading, row, strict=False) if name is not None and cell.strip()}
    return named | {f"column {number}": cell for number, cell in enumerate(row, 1) if number > len(heading) and cell.strip()}
