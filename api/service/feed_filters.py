"""What a reader of the feed asks for, and may know of, as one way to look for it."""

from collections.abc import Callable, Collection
from functools import partial
from typing import TypeAlias
from uuid import UUID

from api.http.request import Request, services_of
from api.service.feed_reach import among_within, may_know_of
from api.services import Services
from domain.journal.feed import FeedPage, StreamKind, both, feed_page, of_tournament
from domain.tournament.tournament import tournament_stream
from projections.models.game_index.game_list import opens_next
from projections.models.game_index.projection import GAME_INDEX

Look: TypeAlias = Callable[[int, int, int], FeedPage]
"""The page after a sequence and until another, of so many entries at most. To be called in a thread, after ``wait_for_reach``."""


def look_for(
    request: Request,
    kind: StreamKind | None = None,
    topics: Collection[str] = (),
    game: UUID | None = None,
    tournament: str | None = None,
) -> Look:
    """All that is given must hold. ``tournament``: its own events and those of its games."""
    services = services_of(request)
    among = both(among_within(request), None if tournament is None else of_tournament(tournament))
    look = partial(feed_page, services.journal.store, kind, topics, game=game, among=among)
    if tournament is None or game is not None:
        return look
    return partial(_of_tournament, request, look, tournament)


def _of_tournament(request: Request, look: Look, tournament: str, after: int, until: int, limit: int) -> FeedPage:
    """Who may not know of it is not told either where something of it lies."""
    if not may_know_of(request, tournament):
        return FeedPage((), max(after, until))
    return look(min(until, _begins_next(services_of(request), tournament, after)), until, limit)


def _begins_next(services: Services, tournament: str, after: int) -> int:
    """The sequence beyond which something of the tournament may lie: over what others recorded up to there nobody has to look.

    What the index of games has not taken yet is looked through; where it is of another epoch, or being filled, everything is.
    """
    if not services.projector.readable(GAME_INDEX.name):
        return after
    own = [sequence - 1 for sequence in services.journal.store.select_sequences(tournament_stream(tournament)) if sequence > after]
    return max(after, min([opens_next(services.store, tournament, after), *own[:1]]))
