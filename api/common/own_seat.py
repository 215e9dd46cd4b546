"""What a player does, he does for the seat that he holds, and for no other (docs/decisions/0042-players-eyes.md)."""

from collections.abc import Sequence

from msgspec import UNSET

from api.common.reading import eyes_on
from api.http.errors import Forbidden, say
from api.http.request import Request
from api.http.tokens import OFFICIALS
from domain.cards import Seat
from domain.dispute import Dispute
from domain.entries import Line, Made
from domain.game import Game
from domain.rules import Told


def seat_held(request: Request, game: Game) -> Seat:
    """The seat of a player, now. Raises ``Forbidden`` for who never sat there, or has left."""
    eyes = eyes_on(request, game)
    if not isinstance(eyes.who, int) or eyes.until is not None:
        raise Forbidden(say("seat_not_held"), *OFFICIALS)
    return eyes.who


def seat_speaking(request: Request, game: Game, named: Seat | None) -> Seat | None:
    """The seat for which something is said: of a player his own, whether he names it or not. Raises ``Forbidden`` for another."""
    if request.user.role != "player":
        return named
    held = seat_held(request, game)
    if named not in (None, held):
        raise Forbidden(say("other_seat", seat=held), *OFFICIALS)
    return held


def check_party(request: Request, game: Game, party: int) -> None:
    """Raises ``Forbidden`` for a player of another party."""
    if request.user.role == "player":
        held = seat_held(request, game)
        if party >= len(game.setup.parties) or held not in game.setup.parties[party]:
            raise Forbidden(say("other_seat", seat=held), *OFFICIALS)


def check_withdraws(request: Request, game: Game, dispute: Dispute | None) -> None:
    """A player withdraws what was said for his seat: a dispute, or the appeal that came last. Raises ``Forbidden``."""
    if request.user.role == "player" and dispute is not None:
        held = seat_held(request, game)
        if (dispute.appealed_by if dispute.stage == "appealed" else dispute.seat) != held:
            raise Forbidden(say("other_seat", seat=held), *OFFICIALS)


def check_own_moves(request: Request, game: Game, moves: Sequence[Made], *, dry_run: bool) -> None:
    """One move of his own seat, where the players of the game make their moves themselves, and nothing that is only tried: what a move
    would do tells cards. Raises ``Forbidden``.
    """
    if game.opened.own_moves is UNSET:
        raise Forbidden(say("own_moves_closed"), *OFFICIALS)
    held = seat_held(request, game)
    if dry_run or len(moves) != 1:
        raise Forbidden(say("own_move_alone"), *OFFICIALS)
    if _seat_of(moves[0]) != held:
        raise Forbidden(say("other_seat", seat=held), *OFFICIALS)
    check_own_cards(request, game, moves)


def check_own_cards(request: Request, game: Game, moves: Sequence[Made]) -> None:
    """What is told beside the move is told of the player's own hand. Raises ``Forbidden``."""
    held = seat_held(request, game)
    for made in moves:
        told = made if isinstance(made, Told) else made[2] if isinstance(made, tuple) and len(made) == 3 else Told()
        zones = {zone for cards in (told.known, told.lacks) if isinstance(cards, dict) for zone in cards}
        if isinstance(made, Told) or not zones <= {f"hand:{held}"}:
            raise Forbidden(say("own_move_alone"), *OFFICIALS)


def _seat_of(made: Made) -> object:
    return made.seat if isinstance(made, Line) else made[0] if isinstance(made, tuple) else None


# What people at a table call its seats. Programs, rules and captions count them from 0 (COM-1).


_OPPOSITE = ((0, 2), (1, 3))


def compass(parties: Sequence[Sequence[int]], letters: str) -> list[str]:
    """A letter for each seat, clockwise from north, where two partnerships sit at a table of four; of other tables none.

    ``letters``: the four of a language, with blanks between them.
    """
    return letters.split() if tuple(map(tuple, parties)) == _OPPOSITE else []
