"""An evening of three rounds in which nobody signs in twice: who came in before round 1 is in until a day after the end."""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

from tests.api.conftest import Caller, Service, settings_of
from tests.api.markup import words
from tests.api.sessions.clock import Time, entering, house, is_in
from tests.api.tournament import announced, entered, opened, paired
from tests.api.web import Browser, code
from tests.deploy.serving import PATIENCE

ROUNDS = ([[[1], [2]], [[3], [4]]], [[[3], [1]], [[4], [2]]], [[[1], [4]], [[2], [3]]])
"""By hand: everybody changes the table, so that a tablet that stays at its table meets others."""


@pytest.fixture
def time() -> Time:
    return Time()


@pytest.fixture
def service(tmp_path: Path, time: Time) -> Iterator[Service]:
    with house(settings_of(tmp_path), time) as service:
        yield service


class Hall:
    """A tournament and those who signed in before round 1, each with a code that is good for all of it."""

    def __init__(self, service: Service, time: Time) -> None:
        self.service, self.time, self.director = service, time, service.caller("director")
        self.path = announced(self.director, format="manual", rounds=3)
        entered(self.director, self.path, 4)
        self.id = self.path.rpartition("/")[2]
        self.players = {player: self.let_in("player", player=player) for player in ("p1", "p2", "p3", "p4")}
        self.tablets = {table: self.let_in("recorder", table=table) for table in ("1", "2")}
        self.arbiter, self.committee, self.wall = (self.let_in(role) for role in ("arbiter", "committee", "viewer"))

    def let_in(self, role: str, table: str | None = None, **bound: str) -> Browser:
        scope = {"tournament": self.id, **({"table": table} if table else {})}
        return entering(self.service, code(self.director, role, scope, good_for="tournament", **bound)["code"])

    @property
    def everybody(self) -> list[Browser]:
        return [*self.players.values(), *self.tablets.values(), self.arbiter, self.committee, self.wall]

    def page(self, web: Browser, path: str) -> str:
        """What a page says, once the service has projected what was recorded."""
        self.service.services.projector.wait_for(self.service.services.journal.head(), PATIENCE)
        self.time.pass_by(seconds=1)  # what is remembered for a second is over
        answer = web.get(path)
        assert answer.status_code == 200, answer.text
        return words(answer.text)

    def standings(self) -> str:
        """As they hang on the wall."""
        return self.page(self.wall, f"/t/{self.id}/wall?show=standings")


def did(web: Browser | Caller, path: str, body: Mapping[str, Any]) -> Any:
    answer = web.post(path, body)
    assert answer.status_code == 201, (path, answer.text)
    return answer.json()


def played(hall: Hall, number: int) -> dict[str, str]:
    """A round, in which each tablet records the result of its table and each player finds his own; the games of its tables."""
    paired(hall.director, hall.path, *ROUNDS[number - 1])
    games = opened(hall.director, hall.path, number)
    for table, parties in zip(("1", "2"), ROUNDS[number - 1], strict=True):
        for (entrant,) in parties:
            assert f"Round {number} Table {table}" in hall.page(hall.players[f"p{entrant}"], "/me")
        did(hall.tablets[table], f"/v1/games/{games[table]}/hands", {"dealer": 0, "result": {"points": [21, 5]}})
        did(hall.tablets[table], f"/v1/games/{games[table]}/notes", {"text": "over"})
        hall.time.pass_by(minutes=40)
    did(hall.director, f"{hall.path}/rounds/{number}/closing", {})
    return games


def test_nobody_signs_in_twice_and_a_protest_is_ruled_after_the_end(service: Service, time: Time):
    hall = Hall(service, time)
    before = None
    for number in (1, 2, 3):
        games = played(hall, number)
        said = hall.page(hall.players["p1"], "/me")
        assert ("The next round is not paired yet." if number < 3 else "All rounds are played.") in said
        for table, web in hall.tablets.items():
            late = web.post(f"/v1/games/{games[table]}/notes", {"text": "late"})
            assert (late.status_code, f"Round {number} is not" in late.json()["detail"]) == (403, True)
            assert web.get(f"/v1/games/{games[table]}/score-sheet").status_code == 200, "it reads on as a spectator"
        assert [is_in(web) for web in hall.everybody] == [True] * 9
        before = hall.standings()
    did(hall.director, f"{hall.path}/ending", {"how": "finished"})
    assert "The tournament is over." in hall.page(hall.players["p4"], "/me")
    did(hall.players["p4"], f"/v1/games/{games['1']}/disputes", {"claim": "A sweep was not counted.", "seat": 1})
    ruling = {"reason": "It was not.", "rules": []}
    adjust = {**ruling, "decision": "adjust", "adjustments": [{"party": 1, "points": 40}]}
    told_before = service.services.journal.head()
    late = hall.let_in("arbiter")
    did(late, f"/v1/games/{games['1']}/rulings", {"dispute": 1, **adjust})
    did(hall.arbiter, f"/v1/games/{games['1']}/disputes/1/appeals", {"seat": 0, "reason": "It was."})
    assert (standing := hall.standings()) != before
    did(hall.committee, f"/v1/games/{games['1']}/rulings", {"dispute": 1, **ruling, "decision": "stands"})
    assert hall.standings() == standing.replace(" · provisional: a dispute is undecided", "")
    told = hall.wall.get(f"{hall.path}/stream?after={told_before}").text
    assert [told.count(name) for name in ("dispute.ruled/", "dispute.appealed/")] == [2, 1], "the wall is told on"
    time.pass_by(hours=22)
    assert [is_in(web) for web in (*hall.everybody, late)] == [True] * 10
    time.pass_by(hours=2)
    assert [is_in(web) for web in (*hall.everybody, late)] == [False] * 10
