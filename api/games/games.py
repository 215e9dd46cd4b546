"""Games: open one, list them, and read one in short."""

from uuid import UUID

from litestar.params import FromPath
from msgspec import UNSET

from api.common.commands import build_commit_response, build_opening_response, call_of
from api.common.consistency import read_consistent_row, wait_for_sequence
from api.common.event_views import CommandResponse
from api.common.rulebooks import ruleset_named
from api.common.tables.files import WHOLE, list_formats, list_or_file
from api.common.time_zone import zone_of
from api.games.games_table import GamesFile
from api.games.requests import GamesQuery, OpenGame
from api.http.decoding import DryRun, MinSequenceQuery, read_body, read_query
from api.http.operations import Content, describe_responses, reads, writes
from api.http.places import check_place
from api.http.request import Request, services_of
from api.http.response import Response, build_etag_response, encode, schemas
from domain.access import Place
from domain.events.game import GameOpened
from domain.game import GAME
from domain.moves import viewpoint_of
from domain.opening import opening
from projections.models import game_index
from projections.models.game_index import GAME_INDEX, GameRow, GamesPage


@writes(
    "/v1/games",
    "open_game",
    "Open a game",
    description="With `dry_run=true` nothing is recorded.",
    query=DryRun,
    body=OpenGame,
    responses=describe_responses(CommandResponse, says="opened", result="the game, not opened", creates={"game": "/game"}),
    refuses=(422,),
    role="recorder",
    within="body",
)
async def open_game(request: Request) -> Response:
    dry, body = read_query(request, DryRun).dry_run, await read_body(request, OpenGame)
    check_place(request, Place(body.tournament, body.round, body.table))
    call, id = await call_of(request, body.happened_at), services_of(request).new_id()
    opened = _opening(request, body, await zone_of(request, body.tournament))
    receipt = await services_of(request).journal.begin(GAME, call, id, (opened,), dry_run=dry)
    return build_commit_response(request, receipt, dry_run=True) if dry else build_opening_response(request, receipt)


def _opening(request: Request, body: OpenGame, zone: str) -> GameOpened:
    return opening(
        ruleset_named(request, body.ruleset),
        body.options,
        body.seats,
        body.players,
        openness=body.openness,
        live=body.live,
        tournament=body.tournament,
        round=body.round,
        table=body.table,
        own_moves=body.own_moves,
        shuffle=body.shuffle or UNSET,
        time_zone=zone,
    )


@reads(
    "/v1/games",
    "list_games",
    "List games, newest first",
    description=(
        "A game must match all given filters. For the tables of a tournament that still play, use "
        "`finished=false&state=open`. `from` and `to` filter by the time of play, `opened_from` and `opened_to` by "
        f"the time of recording. `Link` names the next page. {WHOLE}"
    ),
    query=GamesQuery,
    responses={200: Content("a page of games", schemas(list_formats(GamesPage)), headers=("ETag", "Link", "Kiebitz-As-Of"))},
    within="lists",
)
async def list_games(request: Request) -> Response:
    return await list_or_file(request, GamesFile, read_query(request, GamesQuery))


@reads(
    "/v1/games/{game:uuid}",
    "read_game",
    "Read a game in short: its state, the seats to act, the totals",
    query=MinSequenceQuery,
    responses={200: Content("the game", GameRow, headers=("ETag",))},
)
async def read_game(request: Request, game: FromPath[UUID]) -> Response:
    await wait_for_sequence(request, GAME_INDEX.name, read_query(request, MinSequenceQuery).min_sequence)
    row = await read_consistent_row(request, GAME_INDEX.name, game, lambda: game_index.game_row(services_of(request).store, game))
    told = row.for_the_public if row.is_hidden_until_over and await _is_hidden(request, game) else row
    return build_etag_response(request, f"{row.position}.{'' if told is row else 'dark.'}game.json", lambda: encode(told))


async def _is_hidden(request: Request, id: UUID) -> bool:
    """Return whether a dark game is hidden from the caller: the players of its seats see it as usual."""
    game = await services_of(request).journal.current(id)
    return game.hidden_from_position(viewpoint_of(request.user, game)) is not None
