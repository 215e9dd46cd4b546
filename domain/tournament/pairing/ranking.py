"""The ranking of the entrants before a round, as pairings use it."""

from collections.abc import Iterable, Sequence
from fractions import Fraction

from msgspec import Struct

from domain.events.tournament import TournamentAnnounced
from domain.standings.crosstable import Crosstable, Share, crosstable, drawn
from domain.standings.outcome import Bye, Outcome
from domain.tournament.pairing.tables import precedence
from domain.tournament.state import Entrant


class Ranking(Struct, frozen=True):
    """``order``: who plays, the best first, equal scores by rating, then by lot. ``group``: 0 for the highest score, 1 for the next."""

    order: tuple[int, ...]
    group: dict[int, int]
    rows: Crosstable


def ranking(
    plan: TournamentAnnounced, entrants: Sequence[Entrant], outcomes: Iterable[Outcome], byes: Iterable[Bye], round: int
) -> Ranking:
    playing = [entrant for entrant in entrants if entrant.plays(round)]
    rows = crosstable(plan, (entrant.number for entrant in playing), outcomes, byes)
    scores = {one.number: sum((_presumed(plan, share) for share in rows[one.number]), Fraction(0)) for one in playing}
    levels = {score: level for level, score in enumerate(sorted(set(scores.values()), reverse=True))}
    order = sorted(playing, key=lambda one: (-scores[one.number], precedence(plan.seed, one)))
    return Ranking(tuple(one.number for one in order), {number: levels[score] for number, score in scores.items()}, rows)


def _presumed(plan: TournamentAnnounced, share: Share) -> Fraction:
    """A table without a result is presumed drawn, for the pairing only."""
    if share.how == "open" and plan.scoring.by == "match_points":
        return drawn(plan.scoring)
    return share.score
