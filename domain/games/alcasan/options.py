"""The options of alcasan, and what follows from them and from the number of seats for a whole game."""

from typing import Annotated, Literal

from msgspec import Meta, Struct

from domain.checks import check_seats, read_options
from domain.games.alcasan.codes import CODES
from domain.games.alcasan.score import ROWS
from domain.setup import Setup, setup_of

KEY = "alcasan"
SEATS = (2, 3, 4)


class Options(Struct, frozen=True, forbid_unknown_fields=True):
    extra_lay: Annotated[
        Literal["single", "any"], Meta(description="after a removal one card more is laid, or as many identical ones as you like")
    ] = "single"
    deals: Annotated[int, Meta(ge=1, le=99, description="hands in a game")] = 1
    move_limit: Annotated[int, Meta(ge=1, description="a hand ends after so many moves; null for never")] | None = None


def settle(options: object, seats: object) -> tuple[Options, Setup]:
    """COM-10 and COM-11 in their order."""
    given = read_options(options, Options, CODES)
    number = check_seats(seats, SEATS, CODES)
    return given, setup_of(KEY, given, number, ROWS)
