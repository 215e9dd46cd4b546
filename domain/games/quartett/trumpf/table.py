"""The table layout of the Trumpfspiel: zones, marks, and a typed view on them.

Zones: ``hand:<seat>`` is the stack of a seat, its top card last; ``round`` holds the cards of the round in progress and ``tied_cards``
those of
tied rounds, in the order shown; ``aside`` holds the cards that were not dealt. The mark ``trick`` names the seats of the trick from the
announcer on, so the cards of a round belong to these seats in turn; the owners of the cards in the middle are its mark ``seats``. If only
tied seats continue, ``left`` names those of the trick that do not (QTR-29). Other marks: ``category``, ``rounds``, ``tricks``, ``places``.
"""

from typing import Any, Literal, cast

from domain.cards import Card, Seat
from domain.games.quartett.options import QuartettTerms
from domain.signs import Signs
from domain.table import Table
from domain.unknown_cards.support import Order

FEW = 3
"""With so many cards or fewer a seat sees and chooses its card (QTR-9, QTR-17)."""

ROUND = "round"
MIDDLE = "middle"
ASIDE = "aside"


def stack_zone(seat: Seat) -> str:
    return f"hand:{seat}"


def _seats(mark: object) -> tuple[Seat, ...]:
    """Return the seats that a mark names; none for any other value that damaged history may hold."""
    return cast("tuple[Seat, ...]", mark) if isinstance(mark, tuple) else ()


class TrumpfTable:
    """A typed view on a table, whole or masked."""

    def __init__(self, table: Table) -> None:
        self.table = table
        self.trick = _seats(table.marks.get("trick"))

    @property
    def seats(self) -> range:
        return range(self.table.setup.seats)

    @property
    def announcer(self) -> Seat | None:
        """The seat that announces or has announced; nobody after the end."""
        return self.trick[0] if self.trick else None

    def stack(self, seat: Seat) -> tuple[Card, ...]:
        """Return the stack of a seat, the top card last."""
        return self.table.cards(stack_zone(seat))

    @property
    def left(self) -> tuple[Seat, ...]:
        """Seats that left the trick because they were not tied."""
        return _seats(self.table.marks.get("left"))

    def chooses(self, seat: Seat) -> bool:
        """Return whether the seat chooses the card that it shows; with one card it has no choice (QTR-11)."""
        return 1 < len(self.stack(seat)) <= FEW

    @property
    def category(self) -> str | None:
        named = self.table.marks.get("category")
        return named if isinstance(named, str) else None

    @property
    def round_cards(self) -> tuple[tuple[Seat, Card], ...]:
        """The cards of the round, with the seats that showed them."""
        return tuple(zip(self.trick, self.table.cards(ROUND), strict=False))

    @property
    def tied_cards(self) -> tuple[tuple[Seat, Card], ...]:
        """The cards of the tied rounds, with the seats that showed them."""
        zone = self.table.zones.get(MIDDLE)
        seats = _seats(zone.marks.get("seats")) if zone else ()
        return tuple(zip(seats, self.table.cards(MIDDLE), strict=False))

    @property
    def rounds(self) -> int:
        """Rounds compared in this hand."""
        return cast("int", self.table.marks.get("rounds", 0))

    @property
    def tricks(self) -> tuple[int, ...]:
        return cast("tuple[int, ...]", self.table.marks.get("tricks") or (0,) * len(self.seats))

    @property
    def places(self) -> tuple[int | None, ...]:
        """The place of each seat; None while it is in play."""
        return cast("tuple[int | None, ...]", self.table.marks.get("places") or (None,) * len(self.seats))

    @property
    def in_play(self) -> list[Seat]:
        return [seat for seat, place in enumerate(self.places) if place is None]


def signs(agreed: QuartettTerms[Any]) -> Signs:
    marks: dict[tuple[str | None, str], Any] = {
        (None, "trick"): tuple[Seat, ...],
        (None, "category"): Literal[tuple(agreed.deck.categories)],  # pyrefly: ignore[invalid-literal]
        (None, "rounds"): int,
        (None, "tricks"): tuple[int, ...],
        (None, "places"): tuple[int | None, ...],
        (MIDDLE, "seats"): tuple[Seat, ...],
    }
    if agreed.options.tie_break == "tied":
        marks[None, "left"] = tuple[Seat, ...]
    return Signs(("announce", "reply", "draw"), marks)


def list_unknown_zones(_: object, table: Table) -> dict[str, Order]:
    """Return the zones that can be told. Stacks are told from the top; two or three cards that a seat chooses from have no order."""
    trumpf = TrumpfTable(table)
    stacks: dict[str, Order] = {stack_zone(seat): "unordered" if trumpf.chooses(seat) else "ordered" for seat in trumpf.seats}
    return {**stacks, ASIDE: "ordered"}


def is_order_known(zone: str, count: int) -> bool:
    """Return whether a zone is told in order after the deal."""
    return zone == ASIDE or not 1 < count <= FEW
