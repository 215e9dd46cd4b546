"""Command `kiebitz serve` as a process: first start, and shutdown."""

import json
import re
import shutil
import signal
import socket
import sqlite3
import subprocess
from contextlib import closing
from pathlib import Path

import httpx
import pytest

from deploy.processes.journal_file import holder
from tests.deploy.serving import KIEBITZ, PATIENCE, Served, done, environment, open_game, run, served, until


def test_the_first_start_prints_a_token_that_works_and_the_second_does_not(tmp_path: Path):
    """The database holds no secret, and nothing is said at the end, also of Ctrl-C."""
    with served("--data", tmp_path) as first:
        assert first.token is not None
        with first.client() as client:
            game = open_game(client)
        assert first.token.encode() not in b"".join(file.read_bytes() for file in tmp_path.iterdir())
        assert first.end(signal.SIGINT) == 0
        assert first.process.stdout is not None
        assert first.process.stdout.read() == ""
    with served("--data", tmp_path) as second:
        assert second.token is None
        with second.client(first.token) as client:
            assert done(client.get(f"/v1/games/{game}"))["position"] == 1


def test_a_clean_stop_leaves_one_file_with_everything_also_after_an_export_and_with_clients_connected(tmp_path: Path):
    with served(KIEBITZ_DATA=str(tmp_path)) as server, server.client() as client:
        open_game(client)
        assert client.get("/v1/scores?format=csv").status_code == 200
        open_game(client)
        assert server.end(signal.SIGTERM) == 0
    assert list(tmp_path.glob("journal.db-*")) == []
    with closing(sqlite3.connect(tmp_path / "journal.db")) as alone:
        assert alone.execute("SELECT count(*) FROM events").fetchone() == (2,)


@pytest.mark.skipif(shutil.which("curl") is None, reason="there is no curl")
def test_the_printed_curl_line_opens_a_game_as_it_stands_and_a_second_server_on_the_folder_is_told_of_the_first(tmp_path: Path):
    with served("--data", tmp_path) as server:
        line = server.greeting[server.greeting.index("curl ") :]
        answer = subprocess.run(["sh", "-c", line], capture_output=True, text=True, check=True, timeout=PATIENCE)
        second = run("serve", "--data", tmp_path, "--port", 0)
    assert json.loads(answer.stdout)["position"] == 1
    assert second.returncode == 1
    assert f"in use by kiebitz serve at {server.url} (process {server.process.pid})" in second.stderr
    assert "Traceback" not in second.stderr


def test_a_server_that_nobody_listens_to_any_more_goes_on_and_ends_cleanly(tmp_path: Path):
    command = [str(KIEBITZ), "serve", "--port", "0", "--data", str(tmp_path)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=environment()) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.close()
        address = until(lambda: (running := holder(tmp_path / "serve.lock")) and running.address)
        assert httpx.get(f"{address}/health/live", timeout=PATIENCE, verify=False).status_code == 200  # it listens before it answers
        process.terminate()
        assert process.wait(PATIENCE) in (0, 120)  # 120: Python could not flush its standard output
        assert "Traceback" not in process.stderr.read()


def test_a_port_that_is_taken_is_named(tmp_path: Path):
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        result = run("serve", "--data", tmp_path, "--port", port)
    assert result.returncode == 1
    assert f"port {port}: address already in use" in result.stderr
    assert "--port" in result.stderr


def test_an_address_that_is_none_is_named(tmp_path: Path):
    result = run("serve", "--data", tmp_path, "--host", "nowhere.invalid", "--port", 0)
    assert (result.returncode, "nowhere.invalid" in result.stderr) == (1, True)


def test_serve_migrates_a_postgresql_database_if_it_is_told_to(postgres_url: str):
    refused = run("serve", "--database-url", postgres_url, "--port", 0)
    assert refused.returncode == 1
    assert "kiebitz migrate" in refused.stderr
    with served("--migrate", KIEBITZ_DATABASE_URL=postgres_url) as server, server.client() as client:
        open_game(client)


def sign_in_link(greeting: str) -> tuple[str, str]:
    """Page and code."""
    found = re.search(r"^  (http\S+/in)#(\S+)$", greeting, re.MULTILINE)
    assert found
    return found[1], found[2]


def test_the_first_start_prints_a_link_that_signs_a_browser_in_once_as_the_first_token(tmp_path: Path):
    with served("--data", tmp_path) as server, httpx.Client(base_url=server.url, headers={"Origin": server.url}, verify=False) as web:
        page, code = sign_in_link(server.greeting)
        assert page == f"{server.url}/in"
        assert f"Phones cannot open {server.url}." in server.greeting
        entered = web.post("/in", data={"secret": code}, timeout=PATIENCE)
        assert (entered.status_code, entered.headers["location"]) == (303, "/")
        assert httpx.post(page, json={"secret": code}, headers={"Origin": server.url}, timeout=PATIENCE, verify=False).status_code == 401
        with server.client() as client:
            game = open_game(client)
            mine = open_game(web)
            assert by(client, game) == by(client, mine), "the same director"
        (id,) = re.findall(r"\b([0-9a-f]{8})\s+director", run("tokens", "list", "--data", tmp_path).stdout)
        assert run("tokens", "revoke", id, "--data", tmp_path).returncode == 0
        assert until(lambda: web.get("/v1/games").status_code == 401)
        assert code.encode() not in b"".join(file.read_bytes() for file in tmp_path.iterdir())


def by(client: httpx.Client, game: str) -> str:
    return str(re.findall(r'"by":"([^"]+)"', client.get(f"/v1/games/{game}/history", timeout=PATIENCE).text)[0])


def signed_in(server: Served, forwarded: dict[str, str]) -> str:
    """Sign in with the token, then with nonsense; return the name of the cookie."""
    headers = {"Sec-Fetch-Site": "same-origin", **forwarded}
    entered = httpx.post(f"{server.url}/in", json={"secret": server.token}, headers=headers, timeout=PATIENCE, verify=False)
    assert httpx.post(f"{server.url}/in", json={"secret": "nonsense"}, headers=headers, timeout=PATIENCE, verify=False).status_code == 401
    return str(entered.headers["set-cookie"].partition("=")[0])


HTTPS = {"X-Forwarded-Proto": "https", "X-Forwarded-For": "192.0.2.7"}
SEVERAL = {"X-Forwarded-Proto": "https, http", "X-Forwarded-For": "10.1.1.1, 192.0.2.8"}


@pytest.mark.parametrize(
    ("trusted", "is_secure", "addresses"),
    [("127.0.0.1", [True, False, False], ["192.0.2.7", "192.0.2.8", "127.0.0.1"]), ("none", [False] * 3, ["127.0.0.1"] * 3)],
)
def test_only_a_proxy_that_is_set_is_believed_who_calls_and_that_he_speaks_https(
    tmp_path: Path, trusted: str, is_secure: list[bool], addresses: list[str]
):
    with served("--data", tmp_path, KIEBITZ_TRUSTED_PROXIES=trusted) as server:
        cookies = [signed_in(server, forwarded) for forwarded in (HTTPS, SEVERAL, {})]
        assert server.end() == 0
        assert server.process.stdout is not None
        refused = re.findall(r"a sign-in from (\S+) was refused", server.process.stdout.read())
    plain = f"kiebitz-{server.url.rpartition(':')[2]}"
    assert cookies == ["__Host-kiebitz" if secure else plain for secure in is_secure]
    assert refused == addresses
