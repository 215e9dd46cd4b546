"""``python -m tests.benchmarks [NAME …] [--out FILE] [--quick]``: prints the figures as a table and writes them as JSON."""

from collections.abc import Callable, Iterable
from pathlib import Path

import click
import msgspec
from rich.console import Console
from rich.table import Table

from tests.benchmarks import (
    append,
    audit,
    engines,
    exports,
    feed,
    filters,
    fold,
    growth,
    http,
    looks,
    pages,
    playouts,
    readers,
    rebuild,
    replay,
    tournaments,
    untold,
)
from tests.benchmarks.live import listeners
from tests.benchmarks.measure import Figure

BENCHMARKS: dict[str, Callable[[bool], Iterable[Figure]]] = {
    "playouts": playouts.figures,
    "engines": engines.figures,
    "fold": fold.figures,
    "growth": growth.figures,
    "audit": audit.figures,
    "append": append.figures,
    "http": http.figures,
    "replay": replay.figures,
    "rebuild": rebuild.figures,
    "feed": feed.figures,
    "filters": filters.figures,
    "exports": exports.figures,
    "readers": readers.figures,
    "tournaments": tournaments.figures,
    "untold": untold.figures,
    "looks": looks.figures,
    "pages": pages.figures,
    "listeners": listeners.figures,
}


@click.command()
@click.argument("names", nargs=-1, type=click.Choice(list(BENCHMARKS)))
@click.option(
    "--out", type=click.Path(path_type=Path), default=Path("benchmarks.json"), show_default=True, help="Where the figures go as JSON."
)
@click.option("--quick", is_flag=True, help="Fewer repetitions: shows that everything runs, not how quick it is.")
@click.option("--strict", is_flag=True, help="Exit 1 if a goal is missed.")
def main(names: tuple[str, ...], out: Path, quick: bool, strict: bool) -> None:
    """Measure random play (beside other engines), folding, growth, appending, HTTP, replay and rebuilding; NAMEs choose some of them."""
    figures: list[Figure] = []
    for name in names or BENCHMARKS:
        click.echo(f"{name} …", err=True)
        figures.extend(BENCHMARKS[name](quick))
    Console(width=150).print(_table(figures))
    out.write_bytes(msgspec.json.format(msgspec.json.encode(figures), indent=1))
    click.echo(f"written to {out}", err=True)
    if strict and not all(figure.reached for figure in figures):
        raise SystemExit(1)


def _table(figures: list[Figure]) -> Table:
    table = Table("what", "measured", "limit", "of the limit", "ratio", "goal")
    for figure in figures:
        limit = "" if figure.limit_value is None else f"{figure.limit_value:,.1f} {figure.unit}"
        ratio = "" if figure.ratio is None else f"{figure.ratio:.2f}"
        goal = "" if figure.goal is None else f"≤ {figure.goal:g} {'✓' if figure.reached else '✗'}"
        table.add_row(figure.name, f"{figure.value:,.1f} {figure.unit}", figure.limit, limit, ratio, goal)
    return table


if __name__ == "__main__":
    main()
