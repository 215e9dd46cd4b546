"""The files that the desk offers at its last step, for the spreadsheets of the language in which it is read."""

import re

import pytest

from tests.api.conftest import Caller
from tests.api.tournament import announced, entered


@pytest.fixture
def tournament(director: Caller) -> str:
    path = announced(director, format="manual", title="Frühlings-Open")
    entered(director, path, 2)
    return path.rpartition("/")[2]


def offered_files(director: Caller, tournament: str, language: str) -> dict[str, str]:
    page = director.get(f"/t/{tournament}/desk?step=publish", headers={"Accept-Language": language}).text
    return {says: href.replace("&amp;", "&") for href, says in re.findall(r'<a href="([^"]+)" download>([^<]+)', page)}


def test_csv_of_the_german_desk_is_for_german_spreadsheets(director: Caller, tournament: str):
    english, german = (offered_files(director, tournament, language) for language in ("en", "de"))
    for says in ("Standings, CSV", "Results, CSV", "Score lines, CSV"):
        assert not director.get(english[says]).text.startswith("\ufeff")
    for says in ("Tabelle, CSV", "Ergebnisse, CSV", "Punktzeilen, CSV"):
        assert director.get(german[says]).content.startswith("\ufeff".encode())
