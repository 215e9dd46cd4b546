"""Rectification of an entry: it was really another member who was entered; and the seats of games that follow it, or a substitution."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TypeAlias

from msgspec import UNSET
from msgspec.structs import replace

from domain.errors import Refused
from domain.events.base import TextRef
from domain.events.game import PlayersCorrected, PlayerSeated, SeatAct
from domain.events.tournament import CorrectedLineUp, EntryChanged, EntryCorrected
from domain.game import Game
from domain.tournament.entries import check_back, check_players, in_play, other_entrants
from domain.tournament.games import PersonOf, TableGame, keep_id
from domain.tournament.line_ups import map_replaced
from domain.tournament.state import Entrant
from domain.tournament.tournament import Tournament, after_entry


def correct_entry(
    tournament: Tournament,
    entrant: int,
    players: Sequence[str],
    from_round: int | None,
    back_from: int | None,
    reason: TextRef | None,
    games: Iterable[TableGame] = (),
    person_of: PersonOf = keep_id,
    *,
    exchange: bool = False,
) -> EntryCorrected:
    """Return the rectification, also of a tournament that has ended. ``from_round``: by default the entrant's first; ``back_from``: from
    there on those who were named did play. ``exchange``: players named here who were entered for another entrant change places with those
    whom they replace. Raises ``Refused``, also where somebody named here sat elsewhere in one of the rounds.
    """
    one = tournament.entrant(entrant)
    first, last = one.from_round if from_round is None else from_round, max(in_play(tournament), one.from_round)
    if not one.from_round <= first <= last:
        raise Refused("not_to_be_rectified", entrant=entrant, round=first, first=one.from_round, last=last)
    check_back(first, back_from)
    event = EntryCorrected(entrant, tuple(players), first, back_from, reason)
    if exchange:
        event = replace(event, exchanged=tuple(_exchange(tournament, event, person_of)) or UNSET)
    after = after_entry(tournament, event)
    for line_up in event.line_ups:
        others = other_entrants(after, after.entrant(line_up.entrant), line_up.from_round)
        check_players(after, line_up.players, others, person_of, line_up.from_round, back_from)
    mistaken = map_replaced(one.line_ups, first, players)
    if not mistaken:
        raise Refused("nothing_changes", entrant=entrant)
    for game in games:
        if game.standing != "annulled" and first <= game.round and (back_from is None or game.round < back_from):
            _check_other_seats(game, map_real_players(tournament, event, game), mistaken, person_of)
    return event


def _exchange(tournament: Tournament, event: EntryCorrected, person_of: PersonOf) -> Iterator[CorrectedLineUp]:
    """Yield the line-up of each other entrant for whom somebody named here was entered."""
    one, first = tournament.entrant(event.entrant), event.from_round
    came = {person_of(real): named for named, real in map_replaced(one.line_ups, first, event.players).items()}
    for other in other_entrants(tournament, one, first):
        since = max(first, other.from_round)
        if event.back_from is not None and since >= event.back_from:
            continue
        stood = tuple(came.get(person_of(player), player) for player in other.players(since))
        if stood != other.players(since):
            yield CorrectedLineUp(other.number, stood, since)


def map_real_players(tournament: Tournament, event: EntryCorrected, game: TableGame) -> dict[str, str]:
    """Return who really sat at a game, by those who were named there by mistake. ``tournament`` is as it was before the event."""
    found: dict[str, str] = {}
    for line_up in event.line_ups:
        one = tournament.entrant(line_up.entrant)
        if games_of_entrant(tournament, one, line_up.from_round, event.back_from, [game]):
            found |= map_replaced(one.line_ups, line_up.from_round, line_up.players)
    return found


def _check_other_seats(game: TableGame, here: Mapping[str, str], mistaken: Mapping[str, str], person_of: PersonOf) -> None:
    """Raise ``Refused`` where somebody who is to be named sat on another seat. ``here``: who was named by mistake at this table."""
    for hands in game.all_seated:
        there = {person_of(player) for player in hands.players if player is not None and player not in here}
        for named, real in mistaken.items():
            if person_of(real) in there and (not here or named in hands.players):
                raise Refused("sat_elsewhere", player=real, round=game.round, table=game.table)


def games_of_entrant(
    tournament: Tournament, one: Entrant, first: int, until: int | None, games: Iterable[TableGame]
) -> tuple[TableGame, ...]:
    """Return the games at the tables of an entrant in the rounds from ``first`` on, up to the one before ``until``, that count or may."""
    last = len(tournament.rounds) if until is None else until - 1
    rounds = tournament.rounds[max(first - 1, 0) : max(last, 0)]
    tables = {(round.number, table.name) for round in rounds for table in round.tables if one.number in table.seats}
    return tuple(game for game in games if (game.round, game.table) in tables and game.standing != "annulled")


def seat_substitutes(tournament: Tournament, change: EntryChanged, game: Game) -> tuple[PlayerSeated, ...]:
    """Return the acts by which substitutes sit down at a game in progress. ``tournament`` is as it was before the change."""
    if not game.is_in_progress or game.opened.round != change.from_round:
        return ()
    came, seated = map_replaced(tournament.entrant(change.entrant).line_ups, change.from_round, change.players), game.opened.players
    sits = ((seat, came[player]) for seat, player in enumerate(seated) if player in came)
    return tuple(PlayerSeated(seat, player) for seat, player in sits if player not in seated)


def correct_seats(tournament: Tournament, event: EntryCorrected, known: TableGame, game: Game) -> tuple[SeatAct, ...]:
    """Return the acts after which the game names who really sat there. ``tournament`` is as it was before the rectification, ``known`` the
    game as it was read. Raises ``Refused`` if somebody else sat down meanwhile.
    """
    if known.players != game.opened.players:
        raise Refused("seats_changed", table=known.table)
    mistaken = map_real_players(tournament, event, known)
    played = [one for one in known.all_seated if one.hand]
    named = [place for place, one in enumerate(played) if any(player in mistaken for player in one.players)]
    if not named or game.docket.ended == "annulled":
        return ()
    seated = [(one.hand, tuple(player and mistaken.get(player, player) for player in one.players)) for one in played[named[0] :]]
    return tuple(act for place, one in enumerate(seated) for act in _seat(game, one, seated[place - 1] if place else None))


_Seated: TypeAlias = tuple[int, tuple[str | None, ...]]
"""A hand with the players from it on."""


def _seat(game: Game, seated: _Seated, before: _Seated | None) -> Iterator[SeatAct]:
    """Yield what seats the players of a hand after those before it; where the hand was not dealt yet, an act for each seat."""
    hand, players = seated
    if before is None or (before[1] != players and game.position_before(hand) is not None):
        yield PlayersCorrected(players, hand, None)
    elif before[1] != players:
        yield from (PlayerSeated(seat, player) for seat, player in enumerate(players) if player != before[1][seat])
