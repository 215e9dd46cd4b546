"""Entering, substituting, withdrawing and returning. A player is entered once, under whichever of his ids."""

from collections.abc import Iterable, Sequence

from domain.errors import Refused
from domain.events.base import TextRef
from domain.events.tournament import EntryAccepted, EntryChanged, EntryReturned, EntryWithdrawn
from domain.standings.plan import FORMATS
from domain.tournament.games import PersonOf, each_by_itself
from domain.tournament.state import Entrant
from domain.tournament.tournament import Tournament, after_entry


def accept_entry(
    tournament: Tournament, players: Sequence[str], rating: int | None, from_round: int | None, person_of: PersonOf = each_by_itself
) -> EntryAccepted:
    """``from_round``: by default the next round that is paired; earlier ones cannot be entered any more."""
    tournament.check_open()
    first = _coming(tournament, from_round)
    if first > 1 and FORMATS[tournament.plan.format].one_field:
        raise Refused("entries_closed", format=tournament.plan.format)
    if tournament.plan.rounds is not None and first > tournament.plan.rounds:
        raise Refused("no_more_rounds", rounds=tournament.plan.rounds)
    _check_players(tournament, players, tournament.entrants, person_of)
    return EntryAccepted(len(tournament.entrants) + 1, tuple(players), first, rating)


def change_entry(
    tournament: Tournament, entrant: int, players: Sequence[str], from_round: int | None, person_of: PersonOf = each_by_itself
) -> EntryChanged:
    """``from_round``: by default the round in play, so that a substitute may sit down at once."""
    tournament.check_open()
    one = tournament.entrant(entrant)
    first = max(_in_play(tournament), one.from_round) if from_round is None else from_round
    if first < max(_in_play(tournament), one.line_ups[-1].from_round):
        raise Refused("round_is_over", round=first, next=max(_in_play(tournament), one.line_ups[-1].from_round))
    if one.gone(first):
        raise Refused("entrant_withdrawn", entrant=entrant, round=one.until)
    _check_players(tournament, players, _others(tournament, one, first), person_of)
    if tuple(players) == one.players(first):
        raise Refused("nothing_changes", entrant=entrant)
    return EntryChanged(entrant, tuple(players), first)


def withdraw_entry(tournament: Tournament, entrant: int, from_round: int | None, reason: TextRef | None) -> EntryWithdrawn:
    """``from_round``: by default the next round that is paired. Whoever leaves a round that is paired forfeits his table."""
    tournament.check_open()
    one = tournament.entrant(entrant)
    if one.until is not None:
        raise Refused("entrant_withdrawn", entrant=entrant, round=one.until)
    return EntryWithdrawn(entrant, _coming(tournament, from_round), reason)


def sit_out(
    tournament: Tournament, entrant: int, from_round: int | None, back_from: int | None, person_of: PersonOf, reason: TextRef | None
) -> tuple[EntryWithdrawn | EntryReturned | EntryChanged, ...]:
    """Withdrawn; and if ``back_from`` is given, with the return announced in the same breath."""
    left = withdraw_entry(tournament, entrant, from_round, reason)
    if back_from is None:
        return (left,)
    if back_from <= left.from_round:
        raise Refused("return_before_leaving", entrant=entrant, round=back_from, next=left.from_round + 1)
    return (left, *return_entry(after_entry(tournament, left), entrant, back_from, None, person_of))


def return_entry(
    tournament: Tournament, entrant: int, from_round: int | None, players: Sequence[str] | None, person_of: PersonOf = each_by_itself
) -> tuple[EntryReturned | EntryChanged, ...]:
    """``from_round``: by default the next round that is paired, or that of the withdrawal if it is still to come, which takes it back.

    ``players``: who stand for the entrant from then on, by default those who did.
    """
    tournament.check_open()
    one = tournament.entrant(entrant)
    if one.until is None:
        raise Refused("entrant_not_withdrawn", entrant=entrant)
    first = max(tournament.next_round, one.until) if from_round is None else _coming(tournament, from_round)
    if first < one.until:
        raise Refused("return_before_leaving", entrant=entrant, round=first, next=one.until)
    _check_field(tournament, one, first)
    back = EntryReturned(entrant, first)
    if players is not None and tuple(players) != one.players(first):
        return (back, change_entry(after_entry(tournament, back), entrant, players, first, person_of))
    _check_players(tournament, one.line_ups[-1].players, _others(tournament, one, first), person_of)
    return (back,)


def _check_field(tournament: Tournament, one: Entrant, first: int) -> None:
    """Whether there is a round to return for, and the format can do with somebody who missed some."""
    plan, rule = tournament.plan, FORMATS[tournament.plan.format]
    if first == one.until:
        return
    if plan.rounds is not None and first > plan.rounds:
        raise Refused("no_more_rounds", rounds=plan.rounds)
    if rule.one_field and (rule.loser_is_out or not one.plays(1)):
        raise Refused("return_closed", entrant=one.number, format=plan.format)


def _others(tournament: Tournament, one: Entrant, round: int) -> tuple[Entrant, ...]:
    """Everybody else who plays in this round or may in a later one."""
    return tuple(other for other in tournament.entrants if other is not one and not other.gone(round))


def _coming(tournament: Tournament, round: int | None) -> int:
    coming = tournament.next_round
    if round is not None and round < coming:
        raise Refused("round_is_paired", round=round, next=coming)
    return coming if round is None else round


def _in_play(tournament: Tournament) -> int:
    """The last paired round while it is open, else the next one."""
    rounds = tournament.rounds
    return rounds[-1].number if rounds and not rounds[-1].closed else tournament.next_round


def _check_players(tournament: Tournament, players: Sequence[str], others: Iterable[Entrant], person_of: PersonOf) -> None:
    plan = tournament.plan
    needed = len(plan.parties[0]) if plan.entrants == "parties" else 1
    if len(players) != needed:
        raise Refused("players_per_entry", needed=needed, given=len(players))
    persons = [person_of(player) for player in players]
    if len(set(persons)) < len(persons):
        raise Refused("player_twice", players=tuple(players))
    for entrant in others:
        for player in entrant.line_ups[-1].players:
            if person_of(player) in persons:
                code = "entered_and_withdrawn" if entrant.gone(tournament.next_round) else "entered_already"
                raise Refused(code, player=players[persons.index(person_of(player))], entrant=entrant.number)
