"""The setup of a game: settled once, stored in ``game.opened``."""

from collections.abc import Sequence

from msgspec import Struct
from msgspec.structs import asdict

from domain.cards import Seat
from domain.effects import Plain


class Setup(Struct, frozen=True, forbid_unknown_fields=True, gc=False):
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


def setup_of(
    ruleset: str,
    options: Struct,
    seats: int,
    rows: Sequence[str],
    parties: tuple[tuple[Seat, ...], ...] | None = None,
    *,
    start_totals: tuple[int, ...] | None = None,
    facts: dict[str, Plain] | None = None,
) -> Setup:
    """Return the setup. By default every seat is a party, and the totals begin at 0."""
    parties = parties or tuple((seat,) for seat in range(seats))
    return Setup(
        ruleset=ruleset,
        options=asdict(options),
        seats=seats,
        parties=parties,
        rows=tuple(rows),
        start_totals=start_totals or (0,) * len(parties),
        facts=facts or {},
    )
