"""Disk failures under the embedded database: responses about writes are true, and the service recovers automatically."""

import resource
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.deploy.serving import IMPATIENT, Served, done, open_game, play_on, served, until
from tests.deploy.stores.stores import writing_stopped


@contextmanager
def failing_disk(server: Served) -> Iterator[None]:
    """Make every write of this process to a file fail with an I/O error (EFBIG, to be exact)."""
    before = resource.prlimit(server.process.pid, resource.RLIMIT_FSIZE)
    resource.prlimit(server.process.pid, resource.RLIMIT_FSIZE, (0, before[1]))
    try:
        yield
    finally:
        resource.prlimit(server.process.pid, resource.RLIMIT_FSIZE, before)


def test_a_move_that_the_disk_fails_on_may_be_recorded_or_not(tmp_path: Path):
    with served("--data", tmp_path) as server, server.client() as client:
        game = open_game(client)
        play_on(client, game)
        table = done(client.get(f"/v1/games/{game}/table"))
        move = {"seat": table["turn"], "move": {"type": "trail", "card": table["hands"][table["turn"]][0]}}
        address, key = f"/v1/games/{game}/moves", {"Idempotency-Key": "once"}
        with failing_disk(server):
            answer = client.post(address, json=move, headers=key)
            ready = client.get("/health/ready")
            live = client.get("/health/live")
        assert (answer.status_code, answer.json()["code"], answer.json()["unclear"]) == (503, "unavailable", True)
        assert answer.headers["retry-after"] == "1"
        assert (ready.status_code, ready.json(), ready.headers["retry-after"]) == (503, {"status": "not_ready"}, "1")
        assert live.status_code == 200
        until(lambda: client.get("/health/ready").status_code == 200)
        assert done(client.post(address, json=move, headers=key))["position"] == 3
        assert len(done(client.get(f"/v1/games/{game}/history"))["events"]) == 3


def test_who_cannot_write_because_of_another_process_is_not_ready(tmp_path: Path):
    with served("--data", tmp_path, command=IMPATIENT) as server, server.client() as client:
        assert client.get("/health/ready").status_code == 200
        with writing_stopped(f"sqlite://{tmp_path / 'journal.db'}"):
            until(lambda: client.get("/health/ready").status_code == 503)
            assert client.get("/health/live").status_code == 200
        until(lambda: client.get("/health/ready").status_code == 200)
