"""A list of members as it comes in, as CSV or NDJSON: its lines, each a JSON object."""

from collections.abc import Iterator, Sequence

from api.http.csv_lists import rows_of
from api.http.response import NDJSON, encode

_COLUMNS = ("name", "id", "alias", "club")


def lines_of(body: bytes, kind: str) -> Iterator[tuple[int, bytes]]:
    """Each line with its number, as JSON."""
    if kind == NDJSON:
        return ((number, line) for number, line in enumerate(body.split(b"\n"), 1) if line.strip())
    rows = rows_of(body, f"{', '.join(_COLUMNS)}; name has to be there", _is_known)
    return ((number, encode(cells)) for number, cells in rows)


def _is_known(heading: Sequence[str]) -> bool:
    return "name" in heading and set(heading) <= set(_COLUMNS)
