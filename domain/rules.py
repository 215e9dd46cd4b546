"""What a game is to the rest of Kiebitz: a ruleset that binds options and seats to a rulebook, and the checks all rulebooks share."""

from collections.abc import Iterator, Mapping
from typing import Any, Protocol, TypeAlias

import msgspec
from msgspec import Struct

from domain.cards import Card, Seat, same_cards
from domain.effects import Effects, Plain, plain
from domain.errors import Refused
from domain.setup import Setup
from domain.table import Table

Move: TypeAlias = dict[str, Plain]
"""A move as JSON: ``{"type": …, fields}``."""


class Rule(Struct, frozen=True):
    """A numbered rule in our own words."""

    number: str
    text: str


class About(Struct, frozen=True):
    """What a client needs to build a form: names by language, JSON Schemas of options and moves, rules, codes, the canonical deck."""

    names: dict[str, str]
    options: dict[str, Any]
    moves: dict[str, Any]
    rules: tuple[Rule, ...]
    codes: dict[str, tuple[str, ...]]
    deck: tuple[Card, ...]


class Rulebook(Protocol):
    """The rules of one game with its options and seats. Pure: no clock, no dice, no storage."""

    @property
    def setup(self) -> Setup: ...

    @property
    def deck(self) -> tuple[Card, ...]:
        """The full deck in canonical order."""

    def deal(self, table: Table, dealer: object, deck: object) -> Effects:
        """The start of a hand (COM-13 to COM-16). Raises ``Refused``."""

    def resolve(self, table: Table, seat: object, move: object) -> Effects:
        """What the move does (COM-20 to COM-26); seat and move come undecoded. The only place where a rule is judged. Raises ``Refused``."""

    def legal(self, table: Table, seat: Seat) -> Iterator[Move]:
        """Every distinct legal move, lazily, in a stable order, from the seat's masked table: it cannot peek."""

    def view(self, table: Table) -> dict[str, Any]:
        """The state view of the specification, from a (masked) table (COM-30)."""


class Ruleset(Protocol):
    """A game; its variants are options, not subclasses."""

    @property
    def key(self) -> str: ...

    @property
    def edition(self) -> int:
        """Rises when ``resolve`` may answer differently."""

    def bind(self, options: object, seats: object) -> Rulebook:
        """Options and seats come undecoded (COM-10 to COM-12). Raises ``Refused`` with ``bad_option`` or ``bad_seats``."""

    def about(self) -> About: ...

    def sentence(self, refused: Refused, language: str) -> str:
        """The refusal in words, naming the cards in question. Falls back to English."""


Rulesets: TypeAlias = Mapping[str, Ruleset]


def check_start(table: Table, dealer: object, deck: object, full: tuple[Card, ...], demanded: Seat | None = None) -> tuple[Seat, tuple[Card, ...]]:
    """COM-13 to COM-16 in their order; answers dealer and deck well-typed. ``demanded``: the dealer whom the game demands, if any."""
    if table.phase == "game_over":
        raise Refused("game_over", "COM-13")
    if table.in_hand:
        raise Refused("hand_in_progress", "COM-14")
    seats = table.setup.seats
    if type(dealer) is not int or not 0 <= dealer < seats or (demanded is not None and dealer != demanded):
        raise Refused("bad_dealer", "COM-15", dealer=dealer, demanded=demanded, seats=seats)
    if not isinstance(deck, list | tuple) or not all(isinstance(card, str) for card in deck) or not same_cards(deck, full):
        raise Refused("bad_deck", "COM-16", size=len(full))
    return dealer, tuple(deck)


def read_move(move: object, types: Mapping[str, type[Struct]]) -> Any:
    """COM-20 to COM-22 but for the card codes: the move as the Struct of its type."""
    if not isinstance(move, dict) or not isinstance(move.get("type"), str):
        raise Refused("malformed_move", "COM-20", problem="a move is an object with a type")
    kind = types.get(move["type"])
    if kind is None:
        raise Refused("unknown_move", "COM-21", type=move["type"], types=tuple(types))
    fields = {name: value for name, value in move.items() if name != "type"}
    try:
        # plain() first: msgspec takes 2.0 for an integer, COM-3 does not.
        return msgspec.convert(plain(fields), kind, strict=True)
    except ValueError as error:
        raise Refused("malformed_move", "COM-22", problem=str(error)) from error


def check_cards(cards: tuple[Card, ...], known: frozenset[Card]) -> None:
    """COM-22: every code is one that the full deck of this game holds."""
    for card in cards:
        if card not in known:
            raise Refused("malformed_move", "COM-22", problem=f"no card of this game has the code {card!r}")


def check_turn(table: Table, seat: object) -> Seat:
    """COM-23 to COM-25 in their order; answers the seat well-typed."""
    if table.phase == "game_over":
        raise Refused("game_over", "COM-23")
    if not table.in_hand:
        raise Refused("hand_over", "COM-24")
    if type(seat) is not int or seat not in table.to_act:
        raise Refused("not_your_turn", "COM-25", seat=seat, to_act=table.to_act)
    return seat


def common_view(table: Table) -> dict[str, Any]:
    """The fields of the state view that every game has, but for hands and stock, which not every game has (COM-30)."""
    setup, score = table.setup, table.score
    winners = None if score.places is None else tuple(party for party, place in enumerate(score.places) if place == 1)
    return {
        "ruleset": setup.ruleset,
        "options": setup.options,
        "seats": setup.seats,
        "parties": setup.parties,
        "phase": table.phase,
        "hand": table.hand,
        "dealer": table.dealer,
        "turn": table.turn,
        "to_act": table.to_act,
        "totals": score.hands[-1].totals if score.hands else setup.start_totals,
        "winners": winners,
    }


