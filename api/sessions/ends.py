"""Until when a code is good: no longer than what its giver has, and if wanted until a round closes or the tournament is over."""

import asyncio
from typing import NamedTuple, TypeVar

from api.http.browsers.sessions import is_scope_over
from api.http.errors import say
from api.http.request import Request, services_of
from api.services import Services
from api.sessions.requests import IssueCode
from domain.access.grants import Grant
from domain.access.scopes import OfTable
from domain.errors import Malformed
from domain.tournament.access_end import check_access
from domain.tournament.tournament import TOURNAMENT, tournament_stream

_T = TypeVar("_T", int, str)


class Giver(NamedTuple):
    """With what a code falls that the caller issues, and the round until which he is in himself."""

    token: str | None
    code: str | None = None
    until_round: int | None = None


async def giver_of(request: Request) -> Giver:
    """Of a session its own code and token: who goes out leaves in whom he let in."""
    user = request.user
    session = None if user.session is None else await asyncio.to_thread(services_of(request).registers.session_of, user.session)
    return Giver(user.token) if session is None else Giver(session.token, session.code, session.until_round)


def first(one: _T | None, other: _T | None) -> _T | None:
    return min((end for end in (one, other) if end is not None), default=None)


async def checked_round(services: Services, body: IssueCode, grant: Grant) -> int | None:
    """Return the round until which the code is good. Raises ``Malformed``, ``Unknown`` for a tournament that is not there, and ``Refused``
    where access to it has ended.
    """
    tournament, until = grant.scope.place.tournament, _round(body, grant)
    if tournament is not None:
        found = await services.journal.current_of(TOURNAMENT, tournament_stream(tournament))
        check_access(found, services.clock(), lasting=body.good_for == "tournament")
    lasting = until is None or (tournament is not None and not await is_scope_over(services, grant, until))
    if not lasting or (until is None) != (body.good_for != "round"):
        raise Malformed("malformed_body", say("code_round"), "round")
    return until


def _round(body: IssueCode, grant: Grant) -> int | None:
    match grant.scope:
        case OfTable(since=since) if body.good_for == "round" and body.round is None:
            return since
        case _:
            return body.round
