"""What both games tell about themselves: their rules and their sentences."""

from collections.abc import Callable, Collection

from domain import texts
from domain.errors import Refused
from domain.games.quartett.deck import PACKAGE


def cited(family: str, besides: Collection[str] = ()) -> Callable[[str], bool]:
    """Of the rules on the page: those of the decks and of the family, and single ones of the other game."""
    return lambda number: number.startswith(("QDK-", family)) or number in besides


def sentence(refused: Refused, language: str) -> str:
    """The refusal in words. A deck that is none has a sentence for each of its problems."""
    catalogues = (texts.catalogue(PACKAGE), texts.COMMON)
    problem = [str(refused.detail["problem"])] if refused.code == "bad_option" and "problem" in refused.detail else []
    return texts.sentence(refused.code, refused.detail, language, catalogues, (*problem, *refused.rules))
