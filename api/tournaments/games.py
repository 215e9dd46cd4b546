"""The games of a round: open one for each table that lacks one, and annul those that were never played.

The id of a game follows from its table and its number there. So a request that is sent twice, or by two recorders at once, opens no game
twice.
"""

import asyncio
from collections.abc import Iterable, Sequence
from contextlib import suppress
from typing import Literal
from uuid import UUID, uuid5

from litestar.params import FromPath
from msgspec import UNSET

from api.common.commands import Change, is_dry_run, once
from api.common.secrets import with_reveals, with_secrets
from api.http.decoding import DryRun, read_body
from api.http.limits import note_part_recorded
from api.http.operations import Content, writes
from api.http.request import Request, services_of
from api.http.response import Response, no_store_response
from api.tournaments.reading import build_person_of, current_tournament, games_to_decide_on
from api.tournaments.requests import OpenRoundGames
from api.tournaments.responses import OpenedTableGame, RoundGames
from domain.errors import Exists, Refused, Unknown
from domain.events import Event
from domain.events.game import GameAbandoned, GameAnnulled
from domain.game import GAME, Game
from domain.journal.commits import Call, CommandKey, LinkedStreams
from domain.opening import opening
from domain.tournament.games import PersonOf, TableGame
from domain.tournament.state import RoundTable
from domain.tournament.tally import counts_without_games, find_missing, is_decided
from domain.tournament.tournament import Tournament


@writes(
    "/v1/tournaments/{tournament:str}/rounds/{round:int}/games",
    "open_round_games",
    "Open the next game at every table that lacks one",
    description=(
        "Players sit on their seats. A table has one game at a time; a repetition opens nothing twice. Under the same "
        "Idempotency-Key no more games are opened, and each table names its newest game as `running`, or says that it "
        "lacks none. With `dry_run=true` nothing is recorded, and `opened` are the games that would be."
    ),
    query=DryRun,
    body=OpenRoundGames,
    responses={200: Content("the tables with their games", RoundGames, creates={"game": "/tables/0/game"})},
    refuses=(422, 503),
    role="recorder",
)
async def open_games(request: Request, tournament: FromPath[str], round: FromPath[int]) -> Response:
    body = await read_body(request, OpenRoundGames)

    async def decide() -> Change:
        return Change(await open_games_at(request, tournament, round, body.tables, dry=True) if is_dry_run(request) else None, store)

    async def store(command: CommandKey | None) -> Response:
        answer = no_store_response(await open_games_at(request, tournament, round, body.tables))
        if command:  # each game is a commit of its own; the key is stored once all are there
            await asyncio.to_thread(services_of(request).registers.keep_command, command)
        return answer

    async def repeat(_: object) -> Response:
        return no_store_response(await open_games_at(request, tournament, round, body.tables, repeated=True))

    return await once(request, decide, repeat)


async def open_games_at(
    request: Request, tournament: str, round: int, names: Sequence[str] | None, *, repeated: bool = False, dry: bool = False
) -> RoundGames:
    """Open the next game at each of these tables, or at all, where one is lacking.

    ``repeated``: only return the newest ones; ``dry``: record nothing.
    """
    games, now = await games_to_decide_on(request, tournament, round), await current_tournament(request, tournament)
    if not repeated:
        now.check_open()
    tables = [now.table(round, name) for name in dict.fromkeys(names)] if names else now.round(round).tables
    person_of = await build_person_of(request, now, games)
    if not dry:
        note_part_recorded(request)
    opened = await asyncio.gather(
        *(_open_next(request, now, round, table, games, person_of, repeated=repeated, dry=dry) for table in tables)
    )
    return RoundGames(tournament=tournament, round=round, tables=opened)


async def _open_next(
    request: Request,
    now: Tournament,
    round: int,
    table: RoundTable,
    games: Sequence[TableGame],
    person_of: PersonOf,
    *,
    repeated: bool,
    dry: bool,
) -> OpenedTableGame:
    own = [game for game in games if game.table == table.name]
    counting = [game for game in own if game.standing != "annulled"]
    lacks: list[str] = [] if is_decided(table) else [code for code, _ in find_missing(now, table, counting, person_of)]
    playing = next((game.game for game in counting if not game.counts), None)
    if playing is None and lacks == ["game_missing"]:
        if not repeated:
            return await _open_game(request, now, round, table, len(own) + 1, dry=dry)
        playing = own[-1].game if own else None
    state: Literal["running", "complete", "refused"] = "running" if playing else "refused" if lacks else "complete"
    return OpenedTableGame(table=table.name, state=state, game=playing)


async def _open_game(request: Request, now: Tournament, round: int, table: RoundTable, number: int, *, dry: bool) -> OpenedTableGame:
    services, plan = services_of(request), now.plan
    if plan.ruleset not in services.rulesets:
        raise Unknown("ruleset", plan.ruleset)
    event = opening(
        services.rulesets[plan.ruleset],
        plan.options,
        len(table.seats),
        now.players(round, table.seats),
        openness=plan.openness,
        live=plan.live is UNSET,
        tournament=plan.tournament,
        round=round,
        table=table.name,
        own_moves=plan.own_moves is True,
        shuffle=plan.shuffle,
        time_zone=now.time_zone,
    )
    id = uuid5(now.id, f"{round}/{table.name}/{number}")
    try:
        await services.journal.begin(GAME, Call(request.user.id), id, (event,), dry_run=dry)
    except Exists:
        return OpenedTableGame(table=table.name, state="running", game=id)
    return OpenedTableGame(table=table.name, state="opened", game=id)


async def list_games_without_deal(request: Request, games: Iterable[TableGame], round: int) -> set[UUID]:
    """Return the games of a round in which nothing was dealt yet, and which count for nothing."""
    ids = [game.game for game in games if game.round == round and game.standing != "annulled" and not game.counts]
    found = await asyncio.gather(*(services_of(request).journal.current(id) for id in ids))
    return {game.id for game in found if not game.table.hand}


def abort_games(games: Sequence[TableGame], person_of: PersonOf) -> LinkedStreams[Tournament]:
    """Abandon games in the commit of the closing: those that are not over at a table whose result counts without them."""
    running = {game.game: game for game in games if not game.counts and game.standing != "annulled"}

    def decide(now: Tournament, game: Game) -> Sequence[Event]:
        known = running[game.id]
        left = counts_without_games(now, games, known.round, known.table, person_of)
        return (GameAbandoned(None),) if left and not game.docket.ended and game.table.phase != "game_over" else ()

    return LinkedStreams(tuple(running), decide)


class _AnnulledAlready(Exception):
    """The game was annulled meanwhile, by the same request sent twice or by somebody else."""


async def annul_games(request: Request, games: Iterable[UUID]) -> None:
    """Annul games that were not annulled meanwhile. Raises ``Refused`` if a hand was dealt meanwhile."""

    def decide(game: Game) -> Sequence[Event]:
        if game.table.hand:
            raise Refused("round_played", round=game.opened.round)
        if game.docket.ended == "annulled":
            raise _AnnulledAlready
        return with_reveals(request, game, (GameAnnulled(None),))

    async def annul(id: UUID) -> None:
        with suppress(_AnnulledAlready):
            journal, call = services_of(request).journal, Call(request.user.id)
            await with_secrets(request, lambda: journal.commit(call, id, decide))

    note_part_recorded(request)
    await asyncio.gather(*map(annul, games))
