"""Transferring a whole store from SQLite to PostgreSQL and back, as `kiebitz transfer` does it: with the comparison, without the audit."""

from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter

from click.testing import CliRunner

from deploy.cli.main import main
from deploy.config.settings import Settings
from deploy.stores.migrating import migrate
from tests.benchmarks.measure import Figure, compared
from tests.benchmarks.rebuild import games_of_all, insert_sqlite, played_together
from tests.postgres import fresh_database, running_server

EVENTS = 350_000
"""Of a season of some 3,000 games."""

ENOUGH = 120.0
"""Seconds for all of them."""


def figures(quick: bool) -> Iterator[Figure]:
    number = 20_000 if quick else EVENTS
    with TemporaryDirectory() as name, running_server() as server:
        folder, url = Path(name).resolve(), fresh_database(server)
        settings = Settings(folder / "season")
        migrate(settings.journal_url)
        insert_sqlite(settings, islice(played_together(games_of_all(1)), number))
        there = transferred("--data", settings.data, "--to", url)
        back = transferred("--data", settings.data, "--database-url", url, "--to", folder / "back")
    for way, seconds in (("SQLite to PostgreSQL", there), ("PostgreSQL to SQLite", back)):
        what = f"transfer {number:,} events, {way}"
        yield Figure(what, number / seconds, "events a second")
        if number == EVENTS:
            yield compared(what, seconds, "two minutes", ENOUGH, goal=1.0, scale=1, unit="s")


def transferred(*arguments: object) -> float:
    """Seconds by the clock on the wall: the database's own work counts."""
    start = perf_counter()
    result = CliRunner().invoke(main, ["transfer", "--no-audit", *map(str, arguments)], catch_exceptions=False)
    if result.exit_code:
        raise RuntimeError(result.output)
    return perf_counter() - start
