"""Pagination: links between pages, cursors, and the epoch of the store in which they are valid.

Where a new epoch gave sequences anew, an old cursor is refused, so that no reader continues in other events.
"""

import asyncio
from collections import Counter
from collections.abc import Mapping
from urllib.parse import parse_qsl, quote, urlencode

from litestar.types import Scope

from api.http.errors import EpochChanged
from api.http.request import Request, read_header, services_of
from api.http.sending import Growing
from domain.journal.epochs import Epoch, common_sequence

EPOCH = "kiebitz-epoch"
"""A header: in responses the epoch in which they are valid; in requests the epoch of what the caller names."""
_NAME = EPOCH.encode()
_STATE = "epoch"
_MARK = "~"  # occurs in no cursor


def next_links(request: Request, **changed: object) -> list[tuple[str, str]]:
    """Return the link header to the next page: the same query with these changes. None on the last page, where all changes are ``None``."""
    return page_links(request, changed, {})


def page_links(request: Request, following: Mapping[str, object], previous: Mapping[str, object]) -> list[tuple[str, str]]:
    """Return the link header to the next and the previous page."""
    changes = {"next": following, "prev": previous}
    found = [link(request, rel, **one) for rel, one in changes.items() if any(value is not None for value in one.values())]
    return [("link", ", ".join(found))] if found else []


def page_before(after: int, limit: int) -> Mapping[str, object]:
    """Return the parameters of the previous page of consecutive numbers: of the same length, or up to the beginning of this page."""
    return {"after": max(0, after - limit), "limit": min(limit, after)} if after else {}


def link(request: Request, rel: str, **changed: object) -> str:
    """Return a link with the same query and some parameters changed, or without those that are ``None``."""
    given: dict[str, object] = dict(parse_qsl(request.scope["query_string"].decode("latin-1")))
    left = {name: value for name, value in (given | changed).items() if value is not None}
    return f'<{quote(request.scope["path"])}?{urlencode(left)}>; rel="{rel}"'


def cursor_in_epoch(request: Request, cursor: str | None) -> str | None:
    """Return the cursor with its epoch, for the response."""
    return cursor and f"{cursor}{_MARK}{epoch_of(request).id}"


def bare_cursor(cursor: str) -> str:
    """Return the cursor of a request without its epoch, which ``in_present_epoch`` has checked."""
    return cursor.partition(_MARK)[0]


def epoch_of(request: Request) -> Epoch:
    """Return the epoch as of the beginning of the request.

    If another begins meanwhile, the response still names this one, and the next request is refused.
    """
    found: Epoch = request.scope["state"][_STATE]
    return found


def epoch_mark(request: Request) -> str:
    """Return the end of an ETag. After the first epoch a position alone does not identify the content any more."""
    epoch: Epoch | None = request.scope["state"].get(_STATE)
    return "" if epoch is None or epoch.number == 1 else f".{epoch.id}"


async def in_present_epoch(request: Request) -> None:
    """Raise ``EpochChanged`` where the request names another epoch than the present one: in its header, its query or a cursor."""
    store, named = services_of(request).journal.store, _list_named_epochs(request)
    if named:
        await asyncio.to_thread(store.head)  # reading the head also notices an epoch that another process began
    request.scope["state"][_STATE] = present = store.epoch
    for one in named:
        if one != present.id and (one or present.number > 1):
            await raise_epoch_changed(request, one)


async def name_epoch(request: Request) -> None:
    """Require an epoch for sequences from which a reader continues. Raises ``EpochChanged`` if there were several
    epochs and none is named.
    """
    if epoch_of(request).number > 1 and not any(_list_named_epochs(request)):
        await raise_epoch_changed(request, "")


async def same_epoch(request: Request) -> None:
    """Raise ``EpochChanged`` where another began since the request came in, so that the data may be of both."""
    if services_of(request).journal.store.epoch.id != epoch_of(request).id:
        await raise_epoch_changed(request, epoch_of(request).id)


async def raise_epoch_changed(request: Request, named: str) -> None:
    """Raise ``EpochChanged``; an empty name stands for an epoch that was not named."""
    store = services_of(request).journal.store
    epochs = await asyncio.to_thread(store.epochs)
    raise EpochChanged(named, epochs[-1].id, common_sequence(epochs, named))


def add_epoch_header(status: int, headers: Growing, scope: Scope) -> None:
    """Add the header ``Kiebitz-Epoch``. A step of ``api/http/sending.py``."""
    if _STATE in scope["state"]:
        headers.append((_NAME, scope["state"][_STATE].id.encode()))


def _list_named_epochs(request: Request) -> set[str]:
    """Return the epochs that the request names. A cursor from before there were epochs names an empty one."""
    header, raw = read_header(request, _NAME), request.scope["query_string"]
    named = {header} if header else set()
    if b"epoch=" in raw or b"cursor=" in raw:
        query = dict(parse_qsl(raw.decode("latin-1")))
        if epoch := query.get("epoch"):
            named.add(epoch)
        if cursor := query.get("cursor"):
            named.add(cursor.partition(_MARK)[2])
    return named


# Counters that handlers and hooks increase; ``api/service/metrics.py`` reads them.


class Counts:
    def __init__(self) -> None:
        self.moves = 0
        self.refusals: Counter[str] = Counter()
        self.requests: Counter[str] = Counter()
        self.sign_ins: Counter[str] = Counter()
        self.deliveries: Counter[str] = Counter()

    def count_refusal(self, code: str) -> None:
        self.refusals[code] += 1

    def count_response(self, status: int, headers: Growing, scope: Scope) -> None:
        """Count a response. A step of ``api/http/sending.py``."""
        self.requests[f"{status // 100}xx"] += 1
