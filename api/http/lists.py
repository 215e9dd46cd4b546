"""Uploaded lists as NDJSON, CSV or XLSX, one item per line: each line with its number, and the problem of a refused line.

Of an XLSX the first sheet is read. CSV is read as spreadsheets write it: UTF-8 with or without a byte order mark, or the encodings of
Windows; the separator is a comma, a semicolon or a tab. The first line names the columns, in English or German. Other columns are ignored,
and a remark names them.
"""

import codecs
import csv
import io
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from types import MappingProxyType
from typing import Any, TypeAlias
from zipfile import BadZipFile, ZipFile

from msgspec import UNSET, Struct, UnsetType

from api.http.decoding import ResponseModel
from api.http.errors import BadRequest, say
from api.http.media_types import NDJSON, XLSX
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
    item of a line's cells. ``words``: the columns of headings in German, and of other words for them.
    """

    known: re.Pattern[str]
    needed: re.Pattern[str]
    says: Phrase
    item: Callable[[Mapping[str, str]], object] = dict
    words: Mapping[str, str] = MappingProxyType(GERMAN)


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
    """Read the list. Raises ``BadRequest`` for what is no such file, and ``InvalidFormatError`` for a heading without the needed column."""
    if kind == NDJSON:
        return UploadedList([(number, line) for number, line in enumerate(body.split(b"\n"), 1) if line.strip()], {})
    if kind == XLSX:
        return _read_rows(_rows_of_sheet(body), columns, {})
    text, remarks = _decode_text(body)
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=find_separator(text), strict=True)
    try:
        rows = ((reader.line_num, row) for row in reader)
        if names_separator(text.partition("\n")[0]):
            next(rows, None)
        return _read_rows(rows, columns, remarks)
    except csv.Error as error:
        raise BadRequest("malformed_csv", say("no_csv"), f"line {reader.line_num}") from error


_Rows: TypeAlias = Iterable[tuple[int, Sequence[str]]]
"""The cells of each line, with its number in the file."""


def _read_rows(lines: _Rows, columns: Columns, remarks: dict[str, Phrase]) -> UploadedList:
    rows = iter(lines)
    _, heading = next(rows, (1, ()))
    names = _name_columns(heading, columns)
    if ignored := [cell.strip() for cell, name in zip(heading, names, strict=True) if cell.strip() and name is None]:
        remarks["columns_ignored"] = say("columns_ignored", columns=ignored)
    found = [(number, cells_of(names, row)) for number, row in rows if any(cell.strip() for cell in row)]
    return UploadedList([(number, encode(columns.item(cells))) for number, cells in found], remarks)


_UNPACKED = 256 * 1024 * 1024
"""Most bytes of an unpacked XLSX: a small file may unpack to any size. ``zipfile`` reads no more of a member than its size that is added
up here.
"""


def _rows_of_sheet(body: bytes) -> Iterator[tuple[int, Sequence[str]]]:
    """Yield the rows of the first sheet. Raises ``BadRequest``."""
    from openpyxl import load_workbook  # here, because few processes read spreadsheets

    try:
        with ZipFile(io.BytesIO(body)) as packed:
            if sum(one.file_size for one in packed.infolist()) > _UNPACKED:
                raise BadRequest("malformed_xlsx", say("xlsx_too_large", most=_UNPACKED // 1024**2))
        sheet = load_workbook(io.BytesIO(body), read_only=True, data_only=True).worksheets[0]
        sheet.reset_dimensions()  # programs write wrong ones
        for number, row in enumerate(sheet.iter_rows(values_only=True), 1):
            yield number, _strip_end([_cell_text(value) for value in row])
    except (BadZipFile, KeyError, ValueError, IndexError, SyntaxError, OSError, EOFError) as error:  # ``SyntaxError``: of its XML
        raise BadRequest("malformed_xlsx", say("no_xlsx")) from error


def _strip_end(cells: list[str]) -> list[str]:
    while cells and not cells[-1].strip():
        cells.pop()
    return cells


def _cell_text(value: Any) -> str:
    """Return a cell as text: a date without a time as ISO date, a whole number without a fraction."""
    if isinstance(value, datetime):
        return value.isoformat().removesuffix("T00:00:00")
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    return "" if value is None else str(value)


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
    names = [name if columns.known.fullmatch(name) else None for name in (_column_name(cell, columns.words) for cell in heading)]
    read = [name for name in names if name is not None]
    if len(set(read)) < len(read) or not any(map(columns.needed.fullmatch, read)):
        raise InvalidFormatError("bad_heading", say("bad_heading", columns=columns.says), "line 1")
    return names


def _column_name(heading: str, words: Mapping[str, str]) -> str:
    found = re.fullmatch(r"(.*?)(?:[ _]?([1-9][0-9]?))?", heading.strip().lower(), re.DOTALL)
    assert found is not None  # every text fits
    word, number = found.groups()
    name = words.get(word, word)
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
