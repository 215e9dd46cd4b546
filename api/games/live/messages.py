"""What those are told who follow a game: its frames as messages, made once for all who see alike."""

import asyncio
from collections.abc import Iterable
from functools import partial
from itertools import islice
from typing import NamedTuple

from api.common.around import around_tag
from api.common.live.event_stream import message
from api.common.live.followed import FollowedGame
from api.common.reading import past_of
from api.games.frames import frame_maker
from api.games.replaying.seated import Names, names_tag
from api.games.replaying.starts import in_turn, start_maker
from api.http.request import Request, language_of, services_of
from api.http.response import encode
from domain.game import Game
from domain.openness.around import Around
from domain.sight import Eyes
from replay.past import GameStep


class Asked(NamedTuple):
    """How a follower may see the game as it stands ``now``, and how he wants it told."""

    request: Request
    tables: bool
    now: Game
    eyes: Eyes
    around: Around
    names: Names | None


async def piece_of(asked: Asked, followed: FollowedGame, after: int, last: int, told: int) -> bytes:
    """The frames after a position up to another, redacted as the game stands now. ``told``: the last one that this follower was told."""
    piece = recent_piece(asked, followed, after, last, told)
    if piece is None:
        return await asyncio.to_thread(_messages, asked, past_of(asked.request, asked.now.id).steps(after, last), told)
    return piece


def recent_piece(asked: Asked, followed: FollowedGame, after: int, last: int, told: int) -> bytes | None:
    """The same of the steps that are kept; ``None`` where they reach further back."""
    steps = followed.steps(after)
    if steps is None:
        return None
    key = (
        asked.now.position,
        str(asked.eyes),
        asked.request.user.sees_all,
        around_tag(asked.now, asked.around),
        language_of(asked.request),
        names_tag(asked.names),
        asked.tables,
        after,
        last,
        told,
    )
    return followed.once(key, partial(_messages, asked, islice(steps, last - after), told))


def _messages(asked: Asked, steps: Iterable[GameStep], told: int) -> bytes:
    request, tables, now, eyes, around, names = asked
    rulesets, worded = services_of(request).rulesets, request.user.sees_all
    show = frame_maker(rulesets, now, eyes, around, language_of(request), worded=worded, tables=tables, names=names)
    frames = map(show, steps) if tables else in_turn(show, start_maker(now, eyes, around), steps, told)
    return b"".join(message(encode(frame), id=frame.position) for frame in frames)
