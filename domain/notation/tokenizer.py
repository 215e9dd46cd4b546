"""Tokenizer of a line: every way in which it can be cut into tokens, the preferred way first (NOT-1)."""

from collections.abc import Iterator, Mapping
from typing import TypeAlias
from unicodedata import combining

from domain.cards import Card
from domain.notation.card_names import CardNames, Names
from domain.notation.letters import SIGNS, CardToken, Cut, NumberToken, Sign, SignToken, Token
from domain.notation.syntax import NamedNumbers, NotationSyntax

MOST_CUTS = 500
"""The most ways that are tried. Typed lines have fewer; beyond it no meaning counts as the only one."""

_Found: TypeAlias = tuple[int, dict[str, tuple[str, Cut]]]

_ALIKE = str.maketrans({"–": "-", "−": "-", "×": "x"})  # what keyboards make of the signs


class NotReadable(Exception):
    """A line in which nothing that means something can begin at this place."""

    def __init__(self, at: int) -> None:
        super().__init__(at)
        self.at = at


class NameNotClear(NotReadable):
    """The beginning of several names: ``text``, and ``named`` the names by what is typed in their place."""

    def __init__(self, at: int, text: str, named: Mapping[str, str]) -> None:
        super().__init__(at)
        self.text = text
        self.named = named


def cuts(
    line: str,
    typed: Mapping[str, frozenset[Card]],
    grammar: NotationSyntax[object, object],
    language: str,
    names: CardNames,
    numbers: NamedNumbers | None = None,
) -> list[Cut]:
    """Return every way, at least one. Names are looked for only where the letters alone mean nothing (NOT-13). Raises ``NotReadable``."""
    lowered = line.lower().translate(_ALIKE)
    try:
        return _cuts(_Tokenizer(lowered, typed, grammar, language))
    except NotReadable as unreadable:
        with_names = _Tokenizer(lowered, typed, grammar, language, names, numbers)
        try:
            return _cuts(with_names)
        except NotReadable as still:
            raise (with_names.not_clear or (still if still.at > unreadable.at else unreadable)) from None


def _cuts(found: "_Tokenizer") -> list[Cut]:
    ways = []
    for cut in found.list_cuts(0, None):
        ways.append(cut)
        if len(ways) == MOST_CUTS:
            break
    if not ways:
        raise NotReadable(found.furthest)
    return ways


class _Tokenizer:
    def __init__(
        self,
        line: str,
        typed: Mapping[str, frozenset[Card]],
        grammar: NotationSyntax[object, object],
        language: str,
        names: CardNames | None = None,
        numbers: NamedNumbers | None = None,
    ) -> None:
        self.language = language
        self.names = names
        self.numbers = numbers
        self.not_clear: NameNotClear | None = None
        self.line = line
        self.typed = typed
        self.grammar = grammar
        self.signs: dict[str, Sign] = {text: sign for text, sign in SIGNS[language].items() if sign in grammar.signs}
        self.longest = max(map(len, typed), default=0)
        self.furthest = 0
        self._dead: set[tuple[int, Sign | None]] = set()

    def list_cuts(self, place: int, before: Token | None) -> Iterator[Cut]:
        """Yield the cuts from a place on; a place without any is tried only once."""
        at = place
        while at < len(self.line) and self.line[at].isspace():
            at += 1
        self.furthest = max(self.furthest, at)
        if at == len(self.line):
            yield ()
            return
        after = before.sign if isinstance(before, SignToken) and before.sign in self.grammar.numbered else None
        if (at, after) in self._dead:
            return
        led = False
        for end, tokens in self._tokens(at, apart=at > place or place == 0, after=after):
            for rest in self.list_cuts(end, tokens[-1]):
                led = True
                yield (*tokens, *rest)
        if not led:
            self._dead.add((at, after))

    def _tokens(self, at: int, *, apart: bool, after: Sign | None) -> Iterator[tuple[int, Cut]]:
        """Yield what may stand here. ``after``: the sign before it, if a number follows that sign."""
        digits = _digits(self.line, at)
        if after and digits > at:
            yield digits, (NumberToken(int(self.line[at:digits]), at, apart),)
            return
        if self.names:
            yield from self._match_names(self.names, at, apart=apart, after=after)
        for end in range(min(at + self.longest, len(self.line)), at, -1):
            text = self.line[at:end]
            if text in self.typed:
                yield end, (CardToken(self.typed[text], text, at, apart),)
        if self.grammar.bare:
            for end in range(digits, at, -1):
                yield end, (NumberToken(int(self.line[at:end]), at, apart),)
        for text, sign in self.signs.items():
            if self.line.startswith(text, at):
                yield at + len(text), (SignToken(sign, at, apart),)

    def _match_names(self, names: CardNames, at: int, *, apart: bool, after: Sign | None) -> Iterator[tuple[int, Cut]]:
        """Yield the card, or the number with its sign, whose name or the beginning of it stands here. It goes as far as it can, up to the
        end of a word.
        """
        end, found = at, dict[str, tuple[str, Cut]]()
        for there, named in (self._cards(names, at, apart, after), self._numbers(at, apart, after)):
            end, found = max(end, there), {**(found if there <= end else {}), **(named if there >= end else {})}
        text = self.line[at:end]
        if not found or text in self.typed:  # letters of a card go before names
            return
        if len(found) == 1:
            yield end, next(cut for _, cut in found.values())
        elif self.not_clear is None or self.not_clear.at < at:
            self.not_clear = NameNotClear(at, text, {typed: name for typed, (name, _) in found.items()})

    def _cards(self, names: CardNames, at: int, apart: bool, after: Sign | None) -> _Found:
        """Return the end of a name, and by code the names and tokens of the cards. None is meant behind the sign of named numbers."""
        if self.numbers and after == self.numbers.sign:
            return at, {}
        end, named = longest_name(names, self.line, at, self.language)
        return end, {card: (name, (CardToken(frozenset((card,)), self.line[at:end], at, apart),)) for card, name in named.items()}

    def _numbers(self, at: int, apart: bool, after: Sign | None) -> _Found:
        """Return the same of numbers, by how they are typed. A name without its sign stands for the sign, too."""
        if self.numbers is None or after not in (None, self.numbers.sign):
            return at, {}
        sign, (end, named) = self.numbers.sign, longest_name(self.numbers.names, self.line, at, self.language)
        if self.line[at:end].isdigit():  # a number goes before a name
            return at, {}
        before = () if after else (SignToken(sign, at, apart),)
        return end, {f"{sign}{number}": (name, (*before, NumberToken(int(number), at, apart))) for number, name in named.items()}


def longest_name(names: Names, line: str, at: int, language: str) -> tuple[int, Mapping[str, str]]:
    """Return the longest text from a place on, up to the end of a word, with which a name begins: its end, and the names by their codes,
    none where there is no such text. A name does not begin within a word.
    """
    found: tuple[int, Mapping[str, str]] = at, {}
    if at and line[at - 1].isalpha():
        return found
    for end in range(at + 1, len(line) + 1):
        if line[end - 1].isspace() or (end < len(line) and (line[end].isalnum() or combining(line[end]))):
            continue
        if not (named := names.find_by_prefix(line[at:end], language)):
            break
        found = end, named
    return found


def _digits(line: str, at: int) -> int:
    """Return the end of the digits that begin here."""
    while at < len(line) and line[at] in "0123456789":
        at += 1
    return at
