"""The filters of the feed."""

from typing import Annotated

from msgspec import Meta

from api.http.fields import Incoming, Limit, Whole
from domain.journal.feed import StreamKind


class FeedQuery(Incoming, frozen=True, kw_only=True):
    """``as_of``: nothing beyond this sequence. ``wait``: so many seconds, if there is nothing yet."""

    after: Whole = 0
    limit: Limit = 100
    kind: StreamKind | None = None
    name: Annotated[str, Meta(description="of the events; without a version all of them", examples=["game.opened"])] | None = None
    as_of: Whole | None = None
    min_sequence: Whole | None = None
    epoch: Annotated[str, Meta(description="the one in which `after` was told; 409 if another one has begun")] | None = None
    wait: Annotated[int, Meta(ge=0, le=30)] = 0
