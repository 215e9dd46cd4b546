"""Seats of a round at the desk, by name: two that are pressed change places, in the round in play and in a pairing by hand."""

from playwright.sync_api import Page, expect

from tests.deploy.serving import Served, done
from tests.pages.conftest import Visit
from tests.pages.director.test_desk import announced, at
from tests.pages.visitors import PHONE, Likes


def press(page: Page, *names: str) -> None:
    for name in names:
        page.locator(".room").get_by_role("button", name=name, exact=True).first.click()


def test_a_late_comer_meets_the_one_who_is_free_and_two_swap_before_it_is_recorded(visit: Visit, house: Served):
    with house.client() as client:
        desk = announced(client, "swapped", 5)
        tables = [{"parties": [[1], [2]]}, {"parties": [[3], [4]]}]
        done(client.post("/v1/tournaments/swapped/rounds", json={"tables": tables, "byes": [5]}))
        done(client.post("/v1/tournaments/swapped/rounds/1/games", json={}))
        _, page = at(visit, house, f"{desk}?step=enter", Likes(PHONE))
        page.get_by_role("textbox", name="Names").fill("Nora Nachzug")
        page.get_by_role("button", name="Enter 1").click()
        expect(page.locator("#told")).to_contain_text("Entrant 6 plays from round 2 on")
        expect(page.locator("#told")).to_contain_text("(6 Nora Nachzug)")
        page.goto(f"{house.url}{desk}?step=draw")
        page.get_by_text("Change tables", exact=True).click()
        press(page, "swapped-1", "swapped-3")
        page.get_by_role("button", name="One more table").click()
        press(page, "swapped-4", "empty", "Nora Nachzug", "empty")
        page.get_by_role("button", name="Change the tables like this").click()
        expect(page.locator("#told")).to_contain_text("Recorded.")
        round = done(client.get("/v1/tournaments/swapped/rounds/1"))
    assert {one["table"]: one["parties"] for one in round["tables"]} == {"1": [[1], [4]], "2": [[3], [2]], "3": [[5], [6]]}


def test_a_pairing_by_hand_begins_with_the_draw(visit: Visit, house: Served):
    with house.client() as client:
        desk = announced(client, "by-hand", 4)
        drawn = done(client.post("/v1/tournaments/by-hand/rounds?dry_run=true", json={}))["events"][0]["body"]["tables"]
        (a, b), (c, d) = (one["seats"] for one in drawn)
        _, page = at(visit, house, desk)
        page.get_by_text("By hand", exact=True).click()
        press(page, f"by-hand-{b - 1}", f"by-hand-{d - 1}")
        page.get_by_role("button", name="Pair like this").click()
        expect(page.locator("#now-title")).to_have_text("Start of round 1")
        round = done(client.get("/v1/tournaments/by-hand/rounds/1"))
    assert ([one["parties"] for one in round["tables"]], round["drawn"]) == ([[[a], [d]], [[c], [b]]], False)


def test_ticks_hold_the_draw_until_they_are_recorded_and_a_paper_table_is_put_right(visit: Visit, house: Served):
    with house.client() as client:
        desk = announced(client, "paper", 4)
        _, page = at(visit, house, desk)
        page.get_by_text("Who is here? 4 of 4").click()
        page.get_by_label("paper-3", exact=True).first.uncheck()
        expect(page.locator("[data-to$='/presence'] .preview")).to_contain_text("paper-3")
        page.get_by_role("button", name="Draw round 1").click()
        expect(page.get_by_role("alert")).to_have_text("The ticks are not recorded yet. First record who is here, then draw.")
        done(client.post("/v1/tournaments/paper/rounds", json={"tables": [{"parties": [[1], [2]]}, {"parties": [[3], [4]]}], "byes": []}))
        done(client.put("/v1/tournaments/paper/rounds/1/tables/1/result", json={"points": [9, 1]}))
        page.goto(f"{house.url}{desk}?step=playing&table=1")
        page.get_by_text("Forfeit, adjourn").click()
        page.get_by_text("Put right who sat there").first.click()
        press(page, "paper-0", "paper-1")
        page.locator("form[data-seats]").get_by_role("button", name="Put right who sat there").click()
        expect(page.locator("#told")).to_contain_text("Recorded.")
        table = done(client.get("/v1/tournaments/paper/rounds/1"))["tables"][0]
    assert (table["parties"], table["points"]) == ([[2], [1]], [9, 1])
