"""A tournament as a whole: who may read it, names of its players, its time zone, when its rounds begin, its end, and reopening it."""

from collections.abc import Sequence
from typing import Annotated

from msgspec import Meta

from api.common.act_handlers import CommandContext
from api.common.time_zone import read_instant
from api.http.decoding import FreeText, HappenedAt, Incoming, LocalTime, Number, ReasonBody
from api.http.request import Request
from api.tournaments.commands import Receipts, tournament_act
from api.tournaments.games import abort_games
from api.tournaments.reading import build_person_of, current_tournament, games_to_decide_on
from api.tournaments.requests import EndTournament, NamesInTheHall, TimeZone
from domain.events import tournament as events
from domain.journal.registers import stamp
from domain.tournament import rounds
from domain.tournament.games import PersonOf, TableGame
from domain.tournament.publication import choose_hall_names, choose_time_zone, publish, set_schedule
from domain.tournament.ranking import order_tied
from domain.tournament.tournament import Tournament
from domain.tournament.warnings import Remark, warn_about_end, warn_about_time_zone, warn_after_end


class PublishTournament(Incoming, frozen=True, kw_only=True):
    publication: Annotated[
        events.Publication,
        Meta(
            description=(
                "`no`: only callers with a token may read it; `aliases`: everybody, with aliases; `names`: everybody, with the "
                "names of players who agreed"
            )
        ),
    ]
    happened_at: HappenedAt = None


class ChooseHallNames(Incoming, frozen=True, kw_only=True):
    hall_names: NamesInTheHall
    happened_at: HappenedAt = None


class ChooseTimeZone(Incoming, frozen=True, kw_only=True):
    time_zone: TimeZone
    happened_at: HappenedAt = None


class SetSchedule(Incoming, frozen=True, kw_only=True):
    """When the rounds begin from now on; an empty list removes the schedule."""

    starts: Annotated[
        list[LocalTime],
        Meta(
            max_length=200,
            description="of each round, from round 1 on",
            examples=[["2026-11-28T19:30:00+01:00", "2026-11-28T20:30:00+01:00"]],
        ),
    ]
    happened_at: HappenedAt = None


async def _read_to_end(request: Request, body: EndTournament) -> tuple[Sequence[TableGame], PersonOf]:
    """Return the games and merged ids. A cancellation leaves the games as they are."""
    id = request.path_params["tournament"]
    games = await games_to_decide_on(request, id) if body.how == "finished" else ()
    return games, await build_person_of(request, await current_tournament(request, id), games)


def _end(on: CommandContext[Tournament]) -> tuple[events.TournamentEnded]:
    body: EndTournament = on.body
    games, person_of = on.prepared
    match body.how:
        case "cancelled":
            return (rounds.cancel_tournament(on.now, on.text),)
        case "finished":
            return (rounds.finish_tournament(on.now, games, on.text, person_of),)


def _warn_about_end(receipt: Receipts, _: object) -> Sequence[Remark]:
    finished = any(isinstance(one.event, events.TournamentEnded) and one.event.how == "finished" for one in receipt.events)
    return warn_about_end(receipt.before) if receipt.before and finished else ()


def _publish(on: CommandContext[Tournament]) -> tuple[events.TournamentPublished]:
    body: PublishTournament = on.body
    return (publish(on.now, body.publication),)


PUBLISH = tournament_act(
    "publication",
    "publish_tournament",
    "Publish a tournament, or withdraw the publication",
    PublishTournament,
    "director",
    _publish,
    description=(
        "Anybody can read a published tournament, its games and results without a token, like a viewer. `names` states that "
        "the players agreed to be named. With `aliases` they appear by alias, and a player without one as `Entrant 3`. `no` "
        "withdraws the publication."
    ),
)


def _choose_hall_names(on: CommandContext[Tournament]) -> tuple[events.HallNamesSet]:
    body: ChooseHallNames = on.body
    return (choose_hall_names(on.now, body.hall_names),)


HALL_NAMES = tournament_act(
    "hall-names",
    "choose_hall_names",
    "Choose how players are named in the hall",
    ChooseHallNames,
    "director",
    _choose_hall_names,
    description=(
        "The choice applies to callers who are signed in within the tournament (its players, recorders and spectators), and to "
        "the wall. `names` states that the players know that their names are shown in the hall. A player who objects, or has "
        "no such name, appears by the number of the entrant."
    ),
)


END = tournament_act(
    "ending",
    "end_tournament",
    "End a tournament after its last round, or cancel it",
    EndTournament,
    "director",
    _end,
    prepare=_read_to_end,
    remarks=_warn_about_end,
    disputes=True,
    beside=lambda _, prepared: abort_games(*prepared),
    text="reason",
    description=(
        "Every round has to be closed and every adjourned table finished; otherwise the answer is 422 and lists what is "
        "missing from whom. `remarks` say if planned rounds were not paired, or a dispute is undecided. "
        "Unfinished games at a table whose result was entered or forfeited are abandoned at the end."
    ),
)


def _reopen(on: CommandContext[Tournament]) -> tuple[events.TournamentReopened]:
    return (rounds.reopen_tournament(on.now, on.text),)


REOPEN = tournament_act(
    "reopening",
    "reopen_tournament",
    "Reopen a tournament that was ended by mistake, until it is published",
    ReasonBody,
    "director",
    _reopen,
    text="reason",
    description=(
        "Rounds, entries and results continue as before the end; games that it abandoned stay so. Codes and sessions that ended "
        "with the tournament are good again, as though it had not ended."
    ),
)


def _choose_time_zone(on: CommandContext[Tournament]) -> tuple[events.TimeZoneSet]:
    body: ChooseTimeZone = on.body
    return (choose_time_zone(on.now, body.time_zone),)


def _warn_about_time_zone(receipt: Receipts, _: object) -> Sequence[Remark]:
    return warn_about_time_zone(receipt.before, receipt.after.time_zone) if receipt.before else ()


TIME_ZONE = tournament_act(
    "time-zone",
    "choose_time_zone",
    "Choose the time zone of a tournament",
    ChooseTimeZone,
    "director",
    _choose_time_zone,
    remarks=_warn_about_time_zone,
    description=(
        "An IANA name. Games that are opened, and results that are first entered, from now on have their days and months in it; what was "
        "counted to a month stays there, and a remark says so."
    ),
)


def _schedule(on: CommandContext[Tournament]) -> tuple[events.ScheduleSet]:
    body: SetSchedule = on.body
    return (set_schedule(on.now, [stamp(read_instant(one, "starts", on.now.time_zone)) for one in body.starts]),)


SCHEDULE = tournament_act(
    "schedule",
    "set_schedule",
    "Change when the rounds of a tournament begin",
    SetSchedule,
    "director",
    _schedule,
    description="A time without an offset is meant in the zone of the tournament. The calendar file of the tournament has these times.",
)


class OrderStandings(Incoming, frozen=True, kw_only=True):
    """Entrants who stand equal, in the order in which they are to stand."""

    entrants: Annotated[list[Number], Meta(min_length=2, max_length=1000, description="all who share the place, the best first")]
    reason: Annotated[FreeText, Meta(description="the reason, in words, such as the result of the play-off")]
    happened_at: HappenedAt = None


async def _read_tied(request: Request, _: OrderStandings) -> tuple[Sequence[TableGame], PersonOf]:
    id = request.path_params["tournament"]
    games = await games_to_decide_on(request, id)
    return games, await build_person_of(request, await current_tournament(request, id), games)


def _order(on: CommandContext[Tournament]) -> tuple[events.StandingsOrdered]:
    assert on.text is not None  # the request has a reason
    return (order_tied(on.now, on.body.entrants, on.text, *on.prepared),)


def _warn_about_order(receipt: Receipts, _: object) -> Sequence[Remark]:
    return warn_after_end(receipt.before) if receipt.before else ()


ORDER = tournament_act(
    "standings/order",
    "order_standings",
    "Choose the order of entrants who stand equal, such as after a play-off",
    OrderStandings,
    "director",
    _order,
    prepare=_read_tied,
    remarks=_warn_about_order,
    text="reason",
    description=(
        "All entrants who share a place before the lots are named, the best first; others are 422 `not_equal`. The order holds while "
        "exactly these stand equal, and the standings say `ordered`. A later order of the same entrants replaces it."
    ),
)
