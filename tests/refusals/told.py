"""What was raised, told in both languages: a line a kind of refusal."""

from collections.abc import Iterator

from msgspec import Struct

from domain import texts
from domain.errors import InvalidFormatError, Refused
from domain.games import RULESETS
from domain.rules import Ruleset
from tests.refusals.raised import raised
from tests.refusals.rare import of_any_game


class Told(Struct, frozen=True):
    game: str
    code: str
    rules: tuple[str, ...]
    english: str
    german: str


def told() -> Iterator[Told]:
    """One of each game, code, rules and kind of problem, in the order of the codes of the game."""
    for key, ruleset in RULESETS.items():
        codes = list(ruleset.about().codes)
        found = {(refused.code, refused.rules, _problem(refused)): refused for refused in raised(key, ruleset)}
        for refused in sorted(found.values(), key=lambda one: (codes.index(one.code), one.rules, _problem(one))):
            yield _told(key, ruleset, refused)
    for error in of_any_game():
        yield _told("any", None, error)


def _told(game: str, ruleset: Ruleset | None, error: Refused | InvalidFormatError) -> Told:
    rules = error.rules if isinstance(error, Refused) else ("COM-65",)
    english, german = (_sentence(ruleset, error, language) for language in ("en", "de"))
    return Told(game, error.code, rules, english, german)


def _sentence(ruleset: Ruleset | None, error: Refused | InvalidFormatError, language: str) -> str:
    if isinstance(error, InvalidFormatError):
        return error.in_words(language)
    if ruleset:
        return ruleset.sentence(error, language)
    return texts.sentence(error.code, error.detail, language, (texts.COMMON,), error.rules)


def _problem(refused: Refused) -> str:
    problem = refused.detail.get("problem", "")
    return problem.key if isinstance(problem, texts.Phrase) else str(problem)
