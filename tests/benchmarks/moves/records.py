"""Whole records: importing them beside checking them, which is all but recording; and how soon a command of the line has started."""

import subprocess
import sysconfig
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from http.client import HTTPConnection
from itertools import count
from pathlib import Path
from time import perf_counter

import msgspec

from tests.benchmarks.measure import Figure
from tests.benchmarks.moves.machine import SERVER, on_core
from tests.benchmarks.moves.places import Place, Running, kiebitz, recorder_of, sqlite_place
from tests.benchmarks.moves.rounds import ROUNDS, Taken, figure, interleaved, latency_figure
from tests.deploy.serving import KIEBITZ, environment

RECORDS = 400
_LEAST = 0.7
_TWICE = 1.7
_START, _START_UNWRITTEN = 120.0, 250.0
"""Milliseconds, with bytecode and without that of Kiebitz and its packages."""
_STARTS = 5


def figures(quick: bool) -> Iterator[Figure]:
    rounds, records, starts = (1, 3, 1) if quick else (ROUNDS, RECORDS, _STARTS)
    with sqlite_place("SQLite on disk") as place, sqlite_place() as own:
        played = Played(own.settings.data, records)
        with kiebitz(place, recorder_of(place.settings)) as server:
            yield from _by_one(server, played, rounds)
        yield from _by_two(played, rounds)
        yield from _started(place, starts, rounds)


def goals(quick: bool) -> Iterator[Figure]:
    """What two processes do beside each other."""
    with sqlite_place() as own:
        yield from _by_two(Played(own.settings.data, 3 if quick else RECORDS // 2), 1 if quick else ROUNDS)


class Played:
    """Games of Casino, played once. Each copy of them is of another table: what was imported before would only be found again."""

    def __init__(self, folder: Path, records: int) -> None:
        self.records, self.store = records, folder / "store"
        self._folder, self._copies = folder, count(1)
        file = folder / "played.ndjson"
        _kiebitz("simulate", "casino", "--games", records, "--seed", 1, "--out", file)
        self._games = [msgspec.json.decode(line) for line in file.read_bytes().splitlines()]
        self.moves = sum(len(hand["moves"]) for game in self._games for hand in game["hands"])

    def copy(self) -> Path:
        table = f"{next(self._copies)}"
        file = self._folder / f"{table}.ndjson"
        file.write_bytes(b"".join(msgspec.json.encode({**game, "table": table}) + b"\n" for game in self._games))
        return file

    def ready(self, work: Callable[[Path], None]) -> Callable[[], Callable[[], Taken]]:
        def of_a_round() -> Callable[[], Taken]:
            file = self.copy()
            return lambda: _taken(lambda: work(file), self.moves)

        return of_a_round


def _by_one(server: Running, played: Played, rounds: int) -> Iterator[Figure]:
    def own(*arguments: object) -> None:
        with on_core(SERVER):
            _kiebitz(*arguments, "--jobs", 1)

    found = interleaved(
        {
            "check": played.ready(lambda file: own("check", "--errors", file)),
            "import": played.ready(lambda file: own("import", file, "--data", played.store)),
            "post": played.ready(lambda file: _posted(server, file)),
        },
        rounds,
    )
    yield figure("moves checked, one process", found["check"])
    yield figure("moves imported by kiebitz import, one process, SQLite on disk", found["import"], "kiebitz check", found["check"], _LEAST)
    yield figure("moves taken by POST /v1/records, SQLite on disk", found["post"], "kiebitz check", found["check"], _LEAST)


def _by_two(played: Played, rounds: int) -> Iterator[Figure]:
    audited = ("audit", "--all", "--data", played.store.with_name("audited"))
    _kiebitz("import", played.copy(), *audited[2:])
    found = interleaved(
        {
            "one": played.ready(lambda file: _kiebitz("check", "--errors", file, "--jobs", 1)),
            "two": played.ready(lambda file: _kiebitz("check", "--errors", file, "--jobs", 2)),
            "apart": lambda: _at_once(played),
            "import": played.ready(lambda file: _kiebitz("import", file, "--data", played.store, "--jobs", 2)),
        },
        rounds,
    )
    yield figure("moves checked, two processes", found["two"], "one process", found["one"], _TWICE)
    yield figure("moves checked by two kiebitz check at once, apart", found["apart"], "one of them alone", found["one"])
    yield figure("moves imported by kiebitz import, two processes", found["import"], "kiebitz check, two", found["two"], _LEAST)
    found = interleaved(
        {
            "one": lambda: lambda: _taken(lambda: _kiebitz(*audited, "--jobs", 1), played.moves),
            "two": lambda: lambda: _taken(lambda: _kiebitz(*audited, "--jobs", 2), played.moves),
        },
        rounds,
    )
    yield figure("moves audited, two processes", found["two"], "one process", found["one"], _TWICE)


def _at_once(played: Played) -> Callable[[], Taken]:
    """What two processes can do on this machine at all: each does what one alone does."""
    files = played.copy(), played.copy()

    def work() -> None:
        with ThreadPoolExecutor(2) as threads:
            list(threads.map(lambda file: _kiebitz("check", "--errors", file, "--jobs", 1), files))

    return lambda: _taken(work, 2 * played.moves)


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
