"""What is settled once for a whole game and stored in ``game.opened``."""

from msgspec import Struct

from domain.cards import Seat
from domain.effects import Plain


class Setup(Struct, frozen=True, forbid_unknown_fields=True):
    """The effective options and seats of a game, and the frame of its score sheet.

    ``parties`` are lists of seats; ``rows`` are the ids of the score rows in order; ``start_totals`` has a number per party;
    ``facts`` are the facts of the whole game as they stand before the first hand (COM-40).
    """

    ruleset: str
    options: dict[str, Plain]
    seats: int
    parties: tuple[tuple[Seat, ...], ...]
    rows: tuple[str, ...]
    start_totals: tuple[int, ...]
    facts: dict[str, Plain] = {}
