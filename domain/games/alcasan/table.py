"""The table layout of alcasan: zones, marks, and a typed view on them.

Zones: ``stock``, ``pile``, ``removed``, and for each seat ``hand:<seat>``, ``open:<seat>`` and ``down:<seat>:<0..2>``. Marks:
``moves_made``, ``extra_lay`` while a further lay is due, ``finished``, the seats that have finished in their order. A seat has chosen its
open cards when it is no longer to act in the choice.
"""

from functools import cached_property
from typing import Literal, TypeAlias

from msgspec.structs import replace

from domain.cards import Card, Seat
from domain.games.alcasan.kinds import COPIES, COPIES_OF_KINDS, Fitting, effective, list_matching_kinds
from domain.games.alcasan.options import Options
from domain.signs import Signs
from domain.table import Table
from domain.unknown_cards.support import PossibleFaces, count_unknown_faces, possible_faces

POSITIONS = range(3)

Place: TypeAlias = Literal["hand", "open", "down"]
"""The zone from which a seat has to lay its next cards (ALC-18)."""


def hand_zone(seat: Seat) -> str:
    return f"hand:{seat}"


def open_zone(seat: Seat) -> str:
    return f"open:{seat}"


def down_zone(seat: Seat, position: int) -> str:
    return f"down:{seat}:{position}"


class AlcasanTable:
    """A typed view on a table, whole or masked."""

    def __init__(self, table: Table) -> None:
        self.table = table
        self.pile = table.cards("pile")

    @property
    def seats(self) -> range:
        return range(self.table.setup.seats)

    @cached_property
    def effective(self) -> Card | None:
        return effective(self.pile)

    @property
    def extra_lay(self) -> bool:
        """Return whether the seat to act makes a further lay (ALC-29)."""
        return self.table.in_hand and self.table.marks.get("extra_lay") is True

    @property
    def moves_made(self) -> int:
        made = self.table.marks.get("moves_made")
        return made if isinstance(made, int) else 0

    @property
    def finished(self) -> tuple[Seat, ...]:
        """The seats without cards, the winner first (ALC-38)."""
        seats = self.table.marks.get("finished")
        return tuple(seat for seat in seats if isinstance(seat, int)) if isinstance(seats, tuple) else ()

    def hand(self, seat: Seat) -> tuple[Card, ...]:
        return self.table.cards(hand_zone(seat))

    def open(self, seat: Seat) -> tuple[Card, ...]:
        return self.table.cards(open_zone(seat))

    def down(self, seat: Seat) -> tuple[Card | None, ...]:
        """Return the face-down cards by their positions, ``None`` where one was turned."""
        lying = (self.table.cards(down_zone(seat, position)) for position in POSITIONS)
        return tuple(cards[-1] if cards else None for cards in lying)

    def place(self, seat: Seat) -> Place:
        """Return the zone from which the seat has to lay next (ALC-18)."""
        return "hand" if self.hand(seat) else "open" if self.open(seat) else "down"

    def held(self, seat: Seat) -> PossibleFaces:
        """Return the cards among which the seat may choose: its hand, else its open cards."""
        held = possible_faces(self.hand(seat) or self.open(seat), {})
        return replace(held, pool=count_unknown_faces(self.table, COPIES_OF_KINDS)) if held.unknown else held

    def list_matching(self, options: Options) -> Fitting:
        """Return what fits on the effective card, in as many equal cards as may be laid now (ALC-20 to ALC-29)."""
        most = 1 if self.extra_lay and options.extra_lay == "single" else COPIES
        return list_matching_kinds(self.effective, most, compared=options.four_fit == "compared")

    def count(self, seat: Seat) -> int:
        """Count all cards of a seat."""
        return len(self.hand(seat)) + len(self.open(seat)) + sum(card is not None for card in self.down(seat))

    def has_made_choice(self, seat: Seat) -> bool:
        return self.table.phase != "choose_open" or seat not in self.table.to_act

    def after(self, seat: Seat) -> Seat:
        """Return the next seat clockwise that has not finished (ALC-16)."""
        around = ((seat + step) % len(self.seats) for step in range(1, len(self.seats)))
        return next((other for other in around if other not in self.finished), seat)


def signs(_: object) -> Signs:
    return Signs(("choose_open", "play"), {(None, "moves_made"): int, (None, "extra_lay"): bool, (None, "finished"): tuple[Seat, ...]})
