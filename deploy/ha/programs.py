"""The programs of a cluster: where they are, what is missing, and how root installs it."""

import os
import pwd
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from msgspec import Struct

from deploy.config.failures import Failure
from deploy.system.language import say

PATRONI = "4.1.5"
"""Debian 12 has 3.0.2, whose strict synchronous mode was mended four times since (docs/decisions/0064-cluster.md)."""
_VENV = Path("/opt/patroni")
_REQUIREMENTS = Path(__file__).with_name("patroni.txt")
_PACKAGES = {"postgres": "postgresql", "etcd": "etcd-server", "haproxy": "haproxy", "psql": "postgresql-client", "setpriv": "util-linux"}
_BESIDE_PATH = (Path("/usr/sbin"), Path("/usr/local/sbin"))
_POLICY = Path("/usr/sbin/policy-rc.d")
_ACCOUNTS = ("postgres", "nobody")


class Programs(Struct, frozen=True):
    etcd: Path
    haproxy: Path
    psql: Path
    setpriv: Path
    patroni: Path
    patronictl: Path
    postgres: Path
    """The folder of PostgreSQL's own."""


def found() -> Programs:
    """Raises ``Failure`` that says what to install."""
    missing = _missing()
    if missing or not _has_patroni():
        raise Failure(say("ha_missing", missing=(*missing, *(() if _has_patroni() else ("patroni",)))), *_commands(missing))
    there = {name: _program(name) for name in ("etcd", "haproxy", "psql", "setpriv")}
    return Programs(**there, patroni=_VENV / "bin/patroni", patronictl=_VENV / "bin/patronictl", postgres=_postgres())  # type: ignore[arg-type]


def install() -> None:
    """As root: what is missing, from Debian's packages and PyPI's. Debian's own services of that name are not started."""
    if missing := _missing():
        with _no_services():
            _run("apt-get", "install", "--yes", "--no-install-recommends", *_packages(missing))
    if not _has_patroni():
        with _no_services():
            _run("apt-get", "install", "--yes", "--no-install-recommends", "python3-venv")
        _run("/usr/bin/python3", "-m", "venv", "--clear", str(_VENV))
        _run(str(_VENV / "bin/pip"), "install", "--quiet", "--disable-pip-version-check", "--requirement", str(_REQUIREMENTS))


def lent_account() -> str | None:
    """PostgreSQL does not run as root, so root lends the cluster somebody else's account. ``None``: one's own."""
    if os.geteuid() != 0:
        return None
    for name in _ACCOUNTS:
        with suppress(KeyError):
            return pwd.getpwnam(name).pw_name
    raise Failure(say("ha_no_account"))


def _missing() -> list[str]:
    return [name for name in _PACKAGES if (_postgres() if name == "postgres" else _program(name)) is None]


def _has_patroni() -> bool:
    try:
        said = subprocess.run([str(_VENV / "bin/patroni"), "--version"], capture_output=True, text=True, check=False).stdout
    except OSError:
        return False
    return said.split()[-1:] == [PATRONI]


def _packages(missing: list[str]) -> list[str]:
    return sorted({_PACKAGES[name] for name in missing})


def _commands(missing: list[str]) -> list[str]:
    debian = " ".join([*_packages(missing), *(() if _has_patroni() else ("python3-venv",))])
    pypi = [f"python3 -m venv {_VENV}", f"{_VENV}/bin/pip install --requirement {_REQUIREMENTS}"]
    return [*([f"apt-get install --no-install-recommends {debian}"] if debian else []), *([] if _has_patroni() else pypi)]


def _program(name: str) -> Path | None:
    path = os.pathsep.join([os.environ.get("PATH", os.defpath), *map(str, _BESIDE_PATH)])
    there = shutil.which(name, path=path)
    return Path(there) if there else None


def _postgres() -> Path | None:
    """The newest that is installed; Debian keeps them out of the path."""
    folders = [folder for folder in Path("/usr/lib/postgresql").glob("*/bin") if (folder / "postgres").exists()]
    on_path = _program("initdb")
    return max(folders, key=lambda folder: int(folder.parent.name), default=on_path.resolve().parent if on_path else None)


@contextmanager
def _no_services() -> Iterator[None]:
    """Debian starts what it installs unless this file says no."""
    ours = not _POLICY.exists()
    if ours:
        _POLICY.write_text("#!/bin/sh\nexit 101\n")
        _POLICY.chmod(0o755)
    try:
        yield
    finally:
        if ours:
            _POLICY.unlink()


def _run(*command: str) -> None:
    environment = os.environ | {"DEBIAN_FRONTEND": "noninteractive"}
    if subprocess.run(command, env=environment, check=False).returncode != 0:
        raise Failure(say("ha_not_installed", command=" ".join(command)))
