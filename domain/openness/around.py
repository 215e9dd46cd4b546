"""What goes on around a game: all that its openness may rest on and that no event of its own tells."""

from datetime import datetime
from typing import TypeAlias

from msgspec import Struct

Boards: TypeAlias = frozenset[int]
"""Numbers of prepared boards of the round that a game belongs to."""


class Around(Struct, frozen=True):
    """``boards`` are those of the game that other tables still play: nothing of them is open, whatever the game says.

    What nobody looked at is as if it had not come to pass: by the default nothing opens but what the game opens by itself.
    """

    boards: Boards = frozenset()
    round_over: bool = False
    tournament_over: bool = False
    now: datetime | None = None
