"""The arbiter's desk: a disputed hand is ruled on from the page, and the standings are looked at before and after."""

import re
from typing import Any

import httpx
from playwright.sync_api import Page, Route, expect

from tests.deploy.serving import Served, done
from tests.pages.conftest import Visit
from tests.pages.people import registered
from tests.pages.visitors import PHONE, Likes, wait_until

DECK = ["QC", "TD", "QH", "7D", "2C", "3C", "4C", "5C"]


def evening(client: httpx.Client, name: str) -> str:
    """Two players of whom the first won by two points; the game at their only table."""
    done(client.post("/v1/tournaments", json={"id": name, "ruleset": "casino", "seats": 2, "format": "manual"}))
    for player in registered(client, f"{name}-ada", f"{name}-ben"):
        done(client.post(f"/v1/tournaments/{name}/entries", json={"players": [player]}))
    pairing = {"tables": [{"table": "1", "parties": [[1], [2]]}]}
    done(client.post(f"/v1/tournaments/{name}/rounds", json=pairing))
    (table,) = done(client.post(f"/v1/tournaments/{name}/rounds/1/games", json={}))["tables"]
    game = str(table["game"])
    done(client.post(f"/v1/games/{game}/hands", json={"dealer": 1, "deck": DECK, "fill": "sorted"}))
    points = [{"party": 0, "points": 12}, {"party": 1, "points": 10}]
    done(client.post(f"/v1/games/{game}/adjustments", json={"adjustments": points, "reason": "from the hall before"}))
    return game


def disputed(client: httpx.Client, game: str) -> None:
    claim = {"position": 2, "seat": 1, "claim": "The deal was wrong.", "suspends": True}
    done(client.post(f"/v1/games/{game}/disputes", json=claim))


def at_the_desk(visit: Visit, house: Served, game: str, likes: Likes = Likes()) -> Page:  # noqa: B008
    page = visit(likes, house.token).go(f"/g/{game}")
    expect(page.locator("body[data-ready]")).to_be_attached()
    page.locator("#tab-desk").click()
    return page


def told(client: httpx.Client, path: str) -> Any:
    return done(client.get(path))


def test_a_disputed_hand_is_ruled_on_with_a_preview_and_what_changes_after_it_has_to_be_previewed_again(visit: Visit, house: Served):
    with house.client() as client:
        game = evening(client, "ruled-on")
        disputed(client, game)
        page, held = at_the_desk(visit, house, game), list[Route]()
        expect(page.locator("#desk q")).to_have_text("The deal was wrong.")
        page.get_by_role("button", name="Rule", exact=True).click()
        page.locator("select[name=decision]").select_option("penalty")
        page.locator("input[name=points0]").fill("-5")
        page.get_by_label("Rules").first.fill("no move between hands")
        page.locator("#desk .found button").first.click()
        page.locator("textarea[name=reason]").fill("Late.")
        record = page.get_by_role("button", name="Record")
        expect(record).to_be_disabled()
        page.get_by_role("button", name="Preview").click()
        expect(record).to_be_enabled()
        page.locator("textarea[name=reason]").fill("Late, really.")
        expect(record).to_be_disabled()
        page.route("**/rulings?dry_run=true", lambda route: held.append(route), times=1)
        page.get_by_role("button", name="Preview").click()
        wait_until(page, lambda: bool(held))
        page.locator("textarea[name=reason]").fill("Late, and wrong.")
        with page.expect_request_finished(lambda request: request.url.endswith("/standings/trial")):
            held[0].continue_()  # the preview of what stood there before
        page.evaluate("new Promise(shown => setTimeout(shown))")
        expect(record).to_be_disabled()
        page.get_by_role("button", name="Preview").click()
        expect(record).to_be_enabled()
        expect(page.locator("#desk .preview tbody tr").first).to_have_text(re.compile(r"12\s*7\s*-5"))
        assert told(client, f"/v1/games/{game}")["totals"] == [12, 10], "a preview records nothing"
        record.click()
        expect(page.locator("#desk .news")).to_have_text("Recorded.")
        expect(page.locator("#totals")).to_have_text("7 : 10")
        (ruling,) = told(client, f"/v1/games/{game}/disputes")["rulings"]
        assert (ruling["decision"], ruling["rules"], ruling["reason"]) == ("penalty", ["COM-24"], "Late, and wrong.")
        expect(page.locator("#moves .decision q")).to_have_text("Late, and wrong.")


def test_who_ruled_on_what_others_changed_meanwhile_is_told_so_and_nothing_is_recorded(visit: Visit, house: Served):
    with house.client() as client:
        game = evening(client, "overtaken")
        disputed(client, game)
        visitor = visit(Likes(), house.token)
        page = visitor.go(f"/g/{game}#p2")
        page.locator("#tab-desk").click()
        page.get_by_role("button", name="Rule", exact=True).click()
        page.locator("textarea[name=reason]").fill("It stands.")
        page.get_by_role("button", name="Preview").click()
        expect(page.get_by_role("button", name="Record")).to_be_enabled()
        done(client.post(f"/v1/games/{game}/notes", json={"text": "He was late."}))
        page.get_by_role("button", name="Record").click()
        expect(page.get_by_role("alert")).to_contain_text("Somebody recorded something meanwhile")
        assert told(client, f"/v1/games/{game}/disputes")["rulings"] == []
    visitor.wrong.clear()  # browsers complain of each 4xx


def test_a_preview_that_is_pressed_twice_records_nothing(visit: Visit, house: Served):
    with house.client() as client:
        game = evening(client, "twice")
        page, held = at_the_desk(visit, house, game), list[Route]()
        page.get_by_role("button", name="Let a move stand").click()
        page.get_by_label("Who", exact=True).select_option("twice-ben")  # out of turn
        page.locator("input[name=line]").fill("2c-")
        page.route("**/stood-moves?dry_run=true", lambda route: held.append(route))
        page.get_by_role("button", name="Preview").dblclick()
        wait_until(page, lambda: len(held) == 2)
        for pressed in held:
            with page.expect_request_finished():
                pressed.continue_()
        page.get_by_role("button", name="Let it stand").click()
        expect(page.locator("#desk .news")).to_have_text("Recorded.")
        assert told(client, f"/v1/games/{game}/history")["events"][-1]["name"] == "move.stood/1"


def test_without_a_network_the_desk_says_so_and_a_ruling_that_is_pressed_again_counts_once(visit: Visit, house: Served):
    with house.client() as client:
        game = evening(client, "desk-cut-off")
        visitor = visit(Likes(), house.token)
        page = visitor.go(f"/g/{game}")
        page.locator("#tab-desk").click()
        page.get_by_role("button", name="Rule unasked").click()
        page.locator("select[name=decision]").select_option("penalty")
        page.locator("input[name=points0]").fill("-5")
        page.locator("textarea[name=reason]").fill("Late.")
        page.route("**/rulings?dry_run=true", lambda route: route.abort(), times=1)
        page.get_by_role("button", name="Preview").click()
        expect(page.locator("#desk [role=alert]")).to_have_text("No answer came. Try again: nothing is recorded twice.")
        page.get_by_role("button", name="Preview").click()
        expect(page.locator("#desk .preview tbody tr").first).to_have_text(re.compile(r"12\s*7\s*-5"))
        page.route("**/rulings", lambda route: (route.fetch(), route.abort()), times=1)
        page.get_by_role("button", name="Record").click()
        expect(page.locator("#desk [role=alert]")).to_have_text("No answer came. Try again: nothing is recorded twice.")
        page.get_by_role("button", name="Record").click()
        expect(page.locator("#desk .news")).to_have_text("Recorded.")
        assert len(told(client, f"/v1/games/{game}/disputes")["rulings"]) == 1
    visitor.wrong.clear()  # browsers complain of answers that are lost


def test_a_game_is_suspended_in_german(visit: Visit, house: Served):
    with house.client() as client:
        game = evening(client, "suspended")
        page = at_the_desk(visit, house, game, Likes(language="de"))
        page.get_by_role("button", name="Unterbrechen", exact=True).click()
        page.get_by_role("button", name="Partie unterbrechen", exact=True).click()
        expect(page.locator("#desk .news")).not_to_be_empty()
        assert told(client, f"/v1/games/{game}")["state"] == "suspended"


def test_who_may_not_rule_has_no_desk(visit: Visit, house: Served):
    with house.client() as client:
        game = evening(client, "no-desk")
        code = done(client.post("/v1/codes", json={"role": "recorder", "scope": {"game": game}}))["code"]
    page = visit(Likes(), code).go(f"/g/{game}")
    expect(page.locator("body[data-ready]")).to_be_attached()
    assert page.locator("#desk, #tab-desk").count() == 0


def test_the_committee_reads_the_appeal_and_puts_cards_right_with_a_thumb(visit: Visit, house: Served):
    with house.client() as client:
        game = evening(client, "appealed")
        disputed(client, game)
        penalty = {"decision": "penalty", "reason": "late", "rules": ["CNO-7"], "adjustments": [{"party": 0, "points": -3}]}
        done(client.post(f"/v1/games/{game}/rulings", json={"dispute": 1, **penalty}))
        done(client.post(f"/v1/games/{game}/disputes/1/appeals", json={"seat": 0, "reason": "The clock was wrong."}))
        code = done(client.post("/v1/codes", json={"role": "committee", "scope": {"tournament": "appealed"}, "good_for": "screen"}))["code"]
        page = visit(Likes(PHONE, touch=True), code).go(f"/g/{game}")
        page.locator("#tab-desk").tap()
        expect(page.locator("#desk .cases")).to_contain_text("Penalty CNO-7 · appealed-ada -3 late")
        expect(page.locator("#desk .cases")).to_contain_text("Appeal of appealed-ada: The clock was wrong.")
        page.get_by_role("button", name="Rule", exact=True).tap()
        page.locator("select[name=decision]").select_option("rectify")
        page.locator("#desk .felt [data-code=TD]").tap()
        page.locator("#desk .felt [data-zone=board]").tap(position={"x": 3, "y": 3})
        expect(page.locator("#desk .to-tap p")).to_have_text("10 of diamonds: appealed-ada: hand → table")
        expect(page.locator("#desk .lines li")).to_have_count(1)
        page.locator("#desk textarea[name=reason]").fill("It lay on the table.")
        page.get_by_role("button", name="Preview").tap()
        expect(page.locator("#desk .moves")).to_contain_text(re.compile("appealed-ada: .+ → "))
        page.get_by_role("button", name="Record", exact=True).tap()
        expect(page.locator("#desk .news")).to_have_text("Recorded.")
        assert [one["decision"] for one in told(client, f"/v1/games/{game}/disputes")["rulings"]] == ["penalty", "rectify"]
