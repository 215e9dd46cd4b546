"""``./run mutants`` puts mutants into a copy of the product, one after another, and says which of them no test finds.

First all tests run once under coverage, so that each line knows its tests. A mutant meets the tests of its line, the nearest first, for two
minutes; what survives meets the whole suite. Survivors that change nothing stand in ``equal.txt`` with the reason, and do not count.
"""

import os
import shutil
import subprocess
import sys
import time
from pathlib import Path
from tempfile import TemporaryDirectory

import click
from coverage import CoverageData

from tests.mutants.making import FOLDERS, Mutant, drawn

ROOT = Path(__file__).parents[2]
COVERED = ROOT / ".tools" / "mutants.coverage"
EQUAL = Path(__file__).with_name("equal.txt")
AT_ONCE = ["-n", str(os.cpu_count() or 1), "--dist", "worksteal"]
SECONDS = 120
MOST = 150
"""Tests of a line that a mutant meets before the whole suite."""
_FAILED = (1, 2)
"""Exit codes of pytest: a test failed, or could not be collected."""
FOUND, SURVIVED, HUNG = "found", "SURVIVED", "found (hung)"


def pytest(tree: Path, *arguments: str, seconds: float | None = None) -> int | None:
    """Its exit code; ``None`` if it did not end in time."""
    environment = os.environ | {"PYTHONPATH": str(tree), "PYTHONDONTWRITEBYTECODE": "1"}
    command = [sys.executable, "-m", "pytest", "-x", "-q", "-p", "no:cacheprovider", *arguments]
    process = subprocess.Popen(command, cwd=tree, env=environment, stdout=subprocess.DEVNULL, process_group=0)
    try:
        return process.wait(seconds)
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, 9)
        process.wait()
        return None


def cover(tree: Path) -> None:
    """Runs all tests, and notes which ran which line."""
    packages = [f"--cov={folder}" for folder in FOLDERS]
    os.environ["COVERAGE_FILE"] = str(COVERED)
    if pytest(tree, *AT_ONCE, "--cov-context=test", "--cov-report=", *packages) != 0:
        COVERED.unlink(missing_ok=True)
        raise click.ClickException("Tests fail without a mutant; mend them first.")


def tests_of(mutant: Mutant, covered: CoverageData) -> list[str]:
    """Those that ran its line. What runs while a module is imported belongs to no test: then those of the folder."""
    names = {name.partition("|")[0] for name in covered.contexts_by_lineno(mutant.file).get(mutant.line, ()) if name}
    if names:
        return sorted(names, key=lambda name: (-nearness(mutant.file, name), name))[:MOST]
    folder = Path("tests") / Path(mutant.file).parent
    while not (ROOT / folder).is_dir():
        folder = folder.parent
    return [str(folder)]


def nearness(file: str, test: str) -> int:
    """How many folders and names both paths share from the start."""
    own, its = Path(file).with_suffix("").parts, Path(test.partition("::")[0].replace("test_", "")).with_suffix("").parts[1:]
    return next((number for number, (one, other) in enumerate(zip(own, its, strict=False)) if one != other), min(len(own), len(its)))


def outcome(mutant: Mutant, tests: list[str], tree: Path, suite: list[str] | None) -> str:
    """``suite``: how all tests are run, if they are to be."""
    path = tree / mutant.file
    whole = path.read_bytes()
    path.write_bytes(mutant.applied(whole))
    try:
        near = pytest(tree, "-n0", *tests, seconds=SECONDS)
        if near is None or near in _FAILED:
            return FOUND if near else HUNG
        return FOUND if suite is not None and pytest(tree, *suite, seconds=3_600) else SURVIVED
    finally:
        path.write_bytes(whole)


@click.command()
@click.option("--count", default=120, show_default=True, help="Mutants that are made.")
@click.option("--seed", default=1, show_default=True, help="Another seed makes others.")
@click.option("--near", is_flag=True, help="Do not run the whole suite against those that survive the tests of their line.")
@click.option("--list", "only_list", is_flag=True, help="Only list them.")
def main(count: int, seed: int, near: bool, only_list: bool) -> None:
    """Say which small faults no test finds. Exit code 1 if there are more than one in twenty."""
    mutants = drawn(ROOT, count, seed)
    if only_list:
        click.echo("\n".join(map(str, mutants)))
        return
    equal = {line.partition(" # ")[0] for line in EQUAL.read_text().splitlines()}
    suite = None if near else AT_ONCE
    with TemporaryDirectory(prefix="kiebitz-mutants-") as folder:
        tree = Path(folder) / "tree"
        shutil.copytree(ROOT, tree, ignore=shutil.ignore_patterns(".git", ".venv", "__pycache__"))
        if not COVERED.exists():
            cover(tree)
        covered = CoverageData(str(COVERED))
        covered.read()
        left = []
        for number, mutant in enumerate(mutants, 1):
            began = time.monotonic()
            came = "equal" if str(mutant) in equal else outcome(mutant, tests_of(mutant, covered), tree, suite)
            click.echo(f"{number:4} {came:12} {time.monotonic() - began:5.0f} s  {mutant}")
            left += [mutant] * (came == SURVIVED)
    click.echo(f"\n{len(left)} of {len(mutants)} survived (seed {seed})")
    sys.exit(len(left) > len(mutants) / 20)


if __name__ == "__main__":
    main()
