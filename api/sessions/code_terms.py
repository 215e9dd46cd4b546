"""How long a code is good for: no longer than the rights of its giver, and if wanted until a round closes or the tournament is over."""

import asyncio
from typing import NamedTuple, TypeVar

from msgspec.structs import replace

from api.common.grant import ScopeBody
from api.http.browsers.sessions import is_scope_over
from api.http.errors import say
from api.http.request import Request, services_of
from api.services import Services
from api.sessions.entering import DEVICES
from api.sessions.responses import IssueCode
from domain.access import Grant, OfTable
from domain.errors import InvalidFormatError
from domain.tournament.over import check_access
from domain.tournament.tournament import TOURNAMENT, tournament_stream

_T = TypeVar("_T", int, str)


class GrantIssuer(NamedTuple):
    """The token and code with which a new code ends, the round until which the giver has access, and the label of the giver's session."""

    token: str | None
    code: str | None = None
    until_round: int | None = None
    label: str = ""


async def issuer_of(request: Request) -> GrantIssuer:
    """Return the giver. For a session these are its own code and token, so that the codes it issued stay valid after signing out."""
    user = request.user
    session = None if user.session is None else await asyncio.to_thread(services_of(request).registers.session_of, user.session)
    return GrantIssuer(user.token) if session is None else GrantIssuer(session.token, session.code, session.until_round, session.label)


def first(one: _T | None, other: _T | None) -> _T | None:
    return min((end for end in (one, other) if end is not None), default=None)


async def check_round(services: Services, body: IssueCode, grant: Grant) -> int | None:
    """Return the round until which the code is valid.

    Raises ``InvalidFormatError``, ``Unknown`` for a tournament that does not exist, and ``Refused`` where access to it has ended.
    """
    tournament, until = grant.scope.place.tournament, _round(body, grant)
    if tournament is not None:
        found = await services.journal.current_of(TOURNAMENT, tournament_stream(tournament))
        check_access(found, services.clock(), lasting=body.good_for == "tournament")
    lasting = until is None or (tournament is not None and not await is_scope_over(services, grant, until))
    if not lasting or (until is None) != (body.good_for != "round"):
        raise InvalidFormatError("malformed_body", say("code_round"), "round")
    return until


def _round(body: IssueCode, grant: Grant) -> int | None:
    match grant.scope:
        case OfTable(since=since) if body.good_for == "round" and body.round is None:
            return since
        case _:
            return body.round


def check_validity(body: IssueCode) -> None:
    """Raise ``InvalidFormatError`` for a duration that this role or scope cannot have."""
    if body.good_for == "many" and body.role != "viewer":
        raise InvalidFormatError("malformed_body", say("code_many"), "good_for")
    of_tournament = isinstance(body.scope, ScopeBody) and body.scope.game is None
    if body.good_for == "tournament" and not (of_tournament and body.role in DEVICES):
        raise InvalidFormatError("malformed_body", say("code_lasting"), "good_for")


def permanent_grant(body: IssueCode, grant: Grant) -> Grant:
    """Return the grant; a lasting code of a table records only in the round in play."""
    match grant.scope:
        case OfTable() as table if body.good_for == "tournament" and body.role == "recorder":
            return replace(grant, scope=replace(table, in_play=True))
        case _:
            return grant
