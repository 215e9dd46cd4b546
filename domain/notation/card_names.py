"""Names of cards, typed in the place of their codes: whole names in JSON, in a line also unique beginnings of names.

Upper and lower case are alike, and accents may be left out. A code goes before a name. Everything here depends on the deck alone.
"""

from collections.abc import Callable, Iterable, Mapping
from functools import cache, lru_cache
from typing import TypeAlias

from msgspec import Struct, inspect

from domain.cards import CARD_CODE, Card
from domain.spelling import fold_case_and_accents
from domain.texts import Phrase, names_by_language, say

Named: TypeAlias = tuple[tuple[Card, str], ...]
"""Cards with names."""


def folded(text: str) -> str:
    """Return the text for a comparison without case, accents and further blanks."""
    return fold_case_and_accents(" ".join(text.split()))


class CardNames(Struct, frozen=True, eq=False):
    """The names of the cards of a deck. ``exact``: names that belong to one card each, as they are written; ``names``: by folded name its
    cards, each with the name as it is written.
    """

    codes: frozenset[Card]
    exact: Mapping[str, Card]
    names: Mapping[str, Mapping[Card, str]]

    def find_named(self, text: str) -> Mapping[Card, str]:
        """Return the cards that have this name."""
        return self.names.get(folded(text), {})

    def find_by_beginning(self, text: str) -> Mapping[Card, str]:
        """Return the cards that have this name; if there are none, those whose names begin so."""
        start, found = folded(text), dict[Card, str]()
        if start in self.names:
            return self.names[start]
        for cards in (cards for full, cards in self.names.items() if full.startswith(start)):
            found |= {card: name for card, name in cards.items() if card not in found}
        return found

    def code_of(self, text: str) -> str:
        """Return the code of the card with this code or name; the text itself if there is none, or several."""
        if text in self.codes:
            return text
        found = self.find_named(text)
        return self.exact.get(text) or (next(iter(found)) if len(found) == 1 else text)

    def in_list(self, cards: object) -> object:
        """Return a list with codes in the place of names. Anything else is left to others to refuse."""
        if not isinstance(cards, list | tuple):
            return cards
        return type(cards)([self.code_of(card) if isinstance(card, str) else card for card in cards])

    def in_zones(self, zones: object) -> object:
        """Return lists by zone, as in ``known``, with codes in the place of names."""
        return {zone: self.in_list(cards) for zone, cards in zones.items()} if isinstance(zones, dict) else zones

    def in_move(self, move: object, types: Mapping[str, type[Struct]]) -> object:
        """Return a move of one of these types with codes in the place of names."""
        kind = types.get(move["type"]) if isinstance(move, dict) and isinstance(move.get("type"), str) else None
        replace = _replacing_in(kind) if kind else None
        return replace(move, self) if replace else move

    def unknown(self, text: str) -> Phrase:
        """Return why the text is no card."""
        found = self.find_named(text)
        return say("move.card_of_several", name=text, names=list_with_codes(found)) if found else no_card(text)


def no_card(text: str) -> Phrase:
    """Return that no card has the text as its code or name."""
    return say("move.no_card", card=text)


def list_with_codes(named: Mapping[Card, str]) -> tuple[str, ...]:
    """Return the names with the codes of their cards, as ``Azobé (A4)``."""
    return tuple(f"{name} ({card})" for card, name in named.items())


@lru_cache(maxsize=64)
def card_names(package: str, deck: tuple[Card, ...], own: Named = (), others: Named = ()) -> CardNames:
    """Return the names of the cards: those of the catalogues of the game, in every language, or those that the deck brings with it.

    ``own``: names of which no two are equal; ``others``: further ones.
    """
    names: dict[str, dict[Card, str]] = {}
    for card, name in (*own, *others) if own else _of_catalogues(package, deck):
        names.setdefault(folded(name), {}).setdefault(card, name)
    return CardNames(frozenset(deck), {name: card for card, name in own}, names)


def _of_catalogues(package: str, deck: tuple[Card, ...]) -> Iterable[tuple[Card, str]]:
    for words in names_by_language(package, deck).values():
        for card in dict.fromkeys(deck):
            if name := words.get(f"card.{card}"):
                yield card, name


# The fields of a move that hold codes are found by their type, whatever the game.

_Replace: TypeAlias = Callable[[object, CardNames], object]


@cache
def _replacing_in(kind: type[Struct]) -> _Replace | None:
    return _replacing(inspect.type_info(kind))


def _replacing(kind: inspect.Type) -> _Replace | None:
    """Return what replaces names in a value of this type; ``None`` where it holds no codes of cards."""
    match kind:
        case inspect.Metadata(extra=extra) if extra == CARD_CODE:
            return lambda value, names: names.code_of(value) if isinstance(value, str) else value
        case inspect.Metadata(type=inner):
            return _replacing(inner)
        case inspect.VarTupleType(item_type=item):
            return _in_each(_replacing(item))
        case inspect.UnionType(types=types):
            return next(filter(None, map(_replacing, types)), None)
        case inspect.StructType(fields=fields):
            return _in_fields({field.encode_name: found for field in fields if (found := _replacing(field.type))})
        case _:
            return None


def _in_each(replace: _Replace | None) -> _Replace | None:
    if replace is None:
        return None
    return lambda value, names: type(value)([replace(one, names) for one in value]) if isinstance(value, list | tuple) else value


def _in_fields(fields: Mapping[str, _Replace]) -> _Replace | None:
    def replaced(value: object, names: CardNames) -> object:
        if not isinstance(value, dict):
            return value
        return {name: fields[name](one, names) if name in fields else one for name, one in value.items()}

    return replaced if fields else None
