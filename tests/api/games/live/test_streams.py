"""A game as server-sent events: each frame once, in order, as whoever follows may see it; who comes again goes on where he was."""

import json
import re
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from tests.api.followers import following
from tests.deploy.serving import PATIENCE, Served, done, open_game, play_on, served


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    with served("--data", tmp_path_factory.mktemp("streams")) as found:
        yield found


@pytest.fixture(scope="module")
def viewer(server: Served) -> str:
    return issued(server, "viewer")


def issued(server: Served, role: str, **more: Any) -> str:
    with server.client() as client:
        return str(done(client.post("/v1/tokens", json={"role": role, "label": role, "scope": "everything", **more}))["secret"])


def stream_of(server: Served, game: str, query: str = "") -> str:
    return f"{server.url}/v1/games/{game}/stream{query}"


def frames(server: Served, game: str, token: str | None = None, query: str = "") -> list[dict[str, Any]]:
    with server.client(token) as client:
        return list(done(client.get(f"/v1/games/{game}/replay?limit=1000{query}"))["frames"])


def played(server: Served, events: int) -> str:
    with server.client() as client:
        game = open_game(client)
        for _ in range(events - 1):
            play_on(client, game)
    return game


def test_what_was_recorded_comes_first_and_then_each_event_as_it_is_recorded(server: Served, viewer: str):
    game = played(server, 3)
    url = stream_of(server, game, "?tables=true")
    with server.client() as client, following(url, server.token) as official, following(url, viewer) as seen:
        official.until_id(3)
        for _ in range(4):
            play_on(client, game)
        official.until_id(7)
        seen.until_id(7)
    assert official.headers["content-type"] == "text/event-stream"
    assert (official.ids, official.frames) == ([1, 2, 3, 4, 5, 6, 7], frames(server, game))
    assert (seen.ids, seen.frames) == ([1, 2, 3, 4, 5, 6, 7], frames(server, game, viewer))
    assert official.frames != seen.frames


def test_without_tables_the_first_frame_says_from_where_to_fold_on(server: Served, viewer: str):
    game = played(server, 4)
    with server.client(viewer) as client, following(stream_of(server, game, "?after=1"), viewer) as seen:
        seen.until_id(4)
        with server.client() as recorder:
            play_on(recorder, game)
        seen.until_id(5)
        lines = client.get(f"/v1/games/{game}/replay?after=1&tables=false", headers={"Accept": "application/x-ndjson"}).text.splitlines()
    assert seen.frames == [json.loads(line) for line in lines]
    assert [("start" in frame, "table" in frame) for frame in seen.frames] == [(True, False)] + [(False, False)] * 3


def test_who_comes_again_goes_on_after_the_last_id(server: Served, viewer: str):
    game = played(server, 5)
    with following(stream_of(server, game, "?after=1"), viewer, **{"Last-Event-ID": "3"}) as seen:
        assert seen.until_id(5).ids == [4, 5]
    with following(stream_of(server, game, "?after=4"), viewer) as seen:
        assert seen.until_id(5).ids == [5]


@pytest.mark.parametrize("id", ["x", "-1", "1.5", str(10**15 + 1), "9" * 30])
def test_an_id_that_is_no_position_is_refused(server: Served, viewer: str, id: str):
    with server.client(viewer) as client:
        answer = client.get(stream_of(server, played(server, 2)), headers={"Last-Event-ID": id})
    assert (answer.status_code, answer.json()["code"]) == (400, "bad_header")


def test_a_position_that_is_not_recorded_yet_is_refused(server: Served, viewer: str):
    with server.client(viewer) as client:
        answer = client.get(stream_of(server, played(server, 2)), headers={"Last-Event-ID": "3"})
    assert (answer.status_code, answer.json()["code"]) == (400, "ahead")


def test_hidden_cards_are_not_followed_with_the_eyes_of_another(server: Served, viewer: str):
    with server.client(viewer) as client:
        answer = client.get(stream_of(server, played(server, 2), "?view=arbiter"))
    assert answer.status_code == 403


def test_a_long_game_comes_whole_and_each_event_once(server: Served, viewer: str):
    """More than are kept of a game that is followed, so the past is read."""
    game = played(server, 100)
    with following(stream_of(server, game), viewer) as seen:
        assert seen.until_id(100).ids == list(range(1, 101))


def test_a_rewind_comes_as_an_event_of_its_own(server: Served, viewer: str):
    game = played(server, 5)
    with server.client() as client, following(stream_of(server, game, "?after=5"), viewer) as seen:
        done(client.post(f"/v1/games/{game}/rewinds", json={"to": 3, "reason": "mistyped"}))
        assert [frame["name"] for frame in seen.until_id(6).frames] == ["game.rewound/1"]


def test_who_is_disclosed_a_game_is_told_that_it_is_open(server: Served, viewer: str):
    game = played(server, 4)
    with server.client() as client, following(stream_of(server, game, "?tables=true"), viewer) as seen:
        seen.until_id(4)
        assert seen.frames != frames(server, game)
        done(client.post(f"/v1/games/{game}/disclosure", json={"reason": "all may see"}))
        seen.until(lambda follower: follower.messages[-1].event == "opened")
    assert json.loads(seen.messages[-1].data) == {"position": 5}


def test_a_revoked_token_ends_its_streams(server: Served):
    game = played(server, 2)
    with server.client() as client:
        token = done(client.post("/v1/tokens", json={"role": "viewer", "label": "v", "scope": "everything"}))
        with following(stream_of(server, game), token["secret"]) as seen:
            seen.until_id(2)
            done(client.delete(f"/v1/tokens/{token['id']}"))
            assert seen.until(lambda follower: follower.ended).last_words == "closed"


def test_when_the_service_stops_streams_end_and_go_on_with_the_next_one(tmp_path: Path):
    with served("--data", tmp_path) as first:
        game = played(first, 3)
        with following(stream_of(first, game), first.token) as seen:
            seen.until_id(3)
            assert first.end() == 0
            assert seen.until(lambda follower: follower.ended).last_words == "stopping"
        last = seen.ids[-1]
    with served("--data", tmp_path) as second, second.client(first.token) as client:
        play_on(client, game)
        with following(stream_of(second, game), first.token, **{"Last-Event-ID": str(last)}) as again:
            assert again.until_id(4).ids == [4]


def test_a_replay_waits_for_the_next_event(server: Served, viewer: str):
    game, answers = played(server, 3), list[httpx.Response]()
    with server.client() as client, server.client(viewer) as waiting:
        asked = threading.Thread(target=lambda: answers.append(waiting.get(f"/v1/games/{game}/replay?after=3&wait=30")))
        asked.start()
        play_on(client, game)
        asked.join(PATIENCE)
    assert [frame["position"] for frame in answers[0].json()["frames"]] == [4]


def test_metrics_count_who_follows(server: Served, viewer: str):
    game = played(server, 2)
    with server.client() as client, following(stream_of(server, game), viewer) as seen:
        seen.until_id(2)
        told = client.get("/metrics").text
    for name in ("kiebitz_followers", 'kiebitz_places_taken{what="followers"}', 'kiebitz_connections{state="busy"}'):
        assert re.search(rf"^{re.escape(name)} [1-9]", told, re.MULTILINE)
