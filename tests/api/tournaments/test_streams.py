"""A tournament and the feed as server-sent events: what was recorded, once and in order, and what has to be read anew for it."""

from collections.abc import Iterator
from typing import Any

import pytest

from tests.api.followers import following
from tests.deploy.serving import Served, done, open_game, play_on, served

FEED = {"Accept": "text/event-stream"}


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    with served("--data", tmp_path_factory.mktemp("streams")) as found:
        yield found


def announced(server: Served, id: str, **more: Any) -> str:
    body = {"id": id, "title": id, "ruleset": "casino", "seats": 2, "format": "manual", "entrants": "players", **more}
    with server.client() as client:
        done(client.post("/v1/tournaments", json=body))
    return id


def at_a_table(server: Served, tournament: str, events: int) -> str:
    """A game that names the tournament, with so many events."""
    with server.client() as client:
        body = {"ruleset": "casino", "seats": 2, "tournament": tournament, "round": 1, "table": "3"}
        game = str(done(client.post("/v1/games", json=body))["game"])
        for _ in range(events - 1):
            play_on(client, game)
    return game


def feed(server: Served, query: str) -> list[dict[str, Any]]:
    with server.client() as client:
        return list(done(client.get(f"/v1/feed?limit=1000{query}"))["entries"])


def test_of_a_tournament_its_own_events_and_those_of_its_games_are_told(server: Served):
    tournament = announced(server, "spring")
    with following(f"{server.url}/v1/tournaments/{tournament}/stream?after=0", server.token) as seen:
        seen.until(lambda follower: len(follower.frames) == 1)
        game = at_a_table(server, tournament, 3)
        at_a_table(server, announced(server, "beside"), 2)
        with server.client() as client:
            open_game(client)
        done_last = at_a_table(server, tournament, 1)
        seen.until(lambda follower: len(follower.frames) == 5)
    assert [entry["sequence"] for entry in feed(server, "&tournament=spring")] == seen.ids
    assert [(told["kind"], told.get("game"), told["name"], told["changed"]) for told in seen.frames] == [
        ("tournament", None, "tournament.announced/1", ["tables", "results", "standings"]),
        ("game", game, "game.opened/1", ["tables"]),
        ("game", game, "hand.dealt/1", ["tables"]),
        ("game", game, "move.played/1", ["tables"]),
        ("game", done_last, "game.opened/1", ["tables"]),
    ]
    assert {(told["round"], told["table"]) for told in seen.frames[1:]} == {(1, "3")}


def test_who_names_no_sequence_is_told_what_comes_from_now_on_and_where_now_was(server: Served):
    tournament = announced(server, "summer")
    with following(f"{server.url}/v1/tournaments/{tournament}/stream", server.token) as seen:
        begin = seen.until(lambda follower: follower.messages).messages[0]
        at_a_table(server, tournament, 1)
        seen.until(lambda follower: follower.frames)
    assert (begin.event, int(begin.id)) == ("begin", seen.ids[0] - 1)
    with following(f"{server.url}/v1/tournaments/{tournament}/stream", server.token, **{"Last-Event-ID": begin.id}) as again:
        assert again.until(lambda follower: follower.frames).ids == seen.ids


def test_the_feed_goes_on_as_a_stream(server: Served):
    at_a_table(server, announced(server, "autumn"), 1)
    before = feed(server, "&name=game.opened")
    with following(f"{server.url}/v1/feed?name=game.opened", server.token, **FEED) as seen:
        seen.until(lambda follower: len(follower.frames) == len(before))
        at_a_table(server, "autumn", 2)
        seen.until(lambda follower: len(follower.frames) == len(before) + 1)
    assert seen.frames == feed(server, "&name=game.opened")
    assert seen.ids == [entry["sequence"] for entry in seen.frames]
    with following(f"{server.url}/v1/feed?name=game.opened", server.token, **FEED, **{"Last-Event-ID": str(seen.ids[-2])}) as again:
        assert again.until(lambda follower: follower.frames).ids == seen.ids[-1:]


def test_a_tournament_that_is_published_no_more_lets_go_who_follows_without_a_token(server: Served):
    tournament = announced(server, "winter")
    with server.client() as client:
        done(client.post(f"/v1/tournaments/{tournament}/publication", json={"publication": "names"}))
        with following(f"{server.url}/v1/tournaments/{tournament}/stream", None) as seen:
            seen.until(lambda follower: follower.messages)
            done(client.post(f"/v1/tournaments/{tournament}/publication", json={"publication": "no"}))
            assert seen.until(lambda follower: follower.ended).last_words == "closed"
