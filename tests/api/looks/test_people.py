"""Who looked is a person's data where the principal is known to be him: told to him, and erased with him."""

from uuid import UUID, uuid4

from domain.access import Grant, OfTournament
from domain.journal.registers import CardAccess
from tests.api.conftest import Service, add_token
from tests.api.people import erase, merge, path, register

GAME = uuid4()
MINUTE = "2026-11-21T19:09:00.000000Z"


def looked(service: Service, *principals: str, game: UUID = GAME) -> None:
    service.services.registers.keep_looks([CardAccess(MINUTE, game, "arbiter", by, None) for by in principals])


def test_the_data_of_a_person_tell_where_a_principal_of_any_of_his_ids_looked(new_service: Service):
    director = new_service.caller("director")
    for id in ("z1", "z2", "other"):
        register(director, id, "Wilhelmine")
    merge(director, "z2", "z1")
    looked(new_service, "z1", "z2", "other", "p_director")
    assert director.get(f"{path('z2')}/data").json()["looks"] == [
        {"minute": MINUTE, "by": by, "game": str(GAME), "tournament": None, "view": "arbiter"} for by in ("z2", "z1")
    ]


def test_a_principal_is_a_person_too_where_one_of_his_tokens_is_that_of_the_player(new_service: Service):
    director = new_service.caller("director")
    register(director, "z1", "Wilhelmine")
    add_token(new_service.services, "player", "tablet", Grant(OfTournament("spring-open"), player="z1"))
    looked(new_service, "p_tablet", "p_director")
    assert [look["by"] for look in director.get(f"{path('z1')}/data").json()["looks"]] == ["p_tablet"]
    erase(director, "z1")
    assert director.get(f"{path('z1')}/data").json()["looks"] == []


def test_with_a_person_goes_where_he_looked_under_all_ids_and_nobody_elses(new_service: Service):
    director, registers = new_service.caller("director"), new_service.services.registers
    for id in ("z1", "z2", "other"):
        register(director, id, "Wilhelmine")
    merge(director, "z2", "z1")
    looked(new_service, "z1", "z2", "other", "p_director")
    erase(director, "z1")
    assert [look.principal for look in registers.list_looks(game=GAME)] == ["p_director", "other"]
    assert director.get(f"{path('z1')}/data").json()["looks"] == []
