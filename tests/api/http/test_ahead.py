"""Sequences and positions that are not recorded yet: refused at once, and the newest that is recorded is told."""

from datetime import UTC, datetime, timedelta

import pytest

from tests.api.conftest import Caller, Service
from tests.api.tournament import announced, entered, paired

READS = {
    "games": ("/v1/games", "min_sequence"),
    "a game": ("/v1/games/{game}", "min_sequence"),
    "a score sheet": ("/v1/games/{game}/score-sheet", "min_sequence"),
    "rulings": ("/v1/rulings", "min_sequence"),
    "tournaments": ("/v1/tournaments", "min_sequence"),
    "players": ("/v1/players", "min_sequence"),
    "clubs": ("/v1/clubs", "min_sequence"),
    "score lines": ("/v1/scores", "min_sequence"),
    "score lines as of": ("/v1/scores", "as_of"),
    "changed score lines": ("/v1/scores", "changed_since"),
    "a player's scores": ("/v1/players/p1/scores", "min_sequence"),
    "standings": ("{tournament}/standings", "as_of"),
    "the feed": ("/v1/feed", "after"),
    "the feed as of": ("/v1/feed", "as_of"),
    "the feed that waits": ("/v1/feed", "min_sequence"),
}
"""What is asked, and the parameter that names a sequence."""


@pytest.fixture(scope="module")
def places(service: Service) -> dict[str, str]:
    director = service.caller("director")
    tournament = announced(director)
    entered(director, tournament, 4)
    paired(director, tournament)
    director.post("/v1/players", {"id": "p1", "name": "Anna"})
    return {"game": director.open(players=["p1", None]), "tournament": tournament}


def head(caller: Caller) -> int:
    return int(caller.get("/v1/feed?limit=1").json()["head"])


def told(caller: Caller, path: str, **headers: str) -> tuple[int, object, object, object]:
    answer = caller.get(path, headers=headers)
    return answer.status_code, answer.json().get("code"), answer.json().get("head"), answer.json().get("where")


@pytest.mark.parametrize(("path", "name"), READS.values(), ids=READS)
@pytest.mark.parametrize("beyond", [1, 10**9, 10**15 - 1])
def test_a_sequence_that_is_not_recorded_is_refused_and_the_newest_is_told(
    recorder: Caller, places: dict[str, str], path: str, name: str, beyond: int
):
    newest = head(recorder)
    wanted = min(newest + beyond, 10**15 - 1)
    assert told(recorder, f"{path.format(**places)}?{name}={wanted}") == (400, "ahead", newest, name)
    assert recorder.get(f"{path.format(**places)}?{name}={newest}").status_code == 200


@pytest.mark.parametrize("accept", ["application/x-ndjson", "text/csv"])
@pytest.mark.parametrize("path", ["/v1/feed?after={beyond}", "/v1/scores?as_of={beyond}", "/v1/scores?changed_since={beyond}"])
def test_so_it_is_where_the_answer_would_come_in_pieces(recorder: Caller, path: str, accept: str):
    newest = head(recorder)
    if (path.startswith("/v1/feed")) == (accept == "application/x-ndjson"):
        assert told(recorder, path.format(beyond=newest + 1), Accept=accept)[:3] == (400, "ahead", newest)


def test_the_ends_of_a_difference_are_refused_by_their_names(recorder: Caller, places: dict[str, str]):
    newest, diff = head(recorder), f"{places['tournament']}/standings/diff"
    assert told(recorder, f"{diff}?old=sequence:{newest + 1}") == (400, "ahead", newest, "old")
    assert told(recorder, f"{diff}?old=round:1&new=sequence:{newest + 1}") == (400, "ahead", newest, "new")


def test_nobody_waits_for_it(recorder: Caller):
    begun = datetime.now(UTC)
    assert told(recorder, f"/v1/feed?after={head(recorder) + 1}&wait=30")[:2] == (400, "ahead")
    assert datetime.now(UTC) - begun < timedelta(seconds=30)


@pytest.mark.parametrize("path", ["/v1/games/{game}/history", "/v1/games/{game}/replay", "{tournament}/history"])
def test_a_position_after_which_nothing_can_be_read_yet_is_refused_likewise(recorder: Caller, places: dict[str, str], path: str):
    address = path.format(**places)
    position = recorder.get(address).json()["position"]
    assert recorder.get(f"{address}?after={position}").status_code == 200
    assert told(recorder, f"{address}?after={position + 1}") == (400, "ahead", position, "after")
