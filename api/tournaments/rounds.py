"""Rounds of a tournament: pairing, taking a pairing back, closing; and who sits where with what came of it."""

import asyncio
from collections.abc import Sequence
from contextlib import suppress

from litestar.params import FromPath

from api.common.commands import call_of
from api.common.names import names_seen
from api.http.decoding import read_body
from api.http.fields import DryRun, ReasonBody
from api.http.negotiation import language
from api.http.operations import (
    JSON,
    Content,
    Operation,
    reads,
    writes,
)
from api.http.query import Nothing, read_query
from api.http.request import Request, header, services_of
from api.http.response import Response, encode
from api.tournaments.commands import Receipts, act, operation
from api.tournaments.games import annul_games, unplayed_games
from api.tournaments.reading import (
    current_tournament,
    games_to_decide_on,
    games_to_show,
    persons_of,
    tournament_response,
)
from api.tournaments.requests import PairRound
from api.tournaments.responses import Rounds, RoundView
from api.tournaments.round_views import round_view, rounds_view
from domain.errors import Refused
from domain.events import Event, TextRef
from domain.events.tournament import RoundPaired
from domain.tournament import rounds
from domain.tournament.games import Person, TableGame
from domain.tournament.rounds import Remark
from domain.tournament.tournament import Tournament

_BY_HAND = {"tables": [{"table": "1", "parties": [[1], [4]]}, {"table": "2", "parties": [[2], [3]]}], "byes": [5]}


@writes(
    "/v1/tournaments/{tournament:str}/rounds",
    operation(
        "pair_round",
        "Pair the next round: drawn by the format, or by hand",
        PairRound,
        "director",
        description="By hand every entrant has one table or a bye. Encounters and byes that there have been before, and persons who are "
        "entered twice, are told as remarks.",
        examples={"drawn": {}, "by hand": _BY_HAND},
    ),
)
async def pair(request: Request, tournament: FromPath[str]) -> Response:
    dry, body = read_query(request, DryRun).dry_run, await read_body(request, PairRound)
    games, before = await games_to_decide_on(request, tournament), await current_tournament(request, tournament)
    person = await persons_of(request, before, _players(games))
    by_hand = body.tables is not None or bool(body.byes)
    ahead = None if by_hand else await asyncio.to_thread(_drawn_ahead, before, games, person)

    def paired(now: Tournament, _: TextRef | None) -> tuple[Event]:
        if by_hand:
            return (rounds.given(now, _tables(body), body.byes, games, person),)
        return (ahead if ahead and now.position == before.position else rounds.drawn(now, games, person),)

    def doubts(receipt: Receipts) -> Sequence[Remark]:
        now, (recorded,) = receipt.before, receipt.events
        return rounds.remarks(now, recorded.event, person) if now and isinstance(recorded.event, RoundPaired) else ()

    return await act(request, tournament, paired, happened_at=body.happened_at, dry=dry, remarks=doubts)


def _drawn_ahead(now: Tournament, games: Sequence[TableGame], person: Person) -> RoundPaired | None:
    """The draw, outside of the server's loop: in a large field it takes a while. What is refused is refused when it is decided."""
    with suppress(Refused):
        return rounds.drawn(now, games, person)
    return None


def _players(games: Sequence[TableGame]) -> set[str | None]:
    return {player for game in games for player in game.players}


def _tables(body: PairRound) -> list[rounds.GivenTable]:
    return [
        rounds.GivenTable(table.table or str(number), tuple(tuple(party) for party in table.parties))
        for number, table in enumerate(body.tables or (), 1)
    ]


@reads(
    "/v1/tournaments/{tournament:str}/rounds",
    Operation(
        id="list_rounds",
        tag="Tournaments",
        summary="The rounds: who met whom, and what came of it",
        description="`strays` are recorded games that name the tournament, but none of its tables.",
        answers={200: Content("rounds, oldest first", {JSON: Rounds}, headers=("ETag",))},
        refuses=(404, 503),
        headers=("If-None-Match",),
    ),
)
async def list_rounds(request: Request, tournament: FromPath[str]) -> Response:
    read_query(request, Nothing)
    now, games = await current_tournament(request, tournament), await games_to_show(request, tournament)
    person = await persons_of(request, now, _players(games))
    return tournament_response(request, now, encode(rounds_view(now, games, person)))


@reads(
    "/v1/tournaments/{tournament:str}/rounds/{round:int}",
    Operation(
        id="read_round",
        tag="Tournaments",
        summary="A round: who sits where, the games, what came of the tables, and what they wait for",
        answers={200: Content("the round", {JSON: RoundView}, headers=("ETag",))},
        refuses=(404, 503),
        headers=("If-None-Match", "Accept-Language"),
    ),
)
async def read_round(request: Request, tournament: FromPath[str], round: FromPath[int]) -> Response:
    read_query(request, Nothing)
    now, games = await current_tournament(request, tournament), await games_to_show(request, tournament, round)
    person, spoken = await persons_of(request, now, _players(games)), language(header(request, b"accept-language"))
    shown = await names_seen(request, (player for entrant in now.entrants for player in entrant.players(round)))
    told = round_view(now, round, games, person, shown, spoken)
    return tournament_response(request, now, encode(told), vary="authorization, accept-language")


@writes(
    "/v1/tournaments/{tournament:str}/unpairing",
    operation(
        "unpair_round",
        "Take the pairing of the last round back",
        ReasonBody,
        "director",
        description="Only while nothing was played in it. Games that were opened for it and never dealt are annulled.",
        examples={"a late entry": {"reason": "two more came"}},
    ),
)
async def unpair(request: Request, tournament: FromPath[str]) -> Response:
    dry, body = read_query(request, DryRun).dry_run, await read_body(request, ReasonBody)
    now, all_games = await current_tournament(request, tournament), await games_to_decide_on(request, tournament)
    idle = await unplayed_games(request, all_games, len(now.rounds))
    games = [game for game in all_games if game.game not in idle]
    if not dry and await _is_decided_anew(request, now):
        rounds.unpaired(now, games, None)  # refuses before anything is annulled
        await annul_games(request, idle)
    return await act(
        request,
        tournament,
        lambda now, ref: (rounds.unpaired(now, games, ref),),
        words=body.reason,
        happened_at=body.happened_at,
        dry=dry,
    )


async def _is_decided_anew(request: Request, now: Tournament) -> bool:
    """Not a request that was answered before, nor one that was decided on another position."""
    call, registers = await call_of(request), services_of(request).registers
    before = None if call.key is None else await asyncio.to_thread(registers.find_command, call.by, call.key)
    return before is None and call.expected in (None, now.position)


@writes(
    "/v1/tournaments/{tournament:str}/rounds/{round:int}/closing",
    operation(
        "close_round",
        "Close a round",
        ReasonBody,
        "director",
        description="Every table needs a result, or is adjourned; else 422 `round_open`, and `waiting` says who waits for what. "
        "Rulings still change results afterwards.",
        examples={"closed": {}},
    ),
)
async def close(request: Request, tournament: FromPath[str], round: FromPath[int]) -> Response:
    dry, body = read_query(request, DryRun).dry_run, await read_body(request, ReasonBody)
    games = await games_to_decide_on(request, tournament, round)
    person = await persons_of(request, await current_tournament(request, tournament), _players(games))
    return await act(request, tournament, lambda now, _: (rounds.closed(now, games, round, person),), happened_at=body.happened_at, dry=dry)
