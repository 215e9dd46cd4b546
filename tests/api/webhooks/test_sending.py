"""What is sent: in order, each until it was taken, with a signature that anybody can check."""

from typing import Any

from standardwebhooks import Webhook

from tests.api.conftest import Service
from tests.api.webhooks.receiving import Receiver, registered


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
