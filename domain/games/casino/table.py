"""Card values of Casino, its table layout (zones, marks), and a typed view on them.

Zones: ``stock``, ``hand:<seat>``, ``board`` (the loose cards), ``build:<id>:<group>``, ``won:<party>``. A build has its marks ``value`` and
``owner`` on its first group. A build that was captured leaves its zones behind, empty: a build lies on the table as long as a card lies in
it. The number of the deal is read from the stock.
"""

import re
from collections.abc import Collection, Mapping, Set
from functools import cached_property, lru_cache
from types import MappingProxyType
from typing import Any, TypeAlias, cast

from msgspec import Struct

from domain.cards import FRENCH_DECK, HIDDEN, Card, Seat
from domain.setup import Setup
from domain.signs import Signs
from domain.table import Table
from domain.unknown_cards.support import Order, faces, hand_zones

Group: TypeAlias = tuple[Card, ...]
Groups: TypeAlias = tuple[Group, ...]

HIGH_ACE = 14  # the second capture value of an ace in Royal Casino, above the king's 13 (CNO-6)
BOTH_OF_AN_ACE = frozenset({1, HIGH_ACE})

NO_POOL: Mapping[int, int] = MappingProxyType({})
"""Of a hand that is known."""

_NUMERALS = {"A": 1, "2": 2, "3": 3, "4": 4, "5": 5, "6": 6, "7": 7, "8": 8, "9": 9, "T": 10}
_PICTURES = {"J": 11, "Q": 12, "K": 13}


class Values(Struct, frozen=True):
    """``worth`` is what a card adds to a sum, ``captures`` are its capture values; a classic picture has neither."""

    worth: dict[Card, int]
    captures: dict[Card, tuple[int, ...]]
    highest: dict[Card, int]
    """The largest capture value of each card, of a picture without one 0."""
    ranks: dict[int, str]
    """The rank that captures with each value."""
    with_value: Mapping[int, Set[Card]]
    """All cards that capture with it."""

    def is_court_card(self, card: Card) -> bool:
        """Return whether the card is a picture without a value; in Royal Casino there is none."""
        return card not in self.worth

    def makes(self, group: Group) -> tuple[int, ...]:
        """Return the values that a group makes: its sum, and a lone royal ace 14 as well (CNO-6)."""
        if len(group) == 1:
            return self.captures[group[0]]
        return (sum([self.worth[card] for card in group]),)

    def count_other_cards(self, lying: Set[Card]) -> dict[int, int]:
        """Return how many cards of the deck beside these capture with each value; none with 0."""
        return {value: number for value, cards in self.with_value.items() if (number := len(cards - lying))}

    def cover(self, hand: Collection[Card], wanted: set[int], pool: Mapping[int, int] = NO_POOL) -> bool:
        """Return whether the hand holds a card of its own for each of the different values (CNO-43).

        A card of the hand without a face may be any one of the pool, which is given as ``counted`` (CNO-82).
        """
        held = [self.captures.get(card, ()) for card in hand]
        missing = wanted.difference(*held)
        # Only a royal ace stands for two values, 1 and 14; for both of them it takes two aces.
        if wanted >= BOTH_OF_AN_ACE and sum(1 in values for values in held) == 1:
            missing.add(HIGH_ACE)
        if not missing:
            return True
        if len(missing) > sum(card == HIDDEN for card in hand) or not all(value in pool for value in missing):
            return False
        return not missing >= BOTH_OF_AN_ACE or pool[1] > 1


def _values(ranks: dict[str, int], aces: tuple[int, ...]) -> Values:
    worth = {card: ranks[card[0]] for card in FRENCH_DECK if card[0] in ranks}
    captures: dict[Card, tuple[int, ...]] = {card: (worth[card],) if card in worth else () for card in FRENCH_DECK}
    captures.update({card: aces for card in FRENCH_DECK if card[0] == "A"})
    highest = {card: max(values, default=0) for card, values in captures.items()}
    with_value = {value: {card for card, own in captures.items() if value in own} for value in sorted({*worth.values(), *aces})}
    return Values(worth, captures, highest, {value: min(cards)[0] for value, cards in with_value.items()}, with_value)


VALUES = {
    "classic": _values(_NUMERALS, (1,)),
    "royal": _values(_NUMERALS | _PICTURES, (1, HIGH_ACE)),
}
"""By variant."""


# The table layout of Casino: zones, marks, and a typed view on them.


_BUILD_ZONE = re.compile(r"build:([0-9]{1,9}):([0-9]{1,9})")


class Build(Struct, frozen=True):
    """A build on the table."""

    id: int
    value: int
    owner: Seat | None
    groups: Groups

    @property
    def kind(self) -> str:
        """The kind of the build. Once a second group lies on it, it stays multiple (CNO-36)."""
        return "single" if len(self.groups) == 1 else "multiple"


def group_zone(build: int, group: int) -> str:
    return f"build:{build}:{group}"


class CasinoTable:
    """A typed view on a table, whole or masked."""

    def __init__(self, table: Table) -> None:
        self.table = table
        self.board = table.cards("board")
        self.builds = _builds(table)
        """The builds that lie on the table, by their numbers."""
        self._by_value: Mapping[int, int] | None = None
        self._faces: set[Card] | None = None

    def builds_by_value(self) -> dict[int, tuple[int, ...]]:
        """Return the numbers of the builds by their values."""
        by_value: dict[int, tuple[int, ...]] = {}
        for build in self.builds.values():
            by_value[build.value] = (*by_value.get(build.value, ()), build.id)
        return by_value

    @property
    def last_build_number(self) -> int:
        """The number of the latest build, also if it is gone: numbers are not used again."""
        zones = _build_zones(self.table)
        return zones[-1][0] if zones else 0

    def hand(self, seat: Seat) -> tuple[Card, ...]:
        return self.table.cards(f"hand:{seat}")

    def visible_hand(self, seat: Seat) -> tuple[Card, ...]:
        """Return the cards of a hand that can be seen on a masked table."""
        return tuple([card for card in self.hand(seat) if card != HIDDEN])

    @cached_property
    def pool(self) -> tuple[Card, ...]:
        """The faces that are not known to lie anywhere, in the order of the deck: the possible faces of unknown cards (COM-74)."""
        lying = self._visible_faces()
        return tuple([card for card in FRENCH_DECK if card not in lying])

    def _visible_faces(self) -> set[Card]:
        if self._faces is None:
            self._faces = faces(self.table)
        return self._faces

    def pool_for(self, hand: Collection[Card]) -> tuple[Card, ...]:
        """Return the possible faces of the unknown cards of this hand; none if it is known."""
        return self.pool if HIDDEN in hand else ()

    def may_capture(self, values: Values, hand: Collection[Card]) -> Mapping[int, int]:
        """Return how many of these faces capture with each value."""
        return self._count_by_value(values) if HIDDEN in hand else NO_POOL

    def _count_by_value(self, values: Values) -> Mapping[int, int]:
        if self._by_value is None:
            self._by_value = values.count_other_cards(self._visible_faces())
        return self._by_value

    def party(self, seat: Seat) -> int:
        return [seat in seats for seats in self.table.setup.parties].index(True)

    def pile(self, party: int) -> tuple[Card, ...]:
        return self.table.cards(f"won:{party}")

    def sweeps(self, party: int) -> tuple[Card, ...]:
        """Return the cards that swept; they are known although their pile lies face down (CNO-52)."""
        zone = self.table.zones.get(f"won:{party}")
        swept = zone.marks.get("sweeps") if zone else None
        return cast("tuple[Card, ...]", swept) if isinstance(swept, tuple) else ()

    @property
    def last_capturer(self) -> Seat | None:
        return cast("Seat | None", self.table.marks.get("last_capturer"))

    @property
    def in_builds(self) -> set[Card]:
        return {card for build in self.builds.values() for group in build.groups for card in group}

    @property
    def stock(self) -> tuple[Card, ...]:
        return self.table.cards("stock")

    @property
    def deal(self) -> int:
        return deal_number(self.table.setup, len(self.stock))

    @property
    def hand_card_count(self) -> int:
        """The number of cards in all hands."""
        return sum([len(self.table.cards(f"hand:{seat}")) for seat in range(self.table.setup.seats)])

    def builds_owned_by(self, seat: Seat) -> list[Build]:
        return [build for build in self.builds.values() if build.owner == seat]


def deal_number(setup: Setup, left: int) -> int:
    """Return the number of the deal by the cards left in the stock: the first deal takes four a seat and four for the table, the others
    four a seat (CNO-9, CNO-11).
    """
    return (48 - left) // (4 * setup.seats)


def _build_zones(table: Table) -> list[tuple[int, int, str]]:
    """Return id, group and name of the zones of all builds, also of those that are gone, in this order."""
    return sorted(filter(None, map(_build_zone, table.zones)))


@lru_cache(maxsize=4096)
def _build_zone(name: str) -> tuple[int, int, str] | None:
    found = _BUILD_ZONE.fullmatch(name)
    return (int(found[1]), int(found[2]), name) if found else None


def _builds(table: Table) -> dict[int, Build]:
    groups: dict[int, list[Group]] = {}
    for id_, _, name in _build_zones(table):
        if cards := table.zones[name].cards:
            groups.setdefault(id_, []).append(cards)
    builds = {}
    for id_, lying in groups.items():
        first = table.zones.get(group_zone(id_, 0))
        marks: dict[str, Any] = first.marks if first else {}
        builds[id_] = Build(id_, marks.get("value", 0), marks.get("owner"), tuple(lying))
    return builds


def signs(_: object) -> Signs:
    marks: dict[tuple[str | None, str], Any] = {
        (None, "last_capturer"): Seat,
        ("won", "sweeps"): tuple[Card, ...],
        ("build", "value"): int,
        ("build", "owner"): Seat,
    }
    return Signs(("play",), marks, (_BUILD_ZONE.pattern,))


def list_unknown_zones(_: object, table: Table) -> dict[str, Order]:
    """Return the zones that can be told: stock and loose cards have an order, hands have none."""
    return {**hand_zones(table), "stock": "ordered", "board": "ordered"}
