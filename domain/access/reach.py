"""What stands in lists, by who asks: everything, or what is his own and what is published."""

from uuid import UUID

from msgspec import Struct

from domain.access.scopes import Everything, Scope


class Reach(Struct, frozen=True):
    """``whole``: everything. Else the games of one's own tournament, or one's own game that belongs to none, and of all tournaments that
    are published; of players and clubs those who appear there.
    """

    whole: bool = False
    tournament: str | None = None
    game: UUID | None = None


WHOLE = Reach(whole=True)
PUBLISHED = Reach()
"""What nobody in particular reads."""


def reach_within(scope: Scope) -> Reach:
    """A table, and a game of a tournament, reach as far as their tournament."""
    if isinstance(scope, Everything):
        return WHOLE
    own = scope.place
    return Reach(tournament=own.tournament, game=own.game if own.tournament is None else None)
