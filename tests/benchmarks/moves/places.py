"""Where moves are recorded while they are measured: stores, and the servers on them, each a process of its own on the server's core."""

import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager, nullcontext
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory

import psycopg
from msgspec import Struct

from deploy.compose import open_services
from deploy.config.settings import Settings
from deploy.config.tokens import issue
from tests.benchmarks.moves.machine import OTHERS, SERVER, check_cores, on_core, put_beside
from tests.deploy.serving import KIEBITZ, environment, greeted
from tests.postgres import NoServerError, Server, account_for_server, answers, fresh_database, launch, running_server, stop

ON_DISK = "SQLite on disk"
_MEMORY = Path("/dev/shm")


class Place(Struct, frozen=True):
    """A folder, and a database if it is not the folder itself. ``bare`` is the address of what the endpoint inserts into."""

    name: str
    settings: Settings
    bare: str


class Running(Struct, frozen=True):
    """``alone``: the ports of its workers, if it has several."""

    process: int
    port: int
    token: str
    alone: tuple[int, ...] = ()

    @property
    def ports(self) -> tuple[int, ...]:
        return self.alone or (self.port,)


@contextmanager
def places() -> Iterator[Iterator[Place]]:
    """SQLite where writing through to the disk costs what it costs and where it costs nothing, and PostgreSQL. One at a time."""
    yield _places()


def _places() -> Iterator[Place]:
    with sqlite_place(ON_DISK) as place:
        yield place
    if _MEMORY.is_dir():
        with sqlite_place("SQLite in memory", _MEMORY) as place:
            yield place
    with postgres_place() as place:
        yield place


@contextmanager
def sqlite_place(name: str = "SQLite", parent: Path | None = None) -> Iterator[Place]:
    with TemporaryDirectory(prefix="kiebitz-bench-", dir=parent) as folder:
        yield Place(name, Settings(data=Path(folder).resolve()), f"sqlite://{Path(folder).resolve() / 'bare.db'}")


@contextmanager
def postgres_place() -> Iterator[Place]:
    with ExitStack() as stack:
        with on_core(OTHERS):
            server = stack.enter_context(roomy_server())
        yield stack.enter_context(database_place(server))


@contextmanager
def roomy_server() -> Iterator[Server]:
    """PostgreSQL that takes more connections than it does by itself: 128 clients of pgbench have one each. That takes a second start."""
    with running_server() as server:
        with psycopg.connect(server.url(), autocommit=True) as line:
            line.execute("ALTER SYSTEM SET max_connections = 300")
        stop(server.process)
        programs = Path(server.process.args[0]).parent  # pyrefly: ignore[bad-argument-type, bad-index]
        again = replace(server, process=launch(programs, server.folder, account_for_server(), server.port))
        try:
            if not answers(again):
                raise NoServerError("PostgreSQL did not start again")
            yield again
        finally:
            stop(again.process)


@contextmanager
def database_place(server: Server) -> Iterator[Place]:
    """A new database of a server that runs already."""
    with TemporaryDirectory(prefix="kiebitz-bench-") as folder:
        url = fresh_database(server)
        yield Place("PostgreSQL", Settings(data=Path(folder), database_url=url), url)


def recorder_of(settings: Settings, role: str = "recorder") -> str:
    """A new token of a recorder, in tables that are up to date."""
    with open_services(settings, alone=settings.embedded, migrate_too=True) as services:
        return issue(services.registers, services.clock, role, "bench")[1]


@contextmanager
def kiebitz(place: Place, token: str, **more: str) -> Iterator[Running]:
    """`kiebitz serve`."""
    also = {"KIEBITZ_DATABASE_URL": place.settings.database_url} if place.settings.database_url else {}
    command = [str(KIEBITZ), "serve", "--port", "0", "--data", str(place.settings.data)]
    with _started(command, environment(**also, **more)) as process:
        address = greeted(process).url
        put_beside(process.pid, OTHERS)
        check_cores(process.pid)
        yield Running(process.pid, _port(address), token)


@contextmanager
def kiebitz_by(workers: int, place: Place, token: str) -> Iterator[Running]:
    """The same by so many workers, on whichever cores."""
    command = [str(KIEBITZ), "serve", "--port", "0", "--workers", str(workers), "--worker-port", "0", "--data", str(place.settings.data)]
    with _started(command, environment(KIEBITZ_DATABASE_URL=place.settings.database_url or ""), core=None) as process:
        served = greeted(process)
        yield Running(process.pid, _port(served.url), token, tuple(map(_port, served.alone)))


@contextmanager
def bare(token: str, *arguments: str) -> Iterator[Running]:
    with _started([sys.executable, "-m", "tests.benchmarks.moves.bare", token, *arguments], environment()) as process:
        assert process.stdout is not None
        yield Running(process.pid, int(process.stdout.readline()), token)


def _port(address: str) -> int:
    return int(address.rpartition(":")[2])


@contextmanager
def _started(command: list[str], variables: Mapping[str, str], core: int | None = SERVER) -> Iterator[subprocess.Popen[str]]:
    with nullcontext() if core is None else on_core(core):
        process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, env=variables)
    with process:
        try:
            yield process
        finally:
            process.terminate()
