"""What goes out about who looked."""

from api.common.looks import LookView
from api.http.fields import Outgoing


class Looks(Outgoing, frozen=True, kw_only=True):
    """The newest minute first. ``next`` is the cursor of the following page, null on the last."""

    looks: list[LookView]
    next: str | None
