"""Standings as a table for spreadsheets and as a page to print, from the same values that go out as JSON."""

import csv
import io
from collections.abc import Iterator
from typing import Any

from api.http.pages import rendered
from api.http.spreadsheets import harmless
from api.standings.responses import FigureView, PartView, Standings, StandingsRowView

_WORDS: dict[str, dict[str, Any]] = {
    "en": {
        "standings": "Standings",
        "after": "after round {rounds}",
        "open": "tables open: {open}",
        "withdrawn": "withdrawn",
        "place": "Place",
        "number": "No.",
        "players": "Players",
        "score": "Score",
        "results": ("W", "D", "L"),
        "bye": "bye",
        "direct_encounter": "Direct encounter",
        "buchholz": "Buchholz",
        "buchholz_cut_1": "Buchholz cut 1",
        "sonneborn_berger": "Sonneborn-Berger",
        "score_difference": "Difference",
        "points": "Points",
        "wins": "Wins",
        "lots": "Lot",
        "explained": "Under each round stand the opponents, and below them what it brought. What tie-breaks are made of is told, "
        "down to the games, with the figures that programs read.",
    },
    "de": {
        "standings": "Rangliste",
        "after": "nach Runde {rounds}",
        "open": "offene Tische: {open}",
        "withdrawn": "zurückgezogen",
        "place": "Platz",
        "number": "Nr.",
        "players": "Spieler",
        "score": "Wertung",
        "results": ("G", "U", "V"),
        "bye": "spielfrei",
        "direct_encounter": "Direkter Vergleich",
        "buchholz": "Buchholz",
        "buchholz_cut_1": "Buchholz mit Streichwertung",
        "sonneborn_berger": "Sonneborn-Berger",
        "score_difference": "Differenz",
        "points": "Punkte",
        "wins": "Siege",
        "lots": "Los",
        "explained": "Unter jeder Runde stehen die Gegner, darunter, was sie brachte. Woraus die Feinwertungen bestehen, steht bis zu "
        "den Partien bei den Zahlen, die Programme lesen.",
    },
}


def as_csv(told: Standings) -> bytes:
    """A line an entrant; a column a tie-break, in the order in which they decide."""
    text = io.StringIO()
    lines = csv.writer(text)
    lines.writerow(("place", "entrant", "players", "score", "played", "wins", "draws", "losses", *told.tie_breaks, "withdrawn_from"))
    for line in told.lines:
        lines.writerow([harmless(cell) for cell in _cells(line)])
    return text.getvalue().encode()


def _cells(line: StandingsRowView) -> Iterator[object]:
    yield from (line.place, line.entrant, ", ".join(line.shown), line.score, line.played, line.wins, line.draws, line.losses)
    yield from (figure.value for figure in line.tie_breaks)
    yield line.withdrawn_from


def as_page(told: Standings, title: str, language: str) -> bytes:
    """``told`` with its parts."""
    words = _WORDS[language]
    rows = [
        (line, _shown(line.score, language), _rounds(line, told.rounds, language), [_figure(one, language) for one in line.tie_breaks])
        for line in told.lines
    ]
    duels = any(line.wins is not None for line in told.lines)
    return rendered("standings.html.j2", {"language": language, "words": words, "title": title, "told": told, "rows": rows, "duels": duels})


def _rounds(line: StandingsRowView, rounds: int, language: str) -> list[tuple[str, str]]:
    """For each round whom the entrant met, and what it brought."""
    met = {part.round: part for part in line.parts or ()}
    return [_met(met.get(number), language) for number in range(1, rounds + 1)]


def _met(part: PartView | None, language: str) -> tuple[str, str]:
    if part is None or part.how == "absent":
        return ("", "")
    opponents = _WORDS[language]["bye"] if part.how == "bye" else ", ".join(map(str, part.opponents))
    return (opponents, _shown(part.value, language) if part.counts else "·")


def _figure(figure: FigureView, language: str) -> str:
    """Of a lot its beginning, in the digits in which it is drawn: the lowest goes first."""
    if figure.tie_break == "lots" and figure.value is not None:
        return f"{int(figure.value):012x}"[:4]
    return _shown(figure.value, language)


def _shown(value: float | None, language: str) -> str:
    """As people write it: no more than three places, in German after a comma."""
    if value is None:
        return "–"
    text = f"{value:.3f}".rstrip("0").rstrip(".")
    return text.replace(".", ",") if language == "de" else text
