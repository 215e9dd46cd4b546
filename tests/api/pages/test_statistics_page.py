"""The page of a game's statistics: bars and numbers of what the reader may see, in both languages."""

import re

import pytest

from api.common.pages.shell import words
from domain.games import RULESETS
from domain.texts import LANGUAGES, Language
from tests.api.conftest import Service
from tests.api.play import worked

PAGE = {"Accept": "text/html"}


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_type_of_move_has_a_name(language: Language):
    types = {type for ruleset in RULESETS.values() for type in re.findall(r"'enum': \['(\w+)'\]", str(ruleset.about(language).moves))}
    assert len(types) > 15
    assert {f"statistics.move.{type}" for type in types} <= words(language).keys()


def test_the_page_draws_each_share_with_its_interval_and_tells_its_numbers(service: Service):
    viewer = service.caller("viewer")
    worked(service.caller("recorder"), "game-two-players-classic")
    told = viewer.get("/statistics/casino", headers={**PAGE, "Accept-Language": "de"})
    assert told.status_code == 200, told.text
    for text in (
        "Statistik: Casino",
        "Aus einer beendeten Partie",
        "Gewonnene Partien nach Platz",
        "Platz 1",
        "100,0 %",
        "20,7–100,0",
        "1 von 1",
        "Ablegen",
        "Züge in einem Spiel",
        "Im Mittel ",
    ):
        assert text in told.text, text
    assert '<rect width="200.0" height="12"/>' in told.text
    english = viewer.get("/statistics/casino?from=2020-01-01&to=2020-02-01", headers={**PAGE, "Accept-Language": "en"}).text
    assert "No finished game here yet" in english
    public = service.caller(None).get("/statistics/casino", headers={**PAGE, "Accept-Language": "en"})
    assert (public.status_code, "No finished game here yet" in public.text) == (200, True)
    assert viewer.get("/statistics/none", headers=PAGE).status_code == 404
