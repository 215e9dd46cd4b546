"""`kiebitz ha start` as an operator runs it: killed, started again in the same folder, and ended."""

import re
import signal
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

from deploy.ha import processes
from tests.deploy.serving import KIEBITZ, done, environment, open_game, play_on
from tests.faults.scene import Finding, caller

MOVES = 5
PATIENCE = 60.0  # seconds until nothing is left


class Started(NamedTuple):
    process: subprocess.Popen[str]
    url: str
    token: str


def findings(folder: Path) -> Iterator[Finding]:
    with _started(folder) as first:
        with caller(first.url, first.token) as client:
            game = open_game(client)
            for _ in range(MOVES):
                play_on(client, game)
        first.process.kill()
        yield _left(folder, "the script is killed")
    with _started(folder) as again:
        with caller(again.url, first.token) as client:
            events = done(client.get(f"/v1/games/{game}/history"))["events"]
            yield Finding("started again: events that are there", f"{len(events)} of {MOVES + 1}", len(events) == MOVES + 1)
        again.process.send_signal(signal.SIGTERM)
        yield Finding("the script is ended: its answer", str(again.process.wait(PATIENCE)), again.process.returncode == 0)
        yield _left(folder, "the script is ended")


@contextmanager
def _started(folder: Path) -> Iterator[Started]:
    command = [str(KIEBITZ), "ha", "start", str(folder), "--lang", "en"]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environment())
    try:
        assert process.stdout
        said = ""
        while "Ctrl-C" not in said:
            line = process.stdout.readline()
            assert line, f"the script ended: {said}"
            said += line
        [url, _] = re.findall(r"Service +(\S+)", said)
        token = re.search(r"kb_\S+", (folder / "service-1" / "kiebitz.log").read_text())
        assert token
        yield Started(process, url, token[0].rstrip('"'))
    finally:
        process.kill()
        process.communicate()
        processes.end_all(folder)


def _left(folder: Path, when: str) -> Finding:
    begin = time.monotonic()
    while (left := processes.of(folder)) and time.monotonic() - begin < PATIENCE:
        time.sleep(0.2)
    return Finding(f"{when}: processes that are left", f"{len(left)} after {time.monotonic() - begin:.0f} s", not left)
