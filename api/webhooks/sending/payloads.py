"""The event in a webhook message, as its principal may see it at the moment of sending."""

import asyncio
from typing import NamedTuple, TypeAlias, assert_never

from api.common.access_audit import record_access_of
from api.common.event_views import EventView, event_view, event_view_without_text, event_views
from api.common.reading import read_openness_context
from api.http.places import place_in_game
from api.http.request import Principal
from api.services import Services
from domain.access import Place, covers, visibility_within
from domain.errors import DataIntegrityError, Unknown
from domain.events import Recorded
from domain.game import Game
from domain.journal.access_audit import AccessWriter
from domain.journal.feed import FeedEntry
from domain.moves import viewpoint_of
from domain.opening import OpennessContext
from domain.sight import Viewpoint
from replay.past import GamePast, GamePasts


class OfGame(NamedTuple):
    """The event at a position of a game, the current game, and its context."""

    game: Game
    past: GamePast
    around: OpennessContext
    position: int


class OfTournament(NamedTuple):
    tournament: str
    recorded: Recorded


class OfPlayer(NamedTuple):
    recorded: Recorded


class OfSeries(NamedTuple):
    """The event of a series, and its id."""

    series: str
    recorded: Recorded


class OfRatings(NamedTuple):
    recorded: Recorded


Subject: TypeAlias = OfGame | OfTournament | OfPlayer | OfSeries | OfRatings


def view_event(whose: Principal, subject: Subject) -> EventView | None:
    """Return the event as the histories show it to this principal now; ``None``: nothing of it. Messages are redacted here and nowhere
    else.
    """
    match subject:
        case OfGame(game, past, around, position):
            eyes = viewpoint_in_scope(whose, game)
            return next(
                (view for view in event_views(game, past, eyes, around, position - 1, linked=True) if view.position == position), None
            )
        case OfTournament(tournament, recorded):
            sees_all = whose.has_full_view and covers(whose.grant.scope, Place(tournament))
            return event_view_without_text(recorded, sees_all=sees_all, linked=True)
        case OfSeries(series, recorded):
            sees_all = whose.has_full_view and covers(whose.grant.scope, Place(series=series))
            return event_view_without_text(recorded, sees_all=sees_all, linked=True)
        case OfRatings(recorded):
            return event_view_without_text(recorded, sees_all=visibility_within(whose.grant.scope).whole, linked=True)
        case OfPlayer(recorded):
            # A merger names other players, who may lie beyond the principal's reach.
            return event_view(recorded, recorded.event if visibility_within(whose.grant.scope).whole else None)
        case _:
            assert_never(subject)


def viewpoint_in_scope(whose: Principal, game: Game) -> Viewpoint:
    """Return the eyes of the principal, which are a viewer's beyond its scope."""
    return viewpoint_of(whose if covers(whose.grant.scope, place_in_game(game)) else whose.as_viewer(), game)


class Telling:
    """Loads events for messages, and notes looks at hidden cards."""

    def __init__(self, services: Services, pasts: GamePasts, looks: AccessWriter) -> None:
        self._services = services
        self._pasts = pasts
        self._looks = looks

    async def event(self, whose: Principal, entry: FeedEntry) -> EventView | None:
        """Return the event; ``None`` where history is damaged."""
        try:
            subject = await self._subject(whose, entry)
        except (Unknown, DataIntegrityError):
            return None
        return None if subject is None else await asyncio.to_thread(view_event, whose, subject)

    async def _subject(self, whose: Principal, entry: FeedEntry) -> Subject | None:
        if entry.kind == "game":
            return await self._of_game(whose, entry)
        found = await asyncio.to_thread(self._services.journal.history, entry.id, entry.position - 1, 1)
        if not found or found[0].position != entry.position:
            return None
        if entry.kind == "series":
            return OfSeries(str(entry.series), found[0])
        if entry.kind == "ratings":
            return OfRatings(found[0])
        return OfPlayer(found[0]) if entry.kind == "player" else OfTournament(str(entry.tournament), found[0])

    async def _of_game(self, whose: Principal, entry: FeedEntry) -> OfGame:
        game = await self._services.journal.current(entry.id)
        around = await asyncio.to_thread(read_openness_context, self._services, game)
        record_access_of(whose, self._looks, game, viewpoint_in_scope(whose, game), around, entry.position, entry.position)
        return OfGame(game, self._pasts.of(entry.id), around, entry.position)
