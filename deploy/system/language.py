"""Localization of the command line: choice of the language, and message catalogues."""

import os
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from itertools import pairwise
from typing import Any

import click

from domain import texts
from domain.texts import FALLBACK, Phrase
from domain.texts.wording import format_value

_PACKAGE = "deploy"
_CATALOGUE = texts.load_catalog(_PACKAGE)
_VARIABLES = ("LC_ALL", "LC_MESSAGES", "LANG")
_FLAGS = ("--lang", "--language")


def say(key: str, /, **detail: object) -> Phrase:
    """Return a phrase of the command line that is rendered later, once the language is known."""
    return Phrase(key, detail, _PACKAGE)


def render(said: object, language: str = FALLBACK) -> str:
    """Return a phrase as text; several are joined with commas. Words of a database or commands to copy are not shortened."""
    match said:
        case Phrase(key=key, detail=detail, package="deploy"):
            return sentence(key, language, **detail)
        case Phrase():
            return texts.render(said, language)
        case tuple():
            return ", ".join(render(one, language) for one in said)
        case _:
            return str(said)


def language_of(environment: Mapping[str, str]) -> str:
    """Return the language of a locale such as ``de_AT.UTF-8`` (German); English if it is not supported."""
    chosen = next((environment[name] for name in _VARIABLES if environment.get(name)), "")
    language = chosen[:2].lower()
    return language if language in texts.LANGUAGES and not chosen[2:3].isalpha() else FALLBACK


def language_of_call(arguments: Sequence[str], environment: Mapping[str, str]) -> str:
    """Return the language in which to answer a call, even if the rest of the call is invalid."""
    given = [value for flag, value in pairwise(arguments) if flag in _FLAGS]
    given += [argument.partition("=")[2] for argument in arguments if argument.startswith(tuple(f"{flag}=" for flag in _FLAGS))]
    return next((value for value in given if value in texts.LANGUAGES), language_of(environment))


def lang_option(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add ``--lang``; the command receives it as ``language``."""
    return click.option(
        *_FLAGS,
        "language",
        type=click.Choice(texts.LANGUAGES),
        default=lambda: language_of(os.environ),
        show_default="that of LC_ALL or LANG",
        help=f"{' or '.join(sentence('language', spoken) for spoken in texts.LANGUAGES)}.",
    )(command)


def sentence(code: str, language: str, **detail: object) -> str:
    """Return a sentence of the command line from the catalogues ``texts.<language>.toml`` in ``deploy``.

    ``count`` is the number that a sentence is about. If the catalogue has ``<code>.one``, it is used for a count of 1.
    """
    words = _words(language)
    one = f"{code}.one" if detail.get("count") == 1 else code
    return words[one if one in words else code].format_map({name: _format_value(value, language) for name, value in detail.items()})


def _format_value(value: object, language: str) -> str:
    """Return a value as text: a number may choose between words, ``{seats:# seat|# seats}``; paths and database texts are not shortened."""
    return format_value(value, _words(language)) if type(value) is int else render(value, language)


@cache
def _words(language: str) -> texts.Texts:
    return texts.words_of(_CATALOGUE, language)


def headings(language: str, *columns: str) -> tuple[str, ...]:
    """Return the headings of the columns of a table."""
    return tuple(sentence(f"column.{column}", language) for column in columns)


# Results of games and refusals of moves, in words for the terminal.


def refusal_in_words(hand: int | None, index: int | None, code: str, rules: Sequence[str], message: str, language: str) -> str:
    """Return a refusal as one line, also one that a server sent. ``hand`` and ``index`` count from 0 (COM-62), the text counts from 1."""
    if hand is None or index is None:
        return f"{code}: {message}"
    place = "refused_set_up" if hand < 0 else "refused_start" if index < 0 else "refused_move"
    return f"{sentence(place, language, hand=hand + 1, index=index + 1)}: {code} ({', '.join(rules)}). {message}"


def describe_winners(won: Sequence[int], parties: Sequence[Sequence[int]], language: str) -> str:
    return sentence("won_by", language, who=winners(won, parties, language)) if won else sentence("lost", language)


def winners(won: Sequence[int], parties: Sequence[Sequence[int]], language: str) -> str:
    """Return the seats of the parties that won, numbered from 0. A solitaire that was lost has no winner (COM-41)."""
    return ", ".join(_party(parties[winner], language) for winner in won) or sentence("lost", language)


def _party(seats: Sequence[int], language: str) -> str:
    together = f" {sentence('and', language)} ".join(map(str, seats))
    return sentence("seat" if len(seats) == 1 else "seats", language, seats=together)
