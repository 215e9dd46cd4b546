"""Sentences for people: catalogues of texts by language, one for what all games share and one a game.

A catalogue is a TOML file ``texts.<language>.toml`` in a package: a code, or a code with the rule it rests on
(``"wrong_sum.CNO-35"``), and the sentence with placeholders for the details of a refusal. Nothing here raises: a
refusal always gets a sentence.

Beside the sentences there are names, each with its kind: ``"row.big_casino"`` and ``"end.played_out"`` of the score sheet,
``"field.last_capturer"`` of the state view, ``"rank.Q"`` and ``"suit.D"`` of a card, ``"card.JK"`` of one that is called otherwise.
Refusals and captions (``"caption.trail"``, ``"said.swept"``, ``replay/frame_texts.py``) show cards as people read them: ``7♦``. What a
placeholder can ask for besides its value, one or many, stands in ``domain/texts/wording.py``.
"""

import re
import tomllib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache, lru_cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from typing import Literal, TypeAlias, get_args

from msgspec import Struct

from domain.texts.wording import Details

Language: TypeAlias = Literal["en", "de"]
"""The languages that are spoken here. Another one is its catalogues ``texts.<language>.toml``, and its code in this line."""

LANGUAGES: tuple[Language, ...] = get_args(Language)

Texts: TypeAlias = Mapping[str, str]
"""The texts of one language, by code."""

Catalogue: TypeAlias = Mapping[str, Texts]
"""The texts by language."""

FALLBACK = "en"

# Keys with these prefixes are names, not sentences.
_KINDS = ("caption.", "card.", "end.", "field.", "name.", "row.", "said.", "source.")
_NUMBERED = re.compile(r"^- \*\*([A-Z]+-[0-9]+)\*\* (?:\[([a-z, ]+)\] )?(.+)$", re.MULTILINE)
_FRENCH = frozenset("AKQJT98765432")


@cache
def load_catalog(package: str) -> Catalogue:
    """Return the texts that lie in a package, by language. Where a language has none, English is used."""
    return _Read(package)


class _Read(Mapping[str, Texts]):
    """Reads each language on first use."""

    def __init__(self, package: str) -> None:
        lying = {language: files(package) / f"texts.{language}.toml" for language in LANGUAGES}
        self._files: dict[str, Traversable] = {language: file for language, file in lying.items() if file.is_file()}
        self._texts: dict[str, Texts] = {}

    def __getitem__(self, language: str) -> Texts:
        if language not in self._texts:
            self._texts[language] = tomllib.loads(self._files[language].read_text(encoding="utf-8"))
        return self._texts[language]

    def __iter__(self) -> Iterator[str]:
        return iter(self._files)

    def __len__(self) -> int:
        return len(self._files)


COMMON = load_catalog("domain")
"""The texts that all games share."""


@cache
def list_numbered_rules(package: str, language: str = FALLBACK) -> tuple[tuple[str, str], ...]:
    """Return the numbered rules on the page ``RULES.md`` of a package, or on ``RULES.<language>.md``, each a line
    ``- **ABC-1** [source] text``.
    """
    return tuple((number, text) for number, _, text in _lines(package, language))


def marks(package: str, language: str = FALLBACK) -> dict[str, tuple[str, ...]]:
    """Return by number what made the rule: ``source``, ``decision``, ``option``, or several of them."""
    return {number: tuple(found.split(", ")) for number, found, _ in _lines(package, language) if found}


@cache
def _lines(package: str, language: str) -> list[tuple[str, str, str]]:
    page = "RULES.md" if language == FALLBACK else f"RULES.{language}.md"
    return _NUMBERED.findall((files(package) / page).read_text(encoding="utf-8"))


class Phrase(Struct, frozen=True):
    """A text before its language is known: a key of the catalogue of ``package``, and the details that its text names. A detail may be a
    phrase itself.
    """

    key: str
    detail: dict[str, object]
    package: str = "domain"


Saying: TypeAlias = Phrase | str
"""A phrase, or words that are used as they are."""


def say(key: str, /, **detail: object) -> Phrase:
    """Return a phrase of the catalogue that all share."""
    return Phrase(key, detail)


def render(said: Saying, language: str = FALLBACK) -> str:
    return said if isinstance(said, str) else sentence(said.key, said.detail, language, (load_catalog(said.package),))


def sentence(code: str, detail: Mapping[str, object], language: str, catalogues: Sequence[Catalogue], rules: Sequence[str] = ()) -> str:
    """Return the sentence for a code: in the language (``de-AT`` is ``de``), else in English, else the code itself.

    The first catalogue that knows the code is used; a text for the code with one of the rules goes before the text for the code, and one
    with the ``problem`` in the detail before both: it is the more specific one.
    """
    problem = detail.get("problem")
    keys = [f"{code}.{more}" for more in ((problem,) if isinstance(problem, str) else ()) + tuple(rules)] + [code]
    for spoken in (language.lower().partition("-")[0], FALLBACK):
        for known in catalogues:
            texts = known.get(spoken, {})
            for key in keys:
                if key in texts:
                    return format_text(texts[key], detail, spoken)
    return code


def format_text(text: str, detail: Mapping[str, object], language: str) -> str:
    """Return a text with its details in it."""
    return text.format_map(Details(detail, _common_words(language), lambda value: _render_phrase(value, language)))


@lru_cache(maxsize=16)
def _common_words(language: str) -> Texts:
    return words_of(COMMON, language)


def _render_phrase(value: object, language: str) -> str | None:
    return render(value, language) if isinstance(value, Phrase) else None


def words_of(known: Catalogue, language: str) -> Texts:
    """Return the texts of a language (``de-AT`` is ``de``), with English ones where it lacks them."""
    return {**known.get(FALLBACK, {}), **known.get(language.lower().partition("-")[0], {})}


def game_names(package: str, key: str) -> dict[str, str]:
    """Return the name of a game by language, in the catalogue ``game.<key>``."""
    return {language: name_of(load_catalog(package), "game", key, language) for language in LANGUAGES}


def names_by_language(package: str, cards: Iterable[str] = ()) -> dict[str, dict[str, str]]:
    """Return the names of the cards, rows and ends of a game by language: ``row.big_casino`` -> ``Big Casino``."""
    return {language: _names(COMMON.get(language, {}), texts, cards) for language, texts in sorted(load_catalog(package).items())}


@cache
def words_with_cards(package: str, cards: tuple[str, ...], language: str) -> Texts:
    """Return the texts of a language that name anything, those of the game before the common ones, and with the names of its cards."""
    own = names_by_language(package, cards)
    return {**words_of(COMMON, language), **words_of(own, language)}


def _names(common: Texts, own: Texts, cards: Iterable[str]) -> dict[str, str]:
    named = {f"card.{card}": name for card in cards if (name := _card_name({**common, **own}, card))}
    return {**named, **{key: text for key, text in own.items() if key.startswith(_KINDS)}}


def _card_name(texts: Texts, card: str) -> str | None:
    """Return the name from rank and suits, as in ``7D`` and ``7-MS``."""
    rank, _, suits = card.partition("-") if "-" in card else (card[:-1], "", card[-1:])
    words = [texts.get(f"suit.{suit}") for suit in suits]
    if f"rank.{rank}" not in texts or not words or None in words:
        return None
    return texts["called"].format(rank=texts[f"rank.{rank}"], suits="/".join(filter(None, words)))


def card_sign(texts: Texts, card: str) -> str:
    """Return a card as people read it, ``7♦``: rank and sign where it has a suit of the French deck, else its name, else its code."""
    rank, suit = card[:-1], card[-1:]
    if rank in _FRENCH and f"sign.{suit}" in texts:
        return texts.get(f"short.{rank}", rank) + texts[f"sign.{suit}"]
    return texts.get(f"card.{card}", card)


def name_of(known: Catalogue, kind: str, code: str, language: str) -> str:
    """Return the name of a card, a row or an end: in the language, else in English, else its code, with blanks that people can read."""
    key, spoken = f"{kind}.{code}", known.get(language.lower().partition("-")[0], {})
    return spoken.get(key, known.get(FALLBACK, {}).get(key)) or code.replace("_", " ")
