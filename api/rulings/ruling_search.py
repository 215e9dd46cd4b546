"""The case book: rulings of all games, so that like cases can be decided alike; with a search for words in their texts.

A search reads the texts from their register for each ruling, newest first, and keeps no index of words. So it counts and orders by nothing
that the caller may not read, and a text that was erased is found nowhere.
"""

from collections.abc import Iterator, Sequence
from datetime import datetime
from typing import Annotated
from uuid import UUID

from msgspec import UNSET, Meta, UnsetType

from api.common.lists import page_response, wait_for_hidden_games
from api.common.texts import reason_of, text_by_id
from api.http.decoding import ResponseModel, copy_fields, read_query
from api.http.operations import Content, Operation, reads
from api.http.places import visibility_of
from api.http.request import Request, services_of
from api.http.response import Response
from api.rulings.requests import RulingsQuery
from api.rulings.responses import RulingPoints
from domain.events.game import Decision, Instance
from domain.name_validation import fold_text
from projections.models.cursors import cursor_of
from projections.models.rulings import RULINGS, RulingFilters, rulings_page
from projections.models.rulings import RulingCase as StoredRuling
from projections.models.rulings import RulingsPage as StoredPage

_SEARCHED = 500
"""Rulings that one request searches for words; the cursor goes on behind them."""


class RulingCase(ResponseModel, frozen=True, kw_only=True):
    """A ruling. ``position`` is that of its event, ``disputed`` the one in dispute.

    ``lifted_by``: the ruling of the committee that overturned it.
    """

    sequence: int
    game: UUID
    tournament: str | None
    ruling: int
    position: int
    at: datetime
    ruleset: str
    dispute: int | None
    disputed: int | None
    claim: Annotated[str | None, Meta(description="for officials; null where there is none any more")] | UnsetType = UNSET
    instance: Instance
    decision: Decision
    rules: tuple[str, ...]
    reason: Annotated[str | None, Meta(description="the reason; null for an erased one, and where the caller may not read it yet")]
    points: list[RulingPoints]
    lifted_by: int | None


class RulingsPage(ResponseModel, frozen=True, kw_only=True):
    """A page of rulings, newest first. ``next`` is the cursor of the following page, null on the last; with ``q`` a page may hold fewer."""

    items: list[RulingCase]
    next: str | None


@reads(
    "/v1/rulings",
    Operation(
        id="list_rulings",
        summary="List all rulings with their reasons, newest first: the case book",
        description=(
            "A ruling must match all given filters. Players are not named. `reason` is null for an erased text, and for "
            "viewers until it is public or its position is open. Viewers see rulings in games that are not live once these are "
            f"over. With `q` a request searches up to {_SEARCHED} rulings: follow `next` for earlier ones, also from an empty page."
        ),
        query=RulingsQuery,
        responses={200: Content("a page of rulings", RulingsPage, headers=("ETag", "Link"))},
        within="lists",
    ),
)
async def list_rulings(request: Request) -> Response:
    query = read_query(request, RulingsQuery)
    await wait_for_hidden_games(request)
    return await page_response(request, RULINGS.name, query.min_sequence, lambda: _page(request, query))


def _page(request: Request, query: RulingsQuery) -> RulingsPage:
    if query.q is None:
        found = _read(request, query, query.limit)
        return RulingsPage(items=[_view(request, case) for case in found.rulings], next=found.next)
    page = _read(request, query, _SEARCHED)
    matching = list(_search(request, page.rulings, fold_text(query.q).split(), query.limit))
    full = len(matching) == query.limit
    return RulingsPage(items=matching, next=cursor_of(matching[-1].sequence) if full else page.next)


def _read(request: Request, query: RulingsQuery, limit: int) -> StoredPage:
    filters = copy_fields(query, RulingFilters, rules=tuple(query.rules.split(",")) if query.rules else ())
    public = not request.user.has_full_view
    return rulings_page(services_of(request).store, visibility_of(request), filters, query.cursor, limit, public=public)


def _search(request: Request, cases: Sequence[StoredRuling], words: Sequence[str], limit: int) -> Iterator[RulingCase]:
    """Yield up to ``limit`` rulings whose texts, as far as the caller may read them, hold each word or its beginning."""
    for case in cases:
        one = _view(request, case)
        texts = fold_text(f" {one.claim or ''} {one.reason or ''}")
        if all(word in texts for word in words):
            yield one
            limit -= 1
            if not limit:
                return


def _view(request: Request, case: StoredRuling) -> RulingCase:
    claim = text_by_id(request, case.claim) if request.user.has_full_view else UNSET
    points = [RulingPoints(party=party, points=points) for party, points in sorted(case.points.items())]
    return copy_fields(case, RulingCase, claim=claim, reason=_reason(request, case), points=points)


def _reason(request: Request, case: StoredRuling) -> str | None:
    """Return the reason. Only for a viewer the game has to be loaded, which may mean folding it."""
    if case.reason is None or request.user.has_full_view:
        return text_by_id(request, case.reason)
    return reason_of(request, services_of(request).journal.game(case.game), case.reason, case.position)
