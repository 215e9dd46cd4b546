"""What officials did in the games of a tournament between two moments of its standings."""

from datetime import datetime
from uuid import UUID

from api.http.request import Request, services_of
from api.standings.as_of import AsOf
from api.standings.responses import ActView
from domain.events import Event, Recorded
from domain.events.game import ACTS, Act, GameRewound

_BACK = 100
"""So many sequences before one that was not recorded somebody looks for its time: those of commands that failed are left out."""


def acts_between(request: Request, games: set[UUID], first: AsOf, last: AsOf) -> list[ActView]:
    """What officials did in these games between the two moments, or ever if they are rounds, in the order in which they did it."""
    since, until = _time(request, first), _time(request, last)
    history = (recorded for game in games for recorded in services_of(request).journal.history(game))
    acts = (_act(one) for one in history if _moves_standings(one.event))
    between = (one for one in acts if (since is None or one.at > since) and (until is None or one.at <= until))
    return sorted(between, key=lambda one: one.at)


def _moves_standings(event: Event) -> bool:
    """Not a recorder's own slip, taken back."""
    return event.ruling is not None if isinstance(event, GameRewound) else isinstance(event, Act) and ACTS[type(event)].moves_standings


def _act(recorded: Recorded) -> ActView:
    return ActView(
        game=recorded.stream,
        position=recorded.position,
        name=recorded.name,
        at=recorded.stamp.at,
        ruling=getattr(recorded.event, "ruling", None),
        url=f"/v1/games/{recorded.stream}/history?after={recorded.position - 1}&limit=1",
    )


def _time(request: Request, as_of: AsOf) -> datetime | None:
    """When the moment was; ``None`` for now, which a round is, too."""
    if as_of.sequence is None:
        return as_of.at
    events = services_of(request).journal.feed(max(0, as_of.sequence - _BACK), _BACK)
    return max((recorded.stamp.at for sequence, recorded in events if sequence <= as_of.sequence), default=None)
