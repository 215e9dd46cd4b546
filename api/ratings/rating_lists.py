"""The rating list of a ruleset, now or by the games before a moment, as pages of JSON or as an exported table."""

from bisect import bisect_right
from collections.abc import Sequence
from datetime import datetime
from typing import Annotated, Self

from msgspec import Meta

from api.common.names import NameViewer, load_names_in_lists, wait_for_names
from api.common.tables.columns import Column, Table
from api.common.tables.files import WHOLE, FileInfo, FormName, ListQuery, TableFile, list_formats, list_or_file
from api.common.time_zone import Times
from api.http.decoding import LocalTime, Name, ResponseModel, RulesetKey, read_query
from api.http.errors import BadRequest, say
from api.http.operations import Content, reads
from api.http.request import Request
from api.http.response import Response, schemas
from api.services import Sources
from domain.errors import BadCursor
from domain.journal.registers import Registers
from domain.ratings import PARAMETERS, RatingParameters
from projections.engine.store import Store
from projections.models.players import PLAYERS
from projections.models.reading import cursor_of, text_place_of
from projections.models.score_lines.projection import SCORE_LINES
from projections.models.score_lines.rating_list import RatedPlayer, RatingFilters, find_update_start, list_ratings

RATINGS = Table(
    "ratings",
    "kiebitz-ratings/1",
    "ratings of the players of a ruleset, best first",
    (
        Column("place", "integer", "place in the list; equal ratings share one", required=True),
        Column("player", "string", "id of the player, after mergers", required=True),
        Column("shown", "string", "what may stand for the player before whoever asks: name or alias, else words", required=True),
        Column("club", "string", "club of the player"),
        Column("rating", "integer", "1500 + 40 · (mu − 3·sigma)", required=True),
        Column("uncertainty", "integer", "40·sigma", required=True),
        Column("games", "integer", "rated games", required=True),
        Column("provisional", "boolean", "whether the player has fewer than 10 rated games", required=True),
        Column("last_played_at", "datetime", "when the last of them was played (UTC)", required=True),
        Column("mu", "number", "the presumed strength", required=True),
        Column("sigma", "number", "its standard deviation", required=True),
    ),
    ("player",),
)


class RatingsQuery(ListQuery, frozen=True, kw_only=True):
    """The ruleset, and filters."""

    ruleset: Annotated[RulesetKey, Meta(description="ratings of this ruleset; required")] = ""
    to: Annotated[LocalTime, Meta(description="by the games played before this moment")] | None = None
    club: Annotated[Name | None, Meta(description="members of this club")] = None
    minimum_games: Annotated[int, Meta(ge=1, le=10_000, description="players with so many rated games")] = 1


class RatingView(ResponseModel, frozen=True, kw_only=True):
    """A player of the list: see ``/v1/schemas/ratings``."""

    place: int
    player: str
    shown: str
    club: str | None
    rating: int
    uncertainty: int
    games: int
    provisional: bool
    last_played_at: datetime
    mu: float
    sigma: float


class Ratings(ResponseModel, frozen=True, kw_only=True):
    """A page, best first. ``recomputing_since``: some result before the last games changed then, and their ratings follow shortly."""

    ruleset: str
    parameters: RatingParameters
    recomputing_since: datetime | None
    items: list[RatingView]
    next: str | None


class RatingsFile(TableFile, frozen=True, kw_only=True):
    full_table = RATINGS
    query = RatingsQuery
    projections = (SCORE_LINES.name, PLAYERS.name)
    filters: RatingFilters

    @classmethod
    def make(cls, sources: Sources, query: RatingsQuery, times: Times, form: FormName, about: FileInfo) -> Self:
        return cls(form=form, about=about, filters=RatingFilters(query.ruleset, times.get("to"), query.club, query.minimum_games))

    def found(self, sources: Sources, cursor: str | None, limit: int) -> Ratings:
        listed = list_ratings(sources.store, self.filters)
        first = 0 if cursor is None else bisect_right(listed, _place_of(cursor), key=_order)
        page, more = listed[first : first + limit], len(listed) > first + limit
        return Ratings(
            ruleset=self.filters.ruleset,
            parameters=PARAMETERS,
            recomputing_since=find_update_start(sources.store, self.filters.ruleset),
            items=rating_views(sources.registers, sources.store, page, self.about.name_viewer),
            next=cursor_of("{!r}:{}".format(*_order(page[-1]))) if more else None,
        )


def rating_views(registers: Registers, store: Store, listed: Sequence[RatedPlayer], audience: NameViewer) -> list[RatingView]:
    names = load_names_in_lists(registers, store, {one.player for one in listed}, audience)
    return [
        RatingView(
            place=one.place,
            player=one.player,
            shown=names[one.player],
            club=one.club,
            rating=one.rating.points,
            uncertainty=one.rating.error,
            games=one.rating.games,
            provisional=not one.rating.is_established,
            last_played_at=one.last_played_at,
            mu=one.rating.mu,
            sigma=one.rating.sigma,
        )
        for one in listed
    ]


def _order(one: RatedPlayer) -> tuple[float, str]:
    return -one.rating.ordinal, one.player


def _place_of(cursor: str) -> tuple[float, str]:
    try:
        number, player = text_place_of(cursor).split(":", 1)
        return float(number), player
    except ValueError:
        raise BadCursor from None


@reads(
    "/v1/ratings",
    "list_ratings",
    "List the ratings of the players of a ruleset, best first",
    description=(
        "Every finished game or entered result that counts is rated, in the order in which they were played; byes, forfeits, annulled "
        f"games and solitaires are not. A ruling, a merger or a late result changes all ratings from there on. {WHOLE}"
    ),
    query=RatingsQuery,
    responses={200: Content("a page of ratings", schemas(list_formats(Ratings)), headers=("ETag", "Link"))},
)
async def list_rating_page(request: Request) -> Response:
    query = read_query(request, RatingsQuery)
    if not query.ruleset:
        raise BadRequest("bad_parameter", say("ruleset_missing"), "ruleset")
    await wait_for_names(request)
    return await list_or_file(request, RatingsFile, query)
