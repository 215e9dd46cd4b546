"""Reads while a projection stands still or is being built anew, and what those who run the service see of it."""

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path

import msgspec
import pytest
from prometheus_client.parser import text_string_to_metric_families

from api.services import Services
from deploy.compose import PROJECTIONS
from domain.access import Grant, OfTournament
from domain.events.game import GameOpened
from domain.events.tournament import TournamentPublished
from projections.engine.checkpoints import SET_BACK
from projections.engine.projector import Projector
from projections.engine.store import Batch, Projection, Transaction
from tests.api.conftest import Caller, add_token, running, settings_of, without_limits
from tests.api.tournament import announced
from tests.deploy.serving import until


@pytest.fixture(autouse=True)
def _impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("api.common.consistency.PATIENCE", 0.05)


def projecting(index: Callable[[Projection], Projection], name: str = "game_index") -> Callable[[Services], Services]:
    """A service whose index of games, or the projection of another name, is another one."""

    def changed(services: Services) -> Services:
        projections = [index(known) if known.name == name else known for known in PROJECTIONS]
        journal = services.journal
        projector = Projector(projections, services.store, journal.feed, journal.head, journal.store.wait_for)
        return without_limits(replace(services, projector=projector))

    return changed


def failing(index: Projection) -> Projection:
    """At every game of three."""

    def apply(tx: Transaction, batch: Batch) -> None:
        if any(isinstance(recorded.event, GameOpened) and recorded.event.setup.seats == 3 for _, recorded in batch):
            raise ValueError("the cards KC and 7D confuse me")
        index.apply(tx, batch)

    return msgspec.structs.replace(index, apply=apply)


def failing_to_publish(index: Projection) -> Projection:
    """At the first publication of a tournament."""

    def apply(tx: Transaction, batch: Batch) -> None:
        if any(isinstance(recorded.event, TournamentPublished) for _, recorded in batch):
            raise ValueError("the placard has fallen down")
        index.apply(tx, batch)

    return msgspec.structs.replace(index, apply=apply)


def newer(index: Projection) -> Projection:
    return msgspec.structs.replace(index, version=index.version + 1)


def state_of(caller: Caller, name: str = "game_index") -> dict[str, object]:
    return next(one for one in caller.get("/health/ready").json()["projections"] if one["name"] == name)


def failed(caller: Caller) -> set[str]:
    families = text_string_to_metric_families(caller.get("/metrics").text)
    return {
        sample.labels["projection"]
        for family in families
        for sample in family.samples
        if sample.name == "kiebitz_projection_failed" and sample.value
    }


def test_a_projection_that_fails_shows_and_its_reads_say_that_they_are_behind(tmp_path: Path):
    with running(settings_of(tmp_path), projecting(failing)) as service:
        recorder = service.caller("recorder")
        first = recorder.open()
        assert "kiebitz-behind" not in recorder.get("/v1/games").headers
        second = recorder.open(seats=3)
        listed = recorder.get("/v1/games")
        assert (listed.status_code, listed.headers["kiebitz-behind"]) == (200, "1")
        assert [game["id"] for game in listed.json()["items"]] == [first]
        assert recorder.get("/v1/games?min_sequence=2").json()["code"] == "behind"
        assert until(lambda: recorder.get(f"/v1/games/{second}/score-sheet").status_code == 200)
        assert recorder.get("/health/ready", headers={"Authorization": ""}).json() == {"status": "degraded"}
        expected = {"name": "game_index", "position": 1, "lag": 1, "percent": 100, "reason": None, "error": "ValueError", "failed_at": 2}
        assert (state_of(recorder), failed(recorder)) == (expected, {"game_index"})
        assert state_of(recorder, "score_sheets")["lag"] == 0


def test_a_projection_that_was_repaired_catches_up(tmp_path: Path):
    with running(settings_of(tmp_path), projecting(failing)) as service:
        recorder = service.caller("recorder")
        games = [recorder.open(seats=seats) for seats in (3, 2)]
        assert recorder.get("/v1/games").json()["items"] == []
        assert until(partial(failed, recorder)) == {"game_index"}
    with running(settings_of(tmp_path), without_limits) as service:
        recorder = service.caller("recorder")
        assert service.services.projector.wait_for(2, 30.0)
        listed = recorder.get("/v1/games")
        assert [game["id"] for game in listed.json()["items"]] == games[::-1]
        assert "kiebitz-behind" not in listed.headers
        assert (recorder.get("/health/ready").json()["status"], failed(recorder)) == ("ready", set())


def test_what_is_being_built_anew_is_not_read_as_if_it_were_empty(tmp_path: Path):
    with running(settings_of(tmp_path), without_limits) as service:
        game = service.caller("recorder").open(seats=3)
    with running(settings_of(tmp_path), projecting(lambda index: newer(failing(index)))) as service:
        recorder = service.caller("recorder")
        for path in ("/v1/games", "/v1/games?min_sequence=1", f"/v1/games/{game}"):
            answer = recorder.get(path)
            assert (answer.status_code, answer.json()["code"], answer.headers["retry-after"]) == (503, "building", "1")
            assert "0 %" in answer.json()["detail"]
        assert recorder.get(f"/v1/games/{game}/table").status_code == 200
        assert recorder.get("/health/ready").json()["status"] == "degraded"
        assert state_of(recorder)["percent"] == 0
    with running(settings_of(tmp_path), projecting(newer)) as service:
        assert service.services.projector.wait_for(1, 30.0)
        assert [game["id"] for game in service.caller("viewer").get("/v1/games").json()["items"]] == [game]


def test_what_knows_events_that_are_gone_is_built_anew_and_says_why(tmp_path: Path):
    with running(settings_of(tmp_path), without_limits) as service:
        game = service.caller("recorder").open(seats=3)
        assert service.services.projector.wait_for(1, 30.0)
        with service.services.store.transaction() as tx:
            tx.run("UPDATE projections SET fingerprint = 'that of an event that is gone'")
    with running(settings_of(tmp_path), projecting(failing)) as service:
        viewer = service.caller("viewer")
        assert viewer.get("/v1/games").json()["code"] == "building"
        assert state_of(viewer)["reason"] == SET_BACK
    with running(settings_of(tmp_path), without_limits) as service:
        assert service.services.projector.wait_for(1, 30.0)
        assert [listed["id"] for listed in service.caller("viewer").get("/v1/games").json()["items"]] == [game]
        assert state_of(service.caller("viewer"))["reason"] is None


def test_where_it_is_not_known_what_is_published_nothing_is_told_to_who_does_not_read_everything(tmp_path: Path):
    with running(settings_of(tmp_path), projecting(failing_to_publish, "tournaments")) as service:
        director, viewer = service.caller("director"), service.caller("viewer")
        spring, autumn = (announced(director, id=name) for name in ("spring", "autumn"))
        caller = replace(viewer, token=add_token(service.services, "viewer", "of spring", Grant(OfTournament("spring"))))
        assert [one["id"] for one in caller.get("/v1/tournaments").json()["items"]] == ["spring"]
        assert director.post(f"{autumn}/publication", {"publication": "names"}).status_code == 201
        for path in (
            "/v1/games",
            "/v1/games?format=csv",
            "/v1/scores",
            "/v1/rulings",
            "/v1/players/p1",
            "/v1/players/p1/scores",
            "/v1/feed",
        ):
            assert (caller.get(path).status_code, caller.get(path).json()["code"]) == (503, "behind")
        assert [one.status_code for one in (caller.get(spring), viewer.get("/v1/games"), viewer.get("/v1/feed"))] == [200, 200, 200]
