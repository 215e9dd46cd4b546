"""Requests that wait until something was recorded."""

import asyncio
from typing import cast

from api.common.live.gate import Gate
from api.common.live.news import news_of
from api.http.guards import admitted_again
from api.http.limits import more_time
from api.http.request import Request, services_of
from domain.game import Game


async def beyond(request: Request, game: Game, position: int, seconds: float) -> Game:
    """The game as soon as it has gone beyond the position, else as it is when the time is up. Raises what ``admitted_again`` raises, soon
    after the caller may not read it any more.
    """
    if game.position > position:
        return game
    more_time(request, seconds)
    news, gate, loop = news_of(request), cast(Gate, request.app.state["gate"]), asyncio.get_running_loop()
    end, journal = loop.time() + seconds, services_of(request).journal
    with news.mail(game.id) as mail, gate.holding(request, "path", mail):
        followed = news.of(await journal.current(game.id))
        while followed.now.position <= position and mail.over is None and (left := end - loop.time()) > 0:
            if followed.stale:
                followed.renew(await asyncio.to_thread(journal.newest_game, game.id))
            else:
                await mail.wait(left)
    if mail.over == "closed":
        await admitted_again(request, "path")
    return followed.now
