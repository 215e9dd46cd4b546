"""The case book: rulings of all games, so that like cases can be decided alike; with a search for words in their texts.

A search reads the texts from their register for each ruling, newest first, and keeps no index of words. So it counts and orders by nothing
that the caller may not read, and a text that was erased is found nowhere.
"""

from datetime import datetime
from itertools import islice
from typing import Annotated, Self
from uuid import UUID

from msgspec import UNSET, Meta, UnsetType

from api.common.lists import wait_for_hidden_games
from api.common.reading import read_openness_context
from api.common.tables.columns import Row, Table, columns_of, row_of
from api.common.tables.files import WHOLE, FileInfo, FormName, TableFile, list_formats, list_or_file
from api.common.time_zone import Times
from api.http.decoding import ResponseModel, copy_fields, read_query
from api.http.operations import Content, reads
from api.http.request import Request
from api.http.response import Response, schemas
from api.rulings.requests import RulingsQuery
from api.rulings.responses import RulingPoints
from api.services import Sources
from domain.events.game import Decision, Instance
from domain.name_validation import fold_text
from projections.models.reading import cursor_of
from projections.models.rulings import RULINGS, RulingFilters, rulings_page
from projections.models.rulings import RulingCase as StoredRuling
from projections.models.rulings import RulingsPage as StoredPage

_SEARCHED = 500
"""Rulings that one request searches for words; the cursor goes on behind them."""


class RulingCase(ResponseModel, frozen=True, kw_only=True):
    """A ruling. ``position`` is that of its event, ``disputed`` the one in dispute.

    ``lifted_by``: the ruling of the committee that overturned it.
    """

    sequence: Annotated[int, Meta(description="sequence of its event in the whole store")]
    game: Annotated[UUID, Meta(description="id of the game")]
    tournament: Annotated[str | None, Meta(description="id of the tournament, if the game belongs to one")]
    ruling: Annotated[int, Meta(description="number of the ruling in its game, from 1")]
    position: Annotated[int, Meta(description="position of its event in the game")]
    at: Annotated[datetime, Meta(description="when it was made (UTC)")]
    ruleset: Annotated[str, Meta(description="the ruleset")]
    dispute: Annotated[int | None, Meta(description="number of the dispute; empty where nobody had raised one")]
    disputed: Annotated[int | None, Meta(description="the position in dispute")]
    claim: Annotated[str | None, Meta(description="for officials; null where there is none any more")] | UnsetType = UNSET
    instance: Annotated[Instance, Meta(description="arbiter or committee")]
    decision: Annotated[Decision, Meta(description="stands, rewind, rectify, adjust, penalty, annul or overturn")]
    rules: Annotated[tuple[str, ...], Meta(description="rules that it cites")]
    reason: Annotated[str | None, Meta(description="the reason; null for an erased one, and where the caller may not read it yet")]
    points: Annotated[list[RulingPoints], Meta(description="points given or taken, by party")]
    lifted_by: Annotated[int | None, Meta(description="the ruling of the committee that overturned it")]


class RulingsPage(ResponseModel, frozen=True, kw_only=True):
    """A page of rulings, newest first. ``next`` is the cursor of the following page, null on the last; with ``q`` a page may hold fewer."""

    items: list[RulingCase]
    next: str | None


@reads(
    "/v1/rulings",
    "list_rulings",
    "List all rulings with their reasons, newest first: the case book",
    description=(
        "A ruling must match all given filters. Players are not named. `reason` is null for an erased text, and for "
        "viewers until it is public or its position is open. Viewers see rulings in games that are not live once these are "
        f"over. With `q` a request searches up to {_SEARCHED} rulings: follow `next` for earlier ones, also from an empty page. {WHOLE}"
    ),
    query=RulingsQuery,
    responses={200: Content("a page of rulings", schemas(list_formats(RulingsPage)), headers=("ETag", "Link", "Kiebitz-As-Of"))},
    within="lists",
)
async def list_rulings(request: Request) -> Response:
    query = read_query(request, RulingsQuery)
    await wait_for_hidden_games(request)
    return await list_or_file(request, RulingsFile, query)


TABLE = Table("rulings", "kiebitz-rulings/1", "rulings of all games, newest first", columns_of(RulingCase), ("game", "ruling"))


class RulingsFile(TableFile, frozen=True, kw_only=True):
    """The export. ``words``: each of them, or its beginning, has to be in the texts, as far as the caller may read them."""

    full_table = TABLE
    query = RulingsQuery
    projections = (RULINGS.name,)
    filters: RulingFilters
    words: tuple[str, ...]

    @classmethod
    def make(cls, sources: Sources, query: RulingsQuery, times: Times, form: FormName, about: FileInfo) -> Self:
        rules = tuple(query.rules.split(",")) if query.rules else ()
        filters = copy_fields(query, RulingFilters, from_=times.get("from_"), to=times.get("to"), rules=rules)
        return cls(form=form, about=about, filters=filters, words=tuple(fold_text(query.q or "").split()))

    def found(self, sources: Sources, cursor: str | None, limit: int) -> RulingsPage:
        if not self.words:
            page = self._read(sources, cursor, limit)
            return RulingsPage(items=[self._view(sources, case) for case in page.rulings], next=page.next)
        page = self._read(sources, cursor, _SEARCHED)
        matching = list(islice((one for case in page.rulings if self._matches(one := self._view(sources, case))), limit))
        full = len(matching) == limit
        return RulingsPage(items=matching, next=cursor_of(matching[-1].sequence) if full else page.next)

    def row(self, one: RulingCase) -> Row:
        return row_of(TABLE, one, game=str(one.game))

    def _read(self, sources: Sources, cursor: str | None, limit: int) -> StoredPage:
        return rulings_page(sources.store, self.about.reach, self.filters, cursor, limit, public=self.about.public)

    def _matches(self, one: RulingCase) -> bool:
        texts = fold_text(f" {one.claim or ''} {one.reason or ''}")
        return all(word in texts for word in self.words)

    def _view(self, sources: Sources, case: StoredRuling) -> RulingCase:
        points = [RulingPoints(party=party, points=points) for party, points in sorted(case.points.items())]
        claim = UNSET if self.about.public else _text(sources, case.claim)
        return copy_fields(case, RulingCase, claim=claim, reason=self._reason(sources, case), points=points)

    def _reason(self, sources: Sources, case: StoredRuling) -> str | None:
        """Return the reason. Only for a viewer the game has to be loaded, which may mean folding it."""
        if case.reason is not None and self.about.public:
            game = sources.journal.game(case.game)
            if not game.tells(case.reason, case.position, read_openness_context(sources, game)):
                return None
        return _text(sources, case.reason)


def _text(sources: Sources, id: str | None) -> str | None:
    return None if id is None else sources.registers.text(id)
