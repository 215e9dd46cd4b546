"""Webhooks that are registered, listed and changed: by directors, within their scope, with no more than they have."""

from typing import Any

import pytest

from domain.access import Grant, OfTournament
from tests.api.access.people import holding
from tests.api.conftest import Caller, Service
from tests.api.webhooks.receiving import Receiver, registered

AWAY = "https://club.example/news"
NOWHERE = {"game": "00000000-0000-4000-8000-000000000000"}


def asked(caller: Caller, **wanted: Any) -> tuple[int, str, str | None]:
    answer = caller.post("/v1/webhooks", {"url": AWAY, "role": "viewer", "scope": "everything", **NOWHERE, **wanted})
    told = answer.json()
    return answer.status_code, told.get("code", ""), told.get("where")


def test_the_secret_is_told_once(service: Service, receiver: Receiver):
    director = service.caller("director")
    webhook = registered(director, receiver, label="club", **NOWHERE)
    secret = webhook.pop("secret")
    assert (secret.startswith("whsec_"), len(secret)) == (True, 50)
    assert director.get(f"/v1/webhooks/{webhook['id']}").json() == webhook
    assert webhook in director.get("/v1/webhooks").json()["items"]
    assert secret not in director.get("/v1/webhooks").text


def test_nobody_gives_more_than_he_has(service: Service):
    mine = holding(service, grant=Grant(OfTournament("spring"), sees="public"), expires_at="2999-01-01T00:00:00Z")
    assert asked(mine) == (403, "forbidden", "scope")
    assert asked(mine, scope={"tournament": "spring"}, role="arbiter") == (403, "forbidden", "sees")
    assert asked(mine, scope={"tournament": "spring"}, expires_at="2999-01-02T00:00:00Z") == (403, "forbidden", "expires_at")
    assert asked(mine, scope={"tournament": "spring"}) == (201, "", None)


@pytest.mark.parametrize("role", ["recorder", "arbiter", "committee", "viewer"])
def test_webhooks_are_for_directors(service: Service, role: str):
    assert asked(service.caller(role))[:2] == (403, "forbidden")


def test_beyond_his_scope_a_director_learns_of_no_webhook(service: Service, receiver: Receiver):
    director, mine = service.caller("director"), holding(service, grant=Grant(OfTournament("spring")))
    own = registered(mine, receiver, scope={"tournament": "spring"}, **NOWHERE)
    ids = [registered(director, receiver, **NOWHERE)["id"], "00000000"]
    assert own["id"] in [one["id"] for one in mine.get("/v1/webhooks").json()["items"]]
    assert ids[0] not in mine.get("/v1/webhooks").text
    on, nothing = {"enabled": True}, dict[str, bool]()
    acts = (
        ("PATCH", "", on),
        ("DELETE", "", nothing),
        *(("POST", f"/{what}", nothing) for what in ("rotation", "test", "deliveries/m/redelivery")),
    )
    for method, what, body in acts:
        answers = [mine.call(method, f"/v1/webhooks/{id}{what}", json=body) for id in ids]
        assert [(answer.status_code, answer.json()["code"]) for answer in answers] == [(403, "forbidden")] * 2
        assert director.call(method, f"/v1/webhooks/00000000{what}", json=body).json()["code"] == "unknown_webhook"


def test_a_name_that_no_event_has_is_refused(service: Service):
    assert asked(service.caller("director"), events=["move.played", "move.plaid"]) == (422, "malformed_body", "events")


REFUSED = [
    "https://anna:secret@club.example/news",
    "https://club.example/news#part",
    "https://club.example/a b",
    "https://club.example\\@127.0.0.1/",
    "https://",
    "https://:443/",
    "https://club.example:0/",
    "https://club.example:99999/",
    "ftp://club.example/news",
    "https://clüb.example/news",
    "club.example/news",
]


@pytest.mark.parametrize("url", REFUSED)
def test_what_is_no_address_of_a_receiver_is_refused(service: Service, url: str):
    assert asked(service.caller("director"), url=url) == (422, "malformed_body", "url")


@pytest.mark.parametrize("url", ["https://10.0.0.1/", "https://[::1]/", "https://169.254.169.254/latest", "https://[::ffff:10.0.0.1]/"])
def test_addresses_of_the_house_are_refused_at_once(service: Service, url: str):
    assert asked(service.caller("director"), url=url) == (403, "forbidden", "url")


def test_a_scheme_in_capitals_is_the_same(service: Service):
    told = service.caller("director").post(
        "/v1/webhooks", {"url": "HTTPS://Club.example/News", "role": "viewer", "scope": "everything", **NOWHERE}
    )
    assert (told.status_code, told.json()["url"]) == (201, "https://Club.example/News")


def test_without_a_network_that_is_allowed_everything_goes_by_https(new_service: Service):
    assert asked(new_service.caller("director"), url="http://club.example/") == (403, "forbidden", "url")
    assert asked(new_service.caller("director")) == (201, "", None)


def test_a_removed_webhook_is_gone(service: Service, receiver: Receiver):
    director = service.caller("director")
    id = registered(director, receiver, **NOWHERE)["id"]
    assert director.delete(f"/v1/webhooks/{id}").json() == {"id": id}
    assert director.get(f"/v1/webhooks/{id}").json()["code"] == "unknown_webhook"
