"""Lifecycle of several processes that serve at one address: start, shutdown, and restart of one that ends."""

import os
import re
import signal
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

import pytest

from deploy.compose import open_services
from deploy.config.failures import sentence
from deploy.config.settings import Settings
from deploy.server import worker_parent
from deploy.stores.postgres import journal, projections
from tests.deploy.freezing import children, threads_of
from tests.deploy.serving import IMPATIENT, KIEBITZ, Served, client_of, done, listens, open_game, play_on, run, served, started, until

Where = tuple[object, ...]


@pytest.fixture
def where(migrated: str, tmp_path: Path) -> Where:
    return ("--database-url", migrated, "--data", tmp_path, "--workers", 2, "--worker-port", 0)


def names(process: int) -> dict[int, str]:
    """Of the processes that it has started and that are there, the module that each runs."""
    return {child: name for child in children(process) if (name := module_of(child))}


def module_of(process: int) -> str | None:
    try:
        words = Path(f"/proc/{process}/cmdline").read_text().split("\0")
    except (FileNotFoundError, ProcessLookupError):
        return None
    return words[words.index("-m") + 1] if "-m" in words else None  # none of a process that has ended


def workers_of(server: Served) -> list[int]:
    return [child for child, name in names(server.process.pid).items() if name == "deploy.server.worker_process"]


def number_of(url: str, token: str | None) -> int:
    with client_of(url, token) as client:
        found = re.search(r"^kiebitz_worker (\d+)", client.get("/metrics").text, re.MULTILINE)
    assert found
    return int(found[1])


def gone(processes: Sequence[int]) -> bool:
    """Return whether none of them could still answer: the files of a process are closed after its command line is gone."""
    return not any(lives(process) for process in processes)


def lives(process: int) -> bool:
    for thread in threads_of(process):
        with suppress(FileNotFoundError, ProcessLookupError):  # it has ended
            if (thread / "stat").read_text().rpartition(") ")[2][0] not in "ZX":
                return True
    return False


def said(server: Served) -> str:
    """Return the log after the greeting; the output ends with the last process that holds it."""
    assert server.process.stdout is not None
    return server.process.stdout.read()


def test_on_sqlite_several_are_refused_and_told_what_to_do(tmp_path: Path):
    refused = run("serve", "--data", tmp_path, "--workers", 2, "--port", 0)
    assert refused.returncode == 1
    assert refused.stderr == f"Error: {sentence('workers_embedded', 'en')}\n"
    assert list(tmp_path.iterdir()) == []


def test_they_greet_once_serve_at_one_address_and_alone_and_one_that_was_killed_is_followed_by_another(where: Where):
    """One process projects, and one keeps the log. Ctrl-C, which the terminal sends to every process, ends them all in order."""
    with served(*where) as server, client_of(server.alone[0], server.token) as one, client_of(server.alone[1], server.token) as other:
        assert re.findall(r"listens on \S+, with 2 workers", server.greeting) == [f"listens on {server.url}, with 2 workers"]
        assert (server.greeting.count("\n  kb_"), server.greeting.count("/in#")) == (1, 1)
        processes = ["deploy.log.writer.main", "deploy.server.projecting_worker", *["deploy.server.worker_process"] * 2]
        assert sorted(names(server.process.pid).values()) == processes
        assert [number_of(url, server.token) for url in server.alone] == [1, 2]
        assert until(lambda: number_of(server.url, server.token) == 1)  # each connection may come to another one
        assert until(lambda: number_of(server.url, server.token) == 2)
        refused = run("serve", *where[:4], "--port", server.url.rpartition(":")[2])
        assert (refused.returncode, "address already in use" in refused.stderr) == (1, True)
        game = open_game(one)
        play_on(other, game)
        [first, second] = workers_of(server)
        os.kill(second, signal.SIGKILL)
        for _ in range(3):
            play_on(one, game)
        assert until(lambda: gone([second]) and listens(server.alone[1]))
        assert play_on(other, game)["position"] == 6
        os.kill(first, signal.SIGTERM)  # as somebody does who renews them one by one
        assert until(lambda: gone([first]) and listens(server.alone[0]))
        assert done(other.get(f"/v1/games/{game}"))["position"] == 6
        every = list(names(server.process.pid))
        os.killpg(server.process.pid, signal.SIGINT)
        assert server.process.wait() == 0
        assert gone(every)
        assert [line.partition("worker ")[2] for line in said(server).splitlines()] == [
            f"2 (process {second}) ended (SIGKILL); it is started again in 0 s",
            f"1 (process {first}) ended (exit code 0); it is started again in 0 s",
        ]


def test_one_that_ends_before_it_has_answered_ends_the_service(where: Where):
    command = [str(KIEBITZ), "serve", "--port", "0", *map(str, where)]
    with started(command) as process:
        first = until(lambda: next((child for child, name in names(process.pid).items() if name == "deploy.server.worker_process"), None))
        assert first is not None
        os.kill(first, signal.SIGKILL)
        assert process.stdout is not None
        told = process.stdout.read()
    assert process.returncode == 1
    assert re.search(r"^Error: Worker [12] ended before it was ready\. Its error stands above\.$", told, re.MULTILINE)
    assert "kb_" not in told


def test_one_that_stands_still_is_killed_and_where_the_parent_is_killed_nothing_stays_behind(where: Where):
    with served(*where, command=IMPATIENT) as server:
        [first, _] = workers_of(server)
        os.kill(first, signal.SIGSTOP)
        assert until(lambda: gone([first]) and listens(server.alone[0]))
        with client_of(server.alone[0], server.token) as client:
            play_on(client, open_game(client))
            client.get("/v1/scores?format=xlsx")  # starts a process that makes exports
        every = [child for one in names(server.process.pid) for child in (one, *names(one))]
        assert len(every) == 5
        server.kill()
        told = said(server).splitlines()  # ends when nobody holds the output any more
        assert f"worker 1 (process {first}) hangs and is killed" in told[0]
        assert until(lambda: gone(every))
        assert not any(map(listens, (server.url, *server.alone)))


def test_where_the_database_takes_too_few_connections_the_log_says_so(migrated: str, tmp_path: Path, caplog: pytest.LogCaptureFixture):
    """It takes a hundred, if nobody says otherwise."""
    with open_services(Settings(tmp_path, migrated)) as services:
        worker_parent._check_limits(services, 3)
        assert caplog.messages == []
        worker_parent._check_limits(services, 4)
    assert caplog.messages == ["PostgreSQL allows 100 connections, but 4 workers may need 102; see max_connections"]


def test_so_many_connections_a_worker_may_want():
    assert worker_parent.CONNECTIONS == journal._READERS + 2 + projections._CONNECTIONS
