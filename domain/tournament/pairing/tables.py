"""The pairing of a round, as every format returns it, and shared queries about earlier rounds."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import combinations, count
from typing import TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from domain.events.tournament import TournamentAnnounced
from domain.standings.cross_table import Crosstable, build_cross_table, points_for_draw
from domain.standings.plan import Bye, Outcome
from domain.standings.tie_breaks import lot
from domain.tournament.state import Entrant, Wish

Parties: TypeAlias = tuple[tuple[int, ...], ...]
Pair: TypeAlias = frozenset[int]


class DrawConstraints(Struct, frozen=True):
    """Groups of entrants who are not to be at one table, and pairs who are, by their numbers."""

    apart: tuple[tuple[int, ...], ...] = ()
    meet: tuple[tuple[int, ...], ...] = ()

    @property
    def pair_exclusions(self) -> frozenset[Pair]:
        return frozenset(frozenset(pair) for group in self.apart for pair in combinations(group, 2))


NO_CONSTRAINTS = DrawConstraints()


class DrawTask(Struct, frozen=True):
    """Everything that the draw of a round depends on. ``entrants`` are all that ever entered; outcomes and byes are those of earlier
    rounds.
    """

    plan: TournamentAnnounced
    entrants: Sequence[Entrant]
    outcomes: Sequence[Outcome]
    byes: Sequence[Bye]
    round: int
    wishes: DrawConstraints = NO_CONSTRAINTS

    @property
    def playing(self) -> list[Entrant]:
        return [entrant for entrant in self.entrants if entrant.plays(self.round)]


class Pairing(Struct, frozen=True):
    """The tables of a round, the first one first, each with the entrants of its parties; and the entrants that are left over.

    ``repeated`` are encounters that there had been before, because nothing else was left.
    """

    tables: tuple[Parties, ...]
    byes: tuple[int, ...] = ()
    repeated: tuple[tuple[int, int], ...] = ()


def count_opponents(tables: Iterable[Parties]) -> Counter[Pair]:
    """Count how often each two met as opponents."""
    return Counter(
        frozenset((one, other)) for parties in tables for mine, theirs in combinations(parties, 2) for one in mine for other in theirs
    )


def count_partners(tables: Iterable[Parties]) -> Counter[Pair]:
    """Count how often each two were partners."""
    return Counter(frozenset(pair) for parties in tables for party in parties for pair in combinations(party, 2))


def list_paired_tables(outcomes: Iterable[Outcome]) -> tuple[Parties, ...]:
    """Return the tables at which people met or are going to; after a forfeit they may be paired again."""
    return tuple(outcome.parties for outcome in outcomes if outcome.how != "forfeited")


def field_of(outcomes: Iterable[Outcome], byes: Iterable[Bye], round: int = 1) -> set[int]:
    """Return the entrants who were there in a round, in the first unless another is named."""
    seated = {entrant for outcome in outcomes if outcome.round == round for party in outcome.parties for entrant in party}
    return seated | {bye.entrant for bye in byes if bye.round == round}


def list_no_shows(entrants: Iterable[Entrant]) -> set[int]:
    """Return the entrants who were to play in the first round and were not there, and have not withdrawn before it."""
    return {one.number for one in entrants if one.from_round == 1 and not one.plays(1) and not one.is_gone(1)}


def precedence(seed: str, entrant: Entrant) -> tuple[int, int]:
    """Return the sort key of an entrant, the lowest first: by rating, entrants without one after all others, then by lot."""
    rating = -1 if entrant.rating is None else entrant.rating
    return -rating, lot(seed, "draw", entrant.number)


# The ranking of the entrants before a round, as pairings use it.


class Ranking(Struct, frozen=True):
    """The ranking. ``order``: the playing entrants, the best first, equal scores by rating, then by lot. ``group``: 0 for the highest
    score, 1 for the next. ``rows``: with an assumed score where a table has no result.
    """

    order: tuple[int, ...]
    group: dict[int, int]
    rows: Crosstable


def ranking(task: DrawTask) -> Ranking:
    plan, playing = task.plan, task.playing
    rows = _assume_scores(plan, build_cross_table(plan, (entrant.number for entrant in playing), task.outcomes, task.byes))
    scores = {one.number: sum((share.score for share in rows[one.number]), Fraction(0)) for one in playing}
    levels = {score: level for level, score in enumerate(sorted(set(scores.values()), reverse=True))}
    order = sorted(playing, key=lambda one: (-scores[one.number], precedence(plan.seed, one)))
    return Ranking(tuple(one.number for one in order), {number: levels[score] for number, score in scores.items()}, rows)


def _assume_scores(plan: TournamentAnnounced, rows: Crosstable) -> Crosstable:
    """Return the crosstable as the pairing counts it: a table without a result brings the score of a draw, or the average points."""
    drawn = _list_assumed_scores(plan, rows)
    return {
        entrant: tuple(replace(share, score=drawn[share.round]) if share.how == "open" else share for share in shares)
        for entrant, shares in rows.items()
    }


def _list_assumed_scores(plan: TournamentAnnounced, rows: Crosstable) -> Mapping[int, Fraction]:
    """Return for each round the score that is assumed for a table without a result."""
    if plan.scoring.by == "match_points":
        return defaultdict(lambda: points_for_draw(plan.scoring))
    played: defaultdict[int, list[Fraction]] = defaultdict(list)
    for share in (share for shares in rows.values() for share in shares if share.how == "played"):
        played[share.round].append(share.score)
    return defaultdict(Fraction, {round: sum(scores, Fraction(0)) / len(scores) for round, scores in played.items()})


# The wishes that the draw of a round heeds: entrants kept apart, wanted pairings, fixed tables and the first table number.


def build_constraints(wishes: Iterable[Wish], clubs: Sequence[tuple[int, ...]], round: int) -> DrawConstraints:
    """Return the wishes for a round. ``clubs``: the entrants of each club, where they are to be kept apart."""
    holding = [wish for wish in wishes if wish.covers(round)]
    apart = tuple(wish.entrants for wish in holding if wish.kind == "apart")
    return DrawConstraints((*apart, *clubs), tuple(wish.entrants for wish in holding if wish.kind == "meet"))


def list_fixed_tables(wishes: Iterable[Wish], round: int) -> Mapping[int, str]:
    """Return the fixed table of each entrant who has one, in the order of the wishes."""
    holding = (wish for wish in wishes if wish.kind == "table" and wish.covers(round))
    return {wish.entrants[0]: wish.table for wish in holding if wish.table is not None}


def name_tables(tables: Sequence[Parties], first: int, fixed: Mapping[int, str]) -> tuple[str, ...]:
    """Return the name of each table: that of an entrant with a fixed table, else the next number from ``first`` that is free."""
    at = {entrant: place for place, table in enumerate(tables) for party in table for entrant in party}
    names: dict[int, str] = {}
    for entrant, name in fixed.items():
        if entrant in at and name not in names.values():
            names.setdefault(at[entrant], name)
    free = _free_numbers(first, {*names.values()})
    return tuple(names[place] if place in names else next(free) for place in range(len(tables)))


def _free_numbers(first: int, taken: set[str]) -> Iterator[str]:
    return (name for number in count(first) if (name := str(number)) not in taken)
