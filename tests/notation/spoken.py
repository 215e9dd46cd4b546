"""Lines in words: the full form with words for its cards, signs and categories, with commas and a full stop (NOT-14, NOT-15)."""

from collections.abc import Iterator, Mapping, Sequence
from random import Random

from domain.notation.letters import CardUnit, Move, Unit
from domain.notation.syntax import NotationRulebook
from domain.notation.writing import Before, notation_of, text_of

Named = Mapping[str, Sequence[str]]


def write_words(rulebook: NotationRulebook, before: Before, move: Move, language: str, chance: Random) -> str:
    """The words of any language, where there are some; else letters and signs."""
    notation = notation_of(rulebook).at(*before)
    named: dict[str, list[str]] = {}
    for word, typed in notation.words(language).items():
        named.setdefault(typed, []).append(word)
    for card in notation.deck:  # words stand for the last way to type a suit
        named.setdefault(notation.letters.of(language).write_card(card).lower(), _same_card(notation.cards_by_text(language), card, named))
    texts = [(unit, text_of(notation.letters.of(language), unit, language).lower()) for unit in notation.units(move)]
    line = "".join(f"{chance.choice(named.get(part) or [part])}{chance.choice([',', ':', ' ,'])} " for part in _parts(texts, named))
    return "." if line[0] == "." else f"{line.strip(' ,:')}{chance.choice(['', '.', ' .'])}"


def _same_card(forms: Mapping[str, frozenset[str]], card: str, named: Named) -> list[str]:
    return [word for typed, words in named.items() if forms.get(typed) == frozenset({card}) for word in words]


def _parts(texts: Sequence[tuple[Unit, str]], named: Named) -> Iterator[str]:
    """A rank that names a meld with its sign; a sign and its number, where both together have a word: a category."""
    left = iter(texts)
    for unit, text in left:
        more = next(left)[1] if isinstance(unit, CardUnit) and unit.role == "free" else ""
        if not more and text == "=" and any(typed[:1] == "=" and typed[1:].isdecimal() for typed in named):
            more = next(left)[1]
        yield f"{text}{more}"
