"""Score lines as a spreadsheet (XLSX). It goes to the disk line by line, so that one of any length takes constant memory."""

from collections.abc import Callable, Iterable
from datetime import datetime
from pathlib import Path
from typing import Any

from msgspec.structs import astuple
from xlsxwriter import Workbook

from api.scores.schema import SCHEMA, Names, columns, score_lines
from projections.models.score_lines.score_list import GameEntries

LINES_A_SHEET = 1_048_575
"""What a sheet can hold below its head; further lines go on further sheets."""

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
    steps: Iterable[tuple[list[GameEntries], Names | None]],
    named: bool,
    as_of: int,
    at: datetime,
    lines_a_sheet: int = LINES_A_SHEET,
) -> None:
    """Text is text, never a formula, a link or a number. ``at`` is when the file is made."""
    with Workbook(file, {**_OPTIONS, "tmpdir": str(file.parent)}) as book:
        book.set_properties({"title": "Score lines", "comments": f"{SCHEMA}, as of {as_of}", "created": at.replace(tzinfo=None)})
        write, row = _sheet(book, named), 0
        for line in (line for some, names in steps for found in some for line in score_lines(found, names)):
            if row == lines_a_sheet:
                write, row = _sheet(book, named), 0
            row += 1
            for column, (value, cell) in enumerate(zip(astuple(line), write, strict=False)):
                if value is not None:
                    cell(row, column, value)


def _sheet(book: Workbook, named: bool) -> list[Callable[[int, int, Any], object]]:
    """A further sheet with its head. Answers how to write a cell of each column."""
    sheet = book.add_worksheet(f"scores {len(book.worksheets()) + 1}")
    sheet.freeze_panes(1, 0)
    sheet.write_row(0, 0, [column.name for column in columns(named)], book.add_format({"bold": True}))
    kinds = {"string": sheet.write_string, "integer": sheet.write_number, "datetime": sheet.write_datetime}
    return [kinds[column.type] for column in columns(named)]
