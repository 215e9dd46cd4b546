"""Process that projects: started by its server, ended with it, and restarted when it has ended; no event is lost."""

import logging
import os
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from uuid import UUID, uuid4

import pytest

from api.services import Services
from deploy.compose import open_services, start_projecting_process
from deploy.config.settings import Settings
from deploy.processes.process_driver import PROJECTING, ProcessDriver, Work
from domain.journal.commits import Call
from tests.deploy.freezing import children
from tests.deploy.serving import Served, done, open_game, play_on, run, served, until
from tests.projections.histories import a_whole_game

SLOWLY = 60.0


@pytest.fixture
def journal_url(database_url: str) -> str:
    return database_url


@pytest.fixture
def where(journal_url: str, tmp_path: Path) -> tuple[object, ...]:
    return ("--data", tmp_path / "data") if journal_url.startswith("sqlite") else ("--database-url", journal_url)


@pytest.fixture
def settings(journal_url: str, tmp_path: Path) -> Settings:
    return Settings(data=tmp_path / "data", database_url=None if journal_url.startswith("sqlite") else journal_url)


@contextmanager
def serving(settings: Settings) -> Iterator[Services]:
    with (
        start_projecting_process(settings) as drive,
        open_services(settings, alone=settings.embedded, drive=drive, migrate_too=True) as services,
    ):
        services.journal.store.check_epoch()
        services.projector.start()
        try:
            yield services
        finally:
            services.projector.stop()


def process_of(services: Services) -> int:
    process = services.projector._drive._process  # pyrefly: ignore[missing-attribute]
    return int(process._process.pid)


def record(services: Services) -> int:
    """The newest sequence after a whole game."""
    game: UUID = uuid4()
    services.journal.open_now(Call("anna"), game, [recorded.event for recorded in a_whole_game(1).events])
    return services.journal.head()


def taken(services: Services, sequence: int) -> bool:
    return services.projector.wait_for(sequence, SLOWLY)


def same(services: Services) -> bool:
    """Return whether the tables equal what a rebuild would create."""
    return all(verdict.same for verdict in services.projector.verify())


def errors(services: Services) -> set[str | None]:
    return {one.error and one.error.partition(":")[0] for one in services.projector.status()}


def alive(process: int) -> bool:
    """Return whether the process runs, and is not merely a zombie."""
    try:
        return " Z " not in Path(f"/proc/{process}/stat").read_text().rpartition(")")[2][:4]
    except FileNotFoundError:
        return False


def next_of(server: Served, before: list[int]) -> int | None:
    """The process that projects; another one keeps the log."""
    found = [one for one in children(server.process.pid) if one not in before and alive(one)]
    return next((one for one in found if PROJECTING in Path(f"/proc/{one}/cmdline").read_text()), None)


# At work


def test_what_is_recorded_is_projected_by_another_process(settings: Settings):
    with serving(settings) as services:
        assert taken(services, record(services))
        assert process_of(services) in children(os.getpid())
        assert errors(services) == {None}
        assert same(services)


@pytest.mark.usefixtures("executed")
def test_it_inherits_nothing_but_its_line(tmp_path: Path):
    with serving(Settings(tmp_path)) as services:
        files = [str(file.readlink()) for file in Path("/proc/self/fd").iterdir() if file.is_symlink()]
        theirs = [str(file.readlink()) for file in Path(f"/proc/{process_of(services)}/fd").iterdir() if file.is_symlink()]
        assert not {one for one in theirs if one.startswith("socket:")} & {one for one in files if one.startswith("socket:")}
        assert not any("serve.lock" in one for one in theirs)


def test_what_two_servers_record_is_projected_for_both(tmp_path: Path, migrated: str):
    settings = Settings(tmp_path, migrated)
    with serving(settings) as first, serving(settings) as second:
        for services in (first, second, first):
            head = record(services)
            assert taken(first, head)
            assert taken(second, head)
        assert same(first)


def test_where_an_epoch_begins_it_holds_the_tables_against_the_events_again(settings: Settings):
    with serving(settings) as services:
        assert taken(services, record(services))
        services.journal.store.begin_epoch(None)
        assert until(lambda: services.projector.readable("game_index"))
        assert taken(services, record(services))
        assert same(services)


# How it ends


def test_one_that_was_killed_in_the_middle_is_followed_by_another_and_nothing_is_lost(where: tuple[object, ...]):
    with served(*where) as server, server.client() as client:
        games, killed = [open_game(client) for _ in range(3)], list[int]()
        for number in range(12):
            told = play_on(client, games[number % 3])
            if number % 6 == 3:
                killed.append(until(lambda: next_of(server, killed)))
                os.kill(killed[-1], signal.SIGKILL)
        listed = until(
            lambda: page.json()["items"] if (page := client.get(f"/v1/games?min_sequence={told['sequence']}")).is_success else None
        )
        assert {one["id"]: one["position"] for one in listed} == dict.fromkeys(games, 5)
        assert until(lambda: done(client.get("/health/ready"))["status"] == "ready")
        verified = run("projections", "verify", *where)
        assert verified.returncode == 0, verified.stdout
        assert server.end() == 0
        assert server.process.stdout is not None
        assert server.process.stdout.read().count("the process that projects ended (SIGKILL); it is started again in ") == 2


def test_it_is_gone_when_its_server_was_killed(tmp_path: Path):
    with served("--data", tmp_path / "data") as server, server.client() as client:
        play_on(client, open_game(client))
        processes = children(server.process.pid)
        server.kill()
        assert server.process.stdout is not None
        assert server.process.stdout.read() == ""  # ends when nobody holds it any more; the process would
        assert len(processes) == 2
        assert until(lambda: not any(map(alive, processes)))


def test_a_signal_to_both_ends_them_in_order(tmp_path: Path):
    with served("--data", tmp_path / "data") as server, server.client() as client:
        play_on(client, open_game(client))
        processes = children(server.process.pid)
        for process in processes:
            os.kill(process, signal.SIGTERM)
        assert server.end() == 0
        assert not any(map(alive, processes))
        assert server.process.stdout is not None
        assert server.process.stdout.read() == ""


def test_a_service_may_be_started_again(tmp_path: Path):
    with serving(Settings(tmp_path)) as services:
        process = process_of(services)
        services.projector.stop()
        assert not alive(process)
        services.projector.start()
        assert taken(services, record(services))


def test_one_that_was_never_told_to_begin_is_gone_too(tmp_path: Path):
    with start_projecting_process(Settings(tmp_path)) as drive, open_services(Settings(tmp_path), alone=True, drive=drive) as services:
        process = process_of(services)
        assert alive(process)
    assert not alive(process)


# What is told of it


def test_one_that_does_not_come_up_is_told_in_the_log_and_where_readiness_is_asked(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
):
    """Recording goes on; it is tried again, after pauses that grow."""
    monkeypatch.setattr("deploy.processes.process_driver._PAUSES", (0.0, 0.01, SLOWLY))
    nowhere = f"sqlite:///{tmp_path}/nowhere/journal.db"
    with open_services(Settings(tmp_path), alone=True) as services, caplog.at_level(logging.ERROR):
        services.projector._drive = drive = ProcessDriver(Work(nowhere, nowhere, "test"))
        services.projector.start()
        assert until(lambda: len(caplog.messages) == 3)
        assert caplog.messages[1:] == [
            f"the process that projects ended (exit code 1); it is started again in {pause} s" for pause in ("0.01", "60")
        ]
        assert record(services) > 0
        assert errors(services) == {"Ended"}
        drive.stop()


def test_one_that_stands_still_is_told_until_it_goes_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    with serving(Settings(tmp_path)) as services:
        assert taken(services, record(services))
        os.kill(process_of(services), signal.SIGSTOP)
        monkeypatch.setattr("deploy.processes.line._SILENCE", 0.0)
        head = record(services)
        assert errors(services) == {"Silent"}
        monkeypatch.undo()
        os.kill(process_of(services), signal.SIGCONT)
        assert taken(services, head)
        assert errors(services) == {None}
