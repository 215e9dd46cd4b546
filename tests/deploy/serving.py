"""Real server in a separate process, and a client that plays on it."""

import os
import re
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory, mkdtemp
from typing import TypeVar
from urllib.parse import urlsplit

import httpx

from tests.forking import Process, die_with_parent, is_forked

Answer = TypeVar("Answer")

PATIENCE = 300.0  # seconds until a process that says nothing is taken for hung, on however busy a machine
KIEBITZ = Path(sys.executable).with_name("kiebitz")
IMPATIENT = (sys.executable, "-P", "-m", "tests.deploy.impatient")
"""`kiebitz` that waits less: see there."""
_HOMES = TemporaryDirectory(prefix="kiebitz-homes-", ignore_cleanup_errors=True)


@dataclass(frozen=True)
class Served:
    process: subprocess.Popen[str]
    url: str
    token: str | None
    greeting: str

    def client(self, token: str | None = None) -> httpx.Client:
        return client_of(self.url, token or self.token)

    @property
    def alone(self) -> list[str]:
        """Return the address of each single worker."""
        found = re.search(r"^Each worker also listens on its own address: (.+)$", self.greeting, re.MULTILINE)
        return found[1].split(", ") if found else []

    def kill(self) -> None:
        self.process.kill()
        self.process.wait()

    def end(self, number: signal.Signals = signal.SIGTERM) -> int:
        self.process.send_signal(number)
        return self.process.wait(PATIENCE)


def environment(**more: str) -> dict[str, str]:
    """Without the settings of whoever runs the tests, without the size of his window, and in UTC. What nobody names lies in a folder of its
    own: the keys of the log, where the store is a database elsewhere."""
    own = {name: value for name, value in os.environ.items() if not name.startswith("KIEBITZ_") and name not in ("COLUMNS", "LINES")}
    return own | {"TZ": "UTC", "XDG_DATA_HOME": mkdtemp(dir=_HOMES.name)} | more


def run(*arguments: object, **more: str) -> subprocess.CompletedProcess[str]:
    command = [str(KIEBITZ), *map(str, arguments)]
    with Process(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=environment(**more)) as process:
        try:
            said, complained = process.communicate(timeout=PATIENCE)
        finally:
            process.kill()
    return subprocess.CompletedProcess(command, process.returncode, said, complained)


@contextmanager
def served(*arguments: object, command: Sequence[str] = (str(KIEBITZ),), **more: str) -> Iterator[Served]:
    """`kiebitz serve` on a free port. Killed at the end, if the test has not ended it."""
    with started([*command, "serve", "--port", "0", *map(str, arguments)], **more) as process:
        yield greeted(process)


@contextmanager
def started(command: Sequence[str], **more: str) -> Iterator[subprocess.Popen[str]]:
    """In a group of its own, as a terminal starts it."""
    ends = None if is_forked(command) else die_with_parent
    process = Process(
        command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, env=environment(**more), process_group=0, preexec_fn=ends
    )
    try:
        yield process
    finally:
        process.kill()
        process.communicate()


def greeted(process: subprocess.Popen[str]) -> Served:
    """Reads the greeting to its last line; what a dying process says instead is the failure's text."""
    assert process.stdout is not None
    said = ""
    # Only for the greeting: after it requests have their own patience, and a test may take as long as it likes.
    watchdog = threading.Timer(PATIENCE, process.kill)
    watchdog.start()
    try:
        while "Content-Type" not in said:
            line = process.stdout.readline()
            assert line, f"the server did not start: {said}"
            said += line
    finally:
        watchdog.cancel()
    found = re.search(r"listens on (\S+),", said)
    token = re.search(r"^  (kb_\S+)$", said, re.MULTILINE)
    assert found
    return Served(process, found[1], token and token[1], said)


def until(probe: Callable[[], Answer | None]) -> Answer:
    """The first answer of the probe, asked again and again for a while."""
    since = time.monotonic()
    while (waited := time.monotonic() - since) < PATIENCE:
        if answer := probe():
            return answer
        # What is waited for wants the processor, too: a probe is a request, as a rule. So the pause grows with what was waited in vain.
        time.sleep(max(0.005, min(waited / 8, 0.1)))
    raise AssertionError("it did not come about in time")


def listens(url: str) -> bool:
    """Return whether a server accepts connections there."""
    parts = urlsplit(url)
    with socket.socket() as line:
        return line.connect_ex((parts.hostname, parts.port)) == 0


def client_of(url: str, token: str | None) -> httpx.Client:
    # The authorities of the system are read for HTTPS alone: that takes longer than most tests.
    return httpx.Client(base_url=url, verify=url.startswith("https"), headers={"Authorization": f"Bearer {token}"}, timeout=PATIENCE)


def open_game(client: httpx.Client) -> str:
    return str(done(client.post("/v1/games", json={"ruleset": "casino", "seats": 2}))["game"])


def play_on(client: httpx.Client, game: str) -> dict:
    """One more event, always a legal one: whoever is to act trails a card; a new hand is dealt where one is over."""
    table = done(client.get(f"/v1/games/{game}/table"))
    if table["turn"] is None:
        dealer = 0 if table["dealer"] is None else (table["dealer"] + 1) % table["seats"]
        return done(client.post(f"/v1/games/{game}/hands", json={"dealer": dealer}))
    seat = table["turn"]
    move = {"seat": seat, "move": {"type": "trail", "card": table["hands"][seat][0]}}
    return done(client.post(f"/v1/games/{game}/moves", json=move))


def done(answer: httpx.Response) -> dict:
    assert answer.is_success, answer.text
    told: dict = answer.json()
    return told
