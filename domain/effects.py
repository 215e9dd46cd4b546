"""Effects: the closed vocabulary of changes to the table, shared by every game (``docs/architecture.md``).

An effect is stored as a tagged JSON array, ``["moved", ["7D"], "board", "won:1", false, false]``. The vocabulary knows no game; it may grow
by a word, never by a game's word.
"""

from functools import cache
from sys import float_info
from typing import TYPE_CHECKING, Annotated, Any, Literal, TypeAlias

import msgspec
from msgspec import Meta, Struct, defstruct

from domain.cards import Card, Seat


def _nest_type(leaf: Any, levels: int) -> Any:
    """Return the type of such values, of tuples and of objects of them, and so on for ``levels`` levels."""
    if not levels:
        return leaf
    kind = _nest_type(leaf, levels - 1)
    return leaf | tuple[kind, ...] | dict[str, kind]


_DEEPEST = 6  # levels, more than any mark, fact or option needs

# A closed type, never Any, so that decoded values equal the encoded ones (arrays come back as tuples).
_Leaf: TypeAlias = None | bool | int | float | str
if TYPE_CHECKING:
    Plain: TypeAlias = _Leaf | tuple["Plain", ...] | dict[str, "Plain"]
else:
    Plain = _nest_type(_Leaf, _DEEPEST)  # msgspec cannot decode a recursive alias

_LARGEST = 2**63 - 1  # the largest integer of both databases and of most JSON readers
_Whole: TypeAlias = Annotated[int, Meta(ge=-_LARGEST, le=_LARGEST)]
_Fraction: TypeAlias = Annotated[float, Meta(ge=-float_info.max, le=float_info.max)]  # neither infinite nor "not a number"
_NOT_PLAIN = "a value is text, a whole number of at most 64 bits, true, false, null, a list or an object, at most six levels deep"
_ENCODER = msgspec.json.Encoder()


def plain(value: object, depth: int = _DEEPEST, *, fractions: bool = False) -> Plain:
    """Return the JSON value as a ``Plain``: lists become tuples.

    Raises ``ValueError`` for what a Plain cannot be: integers over 64 bits, more than six levels, and text that is no Unicode (half a
    surrogate pair, which JSON can spell but UTF-8 cannot store). A number with a fraction is refused too (COM-3), unless ``fractions`` is
    set: the value of a card may be one, a move may not hold one.
    """
    try:
        kept: Plain = msgspec.convert((value,), _define_value_struct(depth, fractions=fractions)).value
        _ENCODER.encode(kept)  # refuses text that is no Unicode
    except ValueError:
        raise ValueError(_NOT_PLAIN) from None
    return kept


@cache
def _define_value_struct(depth: int, *, fractions: bool) -> Any:
    """Return a Struct type that holds the value. msgspec caches what it has found out about a type for Structs alone."""
    leaf = None | bool | _Whole | str
    return defstruct("Held", [("value", _nest_type(leaf | _Fraction if fractions else leaf, depth))], array_like=True)


Sight: TypeAlias = Literal["all", "top", "owner", "owner-top", "none"]
"""The viewers of the faces of a zone. The top of every zone is its LAST card."""


class _Effect(Struct, frozen=True, array_like=True, forbid_unknown_fields=True, gc=False):
    """The tag base: immutable, a JSON array with the tag first. No effect can contain itself, so the garbage collector can skip them."""


class HandOpened(_Effect, frozen=True, tag="hand"):
    """A hand begins: zones, marks and the score lines of the hand before are cleared."""

    hand: int
    dealer: Seat


class ZoneAdded(_Effect, frozen=True, tag="zone"):
    """A zone appears. The deck is ``ZoneAdded("stock", "none", None, …)`` with the whole deck, the next card last."""

    zone: str
    sight: Sight
    owner: Seat | None
    cards: tuple[Card, ...] = ()


class SightSet(_Effect, frozen=True, tag="sight"):
    """The zone gets another sight: a reserve pile opens, captured piles are shown at the end."""

    zone: str
    sight: Sight


class CardsMoved(_Effect, frozen=True, tag="moved"):
    """Cards go on top of the target in this order (the last one ends on top), or beneath it with ``under``.

    Of equal copies in the source the one nearest the top goes. ``shown``: everybody sees the faces while they move.
    With ``source == target`` cards of a zone are turned up: so a viewer learns a face that newly lies open.
    """

    cards: tuple[Card, ...]
    source: str
    target: str
    under: bool = False
    shown: bool = False


class Known(_Effect, frozen=True, tag="known"):
    """The upper end of the zone is in truth these cards, the top last: faces were told that the record did not know. No card moves. ``"?"``
    in it makes a card unknown again (QTR-31).
    """

    zone: str
    cards: tuple[Card, ...]


class BlockAdded(_Effect, frozen=True, tag="block"):
    """These faces lie at these places, one at each, in an order that nobody recorded; on the table the places are ``"?"``. In a zone 0 is
    the next card to leave. It replaces a block that holds one of the faces.

    Without faces it says that this hand has such blocks: from now on nobody records the order of cards that go under others (QTR-32).
    """

    faces: tuple[Card, ...]
    places: dict[str, tuple[int, ...]]


class MarkSet(_Effect, frozen=True, tag="mark"):
    """A sign on the table or on a zone; ``None`` lifts it. A mark is what cannot be read from the cards themselves."""

    mark: str
    value: Plain
    zone: str | None = None


class DetailAnnounced(_Effect, frozen=True, tag="said"):
    """An announcement or a fact without state: never folded, never read by rules."""

    seat: Seat | None
    what: str
    value: Plain = None


class Scored(_Effect, frozen=True, tag="scored"):
    """One line of the sheet of the hand, a number per party."""

    row: str
    points: tuple[int, ...]


class TurnPassed(_Effect, frozen=True, tag="turn"):
    phase: str
    turn: Seat | None
    to_act: tuple[Seat, ...]


class HandClosed(_Effect, frozen=True, tag="closed"):
    """The hand is over: its lines become a hand of the sheet, nobody is to act."""

    end: str
    facts: dict[str, Plain]


class GameClosed(_Effect, frozen=True, tag="over"):
    """The game is over: a place per party (COM-40; ``None`` is a lost solitaire, COM-41). The winners follow from the places."""

    places: tuple[int | None, ...]
    facts: dict[str, Plain]


Effect: TypeAlias = (
    HandOpened
    | ZoneAdded
    | SightSet
    | CardsMoved
    | Known
    | BlockAdded
    | MarkSet
    | DetailAnnounced
    | Scored
    | TurnPassed
    | HandClosed
    | GameClosed
)
Effects: TypeAlias = tuple[Effect, ...]


def dealt_deck(effects: Effects) -> tuple[Card, ...]:
    """Return the deck of a deal in the order in which it was dealt; empty where damaged history holds none."""
    return next((effect.cards[::-1] for effect in effects if isinstance(effect, ZoneAdded) and effect.zone == "stock"), ())
