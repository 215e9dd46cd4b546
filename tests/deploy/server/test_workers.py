"""Consistency between two workers of one service: changes made at one are in effect at the other."""

from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from itertools import pairwise
from threading import Barrier
from typing import Any, NamedTuple

import httpx
import pytest

from tests.api.followers import following
from tests.api.webhooks.receiving import receiving
from tests.deploy.serving import PATIENCE, Served, client_of, done, open_game, play_on, served, until
from tests.migrated import migrated_database
from tests.postgres import Server, drop_database

CALLERS, EACH = 6, 6
TURN = {"seat": 0, "move": {"type": "turn"}}


class Two(NamedTuple):
    """A director's connection to each."""

    server: Served
    one: httpx.Client
    other: httpx.Client


@pytest.fixture(scope="module")
def two(postgres_server: Server, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Two]:
    url, folder = migrated_database(postgres_server), tmp_path_factory.mktemp("two")
    flags = ("--database-url", url, "--data", folder, "--workers", 2, "--worker-port", 0)
    with served(*flags, KIEBITZ_WEBHOOK_NETWORKS="127.0.0.0/8") as server, ExitStack() as clients:
        yield Two(server, *(clients.enter_context(client_of(address, server.token)) for address in server.alone))
        assert server.end() == 0
        assert server.process.stdout is not None
        assert "ERROR" not in server.process.stdout.read()
    drop_database(postgres_server, url)


def issued(two: Two, role: str) -> dict[str, Any]:
    return done(two.one.post("/v1/tokens", json={"role": role, "label": role, "scope": "everything"}))


def number(client: httpx.Client, metric: str) -> int:
    """Return this worker's counter, 0 if it has none."""
    _, _, told = client.get("/metrics").text.partition(f"\n{metric} ")
    return int(float(told.split()[0])) if told else 0


def moves(two: Two) -> tuple[int, int]:
    """Return how many moves each worker has recorded."""
    one, other = (number(client, "kiebitz_moves_recorded_total") for client in (two.one, two.other))
    return one, other


# What is recorded


def test_what_one_records_the_other_reads_at_once(two: Two):
    """Also what is read from projections, which one process fills for both."""
    game = open_game(two.one)
    sequence = play_on(two.one, game)["sequence"]
    listed = done(two.other.get(f"/v1/games?min_sequence={sequence}&limit=100"))["items"]
    assert {one["id"]: one["position"] for one in listed}[game] == 2
    assert play_on(two.other, game)["position"] == 3
    assert done(two.one.get(f"/v1/games/{game}"))["position"] == 3


def test_a_stream_at_one_tells_what_the_other_records_and_a_waiting_request_is_answered(two: Two):
    game = open_game(two.one)
    url = f"{two.server.alone[1]}/v1/games/{game}/stream"
    with following(url, two.server.token) as follower, ThreadPoolExecutor(1) as thread:
        follower.until_id(1)
        waiting = thread.submit(two.other.get, f"/v1/games/{game}/replay?after=1&wait=30")
        until(lambda: number(two.other, "kiebitz_followers") == 2)
        for _ in range(4):
            play_on(two.one, game)
        follower.until_id(5)
        assert follower.ids == [1, 2, 3, 4, 5]
        assert done(waiting.result())["frames"][0]["position"] == 2


def test_a_key_that_was_used_at_one_gets_its_answer_at_the_other(two: Two):
    key = {"Idempotency-Key": "the-same"}
    first = two.one.post("/v1/games", json={"ruleset": "casino", "seats": 2}, headers=key)
    again = two.other.post("/v1/games", json={"ruleset": "casino", "seats": 2}, headers=key)
    assert (again.status_code, again.headers["idempotent-replayed"], again.content) == (201, "true", first.content)


# Who comes in


def test_a_token_that_is_revoked_at_one_is_refused_at_the_other_within_a_second_or_two(two: Two):
    token = issued(two, "viewer")
    with client_of(two.server.alone[1], token["secret"]) as viewer:
        assert viewer.get("/v1/games").status_code == 200
        assert two.one.delete(f"/v1/tokens/{token['id']}").is_success
        assert until(lambda: viewer.get("/v1/games").status_code == 401)
        with following(f"{two.server.alone[1]}/v1/feed", token["secret"], Accept="text/event-stream") as follower:
            assert follower.status == 401


def test_who_signs_in_at_one_is_signed_in_at_the_other_and_signs_out_of_both(two: Two):
    one, other = two.server.alone
    code = done(two.one.post("/v1/codes", json={"role": "viewer", "label": "hall", "scope": "everything", "good_for": "screen"}))["code"]
    with httpx.Client(timeout=PATIENCE, verify=False) as browser:
        assert browser.post(f"{one}/in", json={"secret": code}, headers={"Origin": one}).status_code == 200
        assert (
            httpx.post(f"{other}/in", json={"secret": code}, headers={"Origin": other}, timeout=PATIENCE, verify=False).status_code == 401
        )
        [session] = browser.cookies.values()
        named = {"Cookie": f"kiebitz-{httpx.URL(other).port}={session}"}  # after the port
        with httpx.Client(base_url=other, headers=named, timeout=PATIENCE, verify=False) as there:
            assert there.get("/v1/games").status_code == 200
            assert browser.post(f"{one}/out", headers={"Origin": one}, follow_redirects=False).status_code < 400
            assert until(lambda: there.get("/v1/games").status_code == 401)


# Both at once in one game


def test_of_many_who_record_in_one_game_at_both_nobody_is_refused_and_nothing_is_lost(two: Two):
    """Every move is legal whoever comes first; each worker has to know all that the other recorded."""
    game = a_game_without_end(two.one)
    secrets = [issued(two, "recorder")["secret"] for _ in range(CALLERS)]
    before, together = moves(two), Barrier(CALLERS, timeout=60)

    def turn(number: int) -> list[int]:
        with client_of(two.server.alone[number % 2], secrets[number]) as client:
            return [(together.wait(), client.post(f"/v1/games/{game}/moves", json=TURN).status_code)[1] for _ in range(EACH)]

    with ThreadPoolExecutor(CALLERS) as callers:
        assert list(callers.map(turn, range(CALLERS))) == [[201] * EACH] * CALLERS
    assert moves(two) == (before[0] + CALLERS * EACH / 2, before[1] + CALLERS * EACH / 2)
    history = done(two.one.get(f"/v1/games/{game}/history?limit=1000"))["events"]
    by = [event["by"] for event in history if event["name"] == "move.played/1"]
    assert sorted(by.count(one) for one in set(by)) == [EACH] * CALLERS
    assert changes(by, secrets, two) >= EACH  # all begin each move together
    assert done(two.other.get(f"/v1/games/{game}/audit"))["verdict"] == "sound"


def changes(by: Sequence[str], secrets: Sequence[str], two: Two) -> int:
    """Return how often a move through one worker followed one through the other."""
    at = {}
    for number, secret in enumerate(secrets):
        with client_of(two.server.url, secret) as client:
            at[str(done(client.get("/v1/me"))["principal"])] = number % 2
    return sum(at[one] != at[next] for one, next in pairwise(by))


def a_game_without_end(client: httpx.Client) -> str:
    """Cascades, with a card that could be placed and never is: its player may turn as often as he likes."""
    game = str(done(client.post("/v1/games", json={"ruleset": "cascades", "seats": 1, "options": {"passes": 0}}))["game"])
    done(client.post(f"/v1/games/{game}/hands", json={"dealer": 0, "deck": [], "fill": "sorted"}))
    return game


def test_moves_that_alternate_are_known_wherever_they_come_in(two: Two):
    """Each is legal only after the one before it, which the other worker recorded, while others write into the same game, too."""
    game = open_game(two.one)
    done(two.one.post(f"/v1/games/{game}/hands", json={"dealer": 1}))
    hands = done(two.one.get(f"/v1/games/{game}/table"))["hands"]
    with ThreadPoolExecutor(2) as others:
        noted = [others.submit(note, address, two.server.token, game) for address in two.server.alone]
        for turn in range(4):
            for seat, client in enumerate((two.other, two.one)):
                move = {"seat": seat, "move": {"type": "trail", "card": hands[seat][turn]}}
                done(client.post(f"/v1/games/{game}/moves", json=move))
        assert [one.result() for one in noted] == [[201] * EACH] * 2
    assert done(two.one.get(f"/v1/games/{game}"))["position"] == 2 + 8 + 2 * EACH


def note(address: str, token: str | None, game: str) -> list[int]:
    with client_of(address, token) as client:
        return [client.post(f"/v1/games/{game}/notes", json={"text": f"{number}"}).status_code for number in range(EACH)]


# What is done once


def test_a_message_is_sent_once_and_not_by_each(two: Two):
    with receiving() as receiver:
        body = {"url": receiver.url, "role": "director", "scope": "everything", "events": ["game.opened"]}
        done(two.one.post("/v1/webhooks", json=body))
        games = [open_game(client) for client in (two.one, two.other) * 3]
        receiver.after(len(games))
        assert sorted(str(one.said["data"]["id"]) for one in receiver.got) == sorted(games)
        metric = 'kiebitz_webhook_deliveries_total{result="delivered"}'
        assert until(lambda: sorted(number(client, metric) for client in (two.one, two.other)) == [0, len(games)])
