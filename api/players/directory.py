"""Views of players with name, alias or id, by what the caller may see, and the search for players."""

import asyncio
from collections.abc import Collection, Iterator, Mapping
from itertools import islice

from msgspec import UNSET, Struct

from api.common.consistency import wait_for_head
from api.common.event_views import EventView, event_view
from api.common.names import NameViewer, name_of, name_viewer_of, word_for_unnamed
from api.http.decoding import copy_fields
from api.http.errors import BadRequest, ProjectionLagError, say
from api.http.request import Request, services_of
from api.players.responses import Players, PlayerView
from domain.access import VisibilityScope
from domain.errors import Unknown
from domain.journal.registers import Person, Registers
from domain.player import PLAYER, Player, player_stream
from projections.engine.store import Store
from projections.models.players import PLAYERS, PlayerFilters, PlayerRow, matching_ids, players_page, rows_of
from projections.models.reading import cursor_of, text_place_of


def player_views(registers: Registers, rows: Collection[PlayerRow], audience: NameViewer) -> list[PlayerView]:
    """Return the views of players with their entries in the register. Call it in a thread."""
    known = registers.find_players([id for row in rows for id in (row.player, row.root)])
    return [_player_view(row, known, audience) for row in rows]


def _player_view(row: PlayerRow, known: Mapping[str, Person], audience: NameViewer) -> PlayerView:
    person, showing = known.get(row.player), audience.showing(None, "no", None)
    return copy_fields(
        row,
        PlayerView,
        id=row.player,
        shown=name_of(known.get(row.root), showing) or word_for_unnamed(audience.language),
        name=(person.name if person else None) if audience.sees_all else UNSET,
        objects_to_names=(person is not None and person.objects_to_names) if audience.sees_all else UNSET,
        alias=person.alias if person else None,
        person=row.root,
    )


async def current_player(request: Request, player: str) -> Player:
    """Return the current player. Raises ``Unknown`` with the id."""
    try:
        return await services_of(request).journal.current_of(PLAYER, player_stream(player))
    except Unknown:
        raise Unknown("player", player) from None


async def current_player_view(request: Request, player: str) -> PlayerView:
    """Return the view of a player after all that was recorded before the request: mergers of others affect it, too.

    Raises ``Unknown`` and ``ProjectionLagError``.
    """
    services = services_of(request)
    now = await current_player(request, player)
    await wait_for_head(request, PLAYERS.name)
    rows = (await asyncio.to_thread(rows_of, services.store, [player])).values()
    for one in await asyncio.to_thread(player_views, services.registers, rows, name_viewer_of(request)):
        return one
    raise ProjectionLagError(now.position, 0)


# Pages of the directory: all players, or those that match a search. Call these functions in a thread.


_STEP = 200  # people read first; twice as many each time, so that few reads are needed where few of them match
_FEW = 500  # most ids that are named in a search


class PlayerSearch(Struct, frozen=True):
    """A search; all given conditions must hold."""

    filters: PlayerFilters
    words: str | None = None


def players_found(
    registers: Registers, store: Store, reach: VisibilityScope, search: PlayerSearch, cursor: str | None, limit: int, audience: NameViewer
) -> Players:
    """Return a page of players. Raises ``BadRequest`` for words without a letter, and ``BadCursor``."""
    if search.words is not None:
        rows, next = _found(
            registers, store, search.words, matching_ids(store, reach, search.filters), cursor, limit, not audience.sees_all
        )
    else:
        page = players_page(store, reach, search.filters, cursor, limit)
        rows, next = list(page.players), page.next
    return Players(items=player_views(registers, rows, audience), next=next)


def _found(
    registers: Registers, store: Store, words: str, fit: frozenset[str] | None, cursor: str | None, limit: int, public: bool
) -> tuple[list[PlayerRow], str | None]:
    found = list(islice(_matching(registers, words, fit, cursor, public), limit + 1))
    page = found[:limit]
    known = rows_of(store, page)
    return [known[player] for player in page if player in known], cursor_of(page[-1]) if len(found) > limit else None


def _matching(registers: Registers, words: str, fit: frozenset[str] | None, cursor: str | None, public: bool) -> Iterator[str]:
    """Yield the matching ids in order.

    Names are in one database and clubs in another, so ``fit`` are the ids that match in the second. If they are few, the search is
    restricted to them; otherwise its results are filtered by them.
    """
    among = fit if fit is not None and len(fit) <= _FEW else None
    after, step, more = text_place_of(cursor) if cursor else "", _STEP, True
    while more:
        try:
            found = registers.search_players(words, after=after, limit=step, public=public, among=among)
        except ValueError as error:
            raise BadRequest("bad_parameter", say("search_empty"), "search") from error
        yield from (person.player for person in found if fit is None or person.player in fit)
        more, after, step = len(found) == step, found[-1].player if found else after, step * 2


def player_events(request: Request, id: str) -> list[EventView]:
    """Return the events of an id. Call it in a thread."""
    return [event_view(one, one.event) for one in services_of(request).journal.history(player_stream(id))]


def find_principal_ids(registers: Registers, ids: Collection[str]) -> list[str]:
    """Return the principals with one of the ids, and those with a token of such a player. Call it in a thread."""
    return sorted({*ids, *(token.principal for token in registers.list_tokens() if token.grant.player in ids)})
