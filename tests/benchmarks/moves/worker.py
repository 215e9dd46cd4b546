"""A process of its own that does jobs: one JSON line in, one JSON line out. What measures and what waits for it do not share a thread."""

import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from typing import TypeVar

import msgspec

from tests.benchmarks.moves.machine import on_core

Job = TypeVar("Job")
Result = TypeVar("Result")


@contextmanager
def worker(module: str, core: int | None, result: type[Result], *arguments: str) -> Iterator[Callable[[object], Result]]:
    """On a core, or on whichever. Ends when the context does."""
    command = [sys.executable, "-m", module, *arguments]
    with nullcontext() if core is None else on_core(core):
        process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    with process:
        assert process.stdin is not None
        assert process.stdout is not None
        asked, told = process.stdin, process.stdout

        def ask(job: object) -> Result:
            asked.write(msgspec.json.encode(job) + b"\n")
            asked.flush()
            return msgspec.json.decode(told.readline(), type=result)

        try:
            yield ask
        finally:
            asked.close()
            process.wait()


def work(job: type[Job], do: Callable[[Job], object]) -> None:
    """Does jobs until there are no more."""
    for line in sys.stdin.buffer:
        sys.stdout.buffer.write(msgspec.json.encode(do(msgspec.json.decode(line, type=job))) + b"\n")
        sys.stdout.buffer.flush()
