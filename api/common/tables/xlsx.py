"""Tables as spreadsheets (XLSX). Rows are written to the disk one by one, so that a file of any length takes constant memory."""

from collections.abc import Callable, Iterable, Sequence
from datetime import datetime
from pathlib import Path
from typing import Any

from xlsxwriter import Workbook

from api.common.tables.columns import Column, Row

LINES_A_SHEET = 1_048_575
"""Most lines of a sheet below its head; further lines go on further sheets."""

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
    name: str,
    columns: Sequence[Column],
    rows: Iterable[Row],
    says: str,
    at: datetime,
    lines_a_sheet: int = LINES_A_SHEET,
) -> None:
    """Write the file. Text stays text, never a formula, a link or a number.

    ``says`` goes into the file's properties; ``at`` is when it is made.
    """
    with Workbook(file, {**_OPTIONS, "tmpdir": str(file.parent)}) as book:
        book.set_properties({"title": name.capitalize(), "comments": says, "created": at.replace(tzinfo=None)})
        write, number = _sheet(book, name, columns), 0
        for row in rows:
            if number == lines_a_sheet:
                write, number = _sheet(book, name, columns), 0
            number += 1
            for column, (value, cell) in enumerate(zip(row, write, strict=False)):
                if value is not None:
                    cell(number, column, value)


def _sheet(book: Workbook, name: str, columns: Sequence[Column]) -> list[Callable[[int, int, Any], object]]:
    """Add a sheet with its head. Return the function that writes a cell, for each column."""
    sheet = book.add_worksheet(f"{name} {len(book.worksheets()) + 1}")
    sheet.freeze_panes(1, 0)
    sheet.write_row(0, 0, [column.name for column in columns], book.add_format({"bold": True}))
    kinds = {
        "string": sheet.write_string,
        "integer": sheet.write_number,
        "number": sheet.write_number,
        "boolean": sheet.write_boolean,
        "datetime": sheet.write_datetime,
        "strings": sheet.write_string,
        "integers": sheet.write_string,
        "objects": sheet.write_string,
    }
    return [kinds[column.type] for column in columns]
