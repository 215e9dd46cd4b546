"""In which language the command line speaks, and its own sentences in each."""

import os
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from itertools import pairwise
from typing import Any, TypeAlias

import click
from msgspec import Struct

from domain import texts

FALLBACK = texts.FALLBACK
_CATALOGUE = texts.catalogue("deploy")
_VARIABLES = ("LC_ALL", "LC_MESSAGES", "LANG")
_FLAGS = ("--lang", "--language")


class Phrase(Struct, frozen=True):
    """What is to be said before anybody knows in which language: a key of the catalogue, and the details that its text names. A detail
    may be a phrase itself, or a tuple of them.
    """

    key: str
    detail: dict[str, object]


Saying: TypeAlias = Phrase | str
"""A phrase, or words that are told as they are: those of a database, a command to copy."""


def say(key: str, /, **detail: object) -> Phrase:
    return Phrase(key, detail)


def told(said: object, language: str = texts.FALLBACK) -> str:
    match said:
        case Phrase(key=key, detail=detail):
            return sentence(key, language, **detail)
        case tuple():
            return ", ".join(told(one, language) for one in said)
        case _:
            return str(said)


def language_of(environment: Mapping[str, str]) -> str:
    """``de_AT.UTF-8`` is German; English is for everybody whose language is not spoken here."""
    chosen = next((environment[name] for name in _VARIABLES if environment.get(name)), "")
    language = chosen[:2].lower()
    return language if language in texts.LANGUAGES and not chosen[2:3].isalpha() else texts.FALLBACK


def language_of_call(arguments: Sequence[str], environment: Mapping[str, str]) -> str:
    """In which language a call is answered, also one that cannot be understood any further."""
    given = [value for flag, value in pairwise(arguments) if flag in _FLAGS]
    given += [argument.partition("=")[2] for argument in arguments if argument.startswith(tuple(f"{flag}=" for flag in _FLAGS))]
    return next((value for value in given if value in texts.LANGUAGES), language_of(environment))


def lang_option(command: Callable[..., Any]) -> Callable[..., Any]:
    """Adds ``--lang``; the command gets ``language``."""
    return click.option(
        *_FLAGS,
        "language",
        type=click.Choice(texts.LANGUAGES),
        default=lambda: language_of(os.environ),
        show_default="that of LC_ALL or LANG",
        help=f"{' or '.join(sentence('language', spoken) for spoken in texts.LANGUAGES)}.",
    )(command)


def sentence(code: str, language: str, **detail: object) -> str:
    """A sentence of the command line, from the catalogues ``texts.<language>.toml`` beside this file.

    What a sentence counts is its ``count``; where one of it is said otherwise, that is the sentence ``<code>.one``.
    """
    words = _words(language)
    one = f"{code}.one" if detail.get("count") == 1 else code
    return words[one if one in words else code].format_map({name: told(value, language) for name, value in detail.items()})


@cache
def _words(language: str) -> texts.Texts:
    return texts.words_of(_CATALOGUE, language)


def headings(language: str, *columns: str) -> tuple[str, ...]:
    """The heads of the columns of a table."""
    return tuple(sentence(f"column.{column}", language) for column in columns)
