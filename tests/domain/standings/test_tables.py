"""The closed lists of formats and tie-breaks: what is forgotten in one of them is found here."""

from typing import get_args

from domain import texts
from domain.standings.plan import FORMATS, Format
from domain.standings.tie_breaks import TIE_BREAKS, TieBreak
from tests.each import each


def test_every_format_and_every_tie_break_has_its_line():
    assert set(FORMATS) == set(get_args(Format))
    assert set(TIE_BREAKS) == set(get_args(TieBreak))


@each("language", texts.LANGUAGES)
def test_every_tie_break_has_a_name_and_a_reason_why_it_is_refused(language: str):
    known = texts.COMMON[language]
    for name, rule in TIE_BREAKS.items():
        assert f"tie_break.{name}" in known
        assert rule.drawn or f"no_{name}" in known
