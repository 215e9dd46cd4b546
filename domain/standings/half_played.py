"""Withdrawals from a round robin before half of the schedule is played: their results stay in the crosstable and count for nobody.

FIDE General Regulations for Competitions, 6.6. Byes, which the missing opponent leaves to some and not to others, count for nobody either
then. A forfeit counts as played for who came.
"""

from collections.abc import Collection
from fractions import Fraction

from domain.standings.cross_table import Crosstable
from domain.standings.plan import FORMATS, Plan, is_head_to_head


def list_excluded(plan: Plan, rows: Crosstable, withdrawn: Collection[int]) -> frozenset[int]:
    """Return the withdrawn entrants of the first round's field who completed less than half of their games."""
    field = {entrant for entrant, shares in rows.items() if shares and shares[0].how != "absent"}
    needed = half_of_games(plan, len(field), max((len(shares) for shares in rows.values()), default=0))
    return frozenset(one for one in withdrawn if one in field and _count_completed(rows, one) < needed)


def half_of_games(plan: Plan, field: int, paired: int) -> Fraction:
    """Return half of the games of each entrant in a field of so many; 0 where nobody is taken out. ``paired``: rounds so far."""
    if not (plan.half_required and FORMATS[plan.format].all_meet and is_head_to_head(plan)):
        return Fraction(0)
    rounds = max(plan.rounds or field - 1 + field % 2, paired)
    return Fraction(rounds * (field - 1), 2 * field) if field % 2 else Fraction(rounds, 2)


def leave_out(rows: Crosstable, out: frozenset[int]) -> Crosstable:
    """Return the crosstable of those who stay, with the rounds that count."""
    if not out:
        return rows
    return {
        entrant: tuple(share for share in shares if entrant not in out and share.how != "bye" and not out & {*share.opponents})
        for entrant, shares in rows.items()
    }


def _count_completed(rows: Crosstable, entrant: int) -> int:
    return sum(share.how == "played" or (share.how == "forfeited" and not share.missed) for share in rows[entrant])
