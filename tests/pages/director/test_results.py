"""The grid of a round's results: entered by keyboard alone, line after line, without waiting for anything."""

from datetime import UTC, datetime, timedelta

import httpx
from playwright.sync_api import Route, expect

from tests.deploy.serving import Served, done
from tests.pages.conftest import Visit
from tests.pages.visitors import Likes, wait_until


def paired(client: httpx.Client, tournament: str, tables: int) -> str:
    """A tournament with a drawn round of duels without games."""
    plan = {"id": tournament, "ruleset": "casino", "seats": 2, "format": "swiss", "rounds": 3, "title": "Grid"}
    done(client.post("/v1/tournaments", json=plan))
    path = f"/v1/tournaments/{tournament}"
    names = [{"players": [done(client.post("/v1/players", json={"name": f"Anna {number}"}))["player"]]} for number in range(2 * tables)]
    done(client.post(f"{path}/entries", json={"entries": names}))
    done(client.post(f"{path}/rounds", json={}))
    return path


def points(client: httpx.Client, path: str) -> list[list[int] | None]:
    return [one["points"] for one in done(client.get(f"{path}/rounds/1"))["tables"]]


def test_all_results_of_a_round_are_entered_by_keyboard_alone(visit: Visit, house: Served):
    with house.client() as client:
        path = paired(client, "by-keyboard", 3)
        page = visit(Likes(), house.token).go("/t/by-keyboard/desk?step=results")
        expect(page.locator("body[data-ready]")).to_be_attached()
        page.locator(".grid input").first.focus()
        for text in ("21", "7", "16", "20", "3", "21"):
            page.keyboard.type(text)
            page.keyboard.press("Tab" if page.evaluate(_IS_FIRST) else "Enter")
        expect(page.locator(".grid form")).to_have_count(0)
        assert points(client, path) == [[21, 7], [16, 20], [3, 21]]


_IS_FIRST = "document.activeElement === document.activeElement.form.querySelector('input')"


def test_a_result_with_a_remark_waits_until_it_was_read(visit: Visit, house: Served):
    with house.client() as client:
        path = paired(client, "absurd", 1)
        page = visit(Likes(), house.token).go("/t/absurd/desk?step=results")
        expect(page.locator("body[data-ready]")).to_be_attached()
        first, second = page.locator(".grid input").all()
        first.fill("21")
        second.fill("99999")
        page.keyboard.press("Enter")
        expect(page.locator(".grid .warning")).to_be_visible()
        assert points(client, path) == [None]
        page.keyboard.press("Enter")
        expect(page.locator(".grid form")).to_have_count(0)
        assert points(client, path) == [[21, 99999]]


def test_a_preview_of_what_stood_there_before_lets_nothing_be_recorded(visit: Visit, house: Served):
    with house.client() as client:
        paired(client, "typed-on", 1)
    visitor, held = visit(Likes(), house.token), list[Route]()
    visitor.page.clock.install()
    page = visitor.go("/t/typed-on/desk?step=results")
    expect(page.locator("body[data-ready]")).to_be_attached()
    page.clock.pause_at(datetime.now(UTC) + timedelta(hours=1))
    page.route("**/result?dry_run=true", lambda route: held.append(route))
    first, second = page.locator(".grid input").all()
    first.fill("21")
    second.fill("7")
    page.clock.run_for(1000)
    wait_until(page, lambda: bool(held))
    second.fill("8")
    with page.expect_request_finished():
        held[0].continue_()
    assert page.locator(".grid button").first.evaluate("button => new Promise(shown => queueMicrotask(() => shown(button.disabled)))")
