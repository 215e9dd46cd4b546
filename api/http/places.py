"""Authorization by scope: determine the place that a request is about, and what the caller may do there.

Within their scope callers have their role, beyond it they are viewers, and where nothing is published they have no access.
"""

import asyncio
import re
from collections.abc import Callable
from contextlib import suppress
from typing import Literal, Protocol, TypeAlias, TypeVar
from uuid import UUID

from api.http.decoding import parse_parameters
from api.http.errors import AuthenticationError, say
from api.http.request import Principal, Request, part_of, services_of
from domain.access import EVERYTHING, HOUSE, Grant, OfTable, Place, Scope, VisibilityScope, covers, is_within
from domain.errors import DataIntegrityError, Forbidden, Unknown
from domain.events.tournament import Publication
from domain.game import Game
from domain.series.series import SERIES, series_stream
from domain.tournament.tournament import TOURNAMENT, Tournament, tournament_stream

Within: TypeAlias = Literal["path", "body", "lists", "published", "house", "open"]
"""The relation of an operation to a scope.

``path``: it is about the game, the tournament or the series in its path. ``body``: its body names the place, and the handler calls
``check_place``.
``lists``: its response is made of what the caller may read, ``visibility_of``; a caller without a token has to name a published tournament.
``published``: the same, and every caller gets at least what is published. ``house``: it is about what belongs to no tournament, and needs a
scope of everything. ``open``: it shows nothing of any place, and any token will do.
"""

_REACH = "reach"
_IN_PLAY = "round in play"
_NUMBER = re.compile(r"[0-9]{1,15}")
_MOST = 10_000  # places of games that are cached: they never change


def place_in_game(game: Game) -> Place:
    return Place(game.opened.tournament, game.opened.round, game.opened.table, game.id)


def find_scope_relation(path: str) -> Within:
    """Return the default relation of an operation to a scope."""
    return "path" if any(name in path for name in ("{game", "{tournament", "{series")) else "house"


async def check_place_access(request: Request, within: Within, *, powers: bool) -> None:
    """Replace the caller by what they are in the place of the request. ``powers``: it takes more than reading.

    Raises ``Forbidden`` for powers beyond the scope, and ``Unknown`` (``AuthenticationError`` without a token) where the caller may not
    even read.
    """
    principal: Principal = request.scope["user"]
    request.scope["state"][_REACH] = reach = principal.visibility
    if reach.whole:
        return
    if _is_in_play_only(principal.grant.scope):
        request.scope["state"][_IN_PLAY] = await _round_in_play(request, principal.grant.scope.place.tournament)
    match within:
        case "open" | "body":
            if principal.is_anonymous:
                _raise_forbidden(request, "house_closed")
        case "house":
            _raise_forbidden(request, "house_closed")
        case "lists" | "published":
            await _enter_list(request, principal, open=within == "published")
        case "path":
            await _enter_path(request, principal, powers=powers)


def visibility_of(request: Request) -> VisibilityScope:
    """Return what may be in the response, if it is about more than the game or the tournament in the path."""
    found: VisibilityScope = request.scope["state"][_REACH]
    return found


async def _enter_list(request: Request, principal: Principal, *, open: bool) -> None:
    """Leave callers their role where the query names a place in their scope; otherwise make them viewers."""
    named = await _place_in_query(request)
    if principal.is_anonymous:
        if not open and (named is None or not await may_read(request, principal, named)):
            raise AuthenticationError(say("token_missing"), invalid=False)
    elif named is not None and has_powers(request, principal, named):
        return
    request.scope["user"] = principal.as_viewer()


async def _enter_path(request: Request, principal: Principal, *, powers: bool) -> None:
    place = await _place_in_path(request)
    if place is not None and not principal.is_anonymous and has_powers(request, principal, place):
        return
    if powers:
        _raise_forbidden_code(request, place)
    if place is None or not await may_read(request, principal, place):
        if principal.is_anonymous:
            raise AuthenticationError(say("token_missing"), invalid=False)
        raise _unknown(request)
    request.scope["user"] = principal.as_viewer()


def has_powers(request: Request, principal: Principal, place: Place) -> bool:
    """Return whether the role of the principal applies at this place.

    A code for a table for the whole tournament applies there only in the round in play.
    """
    scope = principal.grant.scope
    return covers(scope, place) and not (_is_in_play_only(scope) and place.round != request.scope["state"][_IN_PLAY])


def _is_in_play_only(scope: Scope) -> bool:
    return isinstance(scope, OfTable) and scope.in_play


async def _round_in_play(request: Request, tournament: str | None) -> int | None:
    """Return the newest paired round, unless it is closed."""
    found = await tournament_at(request, tournament)
    return None if found is None or found.ended else found.open_round


def check_place(request: Request, place: Place) -> None:
    """Check a place that the body names. Raises ``Forbidden`` beyond the scope."""
    if not has_powers(request, request.user, place):
        _raise_forbidden_code(request, place)


def check_scope(request: Request, scope: Scope) -> None:
    """Check that a scope lies in that of the caller. Raises ``Forbidden``."""
    if not is_within(scope, request.user.grant.scope):
        _raise_forbidden(request, "outside_scope")


class Bound(Protocol):
    """A thing that is bound to a scope, as tokens and webhooks are."""

    @property
    def grant(self) -> Grant: ...


BoundThing = TypeVar("BoundThing", bound=Bound)


async def in_scope(request: Request, what: str, find: Callable[[str], BoundThing | None], id: str) -> BoundThing:
    """Return the thing that ``find`` finds in a register.

    Raises ``Forbidden`` beyond the caller's scope, also for an id that does not exist, so that nobody learns whether it does; ``Unknown``
    for callers with a scope of everything.
    """
    found = await asyncio.to_thread(find, id)
    check_scope(request, EVERYTHING if found is None else found.grant.scope)
    if found is None:
        raise Unknown(what, id)
    return found


async def may_read(request: Request, principal: Principal, place: Place) -> bool:
    """Return whether a viewer with this scope may read the place: everything of their own tournament, and what is published."""
    own = principal.grant.scope.place
    if not principal.is_anonymous and (own == HOUSE or _subject(own) == _subject(place)):
        return True
    if place.series is not None:
        return await publication_of_series(request, place.series) != "no"
    return await publication_of(request, place.tournament) != "no"


def _subject(place: Place) -> object:
    """Return the tournament, else the game or the series, to which a place belongs."""
    return place.tournament or place.game or (place.series, "series")


async def publication_of(request: Request, tournament: str | None) -> Publication:
    """Return how a tournament is published: ``no`` for none, and for one that was not announced here."""
    found = await tournament_at(request, tournament)
    return "no" if found is None else found.publication


async def publication_of_series(request: Request, series: str) -> Publication:
    """Return how a series is published: ``no`` for one that was not announced here."""
    with suppress(Unknown, DataIntegrityError):
        return (await services_of(request).journal.current_of(SERIES, series_stream(series))).publication
    return "no"


async def tournament_at(request: Request, id: str | None) -> Tournament | None:
    """Return the tournament as it is now; ``None`` for none, and for one that was not announced here or cannot be read."""
    if id is not None:
        with suppress(Unknown, DataIntegrityError):
            return await services_of(request).journal.current_of(TOURNAMENT, tournament_stream(id))
    return None


async def _place_in_path(request: Request) -> Place | None:
    """Return the place in the path; ``None`` for a game that does not exist."""
    named = request.path_params
    if "game" in named:
        return await _place_of(request, named["game"])
    if "series" in named:
        return Place(series=named["series"])
    tournament, table = named["tournament"], named.get("table")
    round = named.get("round") if "round" in named or table is None else await _round_at(request, tournament, table)
    return Place(tournament, round, table)


async def _round_at(request: Request, tournament: str, table: str) -> int | None:
    """Return the round of a path that names a table and no round: the last one for which the table was paired."""
    with suppress(Unknown):
        found = await tournament_at(request, tournament)
        return None if found is None else found.last_round_at(table).number
    return None


async def _place_in_query(request: Request) -> Place | None:
    """Return the place in the query; ``None`` where neither a game nor a tournament is named.

    Whether the list has such parameters is checked when it reads them.
    """
    named = parse_parameters(request.scope["query_string"])
    if "game" in named:
        with suppress(ValueError):
            return await _place_of(request, UUID(named["game"]))
    if "tournament" not in named:
        return None
    round = named.get("round", "")
    return Place(named["tournament"], int(round) if _NUMBER.fullmatch(round) else None, named.get("table"))


class GamePlaces(dict[UUID, Place]):
    """The places of the last games."""


async def _place_of(request: Request, game: UUID) -> Place | None:
    known = part_of(request.app, GamePlaces)
    if game not in known:
        try:
            found = place_in_game(await services_of(request).journal.current(game))
        except (Unknown, DataIntegrityError):
            return None
        if len(known) >= _MOST:
            # simpler than evicting the oldest: each game costs one read to be known again
            known.clear()
        known[game] = found
    return known[game]


def _raise_forbidden_code(request: Request, place: Place | None) -> None:
    """Raise ``Forbidden``, with a sentence of its own for a table's code that applies in another round."""
    scope = request.user.grant.scope
    if place is not None and isinstance(scope, OfTable) and covers(scope, place):
        raise Forbidden(say("round_not_in_play", table=scope.table, round=place.round))
    _raise_forbidden(request, "outside_scope")


def _raise_forbidden(request: Request, why: Literal["outside_scope", "house_closed"]) -> None:
    if request.user.is_anonymous:
        raise AuthenticationError(say("token_missing"), invalid=False)
    raise Forbidden(say(why))


def _unknown(request: Request) -> Unknown:
    named = request.path_params
    kind: str = next(one for one in ("game", "series", "tournament") if one in named)
    return Unknown(kind, named[kind])
