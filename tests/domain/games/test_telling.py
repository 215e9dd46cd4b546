"""What every game tells about itself: a sentence for each refusal in every language, and the rules that it rests on."""

import pytest

from domain import texts
from domain.binding import GameRules
from domain.games import RULESETS
from domain.rules import Ruleset

every_ruleset = pytest.mark.parametrize("ruleset", RULESETS.values(), ids=RULESETS)
in_every_language = pytest.mark.parametrize("language", texts.LANGUAGES)


def package_of(ruleset: Ruleset) -> str:
    """The folder of the game, with its texts and rules."""
    assert isinstance(ruleset, GameRules)
    return ruleset.package


@every_ruleset
@in_every_language
def test_there_is_a_sentence_for_every_code(ruleset: Ruleset, language: str):  # COM-27
    known = {**texts.COMMON[language], **texts.load_catalog(package_of(ruleset))[language]}
    assert [code for code in ruleset.about().codes if not known.get(code, "").endswith(".")] == []


@every_ruleset
def test_every_rule_that_a_code_rests_on_is_told_once(ruleset: Ruleset):  # COM-27
    about = ruleset.about()
    numbers = [rule.number for rule in about.rules]
    assert {rule for rules in about.codes.values() for rule in rules} <= set(numbers)
    assert len(set(numbers)) == len(numbers)


@every_ruleset
@in_every_language
def test_every_game_has_a_name(ruleset: Ruleset, language: str):
    assert texts.load_catalog(package_of(ruleset))[language][f"game.{ruleset.key}"] == ruleset.about().names[language]


@pytest.mark.parametrize("package", ["domain", *sorted({package_of(ruleset) for ruleset in RULESETS.values()})])
def test_the_rules_have_the_same_numbers_in_every_language_and_are_told_in_it(package: str):
    pages = {language: texts.list_numbered_rules(package, language) for language in texts.LANGUAGES}
    numbers = {language: [number for number, _ in page] for language, page in pages.items()}
    assert numbers == dict.fromkeys(texts.LANGUAGES, numbers["en"])
    assert [number for (number, english), (_, german) in zip(pages["en"], pages["de"], strict=True) if english == german] == []


@every_ruleset
@in_every_language
def test_a_ruleset_is_described_with_the_rules_of_the_language(ruleset: Ruleset, language: str):
    own = dict(texts.list_numbered_rules(package_of(ruleset), language)) | dict(texts.list_numbered_rules("domain", language))
    assert [rule for rule in ruleset.about(language).rules if own[rule.number] != rule.text] == []
