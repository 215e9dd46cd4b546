"""Rounds of a tournament: pairing, taking a pairing back, closing; and who sits where with what came of it."""

import asyncio
from collections.abc import Sequence
from contextlib import suppress

from litestar.params import FromPath

from api.common.commands import call_of
from api.http.decoding import body
from api.http.fields import DryRun
from api.http.negotiation import language
from api.http.operations import (
    JSON,
    Content,
    Operation,
    reads,
    writes,
)
from api.http.query import Nothing, query
from api.http.response import (
    Answer,
    Asked,
    encoded,
    header,
    house_of,
)
from api.players.directory import names_seen
from api.rulings.requests import Because
from api.tournaments.acts import Receipts, act, operation
from api.tournaments.games import annul, unplayed
from api.tournaments.reading import (
    answered,
    games_of,
    games_seen,
    held,
    persons,
)
from api.tournaments.requests import Pair
from api.tournaments.responses import Rounds, RoundTold
from api.tournaments.round_views import round_told, rounds_told
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
        Pair,
        "director",
        description="By hand every entrant has one table or a bye. Encounters and byes that there have been before, and persons who are "
        "entered twice, are told as remarks.",
        examples={"drawn": {}, "by hand": _BY_HAND},
    ),
)
async def pair(request: Asked, tournament: FromPath[str]) -> Answer:
    dry, wanted = query(request, DryRun).dry_run, await body(request, Pair)
    games, before = await games_of(request, tournament), await held(request, tournament)
    person = await persons(request, before, _players(games))
    by_hand = wanted.tables is not None or bool(wanted.byes)
    ahead = None if by_hand else await asyncio.to_thread(_drawn_ahead, before, games, person)

    def paired(now: Tournament, _: TextRef | None) -> tuple[Event]:
        if by_hand:
            return (rounds.given(now, _tables(wanted), wanted.byes, games, person),)
        return (ahead if ahead and now.position == before.position else rounds.drawn(now, games, person),)

    def doubts(receipt: Receipts) -> Sequence[Remark]:
        now, (recorded,) = receipt.before, receipt.events
        return rounds.remarks(now, recorded.event, person) if now and isinstance(recorded.event, RoundPaired) else ()

    return await act(request, tournament, paired, happened_at=wanted.happened_at, dry=dry, remarks=doubts)


def _drawn_ahead(now: Tournament, games: Sequence[TableGame], person: Person) -> RoundPaired | None:
    """The draw, outside of the server's loop: in a large field it takes a while. What is refused is refused when it is decided."""
    with suppress(Refused):
        return rounds.drawn(now, games, person)
    return None


def _players(games: Sequence[TableGame]) -> set[str | None]:
    return {player for game in games for player in game.players}


def _tables(wanted: Pair) -> list[rounds.GivenTable]:
    return [
        rounds.GivenTable(table.table or str(number), tuple(tuple(party) for party in table.parties))
        for number, table in enumerate(wanted.tables or (), 1)
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
async def list_rounds(request: Asked, tournament: FromPath[str]) -> Answer:
    query(request, Nothing)
    now, games = await held(request, tournament), await games_seen(request, tournament)
    person = await persons(request, now, _players(games))
    return answered(request, now, encoded(rounds_told(now, games, person)))


@reads(
    "/v1/tournaments/{tournament:str}/rounds/{round:int}",
    Operation(
        id="read_round",
        tag="Tournaments",
        summary="A round: who sits where, the games, what came of the tables, and what they wait for",
        answers={200: Content("the round", {JSON: RoundTold}, headers=("ETag",))},
        refuses=(404, 503),
        headers=("If-None-Match", "Accept-Language"),
    ),
)
async def read_round(request: Asked, tournament: FromPath[str], round: FromPath[int]) -> Answer:
    query(request, Nothing)
    now, games = await held(request, tournament), await games_seen(request, tournament, round)
    person, spoken = await persons(request, now, _players(games)), language(header(request, b"accept-language"))
    shown = await names_seen(request, (player for entrant in now.entrants for player in entrant.players(round)))
    told = round_told(now, round, games, person, shown, spoken)
    return answered(request, now, encoded(told), vary="authorization, accept-language")


@writes(
    "/v1/tournaments/{tournament:str}/unpairing",
    operation(
        "unpair_round",
        "Take the pairing of the last round back",
        Because,
        "director",
        description="Only while nothing was played in it. Games that were opened for it and never dealt are annulled.",
        examples={"a late entry": {"reason": "two more came"}},
    ),
)
async def unpair(request: Asked, tournament: FromPath[str]) -> Answer:
    dry, wanted = query(request, DryRun).dry_run, await body(request, Because)
    now, all_games = await held(request, tournament), await games_of(request, tournament)
    idle = await unplayed(request, all_games, len(now.rounds))
    games = [game for game in all_games if game.game not in idle]
    if not dry and await _is_decided_anew(request, now):
        rounds.unpaired(now, games, None)  # refuses before anything is annulled
        await annul(request, idle)
    return await act(
        request,
        tournament,
        lambda now, ref: (rounds.unpaired(now, games, ref),),
        words=wanted.reason,
        happened_at=wanted.happened_at,
        dry=dry,
    )


async def _is_decided_anew(asked: Asked, now: Tournament) -> bool:
    """Not a request that was answered before, nor one that was decided on another position."""
    call, registers = await call_of(asked), house_of(asked).registers
    before = None if call.key is None else await asyncio.to_thread(registers.find_command, call.by, call.key)
    return before is None and call.expected in (None, now.position)


@writes(
    "/v1/tournaments/{tournament:str}/rounds/{round:int}/closing",
    operation(
        "close_round",
        "Close a round",
        Because,
        "director",
        description="Every table needs a result, or is adjourned; else 422 `round_open`, and `waiting` says who waits for what. "
        "Rulings still change results afterwards.",
        examples={"closed": {}},
    ),
)
async def close(request: Asked, tournament: FromPath[str], round: FromPath[int]) -> Answer:
    dry, wanted = query(request, DryRun).dry_run, await body(request, Because)
    games = await games_of(request, tournament, round)
    person = await persons(request, await held(request, tournament), _players(games))
    return await act(
        request, tournament, lambda now, _: (rounds.closed(now, games, round, person),), happened_at=wanted.happened_at, dry=dry
    )
