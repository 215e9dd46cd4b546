"""What those are called who sit in a game, or sat there, as the caller may see it."""

from collections.abc import Mapping
from typing import TypeAlias

from api.common.names import names_for_caller
from api.http.etag import content_hash
from api.http.request import Request
from api.http.response import encode
from domain.game import Game

Names: TypeAlias = Mapping[str, str]
"""What to call players, by their ids."""


async def names_in(request: Request, game: Game) -> Names:
    players = {*game.opened.players, *(left.player for left in game.departures)}
    return await names_for_caller(request, game.opened.tournament, sorted(player for player in players if player is not None))


def names_tag(names: Names | None) -> str:
    """For the ETag: a name may change where nothing was recorded."""
    return "" if names is None else f".{content_hash(encode(dict(sorted(names.items()))))}"
