"""The page of a tournament in a browser: a table is found while one types, results come by themselves, what was opened stays open."""

from typing import Any

import httpx
from playwright.sync_api import expect

from tests.deploy.serving import Served, done
from tests.pages.conftest import Visit
from tests.pages.desk.test_desk import evening
from tests.pages.people import registered
from tests.pages.visitors import PHONE, Likes


def published(client: httpx.Client, name: str) -> Any:
    game = evening(client, name)
    done(client.post(f"/v1/tournaments/{name}/publication", json={"publication": "aliases"}))
    return game


def test_who_types_finds_his_table(visit: Visit, house: Served):
    with house.client() as client:
        evening(client, "typed")
    page = visit(Likes(PHONE), house.token).go("/t/typed")
    expect(page.locator(".standings > li")).to_have_count(2)
    page.locator("#find").fill("BEN")
    expect(page.locator(".standings > li:visible")).to_have_count(1)
    expect(page.locator(".tables > li:visible")).to_have_count(1)
    page.locator("#find").fill("nobody at all")
    expect(page.locator(".tables > li:visible")).to_have_count(0)


def test_without_script_it_is_found_by_a_form_and_figures_open(visit: Visit, house: Served):
    with house.client() as client:
        evening(client, "plain")
    visitor = visit(Likes(language="de"), house.token)
    page = visitor.context.new_page()
    page.route("**/*.js", lambda route: route.abort())
    page.goto(f"{visitor.url}/t/plain")
    page.locator("#find").fill("1")
    page.locator("#find").press("Enter")
    expect(page.locator(".found li")).to_have_count(1)
    page.locator(".standings summary").first.click()
    expect(page.locator(".standings .parts").first).to_be_visible()


def test_a_result_comes_by_itself_and_what_was_opened_stays_open(visit: Visit, house: Served):
    with house.client() as client:
        game = published(client, "live-night")
        page = visit().go("/t/live-night")
        expect(page.locator("body[data-live]")).to_be_attached()
        first = page.locator(".standings > li").first
        first.locator("summary").first.click()
        expect(page.locator(".tables .sides li").first).to_contain_text("12")
        points = [{"party": 0, "points": 9}]
        done(client.post(f"/v1/games/{game}/adjustments", json={"adjustments": points, "reason": "found later"}))
        expect(page.locator(".tables .sides li").first).to_contain_text("21")
        expect(first.locator("details").first).to_have_attribute("open", "")


def test_who_types_his_number_finds_his_table_and_no_other(visit: Visit, house: Served):
    with house.client() as client:
        evening(client, "numbered")
    page = visit(Likes(PHONE), house.token).go("/t/numbered?find=2")
    expect(page.locator(".found li")).to_have_count(1)
    page.locator("#find").fill("1")
    expect(page.locator(".found")).to_be_hidden()
    expect(page.locator(".standings > li:visible")).to_have_attribute("data-numbers", "1")
    expect(page.locator(".tables > li:visible")).to_have_count(1)


def test_the_first_pairing_comes_by_itself_and_so_does_where_one_sits(visit: Visit, house: Served):
    with house.client() as client:
        done(client.post("/v1/tournaments", json={"id": "unpaired", "ruleset": "casino", "seats": 2, "format": "manual"}))
        for player in registered(client, "una", "ulf"):
            done(client.post("/v1/tournaments/unpaired/entries", json={"players": [player]}))
        page = visit(Likes(PHONE), house.token).go("/t/unpaired?find=una")
        expect(page.locator(".found")).to_contain_text("no table in this round")
        expect(page.locator("body[data-live]")).to_be_attached()
        done(client.post("/v1/tournaments/unpaired/rounds", json={"tables": [{"table": "1", "parties": [[1], [2]]}]}))
        expect(page.locator("#round-title")).to_contain_text("Round 1")
        expect(page.locator(".found")).to_contain_text("Table 1, seat 1")
