"""What is no event is done once under its key, too: a key belongs to one request, and of many at once one is done."""

import asyncio
import json
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest

from api.services import Services
from deploy.compose import open_services
from tests.api.at_once import crowd
from tests.api.conftest import Caller, add_token, settings_of
from tests.api.people import path, register

VIEWER = {"role": "viewer", "scope": "everything"}
WEBHOOK = {**VIEWER, "url": "https://club.example/news"}


def code(answer: Any) -> tuple[int, str]:
    return answer.status_code, answer.json()["code"]


def test_a_code_is_issued_once_and_told_once(director: Caller):
    key = {"Idempotency-Key": "hall"}
    first, again = (director.post("/v1/codes", VIEWER, headers=key) for _ in range(2))
    assert (first.status_code, again.status_code, again.headers["idempotent-replayed"]) == (201, 201, "true")
    issued = {name: first.json()[name] for name in ("issued", "only_here")}
    assert again.json() == {**issued, "if_lost": f"/v1/codes/{issued['issued']['id']}"}
    assert len(director.get("/v1/codes").json()["items"]) == 1


def test_what_was_changed_back_since_stays_so(director: Caller):
    webhook = director.post("/v1/webhooks", WEBHOOK).json()["id"]
    disable = {"headers": {"Idempotency-Key": f"{webhook} off"}}
    assert director.patch(f"/v1/webhooks/{webhook}", {"enabled": False}, **disable).json()["state"] == "disabled"
    assert director.patch(f"/v1/webhooks/{webhook}", {"enabled": True}).json()["state"] == "active"
    again = director.patch(f"/v1/webhooks/{webhook}", {"enabled": False}, **disable)
    assert (again.json()["state"], again.headers["idempotent-replayed"]) == ("active", "true")


def test_what_was_not_done_takes_no_key(director: Caller):
    key = {"Idempotency-Key": uuid4().hex}
    assert code(director.patch("/v1/webhooks/00000000", {"enabled": False}, headers=key)) == (404, "unknown_webhook")
    assert director.post("/v1/webhooks", WEBHOOK, headers=key).status_code == 201


@pytest.mark.parametrize(
    ("address", "body"),
    [("/v1/tokens", VIEWER), ("/v1/webhooks", {**WEBHOOK, "label": "another"}), ("/v1/games", {"ruleset": "casino", "seats": 2})],
)
def test_a_key_belongs_to_one_request(director: Caller, address: str, body: object):
    key = {"Idempotency-Key": uuid4().hex}
    assert director.post("/v1/webhooks", WEBHOOK, headers=key).status_code == 201
    assert code(director.post(address, body, headers=key)) == (422, "key_reused")


def test_the_key_of_a_name_stays_taken_when_the_name_is_erased(director: Caller):
    player, key = f"p-{uuid4().hex[:8]}", {"Idempotency-Key": uuid4().hex}
    register(director, player, "Anna")
    assert director.post(f"{path(player)}/name", {"name": "Anna Meier"}, headers=key).status_code == 200
    assert director.post(f"{path(player)}/erasure", {"confirm": player}).status_code == 200
    assert code(director.post("/v1/games", {"ruleset": "casino", "seats": 2}, headers=key)) == (422, "key_reused")
    assert code(director.post(f"{path(player)}/name", {"name": "Anna Meier"}, headers=key)) == (422, "player_erased")


def test_of_many_at_once_under_a_key_one_is_done(tmp_path: Path):
    settings = settings_of(tmp_path)
    with open_services(settings, alone=True) as services:
        asyncio.run(_registered_at_once(services, settings.journal_url))


async def _registered_at_once(services: Services, url: str) -> None:
    headers = {"Authorization": f"Bearer {add_token(services, 'director')}", "Idempotency-Key": "once"}
    async with crowd(services, url, **headers) as callers:
        answers = await asyncio.gather(*(callers.client.post("/v1/webhooks", content=json.dumps(WEBHOOK)) for _ in range(4)))
        [webhook] = (await callers.client.get("/v1/webhooks")).json()["items"]
    assert [(answer.status_code, answer.json()["id"]) for answer in answers] == [(201, webhook["id"])] * 4
    assert sorted("secret" in answer.json() for answer in answers) == [False] * 3 + [True]
