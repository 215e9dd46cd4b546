"""A cluster by the files of `deploy/ha`, all of it on this machine: started in its order, looked at, and ended to the last process."""

import os
import random
import re
import shutil
import signal
import subprocess
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import httpx
import psycopg
from msgspec import Struct

from tests.deploy.freezing import children, send
from tests.postgres import account_for_server, machine_programs, wheel_programs

FILES = Path(__file__).parents[3] / "deploy" / "ha"
PATIENCE = 180.0  # seconds until something that does not come up is taken for broken
_GRACE = 20.0  # seconds for an orderly end
_LOOK = 0.2
_PLACES = os.pathsep.join((os.environ.get("PATH", os.defpath), "/usr/sbin", "/opt/patroni/bin"))


class Machine(Struct, frozen=True):
    """``enter``: what a command begins with that is to run there. Without it the machine is an address of loopback."""

    name: str
    address: str
    enter: tuple[str, ...] = ()


def on_loopback() -> tuple[Machine, ...]:
    """Three machines that are one, at addresses that nobody else has."""
    net = f"127.{random.randrange(1, 255)}.{random.randrange(255)}"
    return tuple(Machine(f"machine-{number}", f"{net}.{number}") for number in (1, 2, 3))


def missing() -> list[str]:
    """The programs of a cluster that are not here; README.md beside the files says how to install them."""
    names = [name for name in ("etcd", "haproxy", "patroni", "patronictl", "setpriv") if not shutil.which(name, path=_PLACES)]
    return names if machine_programs() or wheel_programs() else [*names, "postgresql"]


class Cluster:
    """Everything lies in ``folder``; each program writes a log of its own there."""

    def __init__(self, machines: Sequence[Machine], folder: Path) -> None:
        self.machines, self.folder = machines, folder.resolve()
        self._here = "127.0.0.1" if machines[0].enter else machines[0].address
        self._account = account_for_server()
        self._processes: dict[str, subprocess.Popen[bytes]] = {}
        addresses = [machine.address for machine in machines]
        subprocess.run(["sh", str(FILES / "fill.sh"), str(self.folder / "files"), *addresses], check=True)
        self.database_url = self._filled("kiebitz.env").strip().rpartition("KIEBITZ_DATABASE_URL=")[2]

    def start(self) -> None:
        """Until there is a primary, and HAProxy leads to it."""
        self.folder.chmod(0o711)  # so that the account reaches its own
        for machine in self.machines:
            self._prepare(machine)
            settings = re.findall(r"^(\w+)=(.*)$", self._filled("etcd.env", machine), re.MULTILINE)
            self._start(f"{machine.name}/etcd", ["etcd"], machine, dict(settings))
        for machine in self.machines:
            self.start_patroni(machine)
        config = self.folder / "haproxy.cfg"
        # Who is not root has no other account to take.
        config.write_text(re.sub(r"^ +(user|group) haproxy\n", "", self._filled("haproxy.cfg"), flags=re.MULTILINE))
        self._start("haproxy", ["haproxy", "-db", "-f", config])
        self.until(self.is_whole)

    def start_patroni(self, machine: Machine) -> None:
        self._start(f"{machine.name}/patroni", ["patroni", self.folder / machine.name / "patroni.yml"], machine)

    def make_database(self) -> None:
        """The role and the database of Kiebitz, as README.md says it."""
        [password] = re.findall(r"username: postgres\n +password: (\w+)", self._filled("patroni.yml", self.machines[0]))
        role = re.findall(r"//kiebitz:(\w+)@", self.database_url)[0]
        with psycopg.connect(f"postgresql://postgres:{password}@{self._here}:6432/postgres", autocommit=True) as db:
            db.execute(f"CREATE ROLE kiebitz LOGIN PASSWORD '{role}'".encode())
            db.execute("CREATE DATABASE kiebitz OWNER kiebitz")

    def url_at(self, machine: Machine) -> str:
        """Of its PostgreSQL itself, past HAProxy."""
        return self.database_url.replace(f"{self._here}:6432", f"{machine.address}:5432")

    def patronictl(self, *arguments: str) -> None:
        config = self.folder / self.machines[0].name / "patroni.yml"
        command = [_program("patronictl"), "-c", str(config), *arguments]
        subprocess.run(command, check=True, capture_output=True, timeout=60)

    def family(self, machine: Machine) -> list[int]:
        """Patroni and PostgreSQL with all their processes. Killed or frozen together they are a machine that is lost."""
        patroni = self._processes.get(f"{machine.name}/patroni")
        found = [patroni.pid] if patroni and patroni.poll() is None else []
        return [one for pid in (*found, *self.postmaster(machine)) for one in _family(pid)]

    def postmaster(self, machine: Machine) -> list[int]:
        """Its process, if it is there."""
        with suppress(OSError, IndexError):
            pid = int((self.folder / machine.name / "postgres" / "postmaster.pid").read_text().split()[0])
            return [pid] if Path(f"/proc/{pid}").exists() else []
        return []

    # As those say who run it

    def primary(self) -> Machine | None:
        """Who says of itself, asked as HAProxy asks, that it is the primary."""
        return next((machine for machine in self.machines if _asked(machine, "primary") is not None), None)

    def members(self, machine: Machine) -> list[dict[str, Any]]:
        """What Patroni on this machine says of all; nothing where it does not answer."""
        told = _asked(machine, "cluster")
        return told.json()["members"] if told else []

    def is_whole(self) -> bool:
        """All say the same: one leads, the others follow it at once, and nothing is acknowledged without one of these, whichever."""
        views = [sorted((one["role"], one.get("state"), one.get("timeline")) for one in self.members(machine)) for machine in self.machines]
        line = views[0][0][2] if views[0] else None
        return all(view == [("leader", "running", line), *[("quorum_standby", "streaming", line)] * 2] for view in views)

    def until(self, there: Callable[[], bool]) -> None:
        deadline = time.monotonic() + PATIENCE
        while not there():
            assert time.monotonic() < deadline, f"the cluster does not come to itself; its logs lie in {self.folder}"
            time.sleep(_LOOK)

    def end(self) -> None:
        """HAProxy, then the way of Patroni, which stops PostgreSQL, then etcd; at last whatever is still there."""
        for part in ("haproxy", "patroni", "etcd"):
            ending = [process for name, process in self._processes.items() if name.endswith(part)]
            for process in ending:
                process.terminate()
            deadline = time.monotonic() + _GRACE
            while any(process.poll() is None for process in ending) and time.monotonic() < deadline:
                time.sleep(_LOOK)
        for pid in [pid for machine in self.machines for pid in self.family(machine)]:
            send(pid, signal.SIGKILL)
        for process in self._processes.values():
            process.kill()
            process.wait()

    def _prepare(self, machine: Machine) -> None:
        folder = self.folder / machine.name
        folder.mkdir(mode=0o700)
        (folder / "patroni.yml").write_text(self._filled("patroni.yml", machine))
        self._account.take_over(folder)

    def _filled(self, name: str, machine: Machine | None = None) -> str:
        """A file as `fill.sh` wrote it, with the places of this machine, which no watchdog resets."""
        folder = self.folder / machine.name if machine else self.folder
        text = (self.folder / "files" / (machine.name if machine else "") / name).read_text()
        programs = machine_programs() or wheel_programs()
        for usual, here in (
            ("/var/lib/etcd/kiebitz", f"{folder}/etcd"),
            ("/var/lib/postgresql/kiebitz", f"{folder}/postgres"),
            ("/usr/lib/postgresql/15/bin", f"{programs}"),
            ("mode: automatic", 'mode: "off"'),
            ("127.0.0.1:", f"{self._here}:"),
        ):
            text = text.replace(usual, here)
        return text

    def _start(self, name: str, command: list[Any], machine: Machine | None = None, settings: dict[str, str] | None = None) -> None:
        lent = [f"--reuid={self._account.user}", f"--regid={self._account.group}", "--clear-groups"] if self._account.user else []
        within = [*(machine.enter if machine else ()), _program("setpriv"), "--pdeathsig=TERM", *lent]
        known = {"PATH": _PLACES, "HOME": str(self.folder), "LC_ALL": "C", **(settings or {})}
        with (self.folder / f"{name}.log").open("ab") as said:
            self._processes[name] = subprocess.Popen(  # in a session of its own, so that Ctrl-C does not reach it
                [*within, _program(command[0]), *map(str, command[1:])],
                cwd="/",
                env=known,
                stdin=subprocess.DEVNULL,
                stdout=said,
                stderr=said,
                start_new_session=True,
            )


@contextmanager
def running(machines: Sequence[Machine], folder: Path) -> Iterator[Cluster]:
    """Started, with a database for Kiebitz, and ended whatever happens."""
    cluster = Cluster(machines, folder)
    try:
        cluster.start()
        cluster.make_database()
        yield cluster
    finally:
        cluster.end()


def _program(name: str) -> str:
    found = shutil.which(name, path=_PLACES)
    assert found, f"{name} is not installed"
    return found


def _family(pid: int) -> Iterator[int]:
    yield pid
    for child in children(pid):
        yield from _family(child)


def _asked(machine: Machine, what: str) -> httpx.Response | None:
    """``None``: no answer, or one that is not 200."""
    with suppress(httpx.HTTPError):
        answer = httpx.get(f"http://{machine.address}:8008/{what}", timeout=2)
        return answer if answer.status_code == 200 else None
    return None
