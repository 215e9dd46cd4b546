"""The time zone of a tournament: days on paper and months of histories, which never move once something was counted."""

from pathlib import Path

import pytest
from msgspec.structs import replace

from tests.api.conftest import Caller, Service, running, settings_of, without_limits
from tests.api.tournament import announced, entered, opened, paired

NIGHT = "2026-10-31T23:20:00Z"
"""In Berlin it is November already, in New York still October."""


def months(caller: Caller, player: str) -> list[tuple[str, int]]:
    return [(one["month"], one["games"]) for one in caller.get(f"/v1/players/{player}/scores").json()["months"]]


def result(director: Caller, path: str, round: int) -> None:
    answer = director.put(f"{path}/rounds/{round}/tables/1/result", {"points": [21, 3], "happened_at": NIGHT})
    assert answer.status_code == 201, answer.text


def test_months_are_those_of_the_tournament_and_stay_when_its_zone_changes(new_service: Service):
    director = new_service.caller("director")
    path = announced(director, format="manual", time_zone="Europe/Berlin")
    entered(director, path, 2)
    paired(director, path, [[1], [2]])
    result(director, path, 1)
    director.post(f"{path}/rounds/1/closing", {})
    assert months(director, "p1") == [("2026-11", 1)]
    chosen = director.post(f"{path}/time-zone", {"time_zone": "America/New_York"}, headers={"Accept-Language": "de"}).json()
    assert [event["name"] for event in chosen["events"]] == ["time_zone.chosen/1"]
    stays = "Was gespielt ist, behält seinen Tag und Monat. Was ab jetzt begonnen wird, zählt nach der Zeit von America/New_York."
    assert [one["sentence"] for one in chosen["remarks"]] == [stays]
    assert director.get(path).json()["time_zone"] == "America/New_York"
    paired(director, path, [[1], [2]])
    result(director, path, 2)
    result(director, path, 1)  # entered once more: its month stays
    assert months(director, "p1") == [("2026-10", 1), ("2026-11", 1)]


@pytest.mark.parametrize(("zone", "date"), [("Europe/Berlin", "01.11.2026"), ("America/New_York", "31.10.2026")])
def test_the_day_on_a_score_sheet_is_that_of_the_tournament(director: Caller, zone: str, date: str):
    path = announced(director, format="manual", time_zone=zone)
    entered(director, path, 2)
    paired(director, path, [[1], [2]])
    (game,) = opened(director, path).values()
    dealt = director.post(f"/v1/games/{game}/hands", {"dealer": 0, "result": {"points": [3, 8]}, "happened_at": NIGHT})
    assert dealt.status_code == 201, dealt.text
    page = director.get(f"/v1/games/{game}/score-sheet?format=html", headers={"Accept-Language": "de"})
    assert date in page.text


def test_the_zone_of_the_house_is_for_tournaments_and_games_that_name_none(tmp_path: Path):
    with running(replace(settings_of(tmp_path), time_zone="Europe/Berlin"), without_limits) as service:
        director = service.caller("director")
        assert director.get(announced(director)).json()["time_zone"] == "Europe/Berlin"
        game = director.open(players=["ada", "bob"])
        opening = director.get(f"/v1/games/{game}/history").json()["events"][0]
        assert opening["body"]["time_zone"] == "Europe/Berlin"


@pytest.mark.parametrize("what", ["scores", "results", "players/p1/scores"])
def test_times_without_an_offset_are_meant_in_the_zone_of_the_tournament(new_service: Service, what: str):
    director = new_service.caller("director")
    path = announced(director, format="manual", time_zone="Europe/Berlin")
    entered(director, path, 2)
    paired(director, path, [[1], [2]])
    result(director, path, 1)
    tournament = path.rpartition("/")[2]

    def found(times: str) -> int:
        answer = director.get(f"/v1/{what}?{times}").json()
        return len(answer["items"])

    for within, times in (
        (True, "from=2026-11-01"),
        (False, "from=2026-11-02"),
        (False, "to=2026-11-01T00:20"),
        (True, "to=2026-11-01T00:20:01"),
        (True, "to=2026-11-01T00:20:00Z"),
    ):
        assert (found(f"tournament={tournament}&{times}") > 0) is within, times
    assert found("from=2026-11-01") == 0  # of the house, which is in UTC
    refused = director.get(f"/v1/{what}?from=tomorrow").json()
    assert (refused["code"], refused["where"]) == ("bad_parameter", "from")


def test_pages_of_the_tournament_name_its_zone_to_scripts(director: Caller):
    path = announced(director, format="manual", time_zone="Europe/Berlin")
    tournament = path.rpartition("/")[2]
    ends = {"counts": "round", "until": NIGHT}
    assert director.call("PUT", f"{path}/wall", json={"show": "clock", "clock": ends}).status_code == 200
    for page in (f"/t/{tournament}", f"/t/{tournament}/desk", f"/t/{tournament}/wall"):
        assert 'data-zone="Europe/Berlin"' in director.get(page).text, page
    assert '<time datetime="2026-10-31T23:20:00.000000Z">00:20</time>' in director.get(f"/t/{tournament}/wall").text
    assert "data-zone" not in director.get("/me").text


def test_a_zone_that_nobody_knows_or_that_holds_already_is_refused(director: Caller):
    path = announced(director)
    refused = [director.post(f"{path}/time-zone", {"time_zone": zone}).json() for zone in ("Berlin", "UTC")]
    assert [one["code"] for one in refused] == ["unknown_time_zone", "time_zone_so_already"]
    assert director.post(f"{path}/time-zone?dry_run=true", {"time_zone": "Europe/Berlin"}).status_code == 200
    assert director.get(path).json()["time_zone"] == "UTC"
