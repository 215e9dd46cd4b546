"""An import of 100,000 records that is killed twice: complete in the end, nothing twice, and no more memory than for a small file."""

import json
import signal
import sqlite3
import subprocess
import tempfile
from collections import Counter
from collections.abc import Iterator
from contextlib import closing, suppress
from pathlib import Path
from time import perf_counter

import msgspec

from tests.deploy.serving import KIEBITZ, environment
from tests.faults.scene import Finding, counted

RECORDS = 100_000
FEW = 2_000
GROWN = 16  # MB
_LOOK = 0.05  # seconds between two looks at the process


def findings() -> Iterator[Finding]:
    with tempfile.TemporaryDirectory() as folder:
        here = Path(folder)
        small = _imported(here / "few", _written(here / "few.ndjson", FEW), ())
        start = perf_counter()
        large = _imported(here / "many", _written(here / "many.ndjson", RECORDS), (RECORDS // 3, RECORDS * 2 // 3))
        yield Finding(f"import of {RECORDS:,} records, killed twice, as a whole", f"{perf_counter() - start:.0f} s")
        yield Finding(f"the most memory: {FEW:,} records, {RECORDS:,} records", f"{small:.0f} MB, {large:.0f} MB", large - small < GROWN)
        lines = [msgspec.json.decode(line) for line in (here / "many.report").read_bytes().splitlines()]
        times = Counter(line["line"] for line in lines[1:-1])
        amiss = sum(times[line] != 1 for line in range(1, RECORDS + 1))
        yield counted("records that the report lacks, or has twice", amiss, RECORDS)
        yield counted("records that were refused", lines[-1]["refused"], RECORDS)
        yield counted("games that are missing, or there twice", abs(_games(here / "many") - RECORDS), RECORDS)


def _written(path: Path, number: int) -> Path:
    """Results on paper, every one with its ref."""
    with path.open("w", encoding="utf-8") as file:
        for game in range(number):
            hands = [{"dealer": 0, "result": {"points": [game % 12, 11 - game % 12]}}]
            ref = {"system": "archive", "id": str(game)}
            record = {"ruleset": "casino", "seats": 2, "played_at": "1998-03-07", "ref": ref, "hands": hands}
            file.write(json.dumps(record) + "\n")
    return path


def _imported(data: Path, file: Path, kills: tuple[int, ...]) -> float:
    """Killed once so many records are reported; answers the most memory (MB) of its processes."""
    report = data.with_suffix(".report")
    command = [str(KIEBITZ), "import", "--report", str(report), "--data", str(data), str(file)]
    most = 0.0
    for enough in (*kills, None):
        with subprocess.Popen(command, env=environment(), stdout=subprocess.DEVNULL) as process:
            while process.poll() is None:
                with suppress(subprocess.TimeoutExpired):
                    process.wait(_LOOK)
                most = max(most, _memory(process.pid))
                if enough is not None and _lines(report) > enough:
                    process.send_signal(signal.SIGKILL)
                    process.wait()
    return most


def _lines(report: Path) -> int:
    """Roughly, by the size of the lines at its beginning: counting them all, again and again, would take the import its time."""
    if not report.exists():
        return 0
    with report.open("rb") as file:
        beginning = file.read(65536)
    return report.stat().st_size * beginning.count(b"\n") // max(1, len(beginning))


def _memory(process: int) -> float:
    """MB that it has at most had in memory; Linux only."""
    try:
        status = Path(f"/proc/{process}/status").read_text(encoding="ascii")
    except OSError:
        return 0.0
    return next((int(line.split()[1]) / 1024 for line in status.splitlines() if line.startswith("VmHWM")), 0.0)


def _games(data: Path) -> int:
    with closing(sqlite3.connect(data / "journal.db")) as db:
        (number,) = db.execute("SELECT count(DISTINCT originator_id) FROM events").fetchone()
    return int(number)
