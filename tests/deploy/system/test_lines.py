"""JSON log lines: a closed list of fields for any message, in every process of a service."""

import json
import logging
import os
import re
import sys
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path
from tempfile import TemporaryFile

import pytest

from api.common.long_reads import LongRead
from api.games.printed_sheet import PrintedSheet
from api.http.response import encode
from deploy.config.settings import Settings
from deploy.processes.exports import ExportProcess, ExportWork, ReaderProcess, ReadingWork
from deploy.processes.process_driver import PROJECTING, ChildProcess, Work
from deploy.stores.migrating import migrate
from deploy.system.log_lines import JsonLines
from tests.deploy.serving import run, until

AT = datetime(2026, 11, 21, 18, 30, 0, 250_000, UTC)


def record(message: str, **more: object) -> logging.LogRecord:
    made = logging.makeLogRecord({"name": "kiebitz.api", "levelname": "WARNING", "msg": message, "process": 7, **more})
    made.created = AT.timestamp()
    return made


def line(message: str, **more: object) -> dict:
    written = JsonLines(lambda: "evening-1").format(record(message, **more))
    assert "\n" not in written
    told: dict = json.loads(written)
    return told


def test_a_line_tells_when_how_bad_by_whom_what_and_of_which_request():
    assert line("two %s", args=("looks wait",)) == {
        "time": "2026-11-21T18:30:00.250000Z",
        "level": "warning",
        "logger": "kiebitz.api",
        "message": "two looks wait",
        "process": 7,
        "request_id": "evening-1",
    }


def test_an_id_that_an_answer_names_is_told():
    assert line("problem", error_id="evening-1")["error_id"] == "evening-1"


def test_a_traceback_is_a_field_and_no_further_lines():
    try:
        raise ValueError("a fault\nof two lines")
    except ValueError:
        told = line("it failed", exc_info=sys.exc_info())
    assert told["traceback"].endswith("ValueError: a fault\nof two lines")


def test_what_is_logged_beside_the_closed_list_is_not_told():
    assert "secret" not in line("a look", secret="kb_1")


def test_what_is_no_character_is_told_as_an_escape():
    assert line("no file a\udcff")["message"] == "no file a\\udcff"


def test_without_a_request_none_is_told():
    assert "request_id" not in json.loads(JsonLines(lambda: None).format(record("a look")))


def test_a_start_that_fails_says_why_in_a_line(tmp_path: Path):
    (tmp_path / "file").touch()
    result = run("serve", "--data", tmp_path / "file" / "data", "--port", 0, KIEBITZ_LOG_FORMAT="json")
    [told] = map(json.loads, result.stderr.splitlines())
    assert (result.returncode, told["level"], "cannot be written to" in told["message"]) == (1, "critical", True)


def heard(capfd: pytest.CaptureFixture[str]) -> list[dict]:
    """Return the JSON lines that a process wrote to standard error, once there are any."""
    said = ""

    def lines() -> list[str]:
        nonlocal said
        said += capfd.readouterr().err
        return re.findall(r".+\n", said)

    return [json.loads(one) for one in until(lines)]


def test_what_the_process_that_projects_ends_of_is_a_line(tmp_path: Path, capfd: pytest.CaptureFixture[str]):
    process = ChildProcess(PROJECTING)
    process.begin(Work(f"sqlite:///{tmp_path / 'none.db'}", f"sqlite:///{tmp_path / 'projections.db'}", "test", "json"))
    [told] = heard(capfd)
    process.stop()
    assert (told["level"], told["message"], told["process"] != os.getpid()) == ("critical", "the process ends", True)
    assert told["traceback"].endswith("run kiebitz migrate")


@pytest.mark.parametrize("kind", ["an export", "a read request"])
def test_the_processes_that_read_name_the_request_for_which_something_failed(kind: str, tmp_path: Path, capfd: pytest.CaptureFixture[str]):
    settings = Settings(data=tmp_path)
    migrate(settings.journal_url)
    exports = ExportProcess(ExportWork(settings.journal_url, settings.journal_url, "json"))
    readers = ReaderProcess(ReadingWork(settings.journal_url, settings.journal_url, "json", snapshot_key=b"x" * 32))
    process, job = {
        "an export": (exports, PrintedSheet(told="no JSON")),
        "a read request": (readers, LongRead(kind="imports", function="api.records.imports.unknown", given=b"")),
    }[kind]
    with closing(process), TemporaryFile() as file, process.begin(file.fileno()) as asked:
        asked.sendall(encode("evening-1") + b"\n" + encode(job) + b"\n")
        [told] = heard(capfd)
    assert (told["message"], told["request_id"], "traceback" in told) == (f"{kind} failed", "evening-1", True)
