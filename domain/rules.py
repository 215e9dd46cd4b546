"""Interfaces of a game's rules: a ruleset describes the game and binds options and seats to a rulebook."""

from collections.abc import Hashable, Iterator, Mapping, Sequence
from typing import Any, Protocol, TypeAlias

from msgspec import UNSET, Struct

from domain import texts
from domain.cards import Card, Seat
from domain.effects import Effects, GameClosed, Plain
from domain.errors import Refused
from domain.layout import DeckKind, Hint
from domain.notation.card_names import CardNames
from domain.notation.syntax import Notation
from domain.score import Sheet, totals
from domain.setup import Presets, Setup
from domain.signs import Signs
from domain.table import Table
from domain.texts import FALLBACK
from domain.texts.rule_sections import Example, RuleSection

Move: TypeAlias = dict[str, Plain]
"""A move as JSON: ``{"type": …, fields}``."""


class KnownFaces(Struct, frozen=True):
    """Cards told beside a move, undecoded: faces by zone that lie there, faces that do not (COM-71), and what hands are worth (CAN-57).
    Unset: nothing is told.
    """

    known: object = UNSET
    lacks: object = UNSET
    worth: object = UNSET


NOTHING_TOLD = KnownFaces()


Codes: TypeAlias = Mapping[str, tuple[str, ...]]
"""The error table of a game: code -> rule numbers. The shared checks cite their own number and what the game adds to it (COM-27)."""


class TypedMove(Struct, frozen=True, forbid_unknown_fields=True, tag_field="type"):
    """The tag base of the moves of all games: ``type`` is the tag of the Struct."""


class Rule(Struct, frozen=True):
    """A numbered rule in our own words."""

    number: str
    text: str


class About(Struct, frozen=True):
    """The description of a game from which a client builds a form: names by language, JSON Schemas of options and moves, rules, codes, the
    canonical deck.
    """

    names: dict[str, str]
    options: dict[str, Any]
    moves: dict[str, Any]
    rules: tuple[Rule, ...]
    """In the requested language, unlike all other fields: those come in all languages."""

    codes: dict[str, tuple[str, ...]]
    deck: tuple[Card, ...]
    words: dict[str, dict[str, str]] = {}
    """The names of cards, rows and ends, by language: ``row.big_casino`` -> ``Big Casino`` (``domain/texts/``)."""

    presets: Presets = ()
    """Complete sets of options, by name; ``bind`` takes the name of one (COM-45)."""

    layout: tuple[Hint, ...] = ()
    """The layout hints for its zones on a screen; none for a game that gives none."""

    deck_kind: DeckKind | None = None
    chapters: tuple[RuleSection, ...] = ()
    """The same rules in chapters: first those of the game, then those of every game. In the requested language."""

    examples: tuple[Example, ...] = ()
    marks: dict[str, tuple[str, ...]] = {}
    """What made each rule, by its number: ``source``, ``decision`` where the source is silent or can be read in several ways, ``option``.
    """


class StopEffects(Struct, frozen=True):
    """The effects of stopping a hand (COM-43). A hand that does not ``count`` is struck out afterwards."""

    effects: Effects
    counts: bool


class Rulebook(Protocol):
    """The rules of one game with its options and seats. Pure: no clock, no dice, no storage."""

    @property
    def setup(self) -> Setup: ...

    @property
    def deck(self) -> tuple[Card, ...]:
        """The full deck in canonical order."""

    @property
    def signs(self) -> Signs:
        """The marks, phases and zones that an official may write on the table by hand."""

    @property
    def notation(self) -> Notation | None:
        """The notation of its moves (``domain/notation/``); None where the game has no grammar."""

    @property
    def card_names(self) -> CardNames:
        """The names by which its cards may be typed."""

    def with_codes(self, move: object) -> object:
        """Return a move, undecoded, with codes in the place of names of cards. What is no move is left as it is."""

    def deal(self, table: Table, dealer: object, deck: object, known: object = UNSET) -> Effects:
        """Return the effects of the start of a hand (COM-13 to COM-16). ``known``: the told cards of the deck by zone, undecoded (COM-70).
        Raises ``Refused``.
        """

    def group_known_cards(self, table: Table, dealer: Seat, deck: Sequence[Card]) -> dict[str, tuple[Card, ...]]:
        """Return the cards that have to be told of an unknown deck, by the zone to which cards go first, to deal the known cards of this
        one (COM-70).
        """

    def report(self, table: Table, dealer: object, result: object) -> Effects:
        """Return the effects of a whole hand of which only the result is known (COM-13 to COM-15, COM-67), undecoded; with it the end of
        the game where it brings it. Raises ``Refused``.
        """

    def resolve(self, table: Table, seat: object, move: object, told: KnownFaces = NOTHING_TOLD) -> Effects:
        """Return the effects of the move (COM-20 to COM-26); seat and move come undecoded. The only place where a rule is judged. Raises
        Refused.
        """

    def resolve_without_checks(self, table: Table, seat: Seat, move: object) -> Effects:
        """Return the effects that the move would have if the game's own checks let it pass, also out of turn: what was done with the
        cards when an illegal move was made at a table. Raises ``Refused`` for what is no move. A move that makes no sense on the table may
        raise anything, and its effects need not fit the table.
        """

    def stop(self, table: Table) -> StopEffects:
        """Return the end of the hand in progress because time is up (COM-43)."""

    def tell(self, table: Table, known: object, worth: object = UNSET) -> Effects:
        """Return the effects of cards told between moves (COM-75), and of the worth of hands (CAN-57), undecoded. Raises ``Refused``."""

    def legal(self, table: Table, seat: Seat) -> Iterator[Move]:
        """Yield every distinct legal move, lazily, in a stable order, from the seat's masked table: it cannot peek."""

    def view(self, table: Table) -> dict[str, Any]:
        """Return the state view of the specification, from a (masked) table (COM-30)."""

    @property
    def types(self) -> tuple[str, ...]:
        """The types of its moves."""

    def list_named_cards(self, move: Move) -> tuple[Card, ...]:
        """Return every card that a move of the right form names, copies among them."""

    def closing(self, sheet: Sheet) -> GameClosed | None:
        """Return the end of the game, if points or hands on the sheet bring it as it stands after a hand: also after a ruling (COM-42) and
        after a hand that was reported (COM-67).
        """

    def places(self, sheet: Sheet) -> tuple[int | None, ...]:
        """Return a place per party of a game that is over, from its sheet alone: also after a ruling changed points (COM-40)."""


class Ruleset(Hashable, Protocol):
    """A game; its variants are options, not subclasses. Hashable, because bound rulebooks are cached by it."""

    @property
    def key(self) -> str: ...

    @property
    def edition(self) -> int:
        """Rises when ``resolve`` may answer differently."""

    def bind(self, options: object, seats: object) -> Rulebook:
        """Bind options and seats, which come undecoded (COM-10 to COM-12, COM-45). Raises ``Refused`` with ``bad_option`` or
        ``bad_seats``.
        """

    def about(self, language: str = FALLBACK) -> About: ...

    def sentence(self, refused: Refused, language: str) -> str:
        """Return the refusal as a sentence that names the cards in question. Falls back to English."""


Rulesets: TypeAlias = Mapping[str, Ruleset]


def refusal_sentence(ruleset: Ruleset | None, refused: Refused, language: str) -> str:
    """Return a refusal as a sentence, in the words of its game where that is known."""
    if ruleset is None:
        return texts.sentence(refused.code, refused.detail, language, (texts.COMMON,), refused.rules)
    return ruleset.sentence(refused, language)


def common_view(table: Table) -> dict[str, Any]:
    """Return the fields of the state view that every game has, without hands and stock, which not every game has (COM-30)."""
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
        "totals": totals(setup, score),
        "winners": winners,
    }


def hands_view(hands: Sequence[Sequence[Card]]) -> dict[str, Any]:
    """Return the cards of every seat and their numbers, as games with hands show them (COM-30)."""
    return {"hands": hands, "hand_counts": [len(hand) for hand in hands]}


def stock_view(table: Table) -> dict[str, Any]:
    """Return the stock and its size, the next card first (COM-30)."""
    stock = table.cards("stock")[::-1]
    return {"stock": stock, "stock_count": len(stock)}
