"""Everything that is stored of a person, in one answer: for whoever asks what is known of him."""

import asyncio
from collections.abc import Sequence
from datetime import datetime
from itertools import groupby
from uuid import UUID

from litestar.params import FromPath
from msgspec import Struct

from api.common.event_views import event_told
from api.common.freshness import reach_head
from api.http.answers import Told
from api.http.errors import Behind
from api.http.guards import admitting
from api.http.operations import (
    JSON,
    Content,
    Operation,
    reads,
)
from api.http.query import Nothing, query
from api.http.response import (
    Answer,
    Asked,
    encoded,
    house_of,
)
from api.players.directory import player_told
from domain.journal.people import Person
from domain.player import stream_of
from projections.models.appearances import APPEARANCES, Entered, Seated, entries_of, seats_of
from projections.models.game_index import game_list
from projections.models.game_index.projection import GAME_INDEX
from projections.models.players.player_list import person
from projections.models.score_sheets import SCORE_SHEETS, score_sheet


class Sat(Struct, frozen=True, kw_only=True):
    """On which seat, under which id, since which position of the game."""

    player: str
    seat: int
    position: int


class GamePlayed(Struct, frozen=True, kw_only=True):
    """A game that names the person. ``party`` is that of his last seat, ``points`` and ``place`` are its; null before there are any."""

    game: UUID
    ruleset: str
    opened_at: datetime
    tournament: str | None
    round: int | None
    table: str | None
    finished: bool
    sat: list[Sat]
    party: int | None
    points: int | None
    place: int | None


class IdHistory(Struct, frozen=True, kw_only=True):
    """The events of an id in the directory."""

    player: str
    events: list[Told]


class PersonalData(Struct, frozen=True, kw_only=True):
    """``register`` are names and aliases with who changed them last; who has read them is not recorded."""

    person: str
    ids: list[str]
    register: tuple[Person, ...]
    histories: list[IdHistory]
    games: list[GamePlayed]
    entries: tuple[Entered, ...]


@reads(
    "/v1/players/{player:str}/data",
    Operation(
        id="read_personal_data",
        tag="Players",
        summary="All that is stored of a person, under all ids",
        description="The row of the register, the events of the ids, the games with seats and points, and the entries into tournaments.",
        answers={200: Content("the data", {JSON: PersonalData})},
        refuses=(404, 503),
        role="director",
    ),
    admit=admitting("director"),
)
async def read_personal_data(request: Asked, player: FromPath[str]) -> Answer:
    query(request, Nothing)
    root = (await player_told(request, player)).person
    for projection in (GAME_INDEX, SCORE_SHEETS, APPEARANCES):
        await reach_head(request, projection.name)
    data = await asyncio.to_thread(_data, request, root)
    return Answer(encoded(data), headers=(("cache-control", "no-store"),))


def _data(asked: Asked, root: str) -> PersonalData:
    house = house_of(asked)
    ids = [row.player for row in person(house.store, root)]
    seats = groupby(seats_of(house.store, ids), lambda one: one.game)
    return PersonalData(
        person=root,
        ids=ids,
        register=tuple(house.registers.find_people(ids).values()),
        histories=[IdHistory(player=id, events=[event_told(one, one.event) for one in house.journal.history(stream_of(id))]) for id in ids],
        games=[_game(asked, game, list(sat)) for game, sat in seats],
        entries=entries_of(house.store, ids),
    )


def _game(asked: Asked, id: UUID, sat: Sequence[Seated]) -> GamePlayed:
    store = house_of(asked).store
    row, found = game_list.game(store, id), score_sheet(store, id)
    if row is None or found is None:
        raise Behind(house_of(asked).journal.head(), 0)
    sheet, seat = found.sheet, sat[-1].seat
    party = next((number for number, seats in enumerate(sheet.parties) if seat in seats), None)
    return GamePlayed(
        game=id,
        ruleset=row.ruleset,
        opened_at=row.opened_at,
        tournament=row.tournament,
        round=row.round,
        table=row.table,
        finished=row.finished,
        sat=[Sat(player=one.player, seat=one.seat, position=one.position) for one in sat],
        party=party,
        points=None if party is None else sheet.totals[party],
        place=None if party is None or sheet.places is None else sheet.places[party],
    )
