"""The page of players: the directory for directors of the house, with what tells two of the same name apart."""

import random

import pytest

from domain.access import Grant, OfTournament
from tests.api.conftest import Caller, Service, add_token
from tests.api.markup import words
from tests.api.people import register
from tests.api.tournament import announced, played_out


def page(caller: Caller, query: str, language: str = "en") -> str:
    answer = caller.get(f"/players?{query}", headers={"Accept-Language": language, "Accept": "text/html"})
    assert answer.status_code == 200, answer.text
    return str(answer.text)


@pytest.fixture
def twins(director: Caller) -> None:
    register(director, "tw-1", "Ute Zwilling", club="peine")
    register(director, "tw-2", "Ute Zwilling")


@pytest.mark.usefixtures("twins")
def test_two_of_the_same_name_are_found_and_nobody_reads_their_ids(director: Caller):
    found = words(page(director, "search=zwilling"))
    assert found.count("Ute Zwilling") == 2
    assert ("peine · since" in found, "tw-1" in found) == (True, False)
    offered = page(director, "player=tw-1")
    assert (words(offered).count("This one"), "player=tw-1&amp;into=tw-2" in offered, "tw-2" in words(offered)) == (1, True, False)
    chosen = page(director, "player=tw-1&into=tw-2", "de")
    assert 'data-to="/v1/players/tw-1/merger"' in chosen
    assert "Zusammenlegen" in words(chosen)


def test_one_who_was_merged_can_be_separated_and_is_offered_no_more(director: Caller):
    for id in ("me-1", "me-2"):
        register(director, id, "Max Einzel")
    assert director.post("/v1/players/me-1/merger", {"into": "me-2"}).status_code == 201
    told = page(director, "player=me-1")
    assert "Max Einzel was merged into Max Einzel." in words(told)
    assert ('data-to="/v1/players/me-1/separation"' in told, "/merger" in told) == (True, False)
    assert "This one" not in words(page(director, "player=me-2"))


def test_a_director_of_one_tournament_gets_neither_the_page_nor_the_way_to_it(service: Service, director: Caller):
    register(director, "gast", "Gerda Gast")
    path = announced(director)
    assert director.post(f"{path}/entries", {"players": ["gast"]}).status_code == 201
    id = path.rpartition("/")[2]
    guest = Caller(service.client, service.contract, add_token(service.services, "director", f"guest of {id}", Grant(OfTournament(id))))
    assert guest.get("/players").status_code == 403
    desks = [one.get(f"/t/{id}/desk?step=enter&entrant=1").text for one in (director, guest)]
    assert ["/players?player=gast" in desk for desk in desks] == [True, False]
    assert "data-merges" in director.get(f"/t/{id}/desk?step=enter").text


def test_a_game_outside_of_a_tournament_is_called_by_its_name(director: Caller, recorder: Caller):
    register(director, "solo", "Sofie Solo")
    played_out(recorder, recorder.open(players=["solo", None]), random.Random(1))
    shown = director.get("/p/solo", headers={"Accept-Language": "de", "Accept": "text/html"}).text
    assert [shown.count(name) for name in (">Casino</a>", ">casino<")] == [2, 0]
