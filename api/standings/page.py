"""Standings as a table for spreadsheets and as a page to print, from the same values that go out as JSON."""

import csv
import io
from collections.abc import Iterator

from api.common.checkpoints.printed import PrintedCheckpoint
from api.common.figures import figure, lots_line, number
from api.http.pages import rendered
from api.http.spreadsheets import harmless
from api.standings.responses import PartView, Standings, StandingsRowView
from domain import texts
from domain.texts import Texts, catalogue, words_of

_BEFORE = ("place", "entrant", "players", "score", "played", "wins", "draws", "losses")
"""The columns before the tie-breaks. One that is called like one of them has ``tie_break_`` before its name."""


def as_csv(standings: Standings) -> bytes:
    """A line an entrant; a column a tie-break, in the order in which they decide."""
    text = io.StringIO()
    lines = csv.writer(text)
    lines.writerow((*_BEFORE, *(f"tie_break_{name}" if name in _BEFORE else name for name in standings.tie_breaks), "withdrawn_from"))
    for line in standings.lines:
        lines.writerow([harmless(cell) for cell in _cells(line)])
    return text.getvalue().encode()


def _cells(line: StandingsRowView) -> Iterator[object]:
    yield from (line.place, line.entrant, ", ".join(line.shown), line.score, line.played, line.wins, line.draws, line.losses)
    yield from (figure.value for figure in line.tie_breaks)
    yield line.withdrawn_from


def as_page(
    standings: Standings, title: str, language: str, checkpoint: PrintedCheckpoint | None = None, named: str | None = None
) -> bytes:
    """``standings`` with the parts of its figures. ``named``: what the closing of its last round named of the log."""
    words = words_of(catalogue(__package__), language)
    names = [texts.name_of(texts.COMMON, "tie_break", name, language) for name in standings.tie_breaks]
    duels = any(line.wins is not None for line in standings.lines)
    results = [words[result] for result in ("won", "drawn", "lost") if duels]
    rows = [
        (line, number(line.score, words["decimal"]), _rounds(line, standings.rounds, words), list(_figures(line, words, duels=duels)))
        for line in standings.lines
    ]
    values = {
        "language": language,
        "words": words,
        "title": title,
        "standings": standings,
        "state": _state(standings, words),
        "labels": [*(f"{words['round']}{number}" for number in range(1, standings.rounds + 1)), *results, *names],
        "rows": rows,
        "lots": lots_line(standings.lots.how, standings.lots.dice, language),
        "checkpoint": checkpoint,
        "named": named,
    }
    return rendered("standings.html.j2", values)


def _state(standings: Standings, words: Texts) -> str:
    """After which round, and whether later ones count already."""
    after = standings.after
    said = words["after"].format(rounds=after) if after else words["before"].format(round=1)
    later = {part.round for line in standings.lines for part in line.parts or () if part.round > after and part.counts}
    return words["counting"].format(said=said, round=max(later)) if later else said


def _rounds(line: StandingsRowView, rounds: int, words: Texts) -> list[tuple[str, str]]:
    """For each round whom the entrant met, and what it brought."""
    met = {part.round: part for part in line.parts or ()}
    return [_met(met.get(number), words) for number in range(1, rounds + 1)]


def _met(part: PartView | None, words: Texts) -> tuple[str, str]:
    if part is None or part.how == "absent":
        return ("", "")
    opponents = words["bye"] if part.how == "bye" else ", ".join(map(str, part.opponents))
    return (opponents, number(part.value, words["decimal"]) if part.counts else "·")


def _figures(line: StandingsRowView, words: Texts, *, duels: bool) -> Iterator[str]:
    """What stands after the rounds: of duels how many were won, drawn and lost; the tie-breaks."""
    if duels:
        yield from (number(count, words["decimal"]) for count in (line.wins, line.draws, line.losses))
    yield from (figure(one.tie_break, one.value, words["decimal"]) for one in line.tie_breaks)
