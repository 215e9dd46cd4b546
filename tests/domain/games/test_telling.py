"""What every game tells about itself: a sentence for each refusal in both languages, and the rules that it rests on."""

import re
import tomllib
from importlib.resources import files

import pytest

from domain import texts
from domain.binding import GameRules
from domain.games import RULESETS
from domain.rules import Ruleset

every_ruleset = pytest.mark.parametrize("ruleset", RULESETS.values(), ids=RULESETS)
in_both_languages = pytest.mark.parametrize("language", ["en", "de"])


def package_of(ruleset: Ruleset) -> str:
    """The folder of the game, with its texts and rules."""
    assert isinstance(ruleset, GameRules)
    return ruleset.package


PACKAGES = sorted({"domain", *map(package_of, RULESETS.values())})


@every_ruleset
@in_both_languages
def test_there_is_a_sentence_for_every_code(ruleset: Ruleset, language: str):  # COM-27
    known = {**texts.COMMON[language], **texts.catalogue(package_of(ruleset))[language]}
    assert [code for code in ruleset.about().codes if not known.get(code, "").endswith(".")] == []


@pytest.mark.parametrize("package", PACKAGES)
def test_both_languages_say_the_same_things_with_the_same_details(package: str):
    english, german = (tomllib.loads((files(package) / f"texts.{language}.toml").read_text(encoding="utf-8")) for language in ("en", "de"))
    assert list(english) == list(german)
    details = re.compile(r"\{(\w+)\}")
    assert [key for key in english if set(details.findall(english[key])) != set(details.findall(german[key]))] == []


@every_ruleset
def test_every_rule_that_a_code_rests_on_is_told_once(ruleset: Ruleset):  # COM-27
    about = ruleset.about()
    numbers = [rule.number for rule in about.rules]
    assert {rule for rules in about.codes.values() for rule in rules} <= set(numbers)
    assert len(set(numbers)) == len(numbers)
