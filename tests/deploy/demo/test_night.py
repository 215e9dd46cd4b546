"""The club night of the demo: what is to be seen there, and by whom."""

import re
import subprocess
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from urllib.parse import urlsplit

import httpx
import pytest

from deploy.demo.night import NIGHT
from deploy.demo.season import players
from tests.deploy.serving import KIEBITZ, PATIENCE, done, environment
from tests.forking import Process

WHO = ("director", "arbiter", "at the count", "recorder", "player", "viewer")
LINK = re.compile(r"^  (http://\S+/in\?next=(\S+)#(\w+))$", re.MULTILINE)


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


@contextmanager
def demo(data: Path) -> Iterator[Evening]:
    command = [str(KIEBITZ), "demo", "--port", "0", "--games", "1", "--data", str(data)]
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


@pytest.fixture(scope="module")
def evening(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Evening]:
    with demo(tmp_path_factory.mktemp("evening") / "data") as found:
        yield found


def test_who_opens_the_link_of_the_director_finds_a_round_closed_and_one_in_play(evening: Evening):
    browser, page = evening.comes("director")
    told = done(browser.get(f"/v1/tournaments/{NIGHT}"))
    assert page == f"/t/{NIGHT}/desk"
    assert browser.get(page).status_code == 200
    assert (told["title"], told["publication"], told["state"]) == ("Casino club night", "names", "running")
    assert [round["closed"] for round in done(browser.get(f"/v1/tournaments/{NIGHT}/rounds"))["rounds"]] == [True, False]
    assert done(browser.get(f"/v1/tournaments/{NIGHT}/wall"))["show"] == "standings"


def test_the_arbiter_finds_a_hand_that_waits_for_his_ruling_and_tries_one(evening: Evening):
    browser, page = evening.comes("arbiter")
    game = f"/v1/games/{page.removeprefix('/g/')}"
    [dispute] = done(browser.get(f"{game}/disputes"))["disputes"]
    disputed = dispute["position"]
    assert done(browser.get(game))["standing"] == "suspended"
    stood = done(browser.get(f"{game}/history?after={disputed - 1}&limit=1"))["events"][0]
    assert (stood["name"], stood["body"]["code"], stood["body"]["rules"]) == ("move.stood/1", "must_not_trail", ["CNO-41"])
    ruling = {"decision": "rewind", "to": disputed - 1, "reason": "He had to play on his build.", "rules": ["CNO-41"]}
    told = browser.post(f"{game}/disputes/1/rulings?dry_run=true", json=ruling)
    assert told.status_code == 200, told.text


def test_a_ruling_on_the_count_in_dispute_changes_the_standings(tmp_path: Path):
    with demo(tmp_path) as evening:
        browser, page = evening.comes("at the count")
        path, before = f"/v1/games/{page.removeprefix('/g/')}/disputes", scores(browser)
        [dispute] = done(browser.get(path))["disputes"]
        ruling = {"decision": "adjust", "reason": "It was swept.", "adjustments": [{"party": 0, "points": 1}]}
        ruled = browser.post(f"{path}/{dispute['number']}/rulings", json=ruling)
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
    mine = done(browser.get(f"/v1/games/{game.removeprefix('/g/')}"))["players"].index(players()[2].id)
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
    assert {name for names in shown for name in names} == {player.name for player in players()[:8]}


def test_a_link_lets_in_a_second_browser(evening: Evening):
    for _ in range(2):
        evening.comes("director")


def test_started_again_it_is_as_it_was_left(tmp_path: Path):
    told = []
    for _ in range(2):
        with demo(tmp_path) as evening:
            browser, _ = evening.comes("director")
            told.append((done(browser.get("/v1/games?limit=200")), done(browser.get(f"/v1/tournaments/{NIGHT}/standings"))))
    assert told[0] == told[1]
