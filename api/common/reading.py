"""What all reads share: whose eyes, which position, and whether the caller knows the answer already."""

import asyncio
from collections import deque
from collections.abc import Callable, Iterable
from hashlib import sha256
from typing import cast
from urllib.parse import parse_qsl, urlencode
from uuid import UUID

from api.http.errors import Forbidden
from api.http.negotiation import is_known
from api.http.response import Answer, Asked, header
from api.http.tokens import OFFICIALS
from domain.errors import Unknown
from domain.game import Game
from domain.sight import Who
from domain.table import Table
from replay.lines import STRIDE, Line, Lines

NO_CACHE = "no-cache"
FOR_EVER = "private, max-age=31536000, immutable"
FOR_AN_HOUR = "private, max-age=3600"


def line_of(asked: Asked, id: UUID) -> Line:
    """The past of a game that is known to exist."""
    return cast(Lines, asked.app.state["lines"]).of(id)


async def game_at(asked: Asked, game: Game, position: int) -> Game:
    """The game as it stood at a position. Raises ``Unknown``."""
    if position == game.position:
        return game
    if not 1 <= position < game.position:
        raise Unknown("position", position)
    return await asyncio.to_thread(_folded, line_of(asked, game.id), position)


def _folded(line: Line, position: int) -> Game:
    # From the beginning of its stretch on: in damaged history the event at the position itself may be missing.
    last = deque(line.steps((position - 1) // STRIDE * STRIDE, position), maxlen=1)
    if not last:
        raise Unknown("position", position)
    return last[0].after


async def table_of(asked: Asked, game: Game, position: int) -> Table:
    """The table as it stood at a position of the game. Raises ``Unknown``."""
    if position == game.position:
        return game.table
    if not 1 <= position < game.position:
        raise Unknown("position", position)
    return await asyncio.to_thread(line_of(asked, game.id).at, position, game.position)


def eyes(asked: Asked, game: Game, position: int, view: str | None) -> Who:
    """Whose view it is: the one asked for, or the most that the token may see. Raises ``Forbidden`` and ``Unknown``."""
    if view is None:
        return "arbiter" if asked.user.sees_all else "public"
    who: Who = int(view.removeprefix("seat:")) if view.startswith("seat:") else "arbiter" if view == "arbiter" else "public"
    if isinstance(who, int) and who >= game.setup.seats:
        raise Unknown("seat", who)
    if who != "public" and not asked.user.sees_all and not game.is_open(position):
        raise Forbidden(
            f"a {asked.user.role} sees what the public may see until the game is open; this view takes the role {' or '.join(OFFICIALS)}",
            *OFFICIALS,
        )
    return who


def next_link(asked: Asked, **changed: object) -> str:
    """The Link to the next page: the same query, gone on."""
    return link(asked, "next", **changed)


def link(asked: Asked, rel: str, **changed: object) -> str:
    """The same query with some parameters changed, or without those that are ``None``."""
    given: dict[str, object] = dict(parse_qsl(asked.scope["query_string"].decode("latin-1")))
    left = {name: value for name, value in (given | changed).items() if value is not None}
    return f'<{asked.url.path}?{urlencode(left)}>; rel="{rel}"'


def named(who: Who) -> str:
    return f"seat:{who}" if isinstance(who, int) else who


def mark(body: bytes) -> str:
    """What an ETag needs besides the position where words of people are told: they are erased without a new position."""
    return sha256(body).hexdigest()[:32]


def tagged(
    asked: Asked,
    etag: str,
    body: Callable[[], bytes],
    *,
    media_type: str = "application/json",
    cache: str = NO_CACHE,
    headers: Iterable[tuple[str, str]] = (),
    vary: str = "authorization",
) -> Answer:
    """The answer with its ETag, or 304 where the caller holds it already; then nothing is encoded."""
    etag = f'"{etag}"'
    common = [("etag", etag), ("cache-control", cache), ("vary", vary), *headers]
    if is_known(header(asked, b"if-none-match"), etag):
        return Answer(b"", status=304, headers=common)
    return Answer(body(), media_type=media_type, headers=common)
