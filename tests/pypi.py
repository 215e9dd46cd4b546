"""Packages of PyPI that the lock file cannot contain, because they require a newer Python than Kiebitz does. They are downloaded once."""

import fcntl
import os
import runpy
from pathlib import Path

from tests.npm import started

ROOT = Path(__file__).resolve().parents[1]


def packages(pinned: Path, into: str) -> Path:
    """Return the folder to import from: the packages of ``requirements.txt`` in ``pinned``, by version and hash, in ``.tools/<into>``."""
    folder = ROOT / ".tools" / into
    folder.mkdir(parents=True, exist_ok=True)
    wanted = (pinned / "requirements.txt").read_bytes()
    with (folder / "lock").open("w") as waiting:
        fcntl.flock(waiting, fcntl.LOCK_EX)
        brought = folder / "brought"
        if not brought.exists() or brought.read_bytes() != wanted:
            _bring(pinned / "requirements.txt", folder / "packages")
            brought.write_bytes(wanted)
    return folder / "packages"


def _bring(requirements: Path, folder: Path) -> None:
    uv = runpy.run_path(str(ROOT / "run"))["bring_uv"]()
    asked = ("pip", "install", "--python-version", "3.12", "--no-deps", "--require-hashes", "--only-binary", ":all:")
    cache = os.environ.get("UV_CACHE_DIR", str(ROOT / ".tools" / "cache"))
    said = started(uv, *asked, "--target", folder, "-r", requirements, UV_PYTHON_DOWNLOADS="never", UV_CACHE_DIR=cache)
    if said.returncode != 0:
        raise RuntimeError(f"uv could not bring what {requirements} names:\n{said.stdout}")
