"""Rounds of a tournament: pairing, taking a pairing back, closing, and ending the tournament."""

from collections.abc import Callable, Iterable, Sequence
from typing import TypeAlias

from msgspec import UNSET, Struct, UnsetType

from domain.errors import Refused
from domain.events import tournament as events
from domain.events.base import TextRef
from domain.standings.plan import FORMATS, table_shape
from domain.tournament.games import PersonOf, TableGame, keep_id
from domain.tournament.pairing import DrawTask, Pairing, draw
from domain.tournament.pairing.knockout import list_left
from domain.tournament.pairing.tables import Parties, build_constraints, list_fixed_tables, name_tables
from domain.tournament.state import table_order
from domain.tournament.tally import StillOpen, are_required, list_adjourned_tables, missing_results, tally_rounds
from domain.tournament.tournament import Tournament

Draw: TypeAlias = Callable[[DrawTask], Pairing]
"""A draw as ``pairing.draw`` does it, perhaps elsewhere."""
NOT_FOR_TABLES = ("desk", "summary", "wall")
"""Words that stand in the place of a table in the addresses of a tournament's pages."""


class GivenTable(Struct, frozen=True):
    """A table paired by hand: the entrants of each party, in the order of the seats; a partnership once."""

    name: str
    parties: Parties


def draw_round(
    tournament: Tournament, games: Iterable[TableGame], person_of: PersonOf = keep_id, draw_pairing: Draw = draw
) -> events.RoundPaired:
    """Return the next round as its format pairs it. Raises ``Refused``, also of the format."""
    _check_next(tournament)
    games = tuple(games)
    number, outcomes = tournament.next_round, tally_rounds(tournament, games, person_of)
    wishes = build_constraints(tournament.wishes, tournament.clubs, number)
    found = draw_pairing(DrawTask(tournament.plan, tournament.entrants, outcomes, tournament.byes, number, wishes))
    named = zip(name_next_tables(tournament, found.tables), found.tables, strict=True)
    tables = sorted(
        (events.Seating(name, seats_of(tournament, parties)) for name, parties in named), key=lambda one: table_order(one.table)
    )
    third = _find_place_match(tournament, tables, found.byes, games, person_of)
    return events.RoundPaired(number, True, tuple(tables), found.byes, third)


def name_next_tables(tournament: Tournament, tables: Sequence[Parties]) -> tuple[str, ...]:
    """Return the names of tables of the next round."""
    return name_tables(tables, tournament.rules.first_table, list_fixed_tables(tournament.wishes, tournament.next_round))


def pair_by_hand(
    tournament: Tournament,
    tables: Sequence[GivenTable],
    byes: Sequence[int],
    games: Iterable[TableGame],
    person_of: PersonOf = keep_id,
) -> events.RoundPaired:
    """Return the next round as a director pairs it. Raises ``Refused``."""
    _check_next(tournament)
    number, games = tournament.next_round, tuple(games)
    names = [table.name for table in tables]
    if len(set(names)) < len(names):
        raise Refused("table_twice", tables=tuple(sorted({name for name in names if names.count(name) > 1})))
    for table in tables:
        check_table(tournament, table)
    named = [*byes, *(one for table in tables for party in table.parties for one in party)]
    active = {entrant.number for entrant in tournament.active(number)}
    due = active
    if FORMATS[tournament.plan.format].loser_is_out and number > 1:
        due = active & list_left(tally_rounds(tournament, games, person_of), tournament.byes, number)
    _check_all_entrants(number, active, due, named)
    seated = tuple(events.Seating(table.name, seats_of(tournament, table.parties)) for table in tables)
    return events.RoundPaired(number, False, seated, tuple(byes), _find_place_match(tournament, seated, byes, games, person_of))


def _find_place_match(
    tournament: Tournament, tables: Sequence[events.Seating], byes: Sequence[int], games: Iterable[TableGame], person_of: PersonOf
) -> str | UnsetType:
    """Return the table of two who are out, if one plays for the third place beside the final."""
    if not tournament.plan.third_place or tournament.next_round == 1 or len(tables) != 2 or byes:
        return UNSET
    left = list_left(tally_rounds(tournament, games, person_of), tournament.byes, tournament.next_round)
    out = [one.table for one in tables if not left & set(one.seats)]
    return out[0] if len(out) == 1 else UNSET


def _check_next(tournament: Tournament) -> None:
    tournament.check_open()
    if tournament.rounds and not tournament.rounds[-1].closed:
        raise Refused("round_not_closed", round=tournament.rounds[-1].number)
    if tournament.plan.rounds is not None and tournament.next_round > tournament.plan.rounds:
        raise Refused("no_more_rounds", rounds=tournament.plan.rounds)
    if not tournament.active(tournament.next_round):
        raise Refused("nobody_entered", round=tournament.next_round)
    if are_required(tournament):
        raise Refused("lots_not_drawn")


def check_table(tournament: Tournament, table: GivenTable) -> None:
    """Raise ``Refused`` if the table has the name of a page, or its parties do not have the size of the plan."""
    if table.name in NOT_FOR_TABLES:
        raise Refused("table_name_taken", tables=(table.name,))
    plan, shape = tournament.plan, tuple(len(party) for party in table.parties)
    needed = table_shape(plan)
    if shape not in (needed, *((needed[:-1],) if plan.smaller_tables else ()), *((needed[: len(shape)],) if plan.imported else ())):
        raise Refused("table_size", table=table.name, needed=needed)


def _check_all_entrants(round: int, active: set[int], due: set[int], named: Sequence[int]) -> None:
    """Raise ``Refused`` unless each entrant who is due has one table or bye. In a knock-out the director may let others go on instead: as
    many of those who are due may be missing as others are named.
    """
    strangers = tuple(sorted(set(named) - active))
    if strangers:
        raise Refused("not_to_be_paired", entrants=strangers, round=round)
    twice = tuple(sorted({one for one in named if named.count(one) > 1}))
    if twice:
        raise Refused("paired_twice", entrants=twice)
    missing = tuple(sorted(due - set(named)))
    if len(missing) > len(set(named) - due):
        raise Refused("not_paired", entrants=missing)


def seats_of(tournament: Tournament, parties: Parties) -> tuple[int, ...]:
    """Return the entrant on each seat; a partnership stands on all seats of its party."""
    taken = tournament.plan.parties[: len(parties)]
    seats = [0] * sum(map(len, taken))
    for own, entrants in zip(taken, parties, strict=True):
        for place, seat in enumerate(own):
            seats[seat] = entrants[place % len(entrants)]  # a partnership is one entrant on several seats
    return tuple(seats)


def withdraw_pairing(tournament: Tournament, games: Iterable[TableGame], reason: TextRef | None) -> events.PairingWithdrawn:
    """Return the unpairing. Raises ``Refused`` once a game of the round was opened that is not annulled, or a result was entered."""
    tournament.check_open()
    if not tournament.rounds:
        raise Refused("nothing_paired")
    last = tournament.rounds[-1]
    if last.closed:
        raise Refused("round_closed", round=last.number)
    if any(game.round == last.number and game.standing != "annulled" for game in games):
        raise Refused("round_played", round=last.number)
    if any(table.entered or table.absent for table in last.tables):
        raise Refused("round_played", round=last.number)
    return events.PairingWithdrawn(last.number, reason)


def close_round(
    tournament: Tournament, games: Iterable[TableGame], round: int, person_of: PersonOf = keep_id, checkpoint: events.Naming = UNSET
) -> events.RoundClosed:
    """Return the closing. ``checkpoint``: the newest of the log. Raises ``StillOpen`` with the missing results."""
    tournament.check_open()
    if tournament.round(round).closed:
        raise Refused("round_closed", round=round)
    open = missing_results(tournament, games, round, person_of)
    if open:
        raise StillOpen("round_open", open, round=round)
    return events.RoundClosed(round, checkpoint)


def finish_tournament(
    tournament: Tournament, games: Sequence[TableGame], reason: TextRef | None, person_of: PersonOf = keep_id
) -> events.TournamentEnded:
    """Return the end, after the last closed round, which need not be the last one planned. Adjourned tables have to be finished. Raises
    ``StillOpen`` and ``Refused``.
    """
    tournament.check_open()
    if not tournament.rounds:
        raise Refused("nothing_paired")
    if not tournament.rounds[-1].closed:
        raise Refused("round_not_closed", round=tournament.rounds[-1].number)
    open = list_adjourned_tables(tournament, games, person_of)
    if open:
        raise StillOpen("tournament_open", open)
    return events.TournamentEnded("finished", reason)


def cancel_tournament(tournament: Tournament, reason: TextRef | None) -> events.TournamentEnded:
    tournament.check_open()
    return events.TournamentEnded("cancelled", reason)


def reopen_tournament(tournament: Tournament, reason: TextRef | None) -> events.TournamentReopened:
    """Return the reopening. Raises ``Refused`` if the tournament has not ended, or is published as it ended."""
    if tournament.ended is None:
        raise Refused("not_ended")
    if tournament.publication != "no":
        raise Refused("ended_in_public")
    return events.TournamentReopened(reason)
