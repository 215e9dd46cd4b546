"""Whatever a game refuses is told in sentences that people can read, in both languages."""

import re
from collections.abc import Sequence

import pytest

from domain.games import RULESETS
from tests.refusals.told import Told, told

NOT_IN_A_SENTENCE = re.compile(r"\bNone\b|\bnull\b|…|\{|\}|\[|True|False|<|>")
CODE_OF_A_CARD = re.compile(r"(?<![A-Za-z])([AKQJT2-9][SHDC]|(?:[2-9A]|PAWN|COURT|CROWN)-[MSWLYK]+|JK)(?![A-Za-z])")
ENGLISH = re.compile(r"\b(the|of|is|are|not|you|your|this|that|with|only|card|cards|seat|there|and|or|to|be|has|have|which)\b")
QUOTED = re.compile(r"„[^“]*“|\"[^\"]*\"")


@pytest.fixture(scope="module")
def sentences() -> Sequence[Told]:
    return tuple(told())


def test_every_code_of_every_game_can_be_raised(sentences: Sequence[Told]):
    raised = {(one.game, one.code) for one in sentences}
    assert [(key, code) for key, ruleset in RULESETS.items() for code in ruleset.about().codes if (key, code) not in raised] == []


@pytest.mark.parametrize("spoken", ["english", "german"])
def test_every_sentence_is_whole_and_holds_nothing_that_only_a_program_reads(sentences: Sequence[Told], spoken: str):
    said = {getattr(one, spoken) for one in sentences}
    assert [text for text in said if not (text.endswith(".") and (text[0].isupper() or text[0].isdigit() or text[0] in '"„'))] == []
    assert [text for text in said if NOT_IN_A_SENTENCE.search(QUOTED.sub("", text))] == []
    assert [text for text in said if CODE_OF_A_CARD.search(QUOTED.sub("", text))] == []


def test_german_sentences_hold_no_english(sentences: Sequence[Told]):
    assert [one.german for one in sentences if ENGLISH.search(QUOTED.sub("", one.german))] == []
    assert [one.german for one in sentences if one.german == one.english] == []
