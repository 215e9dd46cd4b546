"""The register stands beside the answers: whatever it does, they come; and whatever comes at once, a minute leaves one line."""

from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

from api.services import Services
from tests.api.conftest import Service, running, settings_of, without_limits
from tests.deploy.stores.looks import register_gone, register_locked

NOW = datetime(2026, 11, 21, 19, 4, 11, tzinfo=UTC)
READS = ("table", "history", "replay", "legal-moves", "record")


def at_one_minute(services: Services) -> Services:
    return without_limits(replace(services, clock=lambda: NOW))


def shut(service: Service) -> str:
    recorder = service.caller("recorder")
    game = recorder.open()
    recorder.deal(game)
    return game


def views(service: Service, game: str) -> list[str]:
    return [look["view"] for look in service.caller("director").get(f"/v1/games/{game}/looks").json()["items"]]


def test_fifty_reads_at_once_leave_one_line(tmp_path: Path):
    with running(settings_of(tmp_path), at_one_minute) as service:
        game = shut(service)
        with ThreadPoolExecutor(50) as callers:
            answers = list(callers.map(lambda _: service.caller("arbiter").get(f"/v1/games/{game}/table"), range(50)))
        assert {answer.status_code for answer in answers} == {200}
        assert views(service, game) == ["arbiter"]


def test_while_the_register_is_locked_every_read_is_answered_and_the_lines_come_later(new_service: Service, tmp_path: Path):
    arbiter, game = new_service.caller("arbiter"), shut(new_service)
    with register_locked(settings_of(tmp_path).journal_url):
        assert [arbiter.get(f"/v1/games/{game}/{what}").status_code for what in READS] == [200] * len(READS)
    assert set(views(new_service, game)) == {"arbiter"}  # twice, where a minute ended meanwhile


def test_while_the_register_takes_nothing_every_read_is_answered_and_the_lines_come_later(new_service: Service):
    arbiter, game = new_service.caller("arbiter"), shut(new_service)
    with register_gone(new_service.services.registers):
        assert [arbiter.get(f"/v1/games/{game}/{what}").status_code for what in READS] == [200] * len(READS)
        assert new_service.caller("director").get(f"/v1/games/{game}/looks").status_code >= 500
    assert set(views(new_service, game)) == {"arbiter"}  # twice, where a minute ended meanwhile


def test_reads_of_two_processes_leave_one_line_and_each_tells_of_both(migrated: str, tmp_path: Path):
    settings = settings_of(tmp_path, migrated)
    with running(settings, at_one_minute) as one, running(settings, at_one_minute) as other:
        game = shut(one)
        for service in (one, other):
            assert service.caller("arbiter").get(f"/v1/games/{game}/table").status_code == 200
        assert other.caller("arbiter").get(f"/v1/games/{game}/table?view=seat:1").status_code == 200
        assert views(other, game) == ["seat:1", "arbiter"]
        assert views(one, game) == ["seat:1", "arbiter"]


def test_what_waits_when_a_service_ends_is_there_when_it_begins_again(tmp_path: Path):
    settings = settings_of(tmp_path)
    with running(settings, without_limits) as service:
        game = shut(service)
        service.caller("arbiter").get(f"/v1/games/{game}/table")
    with running(settings, without_limits) as again:
        assert views(again, game) == ["arbiter"]
