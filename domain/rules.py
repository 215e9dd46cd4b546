"""What a game is to the rest of Kiebitz: a ruleset that binds options and seats to a rulebook, and the checks all rulebooks share."""

from collections.abc import Callable, Iterator, Mapping
from functools import cache
from typing import Any, Protocol, TypeAlias, TypeVar

import msgspec
from msgspec import Struct

from domain import texts
from domain.cards import Card, Seat, same_cards
from domain.effects import Effects, Plain, plain
from domain.errors import Refused
from domain.score import Sheet, totals
from domain.setup import Setup
from domain.table import Table

Move: TypeAlias = dict[str, Plain]
"""A move as JSON: ``{"type": …, fields}``."""


Codes: TypeAlias = Mapping[str, tuple[str, ...]]
"""The error table of a game: code -> rule numbers. The shared checks cite their own number and what the game adds to it (COM-27)."""

Said: TypeAlias = Callable[[Mapping[str, str], str, object], object]
"""A detail of a refusal as people say it, from the words of a language, its name and its value."""


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
    words: dict[str, dict[str, str]] = {}
    """By language what people call cards, rows and ends: ``row.big_casino`` -> ``Big Casino`` (``domain/texts.py``)."""


def described(
    package: str,
    names: Mapping[str, str],
    options: Any,
    moves: Any,
    codes: Codes,
    deck: tuple[Card, ...],
    cited: Callable[[str], bool] = lambda number: True,
) -> About:
    """What the game of a package tells: the schemas of its types, its texts, and the rules that it cites.

    Those are the rules that hold in every game, then the numbered lines of its own ``RULES.md``.
    """
    own = ((number, text) for number, text in texts.numbered(package) if cited(number))
    return About(
        names=dict(names),
        options=msgspec.json.schema(options),
        moves=msgspec.json.schema(moves),
        rules=tuple(Rule(number, text) for number, text in (*texts.numbered("domain"), *own)),
        codes=dict(codes),
        deck=deck,
        words=texts.names(package, deck),
    )


def in_words(package: str, refused: Refused, language: str, said: Said | None = None) -> str:
    """The refusal in the words of the game of a package."""
    own = texts.catalogue(package)
    words = own.get(language.lower().partition("-")[0], own[texts.FALLBACK])
    detail = {name: said(words, name, value) for name, value in refused.detail.items()} if said else refused.detail
    return texts.sentence(refused.code, detail, language, (own, texts.COMMON), refused.rules)


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
        """What the move does (COM-20 to COM-26); seat and move come undecoded. The only place where a rule is judged. Raises Refused."""

    def legal(self, table: Table, seat: Seat) -> Iterator[Move]:
        """Every distinct legal move, lazily, in a stable order, from the seat's masked table: it cannot peek."""

    def view(self, table: Table) -> dict[str, Any]:
        """The state view of the specification, from a (masked) table (COM-30)."""

    def places(self, sheet: Sheet) -> tuple[int | None, ...]:
        """A place per party of a game that is over, from its sheet alone: also after a ruling changed points (COM-40)."""


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


Options = TypeVar("Options", bound=Struct)


def read_options(options: object, kind: type[Options], codes: Codes) -> Options:
    """COM-10: every option by itself; those left out get the defaults of the Struct."""
    fields = _option_fields(kind)
    if not isinstance(options, dict):
        raise Refused("bad_option", "COM-10", *_own(codes, "bad_option"), option=None, given=options, allowed=tuple(fields))
    values = {}
    for name, value in options.items():
        if name not in fields:
            raise Refused("bad_option", "COM-10", *_own(codes, "bad_option"), option=name, given=value, allowed=tuple(fields))
        type_, allowed = fields[name]
        try:
            values[name] = msgspec.convert(plain(value), type_, strict=True)
        except ValueError as error:
            raise Refused("bad_option", "COM-10", *_own(codes, "bad_option"), option=name, given=value, allowed=allowed) from error
    return kind(**values)


@cache
def _option_fields(kind: type[Struct]) -> dict[str, tuple[Any, tuple[object, ...]]]:
    """Per option its type and what it allows, in words that need no translation."""
    described = msgspec.json.schema(kind)["$defs"][kind.__name__]["properties"]
    return {field.name: (field.type, _allowed(described[field.name])) for field in msgspec.structs.fields(kind)}


def _allowed(described: dict[str, Any]) -> tuple[object, ...]:
    if "enum" in described:
        return tuple(described["enum"])
    if described.get("type") == "boolean":
        return (False, True)
    if described.get("type") == "null":
        return (None,)
    if "anyOf" in described:
        return tuple(choice for item in described["anyOf"] for choice in _allowed(item))
    if "prefixItems" in described:
        return tuple(choice for item in described["prefixItems"] for choice in _allowed(item))
    return (f"{described.get('minimum', '')}…{described.get('maximum', '')}",)


def check_start(
    table: Table, dealer: object, deck: object, full: tuple[Card, ...], codes: Codes, demanded: Seat | None = None
) -> tuple[Seat, tuple[Card, ...]]:
    """COM-13 to COM-16 in their order; answers dealer and deck well-typed. ``demanded``: the dealer whom the game demands, if any."""
    if table.phase == "game_over":
        raise Refused("game_over", "COM-13", *_own(codes, "game_over"))
    if table.in_hand:
        raise Refused("hand_in_progress", "COM-14", *_own(codes, "hand_in_progress"))
    allowed = tuple(range(table.setup.seats)) if demanded is None else (demanded,)
    if type(dealer) is not int or dealer not in allowed:
        raise Refused("bad_dealer", "COM-15", *_own(codes, "bad_dealer"), dealer=dealer, allowed=allowed)
    if not isinstance(deck, list | tuple) or not all(isinstance(card, str) for card in deck) or not same_cards(deck, full):
        raise Refused("bad_deck", "COM-16", *_own(codes, "bad_deck"), size=len(full))
    return dealer, tuple(deck)


def next_dealer(table: Table) -> Seat | None:
    """The seat after the one that dealt last; none before the first hand, which any seat may deal."""
    return None if table.dealer is None else (table.dealer + 1) % table.setup.seats


def read_move(move: object, types: Mapping[str, type[Struct]], codes: Codes) -> Any:
    """COM-20 to COM-22 but for the card codes: the move as the Struct of its type."""
    if not isinstance(move, dict) or not isinstance(move.get("type"), str):
        raise Refused("malformed_move", "COM-20", *_own(codes, "malformed_move"), problem="a move is an object with a type")
    kind = types.get(move["type"])
    if kind is None:
        raise Refused("unknown_move", "COM-21", *_own(codes, "unknown_move"), type=move["type"], types=tuple(types))
    fields = {name: value for name, value in move.items() if name != "type"}
    try:
        # plain() first: what no store can hold is refused whatever the field would take.
        return msgspec.convert(plain(fields), kind, strict=True)
    except ValueError as error:
        raise Refused("malformed_move", "COM-22", *_own(codes, "malformed_move"), problem=str(error)) from error


def check_cards(cards: tuple[Card, ...], known: frozenset[Card], codes: Codes) -> None:
    """COM-22: every code is one that the full deck of this game holds."""
    for card in cards:
        if card not in known:
            problem = f"no card of this game has the code {card!r}"
            raise Refused("malformed_move", "COM-22", *_own(codes, "malformed_move"), problem=problem)


def check_turn(table: Table, seat: object, codes: Codes) -> Seat:
    """COM-23 to COM-25 in their order; answers the seat well-typed."""
    if table.phase == "game_over":
        raise Refused("game_over", "COM-23", *_own(codes, "game_over"))
    if not table.in_hand:
        raise Refused("hand_over", "COM-24", *_own(codes, "hand_over"))
    if type(seat) is not int or seat not in table.to_act:
        raise Refused("not_your_turn", "COM-25", *_own(codes, "not_your_turn"), seat=seat, to_act=table.to_act)
    return seat


def _own(codes: Codes, code: str) -> list[str]:
    """What the game's error table adds to the common number."""
    return [number for number in codes.get(code, ()) if not number.startswith("COM-")]


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
        "totals": totals(setup, score),
        "winners": winners,
    }
