"""Access to the games of the local store, for commands that use no server."""

import asyncio
from collections.abc import Awaitable, Callable, Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from functools import cache
from typing import TypeVar
from uuid import UUID

from api.http.errors import BadRequest
from api.services import Services
from deploy.compose import check_epoch, open_event_store, open_services
from deploy.config.failures import Failure, say
from deploy.config.key_files import snapshot_key
from deploy.config.settings import Settings
from deploy.processes.journal_file import lock_data_folder
from deploy.system.clock import now
from domain.errors import InvalidFormatError, Unknown
from domain.journal.application import Journal
from domain.journal.commits import Call
from domain.player import PLAYER, player_stream

CALL = Call("command-line")
"""Call under which imports at a terminal are recorded."""

T = TypeVar("T")


def import_list(settings: Settings, command: str, no_list: str, language: str, work: Callable[[Services], Awaitable[T]]) -> T:
    """Import a list into the store, with its projections caught up, while no server writes there. Raises ``Failure``.

    ``no_list``: the key of the sentence about a file that is no such list.
    """

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
        try:
            return asyncio.run(run(services))
        except (BadRequest, InvalidFormatError) as error:
            raise Failure(say(no_list, problem=f"{error.where and f'{error.where}: '}{error.in_words(language)}")) from error


@contextmanager
def read_journal(settings: Settings) -> Iterator[Journal]:
    """Open the journal for reading, also while a server writes. Raises ``Failure`` if there are no games."""
    with (
        open_event_store(settings, create=False) as store,
        closing(Journal(store, now, alone=False, snapshot_key=snapshot_key(settings))) as journal,
    ):
        yield journal


def name_players(journal: Journal, *, public: bool) -> Callable[[str], str | None]:
    """Return the function that names a player as the API does: by the name, or the alias for the public; None if there is none."""

    @cache
    def name(player: str) -> str | None:
        with suppress(Unknown):
            if into := journal.aggregate(PLAYER, player_stream(player)).into:
                return name(into)
        known = journal.store.find_players([player]).get(player)
        return (known.alias if public else known.name) if known else None

    return name


def game_ids(games: Sequence[str]) -> list[UUID]:
    """Parse ids. Raises ``Unknown`` for an invalid one."""
    ids = []
    for game in games:
        try:
            ids.append(UUID(game))
        except ValueError:
            raise Unknown("game", game) from None
    return ids
