"""Deck definitions: validation (QDK-1 to QDK-4, QDK-9, QDK-10), and the form in which they are kept with the game (QDK-6)."""

from collections.abc import Callable, Iterable, Mapping
from typing import Annotated, Any, Literal, TypeAlias

import msgspec
from msgspec import Meta, Struct

from domain.effects import Plain, plain
from domain.forms import describe_mismatch
from domain.texts import Phrase, say

Number: TypeAlias = int | float  # a value on a card may be a fraction, a move holds none (COM-3)
Value: TypeAlias = Number | None  # None is a dash on the card (QDK-10)

LEVELS = 6
"""The greatest depth of an option; a card lies two levels deep in the definition."""


class BadDeck(Exception):
    """An invalid definition. ``problem`` is the key of its sentence, ``detail`` the values that the sentence names."""

    def __init__(self, problem: str, **detail: object) -> None:
        super().__init__(problem)
        self.problem = problem
        self.detail = detail


class Category(Struct, frozen=True):
    """A line of values on the cards. With ``low`` the smallest number wins (QDK-4)."""

    id: Annotated[str, Meta(min_length=1, description="by which cards and moves name it")]
    name: Annotated[str, Meta(description="the name for people")]
    unit: Annotated[str, Meta(description="may be empty")]
    better: Annotated[Literal["high", "low"], Meta(description="which end wins")]

    def best(self, values: Iterable[Number]) -> Number:
        return max(values) if self.better == "high" else min(values)


class Group(Struct, frozen=True):
    """A quartet: four cards with the same letter."""

    letter: Annotated[str, Meta(min_length=1, max_length=1, description="A to Z")]
    name: Annotated[str, Meta(description="the name for people")]


class CardDefinition(Struct, frozen=True):
    """One card; ``values`` has a number or None for every category."""

    id: Annotated[str, Meta(description="letter of the group and number, as in A4, or for the whole deck number and letter, as in 4A")]
    group: Annotated[str, Meta(description="letter of its group")]
    number: Annotated[int, Meta(ge=1, le=4, description="its number in the group")]
    name: Annotated[str, Meta(min_length=1, description="the name for people")]
    values: Annotated[dict[str, Value], Meta(description="a number for every category, by its id; null is a dash, not in all of them")]


class Definition(Struct, frozen=True):
    """A complete deck. Other keys are for people to read; they are kept, but mean nothing."""

    id: Annotated[str, Meta(min_length=1, description="letters and digits")]
    name: Annotated[str, Meta(min_length=1, description="the name for people")]
    categories: Annotated[tuple[Category, ...], Meta(min_length=1, description="the lines of values")]
    groups: Annotated[tuple[Group, ...], Meta(min_length=1, max_length=26, description="the quartets")]
    cards: Annotated[tuple[CardDefinition, ...], Meta(description="four of every group")]
    format: Annotated[Literal[1], Meta(description="of the definition")] = 1


def read_definition(given: object) -> Definition:
    """Return the definition, checked in the order of QDK-1 to QDK-4 and QDK-9. Raises ``BadDeck``."""
    try:
        read = msgspec.convert(given, Definition, strict=True)
    except ValueError as error:
        raise BadDeck("deck_form", found=_format_mismatch(error)) from error
    _check_texts(read)
    _check_head(read)
    _check_cards(read)
    for card in read.cards:
        _check_values(card, read.categories)
    return read


def _format_mismatch(error: ValueError) -> Phrase:
    problem, where = describe_mismatch(error, Definition)
    field = where.removeprefix("$").removeprefix(".")
    return say("form.at", place=say("place.named", field=field), problem=problem) if field else problem


def _check_texts(read: Definition) -> None:
    """Check that all texts can be stored: half a surrogate pair is no text. Raises ``BadDeck``."""
    try:
        plain(msgspec.to_builtins(read), fractions=True)
    except ValueError as error:
        raise BadDeck("deck_form", found=say("form.plain")) from error


def _check_head(read: Definition) -> None:
    if not read.id.isalnum():
        raise BadDeck("deck_id", id=read.id)
    if twice := _find_duplicate(category.id for category in read.categories):
        raise BadDeck("deck_category_twice", category=twice)
    if wrong := [group.letter for group in read.groups if not "A" <= group.letter <= "Z"]:
        raise BadDeck("deck_letter", letter=wrong[0])
    if twice := _find_duplicate(group.letter for group in read.groups):
        raise BadDeck("deck_letter_twice", letter=twice)


def _check_cards(read: Definition) -> None:
    ids, names = [card.id for card in read.cards], [card.name for card in read.cards]
    wanted = canonical(read)
    spelling = build_id_formatter(read)
    if wrong := [card for card in read.cards if card.id != spelling(card.group, card.number)]:
        named = {"card": wrong[0].id, "group": wrong[0].group, "number": wrong[0].number}
        raise BadDeck("deck_card_id_turned", **named) if spelling is number_first else BadDeck("deck_card_id", **named)
    if foreign := [card for card in ids if card not in wanted]:
        raise BadDeck("deck_card_foreign", card=foreign[0])
    if twice := _find_duplicate(ids):
        raise BadDeck("deck_card_twice", card=twice)
    if missing := [card for card in wanted if card not in ids]:
        raise BadDeck("deck_card_missing", card=missing[0])
    if twice := _find_duplicate(names):
        raise BadDeck("deck_name_twice", name=twice)
    if misleading := [name for name in names if name in wanted]:
        raise BadDeck("deck_name_is_id", name=misleading[0])


def _check_values(card: CardDefinition, categories: tuple[Category, ...]) -> None:
    wanted = [category.id for category in categories]
    if missing := [category for category in wanted if category not in card.values]:
        raise BadDeck("deck_value_missing", card=card.id, category=missing[0])
    if foreign := [category for category in card.values if category not in wanted]:
        raise BadDeck("deck_value_foreign", card=card.id, category=foreign[0])
    if all(value is None for value in card.values.values()):
        raise BadDeck("deck_value_none", card=card.id)


def canonical(read: Definition) -> tuple[str, ...]:
    """Return the ids of the cards in the order of the groups, and of the numbers within a group (QDK-5)."""
    return tuple(card for cards in list_card_groups(read).values() for card in cards)


def list_card_groups(read: Definition) -> dict[str, tuple[str, ...]]:
    """Return the ids of the cards of each group, by its letter."""
    spelling = build_id_formatter(read)
    return {group.letter: tuple(spelling(group.letter, number) for number in range(1, 5)) for group in read.groups}


def build_id_formatter(read: Definition) -> Callable[[str, int], str]:
    """Return the spelling of ids from letter and number in this deck. The first card decides for all (QDK-2, QDK-9)."""
    return number_first if read.cards and read.cards[0].id[:1].isdigit() else letter_first


def letter_first(letter: str, number: int) -> str:
    return f"{letter}{number}"


def number_first(letter: str, number: int) -> str:
    return f"{number}{letter}"


def _find_duplicate(named: Iterable[str]) -> str | None:
    """Return the first name that comes a second time."""
    seen: set[str] = set()
    return next((name for name in named if name in seen or seen.add(name)), None)


def strip_invalid_keys(given: Mapping[str, Any]) -> dict[str, Plain]:
    """Return a checked definition as it is stored with the game: as it was given, except for descriptive keys that cannot be stored."""
    inner = {key: tuple(_select_valid_keys(item, LEVELS - 2) for item in given[key]) for key in ("categories", "groups", "cards")}
    return {**_select_valid_keys({key: value for key, value in given.items() if key not in inner}, LEVELS), **inner}


def _select_valid_keys(item: Mapping[str, Any], levels: int) -> dict[str, Plain]:
    stored: dict[str, Plain] = {}
    for key, value in item.items():
        try:
            stored[key] = plain({key: value}, levels, fractions=True)[key]  # pyrefly: ignore[bad-index, unsupported-operation]
        except ValueError:
            continue
    return stored
