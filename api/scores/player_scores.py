"""A player's score history: his games with what they brought him, totals and trends; or all his lines, in any form."""

import asyncio

from litestar.params import FromPath
from msgspec.structs import replace

from api.common.freshness import wait_for_sequence
from api.common.names import wait_for_names
from api.common.reaching import wait_for_reach
from api.common.tables.formats import LABELS
from api.http.etag import content_hash, respond_with_etag
from api.http.formats import schemas
from api.http.media_types import JSON
from api.http.operations import Content, Operation, reads
from api.http.paging import cursor_in_epoch, next_links
from api.http.places import reach_of
from api.http.query import read_query
from api.http.request import Request, services_of
from api.http.response import Response, encode
from api.scores.formats import FORMATS
from api.scores.requests import PlayerScoresQuery
from api.scores.responses import PlayerScores
from api.scores.scores import AS_OF, VARY, form_of, start_now, whole_response
from domain.access.reach import Reach
from domain.errors import Unknown
from projections.engine.store import Store
from projections.models.score_lines.projection import SCORE_LINES
from projections.models.score_lines.score_history import HistoryFilters, counted_for, months, player_games_page, player_totals
from projections.models.score_lines.score_list import ScoreFilters


@reads(
    "/v1/players/{player:str}/scores",
    Operation(
        id="read_player_scores",
        tag="Scores",
        summary="A player's games, totals and trends",
        description=(
            "As JSON games page by page, newest first, with totals and months of all of them; as "
            f"{', '.join(LABELS[:-1])} or {LABELS[-1]} the score lines themselves, as `/v1/scores` tells them."
        ),
        query=PlayerScoresQuery,
        responses={200: Content("the history", {**schemas(FORMATS), JSON: PlayerScores}, headers=("ETag", "Link", "Kiebitz-As-Of"))},
        refuses=(404, 406, 501, 503),
        headers=("If-None-Match",),
        within="lists",
    ),
)
async def read_player_scores(request: Request, player: FromPath[str]) -> Response:
    query = read_query(request, PlayerScoresQuery)
    form = form_of(request, query.format)
    await wait_for_sequence(request, SCORE_LINES.name, query.min_sequence)
    await wait_for_reach(request)
    start = await start_now(request)
    store, reach = services_of(request).store, reach_of(request)
    known = await asyncio.to_thread(counted_for, store, reach, player)
    if known is None:
        raise Unknown("player", player)
    if form is not None:
        if query.names:
            await wait_for_names(request)
        filters = ScoreFilters(query.tournament, query.ruleset, known, None, query.from_, query.to)
        return await whole_response(request, form, filters, start, query.names)
    found = await asyncio.to_thread(_history, store, reach, known, start.as_of, query)
    found = replace(found, next=cursor_in_epoch(request, found.next))
    headers = [(AS_OF, str(start.as_of)), *next_links(request, cursor=found.next)]
    told = encode(found)
    return respond_with_etag(request, f"{start.as_of}.{content_hash(told)}.json", lambda: told, headers=headers, vary=VARY)


def _history(store: Store, reach: Reach, player: str, as_of: int, query: PlayerScoresQuery) -> PlayerScores:
    filters = HistoryFilters(query.ruleset, query.tournament, query.from_, query.to)
    page = player_games_page(store, reach, player, filters, query.cursor, query.limit)
    by_month = months(store, reach, player, filters)
    sums = player_totals(store, reach, player, filters, by_month, query.latest)
    return PlayerScores(player, as_of, sums, by_month, page.games, page.next)
