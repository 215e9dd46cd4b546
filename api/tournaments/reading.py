"""What all reads of tournaments share: the tournament with its games, who is the same person, how events are told, the ETag."""

import asyncio
from collections.abc import Iterable, Sequence

from msgspec.structs import fields, replace

from api.common.event_views import event_told
from api.common.freshness import reach, reach_head
from api.common.reading import mark, tagged
from api.http.answers import Told
from api.http.operations import JSON
from api.http.response import Answer, Asked, house_of
from domain.errors import Unknown
from domain.events import Recorded, TextRef
from domain.tournament.games import Person, TableGame
from domain.tournament.tournament import TOURNAMENT, Tournament, stream_of
from projections.models.players.player_list import roots
from projections.models.players.projection import PLAYERS
from projections.models.results import result_list
from projections.models.results.projection import RESULTS


async def held(asked: Asked, id: str) -> Tournament:
    """The tournament as it stands. Raises ``Unknown``."""
    try:
        return await house_of(asked).journal.held_of(TOURNAMENT, stream_of(id))
    except Unknown:
        raise Unknown("tournament", id) from None


async def games_of(asked: Asked, id: str, round: int | None = None) -> tuple[TableGame, ...]:
    """Its games to decide on, not older than the request. Raises ``Behind``."""
    await reach(asked, RESULTS.name, await asyncio.to_thread(house_of(asked).journal.head))
    return await _games(asked, id, round)


async def games_seen(asked: Asked, id: str, round: int | None = None) -> tuple[TableGame, ...]:
    """The same to be shown; a projection that is slow or stopped is read as it is."""
    await reach_head(asked, RESULTS.name)
    return await _games(asked, id, round)


async def _games(asked: Asked, id: str, round: int | None) -> tuple[TableGame, ...]:
    return await asyncio.to_thread(lambda: result_list.results(house_of(asked).store, id, round=round))


async def persons(asked: Asked, now: Tournament, others: Iterable[str | None] = ()) -> Person:
    """Under which id every player of the tournament, and the others, counts: two ids that were merged are one person."""
    ids = {player for entrant in now.entrants for player in entrant.everybody} | {player for player in others if player is not None}
    await reach_head(asked, PLAYERS.name)
    known = await asyncio.to_thread(roots, house_of(asked).store, ids)
    return lambda player: known.get(player, player)


def answered(
    asked: Asked,
    now: Tournament,
    body: bytes,
    *,
    media_type: str = JSON,
    headers: Sequence[tuple[str, str]] = (),
    vary: str = "authorization",
) -> Answer:
    """A read, with an ETag of the answer itself: results also change by what happens in games, words and names by erasure."""
    return tagged(asked, f"{now.position}.{mark(body)}", lambda: body, media_type=media_type, headers=headers, vary=vary)


def told(asked: Asked, recorded: Recorded, *, linked: bool = False) -> Told:
    """An event of a tournament. Digests, of texts too, are for officials: a short text is found from its digest by trying."""
    event = recorded.event
    if not asked.user.sees_all:
        said = {field.name: None for field in fields(event) if isinstance(getattr(event, field.name), TextRef)}
        event = replace(event, **said) if said else event
    return event_told(recorded, event, linked=linked and asked.user.sees_all)
