"""The vocabulary of effects: what a decision does to the table, for every game (``docs/architecture.md``).

An effect is stored as a tagged JSON array, ``["moved", ["7D"], "board", "won:1", false, false]``. The vocabulary is closed and
knows no game; it may grow by a word, never by a game's word.
"""

from math import isfinite
from typing import TYPE_CHECKING, Literal, TypeAlias

from msgspec import Struct

from domain.cards import Card, Seat

# A closed type, never Any, so that what is decoded equals what was encoded (arrays come back as tuples).
_Leaf: TypeAlias = None | bool | int | float | str
if TYPE_CHECKING:
    Plain: TypeAlias = _Leaf | tuple["Plain", ...] | dict[str, "Plain"]
else:
    # msgspec cannot decode a recursive alias; six levels are more than any mark, fact or option needs.
    Plain = _Leaf
    for _ in range(6):
        Plain = _Leaf | tuple[Plain, ...] | dict[str, Plain]

_LARGEST = 2**63 - 1  # the largest integer of both databases and of most JSON readers
_DEEPEST = 6  # as deep as the type above


def plain(value: object, depth: int = _DEEPEST, *, fractions: bool = False) -> Plain:
    """The JSON value as a ``Plain``: lists become tuples.

    Raises ``ValueError`` for what a Plain cannot be: integers over 64 bits, more than six levels, and text that is no Unicode (half
    a surrogate pair, which JSON can spell but UTF-8 cannot store). A number with a fraction is refused too (COM-3), unless
    ``fractions`` is set: the value of a card may be one, a move may not hold one.
    """
    # Most of them first, and without a pattern; text in lists and objects without a call.
    if type(value) is str and value.isascii():
        return value
    if depth and isinstance(value, dict):
        return {
            key if type(key) is str and key.isascii() else _plain_key(key): item
            if type(item) is str and item.isascii()
            else plain(item, depth - 1, fractions=fractions)
            for key, item in value.items()
        }
    if depth and isinstance(value, (list, tuple)):
        return tuple([item if type(item) is str and item.isascii() else plain(item, depth - 1, fractions=fractions) for item in value])
    match value:
        case str() if _is_unicode(value):
            return value
        case None | bool():
            return value
        case int() if -_LARGEST <= value <= _LARGEST:
            return value
        case float() if fractions and isfinite(value):
            return value
    raise _not_plain()


def _plain_key(key: object) -> str:
    if isinstance(key, str) and _is_unicode(key):
        return key
    raise _not_plain()


def _not_plain() -> ValueError:
    return ValueError("a value is text, a whole number of at most 64 bits, true, false, null, a list or an object, at most six levels deep")


def _is_unicode(text: str) -> bool:
    return text.isascii() or not any("\ud800" <= letter <= "\udfff" for letter in text)


Sight: TypeAlias = Literal["all", "top", "owner", "owner-top", "none"]
"""Who sees which faces of a zone. The top of every zone is its LAST card."""


class _Effect(Struct, frozen=True, array_like=True, forbid_unknown_fields=True, gc=False):
    """The tag base: immutable, a JSON array with the tag first. No effect can contain itself, so the garbage collector can skip them."""


class HandOpened(_Effect, frozen=True, tag="hand"):
    """A hand begins: zones, marks and the score lines of the hand before are cleared."""

    hand: int
    dealer: Seat


class ZoneLaid(_Effect, frozen=True, tag="zone"):
    """A zone appears. The deck is ``ZoneLaid("stock", "none", None, …)`` with the whole deck, the next card last."""

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
    """The upper end of the zone is in truth these cards, the top last: somebody told faces that the record did not know. No card moves.

    ``"?"`` in it makes a card unknown again (QTR-31).
    """

    zone: str
    cards: tuple[Card, ...]


class MarkSet(_Effect, frozen=True, tag="mark"):
    """A sign on the table or on a zone; ``None`` lifts it. A mark is what cannot be read from the cards themselves."""

    mark: str
    value: Plain
    zone: str | None = None


class Said(_Effect, frozen=True, tag="said"):
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


Effect: TypeAlias = HandOpened | ZoneLaid | SightSet | CardsMoved | Known | MarkSet | Said | Scored | TurnPassed | HandClosed | GameClosed
Effects: TypeAlias = tuple[Effect, ...]


def dealt_deck(effects: Effects) -> tuple[Card, ...]:
    """The deck of a deal in the order in which it was dealt; none where damaged history holds none."""
    return next((effect.cards[::-1] for effect in effects if isinstance(effect, ZoneLaid) and effect.zone == "stock"), ())
