"""Lists in CSV as spreadsheets write them: UTF-8 with or without a mark, columns named in the first line, a comma or what stands for it."""

import csv
import io
from collections.abc import Callable, Iterator, Sequence

from api.http.errors import BadRequest
from domain.errors import Malformed

CSV = "text/csv"


def rows_of(body: bytes, columns: str, known: Callable[[Sequence[str]], bool]) -> Iterator[tuple[int, dict[str, str]]]:
    """Each line that is not blank with its number: its cells by column, empty ones left out.

    A cell too many has a column of its own, so that it is refused like any unknown field. ``known`` judges the heading, ``columns``
    says what it should be. Raises ``BadRequest`` for what is no CSV, and ``Malformed`` for another heading.
    """
    try:
        text = body.decode("utf-8-sig")
        reader = csv.reader(io.StringIO(text, newline=""), delimiter=_delimiter(text), strict=True)
        heading = [cell.strip().lower() for cell in next(reader, [])]
        if len(set(heading)) < len(heading) or not known(heading):
            raise Malformed("bad_heading", f"the first line names the columns, each once: {columns}", "line 1")
        yield from ((reader.line_num, _cells(heading, row)) for row in reader if any(cell.strip() for cell in row))
    except UnicodeDecodeError as error:
        raise BadRequest("malformed_csv", f"the list is not UTF-8 at byte {error.start}; save it as CSV UTF-8") from error
    except csv.Error as error:
        raise BadRequest("malformed_csv", f"the list is no CSV: {error}", f"line {reader.line_num}") from error


def _delimiter(text: str) -> str:
    heading = text.partition("\n")[0]
    return max((",", ";", "\t"), key=heading.count)


def _cells(heading: Sequence[str], row: Sequence[str]) -> dict[str, str]:
    named = {name: cell.strip() for name, cell in zip(heading, row, strict=False) if cell.strip()}
    return named | {f"column {number}": cell for number, cell in enumerate(row, 1) if number > len(heading)}
