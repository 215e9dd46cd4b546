"""The list of disputes over HTTP: where arbiters are waited for; claims are for officials."""

from typing import Any

from tests.api.conftest import Caller, Service


def a_dispute(service: Service, tournament: str, table: str = "1", **said: Any) -> str:
    recorder = service.caller("recorder")
    game = recorder.open(tournament=tournament, round=1, table=table, players=["anna", "bert"])
    recorder.deal(game)
    body = {"position": 2, "seat": 1, "claim": "He held the KC.", "suspends": True, **said}
    assert recorder.post(f"/v1/games/{game}/disputes", body).status_code == 201
    return game


def listed(caller: Caller, query: str) -> list[dict[str, Any]]:
    return list(caller.get(f"/v1/disputes?{query}").json()["items"])


def test_what_waits_for_a_decision_stands_in_one_list(new_service: Service):
    arbiter = new_service.caller("arbiter")
    first, second = a_dispute(new_service, "list"), a_dispute(new_service, "list", "2", seat=None)
    told = listed(arbiter, "undecided=true&tournament=list")
    assert [(one["game"], one["table"], one["number"], one["seat"], one["state"]) for one in told] == [
        (second, "2", 1, None, "open"),
        (first, "1", 1, 1, "open"),
    ]
    assert (told[1]["claim"], told[1]["round"], told[1]["position"], told[1]["raised_at"]) == ("He held the KC.", 1, 2, 3)
    assert (told[1]["suspends"], told[1]["by"]) == (True, "p_recorder")
    assert arbiter.post(f"/v1/games/{first}/rulings", {"dispute": 1, "decision": "stands", "reason": "no"}).status_code == 201
    assert [one["game"] for one in listed(arbiter, "undecided=true&tournament=list")] == [second]
    assert [one["game"] for one in listed(arbiter, "state=ruled&tournament=list")] == [first]
    assert arbiter.post(f"/v1/games/{first}/disputes/1/appeals", {"seat": 1}).status_code == 201
    assert [one["state"] for one in listed(arbiter, "undecided=true&tournament=list")] == ["open", "appealed"]


def test_claims_are_told_to_officials_only_in_every_form(service: Service):
    game = a_dispute(service, "claims")
    assert [one["claim"] for one in listed(service.caller("recorder"), f"game={game}")] == ["He held the KC."]
    viewer = service.caller("viewer")
    (told,) = listed(viewer, f"game={game}")
    assert "claim" not in told
    for form in ("csv", "ndjson"):
        answer = viewer.get(f"/v1/disputes?game={game}&format={form}")
        assert answer.status_code == 200
        assert "KC" not in answer.text


def test_the_list_comes_page_by_page(service: Service):
    games = [a_dispute(service, "pages", str(number)) for number in range(3)]
    caller = service.caller("viewer")
    first = caller.get("/v1/disputes?tournament=pages&limit=2")
    second = caller.get(first.links["next"]["url"])
    assert [one["game"] for answer in (first, second) for one in answer.json()["items"]] == games[::-1]
    assert service.caller("viewer").get("/v1/disputes?state=won").status_code == 400
