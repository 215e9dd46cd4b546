"""Two entries of one person are merged by names: after a preview, and for two who met only when somebody says so."""

from playwright.sync_api import expect

from tests.deploy.serving import Served, done
from tests.pages.conftest import Visit
from tests.pages.visitors import PHONE, Likes


def test_two_entries_of_one_person_are_merged_and_separated_again(visit: Visit, house: Served):
    with house.client() as client:
        for id in ("dup-1", "dup-2"):
            done(client.post("/v1/players", json={"id": id, "name": "Doris Doppel"}))
        plan = {"id": "doubled", "ruleset": "casino", "seats": 2, "format": "manual"}
        done(client.post("/v1/tournaments", json=plan))
        done(client.post("/v1/tournaments/doubled/entries", json={"entries": [{"players": ["dup-1"]}, {"players": ["dup-2"]}]}))
        done(client.post("/v1/tournaments/doubled/rounds", json={"tables": [{"parties": [[1], [2]]}]}))
    visitor = visit(Likes(PHONE), house.token)
    page = visitor.go("/players?search=doppel")
    page.get_by_role("link", name="change: Doris Doppel").first.click()
    page.get_by_role("textbox", name="Name").fill("Doris Dopel")
    page.get_by_role("button", name="Correct").click()
    expect(page.get_by_role("heading", name="Doris Dopel")).to_be_visible()
    page.get_by_label("Find the other entry").fill("doppel")
    page.get_by_role("button", name="Find").click()
    page.get_by_role("link", name="This one: Doris Doppel").click()
    expect(page.locator(".preview")).to_contain_text("These two sat at one table")
    expect(page.get_by_role("button", name="Merge")).to_be_disabled()
    page.get_by_label("They sat at one table").check()
    expect(page.locator(".preview")).to_have_text("Doris Dopel would count as Doris Doppel, with all games so far.")
    page.get_by_role("button", name="Merge").click()
    expect(page.get_by_text("Doris Dopel was merged into Doris Doppel.")).to_be_visible()
    expect(page.locator(".preview")).to_contain_text("would stand for themselves again")
    page.get_by_role("button", name="Separate again").click()
    expect(page.get_by_role("heading", name="The same person twice?")).to_be_visible()
    visitor.wrong.clear()  # browsers complain of each 4xx
