"""``python -m tests.evening OUT`` records an evening; ``python -m tests.evening compare BEFORE AFTER`` compares two.

Recorded is every exchange, a line each, and then what is stored. ``--database-url`` names an empty PostgreSQL database; ``--data`` a
new folder in which the store is left, else it is made in a temporary one.
"""

import sys
from itertools import islice
from pathlib import Path
from tempfile import TemporaryDirectory

import click

from tests.evening.asgi import Driver
from tests.evening.compare import differences, lines_of
from tests.evening.coverage import Coverage
from tests.evening.described import Described, compared
from tests.evening.recording import written
from tests.evening.wire import WireDriver

MOST = 20
"""So many differences are shown in full."""


@click.command()
@click.argument("out", type=click.Path(dir_okay=False, path_type=Path))
@click.option("--database-url", help="An empty PostgreSQL database.")
@click.option("--wire", is_flag=True, help="Ask over a connection, and not the application itself.")
@click.option("--data", type=click.Path(path_type=Path), help="A folder that is left with the store.")
def record(out: Path, database_url: str | None, wire: bool, data: Path | None) -> None:
    """Record an evening."""
    with TemporaryDirectory() as folder:
        written(out, data or Path(folder) / "data", database_url, WireDriver if wire else Driver)
    for line in Coverage.of(lines_of(out)).report():
        click.echo(line)


@click.command()
@click.argument("before", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.argument("after", type=click.Path(exists=True, dir_okay=False, path_type=Path))
def compare(before: Path, after: Path) -> None:
    """Compare two evenings. Exits 1 if they differ in more than names and descriptions of schemas."""
    described = Described()
    found = list(differences(lines_of(before), lines_of(after), described))
    for name, lines in islice(found, MOST):
        click.echo("\n".join((name, *lines[:200], "")))
    for name, _ in found[MOST:]:
        click.echo(name)
    documents = compared(described)
    for title, told in (
        ("Schemas that are called otherwise", [f"{old} → {new}" for old, new in documents.renamed]),
        ("Schemas that are described otherwise", documents.told),
        ("The description of the API must not differ in this", documents.forbidden),
    ):
        if told:
            click.echo("\n".join((f"{title}:", *(f"  {line}" for line in told))))
    click.echo(f"{len(found)} exchanges and tables differ")
    if found or documents.forbidden:
        sys.exit(1)


if __name__ == "__main__":
    if sys.argv[1:2] == ["compare"]:
        compare(sys.argv[2:])
    else:
        record()
