"""Whatever a game refuses is told in sentences that people can read, in both languages."""

import re
from collections.abc import Sequence

import pytest

from domain import errors
from domain.games import RULESETS
from domain.texts import LANGUAGES
from tests.refusals.told import Told, told

NOT_IN_A_SENTENCE = re.compile(r"\bNone\b|\bnull\b|…|\{|\}|\[|True|False|<|>")
CODE_OF_A_CARD = re.compile(r"(?<![A-Za-z])([AKQJT2-9][SHDC]|(?:[2-9A]|PAWN|COURT|CROWN)-[MSWLYK]+|JK)(?![A-Za-z])")
ENGLISH = re.compile(r"\b(the|of|is|are|not|you|your|this|that|with|only|card|cards|seat|there|and|or|to|be|has|have|which)\b")
ZONE = re.compile(r"stock|pile|waste|board|aside|nowhere|[a-z]+(:\d+)+")
TO_PROGRAMS = ("bad_option", "bad_result", "card_unknown", "malformed_move", "unknown_move")
ID = re.compile(r"[a-z]+:\d|[a-z]_[a-z]")
QUOTED = re.compile(r"„[^“]*“|\"[^\"]*\"")


@pytest.fixture(scope="module")
def sentences() -> Sequence[Told]:
    return tuple(told())


def test_every_code_of_every_game_can_be_raised(sentences: Sequence[Told]):
    raised = {(one.game, one.code) for one in sentences}
    assert [(key, code) for key, ruleset in RULESETS.items() for code in ruleset.about().codes if (key, code) not in raised] == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_rule_that_a_refusal_may_cite_is_published(sentences: Sequence[Told], language: str):
    published = {key: {rule.number for rule in ruleset.about(language).rules} for key, ruleset in RULESETS.items()}
    cited = {(one.game, number) for one in sentences for number in one.rules}
    cited |= {(key, number) for key, ruleset in RULESETS.items() for numbers in ruleset.about().codes.values() for number in numbers}
    cited |= {("any", number) for error in vars(errors).values() for number in getattr(error, "rules", ()) if isinstance(error, type)}
    in_every_game = set.intersection(*published.values())
    assert sorted((game, number) for game, number in cited if number not in published.get(game, in_every_game)) == []


@pytest.mark.parametrize("spoken", ["english", "german"])
def test_every_sentence_is_whole_and_holds_nothing_that_only_a_program_reads(sentences: Sequence[Told], spoken: str):
    said = {getattr(one, spoken) for one in sentences}
    assert [text for text in said if not (text.endswith(".") and (text[0].isupper() or text[0].isdigit() or text[0] in '"„'))] == []
    assert [text for text in said if NOT_IN_A_SENTENCE.search(QUOTED.sub("", text))] == []
    assert [text for text in said if CODE_OF_A_CARD.search(QUOTED.sub("", text))] == []


@pytest.mark.parametrize("spoken", ["english", "german"])
def test_a_refused_line_quotes_only_what_pages_call_by_another_name(sentences: Sequence[Told], spoken: str):
    """Zones and categories: ``inWords`` of ``api/assets/zone_words.js``. Other refusals answer to forms and programs."""
    quoted = {
        (one.code, word)
        for one in sentences
        if one.game in RULESETS and one.code not in TO_PROGRAMS
        for word in QUOTED.findall(getattr(one, spoken))
        if not ZONE.fullmatch(word.strip('"„“'))
    }
    assert {code for code, _ in quoted} <= {"unknown_category", "no_value"}
    unquoted = [QUOTED.sub("", getattr(one, spoken)) for one in sentences if one.game in RULESETS]
    assert [text for text in unquoted if ID.search(text)] == []


def test_german_sentences_hold_no_english(sentences: Sequence[Told]):
    assert [one.german for one in sentences if ENGLISH.search(QUOTED.sub("", one.german))] == []
    assert [one.german for one in sentences if one.german == one.english] == []
