"""``./run mutants``: mutation testing. It puts small faults into a copy of the product, one after another, and says which no test finds.

First all tests run once under coverage, so that each line knows its tests and each test its seconds. A mutant meets the nearest tests of
its line first, then all others of its line, at last the whole suite. Survivors that change nothing (equivalent mutants) stand in
``equal.txt`` by file, line and change, with the reason, and do not count.
"""

import json
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Iterable, Mapping
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from queue import SimpleQueue
from tempfile import TemporaryDirectory
from typing import NamedTuple

import click
from coverage import CoverageData

from tests.mutants.making import FOLDERS, Mutant, draw_mutants

ROOT = Path(__file__).parents[2]
COVERAGE = ROOT / ".tools" / "mutants.coverage"
DURATIONS = ROOT / ".tools" / "mutants.durations.json"
EQUAL = Path(__file__).with_name("equal.txt")
AT_ONCE = ["-n", str(os.cpu_count() or 1), "--dist", "worksteal"]
NEAR_SECONDS = 45.0
"""The nearest tests together take this long without a mutant."""
HUNG_SECONDS = 3 * NEAR_SECONDS
"""The nearest tests hang when they are not done by then."""
SUITE_SECONDS = 3_600
_FAILED = (1, 2, 4)
"""Exit codes of pytest: a test failed, could not be collected, or its conftest could not be imported."""
FOUND, SURVIVED, HUNG = "found", "SURVIVED", "found (hung)"


class LineTests(NamedTuple):
    """The tests of a line: the nearest within ``NEAR_SECONDS``, and all others."""

    near: list[str]
    others: list[str]


def run_pytest(tree: Path, *arguments: str, seconds: float, shown: bool = False) -> int | None:
    """Return its exit code; ``None`` if it did not end in time."""
    environment = os.environ | {"PYTHONPATH": str(tree), "PYTHONDONTWRITEBYTECODE": "1"}
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", *arguments]
    process = subprocess.Popen(command, cwd=tree, env=environment, stdout=None if shown else subprocess.DEVNULL, process_group=0)
    try:
        return process.wait(seconds)
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, 9)
        process.wait()
        return None


def cover(tree: Path) -> None:
    """Run all tests, and note which ran which line and how long each took. A test that fails without a mutant is left out."""
    packages = [f"--cov={folder}" for folder in FOLDERS]
    os.environ |= {"COVERAGE_FILE": str(COVERAGE), "KIEBITZ_DURATIONS": str(DURATIONS)}
    plugins = ["-p", "tests.mutants.durations", "--cov-context=test", "--cov-report="]
    if run_pytest(tree, *AT_ONCE, *plugins, *packages, seconds=SUITE_SECONDS, shown=True) not in (0, 1):
        COVERAGE.unlink(missing_ok=True)
        raise click.ClickException("The tests did not run to the end without a mutant (see above).")


def list_tests(mutant: Mutant, coverage: CoverageData, durations: Mapping[str, float]) -> LineTests:
    """Return the tests that ran its line; for a line that runs only while its module is imported, those that ran the module."""
    contexts = coverage.contexts_by_lineno(mutant.file)
    of_line = durations.keys() & {name.partition("|")[0] for name in contexts.get(mutant.line, ())}
    names = of_line or durations.keys() & {name.partition("|")[0] for of_any in contexts.values() for name in of_any}
    if not names:
        return LineTests([find_test_folder(mutant.file)], [])
    ordered = sorted(names, key=lambda name: (-measure_nearness(mutant.file, name), durations[name], name))
    seconds, near = 0.0, 0
    while near < len(ordered) and (not near or seconds + durations[ordered[near]] <= NEAR_SECONDS):
        seconds += durations[ordered[near]]
        near += 1
    return LineTests(ordered[:near], ordered[near:])


def find_test_folder(file: str) -> str:
    folder = Path("tests") / Path(file).parent
    while not (ROOT / folder).is_dir():
        folder = folder.parent
    return str(folder)


def measure_nearness(file: str, test: str) -> int:
    """Return how many folders and names both paths share from the start."""
    own, its = Path(file).with_suffix("").parts, Path(test.partition("::")[0].replace("test_", "")).with_suffix("").parts[1:]
    return next((number for number, (one, other) in enumerate(zip(own, its, strict=False)) if one != other), min(len(own), len(its)))


def try_mutant(mutant: Mutant, tests: LineTests, tree: Path, whole: list[str] | None) -> str:
    """Return what came of it. ``whole``: arguments for a run of the whole suite against a survivor."""
    path = tree / mutant.file
    source = path.read_bytes()
    path.write_bytes(mutant.apply_to(source))
    try:
        near = run_pytest(tree, "-x", "-n0", *tests.near, seconds=HUNG_SECONDS)
        if near is None or near in _FAILED:
            return FOUND if near else HUNG
        if tests.others and run_pytest(tree, "-x", *AT_ONCE, *tests.others, seconds=SUITE_SECONDS):
            return FOUND
        return FOUND if whole is not None and run_pytest(tree, "-x", *AT_ONCE, *whole, seconds=SUITE_SECONDS) else SURVIVED
    finally:
        path.write_bytes(source)


@click.command()
@click.option("--count", default=120, show_default=True, help="Mutants that are made.")
@click.option("--seed", default=1, show_default=True, help="Another seed makes others.")
@click.option("--near", is_flag=True, help="Do not run the whole suite against those that survive the tests of their line.")
@click.option("--only", multiple=True, metavar="FILE:LINE", help="Only these of them, as after a test was written for a survivor.")
@click.option("--list", "only_list", is_flag=True, help="Only list them.")
def main(count: int, seed: int, near: bool, only: tuple[str, ...], only_list: bool) -> None:
    """Say which small faults no test finds. Exit code 1 if there are more than one in twenty."""
    mutants = [one for one in draw_mutants(ROOT, count, seed) if not only or f"{one.file}:{one.line}" in only]
    if only_list:
        click.echo("\n".join(map(str, mutants)))
        return
    equal = {line.partition(" # ")[0] for line in EQUAL.read_text().splitlines()}
    with TemporaryDirectory(prefix="kiebitz-mutants-") as folder:
        trees = [Path(folder) / str(number) for number in range(os.cpu_count() or 1)]
        for tree in trees:
            shutil.copytree(ROOT, tree, ignore=shutil.ignore_patterns(".git", ".venv", "__pycache__"))
        if not COVERAGE.exists():
            cover(trees[0])
        coverage, ran = CoverageData(str(COVERAGE)), json.loads(DURATIONS.read_text())
        coverage.read()
        durations = {name: seconds for name, seconds in ran.items() if seconds is not None}
        tests = {mutant: list_tests(mutant, coverage, durations) for mutant in mutants if mutant.key not in equal}
        whole = [f"--deselect={name}" for name in ran if name not in durations]
        results = try_all(tests, trees, None if near else whole)
    click.echo(f"\n{results.count(SURVIVED)} of {len(tests)} survived (seed {seed}), {len(mutants) - len(tests)} are equivalent")
    sys.exit(results.count(SURVIVED) > len(tests) / 20)


def try_all(tests: Mapping[Mutant, LineTests], trees: Iterable[Path], whole: list[str] | None) -> list[str]:
    """Return what came of each mutant. A mutant has a tree for itself, so that as many are tried at once as there are trees."""
    free: SimpleQueue[Path] = SimpleQueue()
    for tree in trees:
        free.put(tree)

    def try_one(mutant: Mutant) -> str:
        tree, began = free.get(), time.monotonic()
        try:
            came = try_mutant(mutant, tests[mutant], tree, whole)
        finally:
            free.put(tree)
        click.echo(f"{came:12} {time.monotonic() - began:5.0f} s  {mutant}")
        return came

    with ThreadPoolExecutor(free.qsize()) as threads:
        return list(threads.map(try_one, tests))


if __name__ == "__main__":
    main()
