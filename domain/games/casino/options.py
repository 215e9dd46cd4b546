"""The options of Casino, and what follows from them and from the number of seats for a whole game."""

from typing import Annotated, Literal

from msgspec import UNSET, Meta, Struct, UnsetType
from msgspec.structs import asdict, replace

from domain.checks import check_seats, read_options
from domain.errors import Refused
from domain.games.casino.codes import CODES
from domain.games.casino.score import ROWS
from domain.setup import PresetRow, Setup, setup_of

KEY = "casino"
SEATS = (2, 3, 4)


class OptionsOfEdition2(Struct, frozen=True, forbid_unknown_fields=True):
    """The options of editions 1 and 2, in which the very last card could always sweep."""

    variant: Annotated[Literal["classic", "royal"], Meta(description="royal: pictures count 11 to 13, an ace 1 or 14")] = "classic"
    partners: Annotated[bool, Meta(description="seats 0 and 2 play against 1 and 3; with four seats only")] = False
    sweeps: Annotated[bool, Meta(description="a point for each capture that leaves the table empty")] = False
    target: Annotated[int, Meta(ge=1, le=100, description="points that end the game")] = 21
    count_out: (
        Annotated[Literal["total", "order"], Meta(description="the winner at the target; order in the royal variant, else total")]
        | UnsetType
    ) = UNSET


class Options(OptionsOfEdition2, frozen=True, forbid_unknown_fields=True):
    """As they are given; ``count_out`` depends on the variant if it is left out."""

    last_sweep: Annotated[Literal["counts", "not"], Meta(description="whether the very last card of a hand can sweep")] = "counts"


PRESETS = (
    PresetRow({"variant": "classic"}, {"count_out": "total"}),
    PresetRow({"variant": "royal"}, {"count_out": "order"}, {"sweeps": True, "last_sweep": "not"}),
)


def resolve_options(options: object, seats: object, kind: type[OptionsOfEdition2] = Options) -> tuple[Options, Setup]:
    """Return options and setup, checked by COM-10 to COM-12 in their order, every option with its effective value. The setup holds the
    options that ``kind`` knows, and no others. Raises ``Refused``.
    """
    given = read_options(options, kind, CODES)
    number = check_seats(seats, SEATS, CODES)
    if given.partners and number != 4:
        raise Refused("bad_option", "COM-12", "CNO-2", option="partners", given=True, allowed=(False,), seats=number)
    if given.count_out is UNSET:
        given = replace(given, count_out="order" if given.variant == "royal" else "total")
    parties = ((0, 2), (1, 3)) if given.partners else None
    return Options(**asdict(given)), setup_of(KEY, given, number, ROWS, parties, facts={"target": given.target, "decided_by": None})
