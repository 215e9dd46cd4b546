"""The options of Canasta, and what follows from them and from the number of seats for a whole game."""

from typing import Annotated, Literal, TypeAlias

from msgspec import Meta, Struct

from domain.errors import Refused
from domain.games.canasta.codes import CODES
from domain.games.canasta.score import ROWS
from domain.rules import read_options
from domain.setup import Setup

SEATS = (2, 4)

Total: TypeAlias = Annotated[int, Meta(ge=-1_000_000, le=1_000_000)]


class Options(Struct, frozen=True, forbid_unknown_fields=True):
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


def effective(options: object, seats: object) -> tuple[Options, int]:
    """COM-10 to COM-12 in their order, every option with its effective value."""
    given = read_options(options, Options, CODES)
    if type(seats) is not int or seats not in SEATS:
        raise Refused("bad_seats", "COM-11", "CAN-1", seats=seats, allowed=SEATS)
    if given.end == "target" and max(given.start_totals) >= given.target_score:
        most = f"…{given.target_score - 1}"
        raise Refused("bad_option", "COM-12", "CAN-3", option="start_totals", given=given.start_totals, allowed=(most, most))
    return given, seats


def setup(options: Options, seats: int) -> Setup:
    """What is settled for a whole game; party *p* are the seats *s* with *s* mod 2 = *p* (CAN-2)."""
    return Setup(
        ruleset="canasta",
        options={name: getattr(options, name) for name in Options.__struct_fields__},
        seats=seats,
        parties=tuple(tuple(range(party, seats, 2)) for party in range(2)),
        rows=ROWS,
        start_totals=options.start_totals,
    )
