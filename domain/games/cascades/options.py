"""The options of Cascades, and what follows from them for a whole game."""

from typing import Annotated, Literal

from msgspec import UNSET, Meta, Struct, UnsetType
from msgspec.structs import replace

from domain.checks import check_seats, read_options
from domain.games.cascades.codes import CODES
from domain.games.cascades.score import ROWS
from domain.setup import PresetRow, Setup, setup_of

KEY = "cascades"
SEATS = (1,)


class Options(Struct, frozen=True, forbid_unknown_fields=True):
    """As they are given; ``passes`` depends on the variant if it is left out (CSC-2)."""

    variant: Annotated[Literal["standard", "ace"], Meta(description="ace: two aces beside each tier say which suits fit")] = "standard"
    pawns: Annotated[bool, Meta(description="play with the four pawns")] = False
    courts: Annotated[bool, Meta(description="play with the four courts")] = False
    passes: (
        Annotated[
            Literal[0, 3, 4, 5, 6, 7, 8, 9], Meta(description="passes through the stock, 0 for any number; by default 3, ace variant 0")
        ]
        | UnsetType
    ) = UNSET


PRESETS = (PresetRow({"variant": "standard"}, {"passes": 3}), PresetRow({"variant": "ace"}, {"passes": 0}))


def resolve_options(options: object, seats: object) -> tuple[Options, Setup]:
    """Return options and setup, checked by COM-10 and COM-11 in their order, every option with its effective value. Raises ``Refused``."""
    given = read_options(options, Options, CODES)
    number = check_seats(seats, SEATS, CODES)
    if given.passes is UNSET:
        given = replace(given, passes=0 if given.variant == "ace" else 3)
    return given, setup_of(KEY, given, number, ROWS)
