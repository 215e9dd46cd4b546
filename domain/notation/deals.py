"""A hand that was dealt as one line (section "Deals" of ``docs/notation.md``): by suits, with dots, or card by card."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from domain.cards import HIDDEN, Card
from domain.notation.cutting import NotReadable
from domain.notation.grammar import Notated, Notation, ToldBeside
from domain.notation.letters import Alphabet
from domain.notation.tellings import answered, faces_of, joined, of_hands, parted
from domain.notation.writing import notation_of

_UNSEEN = re.compile(r"\?([0-9]{1,3})")
_LETTERED = re.compile(r"([a-z])([0-9]{2,})")


def read_hand(rulebook: Notated, line: str, language: str) -> tuple[Card, ...]:
    """The cards of the line, ``"?"`` for each that nobody saw. Where the order of a zone counts they are typed card by card, the next to
    leave first. Raises ``NotReadable``.
    """
    notation = notation_of(rulebook)
    text = _UNSEEN.sub(lambda found: HIDDEN * int(found[1]), line.partition(";")[0])
    return tuple(_Hand(notation, language).read(text))


def write_hand(rulebook: Notated, cards: Sequence[Card], language: str) -> str:
    """Equal hands are written alike: suit by suit with dots where there are suits, else in the order of the deck."""
    notation = notation_of(rulebook)
    unseen = list(cards).count(HIDDEN)
    order = {card: place for place, card in enumerate(notation.deck)}
    known = sorted((card for card in cards if card != HIDDEN), key=order.__getitem__)
    parts = [_Hand(notation, language).written(known), *([f"?{unseen}"] if unseen else [])]
    return " ".join(part for part in parts if part)


def read_answers(rulebook: Notated, asks: Sequence[Mapping[str, Any]], line: str, language: str) -> ToldBeside:
    """What a line tells of cards that an act asks for, above all a deal: ``asks`` of ``card_unknown``. ``! 9h4c2dks``, ``@1 !3h``; the sign
    may be left out. Raises ``NotReadable``.
    """
    notation = notation_of(rulebook)
    move, parts = parted(notation, line if "!" in line else f"!{line}", language)
    if move:
        raise NotReadable(0)
    told = of_hands(parts)
    for part in parts:
        if part.seat is None:
            told = joined(told, answered(asks, part.said) or ToldBeside())
    return told


class _Hand:
    """Hands in one language, as the game writes them (``Grammar.deals``)."""

    def __init__(self, notation: Notation, language: str) -> None:
        self.notation = notation
        self.language = language
        self.suits = notation.grammar.suits

    @property
    def alphabet(self) -> Alphabet:
        return self.notation.letters.of(self.language)

    def read(self, text: str) -> Iterator[Card]:
        words = text.lower().split()
        if self.suits and "." in text:
            yield from self._dotted(text.lower())
        elif self.suits and words and self._suit(words[0]) and len(words) > 1:
            yield from self._in_turn(words)
        elif self.notation.grammar.lettered:
            yield from self._cards(_LETTERED.sub(lambda found: "".join(found[1] + number for number in found[2]), text.lower()))
        else:
            yield from self._cards(text)

    def _cards(self, text: str) -> tuple[Card, ...]:
        return faces_of(self.notation, text, self.language)

    def _dotted(self, text: str) -> Iterator[Card]:
        holdings, *others = text.split(maxsplit=1)
        parts = holdings.split(".")
        if len(parts) != len(self.suits):
            raise NotReadable(len(holdings))
        for suit, part in zip(self.suits, parts, strict=True):
            held = part.rstrip("*?")
            yield from self._holding(suit, held)
            yield from self._cards(part[len(held) :])
        yield from self._cards("".join(others))

    def _in_turn(self, words: list[str]) -> Iterator[Card]:
        """Suit and holding in strict turn, so that a letter is read by its place; jokers and unseen cards come last."""
        turn = list(words)
        while len(turn) > 1 and (suit := self._suit(turn[0])):
            yield from self._holding(suit, turn[1])
            turn = turn[2:]
        yield from self._cards("".join(turn))

    def _suit(self, word: str) -> str | None:
        return next((suit for suit in self.suits if word in self.alphabet.suits[suit].split()), None)

    def _holding(self, suit: str, text: str) -> Iterator[Card]:
        ranks = {form.lower(): rank for rank, forms in self.alphabet.ranks.items() for form in forms.split()}
        at = 0
        while at < len(text) and text != "-":
            form = next((text[at:end] for end in range(len(text), at, -1) if text[at:end] in ranks), None)
            if form is None or ranks[form] + suit not in self.notation.deck:
                raise NotReadable(at)
            yield ranks[form] + suit
            at += len(form)

    def written(self, cards: Sequence[Card]) -> str:
        """Of cards in the order of the deck."""
        if self.suits:
            return self._with_dots(cards)
        if self.notation.grammar.lettered and not "".join(cards[:1])[:1].isdigit():
            return " ".join(letter + "".join(card[1:] for card in of) for letter, of in _by_letter(cards))
        return ("" if self.alphabet.is_short else " ").join(map(self.alphabet.written, cards))

    def _with_dots(self, cards: Iterable[Card]) -> str:
        held = dict.fromkeys(self.suits, "")
        others = Counter(card for card in cards if card[1:] not in held)
        for card in cards:
            if card[1:] in held:
                held[card[1:]] += self.alphabet.ranks[card[0]].split()[0]
        return ".".join(held.values()) + "".join(self.alphabet.written(card) * number for card, number in others.items())


def _by_letter(cards: Iterable[Card]) -> Iterator[tuple[str, list[Card]]]:
    by_letter: dict[str, list[Card]] = {}
    for card in cards:
        by_letter.setdefault(card[0], []).append(card)
    yield from by_letter.items()
