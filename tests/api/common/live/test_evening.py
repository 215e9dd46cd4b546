"""An evening of two tables that everybody follows at once, each in all ways there are: all end with the history that they may see."""

import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from functools import partial
from typing import Any, NamedTuple

import httpx
import pytest

from tests.api.followers import Follower, following
from tests.api.webhooks.receiving import Receiver, receiving
from tests.deploy.serving import PATIENCE, Served, done, play_on, served

SPRING = "/v1/tournaments/spring"
ROLES = ("director", "recorder", "arbiter", "committee", "viewer", "player", "nobody")
MOVES = 6  # of a hand of 48
DISPUTED = 1  # of the tables: there a claim is raised and heard, and a move taken back


class Evening(NamedTuple):
    server: Served
    tokens: dict[str, str | None]
    games: tuple[str, ...]

    def client(self, role: str) -> httpx.Client:
        token = self.tokens[role]
        headers = {"Authorization": f"Bearer {token}"} if token else {}
        return httpx.Client(base_url=self.server.url, headers=headers, timeout=PATIENCE, verify=False)


class Waiter(threading.Thread):
    """A page that follows by waiting requests: each goes on where the last answer ended."""

    def __init__(self, client: httpx.Client, game: str, until: Callable[[], int | None]) -> None:
        super().__init__(daemon=True)
        self.frames: list[dict[str, Any]] = []
        self.asked = 0
        self._client, self._game, self._until = client, game, until
        self.start()

    def run(self) -> None:
        while (end := self._until()) is None or len(self.frames) < end:
            after = self.frames[-1]["position"] if self.frames else 0
            self.frames += done(self._client.get(f"/v1/games/{self._game}/replay?after={after}&wait=2"))["frames"]
            self.asked += 1


@pytest.fixture(scope="module")
def evening(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Evening]:
    with served("--data", tmp_path_factory.mktemp("evening"), KIEBITZ_WEBHOOK_NETWORKS="127.0.0.0/8") as server:
        yield announced(server)


def announced(server: Served) -> Evening:
    """Two tables of a published tournament, with their games opened."""
    with server.client() as director:
        done(director.post("/v1/tournaments", json={"id": "spring", "ruleset": "casino", "seats": 2, "format": "swiss"}))
        done(director.post(f"{SPRING}/entries", json={"entries": [{"players": [f"p{number}"]} for number in range(1, 5)]}))
        done(director.post(f"{SPRING}/publication", json={"publication": "aliases"}))
        done(director.post(f"{SPRING}/rounds", json={}))
        tables = done(director.post(f"{SPRING}/rounds/1/games", json={}))["tables"]
        tokens: dict[str, str | None] = {"nobody": None, "director": server.token}
        for role in ROLES[1:-1]:
            tokens[role] = done(director.post("/v1/tokens", json={"label": role, **grant(role)}))["secret"]
    return Evening(server, tokens, tuple(table["game"] for table in tables))


def grant(role: str) -> dict[str, Any]:
    return {"role": role, "scope": {"tournament": "spring"}} | ({"player": "p1"} if role == "player" else {})


def sent_to(evening: Evening, role: str, receiver: Receiver) -> Receiver:
    """Registers a webhook that stands for the role."""
    with evening.client("director") as director:
        done(director.post("/v1/webhooks", json={"url": receiver.url, **grant(role)}))
    return receiver


def played(evening: Evening, number: int) -> int:
    """Plays at a table; answers the last position."""
    game = evening.games[number]
    with evening.client("recorder") as recorder, evening.client("arbiter") as arbiter:
        for turn in range(MOVES):
            last = play_on(recorder, game)["position"]
            if (number, turn) == (DISPUTED, 4):
                claim = {"position": last, "seat": 0, "claim": "It was a nine.", "suspends": True}
                done(recorder.post(f"/v1/games/{game}/disputes", json=claim))
                done(arbiter.post(f"/v1/games/{game}/rulings", json={"dispute": 1, "decision": "stands", "reason": "It was not."}))
                done(recorder.post(f"/v1/games/{game}/rewinds", json={"to": last - 1, "reason": "entered twice"}))
        return int(done(recorder.get(f"/v1/games/{game}"))["position"])


def told(frames: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Without what becomes of a frame later: whether it was taken back."""
    return [{name: value for name, value in frame.items() if name != "void"} for frame in frames]


def test_everybody_ends_with_the_history_that_he_may_see(evening: Evening):
    ends: dict[int, int] = {}
    with ExitStack() as stack, ThreadPoolExecutor(len(evening.games)) as tables:
        clients = {role: stack.enter_context(evening.client(role)) for role in ROLES}
        streams: dict[tuple[str, int], Follower] = {}
        waiters: dict[tuple[str, int], Waiter] = {}
        for role, token in evening.tokens.items():
            for number, game in enumerate(evening.games):
                url = f"{evening.server.url}/v1/games/{game}/stream?tables=true"
                streams[role, number] = stack.enter_context(following(url, token))
                waiters[role, number] = Waiter(clients[role], game, partial(ends.get, number))
        webhooks = {role: sent_to(evening, role, stack.enter_context(receiving())) for role in ROLES[:-1]}
        url = f"{evening.server.url}{SPRING}/stream?after=0"
        of_tournament = {role: stack.enter_context(following(url, token)) for role, token in evening.tokens.items()}
        ends |= dict(enumerate(tables.map(lambda number: played(evening, number), range(len(evening.games)))))
        for (role, number), stream in streams.items():
            stream.until_id(ends[number])
            waiters[role, number].join(PATIENCE)
            recorded = done(clients[role].get(f"/v1/games/{evening.games[number]}/replay?limit=1000"))["frames"]
            assert told(stream.frames) == told(recorded)
            assert told(waiters[role, number].frames) == told(recorded)
            assert stream.ids == list(range(1, ends[number] + 1))
        entries = done(clients["director"].get("/v1/feed?tournament=spring&limit=1000"))["entries"]
        for follower in of_tournament.values():
            assert follower.until_id(entries[-1]["sequence"]).ids == [entry["sequence"] for entry in entries]
        for role, receiver in webhooks.items():
            messages = receiver.until(lambda got: bool(got) and got[-1].sequence == entries[-1]["sequence"])
            assert [message.sequence for message in messages] == [entry["sequence"] for entry in entries][-len(messages) :]
            for game in evening.games:
                recorded = done(clients[role].get(f"/v1/games/{game}/history?after=1&limit=1000"))["events"]
                of_game = [message.said["data"]["event"] for message in messages if message.said["data"]["id"] == game]
                assert told(of_game) == told(recorded)
        assert max(waiter.asked for waiter in waiters.values()) > 3  # they did wait, and not ask once in the end
