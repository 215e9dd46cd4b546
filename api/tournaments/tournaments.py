"""Tournaments: announce, read, publish and end them."""

import asyncio
from collections.abc import Sequence
from contextlib import suppress

from litestar.params import FromPath
from msgspec import UNSET
from msgspec.structs import replace

from api.common.act_handlers import CommandContext
from api.common.commands import call_of, replay_header
from api.common.event_views import RemarkView, remark_views
from api.common.rulebooks import ruleset_named
from api.common.texts import note_text, text_by_id
from api.common.time_zone import read_instant
from api.http.decoding import DryRun, ReasonBody, copy_fields, read_body, read_query
from api.http.operations import Content, Operation, reads, writes
from api.http.request import Request, services_of
from api.http.response import Response, encode, no_store_response
from api.services import Services
from api.tournaments.commands import Receipts, tournament_act, tournament_command_response
from api.tournaments.games import abort_games
from api.tournaments.publication_requests import ChooseHallNames, ChooseTimeZone, PublishTournament, SetSchedule
from api.tournaments.reading import build_person_of, current_tournament, games_to_decide_on, tournament_response
from api.tournaments.requests import AnnounceTournament, EndTournament
from api.tournaments.responses import PairingView, TournamentCommandResponse, TournamentView
from api.tournaments.seating import keep_for_lots, lots_of, lots_view
from domain.errors import Exists
from domain.events.base import TextRef
from domain.events.tournament import (
    HallNamesSet,
    ScheduleSet,
    TimeZoneSet,
    TournamentAnnounced,
    TournamentEnded,
    TournamentPublished,
    TournamentReopened,
)
from domain.journal.commits import Receipt
from domain.journal.registers import stamp
from domain.name_validation import normalize_name
from domain.opening import encode_live
from domain.standings.plan import ScoringInput
from domain.time_zones import to_local
from domain.tournament import rounds
from domain.tournament.announcement import AnnouncementInput, announce_tournament
from domain.tournament.games import PersonOf, TableGame
from domain.tournament.publication import choose_hall_names, choose_time_zone, publish, set_schedule
from domain.tournament.tournament import TOURNAMENT, Tournament, tournament_stream
from domain.tournament.warnings import Remark, warn_about_announcement, warn_about_end, warn_about_time_zone
from projections.models.tournaments import TournamentState

_SAME_DAY = 20
"""Tournaments of a ruleset announced on one day that get a short id."""


@writes(
    "/v1/tournaments",
    Operation(
        id="announce_tournament",
        summary="Announce a tournament",
        description=(
            "The announcement fixes ruleset, options, format, scoring and tie-breaks: everything that decides who wins. Lots "
            "and draws follow from a secret to which the service commits now, mixed with the entries, and with `dice` that are "
            "thrown after the last entry; or from an open `seed`. With `dry_run=true` nothing is recorded."
        ),
        query=DryRun,
        body=AnnounceTournament,
        responses={
            201: Content("announced", TournamentCommandResponse, headers=("Location", "ETag"), creates={"tournament": "/tournament"}),
            200: Content("a dry run: the tournament, not announced", TournamentView),
        },
        refuses=(409, 422),
        role="director",
    ),
)
async def announce(request: Request) -> Response:
    dry, body, services = read_query(request, DryRun).dry_run, await read_body(request, AnnounceTournament), services_of(request)
    body = replace(body, title=None if body.title is None else normalize_name(body.title, "title"))
    text = note_text(request, body.title)
    (first, *others), call = _ids(services, body), await call_of(request, body.happened_at)
    plan, secret = _plan(request, body, first, text.ref if text else None)
    if not dry and await services.journal.find_receipt(TOURNAMENT, call) is None:
        await keep_for_lots(request, plan, secret)
    for plan in (plan, *(replace(plan, tournament=id) for id in others)):  # noqa: B020
        with suppress(Exists):
            receipt = await services.journal.begin(TOURNAMENT, call, tournament_stream(plan.tournament), (plan,), text, dry_run=dry)
            break
    else:
        raise Exists("tournament", plan.tournament)
    remarks = remark_views(request, warn_about_announcement(plan))
    return _would_be_announced(receipt, body.title, remarks) if dry else tournament_command_response(request, receipt, remarks)


def _ids(services: Services, body: AnnounceTournament) -> Sequence[str]:
    """Return the requested id; else readable ids to be tried in this order.

    The title is in none of them: an id stays in events permanently, and a title can be erased.
    """
    if body.id is not None:
        return (body.id,)
    day = f"{body.ruleset}-{to_local(services.clock(), services.time_zone).date().isoformat()}"
    return (day, *(f"{day}-{number}" for number in range(2, _SAME_DAY + 1)), f"{day}-{services.new_id()}")


def _would_be_announced(receipt: Receipt[Tournament], title: str | None, remarks: list[RemarkView]) -> Response:
    view = replace(_tournament_view(receipt.after, title), remarks=remarks or UNSET)
    if not receipt.repeated:
        view = replace(view, position=0, lots=replace(view.lots, commitment=None, digits=None))  # of a secret that is not stored
    return no_store_response(view, headers=replay_header(repeated=receipt.repeated))


def _plan(request: Request, body: AnnounceTournament, id: str, title: TextRef | None) -> tuple[TournamentAnnounced, bytes]:
    """Return the announcement with the secret of its lots."""
    ruleset = ruleset_named(request, body.ruleset)
    scoring = body.scoring.to_input() if body.scoring else ScoringInput()
    settled = {"scoring": scoring, "tie_breaks": tuple(body.tie_breaks), "live": encode_live(body.live)}
    pairing = body.pairing.to_rules() if body.pairing else UNSET
    proposal = copy_fields(body, AnnouncementInput, **settled, shuffle=body.shuffle or UNSET, pairing=pairing)
    lots, secret = lots_of(request, body)
    zone = body.time_zone or services_of(request).time_zone
    return announce_tournament(ruleset, id, title, proposal, lots, body.hall_names, zone), secret


@reads(
    "/v1/tournaments/{tournament:str}",
    Operation(
        id="read_tournament",
        summary="Read a tournament: its announcement and its progress",
        responses={200: Content("the tournament", TournamentView, headers=("ETag",))},
    ),
)
async def read_tournament(request: Request, tournament: FromPath[str]) -> Response:
    now = await current_tournament(request, tournament)
    title = await asyncio.to_thread(text_by_id, request, now.plan.title)
    return tournament_response(request, now, encode(_tournament_view(now, title)))


def _tournament_view(now: Tournament, title: str | None) -> TournamentView:
    plan = now.plan
    return copy_fields(
        plan,
        TournamentView,
        id=plan.tournament,
        title=title,
        live=plan.live is UNSET,
        position=now.position,
        state=_state(now),
        entered=sum(entrant.until is None for entrant in now.entrants),
        paired=len(now.rounds),
        closed=sum(round.closed for round in now.rounds),
        publication=now.publication,
        hall_names=now.hall_names,
        time_zone=now.time_zone,
        starts=now.starts,
        own_moves=plan.own_moves is True,
        shuffle=plan.shuffle or None,
        lots=lots_view(now),
        remarks=UNSET,
        pairing=copy_fields(now.rules, PairingView),
    )


def _state(now: Tournament) -> TournamentState:
    if now.ended:
        return now.ended.how
    return "running" if now.rounds else "announced"


async def _read_to_end(request: Request, body: EndTournament) -> tuple[Sequence[TableGame], PersonOf]:
    """Return the games and merged ids. A cancellation leaves the games as they are."""
    id = request.path_params["tournament"]
    games = await games_to_decide_on(request, id) if body.how == "finished" else ()
    return games, await build_person_of(
        request, await current_tournament(request, id), (player for game in games for player in game.all_players)
    )


def _end(on: CommandContext[Tournament]) -> tuple[TournamentEnded]:
    body: EndTournament = on.body
    games, person_of = on.prepared
    match body.how:
        case "cancelled":
            return (rounds.cancel_tournament(on.now, on.text),)
        case "finished":
            return (rounds.finish_tournament(on.now, games, on.text, person_of),)


def _warn_about_end(receipt: Receipts, _: object) -> Sequence[Remark]:
    finished = any(isinstance(one.event, TournamentEnded) and one.event.how == "finished" for one in receipt.events)
    return warn_about_end(receipt.before) if receipt.before and finished else ()


def _publish(on: CommandContext[Tournament]) -> tuple[TournamentPublished]:
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


def _choose_hall_names(on: CommandContext[Tournament]) -> tuple[HallNamesSet]:
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


def _reopen(on: CommandContext[Tournament]) -> tuple[TournamentReopened]:
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


def _choose_time_zone(on: CommandContext[Tournament]) -> tuple[TimeZoneSet]:
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


def _schedule(on: CommandContext[Tournament]) -> tuple[ScheduleSet]:
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
