"""Rectification of an entry: it was really another member who played. The games that name the one entered by mistake follow at once."""

from collections.abc import Sequence

from msgspec import Struct

from api.common.act_handlers import CommandContext
from api.http.request import Request
from api.tournaments.commands import Receipts, tournament_act
from api.tournaments.reading import build_person_of, current_tournament, games_to_decide_on
from api.tournaments.requests import CorrectEntry
from domain.events import Event
from domain.events.base import TextRef
from domain.events.tournament import EntryCorrected
from domain.game import Game
from domain.journal.commits import LinkedStreams
from domain.tournament.corrected_entries import correct_entry, correct_seats, games_of_entrant
from domain.tournament.games import PersonOf, TableGame
from domain.tournament.tournament import Tournament
from domain.tournament.warnings import Remark, warn_about_corrected_entry


class _ReadToCorrect(Struct, frozen=True):
    """The input of the decision. ``own``: the games at the tables of the entrant, and of those who may change places with it."""

    entrant: int
    body: CorrectEntry
    games: tuple[TableGame, ...]
    own: tuple[TableGame, ...]
    person_of: PersonOf

    def decide(self, now: Tournament, reason: TextRef | None = None) -> EntryCorrected:
        body, told = self.body, (self.games, self.person_of)
        return correct_entry(now, self.entrant, body.players, body.from_round, body.back_from, reason, *told, exchange=body.exchange)


async def _read_to_correct(request: Request, body: CorrectEntry) -> _ReadToCorrect:
    id, entrant = request.path_params["tournament"], request.path_params["entrant"]
    games, now = await games_to_decide_on(request, id), await current_tournament(request, id)
    person_of = await build_person_of(request, now, frozenset(body.players).union(*(game.all_players for game in games)))
    named = {person_of(player) for player in body.players}
    others = (one for one in now.entrants if body.exchange and named & {person_of(player) for player in one.all_players})
    own = {
        game.game: game
        for one in (now.entrant(entrant), *others)
        for game in games_of_entrant(now, one, body.from_round or one.from_round, body.back_from, games)
    }
    return _ReadToCorrect(entrant, body, games, tuple(own.values()), person_of)


def _decide(on: CommandContext[Tournament]) -> tuple[EntryCorrected]:
    read: _ReadToCorrect = on.prepared
    return (read.decide(on.now, on.text),)


def _warn_about_change(receipt: Receipts, _: object) -> tuple[Remark, ...]:
    (recorded,) = receipt.events
    assert isinstance(recorded.event, EntryCorrected)
    return warn_about_corrected_entry(receipt.before, recorded.event) if receipt.before else ()


def _put_games_right(_: Request, read: _ReadToCorrect) -> LinkedStreams[Tournament]:
    known = {game.game: game for game in read.own}

    def decide(now: Tournament, game: Game) -> Sequence[Event]:
        return correct_seats(now, read.decide(now), known[game.id], game)

    return LinkedStreams(tuple(known), decide)


ACTS = (
    tournament_act(
        "entries/{entrant:int}/rectification",
        "rectify_entry",
        "Rectify who was entered: it was really somebody else",
        CorrectEntry,
        "arbiter",
        _decide,
        prepare=_read_to_correct,
        text="reason",
        remarks=_warn_about_change,
        beside=_put_games_right,
        description=(
            "Also when the rounds are closed or the tournament has ended. The games of the entrant follow in the same commit "
            "(`players.rectified`): sheets, score lines, results, standings and histories are then those of the players named here. "
            "Substitutes of the entrant stay. With `exchange` two who were entered for each other change places; without it, and where "
            "one plays for another entrant otherwise, `entered_already`. `sat_elsewhere`: one sat at another table in one of the rounds."
        ),
    ),
)
