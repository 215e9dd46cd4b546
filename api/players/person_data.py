"""Everything that is stored about a person, in one response (GDPR, article 15)."""

import asyncio
from collections.abc import Collection, Iterator, Sequence
from itertools import groupby
from uuid import UUID

from litestar.params import FromPath

from api.common.access_audit import access_view, access_writer
from api.common.consistency import wait_for_head
from api.common.event_views import event_view
from api.http.decoding import copy_fields
from api.http.errors import ProjectionLagError
from api.http.operations import Content, reads
from api.http.request import Request, services_of
from api.http.response import Response, no_store_response
from api.players import responses
from api.players.directory import current_player_view, find_principal_ids, player_events
from domain.rating_lists import lines_in, rating_lists_stream
from domain.series.series import series_stream
from projections.models import game_index
from projections.models.game_index import GAME_INDEX
from projections.models.player_places import APPEARANCES, PlayerSeat, entries_of, seats_of
from projections.models.players import ids_of_person
from projections.models.score_lines.projection import SCORE_LINES
from projections.models.score_lines.rating_list import rating_steps
from projections.models.score_lines.table_list import list_results_of
from projections.models.score_sheets import SCORE_SHEETS, score_sheet
from projections.models.series import SERIES_INDEX, list_series

_ALL = 2**31


@reads(
    "/v1/players/{player:str}/data",
    "read_personal_data",
    "Read all data about a person, under all ids",
    description=(
        "The answer holds the row of the register, the events of the ids, the games with seats and points, tables whose "
        "result was entered, ratings and published rating lists, the entries into tournaments, and what series hold of the person. "
        "It also lists the person's looks at hidden cards as an official in the last year, as far as a principal is known to be the "
        "person: by its id, or by a token of the player."
    ),
    responses={200: Content("the data", responses.PersonData)},
    refuses=(503,),
    role="director",
)
async def read_person_data(request: Request, player: FromPath[str]) -> Response:
    root = (await current_player_view(request, player)).person
    for projection in (GAME_INDEX, SCORE_SHEETS, SCORE_LINES, APPEARANCES, SERIES_INDEX):
        await wait_for_head(request, projection.name)
    await access_writer(request).flush()
    data = await asyncio.to_thread(_data, request, root)
    return no_store_response(data)


def _data(request: Request, root: str) -> responses.PersonData:
    services = services_of(request)
    ids = [row.player for row in ids_of_person(services.store, root)]
    seats = groupby(seats_of(services.store, ids), lambda one: one.game)
    return responses.PersonData(
        person=root,
        ids=ids,
        register=tuple(services.registers.find_players(ids).values()),
        histories=[responses.IdHistory(player=id, events=player_events(request, id)) for id in ids],
        games=[_game(request, game, list(sat)) for game, sat in seats],
        tables=list(_tables(request, root)),
        ratings=_ratings(request, root),
        rating_lists=list(_rating_lists(request, ids)),
        entries=entries_of(services.store, ids),
        series=list(_series(request, ids)),
        looks=list(map(access_view, services.registers.looks_by(find_principal_ids(services.registers, ids)))),
    )


def _tables(request: Request, root: str) -> Iterator[responses.TableScored]:
    """Return the tables, newest first, except those with a game, which are listed with the games."""
    results = list_results_of(services_of(request).store, root)
    return (copy_fields(one, responses.TableScored) for one in results if one.game is None)


def _series(request: Request, ids: Collection[str]) -> Iterator[responses.SeriesEvents]:
    services = services_of(request)
    for row in list_series(services.store):
        named = [one for one in services.journal.history(series_stream(row.series)) if getattr(one.event, "player", None) in ids]
        if named:
            yield responses.SeriesEvents(series=row.series, events=[event_view(one, one.event) for one in named])


def _ratings(request: Request, root: str) -> list[responses.RatingAfterGame]:
    steps, _ = rating_steps(services_of(request).store, root, None, None, _ALL)
    return [
        responses.RatingAfterGame(
            ruleset=one.ruleset, played_at=one.played_at, rating=one.after.points, uncertainty=one.after.error, games=one.after.games
        )
        for one in steps
    ]


def _rating_lists(request: Request, ids: Collection[str]) -> Iterator[responses.RatingListed]:
    services = services_of(request)
    for ruleset in services.rulesets:
        for one in services.journal.history(rating_lists_stream(ruleset)):
            lines = (line for line in lines_in(one) if line.player in ids)
            yield from (responses.RatingListed(ruleset=ruleset, number=one.position, line=line) for line in lines)


def _game(request: Request, id: UUID, sat: Sequence[PlayerSeat]) -> responses.GamePlayed:
    store = services_of(request).store
    row, found = game_index.game_row(store, id), score_sheet(store, id)
    if row is None or found is None:
        raise ProjectionLagError(services_of(request).journal.head(), 0)
    sheet, seat = found.sheet, sat[-1].seat
    party = next((number for number, seats in enumerate(sheet.parties) if seat in seats), None)
    return copy_fields(
        row,
        responses.GamePlayed,
        game=id,
        sat=[copy_fields(one, responses.SeatAssignment) for one in sat],
        party=party,
        points=None if party is None else sheet.totals[party],
        place=None if party is None or sheet.places is None else sheet.places[party],
    )
