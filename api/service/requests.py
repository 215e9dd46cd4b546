"""The filters of the feed."""

from typing import Annotated
from uuid import UUID

from msgspec import Meta

from api.http.fields import Incoming, Limit, MinSequence, Name, Whole
from domain.journal.feed import EVENT_NAMES, StreamKind

_NAMES = {"enum": list(EVENT_NAMES)}


class FeedQuery(Incoming, frozen=True, kw_only=True):
    """Where to go on, and which entries."""

    after: Annotated[Whole, Meta(description="only what was recorded after this sequence; `next` of the page before")] = 0
    limit: Limit = 100
    kind: Annotated[StreamKind | None, Meta(description="only events of games, of tournaments, or of players")] = None
    name: (
        Annotated[
            Name, Meta(description="of the events; without a version all of them", examples=["game.opened"], extra_json_schema=_NAMES)
        ]
        | None
    ) = None
    game: Annotated[UUID | None, Meta(description="only events of this game")] = None
    tournament: Annotated[Name, Meta(description="only events of this tournament, and of all its games")] | None = None
    as_of: Annotated[Whole | None, Meta(description="nothing beyond this sequence")] = None
    min_sequence: MinSequence = None
    epoch: Annotated[Name, Meta(description="the one in which `after` was told; 409 if another one has begun")] | None = None
    wait: Annotated[int, Meta(ge=0, le=30, description="so many seconds, if there is nothing yet")] = 0
