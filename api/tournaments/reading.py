"""The common part of all reads of tournaments: the tournament with its games, merged ids of players, views of events, the ETag."""

import asyncio
from collections.abc import Collection, Iterable, Mapping, Sequence

from api.common.consistency import wait_for_head, wait_for_sequence
from api.common.event_views import EventView, event_view_without_text
from api.http.media_types import JSON
from api.http.request import Request, services_of
from api.http.response import Response, build_etag_response, content_hash
from domain.errors import Unknown
from domain.events import Recorded
from domain.tournament.games import PersonOf, TableGame
from domain.tournament.tournament import TOURNAMENT, Tournament, tournament_stream
from projections.models import results
from projections.models.disputes import DISPUTES, DisputedTable, list_disputed_tables
from projections.models.players import PLAYERS, roots, rows_of
from projections.models.results import RESULTS


async def current_tournament(request: Request, id: str) -> Tournament:
    """Return the current tournament. Raises ``Unknown``."""
    try:
        return await services_of(request).journal.current_of(TOURNAMENT, tournament_stream(id))
    except Unknown:
        raise Unknown("tournament", id) from None


async def games_to_decide_on(request: Request, id: str, round: int | None = None) -> tuple[TableGame, ...]:
    """Return the games for a decision, not older than the request. Raises ``ProjectionLagError``."""
    await wait_for_sequence(request, RESULTS.name, await asyncio.to_thread(services_of(request).journal.head))
    return await _games(request, id, round)


async def games_to_show(request: Request, id: str, round: int | None = None) -> tuple[TableGame, ...]:
    """Return the games for a view; a projection that is slow or stopped is read as it is."""
    await wait_for_head(request, RESULTS.name)
    return await _games(request, id, round)


async def _games(request: Request, id: str, round: int | None) -> tuple[TableGame, ...]:
    return await asyncio.to_thread(lambda: results.results(services_of(request).store, id, round=round))


async def read_disputed_tables(request: Request, id: str) -> tuple[DisputedTable, ...]:
    """Return the table of each undecided dispute that the caller may know of."""
    await wait_for_head(request, DISPUTES.name)
    public = not request.user.has_full_view
    return await asyncio.to_thread(list_disputed_tables, services_of(request).store, id, public=public)


async def build_person_of(
    request: Request, now: Tournament, games: Iterable[TableGame] = (), others: Iterable[str | None] = ()
) -> PersonOf:
    """Return a function from the players of the tournament and its games, and the others, to the ids they count under: merged ids are one
    person.
    """
    entered, played = (entrant.all_players for entrant in now.entrants), (game.all_players for game in games)
    known = await read_merged(request, {player for player in others if player is not None}.union(*entered, *played))
    return lambda player: known.get(player, player)


async def read_merged(request: Request, ids: Collection[str]) -> Mapping[str, str]:
    """Return the merged ones of the ids with what they count under."""
    await wait_for_head(request, PLAYERS.name)
    known = await asyncio.to_thread(roots, services_of(request).store, ids)
    return {id: root for id, root in known.items() if id != root}


def tournament_response(
    request: Request,
    now: Tournament,
    body: bytes,
    *,
    media_type: str = JSON,
    headers: Sequence[tuple[str, str]] = (),
    vary: str = "accept-language, authorization",
) -> Response:
    """Return a read, with an ETag of its content: results also change by events of games, texts and names by erasure."""
    return build_etag_response(
        request, f"{now.position}.{content_hash(body)}", lambda: body, media_type=media_type, headers=headers, vary=vary
    )


def tournament_event_view(request: Request, recorded: Recorded, *, linked: bool = False) -> EventView:
    """Return the event as the caller may see it."""
    return event_view_without_text(recorded, sees_all=request.user.has_full_view, linked=linked)


async def read_clubs(request: Request, now: Tournament) -> Mapping[str, str]:
    """Return the club of each player who has one; nothing where clubs are not kept apart."""
    if now.rules.apart != "club":
        return {}
    players = {player for entrant in now.entrants for player in entrant.players(now.next_round)}
    rows = await asyncio.to_thread(rows_of, services_of(request).store, players)
    return {player: row.club for player, row in rows.items() if row.club is not None}
