"""The wall of a hall: it shows what the director chooses, turns its pages, counts by the service's time, and says when it hears nothing."""

import re
from datetime import UTC, datetime, timedelta
from typing import Any

import httpx
from playwright.sync_api import Page, expect

from tests.deploy.serving import Served, done
from tests.pages.conftest import Visit
from tests.pages.desk.test_desk import evening
from tests.pages.people import registered
from tests.pages.visitors import WALL, Likes

LOW = """least => {
  const words = one => [...one.childNodes].some(node => node.nodeType === 3 && node.data.trim());
  const low = one => parseFloat(getComputedStyle(one).fontSize) < least;
  const seen = [...document.querySelectorAll("main *")].filter(one => one.offsetParent && !one.closest(".unseen"));
  return seen.filter(one => words(one) && low(one)).map(one => one.outerHTML);
}"""
"""All that is written in lower letters."""


def choose(client: httpx.Client, tournament: str, **wanted: Any) -> None:
    done(client.put(f"/v1/tournaments/{tournament}/wall", json=wanted))


def crowd(client: httpx.Client, name: str, tables: int) -> None:
    """A paired round of as many tables."""
    done(client.post("/v1/tournaments", json={"id": name, "ruleset": "casino", "seats": 2, "format": "manual"}))
    players = registered(client, *(f"{name} Leutheusser-Schnarrenberger {number:02}" for number in range(2 * tables)))
    lines = "".join(f"{player}\n" for player in players)
    done(client.post(f"/v1/tournaments/{name}/entries", content=f"player\n{lines}", headers={"Content-Type": "text/csv"}))
    pairing = [{"table": str(table), "parties": [[2 * table - 1], [2 * table]]} for table in range(1, tables + 1)]
    done(client.post(f"/v1/tournaments/{name}/rounds", json={"tables": pairing}))


def hung(visit: Visit, house: Served, path: str) -> Page:
    return visit(Likes(WALL), house.token).go(path)


def test_it_shows_what_the_director_chooses_as_soon_as_he_chooses_it(visit: Visit, house: Served):
    with house.client() as client:
        game = evening(client, "chosen")
        page = hung(visit, house, "/t/chosen/wall")
        expect(page.locator(".now")).to_contain_text("Round 1 · find your table")
        choose(client, "chosen", show="standings", message="Soup is ready.")
        expect(page.locator(".now")).to_have_text(re.compile("Standings · Before round 1"))
        expect(page.locator(".message")).to_have_text("Soup is ready.")
        choose(client, "chosen", show="tables")
        expect(page.locator(".rows.tables li")).to_contain_text(re.compile("chosen-ben 10"))
        expect(page.locator("body[data-live]")).to_be_attached()
        done(client.post(f"/v1/games/{game}/adjustments", json={"adjustments": [{"party": 1, "points": 9}], "reason": "found later"}))
        expect(page.locator(".rows.tables li")).to_contain_text(re.compile("chosen-ben 19"))


def test_pages_of_whole_rows_turn_by_themselves_by_hand_or_not_at_all(visit: Visit, house: Served):
    with house.client() as client:
        crowd(client, "crowd", 32)
    visitor = visit(Likes(WALL), house.token)
    visitor.page.clock.install()
    page = visitor.go("/t/crowd/wall?show=pairings")
    number, rows = page.locator("#page-number"), page.locator(".rows li:visible")
    pages = int(re.sub(r"\D*\d+ / ", "", number.inner_text()))
    seen = []
    for turn in range(pages):
        expect(number).to_have_text(f"{turn + 1} / {pages}")
        seen += rows.locator(".name").all_inner_texts()
        assert page.locator(".rows").evaluate(
            "list => list.scrollWidth <= list.clientWidth + 1 && list.scrollHeight <= list.clientHeight + 1"
        )
        page.clock.run_for(8000)
    assert (len(seen), len(set(seen))) == (64, 64), "everybody stands on one page"
    expect(number).to_have_text(f"1 / {pages}")
    page.keyboard.press("Space")
    page.clock.run_for(20000)
    expect(number).to_have_text(f"1 / {pages}")
    page.locator(".rows li:visible").first.click()
    expect(number).to_have_text(f"2 / {pages}")
    page.keyboard.press("ArrowLeft")
    expect(number).to_have_text(f"1 / {pages}")
    assert page.evaluate(LOW, WALL[1] / 28) == []


def test_without_a_connection_it_says_since_when_and_goes_on_by_itself(visit: Visit, house: Served):
    with house.client() as client:
        evening(client, "cut-off")
        visitor = visit(Likes(WALL), house.token)
        page = visitor.go("/t/cut-off/wall")
        expect(page.locator("body[data-live]")).to_be_attached()
        visitor.context.set_offline(True)
        expect(page.locator("#lost")).to_have_text(re.compile(r"No connection\. Nothing heard since \d+:\d\d"))
        expect(page.locator(".rows li").first).to_be_visible()
        choose(client, "cut-off", show="tables")
        visitor.context.set_offline(False)
        expect(page.locator("#lost")).to_be_hidden()
        expect(page.locator(".rows.tables")).to_be_visible()
    visitor.wrong.clear()  # browsers complain of each request that fails


def test_the_clock_counts_by_the_time_of_the_service(visit: Visit, house: Served):
    with house.client() as client:
        evening(client, "counted")
        until = datetime.now(UTC) + timedelta(minutes=10)
        choose(client, "counted", show="clock", clock={"counts": "round", "until": until.isoformat()})
    visitor = visit(Likes(WALL), house.token)
    visitor.page.clock.install(time=datetime.now(UTC) + timedelta(hours=5))
    page = visitor.go("/t/counted/wall")
    timer = page.get_by_role("timer")
    expect(timer).to_have_text(re.compile(r"^(10:00|9:\d\d)$"))
    expect(timer).not_to_have_text(timer.inner_text())
    expect(timer).to_have_text(re.compile(r"^9:\d\d$"))
