"""A whole cluster on this machine: started in its order, looked at, and ended to the last process."""

import shutil
import signal
import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, NoReturn

from deploy.config.failures import Failure
from deploy.ha import files, processes, state
from deploy.ha.layout import Layout, Machine
from deploy.ha.programs import Programs
from deploy.system.language import say

BOOT = 45  # seconds
_PATIENCE = 120.0  # seconds until something that does not come up is taken for broken
_GRACE = 20.0  # seconds for an orderly end
_LOOK = 0.2


class Cluster:
    """``account``: whose it is, if root started it. Everything lies in ``folder``; each program writes a log of its own there."""

    def __init__(self, layout: Layout, folder: Path, programs: Programs, account: str | None) -> None:
        self.layout, self.folder = layout, folder.resolve()
        self._programs, self._account = programs, account
        self._environment = processes.marked(self.folder)
        self._started: dict[str, subprocess.Popen[bytes]] = {}
        self._how: dict[str, Callable[[], subprocess.Popen[bytes]]] = {}

    def start(self) -> None:
        """Until there is a primary, and HAProxy leads to it."""
        self.folder.chmod(0o711)  # so that the account reaches its own
        for machine in self.layout.machines:
            self.prepare(machine)
            self.start_etcd(machine)
        for machine in self.layout.machines:
            self.start_patroni(machine)
        config = self._owned(files.write(self.folder / "haproxy.cfg", files.haproxy_cfg(self.layout)))
        self._start("haproxy", [self._programs.haproxy, "-db", "-f", config], self._within())
        self._until(lambda: state.is_whole(self.layout.machines))

    def prepare(self, machine: Machine) -> None:
        """What the programs of a machine are told."""
        folder, places = self.folder / machine.name, self.places(machine)
        files.write(folder / "etcd.env", files.etcd_env(self.layout, machine, places))
        files.write(folder / "patroni.yml", files.patroni_yml(self.layout, machine, places))
        folder.chmod(0o700)
        for path in (folder, *folder.glob("*.*")):
            self._owned(path)
        if subprocess.run([*self._within(), "test", "-w", str(folder)], check=False).returncode != 0:
            raise Failure(say("ha_not_reached", account=self._account or "", folder=folder), say("ha_other_folder"))

    def places(self, machine: Machine) -> files.Places:
        folder = self.folder / machine.name
        return files.Places(folder / "etcd", folder / "postgres", folder / "pgpass", self._programs.postgres, watchdog=False)

    def start_etcd(self, machine: Machine) -> None:
        settings = files.settings_in((self.folder / machine.name / "etcd.env").read_text())
        self._start(f"{machine.name}/etcd", [self._programs.etcd], self._within(machine), settings)

    def start_patroni(self, machine: Machine) -> None:
        config = self.folder / machine.name / "patroni.yml"
        self._start(f"{machine.name}/patroni", [self._programs.patroni, config], self._within(machine))

    def patronictl(self, *arguments: str) -> list[str]:
        """The command line of it, to run or to copy."""
        return [str(self._programs.patronictl), "-c", str(self.folder / self.layout.machines[0].name / "patroni.yml"), *arguments]

    def pids(self, machine: Machine) -> list[int]:
        """Patroni's and PostgreSQL's, if they are there. Killed or frozen together they are a machine that is lost."""
        patroni = self._started[f"{machine.name}/patroni"]
        postmaster = self.places(machine).postgres_data / "postmaster.pid"
        found = [patroni.pid] if patroni.poll() is None else []
        with suppress(OSError, IndexError):
            found.append(int(postmaster.read_text().split()[0]))
        return [pid for pid in found if processes.is_alive(pid)]

    def make_database(self) -> None:
        """The role and the database of Kiebitz, at the first time."""
        password = self.layout.passwords.kiebitz
        for there, make in (
            ("SELECT 1 FROM pg_roles WHERE rolname = 'kiebitz'", f"CREATE ROLE kiebitz LOGIN PASSWORD '{password}'"),
            ("SELECT 1 FROM pg_database WHERE datname = 'kiebitz'", "CREATE DATABASE kiebitz OWNER kiebitz"),
        ):
            if not self._psql(there):
                self._psql(make)

    def start_service(self, number: int, kiebitz: Path) -> None:
        """Its log holds the greeting. They share the key by which snapshots are sealed."""
        home = self.folder / f"service-{number + 1}"
        home.mkdir(exist_ok=True, mode=0o700)
        settings = {
            "KIEBITZ_DATABASE_URL": self.layout.database_url,
            "KIEBITZ_PORT": str(self.layout.services[number]),
            "KIEBITZ_DATA": str(home),
            "KIEBITZ_SNAPSHOT_KEY_FILE": str(self.folder / "snapshots.key"),
        }
        within = self._within(account=False)
        self._start(f"service-{number + 1}/kiebitz", [kiebitz, "serve", "--migrate"], within, settings)
        self._until(lambda: state.is_ready(self.layout.services[number]))

    def attend(self) -> NoReturn:
        """What was killed is started again after a while: so long a machine takes to boot, and the others are without it."""
        ended: dict[str, float] = {}
        while True:
            for name, process in self._started.items():
                if process.poll() is None:
                    ended.pop(name, None)
                elif time.monotonic() - ended.setdefault(name, time.monotonic()) > BOOT:
                    self._started[name] = self._how[name]()
            time.sleep(_LOOK)

    def end(self) -> None:
        """Services first, then the primary's way, then PostgreSQL and etcd; at last whatever is still there."""
        for part in ("kiebitz", "haproxy", "patroni", "etcd"):
            running = [process for name, process in self._started.items() if name.rpartition("/")[2] == part]
            processes.end([process.pid for process in running], _GRACE)
            for process in running:
                process.wait()
        processes.end_all(self.folder)

    def _start(self, name: str, command: list[Any], within: list[str], more: dict[str, str] | None = None) -> None:
        log = self.folder / f"{name}.log"
        self._how[name] = lambda: processes.start(command, log, self._environment | (more or {}), within)
        self._started[name] = self._how[name]()

    def _within(self, machine: Machine | None = None, *, account: bool = True) -> list[str]:
        lent = self._account if account else None
        taken = [f"--reuid={lent}", f"--regid={lent}", "--init-groups"] if lent else []
        return [*(machine.enter if machine else ()), str(self._programs.setpriv), "--pdeathsig=TERM", *taken]

    def _owned(self, path: Path) -> Path:
        if self._account:
            shutil.chown(path, self._account)
        return path

    def _psql(self, statement: str) -> str:
        """As the superuser. Neither his password nor the statement stands in the list of processes."""
        command = [str(self._programs.psql), "--no-psqlrc", "--quiet", "--tuples-only", "--no-align", self.layout.superuser_url]
        known = self._environment | {"PGPASSWORD": self.layout.passwords.superuser}
        return subprocess.run(command, input=statement, env=known, capture_output=True, text=True, check=True).stdout.strip()

    def _until(self, there: Callable[[], bool]) -> None:
        deadline = time.monotonic() + _PATIENCE
        while not there():
            ended = [name for name, process in self._started.items() if process.poll() is not None]
            if ended or time.monotonic() > deadline:
                raise Failure(say("ha_not_up", what=tuple(ended) or ("patroni",)), say("ha_logs", folder=self.folder))
            time.sleep(_LOOK)


@contextmanager
def running(layout: Layout, folder: Path, programs: Programs, account: str | None) -> Iterator[Cluster]:
    """Started, and ended whatever happens."""
    cluster = Cluster(layout, folder, programs, account)
    try:
        cluster.start()
        yield cluster
    finally:
        before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT, signal.SIGTERM})  # who is impatient leaves nothing behind
        cluster.end()
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
