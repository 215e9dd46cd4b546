"""Change of the round in play: swap entrants, give a bye an opponent, make or dissolve tables, seat late entrants."""

from collections.abc import Sequence
from uuid import UUID

from msgspec import Struct

from api.common.act_handlers import CommandContext
from api.http.decoding import DryRun, read_query
from api.http.errors import say
from api.http.request import Request
from api.tournaments.commands import Receipts, is_new_decision, tournament_act
from api.tournaments.games import annul_games, list_games_without_deal, open_games_at
from api.tournaments.reading import build_person_of, current_tournament, games_to_decide_on
from api.tournaments.requests import ChangeRound
from domain.errors import InvalidFormatError
from domain.events.tournament import PairingChanged
from domain.tournament.games import PersonOf, TableGame
from domain.tournament.round_changes import ChangeInput, change_round, input_to_undo
from domain.tournament.rounds import GivenTable
from domain.tournament.tally import is_decided
from domain.tournament.tournament import Tournament
from domain.tournament.warnings import Remark, warn_about_round_change


class _Read(Struct, frozen=True):
    """The data for a change: the proposal, the games in which something was dealt, merged ids, and the tables at which a game was open in
    which nothing was dealt. Those games are annulled before the change is recorded: an audit sees what it was decided on.
    """

    draft: ChangeInput
    played: Sequence[TableGame]
    person_of: PersonOf
    replaced: tuple[str, ...]


async def _read_to_change(request: Request, body: ChangeRound) -> _Read:
    id, round = request.path_params["tournament"], request.path_params["round"]
    games, now = await games_to_decide_on(request, id), await current_tournament(request, id)
    draft = _build_input(now, round, body)
    decided = {one.name for one in now.round(round).tables if is_decided(one)}
    open = await list_games_without_deal(request, (game for game in games if game.table in {*draft.names} - decided), round)
    person_of = await build_person_of(request, now, games)
    played = [game for game in games if game.game not in open]
    read = _Read(draft, played, person_of, tuple(dict.fromkeys(game.table for game in games if game.game in open)))
    if not read_query(request, DryRun).dry_run and await is_new_decision(request, now):
        await _annul(request, now, body, read, open)
    return read


async def _annul(request: Request, now: Tournament, body: ChangeRound, read: _Read, games: set[UUID]) -> None:
    """Annul the games in which nothing was dealt. Raises ``Refused`` before that if the change would be refused."""
    change_round(now, request.path_params["round"], read.draft, read.played, None, read.person_of, as_played=body.as_played)
    await annul_games(request, games)


def _build_input(now: Tournament, round: int, body: ChangeRound) -> ChangeInput:
    if body.take_back:
        if body.tables or body.dissolve or body.byes or body.absent:
            raise InvalidFormatError("malformed_body", say("take_back_alone"), "$.take_back")
        return input_to_undo(now, round)
    taken = {table.name for table in now.round(round).tables} | {table.table for table in body.tables}
    free = (name for number in range(1, len(taken) + len(body.tables) + 2) if (name := str(number)) not in taken)
    tables = [GivenTable(one.table or next(free), tuple(map(tuple, one.parties))) for one in body.tables]
    return ChangeInput(tables, body.dissolve, body.byes, body.absent)


def _change(on: CommandContext[Tournament]) -> tuple[PairingChanged]:
    read: _Read = on.prepared
    round, played = on.path_parameter("round"), on.body.as_played
    return (change_round(on.now, round, read.draft, read.played, on.text, read.person_of, as_played=played),)


def _warn_about_change(receipt: Receipts, read: _Read) -> Sequence[Remark]:
    before, event = receipt.before, receipt.events[0].event
    if before is None or not isinstance(event, PairingChanged):
        return ()
    replaced = (Remark("game_replaced", {"tables": read.replaced}),) if read.replaced else ()
    return (*warn_about_round_change(before, event, read.person_of), *replaced)


async def _reopen(request: Request, receipt: Receipts, read: _Read) -> None:
    """Open games at the changed tables, if there were any before."""
    event = receipt.events[0].event
    if read.replaced and isinstance(event, PairingChanged) and event.tables:
        await open_games_at(request, request.path_params["tournament"], event.round, [one.table for one in event.tables])


ACTS = (
    tournament_act(
        "rounds/{round:int}/change",
        "change_round",
        "Change the pairing of some tables of the round in play",
        ChangeRound,
        "director",
        _change,
        prepare=_read_to_change,
        text="reason",
        remarks=_warn_about_change,
        follow_up=_reopen,
        description=(
            "The named tables are as given from now on: two entrants swapped, an opponent for the bye, a table made or "
            "dissolved, a late entrant seated. All others stay. Each entrant of the round needs one table or bye, or is "
            "`absent`. A table with a result is refused (422 `table_played`), and one whose game was dealt to others. Open games "
            "of changed tables are annulled and opened again. `remarks` are those of a pairing by hand. `take_back` undoes "
            "the last change. `as_played`: it was really so that they sat. That can also be said of a table with an entered "
            "result, of a closed round, and after the end; each result stays at its seats, and standings and histories follow."
        ),
    ),
)
