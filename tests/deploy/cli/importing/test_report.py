"""Reports of imports, and continuation of interrupted imports (COM-69)."""

import json
import os
import signal
import subprocess
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import msgspec
import pytest

from deploy.cli.bulk import MOST
from tests.deploy.cli.test_import_export import exported, kiebitz
from tests.deploy.serving import KIEBITZ, environment, served, until

GAME: dict[str, Any] = {"ruleset": "casino", "seats": 2, "hands": []}
REFUSED: dict[str, Any] = {**GAME, "seats": 9}
MANY = 300


def written(path: Path, *records: object) -> Path:
    path.write_text("".join(json.dumps(record) + "\n" for record in records), encoding="utf-8")
    return path


def named(name: str) -> dict[str, Any]:
    return {**GAME, "name": name, "players": [f"p-{name}", None]}


def lines(report: Path) -> list[dict[str, Any]]:
    return [msgspec.json.decode(line) for line in report.read_bytes().splitlines()]


def told(report: Path) -> list[tuple[Any, ...]]:
    return [(line["line"], line["name"], line["outcome"]) for line in lines(report)[1:-1]]


def cut(report: Path, keep: int, torn: bytes = b"") -> None:
    """As it is left by an import that broke off after so many records."""
    kept = report.read_bytes().splitlines(keepends=True)[: keep + 1]
    report.write_bytes(b"".join(kept) + torn)


def reported(report: Path, records: int) -> bool:
    return report.exists() and report.read_bytes().count(b"\n") > records


@pytest.fixture
def data(tmp_path: Path) -> Path:
    return tmp_path / "data"


@pytest.fixture
def report(tmp_path: Path) -> Path:
    return tmp_path / "import.report"


@pytest.fixture
def again(data: Path, report: Path) -> Callable[..., list[str]]:
    """Imports with a report; answers what is printed."""

    def run(*files: Path) -> list[str]:
        result = kiebitz("import", "--report", report, "--data", data, *files)
        assert result.exception is None or isinstance(result.exception, SystemExit), result.output
        return result.output.splitlines()

    return run


def test_a_report_tells_what_became_of_each_record(tmp_path: Path, data: Path, report: Path, again: Callable[..., list[str]]):
    file = written(tmp_path / "games.ndjson", named("a"), REFUSED, "nonsense", named("a"))
    printed = again(file)
    header, first, second, third, fourth, ending = lines(report)
    assert (header["format"], header["files"], header["dry_run"]) == ("kiebitz-import/1", [str(file)], False)
    assert (first["file"], first["line"], first["name"], first["ref"], first["outcome"]) == (str(file), 1, "a", None, "recorded")
    assert {first["game"], fourth["game"]} == {record["id"] for record in exported("--all", "--full", "--data", data)}
    assert (second["outcome"], second["game"], "bad_seats" in second["error"]) == ("refused", None, True)
    assert (third["outcome"], "malformed_record" in third["error"]) == ("refused", True)
    assert ending == {"recorded": 2, "already": 0, "refused": 2}
    assert report.stat().st_mode & 0o777 == 0o600
    assert printed == [*printed[:2], "2 of 4 recorded."]
    assert [line[0] for line in printed] == ["✗", "✗", "2"]


@pytest.mark.parametrize(("keep", "torn"), [(0, b""), (1, b'{"file":"ga'), (3, b"")])
def test_an_import_that_broke_off_goes_on_after_its_last_line(
    tmp_path: Path, data: Path, report: Path, again: Callable[..., list[str]], keep: int, torn: bytes
):
    file = written(tmp_path / "games.ndjson", named("a"), named("b"), named("a"), named("c"))
    again(file)
    whole = lines(report)
    cut(report, keep, torn)
    assert again(file) == [f"{keep} of 4 recorded. {4 - keep} were there already." if keep < 3 else "3 of 4 recorded. 1 was there already."]
    assert [line["game"] for line in lines(report)[1:-1]] == [line["game"] for line in whole[1:-1]]
    assert told(report) == [
        (number, name, "recorded" if number <= keep else "already") for number, name in enumerate(("a", "b", "a", "c"), 1)
    ]
    assert len(exported("--all", "--data", data)) == 4


def test_what_is_another_record_now_is_imported_with_all_that_follows(tmp_path: Path, report: Path, again: Callable[..., list[str]]):
    file = tmp_path / "games.ndjson"
    again(written(file, named("a"), REFUSED, named("b"), named("c")))
    cut(report, 3)
    assert again(written(file, named("a"), named("d"), named("b"), named("c"))) == ["2 of 4 recorded. 2 were there already."]
    assert told(report) == [(1, "a", "recorded"), (2, "d", "recorded"), (3, "b", "already"), (4, "c", "already")]


def test_a_report_that_is_complete_is_begun_anew(tmp_path: Path, report: Path, again: Callable[..., list[str]]):
    file = written(tmp_path / "games.ndjson", named("a"))
    again(file)
    assert again(file) == ["0 of 1 recorded. 1 was there already."]
    assert told(report) == [(1, "a", "already")]


def test_the_report_of_another_store_or_of_other_files_is_not_gone_on_with(tmp_path: Path, report: Path, again: Callable[..., list[str]]):
    file = written(tmp_path / "games.ndjson", named("a"), named("b"))
    again(file)
    cut(report, 1)
    before = report.read_bytes()
    elsewhere = kiebitz("import", "--report", report, "--data", tmp_path / "elsewhere", file)
    twice = kiebitz("import", "--report", report, "--data", tmp_path / "data", file, file)
    assert [(one.exit_code, "the report of another import" in one.output) for one in (elsewhere, twice)] == [(1, True), (1, True)]
    assert report.read_bytes() == before


def test_a_file_that_is_no_report_stays_as_it_is(tmp_path: Path, data: Path):
    file = written(tmp_path / "games.ndjson", named("a"))
    before = file.read_bytes()
    result = kiebitz("import", "--report", file, "--data", data, file)
    assert "is not the report of an import" in result.output
    assert file.read_bytes() == before


def test_a_dry_run_reports_and_is_not_gone_on_with(tmp_path: Path, data: Path, report: Path, again: Callable[..., list[str]]):
    file = written(tmp_path / "games.ndjson", named("a"), named("b"))
    assert kiebitz("import", "--dry-run", "--report", report, "--data", data, file).exit_code == 0
    cut(report, 1)
    assert again(file) == ["2 of 2 recorded."]


def test_through_a_server_it_goes_on_as_well(tmp_path: Path, data: Path, report: Path):
    file = written(tmp_path / "games.ndjson", named("a"), named("b"), named("a"))
    with served("--data", data) as server:
        through = ("import", "--report", report, "--url", server.url, "--token", server.token, file)
        assert kiebitz(*through).output == "3 of 3 recorded.\n"
        cut(report, 1)
        assert kiebitz(*through).output == "1 of 3 recorded. 2 were there already.\n"
        assert server.end() == 0
    assert len(exported("--all", "--data", data)) == 3


def test_an_import_that_is_killed_twice_ends_complete_with_nothing_twice(tmp_path: Path, data: Path, report: Path):
    file = tmp_path / "games.ndjson"
    records = [named(f"{number}") for number in range(MANY)]
    command = [str(KIEBITZ), "import", "--report", str(report), "--data", str(data), str(file)]
    os.mkfifo(file)
    for enough in (MANY // 10, MANY // 2):
        # The import waits for the end of the pipe, so it is not through before it is killed.
        with subprocess.Popen(command, env=environment(), stdout=subprocess.DEVNULL) as process, file.open("w", encoding="utf-8") as pipe:
            pipe.writelines(json.dumps(record) + "\n" for record in records)
            pipe.flush()
            until(partial(reported, report, enough))
            os.kill(process.pid, signal.SIGKILL)
            assert process.wait() == -signal.SIGKILL
    file.unlink()
    written(file, *records)
    subprocess.run(command, env=environment(), check=True, stdout=subprocess.DEVNULL)
    ending = lines(report)[-1]
    assert (ending["recorded"] + ending["already"], ending["already"] <= 2 * MOST, ending["refused"]) == (MANY, True, 0)
    assert [line["line"] for line in lines(report)[1:-1]] == [*range(1, MANY + 1)]
    assert sorted(record["players"][0] for record in exported("--all", "--data", data)) == sorted(f"p-{number}" for number in range(MANY))
