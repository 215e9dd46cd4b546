"""Who goes on in a knock-out: rounds that were paired otherwise than the results say now, and pairings by hand that let others go on."""

from collections.abc import Iterable, Iterator
from contextlib import suppress

from domain.errors import Refused
from domain.events.tournament import RoundPaired
from domain.standings.outcome import Outcome
from domain.standings.plan import FORMATS
from domain.tournament.games import PersonOf, TableGame, keep_id
from domain.tournament.pairing.knockout import list_entrants_out, list_left
from domain.tournament.tally import table_outcome, tally_rounds
from domain.tournament.tournament import Tournament
from domain.tournament.warnings import Remark, about_entrants, warn_after_end


def bracket_conflicts(tournament: Tournament, games: Iterable[TableGame], round: int, person_of: PersonOf = keep_id) -> tuple[Remark, ...]:
    """Return remarks if the results of a round let others go on than are paired in the next one, with the ways out. ``games``: at least
    those of the round. A result that is missing changes nothing.
    """
    if not FORMATS[tournament.plan.format].loser_is_out or not 1 <= round < len(tournament.rounds):
        return ()
    next, winners, losers = tournament.rounds[round], set[int](), set[int]()
    for outcome in (one for one in tally_rounds(tournament, games, person_of) if one.round == round and not one.third_place):
        if (out := entrants_out(outcome)) is not None:
            losers |= out
            winners |= {entrant for party in outcome.parties for entrant in party} - out
    there = next.bracket_entrants
    missing = {one for one in winners - there if tournament.entrant(one).plays(next.number)}
    found = (*_conflict("out_by_result", losers & there, round), *_conflict("in_by_result", missing, round))
    advice = Remark("bracket_closed" if next.closed else "bracket_open", {"round": next.number})
    return (*found, advice) if found else ()


def warn_about_changed_game(
    tournament: Tournament, was: Iterable[TableGame], games: Iterable[TableGame], round: int, name: str, person_of: PersonOf = keep_id
) -> tuple[Remark, ...]:
    """Return remarks if a change of a recorded game changes the result of its table: on who goes on in the next round, and after the end of
    the tournament. ``was`` and ``games``: those of the round, before the change and after it.
    """
    table = tournament.table(round, name)
    before, after = (table_outcome(tournament, round, table, some, person_of) for some in (was, games))
    if before == after:
        return ()
    known, found = (bracket_conflicts(tournament, some, round, person_of) for some in (was, games))
    return (*(found if found != known else ()), *warn_after_end(tournament))


def entrants_out(outcome: Outcome) -> set[int] | None:
    """Return the entrants who are out by an outcome, ``None`` while it has no winner."""
    with suppress(Refused):
        return set(list_entrants_out(outcome))
    return None


def _conflict(code: str, entrants: Iterable[int], round: int) -> Iterator[Remark]:
    if named := tuple(sorted(entrants)):
        yield Remark(code, {"entrants": named, "round": round, "next": round + 1})


def bracket_changes(
    before: Tournament, paired: RoundPaired, games: Iterable[TableGame], person_of: PersonOf = keep_id
) -> tuple[Remark, ...]:
    """Return remarks on entrants who go on because the director paired them by hand, and on those who are out because of that."""
    # A loser is never refused: results are corrected after the draw, winners leave, and somebody has to play on. The director's word is
    # the way out of every bracket, and whoever was paired stays in for later draws (``list_left``).
    if paired.drawn or paired.round == 1 or not FORMATS[before.plan.format].loser_is_out:
        return ()
    active = {one.number for one in before.active(paired.round)}
    left = active & list_left(tally_rounds(before, games, person_of), before.byes, paired.round)
    named = {*paired.byes, *(entrant for table in paired.tables if table.table != paired.third_place for entrant in table.seats)}
    return (
        *about_entrants("goes_on_instead", named - left, paired.round),
        *about_entrants("out_by_hand", left - named, paired.round),
    )
