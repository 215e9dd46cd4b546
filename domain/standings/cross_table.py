"""The crosstable: the result of each entrant in each round, in the unit that the tournament is scored by. Exact, in fractions."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence, Set
from fractions import Fraction
from typing import Literal, TypeAlias
from uuid import UUID

from msgspec import UNSET, Struct
from msgspec.structs import replace

from domain.standings.plan import Bye, Outcome, Plan, Scoring

Result: TypeAlias = Literal["won", "drawn", "lost"]
RESULTS: tuple[Result, ...] = ("won", "drawn", "lost")


class Share(Struct, frozen=True):
    """The result of one entrant in one round.

    ``how``: *open* has no result yet and counts nowhere; *absent* means that the entrant had neither a table nor a bye. ``score`` is in the
    unit of ``scoring.by``, ``points`` are game points, ``difference`` is the sum of their excess over those of each other party. ``result``
    is ``None`` unless it was played against somebody. ``opponents`` are the entrants of the other parties; partners are none. ``missed``:
    nothing was played, and by the entrant's own fault (FIDE C.07 speaks of a voluntary unplayed round).
    """

    round: int
    table: str | None
    how: Literal["open", "played", "forfeited", "bye", "absent"]
    opponents: tuple[int, ...] = ()
    score: Fraction = Fraction(0)
    points: int = 0
    difference: int = 0
    result: Result | None = None
    missed: bool = False
    games: tuple[UUID, ...] = ()


Crosstable: TypeAlias = Mapping[int, tuple[Share, ...]]
"""The shares of each entrant, the rounds in order."""


def build_cross_table(
    plan: Plan, entrants: Iterable[int], outcomes: Iterable[Outcome], byes: Iterable[Bye], out: Collection[int] = ()
) -> Crosstable:
    """Return the crosstable. Every entrant has a share of every round up to the last one that was paired. ``out``: entrants whose tables
    count for nobody, so that no average of a round holds them.
    """
    found: dict[int, list[Share]] = defaultdict(list)
    forfeited: list[Outcome] = []
    given = tuple(byes)
    for outcome in outcomes:
        if outcome.how == "forfeited":
            forfeited.append(outcome)
            continue
        for entrant, share in _shares(plan.scoring, outcome):
            found[entrant].append(_weight_share(outcome, share))
    if plan.smaller_tables and plan.scoring.by == "points":
        _level_smaller_tables(len(plan.parties), found)
    brings = {
        round: _score_of_bye(plan.scoring, round, found, {*out})
        for round in {*(bye.round for bye in given), *(one.round for one in forfeited)}
    }
    for outcome in forfeited:
        for entrant, share in _share_forfeit(plan.scoring, outcome, brings[outcome.round]):
            found[entrant].append(_weight_share(outcome, share))
    for bye in given:
        score = brings[bye.round] / 2 if bye.half else brings[bye.round]
        found[bye.entrant].append(Share(bye.round, None, "bye", score=score, missed=bye.half))
    last = max((share.round for shares in found.values() for share in shares), default=0)
    return {entrant: tuple(_fill_rounds(found[entrant], last)) for entrant in {*entrants, *found}}


def _weight_share(outcome: Outcome, share: Share) -> Share:
    """Return the share as it counts: whoever wins a match for the third place stays behind whoever lost the final."""
    return replace(share, score=share.score / 2) if outcome.third_place else share


def share_places(strength: Sequence[int], scoring: Scoring) -> tuple[Fraction, ...]:
    """Return the match points of each party by place; equal parties share the sum of the places that they hold together."""
    if scoring.draw is not UNSET and len(set(strength)) == 1:
        return (points_for_draw(scoring),) * len(strength)
    places = scale_places(scoring.places, len(strength))
    return tuple(_mean(places, sum(other > own for other in strength), strength.count(own)) for own in strength)


def points_for_draw(scoring: Scoring) -> Fraction:
    """Return the match points of each party if all share all places."""
    return _mean(scoring.places, 0, len(scoring.places)) if scoring.draw is UNSET else Fraction(scoring.draw)


def scale_places(places: Sequence[int], parties: int) -> Sequence[Fraction | int]:
    """Return the match points by place at a table of fewer parties: first and last as at every table, the others evenly between them."""
    if not 1 < parties < len(places):
        return places
    steps = (Fraction(place * (len(places) - 1), parties - 1) for place in range(parties))
    return [places[int(step)] + (step % 1) * (places[min(int(step) + 1, len(places) - 1)] - places[int(step)]) for step in steps]


def _level_smaller_tables(parties: int, found: Mapping[int, list[Share]]) -> None:
    """Add to each score of a smaller table the average of the full tables of its round less that of the smaller ones, so that it makes no
    difference at which of them somebody sat. Without a full table nothing is added.
    """
    scores: defaultdict[tuple[int, bool], list[Fraction]] = defaultdict(list)
    for share in (share for shares in found.values() for share in shares if share.how == "played"):
        scores[share.round, len(share.opponents) + 1 < parties].append(share.score)
    average = {key: sum(some, Fraction(0)) / len(some) for key, some in scores.items()}
    for shares in found.values():
        for place, share in enumerate(shares):
            full, smaller = (average.get((share.round, small)) for small in (False, True))
            if share.how == "played" and len(share.opponents) + 1 < parties and full is not None and smaller is not None:
                shares[place] = replace(share, score=share.score + full - smaller)


def _mean(places: Sequence[Fraction | int], better: int, equal: int) -> Fraction:
    return Fraction(sum(places[better : better + equal]), equal or 1)


def _fill_rounds(shares: Iterable[Share], last: int) -> Iterator[Share]:
    there = defaultdict(list)
    for share in shares:
        there[share.round].append(share)
    for number in range(1, last + 1):
        yield from there[number] or (Share(number, None, "absent", missed=True),)


def _score_of_bye(scoring: Scoring, round: int, found: Mapping[int, Iterable[Share]], out: Set[int]) -> Fraction:
    """Return the score of a bye in the round; an average is zero while nothing was played in that round."""
    if scoring.bye != "average":
        return Fraction(scoring.bye)
    counted = [share for entrant, shares in found.items() for share in shares if out.isdisjoint((entrant, *share.opponents))]
    scores = [share.score for share in counted if share.round == round and share.how == "played"]
    return sum(scores, Fraction(0)) / (len(scores) or 1)


def _shares(scoring: Scoring, outcome: Outcome) -> Iterator[tuple[int, Share]]:
    # In damaged history there may be points of parties that are not there.
    if outcome.points is None or not len(outcome.points) == len(outcome.rank_key) == len(outcome.parties):
        return _open(outcome)
    return _share_played(scoring, outcome, outcome.points)


def _list_entrants(outcome: Outcome) -> Iterator[tuple[int, int, tuple[int, ...]]]:
    """Yield for every entrant at the table the number of their party, the entrant, and their opponents in the order of the parties."""
    for number, party in enumerate(outcome.parties):
        opponents = tuple(entrant for other in outcome.parties if other != party for entrant in other)
        for entrant in party:
            yield number, entrant, opponents


def _open(outcome: Outcome) -> Iterator[tuple[int, Share]]:
    for _, entrant, opponents in _list_entrants(outcome):
        yield entrant, Share(outcome.round, outcome.table, "open", opponents, games=outcome.games)


def _share_played(scoring: Scoring, outcome: Outcome, points: tuple[int, ...]) -> Iterator[tuple[int, Share]]:
    strength = outcome.rank_key
    scores = share_places(strength, scoring) if scoring.by == "match_points" else tuple(map(Fraction, points))
    for party, entrant, opponents in _list_entrants(outcome):
        mine = points[party]
        difference = sum(mine - other for other in points)
        result = _result(strength, strength[party]) if opponents else None
        yield (
            entrant,
            Share(outcome.round, outcome.table, "played", opponents, scores[party], mine, difference, result, False, outcome.games),
        )


def _result(strength: Sequence[int], mine: int) -> Result:
    if mine < max(strength):
        return "lost"
    return "won" if strength.count(mine) == 1 else "drawn"


def _share_forfeit(scoring: Scoring, outcome: Outcome, bye: Fraction) -> Iterator[tuple[int, Share]]:
    """Yield the shares of a forfeited table: parties that came whole share the first places, as many as there are of them; absent entrants
    have the last one. ``bye``: what a bye brings in the round.
    """
    came, stayed_away = scoring.forfeit_points
    broken = [bool(set(party) & set(outcome.absent)) for party in outcome.parties]
    sides = [stayed_away if missing else came for missing in broken]
    places = scale_places(scoring.places, len(broken))
    first, last = _mean(places, 0, broken.count(False) or 1), Fraction(*places[-1:])
    for party, entrant, opponents in _list_entrants(outcome):
        missed = entrant in outcome.absent
        points = stayed_away if missed else came
        match_points = last if missed else first
        by_points = bye if scoring.forfeit[0] == "bye" and not missed else Fraction(points)
        score = match_points if scoring.by == "match_points" else by_points
        difference = sum(points - side for other, side in enumerate(sides) if other != party)
        yield (
            entrant,
            Share(outcome.round, outcome.table, "forfeited", opponents, score, points, difference, None, missed, outcome.games),
        )
