"""Words and punctuation of a typed line: a normalization before the grammar, which knows letters and signs alone (NOT-14, NOT-15).

Every function returns a text of the same length, so that a place in it is a place of the typed line.
"""

import re
from collections.abc import Iterator, Mapping
from functools import lru_cache
from itertools import chain
from typing import TypeAlias

from domain.cards import Card
from domain.name_validation import fold_text
from domain.notation.letters import CardLetters, Letters
from domain.texts import COMMON, LANGUAGES, Texts, load_catalog, words_of

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
