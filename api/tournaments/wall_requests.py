"""Requests about the wall, the content of the screens in the hall."""

from typing import Annotated, TypeAlias

from msgspec import Meta

from api.http.decoding import Follow, Incoming, Number, Timestamp, Whole
from domain.tournament.publication import ClockCounts, PairingsBy, Shown

WallWords: TypeAlias = Annotated[str, Meta(min_length=1, max_length=500)]


class WallPhaseBody(Incoming, frozen=True, kw_only=True):
    """A phase of the clock after the time before is over."""

    counts: Annotated[ClockCounts, Meta(description="until the end of the round, of its last hand, or of the break")]
    seconds: Annotated[int, Meta(ge=1, le=86_400, description="how long it takes")]


class WallClockBody(Incoming, frozen=True, kw_only=True):
    """A clock: it runs ``until`` a moment, or stands still with so many seconds ``left``: one of the two."""

    counts: Annotated[ClockCounts, Meta(description="until the end of the round, of its last hand, or of the break")]
    until: Annotated[Timestamp | None, Meta(description="the moment at which it ends")] = None
    left: Annotated[int, Meta(ge=0, le=86_400, description="seconds that are left while it stands still")] | None = None
    phases: Annotated[tuple[WallPhaseBody, ...], Meta(max_length=10, description="they follow the first time, one after the other")] = ()


class PutWall(Incoming, frozen=True, kw_only=True):
    """The whole content of the wall from now on: what is left out is not on it any more."""

    show: Annotated[
        Shown,
        Meta(
            description=(
                "the content of the wall; `clock` and `notice` need the field of the same name. `current`: pairings while a round is "
                "played, else the standings, or the bracket. `prizes`: the standings from below, without the `hidden` places"
            )
        ),
    ]
    by: Annotated[PairingsBy | None, Meta(description="in which order pairings stand; left out, by name")] = None
    round: Annotated[Number | None, Meta(description="of this round; left out, of the one that is in play")] = None
    message: Annotated[WallWords | None, Meta(description="words for everybody who can read the tournament")] = None
    clock: Annotated[WallClockBody | None, Meta(description="of the round, or of the break; beside whatever else is shown")] = None
    turn: Annotated[int, Meta(ge=3, le=600, description="seconds that a page stays, where there are several")] | None = None
    hidden: Annotated[int, Meta(ge=0, le=1000, description="places at the top that `prizes` does not show yet; left out: 3")] | None = None


class WallStreamQuery(Incoming, frozen=True, kw_only=True):
    """The version to begin after, unless ``Last-Event-ID`` gives one."""

    after: Annotated[Whole | None, Meta(description="the version that the caller knows; left out: the present one comes first")] = None
    follow: Follow = True


class WallQuery(Incoming, frozen=True, kw_only=True):
    """The wait for a change. With ``wait`` the response comes as soon as the wall differs from version ``after``."""

    after: Annotated[Whole | None, Meta(description="the version that the caller knows")] = None
    wait: Annotated[int, Meta(ge=0, le=30, description="seconds to wait for another version")] = 0
