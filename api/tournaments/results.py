"""Results without recorded games: entered and confirmed, forfeited, adjourned, withdrawn; and notices.

Recorded games count automatically.
"""

from collections.abc import Sequence
from typing import Annotated

from msgspec import UNSET, Meta, Struct, UnsetType

from api.common.act_handlers import CommandContext
from api.common.names import names_for_caller
from api.http.decoding import HappenedAt, Incoming, ReasonBody
from api.http.errors import say
from api.http.request import Request
from api.tournaments.commands import Receipts, tournament_act
from api.tournaments.reading import build_person_of, current_tournament, games_to_show
from api.tournaments.requests import ConfirmResult, EnterResult, ForfeitTable
from api.tournaments.responses import TableResultView
from api.tournaments.round_views import table_result_view
from domain.access import WRITERS
from domain.errors import Forbidden
from domain.events.tournament import ResultEntered, TableForfeited, TournamentEvent
from domain.tournament import results
from domain.tournament.bracket import bracket_conflicts
from domain.tournament.games import PersonOf, TableGame
from domain.tournament.notices import notify_table
from domain.tournament.state import ResultEvent
from domain.tournament.tournament import Tournament
from domain.tournament.warnings import Remark, warn_about_forfeit, warn_after_end

_TABLE = "rounds/{round:int}/tables/{table:str}"


def _at(on: CommandContext[Tournament]) -> tuple[Tournament, int, str]:
    return on.now, on.path_parameter("round"), on.path_parameter("table")


class _Read(Struct, frozen=True):
    """The games of the round, which may decide the table, and the merged ids of persons."""

    games: Sequence[TableGame]
    person_of: PersonOf


async def _read(request: Request, _: object) -> _Read:
    id, round = request.path_params["tournament"], request.path_params["round"]
    games, now = await games_to_show(request, id, round), await current_tournament(request, id)
    return _Read(games, await build_person_of(request, now, games))


async def _check_side_given(request: Request, body: EnterResult) -> _Read:
    if body.side is None and request.user.role != "director":
        raise Forbidden(say("side_missing"), "director")
    return await _read(request, body)


async def _tell(request: Request, receipt: Receipts, read: _Read) -> TableResultView:
    now, round, name = receipt.after, request.path_params["round"], request.path_params["table"]
    shown = await names_for_caller(request, now.plan.tournament, now.players(round, now.table(round, name).seats))
    return table_result_view(now, round, name, read.games, read.person_of, shown)


def _enter(on: CommandContext[Tournament]) -> tuple[TournamentEvent]:
    """Return the event. Raises ``Forbidden`` for a player of another side, or where players do not enter results."""
    if on.body.side is None:
        return (results.decide_result(*_at(on), on.body.points),)
    if on.request.user.role == "player":
        _check_own_result(on)
        return (results.report_result(*_at(on), on.body.points, on.body.side, on.prepared.games, on.prepared.person_of),)
    return (results.enter_result(*_at(on), on.body.points, on.body.side),)


def _confirm(on: CommandContext[Tournament]) -> tuple[TournamentEvent]:
    """Return the event. Raises ``Forbidden`` for a player of another side."""
    if on.request.user.role == "player":
        _check_own_side(on)
    return (results.confirm_result(*_at(on), on.body.side),)


def _check_own_result(on: CommandContext[Tournament]) -> None:
    if not on.now.plan.own_results:
        raise Forbidden(say("own_results_closed"), *WRITERS)
    _check_own_side(on)


def _check_own_side(on: CommandContext[Tournament]) -> None:
    if on.body.side not in list_own_sides(on.request.user.grant.player, *_at(on)):
        raise Forbidden(say("other_side"), *WRITERS)


def list_own_sides(player: str | None, now: Tournament, round: int, name: str) -> set[int]:
    """Return the entrants of the party for which the player plays at the table."""
    seats = now.table(round, name).seats
    players = now.players(round, seats)
    return {seats[seat] for party in now.party_seats(seats) if player in [players[seat] for seat in party] for seat in party}


def _warn_about_change(receipt: Receipts, read: _Read) -> Sequence[Remark]:
    before, (recorded,) = receipt.before, receipt.events
    if before is None:
        return ()
    event = recorded.event
    entered = results.warn_about_result(before, event) if isinstance(event, ResultEntered) else ()
    forfeited = warn_about_forfeit(before, event) if isinstance(event, TableForfeited) else ()
    round = event.round if isinstance(event, ResultEvent) else 0
    was, now = (bracket_conflicts(one, read.games, round, read.person_of) for one in (before, receipt.after))
    return (*entered, *forfeited, *(now if now != was else ()), *warn_after_end(before))


ACTS = (
    tournament_act(
        f"{_TABLE}/result",
        "enter_result",
        "Enter the result of a table that was not recorded here",
        EnterResult,
        "player_or_recorder",
        _enter,
        prepare=_check_side_given,
        remarks=_warn_about_change,
        tell=_tell,
        method="PUT",
        description=(
            "With `side` the result counts once every other party has confirmed it, or entered the same; until then others replace "
            "it, and results that differ count nothing. Without `side` it is the director's word: it counts at once and overrides "
            "recorded games. In a tournament with `own_results` players enter results for their own side, until one counts. "
            "`remarks` say if another side had entered something else, points are far beyond the target, or the tournament has "
            "ended. `table` names both sides."
        ),
    ),
    tournament_act(
        f"{_TABLE}/confirmation",
        "confirm_result",
        "Confirm an entered result for another side",
        ConfirmResult,
        "player_or_recorder",
        _confirm,
        prepare=_read,
        remarks=_warn_about_change,
        tell=_tell,
        description="A player confirms for their own side.",
    ),
    tournament_act(
        f"{_TABLE}/forfeit",
        "forfeit",
        "Forfeit a table for entrants who did not come or were sent away",
        ForfeitTable,
        "director",
        lambda on: (results.forfeit_table(*_at(on), on.body.absent, on.text),),
        prepare=_read,
        remarks=_warn_about_change,
        tell=_tell,
        text="reason",
        description="A forfeit overrides recorded games.",
    ),
    tournament_act(
        f"{_TABLE}/adjournment",
        "adjourn",
        "Adjourn a table: it is finished later, and the round may close without it",
        ReasonBody,
        "director",
        lambda on: (results.record_adjourned_table(*_at(on), on.text),),
        prepare=_read,
        tell=_tell,
        text="reason",
    ),
    tournament_act(
        f"{_TABLE}/result",
        "withdraw_result",
        "Withdraw an entered result, forfeit or adjournment: the table's games count again",
        ReasonBody,
        "director",
        lambda on: (results.withdraw_result(*_at(on), on.text),),
        prepare=_read,
        remarks=_warn_about_change,
        tell=_tell,
        text="reason",
        method="DELETE",
    ),
)


# Notices to and from a table: extra time, a call to the director, and a call for the director.


class NotifyTable(Incoming, frozen=True, kw_only=True):
    """A notice to or from a table. A field that is left out stays as it is."""

    corrects = True

    extra_minutes: Annotated[int, Meta(ge=0, le=600, description="minutes beyond the time of the round, all in all")] | UnsetType = UNSET
    called: Annotated[bool, Meta(description="whether its players are to come to the director")] | UnsetType = UNSET
    calls: Annotated[bool, Meta(description="whether its players call the director")] | UnsetType = UNSET
    happened_at: HappenedAt = None


def _notify(on: CommandContext[Tournament]) -> tuple[TournamentEvent]:
    """Return the event. Raises ``Forbidden`` for players of another table, and for anybody but the director who does more than call."""
    at, user = (on.now, on.path_parameter("round"), on.path_parameter("table")), on.request.user
    given = {name: value for name in ("extra_minutes", "called", "calls") if (value := getattr(on.body, name)) is not UNSET}
    if user.role != "director" and given.keys() - {"calls"}:
        raise Forbidden(say("notice_of_director"), "director")
    if user.role == "player" and not list_own_sides(user.grant.player, *at):
        raise Forbidden(say("other_side"), *WRITERS)
    return (notify_table(*at, **given),)


NOTICE = tournament_act(
    "rounds/{round:int}/tables/{table:str}/notice",
    "notify_table",
    "Give a table extra time, call its players to the director, or call the director",
    NotifyTable,
    "player_or_recorder",
    _notify,
    description=(
        "Recorders, and players of the table, send only `calls`: the desk shows that they call the director. `extra_minutes` count beyond "
        "the time of the round, all in all; 0 takes them back. `called` and `calls` stand until they are set to false. A field that is "
        "left out stays. The page of each player of the table and the wall show extra time and `called`. A result by the director "
        "ends all three."
    ),
)


# The director's order of entrants who stand equal, such as after a play-off.
