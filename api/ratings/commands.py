"""Publish the present rating list of a ruleset."""

import asyncio
from collections.abc import Sequence
from typing import Annotated
from urllib.parse import quote

from msgspec import UNSET, Meta

from api.common.commands import build_commit_headers, call_of, commit_to, replay_header
from api.common.consistency import wait_for_head
from api.common.event_views import event_view
from api.common.time_zone import read_times
from api.http.decoding import DryRun, Incoming, LocalTime, RulesetKey, read_body, read_query
from api.http.operations import describe_responses, writes
from api.http.request import Request, services_of
from api.http.response import Response, encode, no_store_response
from api.ratings.published_table import RatingListRecorded, list_view, read_present_lines
from domain.errors import Stale, Unknown
from domain.events import Event
from domain.events.tournament import Publication
from domain.journal.commits import Receipt
from domain.rating_lists import RATING_LISTS, RatingLists, publish_ratings, rating_lists_stream
from projections.models.score_lines.projection import SCORE_LINES

_MISSED = 100  # most events that a 412 shows


class PublishRatings(Incoming, frozen=True, kw_only=True):
    """The list to be published."""

    ruleset: Annotated[RulesetKey, Meta(description="ratings of this ruleset")]
    to: Annotated[LocalTime, Meta(description="by the games played before this moment; left out: now")] | None = None
    minimum_games: Annotated[int, Meta(ge=1, le=10_000, description="players with so many rated games")] = 1
    publication: Annotated[
        Publication,
        Meta(
            description=(
                "readers of the published lists of this ruleset, from now on: `no`: callers with a token for everything; `aliases`: "
                "everybody, with aliases; `names`: everybody, with the names of players who agreed"
            )
        ),
    ]


@writes(
    "/v1/ratings/lists",
    "publish_ratings",
    "Publish the rating list of a ruleset",
    description=(
        "The list is recorded as it is: a later ruling changes ratings, and no published list. Its number is its position in the "
        "stream of the ruleset. With `dry_run=true` nothing is recorded."
    ),
    query=DryRun,
    body=PublishRatings,
    responses=describe_responses(
        RatingListRecorded, says="published", result="the list, not published", creates={"number": "/published/number"}
    ),
    refuses=(409, 422),
    role="director",
)
async def publish(request: Request) -> Response:
    dry, body, services = read_query(request, DryRun).dry_run, await read_body(request, PublishRatings), services_of(request)
    await wait_for_head(request, SCORE_LINES.name)
    now = services.clock()
    to = (await read_times(request, body)).get("to") or now
    lines = await asyncio.to_thread(read_present_lines, services.store, body.ruleset, to, body.minimum_games)
    stream = rating_lists_stream(body.ruleset)

    def decide(before: RatingLists | None) -> Sequence[Event]:
        return (publish_ratings(before, body.ruleset, to, body.minimum_games, body.publication, lines, now),)

    try:
        receipt = await commit_to(request, RATING_LISTS, stream, decide, _encode_missing_events, dry_run=dry)
    except Unknown:
        receipt = await services.journal.begin(RATING_LISTS, await call_of(request), stream, decide(None), dry_run=dry)
    return _build_response(receipt, dry=dry)


async def _encode_missing_events(request: Request, stale: Stale) -> bytes:
    events = await asyncio.to_thread(services_of(request).journal.history, stale.stream, stale.expected, _MISSED)
    return encode([event_view(one, None) for one in events])


def _build_response(receipt: Receipt[RatingLists], *, dry: bool) -> Response:
    after, headers = receipt.after, replay_header(repeated=receipt.repeated)
    body = RatingListRecorded(
        ruleset=after.ruleset,
        position=after.position,
        sequence=UNSET if dry else receipt.sequence,
        published=list_view(after.ruleset, after.lists[-1]),
        dry_run=dry or UNSET,
    )
    if dry:
        return no_store_response(body, headers=headers)
    url = f"/v1/ratings/lists/{quote(after.ruleset, safe='')}/{after.position}"
    return Response(encode(body), status=201, headers=build_commit_headers(url, after.position, repeated=receipt.repeated))
