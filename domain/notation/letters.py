"""Alphabets, words, punctuation and units of a typed line, in every language (NOT-1, NOT-14, NOT-15).

Every function returns a text of the same length, so that a place in it is a place of the typed line.
"""

import re
from collections.abc import Callable, Iterator, Mapping
from functools import cache, lru_cache
from itertools import chain, combinations, permutations, product
from typing import Literal, TypeAlias, get_args

from msgspec import Struct

from domain.cards import Card
from domain.effects import Plain
from domain.name_validation import fold_text
from domain.texts import COMMON, FALLBACK, LANGUAGES, Texts, load_catalog, words_of

Split = Callable[[Card], tuple[str, str]]
"""A code as its rank and the codes of its suits."""


class CardLetters(Struct, frozen=True, eq=False):
    """The alphabet of one language. ``ranks`` and ``suits``: for each code its spelling, then, after blanks, further ways to type it."""

    ranks: Mapping[str, str]
    suits: Mapping[str, str] = {}
    split: Split = lambda card: (card, "")

    def forms(self, card: Card) -> Iterator[str]:
        """Yield every way to type the card, in small letters, with all its suits or with fewer."""
        rank, suits = self.split(card)
        for order in self.list_orders(suits):
            letters = (self.suits[suit].split() for suit in order)
            yield from ("".join(form).lower() for form in product(self.ranks[rank].split(), *letters))

    def list_orders(self, suits: str) -> Iterator[tuple[str, ...]]:
        """Yield the suits in every order, all of them first, then fewer, none last."""
        for some in _some(suits):
            yield from permutations(some)

    def write_card(self, card: Card) -> str:
        rank, suits = self.split(card) if card not in self.ranks else (card, "")
        return self.ranks[rank].split()[0] + "".join(self.suits[suit].split()[0] for suit in suits)


def _some(suits: str) -> list[tuple[str, ...]]:
    """Return all suits, then fewer, none last."""
    return [some for number in range(len(suits), -1, -1) for some in combinations(suits, number)]


class Letters(Struct, frozen=True, eq=False):
    """By language the alphabet; English speaks for a language that has none."""

    alphabets: Mapping[str, CardLetters]

    def of(self, language: str) -> CardLetters:
        return self.alphabets.get(language, self.alphabets[FALLBACK])

    def cards_by_text(self, deck: tuple[Card, ...], language: str) -> Mapping[str, frozenset[Card]]:
        """Return the forms that may be typed, each with every card that it may be."""
        return _cards_by_text(self.of(language), deck)


@cache
def _cards_by_text(alphabet: CardLetters, deck: tuple[Card, ...]) -> Mapping[str, frozenset[Card]]:
    typed: dict[str, set[Card]] = {}
    for card in dict.fromkeys(deck):
        for form in alphabet.forms(card):
            typed.setdefault(form, set()).add(card)
    return {form: frozenset(cards) for form, cards in typed.items()}


@cache
def by_code(cards: tuple[Card, ...]) -> Letters:
    """Return letters for cards that are typed and written as their codes."""
    return Letters({FALLBACK: CardLetters({card: card for card in cards})})


# The letters of French cards (`KH`) and jokers (`JK`), in both languages.


JOKER: Card = "JK"


def _split(card: Card) -> tuple[str, str]:
    return (card, "") if card == JOKER else (card[0], card[1:])


_NUMBERS = {rank: rank for rank in "98765432"} | {"T": "T 10", "A": "A", "K": "K", JOKER: "* jk"}

FRENCH = Letters(
    {
        "en": CardLetters(_NUMBERS | {"Q": "Q", "J": "J"}, {"S": "s ♠", "H": "h ♥", "D": "d ♦", "C": "c ♣"}, _split),
        "de": CardLetters(_NUMBERS | {"Q": "D q", "J": "B j"}, {"S": "p s ♠", "H": "h ♥", "D": "k d ♦", "C": "x c ♣"}, _split),
    }
)
"""Pik, Herz, Karo, Kreuz; As, König, Dame, Bube. English letters are read in German, too."""


# Words and punctuation of a typed line: a normalization before the grammar, which knows letters and signs alone (NOT-14, NOT-15).


Words: TypeAlias = Mapping[str, str]
"""What may be typed in the place of each word. Several words are one phrase, with a blank between them."""

StepWords: TypeAlias = Mapping[str, Mapping[str, str]]
"""By language, by a sign or another text that is typed: its words, separated by commas."""

_BLANKS = str.maketrans(",:", "  ")
_STOP = re.compile(r"(?<=[^\s.])(\s*)\.\s*$")
_PART = re.compile(r"(?:[^\W\d_]|[\u0300-\u036f])+|\d+")
"""A word, with its accents, or a number."""

_SUM = re.compile(r"(?<=[\w♠♥♦♣* ])\+(?=[\w♠♥♦♣* ])")

MOST_PARTS = 6
"""The most words and numbers of a phrase."""


def blank_commas(line: str) -> str:
    """Return the line with blanks for commas and colons."""
    return line.translate(_BLANKS)


def blank_stop(line: str) -> str:
    """Return the line with a blank for a final stop. A lone one stays: it is a sign."""
    return _STOP.sub(lambda stop: " " * len(stop[0]), line)


def blank_sums(line: str) -> str:
    """Return the line with blanks for ``+`` between cards. They stay apart: without a blank the king of ``9+k`` could be a suit."""
    return _SUM.sub(" ", line)


def replace_words(line: str, words: Words) -> str:
    """Return the line with letters and signs in the place of words, of the longest phrase first. A comma ends a phrase."""
    parts, spelled, done = [part.span() for part in _PART.finditer(line)], "", 0
    for place, (start, _) in enumerate(parts):
        ends = (end for _, end in reversed(parts[place : place + MOST_PARTS]) if start >= done)
        if found := next(((end, typed) for end in ends if (typed := words.get(fold_phrase(line[start:end])))), None):
            end, typed = found
            spelled += line[done:start] + typed.rjust(end - start)
            done = end
    return spelled + line[done:]


def fold_phrase(text: str) -> str:
    """Return words and numbers without case and accents; a phrase across signs is none."""
    return "" if re.search(r"[^\w\s\u0300-\u036f]", text) else " ".join(_PART.findall(fold_text(text)))


@lru_cache(maxsize=64)
def list_card_words(package: str, letters: Letters, deck: tuple[Card, ...], language: str) -> Words:
    """Return the words for ranks, and phrases of ranks and suits, in every language, by the names of the catalogues."""
    alphabet, found = letters.of(language), dict[str, str]()
    for spoken in LANGUAGES:
        texts = {**words_of(COMMON, spoken), **words_of(load_catalog(package), spoken)}
        for card in dict.fromkeys(deck):
            found |= {fold_phrase(phrase): typed for phrase, typed in _phrases(alphabet, card, texts)}
    return found


def list_step_words(steps: StepWords) -> Words:
    """Return the words of every language with what may be typed for them in any."""
    named = chain.from_iterable(by_sign.items() for by_sign in steps.values())
    return {fold_phrase(word): typed for typed, words in named for word in words.split(",")}


def _phrases(alphabet: CardLetters, card: Card, texts: Texts) -> Iterator[tuple[str, str]]:
    """Yield the phrases for a card, with all its suits or with fewer, and the letters for them."""
    rank, suits = alphabet.split(card)
    letters = alphabet.ranks[rank].split()
    name = texts.get(f"card.{rank}") or texts.get(f"rank.{rank}", "")
    names = [word for word in (name.partition("(")[0].strip(),) if word.isalpha()]
    for order in alphabet.list_orders(suits):
        # The last way to type a suit: in German the first one of a diamond, ``k``, is a king as well.
        typed = "".join((letters[0], *(alphabet.suits[suit].split()[-1] for suit in order))).lower()
        named = " ".join(texts.get(f"suit.{suit}", suit) for suit in order)
        for form in (*names, *letters) if order else names:
            yield from ((f"{form} {named}", typed), (f"{named} {form}", typed)) if order else ((form, typed),)


# Units, of which a move is spelled, and tokens, into which a line is cut.


Move: TypeAlias = dict[str, Plain]

Role: TypeAlias = Literal["played", "used", "free"]
"""``played``: the first card typed is this one, and it stays named in short forms. ``used``: those that a move uses are named all or none
(NOT-3). ``free``: may always be left out, as long as the meaning is clear."""

Sign: TypeAlias = Literal["x", "-", "=", "+", "^", "#", "@", "?", "~", ".", "y", "n", "resign"]
"""The signs of all games, by the English spelling. ``*`` is a card, ``!`` begins told cards."""

_ENGLISH: dict[str, Sign] = {sign: sign for sign in get_args(Sign)}

SIGNS: dict[str, dict[str, Sign]] = {"en": _ENGLISH, "de": {"j": "y", "aufgeben": "resign", **_ENGLISH}}
"""The text typed for each sign, by language; the written form comes first. English words are read in German, too."""

WRITTEN: dict[str, dict[Sign, str]] = {
    language: {sign: next(typed for typed, meant in signs.items() if meant == sign) for sign in signs.values()}
    | {answer: next(typed for typed, meant in signs.items() if meant == answer).upper() for answer in ("y", "n")}
    for language, signs in SIGNS.items()
}
"""Answers with capitals, as the ranks of cards."""


class CardUnit(Struct, frozen=True, tag="card", tag_field="unit"):
    """A card. ``card`` may also be a rank alone where the alphabet knows it so. ``joined``: no blank stands before it in the full form."""

    card: Card
    role: Role = "used"
    joined: bool = False


class SignUnit(Struct, frozen=True, tag="sign", tag_field="unit"):
    """A sign. ``stays``: it is never left out, not even where the move is the only one."""

    sign: Sign
    joined: bool = False
    stays: bool = False


class NumberUnit(Struct, frozen=True, tag="number", tag_field="unit"):
    """A number as it is said: counted out loud from 1, seats from 0."""

    number: int
    joined: bool = True
    role: Role = "free"


Unit: TypeAlias = CardUnit | SignUnit | NumberUnit


class CardToken(Struct, frozen=True):
    """A card as it was typed: every face of the deck that it may be.

    ``at`` is its place in the line, ``apart`` whether a blank (or nothing) stands before it: a blank ends a group.
    """

    faces: frozenset[Card]
    text: str
    at: int = 0
    apart: bool = False


class SignToken(Struct, frozen=True):
    sign: Sign
    at: int = 0
    apart: bool = False


class NumberToken(Struct, frozen=True):
    number: int
    at: int = 0
    apart: bool = False


Token: TypeAlias = CardToken | SignToken | NumberToken
Cut: TypeAlias = tuple[Token, ...]
"""A line in tokens, in one of the ways in which it can be cut."""


def cards_of(cut: Cut) -> tuple[CardToken, ...]:
    return tuple(token for token in cut if isinstance(token, CardToken))


def one_face(token: CardToken, preferred: tuple[Card, ...] = ()) -> Card:
    """Return the face that a card without all its suits most likely means: the first of those that lie there, else any."""
    return next((card for card in preferred if card in token.faces), None) or min(token.faces)
