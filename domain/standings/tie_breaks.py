"""Tie-breaks: what each is, and how it is reckoned.

Names and definitions are those of the FIDE Handbook, C.07 Play-Off and Tie-Break Regulations, in the edition of 1 March 2026; what
differs for card tables is said at each. A round without play is judged as article 16 does:

- In the figures of *others* an entrant counts with his adjusted score (16.3): rounds at the end that he missed without an opponent
  count as drawn, everything else as it stands.
- In his *own* figures he met a dummy (16.4), which has his own score; but no more than the adjusted score of who should have been his
  opponent, or without any than what all rounds so far would bring if all were drawn.
- Where all meet all, a forfeit counts as if it had been played (15.2), and rounds without an opponent count for nothing.

Nothing here is rounded.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction

from msgspec.structs import replace

from domain.events.tournament import TieBreak
from domain.standings.crosstable import Share, drawn
from domain.standings.direct_encounter import direct_encounter
from domain.standings.figures import Field, Figure, Part, adds, played
from domain.standings.lots import lot

LOWEST_FIRST: frozenset[TieBreak] = frozenset({"direct_encounter", "lots"})


def figures(name: TieBreak, of: Field, tied: Sequence[int]) -> dict[int, Figure]:
    """One figure for each of those who are tied so far."""
    if name == "direct_encounter":
        return direct_encounter(of, tied)
    return {entrant: _figure(name, _PARTS[name](of, entrant)) if name in _PARTS else _lot(of, entrant) for entrant in tied}


def _figure(name: TieBreak, parts: Iterable[Part]) -> Figure:
    kept = tuple(parts)
    return Figure(name, sum((part.value for part in kept if part.counts), Fraction(0)), kept)


def _lot(of: Field, entrant: int) -> Figure:
    return Figure("lots", Fraction(lot(of.plan.seed, "lots", entrant)))


# Points


def _counted(of: Field, entrant: int) -> Iterator[Share]:
    return (share for share in of.rows[entrant] if share.how != "open")


def _points(of: Field, entrant: int) -> Iterator[Part]:
    """Game points, where match points are the score."""
    return (adds(share, share.points) for share in _counted(of, entrant) if share.how != "absent")


def _score_difference(of: Field, entrant: int) -> Iterator[Part]:
    """Own game points above those of the other party; at a table of several parties above each of them, summed."""
    return (adds(share, share.difference) for share in _counted(of, entrant) if share.opponents)


def _wins(of: Field, entrant: int) -> Iterator[Part]:
    """Tables won by playing, as the games won of article 7.2; forfeits and byes are none, and a shared first place is none."""
    return (adds(share, 1) for share in _counted(of, entrant) if share.result == "won")


# Strength of the opponents


def _buchholz(of: Field, entrant: int) -> Iterator[Part]:
    """Article 8.1: the scores of all opponents, each as often as they met; at a table of several parties those of each of them."""
    width = len(of.plan.parties) - 1
    for share in _counted(of, entrant):
        if played(of, share):
            yield from (adds(share, of.adjusted[opponent], (opponent,)) for opponent in share.opponents)
        else:
            yield from (adds(share, _dummy(of, entrant, share), ()) for _ in range(width))


def _buchholz_cut_1(of: Field, entrant: int) -> tuple[Part, ...]:
    """Article 14.1: Buchholz without its lowest part; a dummy of a round that he missed goes before all others (16.5)."""
    parts = tuple(_buchholz(of, entrant))
    missed = {share.round for share in of.rows[entrant] if share.missed and not played(of, share)}
    cut = min(range(len(parts)), key=lambda index: (parts[index].round not in missed, parts[index].value), default=-1)
    return tuple(replace(part, counts=index != cut) for index, part in enumerate(parts))


def _sonneborn_berger(of: Field, entrant: int) -> Iterator[Part]:
    """Article 9.1: the score of each opponent times what was scored against him; where all meet all a bye adds nothing."""
    for share in _counted(of, entrant):
        if played(of, share):
            yield from (adds(share, of.adjusted[opponent] * share.score, (opponent,)) for opponent in share.opponents)
        elif of.plan.format != "round_robin":
            yield adds(share, _dummy(of, entrant, share) * share.score, ())


def _dummy(of: Field, entrant: int, share: Share) -> Fraction:
    if share.opponents:
        return min(of.scores[entrant], *(of.adjusted[opponent] for opponent in share.opponents))
    rounds = max(share.round for share in of.rows[entrant])
    return min(of.scores[entrant], drawn(of.plan.scoring) * rounds)


_PARTS: Mapping[TieBreak, Callable[[Field, int], Iterable[Part]]] = {
    "buchholz": _buchholz,
    "buchholz_cut_1": _buchholz_cut_1,
    "sonneborn_berger": _sonneborn_berger,
    "score_difference": _score_difference,
    "points": _points,
    "wins": _wins,
}
