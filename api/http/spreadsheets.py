"""Cells of spreadsheets. What people write must not become a formula on somebody else's desk (OWASP: CSV injection)."""

import re
from functools import lru_cache

_FORMULA = re.compile(
    r"""
    (?P<before>^|[;\t\r\n])          # where a cell begins, also for programs that part cells there though the file does not
    (?=[\s"'\ufeff\u200b-\u200f]*       # what is left out before a formula
       [=+\-@\uff1d\uff0b\uff0d\uff20\ufe66\ufe62\ufe63\ufe6b]  # and in the forms of full and small width
     |[\t\r\n])""",
    re.VERBOSE,
)
_QUOTED = frozenset(',;"\t\r\n')


def harmless(cell: object) -> object:
    """Text that a spreadsheet would take for a formula, or for cells of which one is, gets an apostrophe before it; numbers are numbers."""
    return _FORMULA.sub(r"\g<before>'", cell) if isinstance(cell, str) else cell


@lru_cache(maxsize=10_000)
def csv_text(text: str | None) -> str:
    """A cell of RFC 4180. What holds other separators is quoted too, so that it stays one cell for those that split at them."""
    cell = str(harmless(text or ""))
    return '"{}"'.format(cell.replace('"', '""')) if _QUOTED.intersection(cell) else cell
