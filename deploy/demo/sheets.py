"""Score sheets on a terminal."""

from collections.abc import Iterable, Sequence
from typing import Any

from rich.box import SIMPLE, SIMPLE_HEAD
from rich.console import Group
from rich.table import Table
from rich.text import Text

from deploy.demo.evening import Played
from deploy.system.language import sentence
from deploy.system.outcomes import winners
from domain.rules import About
from domain.texts import name_of

WIDTH = 100
"""So wide is a terminal at least."""

_FIRST, _MARGIN = 8, 3


def sheet(played: Played, about: About, language: str) -> Group:
    """Rows and hands as on paper, in each cell a number per party. Of a long match as many of the last hands as have room."""
    score = played.sheet
    ends = {hand["end"]: name_of(about.words, "end", hand["end"], language) for hand in score["hands"]}
    names = {row: name_of(about.words, "row", row, language) for row in score["rows"]}
    shown = _with_room(score["hands"], WIDTH - _FIRST - max(map(len, names.values())), ends)
    scored = {row: name for row, name in names.items() if any(any(hand["rows"][row]) for hand in shown)}
    table = Table("", box=SIMPLE_HEAD)
    for hand in shown:
        table.add_column(sentence("hand", language, hand=hand["hand"]), justify="right", no_wrap=True)
    for row, name in scored.items():
        table.add_row(name, *(_numbers(hand["rows"][row]) for hand in shown))
    table.add_section()
    table.add_row(sentence("points", language), *(_numbers(hand["points"]) for hand in shown))
    table.add_row(sentence("totals", language), *(_numbers(hand["totals"]) for hand in shown), style="bold")
    table.add_row(sentence("ended", language), *(ends[hand["end"]] for hand in shown))
    left_out = (len(score["hands"]) - len(shown), len(names) - len(scored))
    return Group(_title(played, about, language), *([table] if shown else []), *_left_out(shown, *left_out, language), "")


def totals(evening: Sequence[Played], names: dict[str, str], language: str) -> Table:
    table = Table(title=sentence("evening", language), title_justify="left", title_style="bold", box=SIMPLE)
    for column in ("table", "game_name", "hands", "event_count", "totals", "won"):
        table.add_column(sentence(column, language))
    for played in evening:
        game, score = played.game, played.sheet
        won = sentence("playing", language) if score["winners"] is None else winners(score["winners"], score["parties"], language)
        numbers = (str(len(score["hands"])), str(game["position"]), _numbers(score["totals"]))
        table.add_row(played.plan.table, names[game["ruleset"]], *numbers, won)
    return table


def name_in(about: About, language: str) -> str:
    return about.names.get(language) or about.names["en"]


def _with_room(hands: list[dict[str, Any]], room: int, ends: dict[str, str]) -> list[dict[str, Any]]:
    """The last hands that fit beside each other, one at least."""
    fitting: list[dict[str, Any]] = []
    for hand in reversed(hands):
        numbers = map(_numbers, (hand["points"], hand["totals"], *hand["rows"].values()))
        room -= _MARGIN + max(len(ends[hand["end"]]), *map(len, numbers))
        if room < 0 and fitting:
            break
        fitting.insert(0, hand)
    return fitting


def _left_out(shown: list[dict[str, Any]], hands: int, rows: int, language: str) -> Iterable[str]:
    """What the table does not show of the sheet, in words."""
    if not shown:
        yield sentence("no_hand", language)
    elif hands or rows:
        texts = [sentence("hands_left_out", language, hands=hands)] if hands else []
        texts += [sentence("rows_left_out", language, rows=rows)] if rows else []
        yield " ".join(texts)


def _title(played: Played, about: About, language: str) -> Text:
    options = ", ".join(f"{name}={_short(value)}" for name, value in played.plan.options.items())
    seats = sentence("seat_count", language, seats=played.game["seats"])
    title = sentence("title", language, table=played.plan.table, game=name_in(about, language), seats=seats)
    return Text(f"{title} ({options})" if options else title, style="bold")


def _short(value: object) -> object:
    return str(value).lower() if isinstance(value, bool) else value


def _numbers(points: Iterable[int]) -> str:
    return " : ".join(map(str, points))
