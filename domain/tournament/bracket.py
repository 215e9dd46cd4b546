"""Who goes on in a knock-out: rounds that were paired otherwise than the results say now, and pairings by hand that let others go on."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress

from msgspec import Struct
from msgspec.structs import replace

from domain.errors import Refused
from domain.events.tournament import RoundPaired
from domain.standings.plan import FORMATS, Outcome
from domain.tournament.games import PersonOf, TableGame, keep_id
from domain.tournament.pairing.knockout import build_seed_tree, list_entrants_out, list_left
from domain.tournament.pairing.tables import precedence
from domain.tournament.state import Round
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


# The bracket of a knock-out as a picture: its rounds with their matches from top to bottom, also those that are still to come.


class BracketSide(Struct, frozen=True):
    """A side of a match: the entrant, ``None`` where that is open; the points; and whether the entrant goes on, or has won the last one."""

    entrant: int | None
    points: int | None = None
    goes_on: bool = False


class BracketMatch(Struct, frozen=True):
    """A match: at a table, or for one alone a bye. ``table`` is ``None`` for a bye and before the draw."""

    sides: tuple[BracketSide, ...]
    table: str | None = None
    third_place: bool = False


class BracketRound(Struct, frozen=True):
    round: int
    matches: tuple[BracketMatch, ...]


OPEN = BracketSide(None)


def draw_bracket(tournament: Tournament, games: Iterable[TableGame], person_of: PersonOf = keep_id) -> tuple[BracketRound, ...]:
    """Return the rounds of a knock-out that is paired, up to the final; none for other formats."""
    if not FORMATS[tournament.plan.format].loser_is_out or not tournament.rounds:
        return ()
    outcomes = {(one.round, one.table): one for one in tally_rounds(tournament, games, person_of)}
    places = _places(tournament)
    rounds = [_build_paired_round(tournament, round, outcomes, places) for round in tournament.rounds]
    while len(main := [one for one in rounds[-1].matches if not one.third_place]) > 1:
        rounds.append(BracketRound(rounds[-1].round + 1, tuple(_next_matches(tournament, main))))
    return tuple(rounds)


def _places(tournament: Tournament) -> Mapping[int, int]:
    """Return the place of each entrant in the bracket, from top to bottom."""
    first = [tournament.entrant(number) for number in tournament.rounds[0].entrants]
    seeds = sorted(first, key=lambda one: precedence(tournament.plan.seed, one))
    slots = build_seed_tree([one.number for one in seeds])
    return {entrant: place for place, entrant in enumerate(slots) if entrant is not None}


def _build_paired_round(
    tournament: Tournament, round: Round, outcomes: Mapping[tuple[int, str], Outcome], places: Mapping[int, int]
) -> BracketRound:
    later = tournament.rounds[round.number] if round.number < len(tournament.rounds) else None
    paired_later = later.bracket_entrants if later else None
    matches = [
        _match(outcomes[round.number, table.name], paired_later, third_place=table.name == round.third_place) for table in round.tables
    ]
    matches += [BracketMatch((BracketSide(entrant, goes_on=True),)) for entrant in round.byes]
    return BracketRound(round.number, tuple(sorted(matches, key=lambda one: (one.third_place, _top(one, places)))))


def _top(match: BracketMatch, places: Mapping[int, int]) -> int:
    return min(places.get(side.entrant or 0, len(places)) for side in match.sides)


def _match(outcome: Outcome, paired_later: frozenset[int] | None, *, third_place: bool) -> BracketMatch:
    """Return a match. The next round says who goes on, once it is paired; till then the result does."""
    losers = entrants_out(outcome)
    sides = []
    for place, (entrant, *_) in enumerate(outcome.parties):
        by_result = losers is not None and entrant not in losers
        goes_on = by_result if paired_later is None or third_place else entrant in paired_later
        points = outcome.points[place] if outcome.points and outcome.how != "forfeited" else None
        sides.append(BracketSide(entrant, points, goes_on))
    return BracketMatch(tuple(sides), outcome.table, third_place)


def _next_matches(tournament: Tournament, before: Sequence[BracketMatch]) -> Iterator[BracketMatch]:
    for start in range(0, len(before), 2):
        yield BracketMatch(tuple(_winner(one) for one in before[start : start + 2]))
    if len(before) == 2 and tournament.plan.third_place:
        yield BracketMatch((OPEN, OPEN), third_place=True)


def _winner(match: BracketMatch) -> BracketSide:
    found = [side for side in match.sides if side.goes_on]
    return replace(found[0], points=None, goes_on=False) if len(found) == 1 else OPEN
