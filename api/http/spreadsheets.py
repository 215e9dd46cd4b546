"""Cells of spreadsheets. What people write must not become a formula on somebody else's desk (OWASP: CSV injection)."""

from functools import lru_cache

_FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠")
_QUOTED = frozenset(',;"\t\r\n')


def harmless(cell: object) -> object:
    """Text that a spreadsheet would take for a formula gets an apostrophe before it; numbers are numbers."""
    return f"'{cell}" if isinstance(cell, str) and cell.startswith(_FORMULA) else cell


@lru_cache(maxsize=10_000)
def csv_text(text: str | None) -> str:
    """A cell of RFC 4180. What holds other separators is quoted too, so that it stays one cell for those that split at them."""
    cell = str(harmless(text or ""))
    return '"{}"'.format(cell.replace('"', '""')) if _QUOTED.intersection(cell) else cell
