"""Standings as a page to print, and their cross table as pages show it."""

from collections.abc import Iterator, Mapping
from typing import Any

from api.common.checkpoints.naming import PrintedCheckpoint
from api.common.lists import format_tie_break, lots_line, number
from api.http.pages import render_template
from api.standings.responses import PartView, Standings, StandingsRowView
from domain import texts
from domain.texts import Texts, load_catalog, words_of


def lay_out_cross_table(standings: Standings, language: str) -> Mapping[str, Any]:
    """Return the values of ``cross_table.html.j2``: labels and rows. ``standings`` with the parts of their figures."""
    words = words_of(load_catalog(__package__), language)
    names = [texts.name_of(texts.COMMON, "tie_break", name, language) for name in standings.tie_breaks]
    duels = any(line.wins is not None for line in standings.lines)
    results = [words[result] for result in ("won", "drawn", "lost") if duels]
    rows = [
        (
            line,
            number(line.score, words["decimal"]),
            _rounds(line, standings.rounds, words),
            list(_list_tie_breaks(line, words, duels=duels)),
        )
        for line in standings.lines
    ]
    return {"labels": [*(f"{words['round']}{number}" for number in range(1, standings.rounds + 1)), *results, *names], "rows": rows}


def _rounds(line: StandingsRowView, rounds: int, words: Texts) -> list[tuple[str, str]]:
    """Return for each round the opponents of the entrant and the points."""
    met = {part.round: part for part in line.parts or ()}
    return [_describe_match(met.get(number), words) for number in range(1, rounds + 1)]


def _describe_match(part: PartView | None, words: Texts) -> tuple[str, str]:
    if part is None or part.how == "absent":
        return ("", "")
    opponents = words["bye"] if part.how == "bye" else ", ".join(map(str, part.opponents))
    if part.how == "open":
        return (opponents, "·")
    brought = number(part.value, words["decimal"])
    return (opponents, brought if part.counts else f"({brought})")


def _list_tie_breaks(line: StandingsRowView, words: Texts, *, duels: bool) -> Iterator[str]:
    """Yield the cells after the rounds: wins, draws and losses of duels; the tie-breaks."""
    if duels:
        yield from (number(count, words["decimal"]) for count in (line.wins, line.draws, line.losses))
    yield from (format_tie_break(one.tie_break, one.value, words["decimal"]) for one in line.tie_breaks)


def as_page(
    standings: Standings, title: str, language: str, checkpoint: PrintedCheckpoint | None = None, named: str | None = None
) -> bytes:
    """Return the page. ``standings`` with the parts of their figures. ``named``: the checkpoint that the closing of
    the last round named.
    """
    words = words_of(load_catalog(__package__), language)
    values = {
        "language": language,
        "words": words,
        "title": title,
        "standings": standings,
        **lay_out_cross_table(standings, language),
        "prizes": [(one, number(one.amount, words["decimal"])) for one in standings.prizes or ()],
        "lots": lots_line(standings.lots.how, standings.lots.dice, language),
        "checkpoint": checkpoint,
        "named": named,
    }
    return render_template("standings.html.j2", values)
