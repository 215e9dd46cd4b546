"""From a request to a command of the journal: who, on which position, under which key."""

import asyncio
from datetime import datetime
from hashlib import sha256
from itertools import islice
from typing import cast
from uuid import UUID

from api.common.event_views import done, told_all
from api.common.reading import line_of
from api.http.answers import Done
from api.http.counts import Counts
from api.http.decoding import moment
from api.http.errors import BadRequest, Overtaken
from api.http.negotiation import expected_position
from api.http.response import (
    Answer,
    Asked,
    encoded,
    house_of,
    sent,
)
from domain.errors import Stale
from domain.events import MovePlayed
from domain.game import Game
from domain.journal.application import Decide
from domain.journal.calls import Call, Note, Receipt
from domain.sight import Who

_LONGEST_KEY = 200
_MISSED = 100


def sees(asked: Asked) -> Who:
    """With whose eyes the caller reads what he did not ask for by a view."""
    return "arbiter" if asked.user.sees_all else "public"


async def call_of(asked: Asked, happened_at: datetime | None = None) -> Call:
    """Raises ``BadRequest`` for headers that cannot be meant."""
    if_match, key = sent(asked, b"if-match"), key_of(asked)
    return Call(
        by=asked.user.id,
        expected=None if if_match is None else expected_position(if_match),
        key=key,
        fingerprint="" if key is None else fingerprint(asked, await asked.body()),
        happened_at=moment(happened_at, "happened_at"),
    )


def key_of(asked: Asked) -> str | None:
    """The Idempotency-Key. Raises ``BadRequest``."""
    key = sent(asked, b"idempotency-key")
    if key is not None and not (1 <= len(key) <= _LONGEST_KEY and key.isascii() and key.isprintable()):
        raise BadRequest("bad_header", f"a key has 1 to {_LONGEST_KEY} printable characters of ASCII", "Idempotency-Key")
    return key


def fingerprint(asked: Asked, body: bytes) -> str:
    """What has to be the same for two requests to be one."""
    asking = f"{asked.method}\n{asked.url.path}\n".encode() + asked.scope["query_string"] + b"\n"
    return sha256(asking + body).hexdigest()


async def commit(
    asked: Asked, game: UUID, decide: Decide, *, happened_at: datetime | None = None, note: Note | None = None
) -> Receipt[Game]:
    """Decides and records. Raises ``Overtaken`` where ``If-Match`` did not hold."""
    journal, call = house_of(asked).journal, await call_of(asked, happened_at)
    try:
        receipt = await journal.commit(call, game, noted(asked, decide), note)
    except Stale as stale:
        if call.expected is None:
            raise
        raise Overtaken(stale, await asyncio.to_thread(_missed, asked, stale)) from stale
    count(asked, receipt)
    return receipt


def count(asked: Asked, receipt: Receipt[Game]) -> None:
    """For the metrics; what was only answered again does not count."""
    if not receipt.repeated:
        cast(Counts, asked.app.state["counts"]).moves += sum(isinstance(one.event, MovePlayed) for one in receipt.events)


def noted(asked: Asked, decide: Decide) -> Decide:
    """The same decision; which ruleset it asked is kept with the request, so that a refusal can be put into its words."""

    def deciding(game: Game):  # type: ignore[no-untyped-def]
        asked.scope["state"]["ruleset"] = game.setup.ruleset
        return decide(game)

    return deciding


def _missed(asked: Asked, stale: Stale) -> bytes:
    told = told_all(house_of(asked).journal.game(stale.stream), line_of(asked, stale.stream), sees(asked), stale.expected)
    return encoded(list(islice(told, _MISSED)))


def recorded(asked: Asked, receipt: Receipt[Game]) -> Answer:
    """201: what was recorded, where it stands, and the position for the next ``If-Match``."""
    return _answer(done(receipt, sees(asked)), receipt, f"/v1/games/{receipt.after.id}/history?after={receipt.events[0].position - 1}")


def opened(asked: Asked, receipt: Receipt[Game]) -> Answer:
    return _answer(done(receipt, sees(asked)), receipt, f"/v1/games/{receipt.after.id}")


def _answer(body: Done, receipt: Receipt[Game], location: str) -> Answer:
    headers = (("location", location), ("etag", f'"{receipt.after.position}"'), ("cache-control", "no-store"))
    return Answer(encoded(body), status=201, headers=headers)
