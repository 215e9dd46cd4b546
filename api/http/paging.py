"""Links to other pages, cursors, and the epoch in which both hold: where sequences were given anew, nobody reads on as if nothing were."""

import asyncio
from collections import Counter
from collections.abc import Mapping
from urllib.parse import parse_qsl, quote, urlencode

from litestar.types import Scope

from api.http.errors import EpochChanged
from api.http.request import Request, sent, services_of
from api.http.sending import Growing
from domain.journal.epochs import Epoch, common_sequence

EPOCH = "kiebitz-epoch"
"""A header: of answers the epoch in which they hold; of requests the one in which the caller knows what he names."""
_NAME = EPOCH.encode()
_STATE = "epoch"
_MARK = "~"  # stands in no cursor


def next_links(request: Request, **changed: object) -> list[tuple[str, str]]:
    """The header that leads to the next page: the same query, gone on. No header on the last page, where all that changes is ``None``."""
    return page_links(request, changed, {})


def page_links(request: Request, following: Mapping[str, object], previous: Mapping[str, object]) -> list[tuple[str, str]]:
    """The same both ways."""
    changes = {"next": following, "prev": previous}
    found = [link(request, rel, **one) for rel, one in changes.items() if any(value is not None for value in one.values())]
    return [("link", ", ".join(found))] if found else []


def page_before(after: int, limit: int) -> Mapping[str, object]:
    """The page before the one after a number, where every number is told: as long, or up to where this one begins."""
    return {"after": max(0, after - limit), "limit": min(limit, after)} if after else {}


def link(request: Request, rel: str, **changed: object) -> str:
    """The same query with some parameters changed, or without those that are ``None``."""
    given: dict[str, object] = dict(parse_qsl(request.scope["query_string"].decode("latin-1")))
    left = {name: value for name, value in (given | changed).items() if value is not None}
    return f'<{quote(request.scope["path"])}?{urlencode(left)}>; rel="{rel}"'


def cursor_in_epoch(request: Request, cursor: str | None) -> str | None:
    """The cursor as it goes out."""
    return cursor and f"{cursor}{_MARK}{epoch_of(request).id}"


def bare_cursor(cursor: str) -> str:
    """And as it came in, once ``in_present_epoch`` has looked at it."""
    return cursor.partition(_MARK)[0]


def epoch_of(request: Request) -> Epoch:
    """The epoch as it was when the request came in. If another begins meanwhile, the answer names this one: who goes on is told then."""
    found: Epoch = request.scope["state"][_STATE]
    return found


def epoch_mark(request: Request) -> str:
    """What an ETag ends with. After the first epoch a position alone does not say any more what lies there."""
    epoch: Epoch | None = request.scope["state"].get(_STATE)
    return "" if epoch is None or epoch.number == 1 else f".{epoch.id}"


async def in_present_epoch(request: Request) -> None:
    """Raises ``EpochChanged`` where the request names another epoch than the present one: in its header, its query or a cursor."""
    store, named = services_of(request).journal.store, _named(request)
    if named:
        await asyncio.to_thread(store.head)  # another process may have begun one
    request.scope["state"][_STATE] = present = store.epoch
    for one in named:
        if one != present.id and (one or present.number > 1):
            await refuse_epoch(request, one)


async def name_epoch(request: Request) -> None:
    """For sequences from which somebody reads on. Raises ``EpochChanged`` where they have meant different events, and no epoch is named."""
    if epoch_of(request).number > 1 and not any(_named(request)):
        await refuse_epoch(request, "")


async def same_epoch(request: Request) -> None:
    """Raises ``EpochChanged`` where another began since the request came in, so that what was read may be of both."""
    if services_of(request).journal.store.epoch.id != epoch_of(request).id:
        await refuse_epoch(request, epoch_of(request).id)


async def refuse_epoch(request: Request, named: str) -> None:
    """Raises ``EpochChanged``; an empty name stands for one that was not named."""
    store = services_of(request).journal.store
    epochs = await asyncio.to_thread(store.epochs)
    raise EpochChanged(named, epochs[-1].id, common_sequence(epochs, named))


def add_epoch_header(status: int, headers: Growing, scope: Scope) -> None:
    """One of the steps of ``api/http/sending.py``."""
    if _STATE in scope["state"]:
        headers.append((_NAME, scope["state"][_STATE].id.encode()))


def _named(request: Request) -> set[str]:
    """The epochs that the request names. A cursor that was given out before there were epochs names an empty one."""
    header, raw = sent(request, _NAME), request.scope["query_string"]
    named = {header} if header else set()
    if b"epoch=" in raw or b"cursor=" in raw:
        query = dict(parse_qsl(raw.decode("latin-1")))
        if epoch := query.get("epoch"):
            named.add(epoch)
        if cursor := query.get("cursor"):
            named.add(cursor.partition(_MARK)[2])
    return named


# Counters that handlers and hooks raise; ``api/service/metrics.py`` reads them.


class Counts:
    def __init__(self) -> None:
        self.moves = 0
        self.refusals: Counter[str] = Counter()
        self.requests: Counter[str] = Counter()
        self.sign_ins: Counter[str] = Counter()
        self.deliveries: Counter[str] = Counter()

    def refused(self, code: str) -> None:
        self.refusals[code] += 1

    def sent(self, status: int, headers: Growing, scope: Scope) -> None:
        """One of the steps of ``api/http/sending.py``."""
        self.requests[f"{status // 100}xx"] += 1
