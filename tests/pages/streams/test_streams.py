"""All pages of a browser share one connection for what is recorded, whoever holds it."""

import re
from collections.abc import Sequence

import httpx
import pytest
from playwright.sync_api import Page, expect

from tests.deploy.serving import Served, done, open_game, play_on, until
from tests.pages.conftest import Visit
from tests.pages.desk.test_desk import evening
from tests.pages.visitors import Likes, Visitor

BUSY = re.compile(r'^kiebitz_connections\{state="busy"\} (\d+)', re.MULTILINE)
FOLLOWS = "#live[data-state=good], body[data-live], #log li"


def open_connections(client: httpx.Client) -> int:
    """Return on how many connections something is being answered, besides the one that asks for their number."""
    found = BUSY.search(client.get("/metrics").text)
    assert found
    return int(found[1]) - 1


def following(visitor: Visitor, paths: Sequence[str]) -> list[Page]:
    """Open a tab for each of these pages, all of which follow then."""
    tabs = [visitor.opened_at(path) for path in paths]
    for tab in tabs:
        expect(tab.locator(FOLLOWS).first).to_be_attached()
    return tabs


@pytest.mark.parametrize("missing", ["", "SharedWorker"], ids=["worker", "leader"])
def test_pages_hold_one_connection_and_lose_nothing_when_one_of_them_closes(visit: Visit, house: Served, missing: str):
    name, visitor = f"shared-{missing.lower()}", visit(Likes(), house.token)
    visitor.context.add_init_script(f"delete window.{missing}" if missing else "")
    with house.client() as client:
        game = evening(client, name)
        pages = (f"/t/{name}/desk", f"/g/{game}/record", *([f"/g/{game}"] * 2))
        desk, record, *replays = following(visitor, pages)
        until(lambda: open_connections(client) == 1)
        assert desk.evaluate("fetch('/v1/me').then(answer => answer.status)") == 200
        replays.pop().close()  # the tab that was opened last leads, where there is no worker
        for _ in range(3):
            play_on(client, game)
        end = done(client.get(f"/v1/games/{game}"))["position"]
        for replay in replays:
            expect(replay.locator("#count")).to_have_text(f"{end} / {end}")
        expect(record.locator("#log li")).to_have_count(end)
        until(lambda: open_connections(client) == 1)


def test_who_had_no_network_when_he_began_to_follow_does_as_soon_as_it_is_back(visit: Visit, house: Served):
    visitor = visit(Likes(), house.token)
    visitor.context.add_init_script("delete window.SharedWorker; window.setInterval = () => 0")  # nothing looks after it later
    with house.client() as client:
        game = open_game(client)
        page = visitor.page
        page.route("**/streams.hub.js", lambda route: route.abort())
        with page.expect_event("requestfailed"):
            page.goto(f"{house.url}/g/{game}/record")
        expect(page.locator("body[data-ready]")).to_be_attached()
        page.unroute_all()
        page.evaluate("dispatchEvent(new Event('online'))")
        play_on(client, game)
        expect(page.locator("#log li")).to_have_count(2)
    assert [one for one in visitor.wrong if one.startswith("error")] == []
    visitor.wrong.clear()  # browsers complain of each request that found no network
