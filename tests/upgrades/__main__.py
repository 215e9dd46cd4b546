"""``python -m tests.upgrades COMMIT``: the stores of a version, recorded by the version itself."""

import gzip
import json
import os
import re
import subprocess
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import click

from tests.postgres import fresh_database, machine_programs, running_server, wheel_programs
from tests.upgrades.evening import Asker, recorded

STORES = Path(__file__).parent / "stores"
_ROOT = Path(__file__).parents[2]


@click.command()
@click.argument("commit")
def make(commit: str) -> None:
    """Record the stores of COMMIT anew."""
    folder = STORES / commit
    folder.mkdir(parents=True, exist_ok=True)
    with _worktree(commit) as tree, tempfile.TemporaryDirectory() as data, running_server() as server:
        embedded, url = Path(data) / "data", fresh_database(server)
        _keep(folder / "sqlite.json.gz", json.dumps(_filled(tree, "--data", str(embedded))).encode())
        _keep(folder / "sqlite.db.gz", (embedded / "journal.db").read_bytes())
        _keep(folder / "postgresql.json.gz", json.dumps(_filled(tree, "--migrate", "--database-url", url)).encode())
        _keep(folder / "postgresql.sql.gz", _dumped(url))


@contextmanager
def _worktree(commit: str) -> Iterator[Path]:
    """The version, set up as it sets itself up."""
    with tempfile.TemporaryDirectory() as folder:
        tree = Path(folder) / "kiebitz"
        _run(["git", "-C", str(_ROOT), "worktree", "add", "--detach", str(tree), commit])
        try:
            _run([str(tree / "run"), "--version"])
            yield tree
        finally:
            _run(["git", "-C", str(_ROOT), "worktree", "remove", "--force", str(tree)])


def _filled(tree: Path, *store: str) -> dict[str, Any]:
    """What is told of a new store, and the secrets of its tokens."""
    kiebitz, where = str(tree / ".venv" / "bin" / "kiebitz"), [part for part in store if part != "--migrate"]
    with subprocess.Popen([kiebitz, "serve", "--port", "0", *store], stdout=subprocess.PIPE, text=True, env=_environment()) as process:
        try:
            ask = _greeted(process)
            told = recorded(ask, lambda key, most: _run([kiebitz, "simulate", key, "--max-moves", str(most)]))
            viewer, revoked = (_run([kiebitz, "tokens", "issue", "--role", "viewer", "--label", label, *where]) for label in "ab")
            listed = _run([kiebitz, "tokens", "list", *where])
            _run([kiebitz, "tokens", "revoke", _id_of("b", listed), *where])
        finally:
            process.terminate()
            process.wait()
    return {**told, "director": ask.token, "viewer": viewer.strip(), "revoked": revoked.strip()}


def _greeted(process: "subprocess.Popen[str]") -> Asker:
    assert process.stdout is not None
    said = ""
    while "Content-Type" not in said:
        line = process.stdout.readline()
        assert line, f"the service did not start: {said}"
        said += line
    found = re.search(r"on (http\S+),.*?(kb_\S+)", said, re.DOTALL)
    assert found
    return Asker(found[1], found[2])


def _id_of(label: str, listed: str) -> str:
    [line] = [line for line in listed.splitlines() if re.search(rf"\s{label}\s", line)]
    return line.split()[0]


def _dumped(url: str) -> bytes:
    """A plain dump as statements, without what only psql understands."""
    programs = machine_programs() or wheel_programs()
    assert programs is not None
    said = _run([str(programs / "pg_dump"), "--inserts", "--rows-per-insert=200", "--no-owner", "--no-privileges", url])
    return "".join(line for line in said.splitlines(keepends=True) if not line.startswith(("\\", "--"))).encode()


def _keep(file: Path, content: bytes) -> None:
    """The same bytes each time for the same content."""
    file.write_bytes(gzip.compress(content, mtime=0))
    click.echo(f"{file.relative_to(_ROOT)}: {len(content):,} bytes, {file.stat().st_size:,} packed")


def _run(command: Sequence[str]) -> str:
    return subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True, env=_environment()).stdout


def _environment() -> dict[str, str]:
    return {name: value for name, value in os.environ.items() if not name.startswith("KIEBITZ_")} | {"COLUMNS": "200"}


if __name__ == "__main__":
    make()
