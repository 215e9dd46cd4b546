"""Rounds of a tournament: pair, unpair, close and list them."""

import asyncio
from collections.abc import Mapping, Sequence
from contextlib import suppress

from litestar.params import FromPath
from msgspec import UNSET, Struct
from msgspec.structs import replace

from api.common.act_handlers import CommandContext
from api.common.checkpoints.naming import latest_naming
from api.common.commands import call_of
from api.common.event_views import remark_views
from api.common.names import names_for_caller
from api.http.decoding import DryRun, ReasonBody, read_query
from api.http.limits import more_time
from api.http.operations import Content, Operation, reads
from api.http.request import Request, language_of, services_of
from api.http.response import Response, encode
from api.tournaments.commands import Receipts, tournament_act
from api.tournaments.draw_process import LARGE, draw_in_process
from api.tournaments.games import abort_games, annul_games, list_games_without_deal
from api.tournaments.reading import build_person_of, current_tournament, games_to_decide_on, games_to_show, tournament_response
from api.tournaments.requests import PairRound
from api.tournaments.responses import Rounds, RoundView
from api.tournaments.round_views import players_to_name, round_view, rounds_view
from api.tournaments.seating import drawing_of
from domain.errors import Refused
from domain.events import Event
from domain.events.tournament import LotsDrawn, Naming, RoundPaired
from domain.tournament import rounds
from domain.tournament.bracket import bracket_changes, bracket_conflicts
from domain.tournament.games import PersonOf, TableGame
from domain.tournament.tally import Drawing, draw_if_required, with_lots
from domain.tournament.tournament import Tournament, after_clubs
from domain.tournament.warnings import Remark, warn_about_pairing, warn_about_undo
from domain.tournament.wish_rules import group_clubs
from projections.models.players import rows_of

_LONGEST_DRAW = 30.0
"""Seconds beyond those of every answer. 5,000 entrants take up to 8 while the machine is busy."""


class _Read(Struct, frozen=True):
    """The data for a pairing: the games, merged ids, the tournament when they were read, the input for the lots, whether it is a dry run,
    the clubs of players if they matter, and the draw if it was computed ahead.
    """

    games: Sequence[TableGame]
    person_of: PersonOf
    before: Tournament
    drawing: Drawing
    dry_run: bool
    club_of: Mapping[str, str]
    ahead: RoundPaired | None = None


async def _read_to_pair(request: Request, body: PairRound) -> _Read:
    id = request.path_params["tournament"]
    games, before = await games_to_decide_on(request, id), await current_tournament(request, id)
    person_of = await build_person_of(request, before, _players(games))
    drawing, dry_run = await drawing_of(request, before, body), read_query(request, DryRun).dry_run
    read = _Read(games, person_of, before, drawing, dry_run, await _read_clubs(request, before))
    if _is_by_hand(body):
        return read
    more_time(request, _LONGEST_DRAW if len(before.entrants) > LARGE else 0)
    return replace(read, ahead=await asyncio.to_thread(_draw_early, read))


async def _read_clubs(request: Request, now: Tournament) -> Mapping[str, str]:
    """Return the club of each player who has one; nothing where clubs are not kept apart."""
    if now.rules.apart != "club":
        return {}
    players = {player for entrant in now.entrants for player in entrant.players(now.next_round)}
    rows = await asyncio.to_thread(rows_of, services_of(request).store, players)
    return {player: row.club for player, row in rows.items() if row.club is not None}


def _is_by_hand(body: PairRound) -> bool:
    return body.tables is not None or bool(body.byes)


def _pair(on: CommandContext[Tournament]) -> Sequence[Event]:
    """Return the lots, if they are due, and the pairing.

    A dry run reveals nothing that follows from the lots: a director could otherwise try until they like the draw.
    """
    read: _Read = on.prepared
    lots = _lots(on.now, read)
    now = with_lots(on.now, lots)
    clubs = group_clubs(now, read.club_of)
    now = after_clubs(now, clubs)
    if _is_by_hand(on.body):
        paired = rounds.pair_by_hand(now, _tables(now, on.body), on.body.byes, read.games, read.person_of)
    elif read.ahead and on.now.position == read.before.position:
        paired = read.ahead
    else:
        paired = rounds.draw_round(now, read.games, read.person_of)
    if read.dry_run and lots and paired.drawn:
        raise Refused("lots_untold")
    return (*clubs, paired) if read.dry_run else (*lots, *clubs, paired)


def _lots(now: Tournament, read: _Read) -> Sequence[LotsDrawn]:
    """Return the lots that are due.

    A dry run uses other lots: otherwise the time that a draw takes could reveal something about the real ones.
    """
    lots = draw_if_required(now, read.drawing)
    return [replace(one, seed="tried") for one in lots] if read.dry_run else lots


def _warn_about_change(receipt: Receipts, read: _Read) -> Sequence[Remark]:
    now, (*_, recorded) = receipt.before, receipt.events
    if now is None or not isinstance(recorded.event, RoundPaired):
        return ()
    instead = bracket_changes(now, recorded.event, read.games, read.person_of)
    grouped = after_clubs(now, group_clubs(now, read.club_of))
    return (*warn_about_pairing(grouped, recorded.event, read.person_of), *instead)


def _draw_early(read: _Read) -> RoundPaired | None:
    """Draw outside of the event loop, for a large field takes a while. If it is refused, the decision refuses it again."""
    with suppress(Refused):
        now = with_lots(read.before, _lots(read.before, read))
        now = after_clubs(now, group_clubs(now, read.club_of))
        return rounds.draw_round(now, read.games, read.person_of, draw_in_process)
    return None


def _players(games: Sequence[TableGame]) -> set[str]:
    return {player for game in games for player in game.all_players}


def _tables(now: Tournament, body: PairRound) -> list[rounds.GivenTable]:
    """Return the tables. Those without a name are named as by a draw."""
    given = body.tables or ()
    parties = [tuple(tuple(party) for party in table.parties) for table in given]
    names = rounds.name_next_tables(now, parties)
    return [rounds.GivenTable(table.table or name, one) for table, name, one in zip(given, names, parties, strict=True)]


async def _read_played_games(request: Request, _: ReasonBody) -> list[TableGame]:
    """Return the games that were dealt.

    The other games are annulled here, unless it is a dry run: they have streams of their own, so they cannot be part of the tournament's
    commit.
    """
    id = request.path_params["tournament"]
    now, all_games = await current_tournament(request, id), await games_to_decide_on(request, id)
    idle = await list_games_without_deal(request, all_games, len(now.rounds))
    games = [game for game in all_games if game.game not in idle]
    if not read_query(request, DryRun).dry_run and await is_new_decision(request, now):
        rounds.withdraw_pairing(now, games, None)  # raises before anything is annulled
        await annul_games(request, idle)
    return games


async def is_new_decision(request: Request, now: Tournament) -> bool:
    """Return False for a repeated request, and for one that was decided on another position: neither may annul anything."""
    call, registers = await call_of(request), services_of(request).registers
    before = None if call.key is None else await asyncio.to_thread(registers.find_command, call.by, call.key)
    return before is None and call.expected in (None, now.position)


class _ReadToClose(Struct, frozen=True):
    """The data for a closing: the games, merged ids, and the newest checkpoint of the log."""

    games: Sequence[TableGame]
    person_of: PersonOf
    checkpoint: Naming


async def _read_to_close(request: Request, _: ReasonBody) -> _ReadToClose:
    id, round = request.path_params["tournament"], request.path_params["round"]
    games = await games_to_decide_on(request, id, round)
    person_of = await build_person_of(request, await current_tournament(request, id), _players(games))
    return _ReadToClose(games, person_of, await latest_naming(request, dry_run=read_query(request, DryRun).dry_run))


def _close(on: CommandContext[Tournament]) -> tuple[Event]:
    read: _ReadToClose = on.prepared
    return (rounds.close_round(on.now, read.games, on.path_parameter("round"), read.person_of, read.checkpoint),)


ACTS = (
    tournament_act(
        "rounds",
        "pair_round",
        "Pair the next round, by the format or by hand",
        PairRound,
        "director",
        _pair,
        prepare=_read_to_pair,
        remarks=_warn_about_change,
        disputes=True,
        description=(
            "In a pairing by hand every entrant has one table or a bye. Remarks list repeated encounters and byes, and persons "
            "who are entered twice. The first pairing draws the lots, unless a seed was announced: `lots.drawn` is recorded "
            "before `round.paired`. Until then a dry run shows no draw (`lots_untold`)."
        ),
        creates={"round": "/round"},
    ),
    tournament_act(
        "unpairing",
        "unpair_round",
        "Undo the pairing of the last round",
        ReasonBody,
        "director",
        lambda on: (rounds.withdraw_pairing(on.now, on.prepared, on.text),),
        prepare=_read_played_games,
        text="reason",
        remarks=lambda receipt, _: warn_about_undo(receipt.before, receipt.after) if receipt.before else (),
        description=(
            "A pairing can be undone only while nothing was played in the round. Games that were opened for it and never dealt "
            "are annulled. The round counts as not paired, also for entrants who came, left or returned meanwhile and named no "
            "round: `remarks` say who is drawn for it now, and who is not."
        ),
    ),
    tournament_act(
        "rounds/{round:int}/closing",
        "close_round",
        "Close a round",
        ReasonBody,
        "director",
        _close,
        prepare=_read_to_close,
        disputes=True,
        beside=lambda _, read: abort_games(read.games, read.person_of),
        description=(
            "Every table needs a result or an adjournment; otherwise the answer is 422 `round_open`, and `waiting` lists what "
            "is missing from whom. Unfinished games at a table whose result was entered or forfeited are abandoned. Rulings "
            "still change results afterwards. The event names the newest checkpoint of the log (docs/proof.md)."
        ),
    ),
)


@reads(
    "/v1/tournaments/{tournament:str}/rounds",
    Operation(
        id="list_rounds",
        summary="List the rounds, with their pairings and results",
        description=(
            "`strays` are recorded games that name the tournament, but none of its tables. `conflicts`: in a knock-out the "
            "newest round is paired otherwise than the results of the one before say now, after a correction or a ruling."
        ),
        responses={200: Content("rounds, oldest first", Rounds, headers=("ETag",))},
        refuses=(503,),
    ),
)
async def list_rounds(request: Request, tournament: FromPath[str]) -> Response:
    now, games = await current_tournament(request, tournament), await games_to_show(request, tournament)
    person_of = await build_person_of(request, now, _players(games))
    conflicts = remark_views(request, bracket_conflicts(now, games, len(now.rounds) - 1, person_of))
    return tournament_response(request, now, encode(replace(rounds_view(now, games, person_of), conflicts=conflicts or UNSET)))


@reads(
    "/v1/tournaments/{tournament:str}/rounds/{round:int}",
    Operation(
        id="read_round",
        summary="Read a round: seating, games, results, and what its tables wait for",
        responses={200: Content("the round", RoundView, headers=("ETag",))},
        refuses=(503,),
        headers=("Accept-Language",),
    ),
)
async def read_round(request: Request, tournament: FromPath[str], round: FromPath[int]) -> Response:
    now, games = await current_tournament(request, tournament), await games_to_show(request, tournament, round)
    person_of, spoken = await build_person_of(request, now, _players(games)), language_of(request)
    shown = await names_for_caller(request, tournament, players_to_name(now, games))
    view = round_view(now, round, games, person_of, shown, spoken)
    return tournament_response(request, now, encode(view), vary="authorization, accept-language")
