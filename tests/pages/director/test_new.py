"""Something new: a tournament, a game, from the options of a ruleset. Nothing typed is lost, nothing is done twice."""

import re

from playwright.sync_api import Route, expect

from tests.deploy.serving import Served, done
from tests.pages.conftest import Visit
from tests.pages.visitors import PHONE, Likes


def test_a_refusal_stands_at_its_field_and_nothing_typed_is_lost(visit: Visit, house: Served):
    visitor = visit(Likes(), house.token)
    page = visitor.go("/")
    page.get_by_role("link", name="New tournament or game").click()
    page.get_by_role("link", name="New tournament: Canasta").click()
    page.get_by_label("Title").fill("Refused night")
    page.get_by_label("Tie-break 1").select_option("buchholz")
    page.get_by_label("Who enters").select_option("players")
    page.get_by_role("button", name="Announce the tournament").click()
    field = page.get_by_label("Tie-break 1")
    expect(field).to_be_focused()
    expect(field).to_have_attribute("aria-invalid", "true")
    expect(page.get_by_role("alert")).to_contain_text("Buchholz needs match points")
    expect(page.get_by_label("Title")).to_have_value("Refused night")
    visitor.wrong.clear()  # browsers complain of each 4xx


def test_a_lost_answer_is_no_second_tournament(visit: Visit, house: Served):
    visitor = visit(Likes(), house.token)
    page = visitor.go("/new?what=tournament&ruleset=canasta")
    page.get_by_label("Title").fill("Once only")
    heard = []

    def lost(route: Route) -> None:
        route.fetch()
        heard.append(route.request)
        route.abort() if len(heard) == 1 else route.continue_()

    page.route("**/v1/tournaments", lost)
    announce = page.get_by_role("button", name="Announce the tournament")
    announce.click()
    expect(page.get_by_role("alert")).to_contain_text("nothing is recorded twice")
    with page.expect_response(lambda answer: answer.url.endswith("/v1/tournaments")) as answered:
        announce.click()
    assert answered.value.status == 201
    with house.client() as client:
        found = [one for one in done(client.get("/v1/tournaments?limit=100"))["tournaments"] if one["title"] == "Once only"]
    assert len(found) == 1
    visitor.wrong.clear()


def test_a_game_is_opened_with_players_by_name_old_and_new(visit: Visit, house: Served):
    with house.client() as client:
        old = "Frieda Alt"
        known = done(client.post("/v1/players", json={"name": old}))["player"]
    page = visit(Likes(PHONE, "de"), house.token).go("/new?what=game&ruleset=casino")
    page.locator("[data-seat] input").nth(0).fill(old)
    expect(page.locator(".who-is").nth(0)).to_have_text("im Verzeichnis")
    page.locator("[data-seat] input").nth(1).fill("Greta Neu")
    expect(page.locator(".who-is").nth(1)).to_have_text(re.compile("^neu:"))
    page.locator("input[name='options.target']").fill("11")
    page.locator("button.main").click()
    expect(page).to_have_url(re.compile("/g/.*/record$"))
    with house.client() as client:
        game = done(client.get(f"/v1/games/{page.url.split('/')[4]}"))
        found = done(client.get("/v1/players?search=Greta Neu"))["players"]
        (new,) = [one["id"] for one in found if one["name"] == "Greta Neu"]
    assert game["players"] == [known, new]
    assert game["options"]["target"] == 11
