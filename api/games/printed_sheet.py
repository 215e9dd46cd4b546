"""A score sheet as PDF, for the extra ``pdf``. The same sheet gives the same bytes."""

from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct

from api.games.paper import Paper
from api.games.sheets import template_values
from api.http.errors import NotInstalled
from api.services import Export

_TEMPLATE = Path(__file__).parents[1] / "templates" / "score_sheet.typ"


class _Row(Struct, frozen=True):
    """A row of the table. ``over``: a line is drawn above it, because another part begins."""

    hand: str
    label: str
    cells: tuple[str, ...]
    sum: bool = False
    struck: bool = False
    over: bool = False


class PrintedSheet(Export, frozen=True, kw_only=True):
    """The job to make a PDF. ``told``: the content of the sheet as JSON, with no more than its reader may see."""

    told: str

    @property
    def queue_name(self) -> str:
        return "paper"


def print_sheet(paper: Paper) -> PrintedSheet:
    """Return the job for a sheet. Raises ``NotInstalled``."""
    try:
        import typst  # noqa: F401
    except ImportError as error:
        raise NotInstalled("pdf") from error
    on_paper = template_values(paper)
    words = on_paper["words"]
    told = {
        "language": paper.language,
        "title": words["sheet"],
        "lead": on_paper["ruleset"],
        "facts": on_paper["facts"],
        "about": " · ".join((f"{words['game']} {paper.game}", f"{words['move']} {paper.position}", on_paper["state"])),
        "superseded": on_paper["superseded"],
        "head": [words["hand"], words["row"], *map(", ".join, on_paper["parties"])],
        "rows": tuple(_rows(on_paper)),
        "sign": words["signatures"],
        "signatures": on_paper["signatures"],
        "signed": on_paper["signed"],
        "checkpoint": paper.checkpoint,
    }
    return PrintedSheet(told=msgspec.json.encode(told).decode())


def render_sheet(sheet: PrintedSheet) -> bytes:
    """Return the PDF, tagged for screen readers.

    Texts of people reach the template as data, not as markup: they can neither run code in it nor break it.
    """
    import typst

    return bytes(typst.compile(_template(), sys_inputs={"sheet": sheet.told}))


@cache
def _template() -> bytes:
    return _TEMPLATE.read_bytes()


def _rows(on_paper: dict[str, Any]) -> Iterator[_Row]:
    sheet, words, width = on_paper["sheet"], on_paper["words"], len(on_paper["parties"])
    if any(sheet.start_totals):
        yield _Row("", words["start"], _texts(sheet.start_totals), over=True)
    for hand in sheet.hands:
        if hand.reported:
            yield _Row(str(hand.hand), words["reported"], ("",) * width, over=True)
        for number, row in enumerate(on_paper["known_rows"](hand)):
            first = not number and not hand.reported
            yield _Row(str(hand.hand) if first else "", on_paper["rows"][row], _texts(hand.rows[row]), over=first)
        yield _Row("", words["points"], _texts(hand.points), sum=True)
        yield _Row("", words["totals"], _texts(hand.totals), sum=True)
    for hand in on_paper["struck"]:
        label = words["struck"] + (f", {words['reported']}" if hand.reported else "")
        yield _Row(str(hand.hand), label + _ruling(hand.ruling, words), _texts(hand.points), struck=True, over=True)
    for one in on_paper["adjustments"]:
        label = words["adjusted"] + _ruling(one.ruling, words) + (f": {one.reason}" if one.reason else "")
        cells = tuple(f"{one.points:+d}" if party == one.party else "" for party in range(width))
        yield _Row("" if one.hand is None else str(one.hand), label, cells, over=True)
    for one in on_paper["lifted"]:
        label = words["adjusted"] + _ruling(one.ruling, words) + f" – {words['lifted']}" + _ruling(one.lifted_by, words)
        cells = tuple(f"{one.points:+d}" if party == one.party else "" for party in range(width))
        yield _Row("" if one.hand is None else str(one.hand), label, cells, struck=True, over=True)
    yield from _sums(on_paper)


def _sums(on_paper: dict[str, Any]) -> Iterator[_Row]:
    """Yield the totals, struck if a result of the table goes before them, that result, and the places."""
    sheet, words = on_paper["sheet"], on_paper["words"]
    counted = on_paper["counted"]
    if not counted or sheet.hands or any(sheet.totals):
        yield _Row("", words["totals"], _texts(sheet.totals), sum=True, struck=counted is not None, over=True)
    if counted and counted.points:
        yield _Row("", words["counted"], _texts(counted.points), sum=True, over=True)
    if sheet.places is not None:
        yield _Row("", words["places"], tuple("–" if place is None else str(place) for place in sheet.places), sum=True)


def _ruling(number: int | None, words: dict[str, str]) -> str:
    return "" if number is None else f" ({words['ruling']} {number})"


def _texts(numbers: Sequence[int]) -> tuple[str, ...]:
    return tuple(str(number) for number in numbers)
