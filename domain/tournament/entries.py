"""Entries of a tournament: entering, substituting, withdrawing and returning. A player is entered once, under any of their ids.

A round that the caller names is fixed. A round that is derived from the pairings moves back with them (``follows``).
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TypeAlias

from msgspec import UNSET
from msgspec.structs import replace

from domain.errors import Refused
from domain.events import tournament as events
from domain.events.base import TextRef
from domain.events.game import PlayersCorrected, PlayerSeated, SeatAct
from domain.events.tournament import CorrectedLineUp, EntryChanged, EntryCorrected
from domain.game import Game
from domain.standings.plan import FORMATS, players_per_entry
from domain.standings.prize_pools import PrizePool
from domain.tournament.games import PersonOf, TableGame, keep_id
from domain.tournament.line_ups import list_line_ups, map_replaced
from domain.tournament.state import Entrant
from domain.tournament.tournament import Tournament, after_entry

Return: TypeAlias = tuple[events.EntryReturned | events.EntryAdvanced | events.EntryChanged, ...]


def accept_entry(
    tournament: Tournament, players: Sequence[str], rating: int | None, from_round: int | None, person_of: PersonOf = keep_id
) -> events.EntryAccepted:
    """Return the entry. ``from_round``: by default the next round that is paired; earlier ones cannot be entered any more. Raises
    ``Refused``.
    """
    tournament.check_open()
    first = _check_next_round(tournament, from_round)
    if first > 1 and FORMATS[tournament.plan.format].one_field:
        raise Refused("entries_closed", format=tournament.plan.format)
    if tournament.plan.rounds is not None and first > tournament.plan.rounds:
        raise Refused("no_more_rounds", rounds=tournament.plan.rounds)
    check_players(tournament, players, tournament.entrants, person_of, first)
    return events.EntryAccepted(len(tournament.entrants) + 1, tuple(players), first, rating, _round_before(tournament, first, from_round))


def change_entry(
    tournament: Tournament,
    entrant: int,
    players: Sequence[str],
    from_round: int | None,
    person_of: PersonOf = keep_id,
    back_from: int | None = None,
) -> events.EntryChanged:
    """Return the change of players. ``from_round``: by default the round in play, so that a substitute may sit down at once. ``back_from``:
    the round from which those replaced play again. Raises ``Refused``.
    """
    tournament.check_open()
    one = tournament.entrant(entrant)
    first = max(in_play(tournament), one.from_round) if from_round is None else from_round
    soonest = in_play(tournament) if back_from is not None else max(in_play(tournament), one.latest.from_round)
    if first < soonest:
        raise Refused("round_is_over", round=first, next=soonest)
    check_back(first, back_from)
    if one.is_gone(first):
        raise Refused("entrant_withdrawn", entrant=entrant, round=one.until)
    check_players(tournament, players, other_entrants(tournament, one, first), person_of, first, back_from)
    if tuple(players) == one.players(first) and (back_from is not None or tuple(players) == one.regulars(first)):
        raise Refused("nothing_changes", entrant=entrant)
    follows = _round_before(tournament, first, from_round)
    return events.EntryChanged(entrant, tuple(players), first, follows, UNSET if back_from is None else back_from)


def withdraw_entry(tournament: Tournament, entrant: int, from_round: int | None, reason: TextRef | None) -> events.EntryWithdrawn:
    """Return the withdrawal. ``from_round``: by default the next round that is paired. An entrant who leaves a round that is paired already
    forfeits their table. Raises ``Refused``.
    """
    tournament.check_open()
    one = tournament.entrant(entrant)
    if one.until is not None:
        raise Refused("entrant_withdrawn", entrant=entrant, round=one.until)
    first = _check_next_round(tournament, from_round)
    return events.EntryWithdrawn(entrant, first, reason, _round_before(tournament, first, from_round))


def sit_out(
    tournament: Tournament, entrant: int, from_round: int | None, back_from: int | None, person_of: PersonOf, reason: TextRef | None
) -> tuple[events.EntryWithdrawn | events.EntryReturned | events.EntryAdvanced | events.EntryChanged, ...]:
    """Return the withdrawal, and with ``back_from`` the return in the same command. Raises ``Refused``."""
    left = withdraw_entry(tournament, entrant, from_round, reason)
    if back_from is None:
        return (left,)
    if back_from <= left.from_round:
        raise Refused("return_before_leaving", entrant=entrant, round=back_from, next=left.from_round + 1)
    return (left, *return_entry(after_entry(tournament, left), entrant, back_from, None, person_of))


def return_entry(
    tournament: Tournament, entrant: int, from_round: int | None, players: Sequence[str] | None, person_of: PersonOf = keep_id
) -> Return:
    """Return the events of a return. ``from_round``: by default the next round that is paired, or that of the withdrawal if it is still to
    come, which takes it back.

    ``players`` play for the entrant from then on, by default the former ones. An entrant of a later round may start earlier. Raises
    ``Refused``.
    """
    tournament.check_open()
    one = tournament.entrant(entrant)
    back = _back(tournament, one, from_round)
    first = back.from_round
    if players is not None and tuple(players) != one.players(first):
        change = change_entry(after_entry(tournament, back), entrant, players, first, person_of)
        return (back, replace(change, follows=back.follows))
    check_players(tournament, one.regulars(first), other_entrants(tournament, one, first), person_of, first)
    return (back,)


def _back(tournament: Tournament, one: Entrant, from_round: int | None) -> events.EntryReturned | events.EntryAdvanced:
    if one.until is None:
        first = _check_next_round(tournament, from_round)
        if first >= one.from_round:
            raise Refused("entrant_not_withdrawn", entrant=one.number)
        return events.EntryAdvanced(one.number, first, _round_before(tournament, first, from_round))
    first = max(tournament.next_round, one.until) if from_round is None else _check_next_round(tournament, from_round)
    if first < one.until:
        raise Refused("return_before_leaving", entrant=one.number, round=first, next=one.until)
    _check_field(tournament, one, first)
    return events.EntryReturned(one.number, first, _round_before(tournament, first, from_round))


def _check_field(tournament: Tournament, one: Entrant, first: int) -> None:
    """Raise ``Refused`` if there is no round left to return for, or if the format has no place for an entrant who missed one."""
    plan, rule = tournament.plan, FORMATS[tournament.plan.format]
    if first == one.until:
        return
    if plan.rounds is not None and first > plan.rounds:
        raise Refused("no_more_rounds", rounds=plan.rounds)
    if rule.one_field and (rule.loser_is_out or not one.plays(1)):
        raise Refused("return_closed", entrant=one.number, format=plan.format)


def other_entrants(tournament: Tournament, one: Entrant, round: int) -> tuple[Entrant, ...]:
    """Return the other entrants who play in this round, or may play in a later one."""
    return tuple(other for other in tournament.entrants if other is not one and not other.is_gone(round))


def _check_next_round(tournament: Tournament, round: int | None) -> int:
    coming = tournament.next_round
    if round is not None and round < coming:
        raise Refused("round_is_paired", round=round, next=coming)
    return coming if round is None else round


def _round_before(tournament: Tournament, first: int, named: int | None) -> events.Follows:
    """Return the round in play, if ``first`` comes after it because no round was named."""
    open = tournament.open_round
    return open if named is None and open is not None and first == open + 1 else UNSET


def in_play(tournament: Tournament) -> int:
    """Return the last paired round while it is open, else the next one."""
    return tournament.open_round or tournament.next_round


def check_back(first: int, back_from: int | None) -> None:
    """Raise ``Refused`` where those replaced would be back before anybody has played for them."""
    if back_from is not None and back_from <= first:
        raise Refused("back_at_once", round=first, next=first + 1)


def check_players(
    tournament: Tournament,
    players: Sequence[str],
    others: Iterable[Entrant],
    person_of: PersonOf,
    first: int,
    until: int | None = None,
) -> None:
    """Raise ``Refused`` unless these players can stand for an entrant in the rounds from ``first`` on: as many as an entry has, each once,
    none of them for another entrant.
    """
    needed = players_per_entry(tournament.plan)
    if len(players) != needed:
        raise Refused("players_per_entry", needed=needed, given=len(players))
    persons = [person_of(player) for player in players]
    if len(set(persons)) < len(persons):
        raise Refused("player_twice", players=tuple(players))
    for entrant in others:
        for player in (player for one in list_line_ups(entrant.line_ups, first, until) for player in one.players):
            if person_of(player) in persons:
                code = "entered_and_withdrawn" if entrant.is_gone(first) else "entered_already"
                raise Refused(code, player=players[persons.index(person_of(player))], entrant=entrant.number)


# Labels of entrants (club, team, category) and the prizes of a tournament.


def label_entry(tournament: Tournament, entrant: int, labels: events.Labels) -> events.EntryLabelsSet:
    """Return the labels of an entrant, also after the end. Raises ``Refused``."""
    _check_not_cancelled(tournament)
    if tournament.entrant(entrant).labels == labels:
        raise Refused("labelled_so_already", entrant=entrant)
    return events.EntryLabelsSet(entrant, labels)


def set_prize_pools(tournament: Tournament, funds: Sequence[PrizePool]) -> events.PrizePoolsSet:
    """Return the prizes, also after the end. Raises ``Refused``."""
    _check_not_cancelled(tournament)
    categories = [fund.category for fund in funds]
    if len(set(categories)) < len(categories):
        raise Refused("fund_twice")
    if tuple(funds) == tournament.funds:
        raise Refused("prizes_are_so_already")
    return events.PrizePoolsSet(tuple(funds))


def _check_not_cancelled(tournament: Tournament) -> None:
    if tournament.ended and tournament.ended.how == "cancelled":
        tournament.check_open()


# Rectification of an entry: it was really another member who was entered; and the seats of games that follow it, or a substitution.


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
