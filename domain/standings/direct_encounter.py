"""Direct encounter: what the tied scored against each other (FIDE C.07, article 6)."""

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction

from domain.standings.figures import Field, Part, Reckoned, adds, played


def direct_encounter(of: Field, tied: Sequence[int]) -> Reckoned:
    """The average counts where two met more than once.

    Who did not meet all the others goes first only if he stays there whatever the missing encounters would have brought. Those who
    are still tied are compared again among themselves.
    """
    if len(tied) == 1:
        return {tied[0]: (None, ())}
    found: dict[int, tuple[Fraction, tuple[Part, ...]]] = {}
    place = 1
    for group in _ranked(of, tied):
        for entrant in group:
            found[entrant] = Fraction(place), tuple(_encounters(of, entrant, tied))
        place += len(group)
    return found


def _ranked(of: Field, tied: Sequence[int]) -> Iterator[tuple[int, ...]]:
    groups = _split(of, tied)
    for group in groups:
        if len(group) == 1 or len(groups) == 1:
            yield tuple(group)
        else:
            yield from _ranked(of, group)


def _split(of: Field, tied: Sequence[int]) -> list[list[int]]:
    """The tied, in groups that stand apart."""
    scored = {entrant: _scored(of, entrant, tied) for entrant in tied}
    if any(missing for _, missing in scored.values()):
        return _certain(of, scored)
    values = sorted({value for value, _ in scored.values()}, reverse=True)
    return [[entrant for entrant in tied if scored[entrant][0] == value] for value in values]


def _certain(of: Field, scored: Mapping[int, tuple[Fraction, int]]) -> list[list[int]]:
    """Who leads for certain stands alone, one after the other; the rest stays together. Game points have no bound to reckon with."""
    if of.plan.scoring.by == "points":
        return [list(scored)]
    win = max(of.plan.scoring.places, default=0)
    best = {entrant: value + missing * win for entrant, (value, missing) in scored.items()}
    rest = sorted(scored, key=lambda entrant: (-scored[entrant][0], -best[entrant]))
    alone = []
    while len(rest) > 1 and scored[rest[0]][0] > max(best[other] for other in rest[1:]):
        alone.append([rest.pop(0)])
    return [*alone, rest]


def _scored(of: Field, entrant: int, tied: Sequence[int]) -> tuple[Fraction, int]:
    """What he scored against the others, and how many of them he did not meet."""
    met: dict[int, list[Fraction]] = {}
    for one in _encounters(of, entrant, tied):
        met.setdefault(one.opponents[0], []).append(one.value)
    averages = (sum(values, Fraction(0)) / len(values) for values in met.values())
    return sum(averages, Fraction(0)), len(tied) - 1 - len(met)


def _encounters(of: Field, entrant: int, tied: Sequence[int]) -> Iterator[Part]:
    among = frozenset(tied)
    met = (share for share in of.rows[entrant] if share.opponents and played(of, share))
    return (adds(share, share.score) for share in met if among.issuperset(share.opponents))
