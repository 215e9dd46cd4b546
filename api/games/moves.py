"""Moves: record one, or several all or none. This is the most frequent request."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any
from uuid import UUID

import msgspec
from litestar.params import FromPath
from msgspec import UNSET, UnsetType

from api.common.access_audit import check_attempts, count_attempt
from api.common.commands import build_commit_response, commit_to_game, restrict_dry_run
from api.common.event_views import CommandResponse
from api.common.pages.shell import call_api
from api.common.signed_sheets import SignedSheet
from api.games.requests import EnteredMove, Include, JudgeMove, OneMove, PlayMoves, TellCards
from api.games.responses import LegalMoves
from api.http.decoding import DryRun, read_body, read_query
from api.http.errors import BadRequest, say
from api.http.operations import describe_responses, writes
from api.http.request import Request, language_of, part_of, services_of
from api.http.response import Response, encode
from domain import texts
from domain.errors import InvalidFormatError, Refused
from domain.events.game import CardsTold, MovePlayed
from domain.game import Game
from domain.journal.access_audit import RefusalCounter
from domain.moves import Line, Made, MadeMove, decide_moves
from domain.rules import NOTHING_TOLD, KnownFaces

# What else a caller wants to read with the response to a move or a deal, or with a table, so that a program needs one request a move.


_PARTS: Mapping[str, str] = {"legal_moves": "legal-moves", "score_sheet": "score-sheet"}
"""The parts, and the last part of the address of each."""


class PlayQuery(DryRun, frozen=True, kw_only=True):
    include: Include = None


class PlayResponse(CommandResponse, frozen=True, kw_only=True):
    """The recorded events, the state of the game after them, and the parts of `include`; null for a part that the caller may not read."""

    legal_moves: LegalMoves | None | UnsetType = UNSET
    score_sheet: SignedSheet | None | UnsetType = UNSET


def check_include(query: PlayQuery) -> None:
    """Raise ``BadRequest`` for parts of a dry run, which leaves no position that could be read."""
    if query.include and query.dry_run:
        raise BadRequest("bad_parameter", say("include_recorded"), "include")


async def include_parts(request: Request, game: UUID, response: Response, include: str | None) -> Response:
    """Return the response with the parts, each read at the position that it names."""
    if include is None:
        return response
    body: dict[str, Any] = msgspec.json.decode(response.body)
    extended = Response(encode(body | await read_parts(request, game, body["position"], include)), status=response.status)
    own = {name for name, _ in extended.headers}
    extended.headers += [pair for pair in response.headers if pair[0] not in own]
    return extended


async def read_parts(request: Request, game: UUID, position: int, include: str) -> dict[str, Any]:
    """Return the parts at a position; null for one that the caller may not read."""
    answers = {part: await call_api(request, f"/v1/games/{game}/{_PARTS[part]}", position=position) for part in include.split(",")}
    return {part: answer.value_if_ok for part, answer in answers.items()}


@writes(
    "/v1/games/{game:uuid}/moves",
    "play",
    "Play a move, or several, all or none",
    tag="Playing",
    description=(
        "A refused move changes nothing and is not recorded. With `dry_run=true` nothing is recorded at all (status 200). "
        "A move is JSON, or one short line (`text`), which is recorded as the move that it means. A line that means no "
        "move, or several, is refused with the possible readings (`options`). In a game with `own_moves` a player makes "
        "their own moves, one at a time. A caller who does not see all cards gets only `out_of_sight` for a refusal that "
        "depends on hidden ones."
    ),
    query=PlayQuery,
    body=PlayMoves,
    responses=describe_responses(PlayResponse, result="legal, not recorded"),
    refuses=(403, 422),
    role="player_or_recorder",
)
async def play(request: Request, game: FromPath[UUID]) -> Response:
    query, body = read_query(request, PlayQuery), await read_body(request, PlayMoves)
    check_include(query)
    recorded = await record_moves(request, game, moves_of(request, body), body.happened_at, dry_run=query.dry_run)
    return await include_parts(request, game, recorded, query.include)


async def record_moves(request: Request, game: UUID, moves: Sequence[Made], happened_at: datetime | None, *, dry_run: bool) -> Response:
    """Record moves and told cards, or try them, and return the response."""

    def decide(now: Game) -> tuple[MovePlayed | CardsTold, ...]:
        return decide_moves(request.user, now, moves, services_of(request), dry_run=dry_run)

    if not request.user.has_full_view:  # a refusal reveals nothing to a caller who sees all
        check_attempts(request, game)
    try:
        receipt = await commit_to_game(request, game, decide, happened_at=happened_at, dry_run=dry_run)
    except Refused as refused:
        if not dry_run:  # a dry run is judged on what the caller sees
            now = await services_of(request).journal.current(game)
            part_of(request.app, RefusalCounter).note(now.setup.ruleset, refused.code)
            if refused.by_unseen:
                count_attempt(request, now, refused)
        raise
    return build_commit_response(request, restrict_dry_run(request, receipt) if dry_run else receipt, dry_run=dry_run)


def moves_of(request: Request, body: PlayMoves) -> list[Made]:
    """Return the moves of the body. Raises ``InvalidFormatError`` where it is neither one move nor several."""
    if body.moves is not UNSET:
        if any(given is not UNSET for given in (body.seat, body.move, body.text, body.known, body.lacks, body.worth)):
            raise InvalidFormatError("malformed_body", say("move_or_moves"), "moves")
        return [_entry_of(request, one) for one in body.moves]
    if body.seat is UNSET:
        raise InvalidFormatError("malformed_body", texts.say("form.missing", name="seat"), "seat")
    return [_entry_of(request, body)]


def _entry_of(request: Request, body: EnteredMove | PlayMoves) -> Made:
    """Return a move or a line. Raises ``InvalidFormatError`` for neither, and for both."""
    if body.text is UNSET:
        if body.move is UNSET:
            raise InvalidFormatError("malformed_body", texts.say("form.missing", name="move"), "move")
        return convert_move(body)
    if any(given is not UNSET for given in (body.move, body.known, body.lacks, body.worth)):
        raise InvalidFormatError("malformed_body", say("move_or_text"), "text")
    return Line(body.seat, body.text, language_of(request))


def convert_move(body: OneMove | EnteredMove | PlayMoves | JudgeMove) -> MadeMove:
    """Return a move with the cards that are told with it."""
    told = KnownFaces(body.known, body.lacks, body.worth)
    return (body.seat, body.move) if told == NOTHING_TOLD else (body.seat, body.move, told)


@writes(
    "/v1/games/{game:uuid}/tellings",
    "tell",
    "Record cards that were unknown so far",
    tag="Playing",
    description=(
        "Cards can be named between two moves, or after the end. Nothing else follows from it: a card named late makes no "
        "earlier move illegal. A rewind corrects a card that was named wrongly. With `dry_run=true` nothing is recorded "
        "(status 200)."
    ),
    query=DryRun,
    body=TellCards,
    responses=describe_responses(CommandResponse, result="possible, not recorded"),
    refuses=(422,),
    role="recorder",
)
async def tell(request: Request, game: FromPath[UUID]) -> Response:
    dry, body = read_query(request, DryRun).dry_run, await read_body(request, TellCards)
    if body.known is UNSET and body.worth is UNSET:
        raise InvalidFormatError("malformed_body", say("form.missing", name="known"), "known")
    return await record_moves(request, game, [KnownFaces(body.known, worth=body.worth)], body.happened_at, dry_run=dry)
