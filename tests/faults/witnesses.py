"""Two services witness each other, and the machine of one is set back with all that lay on it: only others know what was signed since."""

import shutil
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import httpx

from tests.deploy.log.witness.processes import Witnessing, witnessing
from tests.deploy.log.writer.followed import doctor, log_key, monitor, witnessed
from tests.deploy.serving import Served, done, open_game, play_on, served, until
from tests.faults.scene import Finding

HERE, THERE = "club.example", "other.example"


class Club:
    """A service, whose log the witness of another club signs."""

    def __init__(self, folder: Path, host: str) -> None:
        self.host, self.data = host, folder / host
        self.token: str | None = None
        self.key = log_key(self.data, host)

    def serve(self, stack: ExitStack, witness: Witnessing) -> tuple[Served, httpx.Client]:
        self.settings = {"KIEBITZ_WITNESSES": f"{witness.url} {witness.key}", "KIEBITZ_LOG_HOST": self.host}
        server = stack.enter_context(served("--data", self.data, **self.settings))
        self.token = server.token or self.token
        return server, stack.enter_context(server.client(self.token))


def findings() -> Iterator[Finding]:
    with TemporaryDirectory() as name, ExitStack() as stack:
        folder = Path(name)
        here, there = Club(folder, HERE), Club(folder, THERE)
        of_here, of_there = (stack.enter_context(witnessing(folder / f"w{club.host}", club.key)) for club in (there, here))
        _, other = there.serve(stack, of_here)
        server, client = here.serve(stack, of_there)
        games = [open_game(one) for one in (client, other)]
        signed = [witnessed(one, 1).count("\n— ") for one in (client, other)]
        yield Finding("signatures on the first checkpoint of either service", f"{signed[0]}, {signed[1]}", signed == [2, 2])
        server.end()
        shutil.copytree(here.data, folder / "copy")
        server, client = here.serve(stack, of_there)
        for _ in range(3):
            play_on(client, games[0])
        witnessed(client, 4)
        yield _followed("who follows it", monitor(client, folder / "seen", here.key), 0)
        server.kill()
        set_back(here.data, folder / "copy")
        yield from _set_back(here, stack, of_there, games[0], folder)
        play_on(other, games[1])
        yield Finding("the other service goes on", f"{witnessed(other, 2).count('— ')} signatures", held=True)


def set_back(data: Path, copy: Path) -> None:
    """As a snapshot of the whole machine does it: what lies there are the same files, with what they held then."""
    for file in data.iterdir():
        if (copy / file.name).exists():
            file.write_bytes((copy / file.name).read_bytes())
        else:
            file.unlink()


def _set_back(club: Club, stack: ExitStack, witness: Witnessing, game: str, folder: Path) -> Iterator[Finding]:
    _, client = club.serve(stack, witness)
    play_on(client, game)
    told: dict[str, Any] = until(lambda: (found := done(client.get("/health/ready")))["log"]["error"] and found)
    yield Finding(
        "/health/ready of the one that was set back",
        f"{told['status']}: {told['log']['error']}",
        "WitnessConflictError" in told["log"]["error"],
    )
    said = "has signed 4 entries, more than this store has"
    yield Finding("kiebitz doctor", said, said in doctor(club.data, {**club.settings, "COLUMNS": "200"}))
    yield _followed("who followed it", monitor(client, folder / "seen", club.key), 1)


def _followed(who: str, result: Any, exit_code: int) -> Finding:
    return Finding(f"kiebitz witness --follow, {who}", str(result.stdout.splitlines()[0].partition(": ")[2]), result.exit_code == exit_code)
