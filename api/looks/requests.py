"""Requests about who looked."""

from api.http.fields import Cursor, Incoming, ShortLimit


class LooksQuery(Incoming, frozen=True, kw_only=True):
    cursor: Cursor = None
    limit: ShortLimit = 50
