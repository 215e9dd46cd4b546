"""Published rating lists: read each as it was published, and what differs from another one."""

import asyncio
from contextlib import suppress
from functools import partial
from typing import Annotated

from litestar.params import FromPath
from msgspec import Meta

from api.common.consistency import wait_for_head
from api.common.lists import build_list_response, page_of
from api.common.names import load_names_in_lists, name_viewer_of, wait_for_names
from api.common.tables.files import WHOLE, ListQuery, list_formats, list_or_file
from api.http.decoding import Incoming, Number, PageQuery, RulesetKey, copy_fields, read_query
from api.http.errors import AuthenticationError, say
from api.http.operations import Content, reads
from api.http.places import visibility_of
from api.http.request import Request, services_of
from api.http.response import Response, encode, schemas
from api.ratings.published_table import (
    PublishedLists,
    PublishedRatings,
    PublishedRatingsFile,
    RatingListDiff,
    RatingMoveView,
    list_moves,
    list_view,
    read_lines,
    read_present_lines,
)
from domain.access import PUBLISHED
from domain.errors import DataIntegrityError, Forbidden, Unknown
from domain.rating_lists import RATING_LISTS, PublishedList, RatingLists, rating_lists_stream
from projections.models.players import PLAYERS
from projections.models.score_lines.projection import SCORE_LINES
from projections.values import microseconds

_END = 10**17  # microseconds, later than any moment


async def _find_lists(request: Request, ruleset: str) -> RatingLists | None:
    """Return the lists of a ruleset; ``None`` where none was published, or the caller may not read them."""
    with suppress(Unknown, DataIntegrityError):
        lists = await services_of(request).journal.current_of(RATING_LISTS, rating_lists_stream(ruleset))
        return lists if visibility_of(request).whole or lists.publication != "no" else None
    return None


async def _lists_of(request: Request, ruleset: str) -> RatingLists:
    """Return the lists of the ruleset in the path. Raises ``Unknown``, and ``AuthenticationError`` without a token."""
    lists = await _find_lists(request, ruleset)
    if lists is None:
        raise _ask_for_token(request) or Unknown("rating_list", ruleset)
    return lists


def _ask_for_token(request: Request) -> AuthenticationError | None:
    return AuthenticationError(say("token_missing"), invalid=False) if visibility_of(request) == PUBLISHED else None


class PublishedListsQuery(PageQuery, frozen=True, kw_only=True):
    ruleset: Annotated[RulesetKey | None, Meta(description="lists of this ruleset")] = None


@reads(
    "/v1/ratings/lists",
    "list_published_ratings",
    "List the published rating lists, newest first",
    description="`Link` names the next page.",
    query=PublishedListsQuery,
    responses={200: Content("a page of published lists", PublishedLists, headers=("ETag", "Link"))},
    within="published",
)
async def list_published_ratings(request: Request) -> Response:
    query = read_query(request, PublishedListsQuery)
    rulesets = [query.ruleset] if query.ruleset else sorted(services_of(request).rulesets)
    found = [await _find_lists(request, one) for one in rulesets]
    listed = {_place_of(one): list_view(lists.ruleset, one) for lists in found if lists for one in lists.lists}
    page, next, links = await page_of(request, query, sorted(listed), str)
    return build_list_response(request, encode(PublishedLists(items=[listed[one] for one in page], next=next)), links)


def _place_of(one: PublishedList) -> str:
    """Return its place in a list that begins with the newest."""
    return f"{_END - microseconds(one.published_at):017}"


@reads(
    "/v1/ratings/lists/{ruleset:str}/{number:int}",
    "read_published_ratings",
    "Read a rating list as it was published, beside the list before it",
    description=f"A newcomer has no place before. Ids that were merged since count for one person there. {WHOLE}",
    query=ListQuery,
    responses={200: Content("a page of the list", schemas(list_formats(PublishedRatings)), headers=("ETag", "Link"))},
    refuses=(404,),
    within="published",
)
async def read_published_ratings(request: Request, ruleset: FromPath[str], number: FromPath[int]) -> Response:
    query, lists = read_query(request, ListQuery), await _lists_of(request, ruleset)
    lists.list_of(number)
    await wait_for_names(request)
    await wait_for_head(request, PLAYERS.name)
    make = partial(PublishedRatingsFile.of, services_of(request).sources, lists, number)
    return await list_or_file(request, PublishedRatingsFile, query, make)


class RatingListDiffQuery(Incoming, frozen=True, kw_only=True):
    new: Annotated[Number | None, Meta(description="the number of another list of the ruleset; left out: the present list")] = None


@reads(
    "/v1/ratings/lists/{ruleset:str}/{number:int}/diff",
    "compare_published_ratings",
    "Compare a published rating list with another one, or with the present ratings",
    description="Players whose place, rating or games differ, newcomers, and those who are no longer in the list.",
    query=RatingListDiffQuery,
    responses={200: Content("the differences", RatingListDiff, headers=("ETag",))},
    refuses=(403, 404, 422),
    within="published",
)
async def compare_published_ratings(request: Request, ruleset: FromPath[str], number: FromPath[int]) -> Response:
    query, lists = read_query(request, RatingListDiffQuery), await _lists_of(request, ruleset)
    listed, services = lists.list_of(number), services_of(request)
    if query.new is not None:
        lists.list_of(query.new)
    elif not visibility_of(request).whole:
        raise _ask_for_token(request) or Forbidden(say("house_closed"))
    await wait_for_names(request)
    await wait_for_head(request, SCORE_LINES.name)

    def read() -> RatingListDiff:
        before = read_lines(services.journal, ruleset, number)
        other = query.new and read_lines(services.journal, ruleset, query.new)
        after = other or read_present_lines(services.store, ruleset, None, listed.minimum_games)
        moved = [one for one in list_moves(services.store, before, after) if one.is_move]
        players = {one.player for one in moved}
        shown = load_names_in_lists(services.registers, services.store, players, name_viewer_of(request), lists.publication)
        views = [copy_fields(one, RatingMoveView, shown=shown[one.player]) for one in moved]
        return RatingListDiff(ruleset=ruleset, before=number, after=query.new, moved=views)

    return build_list_response(request, encode(await asyncio.to_thread(read)), vary="accept-language, authorization")
