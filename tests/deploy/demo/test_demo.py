"""Command `kiebitz demo`: the evening that it records, and what each role can see of it."""

import re
import subprocess
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from urllib.parse import urlsplit

import httpx
import pytest
from click.testing import CliRunner, Result

from deploy.cli.main import main
from deploy.demo.club_evening import NIGHT
from deploy.demo.season import SERIES
from deploy.demo.tables import PLAYERS, record_of, tables
from deploy.processes.journal_file import acquire_writer_lock
from domain.games import RULESETS
from replay.sample_games import find_minimum_seats
from tests.deploy.serving import KIEBITZ, PATIENCE, done, environment
from tests.forking import Process

WHO = ("director", "arbiter", "at the count", "recorder", "player", "viewer", "series", "rating", "rulings")
LINK = re.compile(r"^  (http://\S+/in\?next=(\S+)#(\w+))$", re.MULTILINE)
ID = re.compile(r"[0-9a-f]{8}-[0-9a-f-]{27}")


def demo(data: Path, *arguments: object) -> Result:
    return CliRunner().invoke(main, ["demo", "--no-serve", "--data", str(data), *map(str, arguments)])


@pytest.fixture(scope="module")
def recorded(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, str]:
    """Return the folder of a recorded evening, and the output about it."""
    data = tmp_path_factory.mktemp("evening")
    result = demo(data, "--series")
    assert result.exit_code == 0, result.output
    return data, result.output


class Evening:
    """The demo as it is served. ``links``: code and page, by who comes in there."""

    def __init__(self, greeting: str) -> None:
        found = LINK.findall(greeting)
        self.browsers = ExitStack()
        self.url = "http://" + urlsplit(found[0][0]).netloc
        self.links = {who: (code, page) for who, (_, page, code) in zip(WHO, found, strict=True)}

    def comes(self, who: str) -> tuple[httpx.Client, str]:
        """A browser that has opened this link, and the page that it is on."""
        code, page = self.links[who]
        browser = self.browsers.enter_context(httpx.Client(base_url=self.url, verify=False, timeout=PATIENCE, headers={"Origin": self.url}))
        went = browser.post("/in", data={"secret": code, "next": page})
        assert (went.status_code, went.headers["location"]) == (303, page)
        return browser, page


@pytest.fixture(scope="module")
def evening(recorded: tuple[Path, str]) -> Iterator[Evening]:
    """The same once more, and served. Of its tables only one is recorded again: each takes a while."""
    command = [str(KIEBITZ), "demo", "--series", "--port", "0", "--games", "1", "--data", str(recorded[0])]
    process = Process(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, env=environment())
    assert process.stdout is not None
    said = ""
    try:
        while "Ctrl-C" not in said:
            line = process.stdout.readline()
            assert line, f"it did not start: {said}"
            said += line
        evening = Evening(said)
        with evening.browsers:
            yield evening
    finally:
        process.terminate()
        process.communicate()


# What is played


def test_of_every_game_there_is_a_table_that_plays_on_and_one_that_has_finished(recorded: tuple[Path, str]):
    assert re.search(r"Amsel +Casino and Royal Casino +3 +8 : 25 +seat 1", recorded[1])
    rows = re.findall(r"^  (\w+) {2,}(\S.*?) {2,}.*?(still playing)?\s*$", recorded[1], re.MULTILINE)
    assert [table for table, _, _ in rows[1:]] == [table.name for table in tables(RULESETS)]
    for ruleset in RULESETS.values():
        assert {bool(on) for _, name, on in rows if name == ruleset.about().names["en"]} == {True, False}


def test_what_was_played_is_there_once_when_it_is_recorded_again_and_printed_in_german(recorded: tuple[Path, str]):
    again = demo(recorded[0], "--games", 4, "--lang", "de").output
    assert ID.findall(again) == ID.findall(recorded[1])
    assert re.search(r"Zeisig .* läuft noch", again)


def test_the_same_seed_plays_the_same_and_another_seed_something_else():
    table = tables(RULESETS)[2]
    assert record_of(table, RULESETS, 1) == record_of(table, RULESETS, 1) != record_of(table, RULESETS, 2)


def test_more_games_are_played_if_asked_for():
    first, many = tables(RULESETS), tables(RULESETS, 30)
    assert (tables(RULESETS, 1), many[: len(first)]) == (first[:1], first)
    assert len({table.name for table in many}) == 30
    assert [table for table in many[len(first) :] if table.record] == []


def test_a_ruleset_that_nobody_planned_for_has_a_table_too():
    unplanned = {"sixth": RULESETS["casino"]}
    assert [(table.name, table.ruleset, table.options) for table in tables(unplanned)] == [("Amsel", "sixth", {})]


def test_nobody_sits_at_two_tables():
    assert len({player.id for player in PLAYERS}) == len({player.name for player in PLAYERS}) == len(PLAYERS)
    seats = [table.seats or find_minimum_seats(RULESETS[table.ruleset], table.options) for table in tables(RULESETS)]
    assert len(PLAYERS) >= sum(seats)


def test_no_demo_is_recorded_beside_a_running_server(tmp_path: Path):
    with acquire_writer_lock(tmp_path / "serve.lock", "serve"):
        result = demo(tmp_path)
    assert (result.exit_code, "in use by kiebitz serve" in result.stderr) == (1, True)


# What is to be seen


def test_the_director_finds_every_game_a_round_closed_and_one_in_play(evening: Evening, recorded: tuple[Path, str]):
    browser, page = evening.comes("director")
    told = done(browser.get(f"/v1/tournaments/{NIGHT}"))
    assert page == f"/t/{NIGHT}/desk"
    assert browser.get(page).status_code == 200
    assert (told["title"], told["publication"], told["state"]) == ("Casino club night", "names", "running")
    assert [round["closed"] for round in done(browser.get(f"/v1/tournaments/{NIGHT}/rounds"))["rounds"]] == [True, False]
    assert done(browser.get(f"/v1/tournaments/{NIGHT}/wall"))["show"] == "standings"
    games = done(browser.get("/v1/games?limit=200"))["items"]
    assert {game["table"] for game in games if game["tournament"] is None} == {table.name for table in tables(RULESETS)}
    assert (len(games), set(ID.findall(recorded[1])) <= {game["id"] for game in games}) == (len(tables(RULESETS)) + 8 + 8, True)


def test_the_arbiter_finds_a_hand_that_waits_for_his_ruling_and_tries_one(evening: Evening):
    browser, page = evening.comes("arbiter")
    game = f"/v1/games/{page.removeprefix('/g/')}"
    [dispute] = done(browser.get(f"{game}/disputes"))["disputes"]
    disputed = dispute["position"]
    assert done(browser.get(game))["state"] == "suspended"
    stood = done(browser.get(f"{game}/history?after={disputed - 1}&limit=1"))["events"][0]
    assert (stood["name"], stood["body"]["code"], stood["body"]["rules"]) == ("move.stood/1", "must_not_trail", ["CNO-41"])
    ruling = {"decision": "rewind", "to": disputed - 1, "reason": "He had to play on his build.", "rules": ["CNO-41"]}
    told = browser.post(f"{game}/rulings?dry_run=true", json={"dispute": 1, **ruling})
    assert told.status_code == 200, told.text


def test_a_ruling_on_the_count_in_dispute_changes_the_standings(evening: Evening):
    browser, page = evening.comes("at the count")
    game, before = f"/v1/games/{page.removeprefix('/g/')}", scores(browser)
    [dispute] = done(browser.get(f"{game}/disputes"))["disputes"]
    ruling = {"decision": "adjust", "reason": "It was swept.", "adjustments": [{"party": 0, "points": 1}]}
    ruled = browser.post(f"{game}/rulings", json={"dispute": dispute["number"], **ruling})
    assert ruled.status_code == 201, ruled.text
    after = scores(browser)
    assert {entrant for entrant in before if before[entrant] != after[entrant]} == {1}
    assert after[1] == before[1] + 1


def scores(browser: httpx.Client) -> dict[int, float]:
    return {row["entrant"]: row["score"] for row in done(browser.get(f"/v1/tournaments/{NIGHT}/standings"))["lines"]}


def test_a_player_is_shown_his_own_hand_and_nobody_elses(evening: Evening):
    browser, page = evening.comes("player")
    assert page == "/me"
    game = re.findall(r'href="(/g/[0-9a-f-]{36})"', browser.get(page).text)[0]
    table = done(browser.get(f"/v1/games/{game.removeprefix('/g/')}/table"))
    mine = done(browser.get(f"/v1/games/{game.removeprefix('/g/')}"))["players"].index(PLAYERS[2].id)
    assert "?" not in table["hands"][mine]
    assert set(table["hands"][1 - mine]) == {"?"}


def test_the_recorder_records_the_next_move_at_his_table(evening: Evening):
    browser, page = evening.comes("recorder")
    assert page.endswith("/record")
    assert browser.get(page).status_code == 200
    game = f"/v1/games/{page.removeprefix('/g/').removesuffix('/record')}"
    seat = done(browser.get(game))["turn"]
    move = done(browser.get(f"{game}/legal-moves?seat={seat}"))["moves"][0]
    answer = browser.post(f"{game}/moves", json={"seat": seat, "move": move}, headers={"Sec-Fetch-Site": "same-origin"})
    assert answer.status_code == 201, answer.text


def test_spectators_read_the_names_of_the_club_night(evening: Evening):
    browser, _ = evening.comes("viewer")
    shown = [row["shown"] for row in done(browser.get(f"/v1/tournaments/{NIGHT}/standings"))["lines"]]
    assert {name for names in shown for name in names} == {player.name for player in PLAYERS[:8]}


def test_a_link_lets_in_a_second_browser(evening: Evening):
    for _ in range(2):
        evening.comes("director")


def test_the_series_of_two_imported_evenings_is_there_for_everybody(evening: Evening):
    rated, graph = evening.comes("rating")
    assert 'viewBox="-4 -4 300 120"' in rated.get(graph).text
    browser, page = evening.comes("series")
    assert page == f"/s/{SERIES}"
    assert "Club evening in April" in browser.get(page, headers={"Accept-Language": "en"}).text
    told = done(browser.get(f"/v1/series/{SERIES}/standings"))
    assert (told["provisional"], [one["played"] for one in told["tournaments"]]) == (False, [4, 4])
    lines = told["tables"][0]["lines"]
    assert (len(lines), {one["played"] for one in lines}, sum(one["points"] for one in lines)) == (4, {2}, 2 * (5 + 3 + 2 + 1))
