"""Changes of an entry: substitutes, withdrawal and return, and its rectification, where it was really another member who played."""

from collections.abc import Sequence
from uuid import UUID

from msgspec import Struct

from api.common.act_handlers import CommandContext
from api.http.request import Request
from api.tournaments.commands import Receipts, tournament_act
from api.tournaments.reading import build_person_of, current_tournament, games_to_decide_on
from api.tournaments.requests import CorrectEntry, ReturnEntry, SubstitutePlayers, WithdrawEntry
from domain.events import Event
from domain.events.base import TextRef
from domain.events.tournament import EntryChanged, EntryCorrected
from domain.game import Game
from domain.journal.commits import LinkedStreams
from domain.tournament.entries import change_entry, correct_entry, correct_seats, games_of_entrant, return_entry, seat_substitutes, sit_out
from domain.tournament.games import PersonOf, TableGame
from domain.tournament.state import EntryEvent
from domain.tournament.tournament import Tournament
from domain.tournament.warnings import Remark, warn_about_corrected_entry, warn_about_entries


async def _build_person_of(request: Request, body: SubstitutePlayers | WithdrawEntry | ReturnEntry) -> PersonOf:
    players = None if isinstance(body, WithdrawEntry) else body.players
    return await build_person_of(request, await current_tournament(request, request.path_params["tournament"]), others=players or ())


class _ReadToSubstitute(Struct, frozen=True):
    """The input of the decision. ``games``: those at the entrant's table in the round in play."""

    entrant: int
    body: SubstitutePlayers
    games: tuple[UUID, ...]
    person_of: PersonOf

    def decide(self, now: Tournament) -> EntryChanged:
        body = self.body
        return change_entry(now, self.entrant, body.players, body.from_round, self.person_of, body.back_from)


async def _read_to_substitute(request: Request, body: SubstitutePlayers) -> _ReadToSubstitute:
    id, entrant = request.path_params["tournament"], request.path_params["entrant"]
    now, person_of = await current_tournament(request, id), await _build_person_of(request, body)
    open = now.open_round
    games = await games_to_decide_on(request, id, open) if open else ()
    own = games_of_entrant(now, now.entrant(entrant), open, open + 1, games) if open else ()
    return _ReadToSubstitute(entrant, body, tuple(game.game for game in own), person_of)


def _warn_about_change(receipt: Receipts, _: object) -> Sequence[Remark]:
    events = (one.event for one in receipt.events if isinstance(one.event, EntryEvent))
    return list(warn_about_entries(receipt.before, events)) if receipt.before else ()


CHANGES = (
    tournament_act(
        "entries/{entrant:int}/substitution",
        "substitute",
        "Substitute the players of an entrant from a round on",
        SubstitutePlayers,
        "recorder",
        lambda on: (on.prepared.decide(on.now),),
        prepare=_read_to_substitute,
        beside=lambda _, read: LinkedStreams(read.games, lambda now, game: seat_substitutes(now, read.decide(now), game)),
        description=(
            "The default is the round in play: there the substitute sits down at once, also at a game in progress. With `back_from` those "
            "replaced play again from that round on; without it the substitute stays. Rounds that are over keep their players: who was "
            "entered by mistake is put right with `…/rectification`."
        ),
    ),
    tournament_act(
        "entries/{entrant:int}/withdrawal",
        "withdraw_entry",
        "Withdraw an entrant from the next pairings",
        WithdrawEntry,
        "recorder",
        lambda on: sit_out(on.now, on.path_parameter("entrant"), on.body.from_round, on.body.back_from, on.prepared, on.text),
        prepare=_build_person_of,
        text="reason",
        remarks=_warn_about_change,
        description=(
            "Earlier results stay. An entrant who leaves a round that is already paired forfeits the table. To sit out some "
            "rounds, name the round of the return, or return later."
        ),
    ),
    tournament_act(
        "entries/{entrant:int}/return",
        "return_entry",
        "Return a withdrawn entrant to the tournament",
        ReturnEntry,
        "recorder",
        lambda on: return_entry(on.now, on.path_parameter("entrant"), on.body.from_round, on.body.players, on.prepared),
        prepare=_build_person_of,
        remarks=_warn_about_change,
        description=(
            "The entrant is paired again from that round on; the rounds in between count as not played. A withdrawal that has "
            "not begun is cancelled. A return into a knock-out is impossible. An entrant who is entered for a later round and "
            "comes early plays from this round on. `remarks` name the round if it is not the next one to be paired."
        ),
    ),
)


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
    person_of = await build_person_of(request, now, games, body.players)
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


def _warn_about_other_player(receipt: Receipts, _: object) -> tuple[Remark, ...]:
    (recorded,) = receipt.events
    assert isinstance(recorded.event, EntryCorrected)
    return warn_about_corrected_entry(receipt.before, recorded.event) if receipt.before else ()


def _put_games_right(_: Request, read: _ReadToCorrect) -> LinkedStreams[Tournament]:
    known = {game.game: game for game in read.own}

    def decide(now: Tournament, game: Game) -> Sequence[Event]:
        return correct_seats(now, read.decide(now), known[game.id], game)

    return LinkedStreams(tuple(known), decide)


OTHER_PLAYER = (
    tournament_act(
        "entries/{entrant:int}/rectification",
        "rectify_entry",
        "Rectify who was entered: it was really somebody else",
        CorrectEntry,
        "arbiter",
        _decide,
        prepare=_read_to_correct,
        text="reason",
        remarks=_warn_about_other_player,
        beside=_put_games_right,
        description=(
            "Also when the rounds are closed or the tournament has ended. The games of the entrant follow in the same commit "
            "(`players.rectified`): sheets, score lines, results, standings and histories are then those of the players named here. "
            "Substitutes of the entrant stay. With `exchange` two who were entered for each other change places; without it, and where "
            "one plays for another entrant otherwise, `entered_already`. `sat_elsewhere`: one sat at another table in one of the rounds."
        ),
    ),
)
