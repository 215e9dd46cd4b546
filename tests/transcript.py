"""Transcripts in the README, the tour and other pages: ``console`` blocks with commands after ``$`` and their output.

``python -m tests.transcript`` runs them, each page against a fresh service, and writes the output into the pages; the tests run them again
and compare. Ids, times, digests and tokens differ from run to run and are written as ``…``.
"""

import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.forking import Process

ROOT = Path(__file__).parents[1]
PAGES = (
    ROOT / "README.md",
    *(ROOT / "docs" / page for page in ("tour.md", "tournament-night.md", "real-table.md", "fair-decks.md", "series.md")),
    ROOT / "tests" / "hands-with-unknown-cards.md",
)

_SET_UP = re.compile(r"```sh\nexport .*\n((?:.*\n)*?)```")
_BLOCK = re.compile(r"```console\n(.*?)```", re.DOTALL)
_CHANGING = re.compile(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|\b[0-9a-f]{64}\b|\d{4}-\d\d-\d\dT[\d:.]+Z|kb_[\w-]{30,}")
_TOKEN = re.compile(r"kb_[\w-]{30,}")
_ADDRESS = re.compile(r"http://127\.0\.0\.1:\d+")
_MARK = "\x1e"


def blocks(text: str) -> list[str]:
    """Return the console blocks of a page, in order."""
    return _BLOCK.findall(text)


def commands(block: str) -> list[str]:
    return [line.removeprefix("$ ") for line in block.splitlines() if line.startswith("$ ")]


def told(output: str) -> str:
    """Return an output without the parts that differ from run to run."""
    return _CHANGING.sub("…", output)


@contextmanager
def service() -> Iterator[tuple[str, str]]:
    """Start a fresh service on a free port, with defaults; yield its address and the token that it prints."""
    with tempfile.TemporaryDirectory() as folder:
        command = [str(Path(sys.executable).with_name("kiebitz")), "serve", "--data", folder, "--port", "0"]
        with Process(command, cwd=ROOT, stdout=subprocess.PIPE, text=True) as process:
            try:
                yield _first_words(process)
            finally:
                process.terminate()


def _first_words(process: Process) -> tuple[str, str]:
    said = ""
    assert process.stdout is not None
    for line in process.stdout:
        said += line
        if token := _TOKEN.search(said):
            address = _ADDRESS.search(said)
            assert address is not None
            return address[0], token[0]
    raise RuntimeError(f"the service said only: {said}")


def played(text: str) -> list[str]:
    """Return the console blocks with the present output of their commands."""
    with service() as (url, token):
        return play(text, url, token)


def play(text: str, url: str, token: str) -> list[str]:
    """Play the console blocks on that service: their commands run in order in one shell, after the page's ``sh`` set-up."""
    [prelude] = _SET_UP.findall(text)
    asked = [command for block in blocks(text) for command in commands(block)]
    exported = f"export KIEBITZ_URL={url} KIEBITZ_TOKEN={token}"
    script = "\n".join([exported, prelude, *(f"{command}\nprintf '{_MARK}'" for command in asked)])
    programs = {**os.environ, "PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}"}
    done = subprocess.run(["bash", "-c", script], cwd=ROOT, env=programs, capture_output=True, text=True, check=True, timeout=300)
    outputs = iter(told(done.stdout).split(_MARK))
    return ["".join(f"$ {command}\n{_lines(next(outputs))}" for command in commands(block)) for block in blocks(text)]


def _lines(output: str) -> str:
    stripped = output.strip("\r\n").replace("\r\n", "\n")
    return f"{stripped}\n" if stripped else ""


def main() -> None:
    for page in PAGES:
        text = page.read_text(encoding="utf-8")
        new = iter(played(text))
        page.write_text(_BLOCK.sub(lambda _, new=new: f"```console\n{next(new)}```", text), encoding="utf-8")


if __name__ == "__main__":
    main()
