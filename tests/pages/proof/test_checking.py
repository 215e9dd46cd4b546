"""The proof of a record, checked on its page: by who looks, and against what his device saw before."""

import re

import pytest
from playwright.sync_api import Page, expect

from tests.deploy.serving import Served, open_game, play_on
from tests.pages.conftest import Visit
from tests.pages.outbox.test_outbox import ENTER, HALL
from tests.pages.replay.test_replay import opened
from tests.pages.visitors import Likes, tell_otherwise

GOOD = re.compile(r"✓ Proven: this record, up to move (\d+), lies in the log \S+/log/1 of [\d,]+ entries\.")
LOG = "Object.keys(localStorage).find(name => name.startsWith('kiebitz-log '))"


def checked(page: Page) -> str:
    """What the check says."""
    page.evaluate("() => { document.getElementById('proven').dataset.state = 'not yet'; }")
    page.locator("[popovertarget]").click()
    page.locator("#proof").click()
    expect(page.locator("#proven")).to_have_attribute("data-state", re.compile("good|bad|off"))
    said = page.locator("#proven > span").inner_text()
    return f"{page.locator('#proven').get_attribute('data-state')}: {said}"


def remembered(page: Page, change: str) -> None:
    """Changes what the device keeps of the log. ``change``: what is done to ``log``, of the game ``game``."""
    page.evaluate(
        f"""() => {{ const name = {LOG}, log = JSON.parse(localStorage.getItem(name)), [game] = Object.values(log.games); {change};
        localStorage.setItem(name, JSON.stringify(log)); }}"""
    )


@pytest.fixture
def game(house: Served) -> str:
    with house.client() as client:
        game = open_game(client)
        for _ in range(3):
            play_on(client, game)
    return game


def test_a_record_is_proven_through_whose_eyes_it_is_looked_at_and_what_is_told_otherwise_than_it_was_signed_is_said_in_red(
    visit: Visit, house: Served, game: str
):
    visitor = visit(secret=house.token)
    for view in ("arbiter", "public"):
        page = visitor.go(f"/g/{game}?view={view}")
        expect(page.locator("body[data-ready]")).to_be_attached()
        page.evaluate("localStorage.clear()")
        said = checked(page)
        found = GOOD.search(said)
        assert found, said
        assert (said[:4], found[1], "sees the log for the first time" in said) == ("good", "4", True)
    page.evaluate("localStorage.clear()")
    tell_otherwise(page, "/proof?", "told.events.at(-1).bytes += ' '")
    assert checked(page).startswith("bad: ✗ NOT proven.")


def test_it_says_since_when_the_record_stood_where_a_checkpoint_behind_it_was_printed(visit: Visit, house: Served, game: str):
    with house.client() as client:
        client.get(f"/v1/games/{game}/proof?wait=30")
        assert client.get(f"/v1/games/{game}/score-sheet?format=html&checkpoint=true").status_code == 200
        printed = int(client.get("/v1/log/checkpoint").text.splitlines()[1])
        client.get(f"/v1/games/{open_game(client)}/proof?wait=30")
    said = checked(opened(visit, house, f"/g/{game}"))
    found = re.search(r"It stood there already when the log had ([\d,]+) entries\.", said)
    assert found, said
    assert int(found[1].replace(",", "")) <= printed


SEEN_OTHERWISE = {
    "log.size += 100000": "is shorter than this device has seen it",
    "log.note = log.note.replace(/[A-Z]/, 'x')": "signed by another key|cannot be read|A signature is wrong",
    "game.mark = btoa('x'.repeat(32))": "This game is not the one that this device has seen",
    "log.keys = log.keys.replace(/^.*log.*$/mg, '')": "another key than this device knows",
}


def test_what_was_seen_is_held_against_what_came_since_and_what_is_not_as_this_device_saw_it_is_said_in_red(
    visit: Visit, house: Served, game: str
):
    page = opened(visit, house, f"/g/{game}")
    assert checked(page).startswith("good")
    with house.client() as client:
        play_on(client, game)
    expect(page.locator("#count")).to_have_text("5 / 5")
    said = checked(page)
    assert GOOD.search(said)[1] == "5"  # pyrefly: ignore[unsupported-operation]
    assert "still stands there as it did" in said
    kept = page.evaluate("() => ({...localStorage})")
    for change, says in SEEN_OTHERWISE.items():
        remembered(page, change)
        said = checked(page)
        assert said.startswith("bad: ✗ NOT proven."), change
        assert re.search(says, said), said
        page.evaluate("kept => Object.assign(localStorage, kept)", kept)


def test_another_log_asks_who_looks_before_the_device_begins_anew_and_one_that_goes_on_from_another_past_is_said_in_red(
    visit: Visit, house: Served, game: str
):
    page = opened(visit, house, f"/g/{game}")
    checked(page)
    page.evaluate(f"() => {{ const name = {LOG}; localStorage.setItem('kiebitz-log x/log/1', '{{}}'); localStorage.removeItem(name); }}")
    assert "keeps another log than the one that this device knows" in checked(page)
    page.get_by_role("button", name="Forget what this device knows").click()
    expect(page.locator("#proven")).to_have_attribute("data-state", "good")
    with house.client() as client:
        play_on(client, game)
    tell_otherwise(page, "/v1/log/consistency?", "told.path = [btoa('x'.repeat(32))]")  # a path that does not lead there
    assert "Something before was changed" in checked(page)


def test_over_plain_http_nothing_is_claimed_and_the_file_is_offered(visit: Visit, house: Served, game: str):
    hall = house.url.replace("127.0.0.1", HALL)
    visitor = visit(Likes(language="de"))
    page = visitor.page
    page.goto(hall)
    page.evaluate(ENTER, house.token)
    page.goto(f"{hall}/g/{game}")
    expect(page.locator("body[data-ready]")).to_be_attached()
    said = checked(page)
    assert said.startswith("off: Nicht geprüft: Dieser Browser kann das nur über https")
    assert [link.get_attribute("href") for link in page.locator("#proven a").all()][1] == "/docs/verifier"
    expect(page.get_by_role("link", name="Beweisdatei")).to_have_attribute("download", f"{game}.json")
    visitor.wrong[:] = [one for one in visitor.wrong if "Cross-Origin-Opener-Policy" not in one]  # over plain http browsers ignore it
