"""Decks of the Quartett games, the options shared by both, and the setup that follows from them."""

from collections.abc import Iterable, Iterator
from functools import cache
from importlib.resources import files
from typing import Annotated, Generic, TypeAlias, TypeVar, cast

import msgspec
from msgspec import Meta, Struct
from msgspec.structs import replace

from domain.cards import Card
from domain.checks import check_seats, read_options, refusal
from domain.effects import GameClosed, HandClosed, Plain, Scored
from domain.games.quartett.definition import (
    BadDeck,
    Category,
    Definition,
    Value,
    canonical,
    list_card_groups,
    read_definition,
    strip_invalid_keys,
)
from domain.notation.card_names import ByName, Named, NamedByLanguage, Names, by_name, folded
from domain.rules import Codes
from domain.score import Sheet, places_by, sheet
from domain.setup import Setup, setup_of
from domain.table import Draft
from domain.texts import LANGUAGES

Stored: TypeAlias = dict[str, Plain]

PACKAGE = __package__ or ""


class Deck(Struct, frozen=True):
    """A deck as the rules use it. ``definition`` is kept with the game, so that no file can change it afterwards.

    ``option`` is how the option reads: the id, if this is the installed deck of that id, else the definition.
    """

    definition: Stored
    option: Plain
    cards: tuple[Card, ...]
    categories: dict[str, Category]
    quartets: dict[str, tuple[Card, ...]]
    letter_of: dict[Card, str]
    names: dict[Card, str]
    ids: dict[str, Card]
    called: tuple[Named, NamedByLanguage]
    """The names of the cards, and those in the languages that are spoken here."""

    named_categories: Names
    """The names of the categories by their numbers, which count from 1. An id goes before a name."""

    places: dict[Card, int]
    values: dict[str, dict[Card, Value]]
    """By category; None is a dash on the card (QDK-10)."""

    def find_card(self, text: str) -> Card | None:
        """Return the card of this id or this name, compared exactly (QDK-3)."""
        return text if text in self.names else self.ids.get(text)

    def in_order(self, cards: tuple[Card, ...]) -> list[Card]:
        """Return the cards in canonical order (QDK-5); cards that cannot be seen come last."""
        return sorted(cards, key=lambda card: self.places.get(card, len(self.places)))


def deck_of(deck_def: object) -> Deck:
    """Return the deck of the option. Raises ``BadDeck``."""
    if isinstance(deck_def, str):
        if deck_def not in load_installed_decks():
            raise BadDeck("deck_unknown", id=deck_def, installed=tuple(load_installed_decks()))
        return _deck(load_installed_decks()[deck_def], read_definition(load_installed_decks()[deck_def]))
    if not isinstance(deck_def, dict):
        raise BadDeck("deck_unknown", id=deck_def, installed=tuple(load_installed_decks()))
    read = read_definition(deck_def)
    return _deck(strip_invalid_keys(deck_def), read)


@cache
def load_installed_decks() -> dict[str, Stored]:
    """Return the definitions in the folder ``decks``, by their ids in alphabetical order."""
    found = sorted(file.name for file in (files(PACKAGE) / "decks").iterdir() if file.name.endswith(".json"))
    return {
        name.removesuffix(".json"): strip_invalid_keys(msgspec.json.decode((files(PACKAGE) / "decks" / name).read_bytes()))
        for name in found
    }


def _deck(definition: Stored, read: Definition) -> Deck:
    cards = canonical(read)
    return Deck(
        definition=definition,
        option=read.id if load_installed_decks().get(read.id) == definition else definition,
        cards=cards,
        categories={category.id: category for category in read.categories},
        quartets=list_card_groups(read),
        letter_of={card: letter for letter, cards in list_card_groups(read).items() for card in cards},
        names={card.id: card.name for card in read.cards},
        ids={card.name: card.id for card in read.cards},
        called=(tuple((card.id, card.name) for card in read.cards), _names_by_language(definition["cards"])),
        named_categories=_name_categories(read.categories, definition["categories"]),
        places={card: place for place, card in enumerate(cards)},
        values={category.id: {card.id: card.values[category.id] for card in read.cards} for category in read.categories},
    )


def _name_categories(categories: tuple[Category, ...], defined: Plain) -> Names:
    own = {category.id: category.name for category in categories}
    spoken = {language: {**own, **dict(named)} for language, named in _names_by_language(defined)}
    numbers = {category.id: str(number) for number, category in enumerate(categories, 1)}

    def names(*called: dict[str, str]) -> ByName:
        ids = {folded(id_): {number: called[0][id_]} for id_, number in numbers.items()}
        return {**by_name((numbers[id_], name) for named in called for id_, name in named.items()), **ids}

    return Names(names(own, *spoken.values()), {language: names(called) for language, called in spoken.items()})


def _names_by_language(defined: Plain) -> NamedByLanguage:
    """Return the names in the languages that are spoken here, ``name_de``, which are for people to read: any may be missing."""
    items = cast("tuple[dict[str, object], ...]", defined)
    return tuple((language, tuple(_names_in(items, f"name_{language}"))) for language in LANGUAGES)


def _names_in(items: Iterable[dict[str, object]], key: str) -> Iterator[tuple[str, str]]:
    return ((str(item["id"]), name) for item in items if isinstance(name := item.get(key), str))


# Places and points by number, and the end of a game (QTR-28).


def close_hand(draft: Draft, deals: int, row: str, points: tuple[int, ...], end: str, facts: dict[str, Plain]) -> None:
    """Enter the hand on the sheet; the last one ends the game, and the totals give its places."""
    draft.emit(Scored(row, points), HandClosed(end, facts))
    if closed := closing(deals, sheet(draft.table.setup, draft.table.score)):
        draft.emit(closed)


def closing(deals: int, sheet: Sheet) -> GameClosed | None:
    """Return the end of a game of ``deals`` hands after the last of them (QTR-28)."""
    return GameClosed(places_by(sheet.totals), {}) if sheet.hands[-1].hand >= deals else None


# Options shared by both Quartett games, and the setup that follows from them.


DeckOption = Annotated[
    Annotated[str, Meta(examples=["wood", "metals"])] | Definition, Meta(description="an installed deck by its id, or one in full")
]
Deals = Annotated[int, Meta(ge=1, le=99, description="number of hands of the game")]
Limit = Annotated[int, Meta(ge=1)]

DECK = "wood"
"""The deck where none is named."""

Options = TypeVar("Options", bound=Struct)


class QuartettTerms(Struct, Generic[Options], frozen=True):
    """The agreed terms of both games: the deck, and the other options as the Struct of the game."""

    deck: Deck
    options: Options


def check_terms(
    key: str, kind: type[Options], row: str, fewest: int, codes: Codes, options: object, seats: object
) -> tuple[QuartettTerms[Options], Setup]:
    """Return options and setup, checked by COM-10 and COM-11: every seat gets a card, the sheet has one row. The definition of the deck is
    kept whole (QDK-6). Raises ``Refused``.
    """
    agreed = _read(options, kind, codes)
    number = check_seats(seats, range(fewest, len(agreed.deck.cards) + 1), codes)
    setup = setup_of(key, agreed.options, number, (row,))
    return agreed, replace(setup, options={**setup.options, "deck_def": agreed.deck.definition})


def _read(options: object, kind: type[Options], codes: Codes) -> QuartettTerms[Options]:
    """Return the options (COM-10). A deck may hold numbers with a fraction, no other option may. Raises ``Refused``."""
    others = {name: value for name, value in options.items() if name != "deck_def"} if isinstance(options, dict) else options
    read = read_options(others, kind, codes)
    given = options.get("deck_def", DECK) if isinstance(options, dict) else DECK
    try:
        return QuartettTerms(deck_of(given), read)
    except BadDeck as bad:
        raise refusal(codes, "bad_option", "COM-10", option="deck_def", problem=bad.problem, **bad.detail) from bad
