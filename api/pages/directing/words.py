"""The words of the director's pages: those of all pages, and those that lie here."""

from api.common.pages.shell import words
from domain.texts import Texts, catalogue, words_of


def directing_words(language: str) -> Texts:
    return {**words(language), **words_of(catalogue("api.pages.directing"), language)}


def for_scripts(language: str) -> Texts:
    """Those that scripts say, by what is behind the dot. They stand in the page, so that other pages do not fetch them."""
    said = words_of(catalogue("api.pages.directing"), language)
    return {key.removeprefix("script."): text for key, text in said.items() if key.startswith("script.")}
