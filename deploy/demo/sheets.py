"""Score sheets on a terminal."""

from collections.abc import Sequence

from rich.box import SIMPLE, SIMPLE_HEAD
from rich.table import Table

from deploy.demo.evening import Played


def sheet(played: Played) -> Table:
    """Rows and hands as on paper; in each cell a number per party."""
    plan, hands = played.plan, played.sheet["hands"]
    table = Table(title=f"Table {plan.table}: {_variant(played)}", title_justify="left", title_style="bold", box=SIMPLE_HEAD, min_width=40)
    table.add_column("")
    for hand in hands:
        table.add_column(f"hand {hand['hand']}", justify="right")
    for row in played.sheet["rows"]:
        if any(any(hand["rows"][row]) for hand in hands):
            table.add_row(row.replace("_", " "), *(_numbers(hand["rows"][row]) for hand in hands))
    table.add_section()
    table.add_row("points", *(_numbers(hand["points"]) for hand in hands))
    table.add_row("totals", *(_numbers(hand["totals"]) for hand in hands), style="bold")
    return table


def totals(evening: Sequence[Played]) -> Table:
    table = Table(title="The evening", title_justify="left", title_style="bold", box=SIMPLE)
    for column in ("table", "Casino", "hands", "events", "totals", "won by"):
        table.add_column(column, no_wrap=True)
    for played in evening:
        game, winners = played.game, played.sheet["winners"]
        won = "still playing" if winners is None else ", ".join(_party(played, party) for party in winners)
        numbers = (str(len(played.sheet["hands"])), str(game["position"]), _numbers(played.sheet["totals"]))
        table.add_row(played.plan.table, _variant(played), *numbers, won)
    return table


def _variant(played: Played) -> str:
    options = played.game["options"]
    extras = [name for name in ("partners", "sweeps") if options[name]]
    return f"{', '.join([options['variant'], *extras])}, {played.plan.seats} players"


def _party(played: Played, party: int) -> str:
    seats = played.sheet["parties"][party]
    return ("seat " if len(seats) == 1 else "seats ") + " and ".join(map(str, seats))


def _numbers(points: Sequence[int]) -> str:
    return " : ".join(map(str, points))
