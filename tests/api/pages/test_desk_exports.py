"""The files that the desk offers at its last step, for the spreadsheets of the language in which it is read."""

import re

import pytest

from api.common.tables.files import disposition
from tests.api.conftest import Caller, Service
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


def test_files_of_a_tournament_have_its_name(director: Caller, tournament: str):
    files = offered_files(director, tournament, "de")
    headers = {"Accept-Language": "de"}
    for says, ending in (("Tabelle, XLSX", "Tabelle.xlsx"), ("Tabelle, CSV", "Tabelle.csv"), ("Ergebnisse, XLSX", "Ergebnisse.xlsx")):
        answer = director.get(files[says], headers=headers)
        assert answer.status_code == 200
        named = f"attachment; filename=\"Fruehlings-Open - {ending}\"; filename*=UTF-8''Fr%C3%BChlings-Open%20-%20{ending}"
        assert answer.headers["content-disposition"] == named
    assert "Fr" not in director.get("/v1/results?format=csv", headers=headers).headers["content-disposition"]


@pytest.mark.parametrize(("name", "plain"), [("x.csv", "x.csv"), ("Ωmega Ñ.csv", "mega N.csv")])
def test_the_name_of_a_file_is_there_in_ascii_too(name: str, plain: str):
    full = "" if name == plain else "; filename*=UTF-8''%CE%A9mega%20%C3%91.csv"
    assert disposition(name) == f'attachment; filename="{plain}"{full}'


def test_a_file_tells_nobody_the_title_of_a_tournament_that_they_may_not_read(service: Service, director: Caller, tournament: str):
    path = f"/v1/results?tournament={tournament}&format=csv"
    another = announced(director, format="manual").rpartition("/")[2]
    issued = director.post("/v1/tokens", {"role": "viewer", "scope": {"tournament": another}}).json()
    stranger = Caller(service.client, service.contract, issued["secret"])
    assert stranger.get(path).headers["content-disposition"] == 'attachment; filename="results.csv"'
    director.post(f"/v1/tournaments/{tournament}/publication", {"publication": "aliases"})
    assert "Fruehlings-Open" in stranger.get(path).headers["content-disposition"]
