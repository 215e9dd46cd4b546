"""Export process: separate from the server's loop, ended with its server, and restarted when it has ended."""

import asyncio
import io
import os
import signal
import socket
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, contextmanager, suppress
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from tempfile import TemporaryFile
from typing import Any

import polars
import pytest

from api.common import exporting
from api.common.exporting import AT_ONCE, AWAY, DONE, Exporting
from api.common.names import NameViewer
from api.common.tables.files import TableFile
from api.games.printed_sheet import PrintedSheet
from api.http.errors import BrokenOff
from api.http.limits import ConcurrencyLimiter
from api.http.request import Principal, part_of
from api.http.response import encode
from api.scores.files import ScoreFile
from api.scores.formats import Start, csv_head
from api.services import Bound, Export, Services
from deploy.compose import open_readers
from deploy.config.settings import Settings
from deploy.processes.exports import ExportProcess, ExportWork
from deploy.server.export_worker import KINDS
from deploy.system.startup import NICE
from domain.access import WHOLE
from domain.journal.sessions import Token
from projections.models.score_lines.score_list import ScoreFilters
from tests.api.conftest import Service, running, settings_of, without_limits
from tests.api.scores.test_scores import LINES, play
from tests.deploy.serving import open_game, served, until

NDJSON = {"Accept": "application/x-ndjson"}
VIEWER = Principal("p_viewer", "viewer")
ALL = ScoreFile(
    form="csv",
    reach=WHOLE,
    filters=ScoreFilters(),
    start=Start(10**6),
    named=False,
    audience=NameViewer(sees_all=False, hall=None, language="en"),
    at=datetime(2026, 11, 22, tzinfo=UTC),
)  # fmt: skip


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("exports")


@pytest.fixture(scope="module")
def kiebitz(folder: Path) -> Iterator[Service]:
    """With a played game, and its process at work already."""

    def three_places(services: Services) -> Services:
        return replace(services, limits=replace(services.limits, per_second=None, exports=Bound(3, 3)))

    with running(settings_of(folder), three_places) as service:
        play(service.caller("recorder"), players=["anna", "bert"])
        assert told(exported(service)) == LINES
        yield service


@pytest.fixture
def process(folder: Path, kiebitz: Service) -> Iterator[ExportProcess]:
    """One apart from the service's, on the same database."""
    settings = Settings(data=folder / "data")
    with closing(ExportProcess(ExportWork(settings.journal_url, settings.projections_url))) as process:
        yield process


def exported(service: Service, form: str = "csv") -> Any:
    return service.caller("viewer").get(f"/v1/scores?format={form}")


def told(answer: Any) -> Any:
    """Of an export how many lines it has, of a problem what it says."""
    if answer.status_code == 200:
        return polars.read_csv(io.BytesIO(answer.content)).height
    return answer.status_code, answer.json()["code"], "retry-after" in answer.headers


def process_of(service: Service) -> int:
    running = service.services.exports._running  # pyrefly: ignore[missing-attribute]
    return int(running.process.pid)


@contextmanager
def frozen(service: Service) -> Iterator[int]:
    """Its process stands still, until it is let go on or has ended."""
    assert told(exported(service)) == LINES  # it is there
    process = process_of(service)
    os.kill(process, signal.SIGSTOP)
    try:
        yield process
    finally:
        with suppress(ProcessLookupError):
            os.kill(process, signal.SIGCONT)


def under_way(service: Service, number: int) -> None:
    """Waits until so many exports are under way."""
    until(lambda: len(part_of(service.client.app, Exporting)._making) == number)
    service.client.get("/health/live")  # goes through the same loop: by now it has done what it had begun


def run(process: ExportProcess, ask: Callable[[Exporting], Any]) -> Any:
    async def asked() -> Any:
        return await ask(Exporting(process, ConcurrencyLimiter("exports", Bound(10, 10))))

    return asyncio.run(asked())


def said(process: ExportProcess, file: int, job: Export, *, wanted: bool = True) -> bytes:
    """All that it says about a job."""
    with process.begin(file) as line, line.makefile("rb") as lines:
        line.sendall(encode("request-7") + b"\n" + encode(job) + b"\n")
        if not wanted:
            line.shutdown(socket.SHUT_WR)
        return lines.read()


# Apart


def test_an_export_is_made_by_a_process_of_lower_priority(kiebitz: Service):
    assert told(exported(kiebitz)) == LINES
    process = process_of(kiebitz)
    assert process != os.getpid()
    assert os.getpriority(os.PRIO_PROCESS, process) == min(os.getpriority(os.PRIO_PROCESS, 0) + NICE, 19)
    assert sys.platform != "linux" or os.sched_getscheduler(process) == os.SCHED_IDLE
    assert told(exported(kiebitz)) == LINES
    assert process_of(kiebitz) == process


@pytest.mark.usefixtures("executed")
def test_it_inherits_no_socket_and_no_file_of_the_server(process: ExportProcess):
    assert run(process, lambda exporting: exporting.read_all(VIEWER, ALL)).count(b"\n") == 1 + LINES
    assert process._running is not None
    [line] = sockets(process._running.process.pid)
    assert line not in sockets("self")


def sockets(process: object) -> list[str]:
    files = [str(file.readlink()) for file in Path(f"/proc/{process}/fd").iterdir() if file.is_symlink()]
    return [file for file in files if file.startswith("socket:")]


@pytest.mark.parametrize("kind", ["sqlite", "postgresql"])
def test_its_connections_cannot_write(kind: str, request: pytest.FixtureRequest, tmp_path: Path):
    settings = settings_of(tmp_path, None if kind == "sqlite" else request.getfixturevalue("postgres_url"))
    with running(settings, without_limits) as service, open_readers(settings.journal_url, settings.projections_url) as readers:
        play(service.caller("recorder"), hands=1)
        assert told(exported(service)) == LINES // 3
        assert readers.registers.list_tokens() == service.services.registers.list_tokens()
        assert readers.store.query("SELECT COUNT(*) FROM score_games") == [(1,)]
        with pytest.raises(Exception, match=r"read-?only"):
            readers.registers.add_token(Token("t_new", "hash", "p_new", "director", "new", "2026-11-21T00:00:00Z"))
        with pytest.raises(Exception, match=r"read-?only"), readers.store.transaction() as tx:
            tx.run("DELETE FROM score_games")


def test_it_can_be_asked_for_every_export_that_there_is():
    kinds = {*Export.__subclasses__(), *TableFile.__subclasses__()} - {TableFile}
    assert {kind.__name__ for kind in kinds} == {kind.__name__ for kind in KINDS}


# How it ends


def test_it_ends_with_its_server_however_that_ends(tmp_path: Path):
    with served("--data", tmp_path) as server, server.client() as client:
        open_game(client)
        assert client.get("/v1/scores?format=csv").status_code == 200
        server.kill()
        assert server.process.stdout is not None
        assert server.process.stdout.read() == ""  # ends when nobody holds it any more; the process would


def test_who_waits_for_an_export_when_the_process_ends_is_told_so_and_the_next_one_is_made(kiebitz: Service):
    with ThreadPoolExecutor() as threads, frozen(kiebitz) as process:
        waiting = threads.submit(exported, kiebitz)
        under_way(kiebitz, 1)
        os.kill(process, signal.SIGKILL)
        assert told(waiting.result()) == (503, "export_broken_off", True)
        assert told(exported(kiebitz)) == LINES
        assert process_of(kiebitz) != process


def test_a_process_that_says_nothing_is_ended(process: ExportProcess, monkeypatch: pytest.MonkeyPatch):
    assert said(process, os.open("/dev/null", os.O_WRONLY), ALL).endswith(DONE)
    assert process._running is not None
    hung = process._running.process
    hung.send_signal(signal.SIGSTOP)
    monkeypatch.setattr(exporting, "SILENCE", 0.0)
    with pytest.raises(BrokenOff):
        run(process, lambda exporting: exporting.read_all(VIEWER, ALL))
    assert hung.poll() == -signal.SIGKILL
    monkeypatch.undo()
    assert run(process, lambda exporting: exporting.read_all(VIEWER, ALL)).count(b"\n") == 1 + LINES


# The queue


def test_beyond_the_places_an_export_is_refused_and_those_that_wait_are_made(kiebitz: Service):
    with ThreadPoolExecutor() as threads:
        with frozen(kiebitz):
            waiting = [threads.submit(exported, kiebitz) for _ in range(3)]
            under_way(kiebitz, 3)
            assert told(exported(kiebitz)) == (503, "own_exports_busy", True)
            numbers = kiebitz.caller("director").get("/metrics").text.splitlines()
            assert {
                f'kiebitz_exports{{state="{state}"}} {number:.1f}' for state, number in (("waiting", 3.0 - AT_ONCE), ("making", AT_ONCE))
            } <= {*numbers}
            assert 'kiebitz_places_taken{what="exports"} 3.0' in numbers
        assert [told(each.result()) for each in waiting] == [LINES] * 3
    assert told(exported(kiebitz)) == LINES


def test_who_waits_too_long_for_his_turn_is_refused(kiebitz: Service, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(exporting, "TURN", 0.0)
    with ThreadPoolExecutor() as threads:
        with frozen(kiebitz):
            waiting = [threads.submit(exported, kiebitz) for _ in range(AT_ONCE)]
            under_way(kiebitz, AT_ONCE)
            assert told(exported(kiebitz)) == (503, "exports_busy", True)
        assert [told(each.result()) for each in waiting] == [LINES] * AT_ONCE


def test_text_does_not_wait_for_spreadsheets(process: ExportProcess):
    async def ask(exporting: Exporting) -> bytes:
        for _ in range(AT_ONCE):
            await exporting._turns["tables"].acquire()
        return await exporting.read_all(VIEWER, ALL)

    assert run(process, ask).count(b"\n") == 1 + LINES


def test_who_goes_leaves_his_place_and_his_turn_when_the_process_has_left_off(process: ExportProcess):
    async def ask() -> None:
        places = ConcurrencyLimiter("exports", Bound(1, 1))
        exporting = Exporting(process, places)
        pieces = exporting.pieces(VIEWER, ALL)
        await anext(pieces)
        await pieces.aclose()
        with places.acquire(VIEWER):
            await asyncio.gather(*exporting._making, return_exceptions=True)
        assert exporting._turns["text"]._value == AT_ONCE
        assert (await exporting.read_all(VIEWER, ALL)).count(b"\n") == 1 + LINES

    asyncio.run(ask())


def test_what_nobody_wants_any_more_is_not_made(process: ExportProcess):
    with TemporaryFile() as file:
        assert said(process, file.fileno(), ALL, wanted=False) == b"%d\n" % len(csv_head(named=False))
        assert said(process, file.fileno(), ALL).endswith(DONE)


def test_beyond_their_places_streams_are_refused_and_nothing_else_is(tmp_path: Path):
    def two_streams(services: Services) -> Services:
        return replace(services, limits=replace(services.limits, streams=Bound(2, 1)))

    with running(settings_of(tmp_path), two_streams) as service, ThreadPoolExecutor() as threads:
        play(service.caller("recorder"))
        viewer, arbiter, recorder = (service.caller(role) for role in ("viewer", "arbiter", "recorder"))
        with frozen(service):
            waiting = [threads.submit(caller.get, "/v1/scores?format=csv") for caller in (viewer, arbiter)]
            under_way(service, 2)
            assert told(viewer.get("/v1/feed", headers=NDJSON)) == (503, "own_streams_busy", True)
            assert told(recorder.get("/v1/feed", headers=NDJSON)) == (503, "streams_busy", True)
            assert told(exported(service)) == (503, "own_streams_busy", True)
            assert [caller.get("/v1/feed").status_code for caller in (viewer, recorder)] == [200, 200]
            recorder.open()
        assert [told(each.result()) for each in waiting] == [LINES] * 2
        assert viewer.get("/v1/feed", headers=NDJSON).status_code == 200


# What goes wrong


def test_a_full_disk_is_no_fault_of_the_program(process: ExportProcess):
    with Path("/dev/full").open("wb") as full:
        assert said(process, full.fileno(), ALL) == AWAY


def test_a_fault_of_our_own_is_one(process: ExportProcess):
    with pytest.raises(RuntimeError, match="the log"):
        run(process, lambda exporting: exporting.read_all(VIEWER, PrintedSheet(told="no JSON")))
