"""The log of what was sent, sending once more, and what numbers tell."""

import re

from tests.api.conftest import Service, link
from tests.api.webhooks.receiving import Receiver, registered
from tests.deploy.serving import until


def test_the_log_tells_each_message_the_newest_first_page_by_page(sending: Service, receiver: Receiver):
    director = sending.caller("director")
    webhook = registered(director, receiver)
    for _ in range(3):
        director.open()
    receiver.after(3)
    log = f"/v1/webhooks/{webhook['id']}/deliveries"
    assert until(lambda: len(director.get(log).json()["items"]) == 3)
    whole = director.get(log).json()["items"]
    assert sorted(one["message"] for one in whole) == sorted(one.id for one in receiver.got)
    assert {(one["type"], one["status"], one["error"], one["attempts"]) for one in whole} == {("game.opened", 204, None, 1)}
    first = director.get(f"{log}?limit=2")
    assert first.json()["items"] + director.get(link(first)).json()["items"] == whole
    assert director.get(f"{log}?cursor=made-up").json()["code"] == "bad_cursor"


def test_what_was_wrong_is_told_in_words(sending: Service, receiver: Receiver):
    director = sending.caller("director")
    receiver.answers = [(418, {})]
    webhook = registered(director, receiver)
    director.open()
    log = f"/v1/webhooks/{webhook['id']}/deliveries"
    [failed] = until(lambda: director.get(log, headers={"Accept-Language": "de"}).json()["items"])
    assert (failed["status"], failed["error"]) == (418, "Der Empfänger antwortete 418.")
    assert until(lambda: director.get(f"/v1/webhooks/{webhook['id']}").json()["state"] == "failing")


def test_a_message_is_sent_once_more_with_its_id(sending: Service, receiver: Receiver):
    director = sending.caller("director")
    webhook = registered(director, receiver)
    director.open()
    [first] = receiver.after(1)
    path = f"/v1/webhooks/{webhook['id']}/deliveries/{first.id}/redelivery"
    assert until(lambda: director.post(path, {}).status_code == 202)
    second = receiver.after(2)[1]
    assert (second.id, second.said) == (first.id, first.said)
    assert director.post(path.replace(first.id, "none"), {}).json()["code"] == "unknown_delivery"


def test_a_test_tells_of_nothing(sending: Service, receiver: Receiver):
    director = sending.caller("director")
    webhook = registered(director, receiver, label="club")
    asked = director.post(f"/v1/webhooks/{webhook['id']}/test", {})
    [message] = receiver.after(1)
    assert (asked.status_code, message.id) == (202, asked.json()["message"])
    assert (message.said["type"], message.said["data"]) == ("webhook.test", {"webhook": webhook["id"], "label": "club"})


def test_a_chosen_event_is_sent_again_as_a_test_with_an_id_of_its_own(sending: Service, receiver: Receiver):
    director = sending.caller("director")
    webhook = registered(director, receiver, events=["game.opened"])
    game = director.open()
    [first] = receiver.after(1)
    path = f"/v1/webhooks/{webhook['id']}/test"
    asked = director.post(path, {"sequence": first.sequence}, headers={"Idempotency-Key": "again"})
    assert (
        director.post(path, {"sequence": first.sequence}, headers={"Idempotency-Key": "again"}).json()["message"] == asked.json()["message"]
    )
    second = receiver.after(2)[1]
    assert (asked.json()["type"], asked.json()["test"], second.id) == ("game.opened", True, asked.json()["message"])
    assert (second.id != first.id, second.said) == (True, {**first.said, "test": True})
    director.deal(game)
    for sequence, status, code in ((2, 422, "malformed_body"), (99, 400, "ahead")):
        answer = director.post(path, {"sequence": sequence})
        assert (answer.status_code, answer.json()["code"], answer.json()["where"]) == (status, code, "sequence")


def test_a_disabled_webhook_sends_nothing_until_it_is_enabled(sending: Service, receiver: Receiver):
    director = sending.caller("director")
    webhook = registered(director, receiver)
    disabled = director.patch(f"/v1/webhooks/{webhook['id']}", {"enabled": False}).json()
    assert (disabled["state"], disabled["disabled_why"]) == ("disabled", "asked")
    missed = director.open()
    assert director.patch(f"/v1/webhooks/{webhook['id']}", {"enabled": True}).json()["state"] == "active"
    assert [one.said["data"]["id"] for one in receiver.after(1)] == [missed]


def test_numbers_tell_how_many_and_not_where(sending: Service, receiver: Receiver):
    director = sending.caller("director")
    registered(director, receiver)
    director.open()
    receiver.after(1)
    assert until(lambda: 'kiebitz_webhook_deliveries_total{result="delivered"} 1' in director.get("/metrics").text)
    told = director.get("/metrics").text
    assert re.findall(r'kiebitz_webhooks\{status="(\w+)"\} (\S+)', told) == [
        ("active", "1.0"),
        ("failing", "0.0"),
        ("disabled", "0.0"),
        ("expired", "0.0"),
    ]
    assert "127.0.0.1" not in told
