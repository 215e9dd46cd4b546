"""Delivery of webhooks across kills, with one server process and with several: no message is lost, and the order is kept."""

import pytest

from tests.api.webhooks.receiving import Receiver, receiving
from tests.deploy.serving import IMPATIENT, Served, done, open_game, served, until

OPEN = {"KIEBITZ_WEBHOOK_NETWORKS": "127.0.0.0/8"}


def register(server: Served, receiver: Receiver) -> str:
    with server.client() as client:
        body = {"url": receiver.url, "role": "director", "scope": "everything"}
        return str(done(client.post("/v1/webhooks", json=body))["id"])


def play(server: Served, token: str | None, games: int) -> list[str]:
    with server.client(token) as client:
        return [open_game(client) for _ in range(games)]


def first_of_each(receiver: Receiver) -> list[str]:
    """The games that were told, each where it was told first."""
    return list(dict.fromkeys(str(one.said["data"]["id"]) for one in list(receiver.got)))


def test_a_killed_server_goes_on_where_it_was(tmp_path):
    with receiving() as receiver:
        with served("--data", tmp_path, command=IMPATIENT, **OPEN) as server:
            register(server, receiver)
            token = server.token
            games = play(server, token, 3)
            receiver.after(3)
            receiver.hold.clear()
            games += play(server, token, 3)
            receiver.after(4)
            server.kill()
        receiver.hold.set()
        with served("--data", tmp_path, command=IMPATIENT, **OPEN) as server:
            games += play(server, token, 2)
            assert until(lambda: len(first_of_each(receiver)) == len(games) and first_of_each(receiver)) == games


@pytest.mark.timeout(600)
def test_of_several_servers_one_sends_and_another_takes_over_when_it_is_killed(migrated: str, tmp_path):
    given = ("--database-url", migrated)
    more = {**OPEN, "KIEBITZ_DATA": str(tmp_path)}
    with receiving() as receiver, served(*given, command=IMPATIENT, **more) as one, served(*given, command=IMPATIENT, **more) as two:
        register(one, receiver)
        games = play(two, one.token, 3) + play(one, one.token, 3)
        receiver.after(6)
        assert first_of_each(receiver) == games
        assert len(receiver.got) == len(games)
        one.kill()
        games += play(two, one.token, 3)
        assert until(lambda: len(first_of_each(receiver)) == len(games) and first_of_each(receiver)) == games
