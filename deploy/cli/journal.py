"""Access to the games of the local store, for commands that use no server."""

import asyncio
from collections.abc import Awaitable, Callable, Iterator, Sequence
from contextlib import closing, contextmanager
from typing import TypeVar
from uuid import UUID

from api.services import Services
from deploy.compose import check_epoch, open_event_store, open_services
from deploy.config.key_files import snapshot_key
from deploy.config.settings import Settings
from deploy.processes.journal_file import lock_data_folder
from deploy.system.clock import now
from domain.errors import Unknown
from domain.events import NAMES, UPCASTS, Recorded
from domain.events.game import GameOpened
from domain.journal.application import Journal
from domain.journal.commits import Call, from_stored
from domain.journal.store import EventStore

CALL = Call("command-line")
"""Call under which imports at a terminal are recorded."""

T = TypeVar("T")


def run_in_store(settings: Settings, command: str, work: Callable[[Services], Awaitable[T]]) -> T:
    """Run the work in the store, with its projections caught up, while no server writes there."""

    async def run(services: Services) -> T:
        await services.journal.start()
        try:
            return await work(services)
        finally:
            await services.journal.stop()

    # A server caches players and games in memory and does not notice other writers; hence the lock.
    with lock_data_folder(settings, command), open_services(settings, alone=settings.embedded) as services:
        check_epoch(services, settings)
        services.projector.prepare()
        services.projector.catch_up()
        return asyncio.run(run(services))


_PAGE = 1000
_OPENINGS = tuple(name for name in (NAMES[GameOpened], *UPCASTS) if name.startswith("game.opened/"))


@contextmanager
def read_journal(settings: Settings) -> Iterator[Journal]:
    """Open the journal for reading, also while a server writes. Raises ``Failure`` if there are no games."""
    with (
        open_event_store(settings, create=False) as store,
        closing(Journal(store, now, alone=False, snapshot_key=snapshot_key(settings))) as journal,
    ):
        yield journal


def list_first_events(store: EventStore) -> Iterator[Recorded]:
    """Yield the first event of every game, in the order in which they were opened."""
    after = 0
    while page := store.events_after(after, _PAGE, names=_OPENINGS):
        yield from (from_stored(event) for _, event in page)
        after = page[-1][0]


def game_ids(games: Sequence[str]) -> list[UUID]:
    """Parse ids. Raises ``Unknown`` for an invalid one."""
    ids = []
    for game in games:
        try:
            ids.append(UUID(game))
        except ValueError:
            raise Unknown("game", game) from None
    return ids
