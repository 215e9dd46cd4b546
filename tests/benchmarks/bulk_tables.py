"""The table of all moves of a season as Parquet: how quickly it is made, and how large it is."""

from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from tempfile import TemporaryDirectory
from time import process_time

from api.common.tables.files import FileInfo, table_pieces
from api.games.history_tables import MovesFile
from deploy.compose import open_services
from deploy.config.settings import Settings
from deploy.stores.migrating import migrate
from domain.access import WHOLE
from projections.models.game_index import GameFilters
from tests.benchmarks.measure import Figure, compared
from tests.benchmarks.rebuild import games_of_all, insert_sqlite, played_together

EVENTS = 350_000
"""Of a season of some 3,000 games."""
LIMIT = 1 / 30_000
"""Seconds a row."""
LARGEST = 3.0
"""MB for 338,769 rows, without lines."""
_ROWS = 338_769


def figures(quick: bool) -> Iterator[Figure]:
    with TemporaryDirectory() as name:
        settings = Settings(Path(name).resolve() / "season")
        migrate(settings.journal_url)
        insert_sqlite(settings, islice(played_together(games_of_all(1)), 20_000 if quick else EVENTS))
        with open_services(settings, alone=True) as services:
            services.projector.prepare()
            services.projector.catch_up()
            about = FileInfo(reach=WHOLE, public=True, at=services.clock(), language="en")
            file = MovesFile(form="parquet", about=about, filters=GameFilters(), lines=False)
            rows = sum(map(len, file.steps(services.sources)))
            start = process_time()
            size = sum(map(len, table_pieces(file, services.sources)))
            taken = process_time() - start
    yield compared(f"a row of all {rows:,} moves as Parquet", taken / rows, "30,000 rows a second", LIMIT, goal=1.0)
    megabytes = size / rows * _ROWS / 1e6
    yield Figure(f"{_ROWS:,} moves as Parquet", megabytes, "MB", "3 MB", LARGEST, megabytes / LARGEST, None if quick else 1.0)
