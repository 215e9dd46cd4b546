"""Rounds of a tournament: pair, unpair and close them."""

from collections.abc import Mapping, Sequence
from contextlib import suppress

from msgspec import Struct
from msgspec.structs import replace

from api.common.act_handlers import CommandContext
from api.common.checkpoints.naming import latest_naming
from api.http.decoding import DryRun, ReasonBody, read_query
from api.http.limits import run_in_pool
from api.http.request import Request
from api.tournaments.commands import Receipts, is_new_decision, tournament_act
from api.tournaments.draw_process import LARGE, draw_in_process
from api.tournaments.games import abort_games, annul_games, list_games_without_deal
from api.tournaments.lots import drawing_of
from api.tournaments.reading import build_person_of, current_tournament, games_to_decide_on, read_clubs
from api.tournaments.requests import PairRound
from domain.errors import Refused
from domain.events.tournament import LotsDrawn, Naming, RoundPaired, TournamentEvent
from domain.tournament import rounds
from domain.tournament.bracket import bracket_changes
from domain.tournament.games import PersonOf, TableGame
from domain.tournament.tally import Drawing, draw_if_required, with_lots
from domain.tournament.tournament import Tournament, after_clubs
from domain.tournament.warnings import Remark, warn_about_pairing, warn_about_undo
from domain.tournament.wish_rules import group_clubs

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
    person_of = await build_person_of(request, before, games)
    drawing, dry_run = await drawing_of(request, before, body), read_query(request, DryRun).dry_run
    read = _Read(games, person_of, before, drawing, dry_run, await read_clubs(request, before))
    if _is_by_hand(body):
        return read
    seconds = _LONGEST_DRAW if len(before.entrants) > LARGE else 0
    return replace(read, ahead=await run_in_pool(request, "drawing", seconds, _draw_early, read))


def _is_by_hand(body: PairRound) -> bool:
    return body.tables is not None or bool(body.byes)


def _pair(on: CommandContext[Tournament]) -> Sequence[TournamentEvent]:
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


class _ReadToClose(Struct, frozen=True):
    """The data for a closing: the games, merged ids, and the newest checkpoint of the log."""

    games: Sequence[TableGame]
    person_of: PersonOf
    checkpoint: Naming


async def _read_to_close(request: Request, _: ReasonBody) -> _ReadToClose:
    id, round = request.path_params["tournament"], request.path_params["round"]
    games = await games_to_decide_on(request, id, round)
    person_of = await build_person_of(request, await current_tournament(request, id), games)
    return _ReadToClose(games, person_of, await latest_naming(request, dry_run=read_query(request, DryRun).dry_run))


def _close(on: CommandContext[Tournament]) -> tuple[TournamentEvent]:
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
