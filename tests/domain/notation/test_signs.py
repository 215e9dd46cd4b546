"""The signs of all games, as they are typed and written."""

from domain.notation.letters import SIGNS, WRITTEN


def test_answers_are_written_with_capitals():
    assert {language: (signs["y"], signs["n"]) for language, signs in WRITTEN.items()} == {"en": ("Y", "N"), "de": ("J", "N")}


def test_what_is_written_is_typed_for_the_same_sign():
    assert [
        (language, sign)
        for language, signs in WRITTEN.items()
        for sign, written in signs.items()
        if SIGNS[language][written.lower()] != sign
    ] == []
