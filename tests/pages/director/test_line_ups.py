"""At the desk, by names: a substitute for one round, a member who was entered by mistake, and who sat at a game."""

import re
from datetime import UTC, datetime, timedelta

from playwright.sync_api import Route, expect

from tests.deploy.serving import Served, done
from tests.pages.conftest import Visit
from tests.pages.director.test_desk import announced, at
from tests.pages.visitors import PHONE, Likes, wait_until


def test_who_plays_and_who_sat_there_is_put_right_after_a_look_at_it(visit: Visit, house: Served):
    with house.client() as client:
        desk = announced(client, "righted", 4)
        done(client.post("/v1/tournaments/righted/rounds", json={"tables": [{"parties": [[1], [2]]}, {"parties": [[3], [4]]}]}))
        done(client.post("/v1/tournaments/righted/rounds/1/games", json={}))
        _, page = at(visit, house, f"{desk}?step=enter&entrant=1", Likes(PHONE))
        form = page.locator("form", has_text="Somebody else plays")
        form.get_by_label("Instead of righted-0").fill("Yara Sommer")
        form.get_by_label("In round 1 only").check()
        expect(form.locator(".preview")).to_have_text("Yara Sommer would play in round 1 only, righted-0 again from round 2 on.")
        form.get_by_role("button").click()
        expect(page.locator("#told")).to_contain_text("Recorded.")
        page.goto(f"{house.url}{desk}?step=enter&entrant=2")
        page.get_by_text("The wrong member was entered", exact=True).click()
        form = page.locator("form", has_text="First round that they really played")
        form.get_by_label("Instead of righted-1").fill("Mia Fischer")
        expect(form.locator(".preview")).to_contain_text("From round 1 on it would read Mia Fischer, not righted-1")
        form.get_by_role("button").click()
        expect(page.locator("h3").first).to_have_text("2. Mia Fischer")
        page.goto(f"{house.url}{desk}?step=enter&entrant=3")
        page.get_by_text("The wrong member was entered", exact=True).click()
        form = page.locator("form", has_text="First round that they really played")
        form.get_by_label("Instead of righted-2").fill("righted-3")
        expect(form.locator(".preview .warning")).to_have_text(
            "Entered for each other: entrants 3, 4 change players from round 1 on. (3 righted-2, 4 righted-3)"
        )
        form.get_by_role("button").click()
        expect(page.locator("h3").first).to_have_text("3. righted-3")
        page.goto(f"{house.url}{desk}?step=playing&table=1")
        page.get_by_text("Forfeit, adjourn, take back, put right").click()
        form = page.locator("form", has_text="An empty field: nobody is known")
        form.get_by_label("Seat 1").fill("Mia Fischer")
        form.get_by_label("Seat 2").fill("Yara Sommer")
        expect(form.locator(".preview")).to_have_text(
            "From hand 1 on these sat there: Mia Fischer & Yara Sommer (now: Yara Sommer & Mia Fischer)."
        )
        form.get_by_role("button").click()
        expect(page.locator("#told")).to_contain_text("Recorded.")
        round = done(client.get("/v1/tournaments/righted/rounds/1"))
    (game,) = round["tables"][0]["games"]
    assert [seat["shown"] for seat in round["tables"][0]["seats"]] == ["Yara Sommer", "Mia Fischer"]
    assert [seat["shown"] for seat in round["tables"][1]["seats"]] == ["righted-3", "righted-2"]
    assert game["players"] == [seat["player"] for seat in round["tables"][0]["seats"]][::-1]


def test_a_name_is_looked_up_before_it_is_tried(visit: Visit, house: Served):
    with house.client() as client:
        desk = announced(client, "looked-up", 4)
    visitor, asked = visit(Likes(), house.token), list[Route]()
    visitor.page.clock.install()
    page = visitor.go(f"{desk}?step=enter&entrant=1")
    expect(page.locator("body[data-ready]")).to_be_attached()
    page.clock.pause_at(datetime.now(UTC) + timedelta(hours=1))
    form = page.locator("form", has_text="Somebody else plays")
    page.route(re.compile(r"/v1/players\?|dry_run"), lambda route: asked.append(route))
    form.get_by_label("Instead of looked-up-0").fill("Looked Up")
    page.clock.run_for(2000)
    wait_until(page, lambda: bool(asked))
    asked[0].continue_()
    expect(form.locator(".who-is")).to_contain_text("new")
    page.clock.run_for(2000)
    wait_until(page, lambda: len(asked) == 2)
    assert ["dry_run" in one.request.url for one in asked] == [False, True]
