"""The prize list: funds of amounts by place, for all entrants or for a category, with prizes shared between equals."""

from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from itertools import groupby

from msgspec import Struct

from domain.standings.standings import StandingsRow


class PrizePool(Struct, frozen=True, forbid_unknown_fields=True):
    """The prizes of a category, the first prize first, as numbers; ``category`` None: for all entrants."""

    category: str | None
    amounts: tuple[int, ...]


class Award(Struct, frozen=True):
    """A prize. ``place``: among those who can win in its fund; ``amount``: what is left of shared prizes after division, exactly."""

    category: str | None
    place: int
    entrant: int
    amount: Fraction


def share_prize_pools(funds: Iterable[PrizePool], rows: Sequence[StandingsRow], category_of: Mapping[int, str | None]) -> tuple[Award, ...]:
    """Return the prizes, fund by fund. Entrants with equal places share the sum of the prizes for them. Nobody has two prizes: who won one
    of an earlier fund leaves the later ones to others.
    """
    awards: list[Award] = []
    for fund in funds:
        winners = {one.entrant for one in awards}
        fit = [row for row in rows if not row.taken_out and row.entrant not in winners]
        able = [row for row in fit if fund.category is None or category_of.get(row.entrant) == fund.category]
        place = 0
        for _, tied in groupby(able, key=lambda row: row.place):
            equals = list(tied)
            share = Fraction(sum(fund.amounts[place : place + len(equals)]), len(equals))
            awards += [Award(fund.category, place + 1, row.entrant, share) for row in equals if share]
            place += len(equals)
    return tuple(awards)
