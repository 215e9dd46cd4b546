"""Names of cards, typed in the place of their codes: whole names in JSON, in a line also unique beginnings of names. Names of what a
number of a line counts, as the categories of a deck, are found in the same way.

Upper and lower case are alike, and accents may be left out. A code goes before a name. Everything here depends on the deck alone.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cache, lru_cache
from itertools import chain
from typing import TypeAlias

from msgspec import Struct, inspect

from domain.cards import CARD_CODE, Card
from domain.name_validation import fold_text
from domain.texts import Phrase, names_by_language, say

Named: TypeAlias = tuple[tuple[str, str], ...]
"""Codes, of cards mostly, with names."""

NamedByLanguage: TypeAlias = tuple[tuple[str, Named], ...]
"""Languages with the names in them."""

ByName: TypeAlias = Mapping[str, Mapping[str, str]]
"""By folded name the codes that have it, each with the name as it is written."""


def folded(text: str) -> str:
    """Return the text for a comparison without case, accents and further blanks."""
    return fold_text(" ".join(text.split()))


class Names(Struct, frozen=True, eq=False):
    """Codes by name. ``names``: in all languages; ``spoken``: by language those in it."""

    names: ByName = {}
    spoken: Mapping[str, ByName] = {}

    def find_named(self, text: str) -> Mapping[str, str]:
        """Return the codes that have this name."""
        return self.names.get(folded(text), {})

    def find_by_prefix(self, text: str, language: str) -> Mapping[str, str]:
        """Return the codes that have this name; if there are none, those whose names begin so. A name of the language is shown before
        another one that begins so.
        """
        start, found = folded(text), dict[str, str]()
        if start in self.names:
            return self.names[start]
        for named in _find_by_start(self.names, start):
            found |= {code: name for code, name in named.items() if code not in found}
        for named in _find_by_start(self.spoken.get(language, {}), start):
            found |= named
        return found


def _find_by_start(names: ByName, start: str) -> Iterator[Mapping[str, str]]:
    return (named for full, named in names.items() if full.startswith(start))


class CardNames(Names, frozen=True, eq=False, kw_only=True):
    """The names of the cards of a deck. ``exact``: names that belong to one card each, as they are written."""

    codes: frozenset[Card]
    exact: Mapping[str, Card] = {}

    def code_of(self, text: str) -> str:
        """Return the code of the card with this code or name; the text itself if there is none, or several."""
        if text in self.codes:
            return text
        found = self.find_named(text)
        return self.exact.get(text) or (next(iter(found)) if len(found) == 1 else text)

    def in_list(self, cards: object) -> object:
        """Return a list with codes in the place of names. Anything else is left to others to refuse."""
        if not isinstance(cards, (list, tuple)):
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


def list_with_codes(named: Mapping[str, str]) -> tuple[str, ...]:
    """Return the names with their codes, as ``Azobé (A4)``."""
    return tuple(f"{name} ({code})" for code, name in named.items())


@lru_cache(maxsize=64)
def card_names(package: str, deck: tuple[Card, ...], own: Named = (), others: NamedByLanguage = ()) -> CardNames:
    """Return the names of the cards: those of the catalogues of the game, in every language, or those that the deck brings with it.

    ``own``: names of which no two are equal, in no language; ``others``: further ones.
    """
    spoken = others if own else tuple(_list_catalog_names(package, deck))
    return CardNames(
        by_name((*own, *chain.from_iterable(named for _, named in spoken))),
        {language: by_name(named) for language, named in spoken},
        codes=frozenset(deck),
        exact={name: card for card, name in own},
    )


def by_name(named: Iterable[tuple[str, str]]) -> ByName:
    """Return the codes by folded name."""
    found: dict[str, dict[str, str]] = {}
    for code, name in named:
        found.setdefault(folded(name), {}).setdefault(code, name)
    return found


def _list_catalog_names(package: str, deck: tuple[Card, ...]) -> Iterator[tuple[str, Named]]:
    for language, words in names_by_language(package, deck).items():
        yield language, tuple((card, name) for card in dict.fromkeys(deck) if (name := words.get(f"card.{card}")))


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
    return lambda value, names: type(value)([replace(one, names) for one in value]) if isinstance(value, (list, tuple)) else value


def _in_fields(fields: Mapping[str, _Replace]) -> _Replace | None:
    def replaced(value: object, names: CardNames) -> object:
        if not isinstance(value, dict):
            return value
        return {name: fields[name](one, names) if name in fields else one for name, one in value.items()}

    return replaced if fields else None
