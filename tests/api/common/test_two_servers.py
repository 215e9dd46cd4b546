"""Two servers on one PostgreSQL: whoever asks, and whichever he asks, nothing is refused because the other server was faster."""

from collections.abc import Iterator
from typing import Any, NamedTuple

import pytest

from tests.api.conftest import Caller, Service, running, settings_of, without_limits
from tests.api.people import act, register
from tests.api.tournament import announced, entered, paired
from tests.domain.games.conftest import played
from tests.domain.games.setups import TRIED
from tests.laws import Step
from tests.migrated import migrated_database
from tests.postgres import Server, drop_database


class Two(NamedTuple):
    one: Service
    other: Service

    def callers(self, role: str) -> tuple[Caller, Caller]:
        return self.one.caller(role), self.other.caller(role)


@pytest.fixture(scope="module")
def two(postgres_server: Server, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Two]:
    url = migrated_database(postgres_server)
    one, other = (settings_of(tmp_path_factory.mktemp(name), url) for name in ("one", "other"))
    with running(one, without_limits) as first, running(other, without_limits) as second:
        yield Two(first, second)
    drop_database(postgres_server, url)


def request_of(step: Step) -> tuple[str, dict[str, Any]]:
    if step.move is None:
        return "hands", {"dealer": step.seat, "deck": list(step.deck)}
    return "moves", {"seat": step.seat, "move": step.move}


def done(answer: Any) -> Any:
    assert answer.status_code in (200, 201), answer.text
    return answer.json()


def test_a_whole_game_is_played_alternately(two: Two):
    """Now and then a move is tried first on the server that does not make it then, and what is legal is asked there."""
    set_up, playout = min(zip(TRIED["casino"]().set_ups, played("casino"), strict=True), key=lambda one: len(one[1].steps))
    one, other = two.callers("recorder")
    game = one.open(ruleset="casino", seats=set_up.seats, options=dict(set_up.options))
    for number, step in enumerate(playout.steps, 2):
        kind, body = request_of(step)
        if kind == "moves" and number % 3 == 0:
            assert done(other.post(f"/v1/games/{game}/moves?dry_run=true", body))["position"] == number
            assert done(other.get(f"/v1/games/{game}/legal-moves?seat={step.seat}&limit=1"))["position"] == number - 1
        assert done(one.post(f"/v1/games/{game}/{kind}", body))["position"] == number
        one, other = other, one
    assert done(one.get(f"/v1/games/{game}/table")) == done(other.get(f"/v1/games/{game}/table"))
    assert done(one.get(f"/v1/games/{game}"))["phase"] == playout.steps[-1].after.phase


def test_rewinds_and_rulings_alternate_with_moves(two: Two):
    one, other = two.callers("director")
    game = one.open()
    one.deal(game)
    cards = one.get(f"/v1/games/{game}/table").json()["hands"]
    for caller, seat in ((other, 0), (one, 1)):
        assert caller.trail(game, seat, cards[seat][0]).status_code == 201
    assert done(other.post(f"/v1/games/{game}/rewinds", {"to": 3}))["position"] == 5
    assert one.trail(game, 1, cards[1][1]).status_code == 201
    assert done(other.post(f"/v1/games/{game}/disputes", {"position": 6, "seat": 0, "claim": "No."}))["position"] == 7
    ruling = {"decision": "rewind", "to": 3, "reason": "So it is.", "rules": []}
    assert done(one.post(f"/v1/games/{game}/rulings", {"dispute": 1, **ruling}))["position"] == 9
    assert other.trail(game, 1, cards[1][0]).status_code == 201
    stale = one.trail(game, 0, cards[0][1], headers={"If-Match": '"9"'})
    assert (stale.status_code, stale.json()["position"], len(stale.json()["missed"])) == (412, 10, 1)


def test_a_tournament_is_run_alternately(two: Two):
    one, other = two.callers("director")
    tournament = announced(one)
    entered(other, tournament, 4)
    paired(one, tournament, [[1], [2]], [[3], [4]])
    for number, (caller, table) in enumerate(((other, "1"), (one, "2")), 4):
        result = caller.put(f"{tournament}/rounds/1/tables/{table}/result", {"points": [21, 17]})
        assert done(result)["position"] == number + 3
    assert done(other.post(f"{tournament}/rounds/1/closing?dry_run=true", {}))["dry_run"] is True
    assert done(other.post(f"{tournament}/rounds/1/closing", {}))
    paired(one, tournament, [[1], [3]], [[2], [4]])
    assert done(other.post(f"{tournament}/unpairing", {}))
    paired(one, tournament, [[1], [4]], [[2], [3]])
    assert done(other.post(f"{tournament}/entries/2/withdrawal", {}))
    assert done(one.post(f"{tournament}/entries/2/return", {"from_round": 3}))
    listed = "player\np5\np6\n"
    lists = [caller.post(f"{tournament}/entries", listed, headers={"Content-Type": "text/csv"}) for caller in (other, one)]
    assert [(report.json()["recorded"], report.json()["refused"]) for report in lists] == [(2, 0), (0, 2)]


def test_players_are_led_alternately(two: Two):
    one, other = two.callers("director")
    register(one, "p-a", "Anna")
    register(other, "p-b", "Berta")
    for caller, club in ((other, "lehrte"), (one, "peine"), (other, "lehrte"), (one, "peine")):
        assert act(caller, "p-a", "transfer", {"club": club}).status_code == 201
    for caller, name, body in ((other, "merger", {"into": "p-b"}), (one, "separation", {}), (other, "merger", {"into": "p-b"})):
        assert act(caller, "p-a", name, body).status_code == 201
    assert act(one, "p-a", "separation", {}, headers={"Idempotency-Key": "s"}).status_code == 201
    again = act(other, "p-a", "separation", {}, headers={"Idempotency-Key": "s"})
    assert (again.status_code, again.headers["idempotent-replayed"]) == (201, "true")
    refused = act(other, "p-a", "separation", {})
    assert (refused.status_code, refused.json()["code"]) == (422, "not_merged")


def test_what_the_other_server_recorded_is_not_ahead_of_this_one(two: Two):
    one, other = two.callers("recorder")
    other.get("/v1/feed?limit=1")
    sequence = done(one.post("/v1/games", {"ruleset": "casino", "seats": 2, "tournament": "elsewhere"}))["sequence"]
    assert len(done(other.get(f"/v1/games?tournament=elsewhere&min_sequence={sequence}"))["items"]) == 1
    assert done(other.get(f"/v1/feed?after={sequence - 1}&as_of={sequence}"))["head"] >= sequence
    refused = other.get(f"/v1/feed?after={sequence + 1000}")
    assert (refused.status_code, refused.json()["code"]) == (400, "ahead")
