"""What a director decides about a game as a whole: whether it goes on, who sits at the table, what is to be remarked."""

from uuid import UUID

from litestar.params import FromPath

from api.http.decoding import body
from api.http.fields import DryRun
from api.http.operations import writes
from api.http.query import query
from api.http.response import Answer, Asked
from api.rulings.acts import act, operation
from api.rulings.requests import (
    AddNote,
    Annul,
    Because,
    SeatPlayer,
)
from domain import ruling

_WHY = {"with a reason": {"reason": "the table is being searched for a card"}}


@writes("/v1/games/{game:uuid}/suspension", operation("suspend", "Suspend a game", Because, "arbiter", examples=_WHY))
async def suspend(request: Asked, game: FromPath[UUID]) -> Answer:
    dry, wanted = query(request, DryRun).dry_run, await body(request, Because)
    return await act(request, game, lambda now, ref: (ruling.suspended(now, ref),), wanted.reason, wanted.happened_at, dry)


@writes(
    "/v1/games/{game:uuid}/resumption",
    operation("resume", "Let a suspended game go on, also while a dispute is open", Because, "arbiter", examples=_WHY),
)
async def resume(request: Asked, game: FromPath[UUID]) -> Answer:
    dry, wanted = query(request, DryRun).dry_run, await body(request, Because)
    return await act(request, game, lambda now, ref: (ruling.resumed(now, ref),), wanted.reason, wanted.happened_at, dry)


@writes(
    "/v1/games/{game:uuid}/abandonment",
    operation("abandon", "Abandon a game", Because, "arbiter", description="No more moves are made; what was scored stays.", examples=_WHY),
)
async def abandon(request: Asked, game: FromPath[UUID]) -> Answer:
    dry, wanted = query(request, DryRun).dry_run, await body(request, Because)
    return await act(request, game, lambda now, ref: (ruling.abandoned(now, ref),), wanted.reason, wanted.happened_at, dry)


@writes(
    "/v1/games/{game:uuid}/annulment",
    operation(
        "annul", "Annul a game", Annul, "arbiter", description="It counts for nothing: its hands are struck out, for good.", examples=_WHY
    ),
)
async def annul(request: Asked, game: FromPath[UUID]) -> Answer:
    dry, wanted = query(request, DryRun).dry_run, await body(request, Annul)
    return await act(request, game, lambda now, ref: ruling.annulled(now, ref, wanted.ruling), wanted.reason, wanted.happened_at, dry)


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
async def add_note(request: Asked, game: FromPath[UUID]) -> Answer:
    dry, wanted = query(request, DryRun).dry_run, await body(request, AddNote)
    return await act(request, game, lambda now, ref: (ruling.remarked(now, ref, wanted.position),), wanted.text, wanted.happened_at, dry)


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
async def seat_player(request: Asked, game: FromPath[UUID]) -> Answer:
    dry, wanted = query(request, DryRun).dry_run, await body(request, SeatPlayer)
    return await act(request, game, lambda now, _: (ruling.seated(now, wanted.seat, wanted.player),), None, wanted.happened_at, dry)
