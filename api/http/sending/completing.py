"""The headers that every answer has."""

from litestar.types import Message, Scope

from api.http.sending.headers import varying
from api.http.sending.origins import Origins
from api.http.sending.quotas import quota_of
from api.http.sending.request_ids import request_id_of


class Completing:
    def __init__(self, origins: Origins) -> None:
        self._origins = origins

    async def complete(self, message: Message, scope: Scope) -> None:
        """Litestar calls it before each message that is sent."""
        if message["type"] != "http.response.start":
            return
        headers = [*message["headers"], (b"request-id", request_id_of(scope).encode()), *quota_of(scope), *self._origins.headers(scope)]
        if any(name == b"vary" and b"authorization" in value for name, value in headers):
            headers = varying(headers, b"cookie")  # who sends no token may be known by his cookie
        message["headers"] = varying(headers, b"origin") if self._origins.vary else headers
