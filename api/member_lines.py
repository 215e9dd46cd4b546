"""A list of members as it comes in, as CSV or NDJSON: its lines, each a JSON object."""

import csv
import io
from collections.abc import Iterator, Mapping, Sequence

from api.errors import BadRequest
from api.http import NDJSON, encoded
from domain.errors import Malformed

CSV = "text/csv"
_COLUMNS = ("name", "id", "alias", "club")


def lines_of(body: bytes, kind: str) -> Iterator[tuple[int, bytes]]:
    """Each line with its number, as JSON."""
    if kind == NDJSON:
        return ((number, line) for number, line in enumerate(body.split(b"\n"), 1) if line.strip())
    return ((number, encoded(cells)) for number, cells in _table(body))


def _table(body: bytes) -> Iterator[tuple[int, Mapping[str, object]]]:
    try:
        text = body.decode("utf-8-sig")
        reader = csv.reader(io.StringIO(text, newline=""), delimiter=_delimiter(text), strict=True)
        heading = _heading(next(reader, []))
        yield from ((reader.line_num, _cells(heading, row)) for row in reader if any(cell.strip() for cell in row))
    except UnicodeDecodeError as error:
        raise BadRequest("malformed_csv", f"the list is not UTF-8 at byte {error.start}; save it as CSV UTF-8") from error
    except csv.Error as error:
        raise BadRequest("malformed_csv", f"the list is no CSV: {error}", f"line {reader.line_num}") from error


def _delimiter(text: str) -> str:
    """A comma, or what spreadsheets write where the comma stands in numbers."""
    heading = text.partition("\n")[0]
    return max((",", ";", "\t"), key=heading.count)


def _heading(cells: Sequence[str]) -> Sequence[str]:
    heading = [cell.strip().lower() for cell in cells]
    if "name" not in heading or len(set(heading)) < len(heading) or not set(heading) <= set(_COLUMNS):
        raise Malformed(
            "bad_heading", f"the first line names the columns, each once: {', '.join(_COLUMNS)}; name has to be there", "line 1"
        )
    return heading


def _cells(heading: Sequence[str], row: Sequence[str]) -> Mapping[str, object]:
    """Empty cells are left out; one too many is an unknown field, which is refused like any other."""
    named = {name: cell.strip() for name, cell in zip(heading, row, strict=False) if cell.strip()}
    return named | {f"column {number}": cell for number, cell in enumerate(row, 1) if number > len(heading)}
