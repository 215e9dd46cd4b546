"""``python -m tests.benchmarks [NAME …] [--out FILE] [--quick]``: prints the figures as a table in Markdown and writes them as JSON."""

from collections.abc import Callable, Iterable
from itertools import chain
from pathlib import Path
from time import monotonic

import click
import msgspec

from tests.benchmarks import (
    audit,
    bulk_tables,
    engines,
    exports,
    filters,
    fold,
    growth,
    hall,
    listing,
    pages,
    playouts,
    ratings,
    readers,
    rebuild,
    renewal,
    replay,
    tournaments,
    transfer,
    untold,
)
from tests.benchmarks.live import listeners, phones
from tests.benchmarks.measure import Figure
from tests.benchmarks.moves import appends, grown, lag, over_http, pace, ready, records, workers
from tests.benchmarks.moves.machine import python
from tests.benchmarks.proofs import files
from tests.benchmarks.proofs import moves as moves_logged

Benchmarks = dict[str, Callable[[bool], Iterable[Figure]]]

GOALS: Benchmarks = {
    "readers": readers.figures,
    "hall": hall.figures,
    "moves": over_http.goals,
    "bulk": lambda quick: chain(records.goals(quick), rebuild.goals(quick)),
    "growth": lambda quick: chain(grown.goals(quick), renewal.figures(quick)),
    "ratings": ratings.goals,
    "engines": engines.figures,
}
"""Without a NAME these are measured, within ten minutes."""

BY_NAME: Benchmarks = {
    "playouts": playouts.figures,
    "fold": fold.figures,
    "long-game": growth.figures,
    "listing": listing.figures,
    "audit": audit.figures,
    "appends": appends.figures,
    "throughput": over_http.figures,
    "pace": pace.figures,
    "workers": workers.figures,
    "lag": lag.figures,
    "grown": grown.figures,
    "records": records.figures,
    "replay": replay.figures,
    "rebuild": rebuild.figures,
    "all-ratings": ratings.figures,
    "transfer": transfer.figures,
    "ready": ready.figures,
    "proof": lambda quick: chain(files.figures(quick), moves_logged.figures(quick)),
    "filters": filters.figures,
    "exports": exports.figures,
    "tables": bulk_tables.figures,
    "tournaments": tournaments.figures,
    "untold": untold.figures,
    "pages": pages.figures,
    "listeners": listeners.figures,
    "phones": phones.figures,
}


@click.command()
@click.argument("names", nargs=-1, type=click.Choice([*GOALS, *BY_NAME]))
@click.option(
    "--out", type=click.Path(path_type=Path), default=Path("benchmarks.json"), show_default=True, help="Where the figures go as JSON."
)
@click.option("--quick", is_flag=True, help="Fewer repetitions: shows that everything runs, not how quick it is.")
@click.option("--strict", is_flag=True, help="Exit 1 if a goal is missed.")
def main(names: tuple[str, ...], out: Path, quick: bool, strict: bool) -> None:
    """Measure what carries a goal, beside what else could be taken, and print one table in Markdown; NAMEs choose other benchmarks.

    What is measured is written after each.
    """
    figures: list[tuple[str, Figure]] = []
    begun = monotonic()
    for name in names or GOALS:
        click.echo(f"{name}, after {(monotonic() - begun) / 60:.1f} minutes …", err=True)
        for figure in (GOALS | BY_NAME)[name](quick):
            click.echo(f"  {figure.name}: {figure.value:,.1f} {figure.unit} {_rounds(figure)}", err=True)
            figures.append((name, figure))
        told = [{"benchmark": name, **msgspec.to_builtins(figure)} for name, figure in figures]
        out.write_bytes(msgspec.json.format(msgspec.json.encode({"python": python(), "figures": told}), indent=1))
    click.echo(f"{python()}.\n")
    click.echo("\n".join(table(figures)))
    click.echo(f"written to {out} after {(monotonic() - begun) / 60:.1f} minutes", err=True)
    if strict and not all(figure.reached or not figure.firm for _, figure in figures):
        raise SystemExit(1)


def table(figures: Iterable[tuple[str, Figure]]) -> Iterable[str]:
    """Return the lines of the table, as docs/benchmarks.md has it."""
    yield "| `./run bench` | What | Measured | Beside it | Ratio | Goal | |"
    yield "|---|---|---|---|---|---|---|"
    for name, figure in figures:
        measured, beside = _number(figure.value, figure.unit), figure.limit
        if figure.limit_value is not None:
            beside += f": {_number(figure.limit_value, figure.unit)}"
        ratio = "" if figure.ratio is None else f"**{figure.ratio:.2f}**"
        goal = "" if figure.goal is None else f"{'≥' if figure.at_least else '≤'} {figure.goal:g}"
        yield f"| `{name}` | {figure.name} | {measured} | {beside} | {ratio} | {goal} | {_verdict(figure)} |"


def _verdict(figure: Figure) -> str:
    """In brackets where too few rounds were quiet."""
    mark = "" if figure.goal is None else "✓" if figure.reached else "✗"
    return mark if figure.firm or not mark else f"({mark})"


def _number(value: float, unit: str) -> str:
    return f"{value:,.0f} {unit}".strip() if abs(value) >= 100 else f"{value:,.3g} {unit}".strip()


def _rounds(figure: Figure) -> str:
    spread = "" if figure.spread is None else f"{figure.spread[0]:,.1f} to {figure.spread[1]:,.1f} "
    return spread + (f"({figure.note})" if figure.note else "")


if __name__ == "__main__":
    main()
