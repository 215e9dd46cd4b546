"""Whoever reads German meets no English sentence, from the announcement of a tournament to its last sheet."""

from pathlib import Path

from tests.evening.asgi import Driver
from tests.evening.bilingual import Bilingual
from tests.evening.chance import Chance
from tests.evening.script import CHAPTERS
from tests.evening.service import opened

WITH_SENTENCES = ("play", "fouls", "disputes", "players", "announcing", "club_night", "tables", "records", "strictness")


def test_no_sentence_of_an_evening_is_the_same_in_english_and_in_german(tmp_path: Path):
    chance = Chance()
    with opened(tmp_path, None, chance, limited=False) as service, Driver(service.app, service.settle) as driver:
        book = Bilingual(driver.ask, chance.turn)
        for chapter in WITH_SENTENCES:
            CHAPTERS[chapter](book)
    assert book.found == {}
