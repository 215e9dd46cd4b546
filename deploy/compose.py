"""The composition root: the only place that knows which parts a running service is made of."""

from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from datetime import UTC, datetime
from random import SystemRandom
from uuid import uuid4

from api.services import Services
from deploy.failures import Failure
from deploy.settings import Settings, prepared_folder
from domain.cards import Card
from domain.games import EDITIONS, RULESETS
from domain.journal.application import Journal
from domain.journal.migrate import migrate, pending
from domain.journal.storage import Recorder, open_recorder
from projections.appearances import APPEARANCES
from projections.game_index import GAME_INDEX
from projections.players import PLAYERS
from projections.projection import Projection
from projections.projector import Projector
from projections.results import RESULTS
from projections.rulings import RULINGS
from projections.score_lines import SCORE_LINES
from projections.score_sheets import SCORE_SHEETS
from projections.store import open_store
from projections.tournaments import TOURNAMENTS

PROJECTIONS: tuple[Projection, ...] = (
    GAME_INDEX,
    SCORE_SHEETS,
    RULINGS,
    SCORE_LINES,
    PLAYERS,
    APPEARANCES,
    RESULTS,
    TOURNAMENTS,
)  # fmt: skip

_CHANCE = SystemRandom()


def now() -> datetime:
    return datetime.now(UTC)


def shuffled(cards: Sequence[Card]) -> tuple[Card, ...]:
    """From the system's source of randomness: nobody can work out the rest of a deck from cards that he has seen."""
    return tuple(_CHANCE.sample(cards, len(cards)))


def prepare_database(settings: Settings, *, create: bool = True, migrate_too: bool = False) -> None:
    """The embedded database is brought up to date by itself. PostgreSQL is not, unless asked for: other servers may be using it.

    Raises ``Failure`` that says how. Without ``create`` an embedded database has to be there: a mistyped folder is not an empty one.
    """
    if settings.embedded and not create and not settings.journal_file.exists():
        raise Failure(f"There are no games in {settings.data}: it holds no journal.db.", "Name the data folder with --data (KIEBITZ_DATA).")
    if settings.embedded:
        prepared_folder(settings.data)
    missing = pending(settings.journal_url)
    if missing and (settings.embedded or migrate_too):
        migrate(settings.journal_url)
    elif missing:
        raise Failure(
            f"The database {settings.store} is not up to date: it lacks {', '.join(missing)}.",
            "Run `kiebitz migrate` once (or `kiebitz serve --migrate`), while no older server is running.",
        )


@contextmanager
def opened_recorder(settings: Settings, *, create: bool = True, migrate_too: bool = False) -> Iterator[Recorder]:
    """The events and registers alone, for commands that need no more."""
    prepare_database(settings, create=create, migrate_too=migrate_too)
    recorder = open_recorder(settings.journal_url)
    try:
        yield recorder
    finally:
        recorder.close()


@contextmanager
def open_services(settings: Settings, *, alone: bool = False, create: bool = True, migrate_too: bool = False) -> Iterator[Services]:
    """Everything, for as long as the context lasts. ``alone``: the caller holds the lock of the data folder, and nobody else writes."""
    with (
        opened_recorder(settings, create=create, migrate_too=migrate_too) as recorder,
        closing(open_store(settings.projections_url)) as store,
        closing(Journal(recorder, now, alone=alone)) as journal,
    ):
        yield Services(
            journal=journal,
            rulesets=RULESETS,
            store=store,
            projector=Projector(PROJECTIONS, store, journal.feed, journal.head, recorder.wait_for),
            registers=recorder,
            clock=now,
            new_id=uuid4,
            shuffle=shuffled,
            editions=EDITIONS,
        )
