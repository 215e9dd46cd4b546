"""Published rating lists over HTTP: published, read as they were, compared, and by whom."""

from dataclasses import replace
from typing import Any

from domain.access import Grant, OfTournament
from tests.api.conftest import Caller, Service, add_token
from tests.api.series.test_series import night

LISTS, CASINO = "/v1/ratings/lists", {"ruleset": "casino", "publication": "no"}


def published(director: Caller, **other: Any) -> int:
    """The number of the list."""
    answer = director.post(LISTS, {**CASINO, **other})
    assert answer.status_code == 201, answer.text
    return int(answer.json()["position"])


def lines(caller: Caller, number: int) -> dict[str, tuple[Any, ...]]:
    names = ("shown", "place", "rating", "games", "place_before", "rating_before")
    return {one["player"]: tuple(one[name] for name in names) for one in caller.get(f"{LISTS}/casino/{number}").json()["items"]}


def shown(caller: Caller, number: int, player: str = "p1") -> str:
    return str(lines(caller, number)[player][0])


def present(caller: Caller) -> dict[str, tuple[Any, ...]]:
    names = ("shown", "place", "rating", "games")
    return {one["player"]: tuple(one[name] for name in names) for one in caller.get("/v1/ratings?ruleset=casino").json()["items"]}


def holding(service: Service, role: str, tournament: str) -> Caller:
    grant = Grant(OfTournament(tournament))
    return replace(service.caller(None), token=add_token(service.services, role, f"{role} of {tournament}", grant))


def test_a_published_list_stays_as_it_is_and_the_next_one_says_what_changed(director: Caller):
    director.post("/v1/players", {"id": "p1", "name": "Anna Meier"})
    night(director, 21, 17)
    first, before = published(director), present(director)
    night(director, 3, 9)
    second, now = published(director), present(director)
    assert {player: line[:4] for player, line in lines(director, first).items()} == before
    assert lines(director, second) == {player: (*now[player], before[player][1], before[player][2]) for player in now}
    since = director.get(f"{LISTS}/casino/{first}/diff").json()
    assert since == {**director.get(f"{LISTS}/casino/{first}/diff?new={second}").json(), "after": None}
    assert {one["player"]: (one["before"]["rating"], one["after"]["rating"]) for one in since["moved"]} == {
        player: (before[player][2], now[player][2]) for player in now
    }
    assert director.get(f"{LISTS}/casino/{second}/diff").json()["moved"] == []
    assert [one["number"] for one in director.get(f"{LISTS}?ruleset=casino&limit=2").json()["items"]] == [second, first]


def test_a_dry_run_publishes_nothing_and_a_key_publishes_once(director: Caller):
    night(director, 21, 17)
    count = len(director.get(LISTS).json()["items"])
    tried = director.post(f"{LISTS}?dry_run=true", CASINO)
    assert (tried.status_code, tried.json()["dry_run"], len(director.get(LISTS).json()["items"])) == (200, True, count)
    again = [director.post(LISTS, CASINO, headers={"Idempotency-Key": "march"}).json() for _ in range(2)]
    assert again[0] == again[1]
    assert director.get(f"{LISTS}/casino/{again[0]['position']}").json()["published"] == again[0]["published"]
    refused = director.post(LISTS, {**CASINO, "minimum_games": 500})
    assert (refused.status_code, refused.json()["code"]) == (422, "ratings_of_nobody")


def test_everybody_reads_a_list_once_it_is_public_and_nobody_the_present_one(service: Service):
    director, others = service.caller("director"), (service.caller(None), holding(service, "director", "elsewhere"))
    director.post("/v1/players", {"id": "p1", "name": "Anna Meier"})
    director.post("/v1/players/p1/name", {"name": "Anna Meier", "alias": "Falke"})
    night(director, 21, 17)
    first = published(director)
    hidden = [(one.get(f"{LISTS}/casino/{first}").status_code, one.get(LISTS).json()["items"]) for one in others]
    assert hidden == [(401, []), (404, [])]
    night(director, 21, 17)
    second = published(director, publication="aliases")
    assert [shown(one, first) for one in others] == ["Falke"] * 2
    assert [one.get(f"{LISTS}/casino/{first}/diff").status_code for one in others] == [401, 403]
    assert others[0].get(f"{LISTS}/casino/{first}/diff?new={second}").json()["moved"] != []
    published(director, publication="names")
    assert [shown(one, first) for one in others] == ["Anna Meier"] * 2


def test_a_name_that_a_tournament_gives_its_readers_stands_in_the_list(service: Service):
    director, viewer, nobody = service.caller("director"), service.caller("viewer"), service.caller(None)
    director.post("/v1/players", {"id": "p1", "name": "Anna Meier"})
    director.post("/v1/players/p1/name", {"name": "Anna Meier", "alias": "Falke"})
    tournament = night(director, 21, 17)
    number, inside = published(director, publication="aliases"), holding(service, "viewer", tournament)
    director.post(f"/v1/tournaments/{tournament}/hall-names", {"hall_names": "initials"})
    assert [shown(one, number) for one in (viewer, inside, nobody)] == ["Falke", "A. M.", "Falke"]
    director.post(f"/v1/tournaments/{tournament}/publication", {"publication": "names"})
    assert [shown(one, number) for one in (viewer, inside, nobody)] == ["Anna Meier"] * 3
    assert present(viewer)["p1"][0] == "Anna Meier"
    director.post("/v1/players/p1/name", {"name": "Anna Meier", "alias": "Falke", "objects_to_names": True})
    assert shown(viewer, number) == "Falke"


def test_the_feed_tells_the_ruleset_and_the_audit_its_verdict(director: Caller):
    night(director, 21, 17)
    number = published(director)
    entry = director.get("/v1/feed?kind=ratings&limit=1000").json()["entries"][-1]
    assert (entry["name"], entry["ruleset"], entry["position"]) == ("ratings.published/1", "casino", number)
    told = director.get("/v1/ratings/casino/audit").json()
    assert (told["kind"], told["id"], told["verdict"]) == ("ratings", "casino", "sound")
    assert director.get("/v1/ratings/canasta/audit").json()["code"] == "unknown_rating_list"


def test_merged_and_erased_players_stay_in_a_published_list(director: Caller):
    director.post("/v1/players", {"id": "p1", "name": "Anna Meier"})
    director.post("/v1/players", {"id": "p9", "name": "Anna Maier"})
    night(director, 21, 17)
    number = published(director)
    before = lines(director, number)["p1"][1:]
    director.post("/v1/players/p1/merger", {"into": "p9"})
    assert lines(director, number)["p1"] == ("Anna Maier", *before)
    assert director.get(f"{LISTS}/casino/{number}/diff").json()["moved"] == []
    data = director.get("/v1/players/p9/data").json()["rating_lists"]
    assert ("casino", number, "p1") in [(one["ruleset"], one["number"], one["line"]["player"]) for one in data]
    assert director.post("/v1/players/p9/erasure", {"confirm": "p9"}).status_code == 200
    assert lines(director, number)["p1"] == ("A player", *before)
