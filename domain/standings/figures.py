"""What tie-breaks are made of: figures, and the parts from which everybody can reckon them again."""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Literal
from uuid import UUID

from msgspec import Struct

from domain.events.tournament import TieBreak, TournamentAnnounced
from domain.standings.crosstable import Crosstable, Share, drawn


class Part(Struct, frozen=True):
    """What one round, or one opponent in it, adds to a figure.

    ``opponents`` is empty for a dummy. ``counts`` is false for what was cut and for what has no result yet.
    """

    round: int
    table: str | None
    how: Literal["open", "played", "forfeited", "bye", "absent"]
    opponents: tuple[int, ...]
    value: Fraction
    games: tuple[UUID, ...]
    counts: bool = True


class Figure(Struct, frozen=True):
    """A tie-break of an entrant: the sum of the parts that count.

    Direct encounter is the place among the tied instead, with the scores of their encounters as parts, or ``None`` where nobody is
    tied. Lots have no parts.
    """

    tie_break: TieBreak
    value: Fraction | None
    parts: tuple[Part, ...] = ()


class Field(Struct, frozen=True):
    """What tie-breaks are reckoned from. ``scores`` by entrant, ``adjusted`` as others reckon with them (16.3)."""

    plan: TournamentAnnounced
    rows: Crosstable
    scores: Mapping[int, Fraction]
    adjusted: Mapping[int, Fraction]


def field(plan: TournamentAnnounced, rows: Crosstable) -> Field:
    scores = {entrant: sum((share.score for share in shares), Fraction(0)) for entrant, shares in rows.items()}
    return Field(plan, rows, scores, {entrant: _adjusted(plan, shares) for entrant, shares in rows.items()})


def _adjusted(plan: TournamentAnnounced, shares: Sequence[Share]) -> Fraction:
    last = max((share.round for share in shares if not share.missed), default=0)
    trailing = sum(share.how == "absent" and share.round > last for share in shares if plan.format != "round_robin")
    return sum((share.score for share in shares), trailing * drawn(plan.scoring))


def score_part(share: Share) -> Part:
    """What a round adds to the score itself."""
    return adds(share, share.score)


def adds(share: Share, value: Fraction | int, opponents: tuple[int, ...] | None = None) -> Part:
    """``opponents``: those of the table unless others are named."""
    met = share.opponents if opponents is None else opponents
    return Part(share.round, share.table, share.how, met, Fraction(value), share.games, share.how != "open")


def played(of: Field, share: Share) -> bool:
    """Whether it counts as played in what is reckoned from encounters: where all meet all a forfeit does (15.2)."""
    return share.how == "played" or (share.how == "forfeited" and of.plan.format == "round_robin")
