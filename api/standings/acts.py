"""What officials did in the games of a tournament between two moments of its standings."""

from datetime import datetime
from uuid import UUID

from api.http.response import Asked, house_of
from api.standings.moments import Moment
from api.standings.responses import ActTold
from domain.events import DisputeRuled, GameAbandoned, GameAnnulled, GameRewound, MoveStood, PointsAdjusted, Recorded, TableRectified

_ACTS = (DisputeRuled, GameAbandoned, GameAnnulled, GameRewound, MoveStood, PointsAdjusted, TableRectified)
_BACK = 100
"""So many sequences before one that was not recorded somebody looks for its time: those of commands that failed are left out."""


def acts_between(asked: Asked, games: set[UUID], first: Moment, last: Moment) -> list[ActTold]:
    """What officials did in these games between the two moments, or ever if they are rounds, in the order in which they did it."""
    since, until = _time(asked, first), _time(asked, last)
    history = (recorded for game in games for recorded in house_of(asked).journal.history(game))
    acts = (_act(one) for one in history if isinstance(one.event, _ACTS) and not _is_undo(one))
    between = (one for one in acts if (since is None or one.at > since) and (until is None or one.at <= until))
    return sorted(between, key=lambda one: one.at)


def _is_undo(recorded: Recorded) -> bool:
    """A recorder's own slip, taken back."""
    return isinstance(recorded.event, GameRewound) and recorded.event.ruling is None


def _act(recorded: Recorded) -> ActTold:
    return ActTold(
        game=recorded.stream,
        position=recorded.position,
        name=recorded.name,
        at=recorded.stamp.at,
        ruling=getattr(recorded.event, "ruling", None),
        url=f"/v1/games/{recorded.stream}/history?after={recorded.position - 1}&limit=1",
    )


def _time(asked: Asked, moment: Moment) -> datetime | None:
    """When the moment was; ``None`` for now, which a round is, too."""
    if moment.sequence is None:
        return moment.at
    events = house_of(asked).journal.feed(max(0, moment.sequence - _BACK), _BACK)
    return max((recorded.stamp.at for sequence, recorded in events if sequence <= moment.sequence), default=None)
