"""Scores reckoned from the outcomes of tables alone, as docs/tournaments.md says, without the code that makes standings."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from fractions import Fraction

from msgspec import UNSET, Struct

from domain.events.tournament import TournamentAnnounced
from domain.standings.plan import Bye, Outcome, Scoring


class RoundScores(Struct):
    """The scores of a round by entrant; ``open``: who sits at a table without a result; ``spared``: had a bye or won a forfeit;
    ``average``: of those who played.
    """

    scores: dict[int, Fraction]
    open: set[int]
    spared: set[int]
    average: Fraction = Fraction(0)


def rounds_reckoned(
    plan: TournamentAnnounced, outcomes: Iterable[Outcome], byes: Iterable[Bye], out: Collection[int] = ()
) -> Mapping[int, RoundScores]:
    """Return the scores of each round. ``out``: entrants who were taken out of a round robin; then byes count for nobody."""
    found: defaultdict[int, RoundScores] = defaultdict(lambda: RoundScores({}, set(), set()))
    forfeits: list[Outcome] = []
    for outcome in outcomes:
        if {*out} & {entrant for party in outcome.parties for entrant in party}:
            continue
        if outcome.how == "forfeited":
            forfeits.append(outcome)
            continue
        for party, score in zip(outcome.parties, _scores_of_table(plan.scoring, outcome), strict=True):
            for entrant in party:
                if score is None:
                    found[outcome.round].open.add(entrant)
                else:
                    found[outcome.round].scores[entrant] = score
    for one in found.values():
        one.average = _mean(one.scores.values())
    _add_forfeits(plan.scoring, forfeits, found)
    for bye in () if out else byes:
        worth = _bye(plan.scoring, found[bye.round].average)
        found[bye.round].scores[bye.entrant] = worth / 2 if bye.half else worth
        if not bye.half:
            found[bye.round].spared.add(bye.entrant)
    return found


def total(rounds: Iterable[RoundScores], entrant: int) -> Fraction:
    return sum((one.scores.get(entrant, Fraction(0)) for one in rounds), Fraction(0))


def _scores_of_table(scoring: Scoring, outcome: Outcome) -> Sequence[Fraction | None]:
    if outcome.points is None:
        return [None] * len(outcome.parties)
    weight = Fraction(1, 2) if outcome.third_place else Fraction(1)
    if scoring.by == "points":
        return [weight * one for one in outcome.points]
    ranked = [-place for place in outcome.places] if outcome.places else list(outcome.points)
    if scoring.draw is not UNSET and len(set(ranked)) == 1:
        return [weight * scoring.draw] * len(ranked)
    shared = [[scoring.places[place] for place, one in enumerate(sorted(ranked, reverse=True)) if one == own] for own in ranked]
    return [weight * _mean(map(Fraction, places)) for places in shared]


def _add_forfeits(scoring: Scoring, forfeits: Iterable[Outcome], found: Mapping[int, RoundScores]) -> None:
    came, missing = scoring.forfeit
    for outcome in forfeits:
        whole = [party for party in outcome.parties if not {*party} & {*outcome.absent}]
        first = _mean(map(Fraction, scoring.places[: len(whole) or 1]))
        bye = _bye(scoring, found[outcome.round].average)
        for entrant in (one for party in outcome.parties for one in party):
            absent = entrant in outcome.absent
            by_points = Fraction(missing) if absent else bye if came == "bye" else Fraction(came)
            by_places = Fraction(scoring.places[-1]) if absent else first
            score = by_points if scoring.by == "points" else by_places
            found[outcome.round].scores[entrant] = score / 2 if outcome.third_place else score
            if not absent:
                found[outcome.round].spared.add(entrant)


def _bye(scoring: Scoring, average: Fraction) -> Fraction:
    return average if scoring.bye == "average" else Fraction(scoring.bye)


def _mean(some: Iterable[Fraction]) -> Fraction:
    values = list(some)
    return sum(values, Fraction(0)) / (len(values) or 1)
