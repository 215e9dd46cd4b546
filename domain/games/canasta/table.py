"""The table layout of Canasta: zones, marks, and a typed view on them.

Zones: ``stock``, ``hand:<seat>``, ``pile`` (a small one is seen whole, of a larger one the top), ``meld:<party>:<rank>`` (laid when the
meld is opened) and ``red:<party>``. Marks of the pile are ``frozen``, the card that froze it, which lies crosswise, and ``red_threes``, how
many of its cards are red threes; both hold until it is taken. Marks of the table: ``minimums`` (per party, of this hand),
``totals`` (per party, before this hand, where the target is looked at after every move), and of the current turn ``opening`` (the party
lays its first melds), ``question`` (``pending``, ``granted``, ``denied``) and ``must_go_out``.
"""

from collections.abc import Collection, Mapping
from functools import cached_property
from typing import Any, Literal

from domain.cards import HIDDEN, Card, Seat
from domain.effects import Plain, Sight
from domain.games.canasta.cards import BLACK_THREE, COPIES, COUNTED, MELD_RANKS, RED_THREES, Rank, count_ranks, is_wild, points, rank_of
from domain.games.canasta.going_out import may_go_out
from domain.games.canasta.melds import NONE, Melds, can_go_out, has_canasta
from domain.games.canasta.pool import Pool
from domain.score import totals
from domain.signs import Signs
from domain.table import Table
from domain.unknown_cards.asking import RANKS, WORTH, count_hand
from domain.unknown_cards.support import Order, count_unknown_faces, hand_zones

PARTIES = (0, 1)
TURN_MARKS = ("opening", "question", "must_go_out")
"""They lapse with the turn."""

SMALL = 2
"""Cards of a pile, red threes not counted, that everybody has just seen: so small it lies open (CAN-38). Not in edition 1."""

_MELD_ZONES = tuple({rank: f"meld:{party}:{rank}" for rank in MELD_RANKS} for party in PARTIES)


def meld_zone(party: int, rank: Rank) -> str:
    return _MELD_ZONES[party][rank]


class CanastaTable:
    """A typed view on a table, whole or masked."""

    def __init__(self, table: Table) -> None:
        self.table = table
        self.pile = table.cards("pile")

    def hand(self, seat: Seat) -> tuple[Card, ...]:
        return self.table.cards(f"hand:{seat}")

    def hand_points(self, seat: Seat) -> int | None:
        """Return the values of the cards of a hand (CAN-46), as far as its faces, its ranks or its worth were told (CAN-57)."""
        hand = self.table.zones.get(f"hand:{seat}")
        if hand is None or HIDDEN not in hand.cards:
            return points(hand.cards if hand else ())
        return count_hand(hand, COUNTED)

    @cached_property
    def pool(self) -> Pool:
        """The faces that unknown cards of a hand may have: those that are not known to lie anywhere (CAN-56)."""
        return Pool(count_unknown_faces(self.table, COPIES))

    def goes_out(self, cards: Collection[Card], melds: Melds, minimum: int = 0) -> bool:
        """Return whether the owner of the cards can go out (CAN-37), as far as they are known (CAN-56)."""
        if HIDDEN not in cards:
            return can_go_out(count_ranks(cards), melds, minimum)
        known = [card for card in cards if card != HIDDEN]
        return may_go_out(count_ranks(known), len(cards) - len(known), self.pool.numbers, melds, minimum)

    @staticmethod
    def party(seat: Seat) -> int:
        return seat % 2

    @property
    def top(self) -> Card | None:
        return self.pile[-1] if self.pile else None

    @property
    def stock(self) -> tuple[Card, ...]:
        return self.table.cards("stock")

    @property
    def pile_marks(self) -> Mapping[str, Plain]:
        pile = self.table.zones.get("pile")
        return pile.marks if pile else {}

    @property
    def frozen(self) -> bool:
        """Return whether the pile is frozen (CAN-28)."""
        return "frozen" in self.pile_marks

    @property
    def rest_count(self) -> int:
        """The number of cards that would go to the hand with the pile: neither the top card nor red threes (CAN-29, CAN-38)."""
        red = self.pile_marks.get("red_threes")
        return len(self.pile) - 1 - (red if isinstance(red, int) else 0)

    @property
    def sight(self) -> Sight:
        """The sight of the pile, by the cards in it."""
        return "all" if self.rest_count + 1 <= SMALL else "top"

    def is_pile_blocked(self, *, wild_top_take: bool) -> bool:
        """Return whether the top card blocks the pile (CAN-8, CAN-33, CAN-34)."""
        top = self.top
        return top is not None and (rank_of(top) == BLACK_THREE or (is_wild(top) and not wild_top_take))

    def red_threes(self, party: int) -> tuple[Card, ...]:
        return self.table.cards(f"red:{party}")

    @cached_property
    def meld_cards(self) -> tuple[dict[Rank, tuple[Card, ...]], ...]:
        """Per party the cards of its melds by rank, from the aces down."""
        return tuple({rank: cards for rank, name in names.items() if (cards := self.table.cards(name))} for names in _MELD_ZONES)

    @cached_property
    def melds(self) -> tuple[Melds, ...]:
        """Per party its melds as numbers."""
        return tuple({rank: NONE.join_cards(cards) for rank, cards in melded.items()} for melded in self.meld_cards)

    def has_opened(self, party: int) -> bool:
        """Return whether the party has a meld (CAN-26)."""
        return bool(self.melds[party])

    def has_canasta(self, party: int) -> bool:
        return has_canasta(self.melds[party])

    @property
    def minimums(self) -> tuple[int, ...]:
        """Per party, of the current or last hand (CAN-26); none where the history is damaged."""
        match self.table.marks.get("minimums"):
            case (int() as first, int() as second):
                return first, second
            case _:
                return 0, 0

    @property
    def totals(self) -> tuple[int, ...]:
        """Per party before the hand (CAN-49). A hand of editions 1 to 3 has no mark: rulings given during it count at once."""
        match self.table.marks.get("totals"):
            case (int() as first, int() as second):
                return first, second
            case _:
                return totals(self.table.setup, self.table.score)

    def missing(self, party: int) -> int:
        """Return the value that the party's next meld has to reach: nothing once it has one (CAN-27)."""
        return 0 if self.has_opened(party) else self.minimums[party]

    @property
    def pending_request(self) -> str | None:
        question = self.table.marks.get("question")
        return question if isinstance(question, str) else None

    @property
    def must_go_out(self) -> bool:
        return bool(self.table.marks.get("must_go_out"))

    @property
    def opening(self) -> bool:
        """Return whether the party had no meld when the turn began, and has one now (CAN-42)."""
        return bool(self.table.marks.get("opening"))


def signs(_: object) -> Signs:
    marks: dict[tuple[str | None, str], Any] = {
        (None, "minimums"): tuple[int, int],
        (None, "totals"): tuple[int, int],
        (None, "opening"): bool,
        (None, "question"): Literal["pending", "granted", "denied"],
        (None, "must_go_out"): bool,
        ("hand", WORTH): int,
        ("hand", RANKS): tuple[str, ...],
        ("pile", "frozen"): Card,
        ("pile", "red_threes"): int,
    }
    return Signs(("draw", "play", "answer"), marks, (f"meld:[01]:[{MELD_RANKS}]",))


def list_unknown_zones(_: object, table: Table) -> dict[str, Order]:
    """Return the zones that can be told: stock and pile have an order, hands have none."""
    return {**hand_zones(table), "stock": "ordered", "pile": "ordered"}


def is_never_unknown(zone: str, card: Card) -> bool:
    """Return whether a card is never told of a zone: a red three is told where it is dealt or drawn, not of a hand in which it would still
    lie (CAN-54).
    """
    return card in RED_THREES and zone.startswith("hand:")
