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
    page.locator("summary", has_text="What counts").click()
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
        found = [one for one in done(client.get("/v1/tournaments?limit=100"))["items"] if one["title"] == "Once only"]
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
    page.get_by_text("Optionen", exact=True).click()
    page.locator("input[name='options.target']").fill("11")
    page.locator("button.main").click()
    expect(page).to_have_url(re.compile("/g/.*/record$"))
    with house.client() as client:
        game = done(client.get(f"/v1/games/{page.url.split('/')[4]}"))
        found = done(client.get("/v1/players?search=Greta Neu"))["items"]
        (new,) = [one["id"] for one in found if one["name"] == "Greta Neu"]
    assert game["players"] == [known, new]
    assert game["options"]["target"] == 11


def test_a_preset_sets_the_options_below_it_and_leaves_what_was_changed_by_hand(visit: Visit, house: Served):  # COM-45
    page = visit(Likes(), house.token).go("/new?what=game&ruleset=casino")
    expect(page.locator("select[name='options.variant']")).not_to_be_visible()
    page.get_by_label("How the game is played").select_option("source")
    page.get_by_text("Options", exact=True).click()
    page.locator("input[name='options.target']").fill("11")
    page.locator("select[name='options.variant']").select_option("royal")
    expect(page.locator("input[name='options.sweeps']")).to_be_checked()
    expect(page.locator("select[name='options.last_sweep']")).to_have_value("not")
    page.get_by_label("How the game is played").select_option("usual")
    expect(page.locator("input[name='options.sweeps']")).not_to_be_checked()
    page.get_by_label("How the game is played").select_option("source")
    page.locator("input[name='options.sweeps']").uncheck()
    page.locator("button.main").click()
    expect(page).to_have_url(re.compile("/g/.*/record$"))
    with house.client() as client:
        options = done(client.get(f"/v1/games/{page.url.split('/')[4]}"))["options"]
    assert options == {"variant": "royal", "partners": False, "sweeps": False, "target": 11, "count_out": "order", "last_sweep": "not"}


def test_results_of_earlier_seasons_are_checked_and_imported_from_a_file(visit: Visit, house: Served):
    page = visit(Likes(PHONE), house.token).go("/new?what=season")
    for score, says in (("many", "Line 3: "), ("17", "Checked, nothing is imported yet. New players: 2.")):
        text = f"player;score\nAdele Einst;21\nBruno Einst;{score}\n"
        page.get_by_label("File").set_input_files({"name": "s.csv", "mimeType": "text/csv", "buffer": text.encode()})
        page.get_by_label("Tournament", exact=True).fill("Autumn of 1999")
        page.get_by_label("Day", exact=True).fill("1999-10-05")
        page.locator("[name=ruleset]").select_option("casino")
        page.get_by_role("button", name="Check").click()
        expect(page.locator(".result")).to_contain_text(says)
    page.get_by_role("button", name="Import").click()
    expect(page.locator(".result")).to_contain_text("Imported. New players: 2.")
    page.get_by_role("link", name="Autumn of 1999").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Autumn of 1999")
