"""Several streams over one connection: each topic is answered as its own stream answers this caller, and ends no other."""

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

import httpx
import pytest

from api.app import ROUTES
from api.http.media_types import EVENT_STREAM
from api.http.operations import Operation, by_media_type
from api.service.streams import MOST, STREAM, add_topic
from tests.deploy.serving import PATIENCE, Served, done, open_game, play_on, served

Topic = dict[str, Any]


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    with served("--data", tmp_path_factory.mktemp("streams")) as found:
        yield found


def by_topic(body: str) -> Mapping[str, str]:
    """Return the messages of each topic, without the line that names it."""
    found = defaultdict[str, str](str)
    for message in body.split("\n\n")[:-1]:
        topic, _, rest = message.partition("\n")
        found[topic.removeprefix("topic: ")] += f"{rest}\n\n"
    return found


class Follower:
    """A caller who reads his one connection as it comes, up to where he wants."""

    def __init__(self, pieces: Iterator[str]) -> None:
        self._pieces = pieces
        self._body = ""

    def until(self, topic: str, words: str) -> Mapping[str, str]:
        """Read until the topic has told these words."""
        while words not in by_topic(self._body).get(topic, ""):
            self._body += next(self._pieces)
        return by_topic(self._body)

    def rest(self) -> Mapping[str, str]:
        """Read to the end of the connection."""
        return by_topic(self._body + "".join(self._pieces))


@contextmanager
def following(client: httpx.Client, topics: Sequence[Topic]) -> Iterator[Follower]:
    with client.stream("POST", "/v1/streams", json={"topics": topics}) as answer:
        assert answer.status_code == 200, answer.read()
        yield Follower(answer.iter_text())


def issued(server: Served, role: str, scope: object = "everything") -> Mapping[str, str]:
    with server.client() as client:
        return done(client.post("/v1/tokens", json={"role": role, "label": role, "scope": scope}))


def played(client: httpx.Client, events: int) -> str:
    game = open_game(client)
    for _ in range(events - 1):
        play_on(client, game)
    return game


def topic(name: str, stream: str, **more: Any) -> Topic:
    return {"topic": name, "stream": stream, **more}


def test_every_stream_can_be_a_topic_and_nothing_else():
    told = {route: route.opt["operation"] for route in ROUTES if "operation" in route.opt and "GET" in route.http_methods}
    for route, operation in told.items():
        for path in route.paths:
            address = re.sub(r"\{\w+:\w+\}", "x", path)
            assert bool(re.search(STREAM, address)) == is_stream(operation), path


def is_stream(operation: Operation) -> bool:
    return EVENT_STREAM in by_media_type(operation.responses[200].types) if 200 in operation.responses else False


def test_each_message_has_its_topic_in_a_line_before_it():
    assert add_topic("a", b"id: 1\ndata: 1\n\n:\n\n") == b"topic: a\nid: 1\ndata: 1\n\ntopic: a\n:\n\n"


def test_what_a_topic_tells_is_byte_for_byte_what_its_own_stream_tells(server: Served):
    viewer = issued(server, "viewer")["secret"]
    with server.client() as director, server.client(viewer) as client:
        game, other = played(director, 4), played(director, 3)
        done(director.post("/v1/tournaments", json={"id": "own", "ruleset": "casino", "seats": 2, "format": "manual"}))
        streams = {
            "game": f"/v1/games/{game}/stream?follow=false",
            "arbiter": f"/v1/games/{game}/stream?view=arbiter&follow=false",
            "other": f"/v1/games/{other}/stream?names=true&follow=false",
            "tournament": "/v1/tournaments/own/stream?after=0&follow=false",
            "wall": "/v1/tournaments/own/wall/stream?follow=false",
            "feed": "/v1/feed?as_of=5",
            "nowhere": "/v1/tournaments/nowhere/stream",
        }
        for who in (client, director):
            with following(who, [topic(*one) for one in streams.items()]) as follower:
                told = follower.rest()
            for name, stream in streams.items():
                alone = who.get(stream, headers={"Accept": EVENT_STREAM})
                expected = alone.text if alone.is_success else f"event: refused\ndata: {alone.text}\n\n"
                assert told[name] == expected, (name, told[name])
            assert ("refused" in told["arbiter"]) == (who is client)


def test_what_is_recorded_comes_to_its_topic_and_one_that_comes_again_goes_on_after_its_last_ids(server: Served):
    with server.client() as client:
        games = [played(client, 2), played(client, 3)]
        topics = [topic(f"g{number}", f"/v1/games/{game}/stream") for number, game in enumerate(games)]
        with following(client, topics) as follower:
            follower.until("g1", "id: 3\n")
            play_on(client, games[0])
            told = follower.until("g0", "id: 3\n")
        assert [re.findall(r"^id: (\d+)", told[name], re.MULTILINE) for name in ("g0", "g1")] == [["1", "2", "3"]] * 2
        for game in games:
            play_on(client, game)
        again = [{**one, "last_event_id": 3, "stream": f"{one['stream']}?follow=false"} for one in topics]
        with following(client, again) as follower:
            told = follower.rest()
    assert [re.findall(r"^id: (\d+)", told[name], re.MULTILINE) for name in ("g0", "g1")] == [["4"]] * 2


def test_who_comes_again_to_a_game_that_all_may_see_is_told_so(server: Served):
    viewer = issued(server, "viewer")["secret"]
    with server.client() as director, server.client(viewer) as client:
        game = played(director, 4)
        done(director.post(f"/v1/games/{game}/disclosure", json={"reason": "all may see"}))
        stream = f"/v1/games/{game}/stream?follow=false"
        with following(client, [topic("first", stream), topic("again", stream, last_event_id=5)]) as follower:
            told = follower.rest()
    assert ["event: opened" in told[name] for name in ("first", "again")] == [False, True]


def test_a_topic_that_is_closed_to_him_ends_no_other(server: Served):
    with server.client() as director:
        for name in ("open", "shut"):
            done(director.post("/v1/tournaments", json={"id": name, "ruleset": "casino", "seats": 2, "format": "manual"}))
            done(director.post(f"/v1/tournaments/{name}/publication", json={"publication": "aliases"}))
        with (
            httpx.Client(base_url=server.url, timeout=PATIENCE) as nobody,
            following(nobody, [topic(name, f"/v1/tournaments/{name}/stream") for name in ("open", "shut")]) as follower,
        ):
            follower.until("open", "event: begin")
            follower.until("shut", "event: begin")
            done(director.post("/v1/tournaments/shut/publication", json={"publication": "no"}))
            assert '{"reason":"closed"}' in follower.until("shut", "event: over")["shut"]
            done(director.post("/v1/tournaments/open/entries", json={"players": ["ada"]}))
            assert "event: over" not in follower.until("open", '"changed"')["open"]


def test_who_is_shut_out_is_told_so_at_every_topic_and_the_connection_ends(server: Served):
    token = issued(server, "viewer")
    with server.client() as director, server.client(token["secret"]) as client:
        games = [played(director, 2) for _ in range(2)]
        with following(client, [topic(game, f"/v1/games/{game}/stream") for game in games]) as follower:
            for game in games:
                follower.until(game, "id: 2\n")
            done(director.delete(f"/v1/tokens/{token['id']}"))
            told = follower.rest()
    assert all(told[game].endswith('event: over\ndata: {"reason":"closed"}\n\n') for game in games)


def session_of_page(browser: httpx.Client) -> str:
    """Return the session for which a page says that it was made."""
    found = re.search(r'<body [^>]*data-session="([^"]*)"', browser.get("/rules").text)
    assert found
    return found[1]


def test_a_page_of_another_session_is_told_nothing_of_this_one(server: Served):
    with server.client() as director, httpx.Client(base_url=server.url, headers={"Origin": server.url}, timeout=PATIENCE) as browser:
        game, sessions = played(director, 3), {"nobody": session_of_page(browser)}
        for name in ("before", "now"):
            done(browser.post("/in", json={"secret": server.token}))
            sessions[name] = session_of_page(browser)
        assert (sessions["nobody"], len(set(sessions.values()))) == ("", 3)
        stream = f"/v1/games/{game}/stream?follow=false"
        with following(browser, [topic(name, stream, session=session) for name, session in sessions.items()]) as follower:
            told = follower.rest()
    assert "id: 3\n" in told["now"]
    refused = [told[name] for name in ("nobody", "before")]
    assert all(one.startswith("event: refused") and '"code":"session_changed"' in one for one in refused)


def test_a_page_of_elsewhere_follows_nothing_in_the_name_of_a_session(server: Served):
    with httpx.Client(base_url=server.url, headers={"Origin": server.url}) as browser:
        done(browser.post("/in", json={"secret": server.token}))
        answer = browser.post("/v1/streams", json={"topics": [topic("a", "/v1/feed")]}, headers={"Origin": "https://elsewhere.example"})
    assert (answer.status_code, answer.json()["code"]) == (403, "forbidden")


@pytest.mark.parametrize(
    ("topics", "where"),
    [
        ([], "topics"),
        ([topic("a", "/v1/feed")] * 2, "topics"),
        ([topic(str(number), "/v1/feed") for number in range(MOST + 1)], "topics"),
        ([topic("a b", "/v1/feed")], "topics[0].topic"),
        ([topic("a", "/v1/games")], "topics[0].stream"),
        ([topic("a", "/v1/games/x/stream\n")], "topics[0].stream"),
        ([topic("a", "https://elsewhere.example/v1/feed")], "topics[0].stream"),
    ],
)
def test_what_cannot_be_followed_is_refused(server: Served, topics: list[Topic], where: str):
    with server.client() as client:
        answer = client.post("/v1/streams", json={"topics": topics})
    assert (answer.status_code, answer.json()["where"]) == (422, where)
