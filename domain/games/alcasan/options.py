"""The options of alcasan, and what follows from them and from the number of seats for a whole game."""

from typing import Annotated, Literal, TypeAlias

from msgspec import Meta, Struct
from msgspec.structs import asdict

from domain.checks import check_seats, read_options
from domain.games.alcasan.codes import CODES
from domain.games.alcasan.score import ROWS
from domain.setup import PresetRow, Setup, setup_of

KEY = "alcasan"
SEATS = (2, 3, 4)


ExtraLay: TypeAlias = Annotated[
    Literal["single", "any"], Meta(description="after a removal one card more is laid, or as many identical ones as you like")
]
Deals: TypeAlias = Annotated[int, Meta(ge=1, le=99, description="hands in a game")]
MoveLimit: TypeAlias = Annotated[int, Meta(ge=1, description="a hand ends after so many moves; null for never")]


class OptionsOfEdition2(Struct, frozen=True, forbid_unknown_fields=True):
    """The options of edition 2, in which four in one lay always had to fit like one."""

    extra_lay: ExtraLay = "single"
    extra_lay_right: Annotated[Literal["must", "may"], Meta(description="whether the further lay has to be made or can be declined")] = (
        "must"
    )
    deals: Deals = 1
    move_limit: MoveLimit | None = None


class Options(OptionsOfEdition2, frozen=True, forbid_unknown_fields=True):
    """As they are given (ALC-4)."""

    four_fit: Annotated[
        Literal["as_one", "compared"],
        Meta(description="how four equal number cards in one lay have to fit; compared: as high as what counts, also on water"),
    ] = "as_one"


class OptionsOfEdition1(Struct, frozen=True, forbid_unknown_fields=True):
    """The options of edition 1, in which a further lay could not be declined."""

    extra_lay: ExtraLay = "single"
    deals: Deals = 1
    move_limit: MoveLimit | None = None


PRESETS = (PresetRow(source={"extra_lay_right": "may"}),)


def resolve_options(
    options: object, seats: object, kind: type[OptionsOfEdition2] | type[OptionsOfEdition1] = Options
) -> tuple[Options, Setup]:
    """Return options and setup, checked by COM-10 and COM-11 in their order. The setup holds the options that ``kind`` knows, and no
    others. Raises ``Refused``.
    """
    given = read_options(options, kind, CODES)
    number = check_seats(seats, SEATS, CODES)
    return Options(**asdict(given)), setup_of(KEY, given, number, ROWS)
