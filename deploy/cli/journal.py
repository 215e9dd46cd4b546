"""The games of a store of one's own, for the commands that go through no server."""

from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from uuid import UUID

from deploy.compose import open_event_store
from deploy.config.settings import Settings
from deploy.config.snapshot_key import snapshot_key
from deploy.system.clock import now
from domain.errors import Unknown
from domain.events import NAMES, Recorded
from domain.events.game import GameOpened
from domain.journal.application import Journal
from domain.journal.archive import from_stored
from domain.journal.commits import Call
from domain.journal.store import EventStore
from domain.upcasts import UPCASTS

CALL = Call("command-line")
"""Who recorded what was imported at a terminal."""

_PAGE = 1000
_OPENINGS = tuple(name for name in (NAMES[GameOpened], *UPCASTS) if name.startswith("game.opened/"))


@contextmanager
def read_journal(settings: Settings) -> Iterator[Journal]:
    """To read only, also while a server writes. Raises ``Failure`` where no games are."""
    with (
        open_event_store(settings, create=False) as store,
        closing(Journal(store, now, alone=False, snapshot_key=snapshot_key(settings))) as journal,
    ):
        yield journal


def openings(store: EventStore) -> Iterator[Recorded]:
    """The first event of every game, in the order in which they were opened."""
    after = 0
    while page := store.events_after(after, _PAGE, names=_OPENINGS):
        yield from (from_stored(event) for _, event in page)
        after = page[-1][0]


def game_ids(games: Sequence[str]) -> list[UUID]:
    """Raises ``Unknown`` for what cannot be an id."""
    ids = []
    for game in games:
        try:
            ids.append(UUID(game))
        except ValueError:
            raise Unknown("game", game) from None
    return ids
