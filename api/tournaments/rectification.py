"""Rectification of an entry: it was really another member who played. The games that name the one entered by mistake follow at once."""

from collections.abc import Sequence

from msgspec import Struct
from msgspec.structs import replace

from api.common.acts import CommandContext
from api.http.request import Request
from api.tournaments.commands import tournament_act
from api.tournaments.reading import build_person_of, current_tournament, games_to_decide_on
from api.tournaments.requests import RectifyEntry
from domain.events import Event
from domain.events.tournament import EntryRectified
from domain.game import Game
from domain.journal.commits import LinkedStreams
from domain.tournament.games import PersonOf, TableGame
from domain.tournament.rectification import games_of_entrant, rectify_entry, rectify_seats
from domain.tournament.remarks import late_remarks
from domain.tournament.tournament import Tournament


class _ReadToRectify(Struct, frozen=True):
    """The input of the decision. ``own``: the games at the tables of the entrant."""

    entrant: int
    body: RectifyEntry
    games: tuple[TableGame, ...]
    own: tuple[TableGame, ...]
    person_of: PersonOf

    def decide(self, now: Tournament) -> EntryRectified:
        body = self.body
        return rectify_entry(now, self.entrant, body.players, body.from_round, body.back_from, None, self.games, self.person_of)


async def _read_to_rectify(request: Request, body: RectifyEntry) -> _ReadToRectify:
    id, entrant = request.path_params["tournament"], request.path_params["entrant"]
    games, now = await games_to_decide_on(request, id), await current_tournament(request, id)
    one = now.entrant(entrant)
    own = games_of_entrant(now, one, body.from_round or one.from_round, body.back_from, games)
    named = frozenset(body.players).union(*(game.everybody for game in games))
    return _ReadToRectify(entrant, body, games, own, await build_person_of(request, now, named))


def _decide(on: CommandContext[Tournament]) -> tuple[EntryRectified]:
    read: _ReadToRectify = on.prepared
    return (replace(read.decide(on.now), reason=on.text),)


def _put_games_right(_: Request, read: _ReadToRectify) -> LinkedStreams[Tournament]:
    known = {game.game: game for game in read.own}

    def decide(now: Tournament, game: Game) -> Sequence[Event]:
        return rectify_seats(now, read.decide(now), known[game.id], game)

    return LinkedStreams(tuple(known), decide)


ACTS = (
    tournament_act(
        "entries/{entrant:int}/rectification",
        "rectify_entry",
        "Rectify who was entered: it was really somebody else",
        RectifyEntry,
        "arbiter",
        _decide,
        prepare=_read_to_rectify,
        text="reason",
        remarks=lambda receipt, _: late_remarks(receipt.before) if receipt.before else (),
        beside=_put_games_right,
        description=(
            "Also when the rounds are closed or the tournament has ended. The games of the entrant follow in the same commit "
            "(`players.rectified`): sheets, score lines, results, standings and histories are then those of the players named here. "
            "Substitutes of the entrant stay. Refused where one of the players named here is entered already (`entered_already`) or "
            "sat at another table in one of the rounds (`sat_elsewhere`)."
        ),
    ),
)
