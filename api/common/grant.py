"""Grants of tokens, sessions and codes: role, scope and expiry, as requested and as shown. Nobody can grant more than they have."""

from datetime import datetime
from typing import Annotated, Any, Literal, TypeAlias
from uuid import UUID

from msgspec import UNSET, Meta, Struct, UnsetType, convert
from msgspec.structs import asdict

from api.http.decoding import Id, Incoming, Name, Number, ResponseModel, Timestamp, in_utc
from api.http.errors import say
from api.http.places import place_in_game
from api.http.request import Principal, Request, Role, services_of
from api.services import Services
from domain.access import EVERYTHING, Grant, OfGame, OfSeries, OfTable, OfTournament, Scope, Sees, is_within
from domain.errors import Forbidden, InvalidFormatError, Unknown
from domain.forms import FORM
from domain.journal.application import Journal
from domain.journal.registers import stamp
from domain.tournament.tournament import TOURNAMENT, Tournament, tournament_stream


class ScopeBody(Incoming, frozen=True, kw_only=True):
    """A tournament; a table of a tournament; a game; or a series."""

    tournament: Annotated[Id | None, Meta(description="a tournament; it may be announced later")] = None
    table: Annotated[Id | None, Meta(description="a table of the tournament")] = None
    since: Annotated[Number | None, Meta(description="the games of the table from this round on; left out, from the present one on")] = None
    game: Annotated[UUID | None, Meta(description="a game, and nothing else")] = None
    series: Annotated[Id | None, Meta(description="a series of tournaments, and nothing else")] = None


AskedScope: TypeAlias = Annotated[
    Literal["everything"] | ScopeBody, Meta(description="the scope in which it allows more than a viewer may see")
]
SeesHidden: TypeAlias = Annotated[Sees, Meta(description="hidden cards: all that the role may see, or only what the public sees")]

Label: TypeAlias = Annotated[
    str,
    Meta(
        max_length=200,
        pattern=r"^[^\x00-\x1f\x7f]*$",
        description="a label to distinguish it in the list",
        extra_json_schema={FORM: "form.line"},
    ),
]
ExpiresAt: TypeAlias = Annotated[Timestamp | None, Meta(description="the expiry; by default that of your own token or session")]


class GrantBody(Incoming, frozen=True, kw_only=True):
    """The base of requests for a token or a code. A player has ``player`` in a tournament, or ``seat`` in a game."""

    role: Annotated[Role, Meta(description="the role")]
    scope: AskedScope
    sees: SeesHidden = "all"
    player: Annotated[Name | None, Meta(description="role player: the player's id, as it was entered in the tournament")] = None
    seat: Annotated[int, Meta(ge=0, le=63, description="role player: the player's seat in the game, from 0")] | None = None


class ScopeView(ResponseModel, frozen=True, kw_only=True):
    """A scope in the form in which it is requested; with a game, also the tournament, round and table where it is played."""

    tournament: str | UnsetType = UNSET
    round: Annotated[int, Meta(description="in which the game is played")] | UnsetType = UNSET
    table: str | UnsetType = UNSET
    since: Annotated[int, Meta(description="the games of the table from this round on")] | UnsetType = UNSET
    in_play: Annotated[bool, Meta(description="of these, only the games of the round in play; left out where all")] | UnsetType = UNSET
    game: UUID | UnsetType = UNSET
    series: str | UnsetType = UNSET


class GrantView(ResponseModel, frozen=True, kw_only=True):
    """The base of responses that show the grant of a token, a session or a code."""

    role: str
    scope: Literal["everything"] | ScopeView
    sees: Sees
    player: str | UnsetType = UNSET
    seat: int | UnsetType = UNSET
    expires_at: Annotated[str | None, Meta(description="the moment from which it is refused; null: never")] = None


class CheckedGrant(Struct, frozen=True):
    """A checked grant. ``expires_at`` is a time as the registers hold it."""

    role: str
    grant: Grant
    expires_at: str | None


def scope_view(scope: Scope) -> Literal["everything"] | ScopeView:
    """Return a scope in its JSON form."""
    if scope == EVERYTHING:
        return "everything"
    return ScopeView(**{name: value for name, value in asdict(scope).items() if value not in (None, False)})


def read_scope(told: object) -> Scope:
    """Return the scope from the JSON that ``scope_view`` returns."""
    view = convert(told, Literal["everything"] | ScopeView)
    if isinstance(view, str):
        return EVERYTHING
    if view.game is not UNSET:
        return OfGame(view.game, view.tournament or None, view.round or None, view.table or None)
    if view.series is not UNSET:
        return OfSeries(view.series)
    assert view.tournament is not UNSET
    if view.table is not UNSET and view.since is not UNSET:
        return OfTable(view.tournament, view.table, view.since)
    return OfTournament(view.tournament)


def grant_fields(role: str, grant: Grant, expires_at: str | None) -> dict[str, Any]:
    """Return the fields of a ``GrantView``."""
    told = {"role": role, "scope": scope_view(grant.scope), "sees": grant.sees, "expires_at": expires_at}
    bound = {"player": grant.player, "seat": grant.seat}
    return told | {name: value for name, value in bound.items() if value is not None}


async def decide_grant(request: Request, body: GrantBody, expires_at: datetime | None = None) -> CheckedGrant:
    """Check and return the grant that the caller gives by this request. Without ``expires_at`` it ends when the caller's own grant ends.

    Raises ``InvalidFormatError``, ``Forbidden`` for more than the caller has, and ``Unknown`` for a player, a seat or a game that is not
    there.
    """
    return await decide_grant_by(request.user, body, expires_at, services_of(request))


async def decide_grant_by(giver: Principal, body: GrantBody, expires_at: datetime | None, services: Services) -> CheckedGrant:
    """Check and return a grant given by any principal, also one without a request (the command line)."""
    _check_form(body)
    until = giver.expires_at if expires_at is None else _until(expires_at, services.clock())
    scope = await _scope_of(giver, body.scope, services.journal)
    since = await position_of_grant(scope, body.seat, services.journal)
    given = CheckedGrant(body.role, Grant(scope, body.sees, body.player, body.seat, since), until)
    check_can_grant(giver, given)
    await _check_bound(given.grant, services.journal)
    return given


async def position_of_grant(scope: Scope, seat: int | None, journal: Journal) -> int:
    """Return the position of the game at which a seat is granted: the grant belongs to the player who sits there now. 0 without a seat."""
    return (await journal.current(scope.game)).position if seat is not None and isinstance(scope, OfGame) else 0


def check_can_grant(giver: Principal, given: CheckedGrant) -> None:
    """Raise ``Forbidden`` if this grants more than the giver has."""
    if giver.role != "director":
        raise Forbidden(say("gives_more.role"), "director")
    if not is_within(given.grant.scope, giver.grant.scope):
        raise Forbidden(say("gives_more.scope"), where="scope")
    if giver.grant.sees == "public" and given.grant.sees == "all" and given.role != "viewer":
        raise Forbidden(say("gives_more.sees"), where="sees")
    if giver.expires_at is not None and (given.expires_at is None or given.expires_at > giver.expires_at):
        raise Forbidden(say("gives_more.expiry", at=giver.expires_at), where="expires_at")


def _check_form(body: GrantBody) -> None:
    bound = (body.player is not None, body.seat is not None)
    if body.role != "player" and any(bound):
        raise InvalidFormatError("malformed_body", say("bound_no_player"), "seat" if bound[1] else "player")
    if body.role != "player":
        return
    wanted = isinstance(body.scope, ScopeBody) and (
        body.scope.table is None and body.scope.tournament is not None,
        body.scope.game is not None,
    )
    if bound != wanted:
        raise InvalidFormatError("malformed_body", say("player_unbound"), "role")


def _until(expires_at: datetime, now: datetime) -> str:
    moment = in_utc(expires_at, "expires_at")
    if moment is None or moment <= now:
        raise InvalidFormatError("impossible_time", say("expires_before_now"), "expires_at")
    return stamp(moment)


async def _scope_of(giver: Principal, asked: Literal["everything"] | ScopeBody, journal: Journal) -> Scope:
    """Return the requested scope. Raises ``InvalidFormatError``, ``Forbidden`` and ``Unknown``."""
    match asked:
        case "everything":
            return EVERYTHING
        case ScopeBody(tournament=str(tournament), table=None, since=None, game=None, series=None):
            return OfTournament(tournament)
        case ScopeBody(tournament=str(tournament), table=str(table), since=since, game=None, series=None):
            return OfTable(tournament, table, await _present_round(giver, tournament, journal) if since is None else since)
        case ScopeBody(tournament=None, table=None, since=None, game=UUID() as game, series=None):
            return await scope_of_game(giver, game, journal)
        case ScopeBody(tournament=None, table=None, since=None, game=None, series=str(series)):
            return OfSeries(series)
        case _:
            raise InvalidFormatError("malformed_body", say("scope_mixed"), "scope")


async def scope_of_game(giver: Principal, id: UUID, journal: Journal) -> Scope:
    """Return the scope of a game. An unknown game is answered like one beyond the giver's scope, so that the answer does not say if it
    exists.
    """
    try:
        place = place_in_game(await journal.current(id))
    except Unknown:
        if giver.grant.scope == EVERYTHING:
            raise
        raise Forbidden(say("gives_more.scope"), where="scope") from None
    return OfGame(id, place.tournament, place.round, place.table)


async def _present_round(giver: Principal, id: str, journal: Journal) -> int:
    """Return the round in progress; between two rounds, the next one."""
    own = giver.grant.scope
    if own != EVERYTHING and own.place.tournament != id:
        raise Forbidden(say("gives_more.scope"), where="scope")
    tournament = await _tournament(id, journal)
    return tournament.open_round or tournament.next_round


async def _tournament(id: str, journal: Journal) -> Tournament:
    try:
        return await journal.current_of(TOURNAMENT, tournament_stream(id))
    except Unknown:
        raise Unknown("tournament", id) from None


async def _check_bound(grant: Grant, journal: Journal) -> None:
    """Raise ``Unknown`` for a player who is not entered, and for a seat that the game does not have."""
    match grant:
        case Grant(scope=OfTournament(tournament), player=str(player)):
            entered = (await _tournament(tournament, journal)).entrants
            if not any(player in entrant.all_players for entrant in entered):
                raise Unknown("player", player)
        case Grant(scope=OfGame(id), seat=int(seat)):
            game = await journal.current(id)
            if seat >= game.setup.seats:
                raise Unknown("seat", seat)
        case _:
            return
