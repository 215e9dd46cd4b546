"""Erasing a person: the register forgets, games and proofs do not change. And all that is stored of a person, in one answer."""

from pathlib import Path
from typing import Any

import pytest

from deploy.compose import PROJECTIONS
from tests.api.conftest import Caller, Service, running, settings_of, without_limits
from tests.api.people import act, erase, merge, path, read, register
from tests.api.play import worked
from tests.api.tournament import announced
from tests.deploy.stores.stores import sql_of

NAME, ALIAS = "Wilhelmine Zwetschkenbaum", "Pflaumentoffel"


def told_of(caller: Caller, game: str) -> list[Any]:
    """All that can be read of a game."""
    record = caller.get(f"/v1/games/{game}/record?full=true")
    paths = ("audit", "history", "score-sheet", "table", "replay", "record")
    return [record.content, *(caller.get(f"/v1/games/{game}/{path}").json() for path in paths)]


def a_game(caller: Caller, *players: str | None) -> str:
    game = worked(caller, "hand-two-players-classic")
    for seat, player in enumerate(players):
        assert caller.post(f"/v1/games/{game}/players", {"seat": seat, "player": player}).status_code == 201
    return game


def test_games_audits_and_proofs_are_the_same_before_and_after(new_service: Service):
    director = new_service.caller("director")
    register(director, "z1", NAME, alias=ALIAS)
    register(director, "z2", "W. Zwetschkenbaum")
    merge(director, "z2", "z1")
    game = a_game(director, "z1", "z2")
    before = told_of(director, game)
    assert before[1]["verdict"] == "sound"
    assert erase(director, "z1") == ["z1", "z2"]
    assert told_of(director, game) == before


def test_of_an_erased_person_the_ids_are_left(new_service: Service):
    director, viewer = new_service.caller("director"), new_service.caller("viewer")
    register(director, "z1", NAME, alias=ALIAS, club="lehrte")
    register(director, "z2", "W. Zwetschkenbaum")
    merge(director, "z2", "z1")
    erase(director, "z1")
    for id in ("z1", "z2"):
        told = read(director, id)
        assert (told["erased"], told["name"], told["alias"], told["shown"], told["person"]) == (True, None, None, "A player", "z1")
        assert read(viewer, id)["shown"] == "A player"
    assert director.get("/v1/players?search=zwetschkenbaum").json()["items"] == []


def test_a_person_is_erased_by_the_id_he_is_known_by(service: Service):
    director = service.caller("director")
    for id in ("root", "twig"):
        register(director, id, NAME)
    merge(director, "twig", "root")
    refused = act(director, "twig", "erasure", {"confirm": "twig"})
    assert (refused.status_code, refused.json()["code"]) == (422, "player_merged")
    assert read(director, "twig")["name"] == NAME


def test_who_does_not_repeat_the_id_erases_nobody(service: Service):
    director = service.caller("director")
    register(director, "kept", NAME)
    for body in ({"confirm": "Kept"}, {"confirm": NAME}):
        assert act(director, "kept", "erasure", body).json()["code"] == "not_confirmed"
    assert act(director, "kept", "erasure", {}).json()["code"] == "malformed_body"
    assert read(director, "kept")["name"] == NAME


def test_nothing_brings_an_erased_name_back(service: Service):
    director, headers = service.caller("director"), {"Idempotency-Key": "gone"}
    register(director, "gone", NAME)
    body = {"id": "back", "name": NAME}
    first = director.post("/v1/players", body, headers=headers)
    erase(director, "back")
    assert director.post("/v1/players", body, headers=headers).json() == first.json()
    assert director.post("/v1/players", body).json()["code"] == "player_exists"
    for way, body in {"name": {"name": NAME}, "transfer": {"club": "x"}, "merger": {"into": "gone"}}.items():
        assert act(director, "back", way, body).json()["code"] == "player_erased"
    assert act(director, "gone", "merger", {"into": "back"}).json()["code"] == "player_erased"
    assert read(director, "back")["name"] is None


def test_who_is_erased_again_stays_erased_and_what_was_left_goes(service: Service):
    director = service.caller("director")
    for id in ("twice", "part"):
        register(director, id, NAME)
    merge(director, "part", "twice")
    erase(director, "twice")
    head = service.services.journal.head()
    # as if the server had died between the event and the register
    sql_of(service.services.registers).change("UPDATE people SET name = 'left', words = ' left' WHERE player IN ('twice', 'part')")
    assert erase(director, "twice") == ["twice", "part"]
    assert service.services.journal.head() == head
    assert [read(director, id)["name"] for id in ("twice", "part")] == [None, None]


def test_a_wrong_merger_can_still_be_taken_back_after_the_erasure(service: Service):
    director = service.caller("director")
    for id in ("wrong", "other"):
        register(director, id, NAME)
    merge(director, "wrong", "other")
    erase(director, "other")
    assert act(director, "wrong", "separation").status_code == 201
    assert read(director, "wrong")["person"] == "wrong"


# All that is stored


def test_everything_of_a_person_comes_in_one_answer(new_service: Service):
    director = new_service.caller("director")
    register(director, "z1", NAME, alias=ALIAS, club="lehrte")
    register(director, "z2", "W. Zwetschkenbaum")
    register(director, "other", "Somebody Else")
    merge(director, "z2", "z1")
    first, second = a_game(director, "z1", "other"), a_game(director, "other", "z2")
    announced(director, id="spring-open")
    director.post("/v1/tournaments/spring-open/entries", {"entries": [{"players": ["other"]}, {"players": ["z2"]}]})
    assert director.post("/v1/tournaments/spring-open/rounds", {"tables": [{"parties": [[1], [2]]}]}).status_code == 201
    said = {"points": [3, 21], "happened_at": "2025-12-24T20:00:00Z"}
    assert director.put("/v1/tournaments/spring-open/rounds/1/tables/1/result", said).status_code == 201
    director.post("/v1/series", {"id": "cup", "title": "Cup"})
    for player in ("z2", "other"):
        director.post("/v1/series/cup/adjustments", {"player": player, "points": 3, "reason": "helped"})
    data = director.get(f"{path('z2')}/data").json()
    (table,) = data["tables"]
    assert (table["tournament"], table["round"], table["table"], table["how"]) == ("spring-open", 1, "1", "entered")
    assert (table["played_at"], table["points"], table["place"]) == ("2025-12-24T20:00:00.000000Z", 21, 1)
    rated = {"ruleset": "casino", "played_at": "2025-12-24T20:00:00.000000Z", "rating": 1638, "uncertainty": 323, "games": 1}
    assert data["ratings"][-1] == rated
    assert (data["person"], data["ids"]) == ("z1", ["z1", "z2"])
    assert [(row["player"], row["name"], row["alias"], row["changed_by"]) for row in data["register"]] == [
        ("z1", NAME, ALIAS, "p_director"),
        ("z2", "W. Zwetschkenbaum", None, "p_director"),
    ]
    assert [[event["name"] for event in history["events"]] for history in data["histories"]] == [
        ["player.registered/1", "player.joined/1"],
        ["player.registered/1", "player.merged/1"],
    ]
    played = {game["game"]: game for game in data["games"]}
    assert played.keys() == {first, second}
    sheet = director.get(f"/v1/games/{first}/score-sheet").json()
    assert played[first]["sat"] == [{"player": "z1", "seat": 0, "position": 51}]
    assert (played[first]["party"], played[first]["points"]) == (0, sheet["totals"][0])
    assert played[second]["sat"] == [{"player": "z2", "seat": 1, "position": 52}]
    assert (played[second]["party"], played[second]["points"]) == (1, sheet["totals"][1])
    assert "Somebody" not in str(data)
    assert data["entries"] == [{"player": "z2", "tournament": "spring-open", "position": 3, "entrant": 2, "from_round": 1}]
    (series,) = data["series"]
    assert (series["series"], [(one["position"], one["name"]) for one in series["events"]]) == ("cup", [(2, "series.adjusted/1")])


def test_of_an_erased_person_the_data_hold_no_name(service: Service):
    director = service.caller("director")
    register(director, "empty", NAME, alias=ALIAS)
    game = director.open(players=["empty", None])
    erase(director, "empty")
    data = director.get(f"{path('empty')}/data").json()
    assert (NAME in str(data), ALIAS in str(data)) == (False, False)
    assert [one["game"] for one in data["games"]] == [game]
    assert [event["name"] for event in data["histories"][0]["events"]] == ["player.registered/1", "player.erased/1"]


# Where no name is


def test_no_name_is_in_events_projections_the_feed_or_the_log(any_service: Service, caplog: pytest.LogCaptureFixture):
    director, viewer = any_service.caller("director"), any_service.caller("viewer")
    register(director, "z1", NAME, alias=ALIAS)
    register(director, "z2", NAME)
    act(director, "z2", "name", {"name": f"{NAME} II"})
    merge(director, "z2", "z1")
    game = a_game(director, "z1", "z2")
    director.post("/v1/players", {"id": "z1", "name": NAME})
    director.get(f"/v1/players?search={NAME}")
    viewer.get(f"/v1/players?search={NAME}")
    director.get(f"{path('z1')}/data")
    services = any_service.services
    stored = [recorded.state for _, recorded in services.journal.feed(0, 10_000)]
    assert not any(word.encode() in state for state in stored for word in (*NAME.split(), ALIAS))
    kept = [str(services.store.query(f"SELECT * FROM {table}")) for projection in PROJECTIONS for table in projection.tables]
    assert not any(word in rows for rows in kept for word in (*NAME.split(), ALIAS))
    assert not any(word in caplog.text for word in (*NAME.split(), ALIAS))
    told = {address: viewer.get(address) for address in (*ADDRESSES, *(f"/v1/games/{game}{part}" for part in PARTS))}
    assert [address for address, answer in told.items() if answer.status_code != 200] == []
    assert [address for address, answer in told.items() if any(word in answer.text for word in NAME.split())] == []


ADDRESSES = (
    "/v1/players",
    "/v1/players/z1",
    "/v1/clubs",
    "/v1/games",
    "/v1/feed",
    "/v1/scores?names=true",
    "/v1/scores?format=csv&names=true",
)
PARTS = ("", "/history", "/replay", "/score-sheet?format=csv", "/score-sheet?format=html")


def test_after_the_erasure_no_byte_of_the_data_folder_holds_the_name(tmp_path: Path):
    with running(settings_of(tmp_path), without_limits) as service:
        director = service.caller("director")
        register(director, "z1", NAME, alias=ALIAS)
        for number in range(50):
            register(director, f"z{number + 2}", f"Somebody {number}")
        act(director, "z1", "name", {"name": f"{NAME} II", "alias": ALIAS})
        erase(director, "z1")
        kept = {file: file.read_bytes().lower() for file in tmp_path.rglob("*") if file.is_file()}
    assert kept
    words = [word.lower().encode() for word in (*NAME.split(), ALIAS)]
    assert [file for file, content in kept.items() for word in words if word in content] == []
