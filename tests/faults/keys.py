"""One key sent many times at once, by two processes and while the database stands still: one move, one answer."""

import threading
import time
import uuid
from collections import Counter
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, nullcontext
from functools import partial

import httpx

from tests.deploy.freezing import frozen
from tests.deploy.serving import done, until
from tests.faults.scene import Finding, caller, counted, traced, watched
from tests.postgres import Server, fresh_database, running_server

AT_ONCE = 20
CALM, FROZEN = 20, 3
"""Rounds without and with a frozen database."""
FREEZE = 6.0  # seconds


def findings() -> Iterator[Finding]:
    with running_server() as database, ExitStack() as stack:
        store = ["--database-url", fresh_database(database), "--migrate"]
        servers = [stack.enter_context(watched(*store)) for _ in range(2)]
        token = next(filter(None, (one.server.token for one in servers)))
        clients = [stack.enter_context(caller(one.server.url, token, 60)) for one in servers]
        yield from _rounds("calm", clients, CALM, None)
        yield from _rounds("database frozen for 6 s", clients, FROZEN, database)
        yield from traced([trace for one in servers for trace in one.traces()])


def _rounds(name: str, clients: Sequence[httpx.Client], rounds: int, database: Server | None) -> Iterator[Finding]:
    seen: Counter[str] = Counter()
    wrong = 0
    game = done(clients[0].post("/v1/games", json={"ruleset": "casino", "seats": 2}))["game"]
    done(clients[0].post(f"/v1/games/{game}/hands", json={"dealer": 0}))
    for _ in range(rounds):
        answers, key, move = _at_once(clients, game, database)
        seen.update(f"{answer.status_code}{' again' if answer.headers.get('idempotent-replayed') else ''}" for answer in answers)
        wrong += sum(not _allowed(answer, frozen=database is not None) for answer in answers)
        told = {answer.content for answer in answers if answer.status_code == 201}
        late = [until(partial(_settled, client, game, key, move)) for client in clients]
        wrong += len(told | set(late)) - 1
    sent = rounds * AT_ONCE
    yield Finding(f"{name}: answers", ", ".join(f"{number} × {status}" for status, number in seen.most_common()))
    yield counted(f"{name}: neither the answer nor a word to wait", wrong, sent)
    events = done(clients[1].get(f"/v1/games/{game}/history", params={"limit": 1000}))["events"]
    yield Finding(f"{name}: moves recorded of {rounds} keys", str(len(events) - 2), len(events) - 2 == rounds)


def _at_once(clients: Sequence[httpx.Client], game: str, database: Server | None) -> tuple[list[httpx.Response], str, dict]:
    """The same move under one key, twenty times, half of them at each server. All stand ready before the first is sent."""
    table = done(clients[0].get(f"/v1/games/{game}/table"))
    move = {"seat": table["turn"], "move": {"type": "trail", "card": table["hands"][table["turn"]][0]}}
    key, ready = uuid.uuid4().hex, threading.Barrier(AT_ONCE, timeout=60)

    def send(number: int) -> httpx.Response:
        ready.wait()
        return clients[number % 2].post(f"/v1/games/{game}/moves", json=move, headers={"Idempotency-Key": key})

    with ThreadPoolExecutor(AT_ONCE) as callers:
        with frozen(database.process.pid) if database else nullcontext():
            sent = [callers.submit(send, number) for number in range(AT_ONCE)]
            if database:
                time.sleep(FREEZE)
        return [one.result() for one in sent], key, move


def _allowed(answer: httpx.Response, *, frozen: bool) -> bool:
    """The answer of the move; ``in_flight`` with a time to wait; under a frozen database also 503, with one, too."""
    if answer.status_code == 201:
        return True
    waits = "retry-after" in answer.headers
    return waits and ((answer.status_code == 409 and answer.json()["code"] == "in_flight") or (frozen and answer.status_code == 503))


def _settled(client: httpx.Client, game: str, key: str, move: dict) -> bytes | None:
    """The answer that the key gets in the end."""
    answer = client.post(f"/v1/games/{game}/moves", json=move, headers={"Idempotency-Key": key})
    if answer.status_code in (409, 503):
        time.sleep(0.2)
        return None
    done(answer)
    return answer.content
