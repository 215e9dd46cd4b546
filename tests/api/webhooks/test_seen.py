"""What is told: what the role and the scope of the webhook may see when it is sent, and nothing else."""

from typing import Any
from uuid import UUID

import pytest

from domain.access import Grant, OfGame
from tests.api.access.people import holding
from tests.api.conftest import Caller, Service
from tests.api.tournament import announced
from tests.api.webhooks.receiving import Receiver, registered

DECK = ["4S", "3H", "5S", "2S", "8H", "9D", "7D", "QC", "6S", "5C", "8C", "TD"]


def played(service: Service) -> str:
    director = service.caller("director")
    game = director.open()
    director.deal(game, *DECK)
    director.trail(game, 0, "QC")
    return game


def told(receiver: Receiver, count: int) -> list[Any]:
    return [one.said["data"].get("event") for one in receiver.after(count)]


@pytest.mark.parametrize("role", ["director", "recorder", "arbiter", "committee", "viewer"])
def test_each_role_is_told_what_its_history_shows(sending: Service, receiver: Receiver, role: str):
    director = sending.caller("director")
    registered(director, receiver, role=role)
    game = played(sending)
    assert told(receiver, 3) == sending.caller(role).get(f"/v1/games/{game}/history").json()["events"]


def test_a_player_is_told_his_own_hand(sending: Service, receiver: Receiver):
    director = sending.caller("director")
    game = director.open()
    registered(director, receiver, role="player", scope={"game": game}, seat=1)
    director.deal(game, *DECK)
    director.trail(game, 0, "QC")
    player = holding(sending, "player", Grant(OfGame(UUID(game)), seat=1, since=1))
    seen = player.get(f"/v1/games/{game}/history?after=1").json()["events"]
    assert told(receiver, 2) == seen
    assert ("8H" in str(seen[0]), "4S" in str(seen[0])) == (True, False)


def test_beyond_its_scope_it_is_told_what_a_viewer_sees(sending: Service, receiver: Receiver):
    director = sending.caller("director")
    spring = announced(director)
    assert director.post(f"{spring}/publication", {"publication": "aliases"}).status_code == 201
    registered(director, receiver, role="arbiter", scope={"tournament": "autumn"})
    assert director.post(f"{spring}/correction", {"title": "Clubabend"}).status_code == 201
    viewer = sending.caller("viewer").get(f"{spring}/history").json()["events"]
    assert told(receiver, 1) == viewer[-1:]


def test_what_lies_beyond_its_reach_is_not_told(sending: Service, receiver: Receiver):
    director = sending.caller("director")
    own, other = director.open(), director.open()
    registered(director, receiver, role="arbiter", scope={"game": own})
    director.deal(other)
    director.deal(own)
    assert [one.said["data"]["id"] for one in receiver.after(1)] == [own]


def test_only_what_is_wanted_is_told(sending: Service, receiver: Receiver):
    director = sending.caller("director")
    registered(director, receiver, events=["move.played"])
    played(sending)
    assert [one.said["type"] for one in receiver.after(1)] == ["move.played"]


def test_who_looked_is_noted_of_webhooks_too(sending: Service, receiver: Receiver):
    director = sending.caller("director")
    webhook = registered(director, receiver, role="arbiter")
    game = played(sending)
    receiver.after(3)
    looks = director.get(f"/v1/games/{game}/looks").json()["items"]
    assert {(one["by"], one["view"]) for one in looks} == {(webhook["principal"], "arbiter")}


def test_what_is_sent_later_is_told_as_it_is_seen_then(sending: Service, receiver: Receiver, monkeypatch: pytest.MonkeyPatch):
    director: Caller = sending.caller("director")
    monkeypatch.setattr("api.webhooks.sending.delivery_worker._FIRST", 0.0)
    receiver.answers = [(503, {})]
    receiver.hold.clear()
    registered(director, receiver, role="viewer", events=["hand.dealt"])
    game = director.open()
    director.deal(game, *DECK)
    first = receiver.after(1)[0]
    director.post(f"/v1/games/{game}/disclosure", {"reason": "for the press"})
    receiver.hold.set()
    second = receiver.after(2)[1]
    assert (first.id, "4S" in str(first.said), "4S" in str(second.said)) == (second.id, False, True)
