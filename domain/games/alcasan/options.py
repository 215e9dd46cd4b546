"""The options of alcasan, and what follows from them and from the number of seats for a whole game."""

from typing import Annotated, Literal

from msgspec import Meta, Struct

from domain.errors import Refused
from domain.games.alcasan.codes import CODES
from domain.games.alcasan.score import ROWS
from domain.rules import read_options
from domain.setup import Setup

SEATS = (2, 3, 4)


class Options(Struct, frozen=True, forbid_unknown_fields=True):
    extra_lay: Annotated[
        Literal["single", "any"], Meta(description="after a removal one card more is laid, or as many identical ones as you like")
    ] = "single"
    deals: Annotated[int, Meta(ge=1, le=99, description="hands in a game")] = 1
    move_limit: Annotated[int, Meta(ge=1, description="a hand ends after so many moves; null for never")] | None = None


def effective_options(options: object, seats: object) -> tuple[Options, int]:
    """COM-10 and COM-11 in their order."""
    given = read_options(options, Options, CODES)
    if type(seats) is not int or seats not in SEATS:
        raise Refused("bad_seats", "COM-11", "ALC-3", seats=seats, allowed=SEATS)
    return given, seats


def setup(options: Options, seats: int) -> Setup:
    """What is settled for a whole game."""
    return Setup(
        ruleset="alcasan",
        options={name: getattr(options, name) for name in Options.__struct_fields__},
        seats=seats,
        parties=tuple((seat,) for seat in range(seats)),
        rows=ROWS,
        start_totals=(0,) * seats,
    )
