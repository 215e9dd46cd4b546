"""Whoever reads German meets no English sentence. More chapters: ``./run evenings``."""

from pathlib import Path

from tests.evening.bilingual import shared_sentences


def test_no_sentence_of_an_evening_is_the_same_in_english_and_in_german(tmp_path: Path):
    assert shared_sentences(tmp_path, ("players", "tables")) == {}
