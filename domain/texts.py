"""Sentences for people: catalogues of texts by language, one for what all games share and one a game.

A catalogue is a TOML file ``texts.<language>.toml`` in a package: a code, or a code with the rule it rests on
(``"wrong_sum.CNO-35"``), and the sentence with placeholders for the details of a refusal. Nothing here raises: a
refusal always gets a sentence.

Beside the sentences there are names, each with its kind: ``"row.big_casino"`` and ``"end.played_out"`` of the score sheet,
``"field.last_capturer"`` of the state view, ``"rank.Q"`` and ``"suit.D"`` of a card, ``"card.JK"`` of one that is called otherwise.
Sentences name a card by its code, which is what people enter and what a move holds; a game whose codes do not speak for themselves puts
the name beside it. Captions of moves that were made (``"caption.trail"``, ``"said.swept"``, ``replay/transcript.py``) show cards as
people read them: ``7♦``.
"""

import re
import tomllib
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from importlib.resources import files
from typing import Literal, TypeAlias, get_args

Language: TypeAlias = Literal["en", "de"]
"""The languages that are spoken here. Another one is its catalogues ``texts.<language>.toml``, and its code in this line."""

LANGUAGES: tuple[Language, ...] = get_args(Language)

Texts: TypeAlias = Mapping[str, str]
"""Of one language, by code."""

Catalogue: TypeAlias = Mapping[str, Texts]
"""By language."""

FALLBACK = "en"

# What starts with one of these is a name and no sentence.
_KINDS = ("caption.", "card.", "end.", "field.", "name.", "row.", "said.")
_NUMBERED = re.compile(r"^- \*\*([A-Z]+-[0-9]+)\*\* (.+)$", re.MULTILINE)
_LONGEST = 120  # characters of a value in a sentence: a client may have sent megabytes
_FRENCH = frozenset("AKQJT98765432")


@cache
def catalogue(package: str) -> Catalogue:
    """The texts that lie in a package, by language. Where a language has none, English speaks for it."""
    lying = {language: files(package) / f"texts.{language}.toml" for language in LANGUAGES}
    return {language: tomllib.loads(file.read_text(encoding="utf-8")) for language, file in lying.items() if file.is_file()}


COMMON = catalogue("domain")
"""The texts that all games share."""


@cache
def numbered(package: str) -> tuple[tuple[str, str], ...]:
    """The numbered rules on the page ``RULES.md`` of a package, each a line ``- **ABC-1** text``."""
    return tuple(_NUMBERED.findall((files(package) / "RULES.md").read_text(encoding="utf-8")))


def sentence(code: str, detail: Mapping[str, object], language: str, catalogues: Sequence[Catalogue], rules: Sequence[str] = ()) -> str:
    """The sentence for a code: in the language (``de-AT`` is ``de``), else in English, else the code itself.

    The first catalogue that knows the code is used; a text for the code with one of the rules goes before the text for the code.
    """
    keys = [f"{code}.{rule}" for rule in rules] + [code]
    for spoken in (language.lower().partition("-")[0], FALLBACK):
        for known in catalogues:
            texts = known.get(spoken, {})
            for key in keys:
                if key in texts:
                    return texts[key].format_map(_Details(detail))
    return code


def words_of(known: Catalogue, language: str) -> Texts:
    """The texts of a language (``de-AT`` is ``de``), with English ones where it lacks them."""
    return {**known.get(FALLBACK, {}), **known.get(language.lower().partition("-")[0], {})}


def game_names(package: str, key: str) -> dict[str, str]:
    """The name of a game by language, in the catalogue ``game.<key>``."""
    return {language: name_of(catalogue(package), "game", key, language) for language in LANGUAGES}


def names_by_language(package: str, cards: Iterable[str] = ()) -> dict[str, dict[str, str]]:
    """By language the names of the cards, rows and ends of a game: ``row.big_casino`` -> ``Big Casino``."""
    return {language: _names(COMMON.get(language, {}), texts, cards) for language, texts in sorted(catalogue(package).items())}


def _names(common: Texts, own: Texts, cards: Iterable[str]) -> dict[str, str]:
    named = {f"card.{card}": name for card in cards if (name := _card_name({**common, **own}, card))}
    return {**named, **{key: text for key, text in own.items() if key.startswith(_KINDS)}}


def _card_name(texts: Texts, card: str) -> str | None:
    """From rank and suits, as in ``7D`` and ``7-MS``."""
    rank, _, suits = card.partition("-") if "-" in card else (card[:-1], "", card[-1:])
    words = [texts.get(f"suit.{suit}") for suit in suits]
    if f"rank.{rank}" not in texts or not words or None in words:
        return None
    return texts["called"].format(rank=texts[f"rank.{rank}"], suits="/".join(filter(None, words)))


def card_sign(texts: Texts, card: str) -> str:
    """A card as people read it, ``7♦``: rank and sign where it has a suit of the French deck, else its name, else its code."""
    rank, suit = card[:-1], card[-1:]
    if rank in _FRENCH and f"sign.{suit}" in texts:
        return texts.get(f"short.{rank}", rank) + texts[f"sign.{suit}"]
    return texts.get(f"card.{card}", card)


def name_of(known: Catalogue, kind: str, code: str, language: str) -> str:
    """The name of a card, a row or an end: in the language, else in English, else its code, with blanks that people can read."""
    return words_of(known, language).get(f"{kind}.{code}") or code.replace("_", " ")


class _Details(dict[str, object]):
    """The details as they are shown; what is missing is shown as dots."""

    def __init__(self, detail: Mapping[str, object]) -> None:
        super().__init__({name: shown(value) for name, value in detail.items()})

    def __missing__(self, name: str) -> str:
        return "…"


def shown(value: object, depth: int = 3) -> str:
    """A value as it stands in a sentence: JSON's words for true, false and null, lists with commas, nothing endless."""
    match value:
        case None | True | False:
            text = {None: "null", True: "true", False: "false"}[value]
        case list() | tuple():
            items = value[:_LONGEST] if depth else ()
            text = ", ".join(shown(item, depth - 1) for item in items) or ("none" if depth else "…")
        case dict():
            text = "{…}"
        case _:
            text = str(value)
    return text if len(text) <= _LONGEST else text[: _LONGEST - 1] + "…"
