"""Access to the games of the local store, for commands that use no server."""

from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from uuid import UUID

from deploy.compose import open_event_store
from deploy.config.key_files import snapshot_key
from deploy.config.settings import Settings
from deploy.system.clock import now
from domain.errors import Unknown
from domain.events import NAMES, UPCASTS, Recorded
from domain.events.game import GameOpened
from domain.journal.application import Journal
from domain.journal.commits import Call, from_stored
from domain.journal.store import EventStore

CALL = Call("command-line")
"""Call under which imports at a terminal are recorded."""

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
