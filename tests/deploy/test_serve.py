"""`kiebitz serve` as a process: first start, and how it ends."""

import json
import shutil
import signal
import socket
import subprocess
from pathlib import Path

import httpx
import pytest

from deploy.serve_lock import holder
from tests.deploy.serving import KIEBITZ, PATIENCE, done, environment, open_game, play_on, run, served, until


def test_the_first_start_prints_a_token_that_works_and_the_second_does_not(tmp_path: Path):
    with served("--data", tmp_path) as first:
        assert first.token is not None
        with first.client() as client:
            game = open_game(client)
        assert first.end() == 0
    with served("--data", tmp_path) as second:
        assert second.token is None
        with second.client(first.token) as client:
            assert done(client.get(f"/v1/games/{game}"))["position"] == 1


@pytest.mark.skipif(shutil.which("curl") is None, reason="there is no curl")
def test_the_printed_curl_line_opens_a_game_as_it_stands(tmp_path: Path):
    with served("--data", tmp_path) as server:
        line = server.greeting[server.greeting.index("curl ") :]
        answer = subprocess.run(["sh", "-c", line], capture_output=True, text=True, check=True, timeout=PATIENCE)
    assert json.loads(answer.stdout)["position"] == 1


def test_the_database_does_not_tell_the_secret_of_a_token(tmp_path: Path):
    with served("--data", tmp_path) as server:
        assert server.token is not None
        stored = b"".join(file.read_bytes() for file in tmp_path.iterdir())
        assert server.token.encode() not in stored


def test_without_a_token_nobody_opens_a_game(tmp_path: Path):
    with served("--data", tmp_path) as server:
        assert httpx.post(f"{server.url}/v1/games", json={"ruleset": "casino", "seats": 2}).status_code == 401


def test_a_term_signal_ends_it_in_time_and_cleanly_while_clients_stay_connected(tmp_path: Path):
    with served("--data", tmp_path) as server, server.client() as client:
        game = open_game(client)
        play_on(client, game)
        assert server.end(signal.SIGTERM) == 0


def test_ctrl_c_ends_it_cleanly_too(tmp_path: Path):
    with served("--data", tmp_path) as server:
        assert server.end(signal.SIGINT) == 0
        assert server.process.stdout is not None
        assert server.process.stdout.read() == ""


def test_a_server_that_nobody_listens_to_any_more_goes_on_and_ends_cleanly(tmp_path: Path):
    command = [str(KIEBITZ), "serve", "--port", "0", "--data", str(tmp_path)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=environment()) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.close()
        address = until(lambda: (running := holder(tmp_path / "serve.lock")) and running.address)
        assert httpx.get(f"{address}/health/live", timeout=PATIENCE).status_code == 200  # it listens before it answers
        process.terminate()
        assert process.wait(PATIENCE) in (0, 120)  # 120: Python could not flush its standard output
        assert "Traceback" not in process.stderr.read()


def test_a_second_server_on_the_same_folder_is_refused_and_told_of_the_first(tmp_path: Path):
    with served("--data", tmp_path) as first:
        second = run("serve", "--data", tmp_path, "--port", 0)
    assert second.returncode == 1
    assert f"in use by kiebitz serve at {first.url} (process {first.process.pid})" in second.stderr
    assert "Traceback" not in second.stderr


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


def test_a_postgresql_database_has_to_be_migrated_by_somebody(postgres_url: str, tmp_path: Path):
    refused = run("serve", "--database-url", postgres_url, "--port", 0)
    assert refused.returncode == 1
    assert "kiebitz migrate" in refused.stderr
    assert run("migrate", "--database-url", postgres_url).returncode == 0
    with served("--database-url", postgres_url) as server, server.client() as client:
        open_game(client)


def test_serve_migrates_a_postgresql_database_if_it_is_told_to(postgres_url: str):
    with served("--migrate", KIEBITZ_DATABASE_URL=postgres_url) as server, server.client() as client:
        open_game(client)


def test_settings_come_from_the_environment(tmp_path: Path):
    with served(KIEBITZ_DATA=str(tmp_path)) as server:
        assert server.token is not None
    assert (tmp_path / "journal.db").exists()
