"""The score history of a player: games with points, totals and trends; or all their lines, in any format."""

import asyncio

from litestar.params import FromPath
from msgspec.structs import replace

from api.common.consistency import wait_for_sequence, wait_for_visibility
from api.common.names import wait_for_names
from api.common.tables.files import AS_OF, LABELS
from api.common.time_zone import read_times
from api.http.decoding import read_query
from api.http.media_types import JSON
from api.http.operations import Content, reads
from api.http.paging import cursor_in_epoch, next_links
from api.http.places import visibility_of
from api.http.request import Request, services_of
from api.http.response import Response, build_etag_response, content_hash, encode, schemas
from api.scores.formats import FORMATS
from api.scores.responses import PlayerScores, PlayerScoresQuery
from api.scores.scores import VARY, form_of, full_response, start_now
from domain.errors import Unknown
from projections.models.score_lines.projection import SCORE_LINES
from projections.models.score_lines.score_history import HistoryFilters, find_counted_player, months, player_games_page, player_totals
from projections.models.score_lines.score_list import ScoreFilters


@reads(
    "/v1/players/{player:str}/scores",
    "read_player_scores",
    "Read a player's games, totals and trends",
    tag="Scores",
    description=(
        f"JSON lists games page by page, newest first, with totals and months of all of them. {', '.join(LABELS[:-1])} and "
        f"{LABELS[-1]} hold the score lines, as `/v1/scores` does."
    ),
    query=PlayerScoresQuery,
    responses={200: Content("the history", {**schemas(FORMATS), JSON: PlayerScores}, headers=("ETag", "Link", "Kiebitz-As-Of"))},
    refuses=(406,),
    within="lists",
)
async def read_player_scores(request: Request, player: FromPath[str]) -> Response:
    query = read_query(request, PlayerScoresQuery)
    form, times = form_of(request, query.format), await read_times(request, query)
    within = times.get("from_"), times.get("to")
    await wait_for_sequence(request, SCORE_LINES.name, query.min_sequence)
    start = await start_now(request, await wait_for_visibility(request))
    if form is not None:
        known = await asyncio.to_thread(_find_player, request, player)
        if query.names:
            await wait_for_names(request)
        filters = ScoreFilters(query.tournament, query.ruleset, known, None, *within)
        return await full_response(request, form, query, filters, start)
    wanted = HistoryFilters(query.ruleset, query.tournament, *within)
    found = await asyncio.to_thread(_history, request, player, start.as_of, query, wanted)
    found = replace(found, next=cursor_in_epoch(request, found.next))
    headers = [(AS_OF, str(start.as_of)), *next_links(request, cursor=found.next)]
    told = encode(found)
    return build_etag_response(request, f"{start.as_of}.{content_hash(told)}.json", lambda: told, headers=headers, vary=VARY)


def _find_player(request: Request, player: str) -> str:
    known = find_counted_player(services_of(request).store, visibility_of(request), player)
    if known is None:
        raise Unknown("player", player)
    return known


def _history(request: Request, named: str, as_of: int, query: PlayerScoresQuery, filters: HistoryFilters) -> PlayerScores:
    store, reach, player = services_of(request).store, visibility_of(request), _find_player(request, named)
    page = player_games_page(store, reach, player, filters, query.cursor, query.limit)
    by_month = months(store, reach, player, filters)
    sums = player_totals(store, reach, player, filters, by_month, query.latest)
    return PlayerScores(player, as_of, sums, by_month, page.games, page.next)
