"""Prepared boards of a tournament: decks that are uploaded, and that no response shows.

The stored fingerprint of a request contains no digest of a deck, and a deck that is there already is answered like any other, so that
nobody can find a deck by trying.
"""

import asyncio
from collections.abc import Sequence
from typing import Any, TypeAlias

from litestar.params import FromPath
from msgspec import UNSET

from api.common.commands import Change, once
from api.common.rulebooks import ruleset_named
from api.http.decoding import DryRun, read_body
from api.http.errors import say
from api.http.operations import Content, reads, writes
from api.http.request import Request, services_of
from api.http.response import Response, encode
from api.tournaments.commands import tournament_url
from api.tournaments.reading import current_tournament, tournament_response
from api.tournaments.requests import BoardBody, PrepareBoards
from api.tournaments.responses import BoardView, PreparedBoards
from domain.cards import HIDDEN
from domain.errors import Exists, InvalidFormatError, Refused
from domain.journal.commits import Board, CommandKey, PreparedBoard
from domain.journal.registers import Duplicate, stamp
from domain.rules import Rulebook
from domain.table import Table
from domain.tournament.tournament import Tournament

_Place: TypeAlias = tuple[int, int]
"""The round of a board, and its number there."""


@writes(
    "/v1/tournaments/{tournament:str}/boards",
    "prepare_boards",
    "Prepare boards: decks that several tables of a round are to play",
    description=(
        "The body holds one board (`round`, `board`, `deck`) or several (`boards`); all are stored or none. The ruleset "
        "judges each deck at once. Afterwards no caller can read it: `POST /v1/games/{game}/hands` with `board` deals it. "
        "Only `replace=true` replaces an existing board, and a board that was dealt at any table is never replaced. The "
        "stored Idempotency-Key reveals nothing about a deck: a repetition does not compare decks. With `dry_run=true` the decks "
        "are judged and nothing is stored."
    ),
    query=DryRun,
    body=PrepareBoards,
    responses={
        201: Content("which boards were prepared", PreparedBoards, headers=("Location",)),
        200: Content("a dry run: the boards that would be replaced", PreparedBoards),
    },
    refuses=(409, 422),
    role="director",
)
async def prepare_boards(request: Request, tournament: FromPath[str]) -> Response:
    body = await read_body(request, PrepareBoards)
    wanted = _read_boards(body)
    places = [(one.round, one.board) for one in wanted]

    async def tell(_: str) -> Response:
        found = await asyncio.to_thread(_list_boards_at, request, tournament, places)
        headers = [("location", f"{tournament_url(tournament)}/boards"), ("cache-control", "no-store")]
        return Response(encode(_view(tournament, found)), status=201, headers=headers)

    boards = await asyncio.to_thread(_judge_boards, request, await current_tournament(request, tournament), wanted)

    async def decide() -> Change:
        after = await asyncio.to_thread(_try_boards, request, boards, replace=body.replace)
        return Change(after, lambda command: asyncio.to_thread(_keep, request, boards, command, replace=body.replace))

    try:
        return await once(request, decide, tell, compared=encode([body.replace, places]))
    except Duplicate:
        raise await asyncio.to_thread(_board_exists, request, tournament, places, replace=body.replace) from None


def _try_boards(request: Request, boards: Sequence[Board], *, replace: bool) -> PreparedBoards:
    """Return the boards as they would be stored. Raises ``Exists`` and ``Refused``."""
    tournament, at = boards[0].tournament, stamp(services_of(request).clock())
    if any(one.dealt or not replace for one in _list_boards_at(request, tournament, [(one.round, one.number) for one in boards])):
        raise _board_exists(request, tournament, [(one.round, one.number) for one in boards], replace=replace)
    return _view(tournament, [PreparedBoard(one.round, one.number, at, request.user.id, dealt=False) for one in boards])


def _read_boards(body: PrepareBoards) -> list[BoardBody]:
    """Return the boards of the body. Raises ``InvalidFormatError`` where it is neither one board nor several, or one comes twice."""
    boards = _boards(body)
    places = [(one.round, one.board) for one in boards]
    if twice := next((place for place in places if places.count(place) > 1), None):
        raise InvalidFormatError("malformed_body", say("board_twice", round=twice[0], board=twice[1]), "boards")
    return boards


def _boards(body: PrepareBoards) -> list[BoardBody]:
    single = (body.round, body.board, body.deck)
    if body.boards is not UNSET and all(field is UNSET for field in single):
        return body.boards
    if body.boards is UNSET and body.round is not UNSET and body.board is not UNSET and body.deck is not UNSET:
        return [BoardBody(round=body.round, board=body.board, deck=body.deck)]
    raise InvalidFormatError("malformed_body", say("board_or_boards"), "$")


def _judge_boards(request: Request, now: Tournament, wanted: Sequence[BoardBody]) -> list[Board]:
    """Judge the decks. Raises ``Refused`` with the ``index`` of the first invalid deck."""
    now.check_open()
    rulebook = ruleset_named(request, now.plan.ruleset).bind(now.plan.options, now.plan.seats)
    boards = []
    for index, one in enumerate(wanted):
        try:
            boards.append(Board(now.plan.tournament, one.round, one.board, _deck(rulebook, one.deck)))
        except Refused as refused:
            refused.index = index
            raise
    return boards


def _deck(rulebook: Rulebook, given: Any) -> tuple[str, ...]:
    """Judge a deck as when it is dealt, on a table where nothing was dealt yet (COM-16). All its cards have to be known."""
    if isinstance(given, list) and HIDDEN in given:
        raise Refused("bad_deck", "COM-16", size=len(rulebook.deck))
    deck: Any = rulebook.card_names.in_list(given)
    rulebook.deal(Table(rulebook.setup), 0, deck)
    return tuple(deck)


def _keep(request: Request, boards: Sequence[Board], command: CommandKey | None, *, replace: bool) -> None:
    services = services_of(request)
    services.registers.prepare_boards(boards, stamp(services.clock()), request.user.id, replace=replace, command=command)


def _board_exists(request: Request, tournament: str, places: Sequence[_Place], *, replace: bool) -> Exists | Refused:
    """Return the error: ``Refused`` for a board that was dealt, and is to be replaced; else ``Exists``."""
    there = [one for one in _list_boards_at(request, tournament, places) if one.dealt or not replace]
    if replace and there:
        return Refused("board_dealt", round=there[0].round, board=there[0].number)
    return Exists("board", "/".join(f"{one.round}/{one.number}" for one in there[:1]))


def _list_boards_at(request: Request, tournament: str, places: Sequence[_Place]) -> list[PreparedBoard]:
    return [one for one in _list_boards(request, tournament) if (one.round, one.number) in places]


def _list_boards(request: Request, tournament: str) -> list[PreparedBoard]:
    return services_of(request).registers.list_boards(tournament)


@reads(
    "/v1/tournaments/{tournament:str}/boards",
    "list_boards",
    "List the prepared boards: who prepared them, and whether they were dealt",
    description="No answer contains a deck.",
    responses={200: Content("the boards, by round and number", PreparedBoards, headers=("ETag",))},
    role="official",
)
async def list_boards(request: Request, tournament: FromPath[str]) -> Response:
    now = await current_tournament(request, tournament)
    found = await asyncio.to_thread(_list_boards, request, tournament)
    return tournament_response(request, now, encode(_view(tournament, found)))


def _view(tournament: str, found: Sequence[PreparedBoard]) -> PreparedBoards:
    boards = [BoardView(round=one.round, board=one.number, at=one.prepared_at, by=one.prepared_by, dealt=one.dealt) for one in found]
    return PreparedBoards(tournament=tournament, boards=boards)
