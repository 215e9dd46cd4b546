"""Figures of tie-breaks: the values that they are computed from, and the parts by which anybody can check them."""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from hashlib import sha256
from typing import Literal, TypeAlias
from uuid import UUID

from msgspec import Struct

from domain.standings.cross_table import Crosstable, Share, points_for_draw
from domain.standings.plan import FORMATS, Plan


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
