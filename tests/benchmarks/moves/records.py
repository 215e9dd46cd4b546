"""Whole records: importing them beside checking them, which is all but recording; and how soon a command of the line has started."""

import subprocess
import sysconfig
from collections.abc import Callable, Iterator
from http.client import HTTPConnection
from itertools import count
from pathlib import Path
from time import perf_counter

from tests.benchmarks.measure import Figure
from tests.benchmarks.moves.machine import SERVER, on_core
from tests.benchmarks.moves.places import Place, Running, kiebitz, recorder_of, sqlite_place
from tests.benchmarks.moves.rounds import ROUNDS, Taken, figure, interleaved, latency_figure
from tests.deploy.serving import KIEBITZ, environment

RECORDS = 300
_LEAST = 0.55
_START, _START_UNWRITTEN = 120.0, 250.0
"""Milliseconds, with bytecode and without that of Kiebitz and its packages."""
_STARTS = 5


def figures(quick: bool) -> Iterator[Figure]:
    rounds, records, starts = (1, 3, 1) if quick else (ROUNDS, RECORDS, _STARTS)
    with sqlite_place("SQLite on disk") as place, sqlite_place() as own:
        with kiebitz(place, recorder_of(place.settings)) as server:
            yield from _imported(server, own, records, rounds)
        yield from _started(place, starts, rounds)


def _imported(server: Running, own: Place, records: int, rounds: int) -> Iterator[Figure]:
    """Each round has records of its own: what was imported before is only found again."""
    seeds, folder = count(1), own.settings.data

    def ready(work: Callable[[Path], None]) -> Callable[[], Taken]:
        file = folder / f"{next(seeds)}.ndjson"
        _kiebitz("simulate", "casino", "--games", records, "--seed", next(seeds), "--out", file)
        return lambda: _taken(lambda: work(file), records)

    found = interleaved(
        {
            "check": lambda: ready(lambda file: _kiebitz("check", "--errors", file)),
            "import": lambda: ready(lambda file: _kiebitz("import", file, "--data", folder / "store")),
            "post": lambda: ready(lambda file: _posted(server, file)),
        },
        rounds,
    )
    yield figure("records imported by kiebitz import, SQLite on disk", found["import"], "kiebitz check", found["check"], _LEAST)
    yield figure("records taken by POST /v1/records, SQLite on disk", found["post"], "kiebitz check", found["check"], _LEAST)


def _started(place: Place, starts: int, rounds: int) -> Iterator[Figure]:
    file, cached = place.settings.data / "one.ndjson", place.settings.data / "bytecode"
    _kiebitz("simulate", "casino", "--max-moves", 20, "--out", file)
    _link_standard_library(cached)
    bare = {"PYTHONDONTWRITEBYTECODE": "1", "PYTHONPYCACHEPREFIX": str(cached)}

    def start(**variables: str) -> Callable[[], Taken]:
        return lambda: _together([_taken(lambda: _kiebitz("check", file, **variables), 1) for _ in range(starts)])

    written = {"PYTHONPYCACHEPREFIX": str(place.settings.data / "written")}
    found = interleaved({"with": lambda: start(**written), "without": lambda: start(**bare)}, rounds)
    yield latency_figure("kiebitz check of one record, with bytecode", found["with"], 0.5, _START)
    yield latency_figure("kiebitz check of one record, bytecode of Python alone", found["without"], 0.5, _START_UNWRITTEN)


def _link_standard_library(folder: Path) -> None:
    """Bytecode of Python itself is there wherever it is installed; that of packages need not be."""
    library = Path(sysconfig.get_path("stdlib"))
    for file in library.rglob("__pycache__/*.pyc"):
        if "site-packages" not in file.parts:
            place = Path(f"{folder}{file.parent.parent}")
            place.mkdir(parents=True, exist_ok=True)
            (place / file.name).symlink_to(file)


def _kiebitz(*arguments: object, **variables: str) -> None:
    own = {"PYTHONDONTWRITEBYTECODE": ""} | variables
    with on_core(SERVER):
        subprocess.run([str(KIEBITZ), *map(str, arguments)], check=True, capture_output=True, env=environment(**own))


def _posted(server: Running, file: Path) -> None:
    line = HTTPConnection("127.0.0.1", server.port)
    head = {"Authorization": f"Bearer {server.token}", "Content-Type": "application/x-ndjson"}
    line.request("POST", "/v1/records", file.read_bytes(), head)
    answer = line.getresponse()
    told = answer.read()
    line.close()
    if answer.status != 200:
        raise RuntimeError(told.decode())


def _taken(work: Callable[[], None], times: int) -> Taken:
    start = perf_counter()
    work()
    seconds = perf_counter() - start
    return Taken(seconds, [seconds / times] * times)


def _together(rounds: list[Taken]) -> Taken:
    return Taken(sum(one.seconds for one in rounds), [latency for one in rounds for latency in one.latencies])
