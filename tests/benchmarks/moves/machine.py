"""What the machine does while something is measured: cores, processor time, and how much of it went to others. Linux only.

Elsewhere nothing is pinned, every round counts as undisturbed, and processor times are zero.
"""

import os
import sys
import sysconfig
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from time import perf_counter

from msgspec import Struct

_PROC = Path("/proc")
_LINUX = sys.platform == "linux"
_TICK = os.sysconf("SC_CLK_TCK")
CORES = sorted(os.sched_getaffinity(0)) if _LINUX else []
"""What this process had when it began, wherever it is kept meanwhile."""
SERVER, OTHERS = 0, 1
"""Numbers of cores: one for the server, one for the load generator, PostgreSQL and the process that projects."""


def python() -> str:
    """Which Python measures here, and what makes it quicker or slower."""
    asked = "--enable-optimizations" in (sysconfig.get_config_var("CONFIG_ARGS") or "")
    optimised = asked or "posix_local" in sysconfig.get_scheme_names()  # Debian's own scheme; it optimises without being asked so
    built = "built with profile-guided optimisation" if optimised else "built without profile-guided optimisation"
    written = "may not be written" if sys.dont_write_bytecode else "may be written"
    model = next((line.partition(": ")[2] for line in _cpu_info() if line.startswith("model name")), "unknown processor")
    return f"Python {sys.version.split()[0]}, {built}; bytecode {written}; {os.cpu_count()} cores, {model}"


def _cpu_info() -> list[str]:
    file = _PROC / "cpuinfo"
    return file.read_text().splitlines() if file.exists() else []


@contextmanager
def on_core(number: int) -> Iterator[None]:
    """This process, and what it starts meanwhile, where there are cores enough."""
    if len(CORES) < 2:
        yield
        return
    before = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {CORES[number]})
    try:
        yield
    finally:
        os.sched_setaffinity(0, before)


class Watched(Struct):
    """``foreign``: of one core, the share that went to others meanwhile, other programs or other machines on the same hardware."""

    seconds: float = 0.0
    foreign: float = 0.0

    @property
    def spoilt(self) -> bool:
        return self.foreign > 0.1


@contextmanager
def watched() -> Iterator[Watched]:
    """Looks at what others did between the beginning and the end of the context."""
    found = Watched()
    own, (idle, stolen), start = _own(), _machine(), perf_counter()
    yield found
    found.seconds = perf_counter() - start
    idle_now, stolen_now = _machine()
    busy = found.seconds * (os.cpu_count() or 1) - (idle_now - idle)
    found.foreign = max(0.0, busy - (_own() - own) + stolen_now - stolen) / found.seconds if _LINUX else 0.0


def cpu_of(process: int) -> float:
    """Seconds of processor time of all its threads that still run, and of the processes that it started."""
    return sum(map(cpu_of_one, family(process))) if _LINUX else 0.0


def cpu_of_one(process: int) -> float:
    """The same without the processes that it started."""
    threads = (_PROC / str(process) / "task").glob("*/schedstat")
    return sum(int(path.read_text().split()[0]) for path in threads) / 1e9


def memory_of(process: int) -> float:
    """MB that the process has now, with those that it started."""
    statuses = [(_PROC / str(one) / "status").read_text() for one in family(process)] if _LINUX else []
    return sum(int(line.split()[1]) for status in statuses for line in status.splitlines() if line.startswith("VmRSS")) / 1024


def put_beside(process: int, number: int) -> None:
    """The processes that it started go to another core, where there are cores enough."""
    if len(CORES) >= 2:
        threads = [int(path.name) for one in family(process) - {process} for path in (_PROC / str(one) / "task").iterdir()]
        for thread in threads:
            os.sched_setaffinity(thread, {CORES[number]})


def check_cores(process: int) -> None:
    """Raise ``RuntimeError`` unless the server has a core of its own, and who projects and who keeps the log have another one."""
    if len(CORES) >= 2:
        found = {one: os.sched_getaffinity(one) for one in family(process)}
        beside = [cores for one, cores in found.items() if one != process]
        if (found[process], beside) != ({CORES[SERVER]}, [{CORES[OTHERS]}] * 2):
            raise RuntimeError(f"the server and what it started are on the wrong cores: {found}")


def family(process: int) -> set[int]:
    """The process, and all that came from it."""
    stats = dict(filter(None, map(_stat, _PROC.glob("[0-9]*"))))
    found = {process}
    while more := {pid for pid, (parent, _) in stats.items() if parent in found} - found:
        found |= more
    return found


def _machine() -> tuple[float, float]:
    """Seconds in which all cores were idle, and in which they were taken away."""
    if not _LINUX:
        return 0.0, 0.0
    numbers = [int(word) for word in (_PROC / "stat").read_text().split("\n", 1)[0].split()[1:]]
    return (numbers[3] + numbers[4]) / _TICK, numbers[7] / _TICK


def _own() -> float:
    """Seconds of processor time of this process and all that came from it, those that have ended included."""
    if not _LINUX:
        return 0.0
    stats = (_stat(_PROC / str(one)) for one in family(os.getpid()))
    return sum(stat[1][1] for stat in stats if stat)


def _stat(folder: Path) -> tuple[int, tuple[int, float]] | None:
    """A process, its parent and its seconds; None if it has just ended."""
    try:
        words = (folder / "stat").read_text().rpartition(")")[2].split()
    except OSError:
        return None
    return int(folder.name), (int(words[1]), sum(map(int, words[11:15])) / _TICK)
