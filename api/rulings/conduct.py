"""What a director decides about a game as a whole: whether it goes on, who sits at the table, what is to be remarked."""

from uuid import UUID

from litestar.params import FromPath

from api.http.decoding import read_body
from api.http.fields import DryRun, ReasonBody
from api.http.operations import writes
from api.http.query import read_query
from api.http.request import Request
from api.http.response import Response
from api.rulings.commands import act, operation
from api.rulings.requests import AddNote, AnnulGame, SeatPlayer
from domain import ruling

_WHY = {"with a reason": {"reason": "the table is being searched for a card"}}


@writes("/v1/games/{game:uuid}/suspension", operation("suspend", "Suspend a game", ReasonBody, "arbiter", examples=_WHY))
async def suspend(request: Request, game: FromPath[UUID]) -> Response:
    dry, body = read_query(request, DryRun).dry_run, await read_body(request, ReasonBody)
    return await act(request, game, lambda now, ref: (ruling.suspended(now, ref),), body.reason, body.happened_at, dry)


@writes(
    "/v1/games/{game:uuid}/resumption",
    operation("resume", "Let a suspended game go on, also while a dispute is open", ReasonBody, "arbiter", examples=_WHY),
)
async def resume(request: Request, game: FromPath[UUID]) -> Response:
    dry, body = read_query(request, DryRun).dry_run, await read_body(request, ReasonBody)
    return await act(request, game, lambda now, ref: (ruling.resumed(now, ref),), body.reason, body.happened_at, dry)


@writes(
    "/v1/games/{game:uuid}/abandonment",
    operation(
        "abandon", "Abandon a game", ReasonBody, "arbiter", description="No more moves are made; what was scored stays.", examples=_WHY
    ),
)
async def abandon(request: Request, game: FromPath[UUID]) -> Response:
    dry, body = read_query(request, DryRun).dry_run, await read_body(request, ReasonBody)
    return await act(request, game, lambda now, ref: (ruling.abandoned(now, ref),), body.reason, body.happened_at, dry)


@writes(
    "/v1/games/{game:uuid}/annulment",
    operation(
        "annul",
        "Annul a game",
        AnnulGame,
        "arbiter",
        description="It counts for nothing: its hands are struck out, for good.",
        examples=_WHY,
    ),
)
async def annul(request: Request, game: FromPath[UUID]) -> Response:
    dry, body = read_query(request, DryRun).dry_run, await read_body(request, AnnulGame)
    return await act(request, game, lambda now, ref: ruling.annulled(now, ref, body.ruling), body.reason, body.happened_at, dry)


@writes(
    "/v1/games/{game:uuid}/notes",
    operation(
        "add_note",
        "Add a note, about a position or the whole game",
        AddNote,
        "official",
        description="Its words are told to officials only.",
        examples={"about a move": {"position": 7, "text": "seat 1 hesitated for a long time"}},
    ),
)
async def add_note(request: Request, game: FromPath[UUID]) -> Response:
    dry, body = read_query(request, DryRun).dry_run, await read_body(request, AddNote)
    return await act(request, game, lambda now, ref: (ruling.remarked(now, ref, body.position),), body.text, body.happened_at, dry)


@writes(
    "/v1/games/{game:uuid}/players",
    operation(
        "seat_player",
        "Seat a player: a substitute, or one who was not known before",
        SeatPlayer,
        "recorder",
        description="A player is an opaque id.",
        examples={"a substitute": {"seat": 1, "player": "p_42"}},
    ),
)
async def seat_player(request: Request, game: FromPath[UUID]) -> Response:
    dry, body = read_query(request, DryRun).dry_run, await read_body(request, SeatPlayer)
    return await act(request, game, lambda now, _: (ruling.seated(now, body.seat, body.player),), None, body.happened_at, dry)
