"""PostgreSQL's own pgbench: one durable INSERT of the same bytes, prepared, by as many clients."""

import os
import re
import subprocess
from pathlib import Path
from tempfile import TemporaryDirectory
from urllib.parse import urlsplit

import psycopg

from tests.benchmarks.moves.clients import a_move
from tests.benchmarks.moves.machine import SERVER, on_core
from tests.benchmarks.moves.sender import Sent
from tests.postgres import machine_programs, wheel_programs

_TABLE = """CREATE TABLE bare_moves (sequence bigserial PRIMARY KEY,
    id uuid NOT NULL, version bigint NOT NULL, topic text NOT NULL, state bytea NOT NULL, UNIQUE (id, version))"""
_SCRIPT = r"""\set version random(1, 9000000000000000000)
INSERT INTO bare_moves (id, version, topic, state) VALUES ('00000000-0000-4000-8000-000000000001', :version, :topic, :state);
"""


def lay_out(url: str) -> None:
    with psycopg.connect(url, autocommit=True) as line:
        line.execute(_TABLE)


def pgbench(url: str, clients: int, times: int) -> Sent:
    """On the core of the server, in whose place it stands."""
    address, (name, state) = urlsplit(url), a_move()
    with TemporaryDirectory() as folder, on_core(SERVER):
        (Path(folder) / "script").write_text(_SCRIPT)
        command = [str(_program()), "--no-vacuum", "--protocol=prepared", "--file=script", "--log", f"--client={clients}"]
        command += [f"--transactions={times}", f"--define=topic={name}", rf"--define=state=\x{state.hex()}"]
        command += [f"--host={address.hostname}", f"--port={address.port}", f"--username={address.username}", address.path[1:]]
        environment = os.environ | {"PGPASSWORD": address.password or ""}
        done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False)
        latencies = [int(line.split()[2]) / 1e6 for log in Path(folder).glob("pgbench_log.*") for line in log.read_text().splitlines()]
    found = re.search(r"tps = ([0-9.]+)", done.stdout)
    if done.returncode or not found:
        raise RuntimeError(done.stdout + done.stderr)
    return Sent(len(latencies) / float(found[1]), latencies)


def _program() -> Path:
    folders = [folder for folder in (machine_programs(), wheel_programs()) if folder and (folder / "pgbench").exists()]
    if not folders:
        raise RuntimeError("there is no pgbench on this machine")
    return folders[0] / "pgbench"
