"""Tie-breaks: their definitions and their computation. A new one is a name, a line of the table, and its texts ``tie_break.<name>`` and
``no_<name>``.

Names and definitions are those of the FIDE Handbook, C.07 Play-Off and Tie-Break Regulations, in the edition of 1 March 2026; differences
for card tables are stated at each. A round without play is judged as article 16 does:

- In the figures of *others* an entrant counts with their adjusted score (16.3): rounds at the end that they missed without an opponent
  count as drawn, everything else as it stands.
- In their *own* figures they met a dummy (16.4), which has their own score; but no more than the adjusted score of the intended
  opponent, or without any than the score of all rounds so far if all were drawn.
- Where all meet all, a forfeit counts as if it had been played (15.2), and rounds without an opponent count for nothing.

Nothing here is rounded.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from hashlib import sha256
from typing import Literal, TypeAlias
from uuid import UUID

from msgspec import Struct
from msgspec.structs import replace

from domain.standings.cross_table import Crosstable, Share, points_for_draw
from domain.standings.plan import FORMATS, Plan, is_head_to_head, table_shape

# Figures of tie-breaks: the values that they are computed from, and the parts by which anybody can check them.


class Part(Struct, frozen=True):
    """The contribution of one round, or one opponent in it, to a figure.

    ``opponents`` is empty for a dummy. ``counts`` is false for a part that was cut and for one that has no result yet.
    """

    round: int
    table: str | None
    how: Literal["open", "played", "forfeited", "bye", "absent"]
    opponents: tuple[int, ...]
    value: Fraction
    games: tuple[UUID, ...]
    counts: bool = True


Reckoned: TypeAlias = Mapping[int, tuple[Fraction | None, tuple[Part, ...]]]
"""The value of a figure and its parts, by entrant."""


class Field(Struct, frozen=True):
    """The input of tie-breaks. ``scores`` by entrant, ``adjusted`` as others count them (16.3)."""

    plan: Plan
    rows: Crosstable
    scores: Mapping[int, Fraction]
    adjusted: Mapping[int, Fraction]


def field(plan: Plan, rows: Crosstable) -> Field:
    scores = {entrant: sum((share.score for share in shares), Fraction(0)) for entrant, shares in rows.items()}
    return Field(plan, rows, scores, {entrant: _adjust_for_missing_rounds(plan, shares) for entrant, shares in rows.items()})


def _adjust_for_missing_rounds(plan: Plan, shares: Sequence[Share]) -> Fraction:
    last = max((share.round for share in shares if not share.missed), default=0)
    trailing = sum(share.how == "absent" and share.round > last for share in shares if not FORMATS[plan.format].all_meet)
    return sum((share.score for share in shares), trailing * points_for_draw(plan.scoring))


def score_part(share: Share) -> Part:
    """Return the contribution of a round to the score itself."""
    return adds(share, share.score)


def adds(share: Share, value: Fraction | int, opponents: tuple[int, ...] | None = None) -> Part:
    """Return a part. ``opponents``: those of the table unless others are named."""
    met = share.opponents if opponents is None else opponents
    return Part(share.round, share.table, share.how, met, Fraction(value), share.games, share.how != "open")


def counts_as_played(of: Field, share: Share) -> bool:
    """Return whether a round counts as played in figures from encounters: where all meet all a forfeit does (15.2)."""
    return share.how == "played" or (share.how == "forfeited" and FORMATS[of.plan.format].all_meet)


# Lots: drawn from the seed of the tournament alone, so that anybody can draw them again.
#
# A lot is the first twelve hexadecimal digits of the SHA-256 of some words with colons between them, the seed first. The lowest
# goes first. ``printf '%s' 'kiebitz:lots:7' | sha256sum | head -c 12`` is the lot that entrant 7 draws where the seed is ``kiebitz``.


_DIGITS = 12  # 48 bits: a number of JSON is exact up to 53


def lot(seed: str, *words: str | int) -> int:
    """Return the lot as a number below 2**48, so that JSON holds it exactly. Raises ValueError before there is a seed."""
    if not seed:
        raise ValueError("the lots are not drawn yet")
    text = ":".join(str(word) for word in (seed, *words))
    return int(sha256(text.encode()).hexdigest()[:_DIGITS], 16)


# Direct encounter: the scores of the tied entrants against each other (FIDE C.07, article 6).


def rank_by_direct_matches(of: Field, tied: Sequence[int]) -> Reckoned:
    """Rank the tied by their encounters. The average counts where two met more than once.

    An entrant who did not meet all the others goes first only if no result of the missing encounters could change that. Those who are still
    tied are compared again among themselves.
    """
    if len(tied) == 1:
        return {tied[0]: (None, ())}
    found: dict[int, tuple[Fraction, tuple[Part, ...]]] = {}
    place = 1
    for group in _rank_tied(of, tied):
        for entrant in group:
            found[entrant] = Fraction(place), tuple(_list_direct_matches(of, entrant, tied))
        place += len(group)
    return found


def _rank_tied(of: Field, tied: Sequence[int]) -> Iterator[tuple[int, ...]]:
    groups = _split(of, tied)
    for group in groups:
        if len(group) == 1 or len(groups) == 1:
            yield tuple(group)
        else:
            yield from _rank_tied(of, group)


def _split(of: Field, tied: Sequence[int]) -> list[list[int]]:
    """Return the tied, in groups that stand apart."""
    scored = {entrant: _score_between(of, entrant, tied) for entrant in tied}
    if any(missing for _, missing in scored.values()):
        return _split_final_ranks(of, scored)
    values = sorted({value for value, _ in scored.values()}, reverse=True)
    return [[entrant for entrant in tied if scored[entrant][0] == value] for value in values]


def _split_final_ranks(of: Field, scored: Mapping[int, tuple[Fraction, int]]) -> list[list[int]]:
    """Return the certain leaders alone, one after the other; the rest stays together. Game points have no upper bound to calculate with."""
    if of.plan.scoring.by == "points":
        return [list(scored)]
    win = max(of.plan.scoring.places, default=0)
    best = {entrant: value + missing * win for entrant, (value, missing) in scored.items()}
    rest = sorted(scored, key=lambda entrant: (-scored[entrant][0], -best[entrant]))
    alone = []
    while len(rest) > 1 and scored[rest[0]][0] > max(best[other] for other in rest[1:]):
        alone.append([rest.pop(0)])
    return [*alone, rest]


def _score_between(of: Field, entrant: int, tied: Sequence[int]) -> tuple[Fraction, int]:
    """Return the score of the entrant against the others, and how many of them they did not meet."""
    met: dict[int, list[Fraction]] = {}
    for one in _list_direct_matches(of, entrant, tied):
        met.setdefault(one.opponents[0], []).append(one.value)
    averages = (sum(values, Fraction(0)) / len(values) for values in met.values())
    return sum(averages, Fraction(0)), len(tied) - 1 - len(met)


def _list_direct_matches(of: Field, entrant: int, tied: Sequence[int]) -> Iterator[Part]:
    among = frozenset(tied)
    met = (share for share in of.rows[entrant] if share.opponents and counts_as_played(of, share))
    return (adds(share, share.score) for share in met if among.issuperset(share.opponents))


TieBreak: TypeAlias = Literal[
    "direct_encounter",
    "buchholz",
    "buchholz_cut_1",
    "sonneborn_berger",
    "score_difference",
    "points",
    "wins",
    "lots",
]


class TieBreakValue(Struct, frozen=True):
    """A tie-break of an entrant: the sum of the parts that count.

    Direct encounter is the place among the tied instead, with the scores of their encounters as parts, or ``None`` where nobody is tied.
    Lots have no parts, and no value before they are drawn.
    """

    tie_break: TieBreak
    value: Fraction | None
    parts: tuple[Part, ...] = ()


class TieBreakRule(Struct, frozen=True):
    """A tie-break rule. ``reckon`` gives a figure to each entrant who is still tied. An announcement for which ``makes_sense`` is false is
    refused. ``drawn``: by lot, so that nobody is tied after it once they are drawn.
    """

    reckon: Callable[[Field, Sequence[int]], Reckoned]
    makes_sense: Callable[[Plan], bool]
    lowest_first: bool = False
    drawn: bool = False


def compute_tie_breaks(name: TieBreak, of: Field, tied: Sequence[int]) -> dict[int, TieBreakValue]:
    """Return one figure for each of those who are tied so far."""
    return {entrant: TieBreakValue(name, value, parts) for entrant, (value, parts) in TIE_BREAKS[name].reckon(of, tied).items()}


def _sum_of(parts_of: Callable[[Field, int], Iterable[Part]]) -> Callable[[Field, Sequence[int]], Reckoned]:
    def sum_parts(of: Field, tied: Sequence[int]) -> Reckoned:
        found = {entrant: tuple(parts_of(of, entrant)) for entrant in tied}
        return {entrant: (sum((part.value for part in parts if part.counts), Fraction(0)), parts) for entrant, parts in found.items()}

    return sum_parts


def _lots(of: Field, tied: Sequence[int]) -> Reckoned:
    """Return the lots; None before they are drawn, when there is no seed."""
    seed = of.plan.seed
    return {entrant: (Fraction(lot(seed, "lots", entrant)) if seed else None, ()) for entrant in tied}


# Points


def _list_counted_shares(of: Field, entrant: int) -> Iterator[Share]:
    return (share for share in of.rows[entrant] if share.how != "open")


def _points(of: Field, entrant: int) -> Iterator[Part]:
    """Yield game points, where match points are the score."""
    return (adds(share, share.points) for share in _list_counted_shares(of, entrant) if share.how != "absent")


def _score_difference(of: Field, entrant: int) -> Iterator[Part]:
    """Yield own game points above those of the other party; at a table of several parties above each of them, summed."""
    return (adds(share, share.difference) for share in _list_counted_shares(of, entrant) if share.opponents)


def _wins(of: Field, entrant: int) -> Iterator[Part]:
    """Yield tables won by playing, as the games won of article 7.2; forfeits and byes are none, and a shared first place is none."""
    return (adds(share, 1) for share in _list_counted_shares(of, entrant) if share.result == "won")


# Strength of the opponents


def _list_opponent_scores(of: Field, entrant: int) -> Iterator[Part]:
    """Yield the scores of all opponents, each as often as they met (article 8.1); at a table of several parties those of each of them."""
    width = len(of.plan.parties) - 1
    for share in _list_counted_shares(of, entrant):
        if counts_as_played(of, share):
            yield from (adds(share, of.adjusted[opponent], (opponent,)) for opponent in share.opponents)
        else:
            yield from (adds(share, _dummy(of, entrant, share), ()) for _ in range(width))


def _list_scores_without_minimum(of: Field, entrant: int) -> tuple[Part, ...]:
    """Return Buchholz without its lowest part (article 14.1); a dummy of a missed round is cut before all others (16.5)."""
    parts = tuple(_list_opponent_scores(of, entrant))
    missed = {share.round for share in of.rows[entrant] if share.missed and not counts_as_played(of, share)}
    cut = min(range(len(parts)), key=lambda index: (parts[index].round not in missed, parts[index].value), default=-1)
    return tuple(replace(part, counts=index != cut) for index, part in enumerate(parts))


def _weight_opponent_scores(of: Field, entrant: int) -> Iterator[Part]:
    """Yield the score of each opponent times the score against them (article 9.1); where all meet all a bye adds nothing."""
    for share in _list_counted_shares(of, entrant):
        if counts_as_played(of, share):
            yield from (adds(share, of.adjusted[opponent] * share.score, (opponent,)) for opponent in share.opponents)
        elif not FORMATS[of.plan.format].all_meet:
            yield adds(share, _dummy(of, entrant, share) * share.score, ())


def _dummy(of: Field, entrant: int, share: Share) -> Fraction:
    if share.opponents:
        return min(of.scores[entrant], *(of.adjusted[opponent] for opponent in share.opponents))
    rounds = max(share.round for share in of.rows[entrant])
    return min(of.scores[entrant], points_for_draw(of.plan.scoring) * rounds)


# The table


def _has_two_parties(plan: Plan) -> bool:
    return is_head_to_head(plan) and not FORMATS[plan.format].loser_is_out


def _has_opponents(plan: Plan) -> bool:
    return len(plan.parties) > 1


def _by_match_points(plan: Plan) -> bool:
    return plan.scoring.by == "match_points"


def _has_opponent_scores(plan: Plan) -> bool:
    """Return whether the scores of opponents are meaningful: not if all meet all, if partners change, or if only the best continue."""
    several = _has_opponents(plan) and set(table_shape(plan)) == {1}
    return several and _by_match_points(plan) and not plan.smaller_tables and not FORMATS[plan.format].one_field


TIE_BREAKS: Mapping[TieBreak, TieBreakRule] = {
    "direct_encounter": TieBreakRule(rank_by_direct_matches, _has_two_parties, lowest_first=True),
    "buchholz": TieBreakRule(_sum_of(_list_opponent_scores), _has_opponent_scores),
    "buchholz_cut_1": TieBreakRule(_sum_of(_list_scores_without_minimum), _has_opponent_scores),
    "sonneborn_berger": TieBreakRule(_sum_of(_weight_opponent_scores), lambda plan: _has_two_parties(plan) and _by_match_points(plan)),
    "score_difference": TieBreakRule(_sum_of(_score_difference), _has_opponents),
    "points": TieBreakRule(_sum_of(_points), _by_match_points),
    "wins": TieBreakRule(_sum_of(_wins), _has_opponents),
    "lots": TieBreakRule(_lots, lambda _: True, lowest_first=True, drawn=True),
}
