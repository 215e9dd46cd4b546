"""The newest Python that the package names, unless it runs the tests itself: if it is on this machine, it gets an environment of what
``uv.lock`` names, imports every module, and records a hand.
"""

import os
import re
import sys
from pathlib import Path

import pytest

from tests.deploy.serving import served
from tests.npm import started
from tests.release import CLIENT, ROOT, bring_uv, call_uv

NAMED = re.findall(r"Python :: (3\.\d+)", (ROOT / "pyproject.toml").read_text(encoding="utf-8"))
NEWEST = NAMED[-1]
IMPORT = """
import pathlib, importlib
for package in ("domain", "projections", "replay", "api", "deploy"):
    for file in pathlib.Path(package).rglob("*.py"):
        name = ".".join(file.with_suffix("").parts).removesuffix(".__init__")
        if not name.startswith("deploy.client") and not name.endswith("__main__"):
            importlib.import_module(name)
"""


def find_python(version: str) -> str:
    """Return its path: on PATH, among those of uv, or of pyenv, whose commands on PATH do nothing unless that version is chosen."""
    folders = [str(folder) for folder in (Path.home() / ".pyenv" / "versions").glob(f"{version}.*/bin")]
    path = os.pathsep.join([*folders, os.environ["PATH"]])
    found = started(bring_uv(), "python", "find", "--no-project", "--system", version, UV_PYTHON_DOWNLOADS="never", PATH=path)
    if found.returncode:
        pytest.skip(f"There is no Python {version} on this machine.")
    return found.stdout.splitlines()[-1]


@pytest.mark.skipif(f"{sys.version_info.major}.{sys.version_info.minor}" == NEWEST, reason="All tests run under it.")
def test_every_module_and_a_hand_run_under_the_newest_python(tmp_path: Path):
    environment = ROOT / ".tools" / "pythons" / NEWEST
    synced = ("sync", "--quiet", "--frozen", "--no-dev", "--all-extras", "--python", find_python(NEWEST))
    call_uv(*synced, UV_PROJECT_ENVIRONMENT=str(environment))
    python = environment / "bin" / "python"
    imported = started(python, "-W", "error", "-c", IMPORT, cwd=ROOT)
    assert (imported.returncode, imported.stdout) == (0, "")
    with served("--data", tmp_path, command=[str(environment / "bin" / "kiebitz")]) as service:
        program = ROOT / CLIENT / "examples" / "record_hand.py"
        recorded = started(python, "-W", "error", program, service.url, service.token, PYTHONPATH=str(ROOT / CLIENT))
        assert recorded.stdout.splitlines()[-1] == "position 50: hand_over, points [4, 7]"
        assert service.end() == 0
