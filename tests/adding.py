"""Instructions of documentation pages, executed in a copy of the project as a reader would follow them.

A page names a file in a line of its own, `` `domain/games/casino/checks.py`: ``. Below it is the file as a block, or its changes as a
``diff``. In a diff each run of ``-`` lines is replaced by the run of ``+`` lines after it; ``…`` is the rest of a line.
"""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]
HOUSE = ("domain", "replay", "projections", "api", "deploy", "tests", "docs", "pyproject.toml", "README.md")
KIEBITZ = ("-c", "from deploy.cli.main import main; main()")
PYTEST = ("-m", "pytest", "-q", "-n", "0", "-p", "no:cacheprovider")

_BLOCK = re.compile(r"^`([\w/.-]+)`[^\n]*:\n\n```(\w+)\n(.*?)^```$", re.DOTALL | re.MULTILINE)
_CHANGE = re.compile(r"((?:^-.*\n)+)((?:^\+.*\n)+)", re.MULTILINE)


def blocks(page: str) -> dict[str, tuple[str, str]]:
    """Return the language and the text of each block, by the path of its file."""
    return {path: (language, text) for path, language, text in _BLOCK.findall((ROOT / "docs" / page).read_text(encoding="utf-8"))}


def built(copy: Path, page: str) -> Path:
    """Make the copy with all changes of the page; return it.

    Compiled files come along: without them each process in the copy compiles the whole project anew.
    """
    for name in HOUSE:
        if (ROOT / name).is_dir():
            shutil.copytree(ROOT / name, copy / name, ignore=_left_out)
        else:
            shutil.copy(ROOT / name, copy / name)
    for path, (language, text) in blocks(page).items():
        file = copy / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(changed(file.read_text(encoding="utf-8"), text) if language == "diff" else text, encoding="utf-8")
    return copy


def _left_out(folder: str, names: list[str]) -> list[str]:
    """Leave out files that another test process is just writing."""
    return [name for name in names if folder.endswith("__pycache__") and not name.endswith(".pyc")]


def changed(text: str, difference: str) -> str:
    for old, new in _CHANGE.findall(difference):
        before, after = (re.sub(r"^[-+]|…\n\Z", "", lines, flags=re.MULTILINE) for lines in (old, new))
        assert text.count(before) == 1, before
        text = text.replace(before, after)
    return text


def run(house: Path, *command: str) -> subprocess.CompletedProcess[str]:
    """Run Python in the copy only: its folders come before installed packages."""
    own = {name: value for name, value in os.environ.items() if not name.startswith(("PYTEST", "KIEBITZ"))}
    env = {**own, "PYTHONPATH": str(house), "LC_ALL": "C.UTF-8"}
    return subprocess.run([sys.executable, *command], cwd=house, env=env, capture_output=True, text=True, check=False)
