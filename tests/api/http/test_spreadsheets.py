"""Cells that a spreadsheet would take for formulas, also one that parts cells where the file does not."""

import csv
import io
from collections.abc import Iterator

import pytest

from api.http.response import csv_text, escape_cell

SIGNS = ("=", "+", "-", "@", "＝", "＋", "－", "＠", "﹦", "﹢", "﹣", "﹫")
BEFORE = ("", " ", "  ", "\u00a0", "\u3000", '"', "'", "\ufeff", "x;", "x; ", 'x;"', "x\t", "x\r", "x\n", ";;")
EVIL = [f"{before}{sign}1+1" for before in BEFORE for sign in SIGNS]
HARMLESS = ("", "Anna", "a=b", "a - b", "1-0", "x;y", "a;b=c", "Müller-Lüdenscheidt", "p@example", "  x")


def cells(line: str, separator: str) -> Iterator[str]:
    """As a program reads a line that takes this separator for the only one."""
    yield from next(csv.reader(io.StringIO(line, newline=""), delimiter=separator), [])
    for piece in line.replace("\r", "\n").split("\n"):
        yield from piece.split(separator)


def test_no_cell_is_a_formula_wherever_the_line_is_split():
    for text in EVIL:
        for separator in ",;\t":
            for cell in cells(f"1,{csv_text(text)},2", separator):
                assert not cell.strip(' "\u00a0\u3000\ufeff').startswith(SIGNS), (text, cell)


@pytest.mark.parametrize("text", [*HARMLESS, -3, 0, 2.5, None])
def test_what_is_no_formula_stays_as_it_is(text: object):
    assert escape_cell(text) == text


@pytest.mark.parametrize("text", ["\tx", "\rx", "\nx"])
def test_a_cell_does_not_begin_with_a_sign_that_parts_cells(text: str):
    assert escape_cell(text) == f"'{text}"
