"""A score sheet as a table for spreadsheets and as a page to print, from the same ``Sheet`` that goes out as JSON."""

import csv
import io
from collections.abc import Iterable, Iterator, Sequence
from typing import Any
from uuid import UUID

from api.http.pages import rendered
from api.http.spreadsheets import harmless
from domain.events.game import GameOpened
from domain.rules import About
from domain.score import Sheet
from domain.texts import catalogue, name_of, words_of


def as_csv(sheet: Sheet, players: Sequence[str | None] = ()) -> bytes:
    """One line a row of a hand, a column a party; totals of the game at the end. ``players`` are shown as they are named here, by seat."""
    text = io.StringIO()
    lines = csv.writer(text)
    for line in _lines(sheet, players):
        lines.writerow([harmless(cell) for cell in line])
    return text.getvalue().encode()


def _lines(sheet: Sheet, players: Sequence[str | None]) -> Iterator[Sequence[object]]:
    yield ("hand", "dealer", "end", "row", *(f"party_{number}" for number in range(len(sheet.parties))))
    if any(players):
        yield ("", "", "", "players", *(", ".join(filter(None, (players[seat] for seat in party))) for party in sheet.parties))
    yield ("", "", "", "start_totals", *sheet.start_totals)
    for hand in sheet.hands:
        place = (hand.hand, hand.dealer, hand.end)
        for row in sheet.rows:
            yield (*place, row, *hand.rows[row])
        yield (*place, "points", *hand.points)
        yield (*place, "totals", *hand.totals)
    yield from _rulings(sheet)
    yield ("", "", "", "totals", *sheet.totals)
    if sheet.places is not None:
        yield ("", "", "", "places", *sheet.places)


def _rulings(sheet: Sheet) -> Iterator[Sequence[object]]:
    """What rulings changed: points by points, and the hands and points that count no more, whose ``end`` begins with ``struck``."""
    for one in sheet.adjustments or ():
        place = ("" if one.hand is None else one.hand, "", "adjusted" if one.ruling is None else f"ruling {one.ruling}")
        yield (*place, "adjustment", *(one.points if party == one.party else 0 for party in range(len(sheet.parties))))
    for hand in sheet.struck or ():
        struck = (hand.hand, hand.dealer, "struck" if hand.ruling is None else f"struck by ruling {hand.ruling}")
        yield (*struck, "points", *hand.points)
    for one in sheet.lifted or ():
        place = ("" if one.hand is None else one.hand, "", f"struck by ruling {one.lifted_by}")
        yield (*place, "adjustment", *(one.points if party == one.party else 0 for party in range(len(sheet.parties))))


def as_page(id: UUID, position: int, opened: GameOpened, sheet: Sheet, about: About | None, language: str) -> bytes:
    return rendered("score_sheet.html.j2", printed(id, position, opened, sheet, about, language))


def printed(id: UUID, position: int, opened: GameOpened, sheet: Sheet, about: About | None, language: str) -> dict[str, Any]:
    """What stands on a sheet of paper, for its template. ``about`` names the game and its rows; else the ids stand there."""
    words = words_of(catalogue(__package__), language)
    ruleset = about.names[language] if about else opened.setup.ruleset
    rows = {row: name_of(about.words if about else {}, "row", row, language) for row in sheet.rows}
    parties = [_party(party, opened.players, words["seat"]) for party in sheet.parties]
    values = {"language": language, "words": words, "id": id, "position": position, "game": opened, "ruleset": ruleset}
    changed = {"adjustments": sheet.adjustments or (), "struck": sheet.struck or (), "lifted": sheet.lifted or (), "rows": rows}
    return {**values, **changed, "sheet": sheet, "parties": parties}


def _party(seats: Iterable[int], players: Sequence[str | None], word: str) -> str:
    """Who plays for the party: ids where they are known, else the seats, numbered from 0 like everywhere (COM-1)."""
    return ", ".join(players[seat] or f"{word} {seat}" for seat in seats)
