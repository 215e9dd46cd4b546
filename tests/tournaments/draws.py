"""Laws of a draw: everybody once, wishes kept or remarked, a Swiss as good as can be, a round robin in which all who can still meet."""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import cache
from itertools import combinations
from typing import Any, TypeAlias

from msgspec import UNSET

from domain.standings.plan import Outcome, is_head_to_head
from domain.tournament.state import Round
from domain.tournament.tournament import Tournament
from tests.tournaments.reckoning import RoundScores, rounds_reckoned

Cost: TypeAlias = tuple[int, ...]
CostOf: TypeAlias = Callable[[int, int | None], Cost]

_NO_COST = (0,) * 5
_MOST = 12
"""Fields up to so many are paired in every way."""


def draw_breaches(before: Tournament, outcomes: Sequence[Outcome], after: Tournament, remarks: Sequence[dict[str, Any]]) -> Iterator[str]:
    """Yield a sentence for each law that a pairing does not keep. ``before``, ``outcomes``: as it was paired."""
    round, said = after.rounds[-1], Counter(_remarked(remarks))
    yield from _unremarked_repeats(before, round, said)
    yield from _unkept_wishes(after, round, said)
    if round.drawn and is_head_to_head(after.plan):
        match after.plan.format:
            case "swiss":
                yield from _not_optimal(after, before, outcomes, round)
            case "round_robin":
                yield from _not_due(after, outcomes, round)
            case _:
                pass


def _remarked(remarks: Sequence[dict[str, Any]]) -> Iterator[tuple[str, frozenset[int]]]:
    return ((one["code"], frozenset(one.get("entrants", ()))) for one in remarks)


def _opponents(now: Tournament, seats: tuple[int, ...]) -> Iterator[frozenset[int]]:
    for mine, theirs in combinations(now.parties(seats), 2):
        yield from (frozenset((one, other)) for one in mine for other in theirs)


def _unremarked_repeats(before: Tournament, round: Round, said: Counter[tuple[str, frozenset[int]]]) -> Iterator[str]:
    met = {pair for old in before.rounds for table in old.tables for pair in _opponents(before, table.seats)}
    for pair in (pair for table in round.tables for pair in _opponents(before, table.seats)):
        if pair in met and not said["met_before", pair]:
            yield f"round {round.number}: {sorted(pair)} met before, and no remark says so"
    for bye in (one for one in round.byes for old in before.rounds if one in old.byes):
        if not said["bye_again", frozenset((bye,))]:
            yield f"round {round.number}: {bye} had a bye before, and no remark says so"


def _unkept_wishes(now: Tournament, round: Round, said: Counter[tuple[str, frozenset[int]]]) -> Iterator[str]:
    at = {entrant: table.name for table in round.tables for entrant in table.seats}
    for group in now.clubs if now.rules.apart else ():
        yield from _unkept_parts(group, at, said)
    for wish in (one for one in now.wishes if one.covers(round.number)):
        name = f"round {round.number}, wish {wish.kind} of {wish.entrants}"
        tables = [at.get(one) for one in wish.entrants]
        match wish.kind:
            case "half_bye" if tables[0] is not None or (round.drawn and wish.entrants[0] in round.byes):
                yield f"{name}: is seated at {tables[0]}"
            case "table" if tables[0] not in (None, wish.table) and not said["other_table", frozenset(wish.entrants)]:
                yield f"{name}: sits at {tables[0]}, without a remark"
            case "meet" if len({*tables}) > 1 and not said["not_met", frozenset(wish.entrants)]:
                yield f"{name}: sit at {tables}, without a remark"
            case "apart":
                yield from _unkept_parts(wish.entrants, at, said)
            case _:
                pass


def _unkept_parts(group: Sequence[int], at: Mapping[int, str], said: Counter[tuple[str, frozenset[int]]]) -> Iterator[str]:
    for one, other in combinations(group, 2):
        if at.get(one) is not None and at.get(one) == at.get(other) and not said["not_apart", frozenset((one, other))]:
            yield f"{one} and {other} were to be kept apart, and sit at table {at[one]}, without a remark"


# A Swiss: every other pairing costs as much, or more


def _not_optimal(after: Tournament, before: Tournament, outcomes: Sequence[Outcome], round: Round) -> Iterator[str]:
    pairs: list[tuple[int, int | None]] = [(table.seats[0], after.parties(table.seats)[1][0]) for table in round.tables]
    pairs += [(entrant, None) for entrant in round.byes]
    wanted = {frozenset(wish.entrants) for wish in after.wishes if wish.kind == "meet" and wish.covers(round.number)}
    free = [pair for pair in pairs if frozenset(pair) not in wanted]
    field = sorted(entrant for pair in free for entrant in pair if entrant is not None)
    if not 1 < len(field) <= _MOST:
        return
    cost = _costs(after, before, outcomes, field)
    own, best = _sum(cost(*pair) for pair in free), _best(field, cost)
    if own != best:
        yield f"round {round.number}: the pairing costs {own}, the best one {best}: {pairs}"


def _costs(after: Tournament, before: Tournament, outcomes: Sequence[Outcome], field: Sequence[int]) -> CostOf:
    """Return the first five costs of a pair, or of a bye: repeats, second byes, the group of the bye, floats, floats as before."""
    rounds = rounds_reckoned(before.plan, outcomes, before.byes)
    scores = {round: _presumed(before, one) for round, one in rounds.items()}
    score = {one: sum((some.get(one, Fraction(0)) for some in scores.values()), Fraction(0)) for one in field}
    levels = {score: level for level, score in enumerate(sorted({*score.values()}, reverse=True))}
    group = {one: levels[score[one]] for one in field}
    met = Counter(frozenset(party[0] for party in one.parties) for one in outcomes if one.how != "forfeited")
    wished = [wish.entrants for wish in after.wishes if wish.kind == "apart" and wish.covers(len(before.rounds) + 1)]
    met.update({frozenset(pair) for group in (*wished, *after.clubs) for pair in combinations(group, 2)})
    spared = Counter(one for round in rounds.values() for one in round.spared)
    floated = {one: _floated(before, outcomes, scores, one) for one in field}

    def cost(one: int, other: int | None) -> Cost:
        if other is None:
            return 0, spared[one], max(group.values()) - group[one], 0, int(floated[one] > 0)
        high, low = sorted((one, other), key=lambda entrant: group[entrant])
        apart = group[low] - group[high]
        return met[frozenset((one, other))], 0, 0, apart**2, ((floated[high] > 0) + (floated[low] < 0)) * (apart > 0)

    return cost


def _presumed(before: Tournament, round: RoundScores) -> Mapping[int, Fraction]:
    """Return the scores of a round in which a table without a result counts as drawn, by points as the average of those who played."""
    scoring = before.plan.scoring
    drawn = Fraction(sum(scoring.places), len(scoring.places)) if scoring.draw is UNSET else Fraction(scoring.draw)
    return {**round.scores, **dict.fromkeys(round.open, drawn if scoring.by == "match_points" else round.average)}


def _floated(before: Tournament, outcomes: Sequence[Outcome], scores: Mapping[int, Mapping[int, Fraction]], one: int) -> int:
    """Return 1 if the entrant floated down in the last round, -1 up."""
    last = len(before.rounds)
    if any(bye.round == last and bye.entrant == one for bye in before.byes):
        return 1
    tables = [outcome for outcome in outcomes if outcome.round == last and any(one in party for party in outcome.parties)]
    if not tables:
        return 0
    (other,) = (party[0] for party in tables[0].parties if one not in party)
    mine, theirs = (sum((scores[round].get(who, Fraction(0)) for round in scores if round < last), Fraction(0)) for who in (one, other))
    return (mine > theirs) - (mine < theirs)


def _sum(costs: Iterator[Cost]) -> Cost:
    return tuple(map(sum, zip(_NO_COST, *costs, strict=True)))


def _best(field: Sequence[int], cost: CostOf) -> Cost:
    """Return the least cost of all pairings of the field: of the first one with each of the others, and the rest."""
    known = {(one, other): cost(one, other) for one, other in combinations(field, 2)}

    @cache
    def least(left: tuple[int, ...], spare: bool) -> Cost:
        if not left:
            return _NO_COST
        first, rest = left[0], left[1:]
        ways = [_sum(iter((known[first, other], least(tuple(one for one in rest if one != other), spare)))) for other in rest]
        return min([*ways, _sum(iter((cost(first, None), least(rest, False))))]) if spare else min(ways)

    return least(tuple(field), len(field) % 2 == 1)


# A round robin


def _not_due(now: Tournament, outcomes: Sequence[Outcome], round: Round) -> Iterator[str]:
    """While two who are there have not met as often as others, somebody plays, and two of those who met least do."""
    there = [one.number for one in now.active(round.number)]
    met = Counter(frozenset(party[0] for party in one.parties) for one in outcomes)
    least = min((met[frozenset(pair)] for pair in combinations(there, 2)), default=0)
    tables = [frozenset(table.seats) for table in round.tables]
    if len(there) > 1 and not any(met[pair] == least for pair in tables):
        yield f"round {round.number}: {tables} play, but others have met {least} times only"
