"""Equivalence of forked and executed processes, and their end with the tests."""

import os
import signal
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from subprocess import Popen
from threading import Barrier

import pytest

from tests.deploy.freezing import children
from tests.deploy.serving import KIEBITZ, PATIENCE, environment, greeted, open_game, play_on, started, until
from tests.forking import Process

KILLED = """
import os, signal, sys
from tests.deploy.serving import served
with served("--data", sys.argv[1]) as server:
    print(server.process.pid, flush=True)
    os.kill(os.getpid(), signal.SIGKILL)
"""

OF_BACKGROUND = 1 << signal.SIGHUP - 1 | 1 << signal.SIGQUIT - 1
"""Signals that a shell and nohup make background processes ignore; only executed processes inherit that."""


def there(process: int) -> bool:
    return Path(f"/proc/{process}").exists() and " Z " not in Path(f"/proc/{process}/stat").read_text()


def fork_servers() -> set[int]:
    """Return the fork servers of this process."""
    return {child for child in children(os.getpid()) if "forking.py" in Path(f"/proc/{child}/cmdline").read_text()}


@pytest.mark.parametrize("arguments", [["check", "-"], ["nothing"]])
def test_a_command_says_and_ends_the_same(arguments: list[str]):
    said = []
    for kind in (Popen, Process):
        command, pipe = [str(KIEBITZ), *arguments], subprocess.PIPE
        with kind(command, stdin=pipe, stdout=pipe, stderr=pipe, text=True, env=environment()) as process:
            said.append((*process.communicate("not a record"), process.returncode))
    assert said[0] == said[1]


def test_a_signal_that_comes_at_once_is_not_lost():
    for _ in range(5):
        with Process([sys.executable, "-P", "-c", "import signal; signal.pause()"]) as process:
            process.terminate()
            assert process.wait(PATIENCE) == -signal.SIGTERM


def test_a_server_has_the_same_processes_group_and_signals(tmp_path: Path):
    """The first server is executed, with all processes that it starts."""
    told = []
    for name, command in (("executed", [sys.executable, str(KIEBITZ)]), ("forked", [str(KIEBITZ)])):
        with started([*command, "serve", "--port", "0", "--data", str(tmp_path / name)]) as process:
            server = greeted(process)
            with server.client() as client:
                play_on(client, open_game(client))
            status = dict(line.split(":\t") for line in Path(f"/proc/{process.pid}/status").read_text().splitlines())
            modules = sorted(Path(f"/proc/{child}/cmdline").read_text().split("\0")[1:4] for child in children(process.pid))
            own = [os.getpgid(process.pid) == process.pid, os.getsid(process.pid) == os.getsid(0), int(status["PPid"]) == os.getpid()]
            ignored = int(status["SigIgn"], 16) & ~OF_BACKGROUND
            told.append((modules, own, ignored, status["SigCgt"], server.end(signal.SIGINT)))
    assert told[0] == told[1]
    assert told[0][1] == [True] * 3


def test_threads_may_start_commands_at_once(monkeypatch: pytest.MonkeyPatch):
    """All threads use one fork server: with two, one could release what the other is about to adopt, and nobody could end that process."""
    monkeypatch.setattr(Process, "server", None)
    before, together = fork_servers(), Barrier(4, timeout=60)

    def ended(_: int) -> int:
        together.wait()
        with Process([str(KIEBITZ), "nothing"], stderr=subprocess.DEVNULL) as process:
            return process.wait()

    with ThreadPoolExecutor(4) as threads:
        assert list(threads.map(ended, range(4))) == [2] * 4
    assert len(fork_servers() - before) == 1


def test_a_server_is_gone_when_the_tests_are_killed(tmp_path: Path):
    ended = subprocess.run(
        [sys.executable, "-c", KILLED, tmp_path],
        env=os.environ | {"PYTHONPATH": str(Path(__file__).parents[1])},
        stdout=subprocess.PIPE,
        check=False,
    )
    assert ended.returncode == -signal.SIGKILL
    until(lambda: not there(int(ended.stdout)))
