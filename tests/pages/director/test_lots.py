"""Lots that nobody can try out, by the pages: dice are promised when it is announced, typed with the draw, and everybody reads them."""

import re
import sqlite3
from contextlib import closing
from pathlib import Path

from playwright.sync_api import Browser, expect

from tests.deploy.serving import Served, done, served
from tests.pages.conftest import Visit
from tests.pages.visitors import PHONE, Likes, visiting

LOTS = "section[aria-labelledby=lots-title]"


def test_a_tournament_is_announced_with_dice_and_drawn_with_them(visit: Visit, house: Served):
    id = "lots"
    visitor = visit(Likes(), house.token)
    page = visitor.go("/new?what=tournament&ruleset=casino")
    page.locator("input[name=title]").fill("Lots")
    page.locator("select[name=seats]").select_option("2")
    page.locator("details summary").last.click()
    page.locator("input[name=id]").fill(id)
    page.locator("input[name=dice]").fill("8")
    page.locator("button.main").click()
    expect(page).to_have_url(re.compile(f"/t/{id}/desk$"))
    with house.client() as client:
        for number in range(4):
            done(client.post(f"/v1/tournaments/{id}/entries", json={"players": [f"{id}-{number}"]}))
        digits = done(client.get(f"/v1/tournaments/{id}"))["lots"]["digits"]

    reader = visit(Likes(PHONE, "de"), house.token)
    expect(reader.go(f"/t/{id}").locator(LOTS)).to_contain_text(digits)
    page.goto(f"{visitor.url}/t/{id}/desk")
    expect(page.locator("body[data-ready]")).to_be_attached()
    form = page.locator("#now > form").first
    form.locator("input[name=dice]").fill("631")
    form.locator("button.main").click()
    expect(form.locator("input[name=dice]")).to_have_attribute("aria-invalid", "true")
    visitor.wrong.clear()  # browsers complain of each 4xx
    form.locator("input[name=dice]").fill("63115246")
    form.locator("button.main").click()
    expect(page.locator(".tiles > li")).to_have_count(2)

    with house.client() as client:
        told = done(client.get(f"/v1/tournaments/{id}"))
    assert (told["lots"]["how"], told["lots"]["thrown"]) == ("drawn", "6 3 1 1 5 2 4 6")
    lots = reader.go(f"/t/{id}").locator(LOTS)
    for shown in (digits, "6 3 1 1 5 2 4 6", told["lots"]["secret"], told["seed"]):
        expect(lots).to_contain_text(shown)
    expect(lots).to_contain_text("8 Würfeln, die im Saal geworfen wurden")


def test_where_the_secret_was_lost_the_desk_asks_for_words_and_the_page_says_so(browser: Browser, tmp_path: Path):
    with (
        served("--data", tmp_path / "data") as house,
        house.client() as client,
        visiting(browser, house.url, Likes(), house.token) as visitor,
    ):
        done(client.post("/v1/tournaments", json={"id": "lost", "ruleset": "casino", "seats": 2, "format": "swiss"}))
        for number in range(4):
            done(client.post("/v1/tournaments/lost/entries", json={"players": [f"p{number}"]}))
        with closing(sqlite3.connect(tmp_path / "data" / "journal.db")) as journal, journal:
            journal.execute("DELETE FROM shuffle_secrets")
        page = visitor.go("/t/lost/desk")
        expect(page.locator("body[data-ready]")).to_be_attached()
        form = page.locator("#now > form").first
        expect(form.locator("input[name=seed]")).to_be_hidden()
        form.locator("button.main").click()
        expect(form.get_by_role("alert")).to_contain_text("The secret to which the lots of this tournament are bound is not here.")
        visitor.wrong.clear()  # browsers complain of each 4xx
        form.locator("input[name=seed]").fill("from the hat")
        form.locator("button.main").click()
        expect(page.locator(".tiles > li")).to_have_count(2)
        lots = visitor.go("/t/lost").locator(LOTS)
        expect(lots).to_contain_text("a seed was given in the open with the first pairing")
        expect(lots).to_contain_text("from the hat")
