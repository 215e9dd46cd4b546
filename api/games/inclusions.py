"""What else a caller wants to read with the response to a move or a deal, or with a table, so that a program needs one request a move.

Each part is what its own address answers to this caller, as of the position that was recorded: with all its guards and redaction. A
repetition under the same key answers the same.
"""

from collections.abc import Mapping
from typing import Any
from uuid import UUID

import msgspec
from msgspec import UNSET, UnsetType

from api.common.event_views import CommandResponse
from api.common.pages.shell import call_api
from api.common.signed_sheets import SignedSheet
from api.games.requests import Include
from api.games.responses import LegalMoves
from api.http.decoding import DryRun
from api.http.errors import BadRequest, say
from api.http.request import Request
from api.http.response import Response, encode

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
