"""Proxy configurations for several workers, run with the real programs."""

import re
import shutil
import socket
import subprocess
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from itertools import cycle
from pathlib import Path
from urllib.parse import urlsplit

import httpx
import pytest

from tests.api.followers import following
from tests.deploy.serving import PATIENCE, Served, client_of, done, listens, open_game, play_on, served, until
from tests.migrated import migrated_database
from tests.postgres import Server, drop_database, free_port

EXAMPLES = Path(__file__).parents[3] / "deploy" / "examples"
EACH = 3
WHERE = "/usr/local/sbin:/usr/sbin:/sbin"  # who is not root does not look there for programs

MAIN = """
daemon off;
{user}
pid {folder}/nginx.pid;
error_log stderr;
events {{}}
http {{
    access_log off;
    client_body_temp_path {folder}/body;
    proxy_temp_path {folder}/proxy;
    fastcgi_temp_path {folder}/fastcgi;
    uwsgi_temp_path {folder}/uwsgi;
    scgi_temp_path {folder}/scgi;
    include {folder}/site.conf;
}}
"""


@pytest.fixture(scope="module")
def workers(postgres_server: Server, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    url, folder = migrated_database(postgres_server), tmp_path_factory.mktemp("workers")
    with served("--database-url", url, "--data", folder, "--workers", 2, "--worker-port", 0) as server:
        yield server
    drop_database(postgres_server, url)


def program(name: str) -> str:
    found = shutil.which(name) or shutil.which(name, path=WHERE)
    if found is None:
        pytest.skip(f"there is no {name}, so its recipe was not run. On Debian: apt-get install {name}")
    return found


def changed(text: str, *changes: tuple[str, Callable[[re.Match[str]], str]]) -> str:
    """Raises AssertionError where there is nothing to change: then the recipe is not what the test takes it for."""
    for pattern, change in changes:
        text, times = re.subn(pattern, change, text, flags=re.MULTILINE)
        assert times, pattern
    return text


def ports(workers: Served) -> Callable[[re.Match[str]], str]:
    """Of four workers in the recipe two are there, and nobody listens where the others should be."""
    there = [str(urlsplit(url).port) for url in workers.alone]
    of = dict(zip(("8001", "8002", "8003", "8004"), (*there, str(free_port()), str(free_port())), strict=True))
    return lambda found: found[0].replace(found[1], of[found[1]])


@contextmanager
def running(command: Sequence[str], port: int) -> Iterator[str]:
    """The program at its address, once it answers."""
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True) as process:
        try:
            until(lambda: process.poll() is not None or listens(f"http://127.0.0.1:{port}"))
            assert process.poll() is None, process.communicate()[0]
            yield f"http://127.0.0.1:{port}"
        finally:
            process.terminate()


@contextmanager
def nginx(workers: Served, folder: Path) -> Iterator[str]:
    command, port = program("nginx"), free_port()
    site = changed(
        (EXAMPLES / "nginx-workers.conf").read_text(encoding="utf-8"),
        (r"127\.0\.0\.1:(800\d)", ports(workers)),
        (r"listen 443 ssl;", lambda _: f"listen 127.0.0.1:{port};"),
        (r"^ *ssl_certificate.*$", lambda _: ""),
    )
    (folder / "site.conf").write_text(site)
    user = "user root;" if folder.owner() == "root" else ""
    (folder / "nginx.conf").write_text(MAIN.format(folder=folder, user=user))
    subprocess.run([command, "-t", "-c", folder / "nginx.conf"], check=True, capture_output=True, timeout=PATIENCE)
    with running([command, "-c", str(folder / "nginx.conf")], port) as address:
        yield address


@contextmanager
def haproxy(workers: Served, folder: Path) -> Iterator[str]:
    command, port, seen = program("haproxy"), free_port(), free_port()
    text = changed(
        (EXAMPLES / "haproxy-workers.cfg").read_text(encoding="utf-8"),
        (r"127\.0\.0\.1:(800\d)", ports(workers)),
        (r"bind :443 ssl .*$", lambda _: f"bind 127.0.0.1:{port}"),
    )
    (folder / "haproxy.cfg").write_text(f"global\n    stats socket ipv4@127.0.0.1:{seen}\n{text}")
    subprocess.run([command, "-c", "-f", folder / "haproxy.cfg"], check=True, capture_output=True, timeout=PATIENCE)
    with running([command, "-db", "-f", str(folder / "haproxy.cfg")], port) as address:
        until(lambda: away(seen) == 4)  # two of four, in both backends: it has to find out
        yield address


def away(seen: int) -> int:
    """Return how many servers HAProxy considers down."""
    with socket.create_connection(("127.0.0.1", seen)) as line, line.makefile("rw") as asked:
        asked.write("show stat\n")
        asked.flush()
        return sum(",worker" in row and ",DOWN," in row for row in asked)


@pytest.mark.parametrize("proxy", [nginx, haproxy])
def test_what_is_asked_of_a_game_goes_to_one_worker_also_where_others_are_away_and_a_stream_tells_each_event(
    workers: Served, proxy: Callable, tmp_path: Path
):
    with proxy(workers, tmp_path) as address:
        told = set[int]()
        while len(told) < 2:  # the first of many may happen to come to the same one
            with client_of(address, workers.token) as client:
                game = open_game(client)
            before = recorded(workers)
            for _ in range(EACH):  # each by a connection of its own
                with client_of(address, workers.token) as client:
                    play_on(client, game)
            added = [now - was for now, was in zip(recorded(workers), before, strict=True)]
            assert sorted(added) == [0, EACH]
            told.add(added.index(EACH))
        assert httpx.get(f"{address}/metrics", timeout=PATIENCE, verify=False).status_code == 403
        tells_each_event(workers, address)


def tells_each_event(workers: Served, address: str) -> None:
    """Follow a game through the proxy while it is recorded at one worker and the other."""
    with client_of(address, workers.token) as client:
        game = open_game(client)
        with following(f"{address}/v1/games/{game}/stream", workers.token) as follower:
            follower.until_id(1)
            for position, other in zip((2, 3, 4), cycle(workers.alone)):
                with client_of(other, workers.token) as recorder:
                    play_on(recorder, game)
                follower.until_id(position)
        assert done(client.get(f"/v1/games/{game}"))["position"] == 4


def recorded(workers: Served) -> list[int]:
    """Return how many commands each worker has recorded."""
    told = []
    for url in workers.alone:
        with client_of(url, workers.token) as client:
            [number] = re.findall(r"^kiebitz_appended_commands_total (\S+)$", client.get("/metrics").text, re.MULTILINE)
            told.append(int(float(number)))
    return told
