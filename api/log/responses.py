"""Responses about the log."""

from typing import Annotated

from msgspec import Meta

from api.http.decoding import ResponseModel


class Consistency(ResponseModel, frozen=True, kw_only=True):
    """A consistency proof: the older tree is the beginning of the newer one (RFC 9162, 2.1.4)."""

    path: Annotated[tuple[str, ...], Meta(description="hashes in base64")]
