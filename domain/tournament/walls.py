"""What the screens in the hall of a tournament show: a register, no event. Only what stands now is kept.

Nothing is recorded by it, and nothing rests on it; words that were on the wall are gone once others are.
"""

from typing import Literal, TypeAlias

from msgspec import Struct

Shown: TypeAlias = Literal["pairings", "standings", "tables", "clock", "notice"]
PairingsBy: TypeAlias = Literal["name", "table"]
ClockCounts: TypeAlias = Literal["round", "break"]


class WallClock(Struct, frozen=True):
    """Counts down to the end of the round, or to the next one: until a moment (RFC 3339 in UTC), or stopped with so many seconds left."""

    counts: ClockCounts
    until: str | None = None
    left: int | None = None


class WallPlan(Struct, frozen=True):
    """All but the words. ``turn``: so many seconds a page stays."""

    show: Shown = "pairings"
    by: PairingsBy | None = None
    round: int | None = None
    clock: WallClock | None = None
    turn: int | None = None


class Wall(Struct, frozen=True):
    """``version`` rises with every change, from 1; 0 where nobody has chosen anything yet."""

    version: int = 0
    plan: WallPlan = WallPlan()
    message: str | None = None
    changed_at: str | None = None
    changed_by: str | None = None
