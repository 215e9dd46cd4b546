"""What takes long for readers: made apart from who records, bounded, and ended when nobody wants it any more."""

import asyncio
import json
import os
import pickle
import signal
import sqlite3
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, contextmanager, suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from api import threads
from api.common import long_reads
from api.common.exporting import Exporting
from api.common.long_reads import LongRead, ReadQueues
from api.http.limits import ConcurrencyLimiter
from api.http.request import Principal, part_of
from api.records.imports import BYTES, RecordLine
from api.services import Bound, Services
from api.threads import Threads
from deploy.system.startup import NICE
from tests.api.conftest import Caller, settings_of
from tests.api.games.test_writing import dealt, first_card
from tests.api.log.conftest import Logged, logging
from tests.api.play import worked
from tests.api.tournament import announced, entered
from tests.append_only import drop_triggers
from tests.deploy.freezing import children, frozen
from tests.deploy.serving import PATIENCE, served, until

DIRECTOR = Principal("p_director", "director")
NDJSON = {"Content-Type": "application/x-ndjson"}
FEW = long_reads.FEW  # as it is while no test runs


@pytest.fixture(scope="module")
def logged(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Logged]:
    """With few places."""
    with logging(settings_of(tmp_path_factory.mktemp("readers")), reads=Bound(3, 2)) as logged:
        yield logged


@pytest.fixture(scope="module")
def game(logged: Logged) -> str:
    game = worked(logged.caller("recorder"), "game-two-players-classic")
    logged.sign()
    return game


@pytest.fixture
def apart(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever is heavy is made by the process, of however few events."""
    monkeypatch.setattr(long_reads, "FEW", -1)


def process_of(logged: Logged) -> int:
    running = logged.service.services.readers._running  # pyrefly: ignore[missing-attribute]
    return int(running.process.pid)


def recorded(caller: Caller, game: str) -> Any:
    return caller.get(f"/v1/games/{game}/record").json()


def read_all(logged: Logged, game: str) -> dict[str, tuple[int, Any]]:
    """Each kind of what may take long, asked once for what is told and once for a refusal."""
    director, viewer, path = logged.caller("director"), logged.caller("viewer"), f"/v1/games/{game}"
    record = recorded(director, game)
    asked: dict[str, Callable[[], Any]] = {
        "audit": lambda: director.get(f"{path}/audit"),
        "a viewer's audit": lambda: viewer.get(f"{path}/audit"),
        "no tournament": lambda: director.get("/v1/tournaments/none/audit"),
        "proof": lambda: director.get(f"{path}/proof"),
        "record": lambda: viewer.get(f"{path}/record"),
        "full record": lambda: director.get(f"{path}/record?full=true&texts=true"),
        "branches": lambda: viewer.post(f"{path}/branches", {"position": 3, "moves": [{"seat": 0, "move": {"type": "none"}}]}),
        "replay": lambda: viewer.get(f"{path}/replay?limit=5&tables=false", headers={"Accept-Language": "de"}),
        "import": lambda: director.post("/v1/records?dry_run=true", record),
        "a refused import": lambda: director.post("/v1/records?dry_run=true", {**record, "hands": [{"dealer": 7}]}),
        "imports": lambda: director.post("/v1/records?dry_run=true", json.dumps(record) + "\n[]\n", headers=NDJSON),
    }
    answers = {name: ask() for name, ask in asked.items()}
    return {name: (answer.status_code, answer.json()) for name, answer in answers.items()}


def jobs(logged: Logged) -> Counter[str]:
    return Counter(part_of(logged.service.client.app, Threads).jobs)


# The same, apart


def test_what_is_made_by_the_process_is_what_a_thread_makes(logged: Logged, game: str, monkeypatch: pytest.MonkeyPatch):
    by_threads = read_all(logged, game)
    monkeypatch.setattr(long_reads, "FEW", -1)
    assert read_all(logged, game) == by_threads
    assert {status for status, _ in by_threads.values()} == {200, 404, 422}


def test_it_is_of_lower_priority_and_its_forks_end_with_what_they_make(logged: Logged, game: str, apart: None):
    assert recorded(logged.caller("viewer"), game)
    process = process_of(logged)
    assert os.getpriority(os.PRIO_PROCESS, process) == min(os.getpriority(os.PRIO_PROCESS, 0) + NICE, 19)
    until(lambda: not children(process))


# The threads


def test_readers_and_recorders_have_threads_of_their_own_and_tokens_others(logged: Logged, game: str):
    recorder = logged.caller("recorder")
    another = dealt(recorder)
    card = first_card(recorder, another)
    before = jobs(logged)
    read_all(logged, game)
    logged.caller("viewer").get("/v1/games")
    logged.caller("viewer").get(f"/v1/games/{game}/history")
    after = jobs(logged)
    assert after["recording"] == before["recording"]
    assert after["reading"] > before["reading"]
    assert [recorder.trail(another, 0, card, headers={"Idempotency-Key": "again"}).status_code for _ in range(2)] == [201, 201]
    assert jobs(logged)["reading"] == after["reading"]
    assert jobs(logged)["recording"] > after["recording"]


def test_tokens_are_looked_up_by_threads_of_their_own(logged: Logged):
    before = jobs(logged)
    assert replace(logged.caller("viewer"), token="kb_that_nobody_gave").get("/v1/games").status_code == 401
    after = {**jobs(logged), "service": before["service"]}  # what was refused before is counted in its own time
    assert after == {**before, "admission": before["admission"] + 1}


def test_rounds_are_drawn_by_threads_of_their_own(logged: Logged):
    director = logged.caller("director")
    tournament = announced(director)
    entered(director, tournament, 4)
    before = jobs(logged)["drawing"]
    assert director.post(f"{tournament}/rounds?dry_run=true", {}).status_code == 200
    assert jobs(logged)["drawing"] == before + 1


def test_where_too_much_waits_for_a_thread_no_further_reader_is_let_in(logged: Logged, game: str, monkeypatch: pytest.MonkeyPatch):
    viewer, path = logged.caller("viewer"), f"/v1/games/{game}/score-sheet"
    assert viewer.get(path).status_code == 200
    monkeypatch.setattr("api.http.limits.MOST_WAITING", 0)
    answer = viewer.get(path)
    assert (answer.status_code, answer.json()["code"], answer.headers["retry-after"]) == (503, "reads_busy", "5")
    assert logged.caller("arbiter").get(path).status_code == 200
    dealt(logged.caller("recorder"))


def test_who_waits_for_a_reader_keeps_no_recorder_waiting():
    pools = threads.Threads()
    with ended(pools), stopped(pools, "reading") as let_go:
        waiting = submitted(pools, "reading")
        assert submitted(pools, "recording").result(PATIENCE) is True
        assert (waiting.done(), pools.waiting()["reading"]) == (False, 1)
        let_go()
        assert waiting.result(PATIENCE) is True


@contextmanager
def ended(pools: threads.Threads) -> Iterator[None]:
    try:
        yield
    finally:
        pools.shutdown()


@contextmanager
def stopped(pools: threads.Threads, pool: threads.Pool) -> Iterator[Callable[[], None]]:
    """Every thread of the pool is busy until it is let go."""
    read, write = os.pipe()

    def let_go() -> None:
        with suppress(OSError):
            os.close(write)

    with threads.using_pool(pool):
        busy = [pools.submit(os.read, read, 1) for _ in range(threads.SIZES[pool])]
    until(lambda: not pools.waiting()[pool])
    try:
        yield let_go
    finally:
        let_go()
        for one in busy:
            one.result(PATIENCE)
        os.close(read)


def submitted(pools: threads.Threads, pool: threads.Pool) -> Any:
    with threads.using_pool(pool):
        return pools.submit(bool, 1)


# The places


def test_beyond_the_places_of_a_kind_it_is_refused_and_other_kinds_are_not(logged: Logged, game: str, apart: None):
    director, arbiter, committee = (logged.caller(role) for role in ("director", "arbiter", "committee"))
    assert recorded(director, game)
    path = f"/v1/games/{game}/audit"
    with ThreadPoolExecutor() as askers, frozen(process_of(logged)):
        waiting = [askers.submit(caller.get, path) for caller in (director, director, arbiter)]
        until(lambda: part_of(logged.service.client.app, ReadQueues)["audits"].places.number == 3)
        for caller, code in ((director, "own_reads_busy"), (committee, "reads_busy")):
            answer = caller.get(path)
            assert (answer.status_code, answer.json()["code"], answer.headers["retry-after"]) == (503, code, "5")
        waiting.append(askers.submit(director.get, f"/v1/games/{game}/record"))
        assert dealt(logged.caller("recorder"))
        assert 'kiebitz_places_taken{what="audits"} 3.0' in director.get("/metrics").text.splitlines()
        os.kill(process_of(logged), signal.SIGCONT)
        assert [one.result(PATIENCE).status_code for one in waiting] == [200] * 4


# How a job ends


def endless(logged: Logged, game: str) -> LongRead:
    """A dry run that would take hours."""
    line = RecordLine(1, json.dumps(recorded(logged.caller("director"), game)).encode())
    scope = {"type": "http", "headers": [], "user": DIRECTOR, "state": {}}
    given = pickle.dumps((scope, ([line] * 1_000_000, None), {}))
    return LongRead(kind="imports", function="api.records.imports._try_records", given=given)


async def begun(logged: Logged, job: LongRead) -> tuple[Exporting, asyncio.Task[bytes], int]:
    """How it is made, who waits for it, and the process that makes it: none that ends an earlier job."""
    until(lambda: not children(process_of(logged)))
    exporting = Exporting(logged.service.services.readers, ConcurrencyLimiter("reads", Bound(1, 1)))
    asked = asyncio.create_task(exporting.read_all(DIRECTOR, job))
    while not (found := children(process_of(logged))):
        await asyncio.sleep(0)
    return exporting, asked, found[0]


def test_a_job_that_nobody_wants_any_more_ends(logged: Logged, game: str, apart: None):
    job = endless(logged, game)

    async def ask() -> None:
        exporting, asked, fork = await begun(logged, job)
        asked.cancel()
        await asyncio.gather(asked, *exporting._making, return_exceptions=True)
        assert exporting.in_progress == exporting.places.number == 0
        until(lambda: fork not in children(process_of(logged)))

    asyncio.run(ask())


def test_what_is_not_made_in_time_is_503_and_its_job_ends(logged: Logged, game: str, apart: None, monkeypatch: pytest.MonkeyPatch):
    director, path = logged.caller("director"), f"/v1/games/{game}/record"
    assert director.get(path).status_code == 200
    in_no_time = replace(logged.service.services, limits=replace(logged.service.services.limits, answer=0.0))
    monkeypatch.setitem(logged.service.client.app.state["parts"], Services, in_no_time)
    answer = director.get(path)
    assert (answer.status_code, answer.json()["code"], answer.json()["unclear"]) == (503, "unavailable", False)
    assert answer.json()["detail"] == (
        "The time for this answer ran out, 0 seconds: the request is too large for this machine, or it has much else to do. "
        "Nothing was recorded. Retry the request."
    )
    until(lambda: not children(process_of(logged)))


def test_it_ends_with_its_server_however_that_ends(tmp_path: Path):
    with served("--data", tmp_path) as server, server.client() as client:
        nothing = "[" + " " * (FEW + 1) * BYTES + "]"
        assert client.post("/v1/records?dry_run=true", content=nothing, headers={"Content-Type": "application/json"}).status_code == 422
        server.kill()
        assert server.process.stdout is not None
        assert server.process.stdout.read() == ""  # ends when nobody holds it any more; the process would


# What is kept


def test_an_audit_for_all_is_kept_until_something_is_recorded_and_one_for_officials_is_not(logged: Logged, game: str):
    viewer, director, path = logged.caller("viewer"), logged.caller("director"), f"/v1/games/{game}/audit"
    dealt(logged.caller("recorder"))
    assert viewer.get(path).json()["verdict"] == "sound"
    with closing(sqlite3.connect(logged.settings.journal_file, isolation_level=None)) as database:
        drop_triggers(database)
        database.execute("DELETE FROM events WHERE originator_id = ? AND originator_version = 4", (bytes.fromhex(game.replace("-", "")),))
    assert director.get(path).json()["verdict"] == "divergent"
    assert viewer.get(path).json()["verdict"] == "sound"
    dealt(logged.caller("recorder"))
    assert viewer.get(path).json()["verdict"] == "divergent"


# At last, because it has to be started anew after it


def test_all_jobs_have_ended_when_the_process_counts_as_ended(logged: Logged, game: str, apart: None):
    job = endless(logged, game)

    async def ask() -> None:
        _, asked, fork = await begun(logged, job)
        logged.service.services.readers.stop()
        assert commands_of(fork) == b""
        await asyncio.gather(asked, return_exceptions=True)

    asyncio.run(ask())


def commands_of(process: int) -> bytes:
    """Its command line; nothing where it has ended."""
    try:
        return Path(f"/proc/{process}/cmdline").read_bytes()
    except (FileNotFoundError, ProcessLookupError):
        return b""
