"""The course of a player's rating, game by game: the rating before, the expected place, the place, and the rating after."""

import asyncio
from datetime import datetime
from typing import Annotated
from uuid import UUID

from litestar.params import FromPath
from msgspec import Meta

from api.common.consistency import wait_for_head
from api.common.tables.columns import Column, Table
from api.common.tables.files import WHOLE, ListQuery, TableFile, list_formats, list_or_file
from api.http.decoding import ResponseModel, RulesetKey, copy_fields, read_query
from api.http.operations import Content, reads
from api.http.places import visibility_of
from api.http.request import Request, services_of
from api.http.response import Response, schemas
from api.services import Sources
from domain.errors import Unknown
from projections.models.score_lines.projection import SCORE_LINES
from projections.models.score_lines.rating_list import PlayerStep, rating_steps
from projections.models.score_lines.score_history import find_counted_player

STEPS = Table(
    "rating_steps",
    "kiebitz-rating-steps/1",
    "rated games of a player, newest first",
    (
        Column("ruleset", "string", "what was played", required=True),
        Column("game", "string", "id of the game (a UUID); empty for the result of a table"),
        Column("tournament", "string", "id of the tournament, if it belongs to one"),
        Column("round", "integer", "round of the tournament"),
        Column("table", "string", "table of the tournament"),
        Column("played_at", "datetime", "when it was played (UTC)", required=True),
        Column("before", "integer", "the rating before the game", required=True),
        Column("expected_place", "number", "the place that the ratings before the game presumed", required=True),
        Column("place", "integer", "the place of the party", required=True),
        Column("after", "integer", "the rating after the game", required=True),
        Column("uncertainty", "integer", "of the rating after the game", required=True),
        Column("games", "integer", "number of the game among those of the player in this ruleset", required=True),
    ),
    ("ruleset", "games"),
)


class RatingStepsQuery(ListQuery, frozen=True, kw_only=True):
    ruleset: Annotated[RulesetKey | None, Meta(description="games of this ruleset")] = None


class RatingStepView(ResponseModel, frozen=True, kw_only=True):
    """A rated game: see ``/v1/schemas/rating_steps``."""

    ruleset: str
    game: UUID | None
    tournament: str | None
    round: int | None
    table: str | None
    played_at: datetime
    before: int
    expected_place: float
    place: int
    after: int
    uncertainty: int
    games: int


class PlayerRatings(ResponseModel, frozen=True, kw_only=True):
    """A page, newest first. ``player`` is the id that the person is known by, after mergers."""

    player: str
    items: list[RatingStepView]
    next: str | None


class RatingStepsFile(TableFile, frozen=True, kw_only=True):
    full_table = STEPS
    projections = (SCORE_LINES.name,)
    player: str
    ruleset: str | None

    def found(self, sources: Sources, cursor: str | None, limit: int) -> PlayerRatings:
        steps, next = rating_steps(sources.store, self.player, self.ruleset, cursor, limit)
        return PlayerRatings(player=self.player, items=list(map(_step_view, steps)), next=next)


def _step_view(one: PlayerStep) -> RatingStepView:
    after = {"after": one.after.points, "uncertainty": one.after.error, "games": one.after.games}
    return copy_fields(one, RatingStepView, before=one.before.points, expected_place=round(one.expected, 2), **after)


@reads(
    "/v1/players/{player:str}/ratings",
    "read_player_ratings",
    "Read how each game changed a player's rating, newest first",
    tag="Ratings",
    description=f"Each game has the rating before, the expected place, the place and the rating after. {WHOLE}",
    query=RatingStepsQuery,
    responses={200: Content("a page of rated games", schemas(list_formats(PlayerRatings)), headers=("ETag", "Link"))},
)
async def read_player_ratings(request: Request, player: FromPath[str]) -> Response:
    query, store = read_query(request, RatingStepsQuery), services_of(request).store
    await wait_for_head(request, SCORE_LINES.name)
    known = await asyncio.to_thread(find_counted_player, store, visibility_of(request), player)
    if known is None:
        raise Unknown("player", player)
    return await list_or_file(
        request, RatingStepsFile, query, lambda form, about: RatingStepsFile(form=form, about=about, player=known, ruleset=query.ruleset)
    )
