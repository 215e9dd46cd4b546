"""The words of the director's pages: those of all pages, and those that lie here."""

from api.common.pages.shell import words
from domain.texts import Texts, catalogue, words_of


def directing_words(language: str) -> Texts:
    return {**words(language), **words_of(catalogue("api.pages.directing"), language)}
