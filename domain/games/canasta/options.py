"""The options of Canasta, and what follows from them and from the number of seats for a whole game."""

from typing import Annotated, Literal, TypeAlias

from msgspec import Meta, Struct
from msgspec.structs import asdict

from domain.checks import check_seats, read_options
from domain.errors import Refused
from domain.games.canasta.codes import CODES
from domain.games.canasta.score import ROWS
from domain.setup import PresetRow, Setup, setup_of
from domain.texts import say

KEY = "canasta"
SEATS = (2, 4)

Total: TypeAlias = Annotated[int, Meta(ge=-1_000_000, le=1_000_000)]


class OptionsOfEdition3(Struct, frozen=True, forbid_unknown_fields=True):
    """The options of editions 1 to 3, in which a wild card or red three turned up first was always covered."""

    end: Annotated[Literal["target", "hands"], Meta(description="whether a score or a number of hands ends the match")] = "target"
    target_score: Annotated[int, Meta(ge=1, le=1_000_000, description="points that end the match")] = 5000
    hand_count: Annotated[int, Meta(ge=1, le=1000, description="hands that make a match")] = 4
    target_check: Annotated[
        Literal["hand_end", "immediate"], Meta(description="immediate: points on the table are counted in after every move")
    ] = "hand_end"
    start_totals: Annotated[tuple[Total, Total], Meta(description="totals of the parties in a match taken over from paper")] = (0, 0)
    wild_top_take: Annotated[bool, Meta(description="whether a pile with a wild card on top can be taken")] = True
    pile_red_three_replaced: Annotated[bool, Meta(description="whether red threes from the pile are replaced from the stock")] = True
    one_card_pile: Annotated[
        Literal["allowed", "forbidden"], Meta(description="whether somebody with one card may take a pile of one card")
    ] = "allowed"

    @property
    def at_once(self) -> bool:
        """Return whether the target is looked at after every move (CAN-49)."""
        return self.end == "target" and self.target_check == "immediate"


class Options(OptionsOfEdition3, frozen=True, forbid_unknown_fields=True):
    """As they are given (CAN-3)."""

    first_upcard: Annotated[
        Literal["covered", "left"], Meta(description="whether a wild card or red three that is turned up first is covered")
    ] = "covered"


PRESETS = (PresetRow(source={"target_check": "immediate", "first_upcard": "left"}),)


def resolve_options(options: object, seats: object, kind: type[OptionsOfEdition3] = Options) -> tuple[Options, Setup]:
    """Return options and setup, checked by COM-10 to COM-12 in their order, every option with its effective value. Party *p* has the seats
    *s* with *s* mod 2 = *p* (CAN-2). The setup holds the options that ``kind`` knows, and no others. Raises ``Refused``.
    """
    given = read_options(options, kind, CODES)
    number = check_seats(seats, SEATS, CODES)
    if given.end == "target" and max(given.start_totals) >= given.target_score:
        most = say("range.upto", high=given.target_score - 1)
        raise Refused("bad_option", "COM-12", "CAN-3", option="start_totals", given=given.start_totals, allowed=(most,))
    parties = tuple(tuple(range(party, number, 2)) for party in range(2))
    return Options(**asdict(given)), setup_of(KEY, given, number, ROWS, parties, start_totals=given.start_totals)
