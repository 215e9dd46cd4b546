"""Scheduled backups while a service runs: schedule, retention, and reports about failures."""

import shutil
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import msgspec
import pytest
from click.testing import CliRunner

from api.service.responses import BackupHealth
from deploy.cli.checks.machine import check_backup_folder
from deploy.cli.main import main
from deploy.config.failures import Failure, render
from deploy.config.settings import Settings, read_settings
from deploy.processes.backup_process import BackupSchedule, run_backup_process
from deploy.processes.journal_file import KEPT, backup_file, backup_status, list_backup_files
from deploy.stores.sqlite.backup import check_copy
from deploy.system.clock import now
from tests.api.conftest import running, without_limits
from tests.deploy.cli.test_backup import small_files
from tests.deploy.serving import until
from tests.migrated import migrated_file

NOW = datetime(2026, 11, 21, 18, 0, tzinfo=UTC)
EVERY = 15  # minutes


class Clock:
    def __init__(self) -> None:
        self.now = NOW

    def __call__(self) -> datetime:
        return self.now

    def go_on(self, **time: float) -> None:
        self.now += timedelta(**time)


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    migrated_file(tmp_path / "data" / "journal.db")
    (tmp_path / "backups").mkdir()
    return Settings(tmp_path / "data", backup_every=EVERY, backup_folder=tmp_path / "backups")


@pytest.fixture
def folder(settings: Settings) -> Path:
    assert settings.backup_folder is not None
    return settings.backup_folder


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def backups(settings: Settings, clock: Clock) -> BackupSchedule:
    return BackupSchedule(settings, clock)


def test_one_is_written_at_once_and_then_at_the_interval(backups: BackupSchedule, folder: Path, clock: Clock, tmp_path: Path):
    assert [backups.step(), backups.step()] == [True, False]
    clock.go_on(minutes=14)
    assert backups.step() is False
    clock.go_on(minutes=1)
    assert backups.step() is True
    assert [file.name for file in sorted(folder.iterdir())] == ["kiebitz-2026-11-21T180000Z.db", "kiebitz-2026-11-21T181500Z.db"]
    assert [(check_copy(file), file.stat().st_mode & 0o777) for file in folder.iterdir()] == [(0, 0o600)] * 2
    newest = list_backup_files(folder)[-1]
    restored = CliRunner().invoke(main, ["restore", str(newest), "--data", str(tmp_path / "other")])
    assert (restored.exit_code, (tmp_path / "other" / "journal.db").exists()) == (0, True), restored.output


def test_a_service_that_starts_again_goes_on_with_the_interval(settings: Settings, clock: Clock):
    BackupSchedule(settings, clock).step()
    clock.go_on(minutes=5)
    again = BackupSchedule(settings, clock)
    assert again.step() is False
    clock.go_on(minutes=10)
    assert again.step() is True


def test_a_clock_that_is_set_back_keeps_none_from_being_written(backups: BackupSchedule, folder: Path, clock: Clock):
    backups.step()
    clock.go_on(days=-1)
    assert [backups.step(), backups.step(), len(list_backup_files(folder))] == [True, False, 2]


def test_the_newest_are_kept_and_nothing_else_is_removed(backups: BackupSchedule, folder: Path, clock: Clock):
    others = [folder / "by-hand.db", folder / "kiebitz-2026-11-21.db"]
    old = [backup_file(folder, NOW - timedelta(hours=hours)) for hours in range(1, KEPT + 3)]
    left = folder / ".kiebitz-2026-11-21T030000Z.db.partial"  # by a process that was killed
    for file in (*others, *old, left):
        file.touch()
    assert backups.step() is True
    assert set(folder.iterdir()) == {*others, *old[: KEPT - 1], backup_file(folder, NOW)}


def test_where_it_cannot_be_written_that_is_told_once_and_it_is_tried_again(
    backups: BackupSchedule, folder: Path, clock: Clock, caplog: pytest.LogCaptureFixture
):
    def tried(minutes: int) -> list[str]:
        caplog.clear()
        for _ in range(2 * minutes):
            backups.step()
            clock.go_on(seconds=30)
        return [record.getMessage() for record in caplog.records if record.name == "kiebitz.backups" and record.exc_info is None]

    with small_files(100_000):
        [told] = tried(3)
        assert told.startswith("the backup failed and is retried: ")
        assert f"Is {folder} full?" in told
        assert list(folder.iterdir()) == []
    assert (backups.report_progress().failure or "").endswith("Make room, or name a file on another disk.")
    shutil.rmtree(folder)
    [gone] = tried(3)
    assert f"Does {folder} exist" in gone
    folder.mkdir()
    assert (tried(1), len(list_backup_files(folder)), backups.report_progress().failure) == (["backups are written again"], 1, None)


def test_settings_name_the_interval_and_the_folder_and_are_refused_otherwise(tmp_path: Path):
    given = read_settings({"KIEBITZ_BACKUP_EVERY": "15", "KIEBITZ_BACKUP_FOLDER": str(tmp_path)})
    assert (given.backup_every, given.backup_folder) == (15, tmp_path)
    assert read_settings({}, backup_folder=str(tmp_path)).backup_every is None
    for wrong in ("0", "15m", "-1", "1.5", "10081", "9" * 30):
        with pytest.raises(Failure, match="KIEBITZ_BACKUP_EVERY"):
            read_settings({"KIEBITZ_BACKUP_EVERY": wrong, "KIEBITZ_BACKUP_FOLDER": str(tmp_path)})
    with pytest.raises(Failure, match="KIEBITZ_BACKUP_FOLDER"):
        read_settings({"KIEBITZ_BACKUP_EVERY": "15"})


@pytest.mark.parametrize("workers", ["1", "2"])
def test_for_postgresql_the_start_names_the_programs_that_do_it(tmp_path: Path, workers: str):
    where = ["--data", str(tmp_path), "--database-url", "postgresql://nobody:secret@127.0.0.1:1/none", "--workers", workers]
    result = CliRunner().invoke(main, ["serve", *where, "--backup-every", "15", "--backup-folder", str(tmp_path), "--lang", "en"])
    assert (result.exit_code, "pg_dump --format=custom" in result.output, "secret" in result.output) == (1, True, False), result.output


def doctor(settings: Settings, language: str = "en") -> tuple[str, str]:
    found = check_backup_folder(settings)
    return found.state, render(found.text, language)


def test_the_age_of_the_newest_is_told_and_from_twice_the_interval_on_it_is_overdue(settings: Settings, folder: Path):
    def judged(minutes: float) -> tuple[object, ...]:
        status = backup_status(settings, NOW + timedelta(minutes=minutes))
        assert status is not None
        return status.newest, status.age, status.error

    assert judged(0) == (None, None, "overdue")
    backup_file(folder, NOW).touch()
    assert [judged(0), judged(30)] == [(NOW, 0, None), (NOW, 1800, None)]
    assert judged(31) == (NOW, 1860, "overdue")
    assert judged(-1) == (None, None, "overdue")  # it lies ahead of the clock
    shutil.rmtree(folder)
    assert judged(31) == (None, None, "failed")
    assert backup_status(Settings(settings.data), NOW) is None
    assert backup_status(Settings(settings.data, backup_folder=folder.parent), NOW) is not None


def test_doctor_tells_the_newest_and_warns_where_it_is_old(settings: Settings, folder: Path):
    assert doctor(settings) == ("look", f"there is none in {folder}")
    old = datetime.now(UTC) - timedelta(hours=5)
    backup_file(folder, old).touch()
    assert doctor(settings) == ("look", f"{old:%Y-%m-%d %H:%M:%S} UTC, 5 hours ago; one is due every 15 minutes")
    assert doctor(settings, "de")[1] == f"{old:%Y-%m-%d %H:%M:%S} UTC, vor 5 Stunden, und alle 15 Minuten wäre eine fällig"
    assert doctor(msgspec.structs.replace(settings, backup_every=None)) == ("ok", f"{old:%Y-%m-%d %H:%M:%S} UTC, 5 hours ago")
    backup_file(folder, datetime.now(UTC) - timedelta(minutes=2)).touch()
    assert doctor(settings)[0] == "ok"
    shutil.rmtree(folder)
    assert doctor(settings) == ("wrong", f"{folder} cannot be written to")
    assert doctor(Settings(settings.data))[0] == "ok"


def test_readiness_tells_officials_the_age_and_is_degraded_where_it_is_overdue(settings: Settings, folder: Path, clock: Clock):
    backup_file(folder, NOW).touch()
    with running(
        settings, lambda services: replace(without_limits(services), backups=lambda: backup_status(settings, clock.now))
    ) as service:
        viewer, nobody = service.caller("viewer"), service.caller(None)
        fresh = {"newest": "2026-11-21T18:00:00.000000Z", "age": 0, "every": 15, "error": None}
        assert viewer.get("/health/ready").json()["backups"] == fresh
        assert set(fresh) == set(BackupHealth.__struct_fields__)
        clock.go_on(minutes=31)
        late = until(lambda: (found := viewer.get("/health/ready").json())["status"] == "degraded" and found)
        assert late["backups"] == {**fresh, "age": 1860, "error": "overdue"}
        answer = nobody.get("/health/ready")
        assert (answer.status_code, answer.json()) == (200, {"status": "degraded"})


def test_a_process_of_its_own_writes_them_and_is_gone_with_the_service(settings: Settings, folder: Path):
    with run_backup_process(settings, now) as status:
        until(lambda: (found := status()) and found.newest)
        found = status()
    assert found is not None
    assert (found.every, found.error) == (EVERY, None)
    assert [check_copy(file) for file in list_backup_files(folder)] == [0]
