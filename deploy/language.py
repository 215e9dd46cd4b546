"""In which language the command line speaks of games, and its own few sentences in each."""

import os
from collections.abc import Callable, Mapping
from typing import Any

import click

from domain import texts

_CATALOGUE = texts.catalogue("deploy")
_VARIABLES = ("LC_ALL", "LC_MESSAGES", "LANG")


def language_of(environment: Mapping[str, str]) -> str:
    """``de_AT.UTF-8`` is German; English is for everybody whose language is not spoken here."""
    chosen = next((environment[name] for name in _VARIABLES if environment.get(name)), "")
    language = chosen[:2].lower()
    return language if language in texts.LANGUAGES and not chosen[2:3].isalpha() else texts.FALLBACK


def lang_option(command: Callable[..., Any]) -> Callable[..., Any]:
    """Adds ``--lang``; the command gets ``language``."""
    return click.option(
        "--lang",
        "--language",
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
    return texts.sentence(code, detail, language, (_CATALOGUE,), ("one",) if detail.get("count") == 1 else ())
