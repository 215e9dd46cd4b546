"""The standings, from the outcomes of the tables alone."""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import groupby
from typing import Protocol, TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from domain.standings.cross_table import RESULTS, Crosstable, Share, build_cross_table
from domain.standings.plan import FORMATS, Bye, Outcome, Plan, is_head_to_head
from domain.standings.tie_breaks import TIE_BREAKS, Field, Part, TieBreak, TieBreakValue, compute_tie_breaks, field, score_part

# Withdrawals from a round robin before half of the schedule is played: their results stay in the crosstable and count for nobody.


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


Orders: TypeAlias = Collection[tuple[int, ...]]
"""Orders of entrants who stand equal, each the best first."""


class RankedPlan(Plan, Protocol):
    """A plan that names its tie-breaks, in the order in which they decide."""

    @property
    def tie_breaks(self) -> tuple[TieBreak, ...]: ...


class StandingsRow(Struct, frozen=True):
    """An entrant in the standings. Places are shared where no tie-break decides; the following ones stay vacant.

    ``played`` and the following fields count rounds at a table; ``wins``, ``draws`` and ``losses`` are ``None`` where tables do not have
    two parties. ``for_others`` is the score as it counts in the Buchholz and Sonneborn-Berger of opponents. ``parts`` are the summands of
    the score. ``figures`` stand in the order of the announcement. ``taken_out``: nothing of the entrant counts, who
    withdrew before half was played. ``ordered``: placed by the director among equals.
    """

    place: int
    entrant: int
    score: Fraction
    played: int
    wins: int | None
    draws: int | None
    losses: int | None
    for_others: Fraction
    parts: tuple[Part, ...]
    figures: tuple[TieBreakValue, ...]
    taken_out: bool = False
    ordered: bool = False


def standings(
    plan: RankedPlan,
    entrants: Sequence[int],
    outcomes: Iterable[Outcome],
    byes: Iterable[Bye],
    withdrawn: Collection[int] = (),
    orders: Orders = (),
) -> tuple[StandingsRow, ...]:
    """Return the standings, best first; entrants that share a place in the order of their numbers. Who of the ``withdrawn`` is taken out
    comes last. ``orders``: of the director, for those who stand equal before the lots. Raises nothing: a tournament can be read at any
    moment.
    """
    all = tuple(outcomes)
    rows = build_cross_table(plan, entrants, all, byes)
    if out := list_excluded(plan, rows, withdrawn):
        rows = build_cross_table(plan, entrants, all, byes, out)
    of = field(plan, leave_out(rows, out))
    staying = [entrant for entrant in entrants if entrant not in out]
    reached = _measure_progress(of, all) if FORMATS[plan.format].loser_is_out else dict.fromkeys(staying, Fraction(0))
    groups = [sorted(group) for level in _groups(staying, reached) for group in _groups(level, of.scores)]
    groups, figures, by_hand = _break_ties(plan, of, groups, orders)
    left = [entrant for entrant in sorted(out) if entrant in entrants]
    figures |= {entrant: tuple(TieBreakValue(name, None) for name in plan.tie_breaks) for entrant in left}
    return tuple(
        replace(_row(of, place, entrant, figures[entrant], rows[entrant], out), ordered=entrant in by_hand)
        for place, entrant in _places(groups, left)
    )


def _break_ties(
    plan: RankedPlan, of: Field, groups: list[list[int]], orders: Orders
) -> tuple[list[list[int]], dict[int, tuple[TieBreakValue, ...]], set[int]]:
    """Return the groups of those who stay equal, the figures of each entrant, and who was placed by the director, before the lots."""
    figures: dict[int, tuple[TieBreakValue, ...]] = {entrant: () for group in groups for entrant in group}
    by_hand: set[int] = set()
    for name in plan.tie_breaks:
        if TIE_BREAKS[name].drawn:
            groups = _apply_orders(groups, orders, by_hand)
        split: list[list[int]] = []
        for group in groups:
            here = compute_tie_breaks(name, of, group)
            figures |= {entrant: (*figures[entrant], here[entrant]) for entrant in group}
            split += _groups(group, {entrant: _key(name, here[entrant]) for entrant in group})
        groups = split
    return _apply_orders(groups, orders, by_hand), figures, by_hand


def _measure_progress(of: Field, outcomes: Iterable[Outcome]) -> Mapping[int, Fraction]:
    """Return how far each entrant came in a knock-out: their last round in the bracket, and one more for whoever won the newest. It goes
    before the score: after a correction somebody may have more points who is out.
    """
    third = {(one.round, one.table) for one in outcomes if one.third_place}
    shares = {
        entrant: [one for one in rows if one.how != "absent" and (one.round, one.table) not in third] for entrant, rows in of.rows.items()
    }
    newest = max((rows[-1].round for rows in shares.values() if rows), default=0)
    return {entrant: Fraction(rows[-1].round + _is_winner(rows[-1], newest) if rows else 0) for entrant, rows in shares.items()}


def _is_winner(last: Share, newest: int) -> bool:
    return last.round == newest and (last.how == "bye" or last.result == "won" or (last.how == "forfeited" and not last.missed))


def _groups(entrants: Iterable[int], keys: Mapping[int, Fraction]) -> list[list[int]]:
    """Return groups of equal entrants, the highest key first; equal ones in the order that they had."""
    ranked = sorted(entrants, key=lambda entrant: -keys[entrant])
    return [list(group) for _, group in groupby(ranked, key=lambda entrant: keys[entrant])]


def _key(name: TieBreak, figure: TieBreakValue) -> Fraction:
    value = figure.value or Fraction(0)
    return -value if TIE_BREAKS[name].lowest_first else value


def _apply_orders(groups: Sequence[list[int]], orders: Orders, by_hand: set[int]) -> list[list[int]]:
    """Return the groups, those for which there is an order taken apart; their entrants are added to ``by_hand``."""
    known = {frozenset(order): order for order in orders}
    found: list[list[int]] = []
    for group in groups:
        order = known.get(frozenset(group), ())
        by_hand.update(order)
        found += [[entrant] for entrant in order] or [group]
    return found


def _places(groups: Iterable[Sequence[int]], left: Sequence[int]) -> Iterator[tuple[int, int]]:
    """Yield the entrants with their places. Those who are taken out share the last one."""
    place = 1
    for group in (*groups, left):
        yield from ((place, entrant) for entrant in group)
        place += len(group)


def _row(
    of: Field, place: int, entrant: int, found: tuple[TieBreakValue, ...], all_shares: Sequence[Share], out: frozenset[int]
) -> StandingsRow:
    shares = of.rows[entrant]
    results = [share.result for share in shares if share.how == "played"]
    won, drawn, lost = (results.count(one) if len(of.plan.parties) == 2 else None for one in RESULTS)
    parts = tuple(_part(share, counts=share in shares) for share in all_shares if share.how != "absent")
    return StandingsRow(
        place, entrant, of.scores[entrant], len(results), won, drawn, lost, of.adjusted[entrant], parts, found, entrant in out
    )


def _part(share: Share, *, counts: bool) -> Part:
    part = score_part(share)
    return part if counts else replace(part, counts=False)


# The difference between two standings of a tournament: entrants whose row changed, and tables whose outcome changed.


class ChangedRow(Struct, frozen=True):
    """An entrant whose place, score or tie-breaks changed; ``None`` where they had not entered."""

    entrant: int
    before: StandingsRow | None
    after: StandingsRow | None


class ChangedTable(Struct, frozen=True):
    """A table whose outcome changed; ``None`` where it was not paired."""

    round: int
    table: str
    before: Outcome | None
    after: Outcome | None


def compare_rows(before: Iterable[StandingsRow], after: Iterable[StandingsRow]) -> tuple[ChangedRow, ...]:
    """Return the changed rows in the order of the later standings; entrants that are missing there come last."""
    was, now = ({line.entrant: line for line in lines} for lines in (before, after))
    pairs = [ChangedRow(entrant, was.get(entrant), now.get(entrant)) for entrant in {**now, **was}]
    return tuple(pair for pair in pairs if _tie_break_values(pair.before) != _tie_break_values(pair.after))


def list_changed_tables(before: Iterable[Outcome], after: Iterable[Outcome]) -> tuple[ChangedTable, ...]:
    """Return the changed outcomes by round, in the order of the tables."""
    was, now = ({(one.round, one.table): one for one in outcomes} for outcomes in (before, after))
    pairs = [ChangedTable(*key, was.get(key), now.get(key)) for key in sorted({**was, **now}, key=lambda key: key[0])]
    return tuple(pair for pair in pairs if _result(pair.before) != _result(pair.after))


def _tie_break_values(line: StandingsRow | None) -> Sequence[object]:
    return () if line is None else (line.place, line.score, *(figure.value for figure in line.figures))


def _result(outcome: Outcome | None) -> Sequence[object]:
    return () if outcome is None else (outcome.parties, outcome.points, outcome.places, outcome.how, outcome.absent)
