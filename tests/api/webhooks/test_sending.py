"""What is sent: in order, each until it was taken, with a signature that anybody can check."""

import json
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from standardwebhooks import Webhook

from tests.api.conftest import Service
from tests.api.webhooks.receiving import Received, Receiver, registered
from tests.deploy.serving import until
from tests.npm import NODE, packages, started

HERE = Path(__file__).parent / "node"


def taken(receiver: Receiver, count: int) -> list[tuple[str, int]]:
    return [(one.said["type"], one.said["data"]["position"]) for one in receiver.after(count)]


def test_each_event_is_a_message_in_the_order_of_the_commits(sending: Service, receiver: Receiver):
    director = sending.caller("director")
    registered(director, receiver)
    game = director.open()
    director.deal(game)
    director.trail(game, 0, director.get(f"/v1/games/{game}/table").json()["hands"][0][0])
    assert taken(receiver, 3) == [("game.opened", 1), ("hand.dealt", 2), ("move.played", 3)]
    assert receiver.at_once == [1, 1, 1]


def test_how_far_it_was_read_is_kept_although_nothing_was_sent(sending: Service, receiver: Receiver):
    director = sending.caller("director")
    registered(director, receiver, events=["dispute.raised"])
    director.open()
    head = sending.services.journal.head()
    assert until(lambda: [one.passed for one in sending.services.registers.list_webhooks()] == [head])


def test_a_message_is_the_entry_of_the_feed_and_the_event_of_the_history(sending: Service, receiver: Receiver):
    director = sending.caller("director")
    registered(director, receiver)
    game = director.open()
    [message] = receiver.after(1)
    feed = director.get("/v1/feed").json()
    [event] = director.get(f"/v1/games/{game}/history").json()["events"]
    data: dict[str, Any] = {**feed["entries"][0], "epoch": feed["epoch"], "event": event}
    assert message.said == {"type": "game.opened", "timestamp": event["at"], "data": data}
    assert message.headers["content-type"] == "application/json"


def test_the_signature_is_that_of_the_specification(sending: Service, receiver: Receiver):
    director = sending.caller("director")
    secret = registered(director, receiver)["secret"]
    director.open()
    [message] = receiver.after(1)
    assert Webhook(secret).verify(message.body, message.headers) == message.said


def test_whoever_has_an_older_secret_yet_verifies_after_two_rotations(sending: Service, receiver: Receiver):
    director, webhook = sending.caller("director"), registered(sending.caller("director"), receiver, events=["game.opened"])
    address, key = f"/v1/webhooks/{webhook['id']}/rotation", {"Idempotency-Key": "turn"}
    first, again = (director.post(address, {}, headers=key).json() for _ in range(2))
    secrets = [webhook["secret"], first["secret"], director.post(address, {}).json()["secret"]]
    assert ("secret" in again, again["if_lost"]) == (False, address)
    director.open()
    [message] = receiver.after(1)
    assert [Webhook(secret).verify(message.body, message.headers) for secret in secrets] == [message.said] * 3
    last = director.post(address, {"overlap": 0}).json()["secret"]
    director.open()
    message = receiver.after(2)[1]
    assert message.headers["webhook-signature"] == Webhook(last).sign(message.id, sent_at(message), message.body.decode())


def sent_at(message: Received) -> datetime:
    return datetime.fromtimestamp(int(message.headers["webhook-timestamp"]), UTC)


def test_the_library_of_npm_takes_the_signature_too(service: Service, receiver: Receiver, tmp_path: Path):
    director = service.caller("director")
    secret = registered(director, receiver)["secret"]
    director.open()
    [message] = receiver.after(1)
    told = tmp_path / "message.json"
    told.write_text(json.dumps({"secret": secret, "body": message.body.decode(), "headers": message.headers}))
    said = started(NODE, HERE / "verifying.cjs", packages(HERE, "webhooks"), told)
    assert (said.returncode, said.stdout) == (0, "game.opened\n")
