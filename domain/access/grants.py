"""What a role is bound to: a scope, how much of the cards in it may be seen, and for a player who he is."""

from typing import Literal, TypeAlias

from msgspec import Struct

from domain.access.scopes import EVERYTHING, Scope

Sees: TypeAlias = Literal["all", "public"]


class Grant(Struct, frozen=True, omit_defaults=True):
    """``sees``: of hidden cards all that the role may see, or nothing that the public does not see. A player has ``player``, his id in
    the tournament of the scope, or ``seat``, his seat in the game of the scope, which was given to whoever sat there at position ``since``.
    """

    scope: Scope = EVERYTHING
    sees: Sees = "all"
    player: str | None = None
    seat: int | None = None
    since: int = 0


UNBOUND = Grant()
