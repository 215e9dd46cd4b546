"""What both games tell about themselves: their rules and their sentences."""

from collections.abc import Collection

from domain import texts
from domain.errors import Refused
from domain.games.quartett.deck import PACKAGE
from domain.rules import Rule


def rules(family: str, besides: Collection[str] = ()) -> tuple[Rule, ...]:
    """What holds in every game, the rules of the decks, those of the family, and single ones of the other game."""
    own = [(number, text) for number, text in texts.numbered(PACKAGE) if number.startswith(("QDK-", family)) or number in besides]
    return tuple(Rule(number, text) for number, text in (*texts.numbered("domain"), *own))


def sentence(refused: Refused, language: str) -> str:
    """The refusal in words. A deck that is none has a sentence for each of its problems."""
    catalogues = (texts.catalogue(PACKAGE), texts.COMMON)
    problem = [str(refused.detail["problem"])] if refused.code == "bad_option" and "problem" in refused.detail else []
    return texts.sentence(refused.code, refused.detail, language, catalogues, (*problem, *refused.rules))


def words() -> dict[str, dict[str, str]]:
    """Names of rows and ends. Cards have theirs in the definition of the deck."""
    return texts.names(PACKAGE)
