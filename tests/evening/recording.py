"""Records an evening: the exchanges, then what the store holds, a line of JSON each."""

import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from tests.evening import stored
from tests.evening.asgi import Driver
from tests.evening.book import Book
from tests.evening.chance import Chance
from tests.evening.script import CHAPTERS, MORNING, Chapter
from tests.evening.service import opened


def record(
    folder: Path,
    database_url: str | None,
    keep: Callable[[dict[str, Any]], object],
    chapters: Mapping[str, Chapter] = CHAPTERS,
    driven: type[Driver] = Driver,
) -> None:
    """An evening in a fresh store, or other chapters. ``keep`` is given each line."""
    chance = Chance()
    with opened(folder, database_url, chance, limited=False) as service, driven(service.app, service.settle) as driver:
        book = Book(driver.ask, chance.turn, keep)
        for chapter in chapters.values():
            chapter(book)
    if chapters is CHAPTERS:
        with opened(folder, database_url, chance, limited=True) as service, driven(service.app, service.settle) as driver:
            MORNING(Book(driver.ask, chance.turn, keep, book.number))
    rows = stored.rows_in_folder(folder) if database_url is None else stored.rows_in_database(database_url)
    for row in rows:
        keep(row)


def written(file: Path, folder: Path, database_url: str | None, driven: type[Driver] = Driver) -> None:
    with file.open("w", encoding="utf-8") as lines:
        record(folder, database_url, lambda line: lines.write(json.dumps(line, ensure_ascii=False) + "\n"), driven=driven)
