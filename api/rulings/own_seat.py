"""Checks that a player acts for their own seat and no other (docs/decisions/0042-players-eyes.md)."""

from api.http.errors import say
from api.http.request import Request
from domain.access import OFFICIALS
from domain.cards import Seat
from domain.dispute import Dispute
from domain.errors import Forbidden
from domain.game import Game
from domain.moves import seat_held


def resolve_own_seat(request: Request, game: Game, named: Seat | None) -> Seat | None:
    """Return the seat for which something is said; for a player, their own, given or not. Raises ``Forbidden`` for another seat."""
    if request.user.role != "player":
        return named
    held = seat_held(request.user, game)
    if named not in (None, held):
        raise Forbidden(say("other_seat", seat=held), *OFFICIALS)
    return held


def check_party(request: Request, game: Game, party: int) -> None:
    """Raise ``Forbidden`` for a player of another party."""
    if request.user.role == "player":
        held = seat_held(request.user, game)
        if party >= len(game.setup.parties) or held not in game.setup.parties[party]:
            raise Forbidden(say("other_seat", seat=held), *OFFICIALS)


def check_withdraws(request: Request, game: Game, dispute: Dispute | None) -> None:
    """Check that a player withdraws only a dispute, or the latest appeal, of their own seat. Raises ``Forbidden``."""
    if request.user.role == "player" and dispute is not None:
        held = seat_held(request.user, game)
        if (dispute.appealed_by if dispute.stage == "appealed" else dispute.seat) != held:
            raise Forbidden(say("other_seat", seat=held), *OFFICIALS)
