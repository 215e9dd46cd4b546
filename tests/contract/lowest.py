"""Check the lower bounds of the dependencies in pyproject.toml: the demo records its evening with the lowest versions that they allow."""

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

ROOT = Path(__file__).parents[2]


def findings() -> Iterator[str]:
    """Yield the output of the step that failed, if one did. Needs the package index or a cache of it."""
    (uv,) = (ROOT / ".tools").glob("uv-*/bin/uv")
    with TemporaryDirectory() as name:
        python, data = Path(name, "venv", "bin", "python"), Path(name, "data")
        commands: list[list[str | Path]] = [
            [uv, "venv", "--quiet", "--python", sys.executable, python.parents[1]],
            [uv, "pip", "install", "--quiet", "--python", python, "--resolution", "lowest-direct", f"{ROOT}[parquet,pdf]"],
            [python.with_name("kiebitz"), "demo", "--no-serve", "--data", data],
        ]
        for command in commands:
            done = subprocess.run(command, cwd=name, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
            if done.returncode:
                yield done.stdout
                return
