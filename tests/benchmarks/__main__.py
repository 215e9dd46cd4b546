"""``python -m tests.benchmarks [NAME …] [--out FILE] [--quick]``: prints the figures as a table and writes them as JSON."""

from collections.abc import Callable, Iterable
from itertools import chain
from pathlib import Path
from time import monotonic

import click
import msgspec
from rich.console import Console
from rich.table import Table

from tests.benchmarks import (
    audit,
    bulk_tables,
    engines,
    exports,
    feed,
    filters,
    fold,
    growth,
    listing,
    looks,
    pages,
    playouts,
    ratings,
    readers,
    rebuild,
    replay,
    tournaments,
    transfer,
    untold,
)
from tests.benchmarks.inside import parts, rooms
from tests.benchmarks.live import listeners, phones
from tests.benchmarks.measure import Figure
from tests.benchmarks.moves import appends, grown, lag, over_http, pace, pauses, ready, records, room, workers
from tests.benchmarks.moves.machine import python
from tests.benchmarks.proofs import files
from tests.benchmarks.proofs import moves as moves_logged

BENCHMARKS: dict[str, Callable[[bool], Iterable[Figure]]] = {
    "playouts": playouts.figures,
    "engines": engines.figures,
    "fold": fold.figures,
    "growth": growth.figures,
    "listing": listing.figures,
    "audit": audit.figures,
    "appends": appends.figures,
    "moves": over_http.figures,
    "pace": pace.figures,
    "workers": workers.figures,
    "lag": lag.figures,
    "parts": parts.figures,
    "rooms": rooms.figures,
    "pauses": pauses.figures,
    "grown": grown.figures,
    "records": records.figures,
    "replay": replay.figures,
    "rebuild": rebuild.figures,
    "ratings": ratings.figures,
    "transfer": transfer.figures,
    "ready": ready.figures,
    "room": room.figures,
    "proof": lambda quick: chain(files.figures(quick), moves_logged.figures(quick)),
    "feed": feed.figures,
    "filters": filters.figures,
    "exports": exports.figures,
    "tables": bulk_tables.figures,
    "readers": readers.figures,
    "tournaments": tournaments.figures,
    "untold": untold.figures,
    "looks": looks.figures,
    "pages": pages.figures,
    "listeners": listeners.figures,
    "phones": phones.figures,
}

_BY_NAME_ONLY = {"room", "rooms", "exports", "filters", "readers", "untold"}
"""What takes long by itself, or only says where: the others together take half an hour."""


@click.command()
@click.argument("names", nargs=-1, type=click.Choice(list(BENCHMARKS)))
@click.option(
    "--out", type=click.Path(path_type=Path), default=Path("benchmarks.json"), show_default=True, help="Where the figures go as JSON."
)
@click.option("--quick", is_flag=True, help="Fewer repetitions: shows that everything runs, not how quick it is.")
@click.option("--strict", is_flag=True, help="Exit 1 if a goal is missed.")
def main(names: tuple[str, ...], out: Path, quick: bool, strict: bool) -> None:
    """Measure random play (beside other engines), folding, growth, appending, HTTP, replay and rebuilding; NAMEs choose some of them.

    Without a NAME all are measured but room, exports, filters, readers and untold, which take long by themselves, and rooms, which only
    says where a move spends its time. What is measured is written after each.
    """
    figures: list[Figure] = []
    begun = monotonic()
    for name in names or (name for name in BENCHMARKS if name not in _BY_NAME_ONLY):
        click.echo(f"{name}, after {(monotonic() - begun) / 60:.1f} minutes …", err=True)
        for figure in BENCHMARKS[name](quick):
            click.echo(f"  {figure.name}: {figure.value:,.1f} {figure.unit} {_rounds(figure)}", err=True)
            figures.append(figure)
        out.write_bytes(msgspec.json.format(msgspec.json.encode({"python": python(), "figures": figures}), indent=1))
    Console(width=180).print(_table(figures))
    click.echo(f"written to {out} after {(monotonic() - begun) / 60:.1f} minutes", err=True)
    if strict and not all(figure.reached for figure in figures):
        raise SystemExit(1)


def _table(figures: list[Figure]) -> Table:
    table = Table("what", "measured", "rounds", "p50, p99", "limit", "of the limit", "ratio", "goal", title=python())
    for figure in figures:
        limit = "" if figure.limit_value is None else f"{figure.limit_value:,.1f} {figure.unit}"
        ratio = "" if figure.ratio is None else f"{figure.ratio:.2f}"
        goal = "" if figure.goal is None else f"{'≥' if figure.at_least else '≤'} {figure.goal:g} {'✓' if figure.reached else '✗'}"
        measured = f"{figure.value:,.1f} {figure.unit}"
        table.add_row(figure.name, measured, _rounds(figure), _percentiles(figure), figure.limit, limit, ratio, goal)
    return table


def _rounds(figure: Figure) -> str:
    spread = "" if figure.spread is None else f"{figure.spread[0]:,.1f} to {figure.spread[1]:,.1f} "
    return spread + (f"({figure.note})" if figure.note else "")


def _percentiles(figure: Figure) -> str:
    return "" if figure.p50 is None or figure.p99 is None else f"{figure.p50:,.2f}, {figure.p99:,.2f} ms"


if __name__ == "__main__":
    main()
