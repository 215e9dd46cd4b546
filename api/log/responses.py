"""Requests and responses about the log."""

from typing import Annotated

from msgspec import Meta

from api.http.decoding import Incoming, Number, ResponseModel
from replay.proof.making import View


class Consistency(ResponseModel, frozen=True, kw_only=True):
    """A consistency proof: the older tree is the beginning of the newer one (RFC 9162, 2.1.4)."""

    path: Annotated[tuple[str, ...], Meta(description="hashes in base64")]


class ConsistencyQuery(Incoming, frozen=True, kw_only=True):
    old: Annotated[Number, Meta(description="the size of the older tree, as its checkpoint says")] = 1
    new: Annotated[Number | None, Meta(description="the size of the newer one; left out, of the newest checkpoint")] = None


class ProofQuery(Incoming, frozen=True, kw_only=True):
    view: Annotated[
        View | None,
        Meta(
            description=(
                "`full`: the record, for callers who see everything; `seat:0`, … or `public`: the history of that view; by "
                "default the most that the token may see"
            )
        ),
    ] = None
    position: Annotated[Number | None, Meta(description="up to this position; by default as far as this view saw the game")] = None
    wait: Annotated[int, Meta(ge=0, le=30, description="seconds to wait while its last event is in no checkpoint")] = 0
