"""A deck that nobody chose, in browsers: phones and the recorder, with dice and without; who does not answer; a hall without https."""

import re
from typing import Any
from urllib.parse import urlsplit

import httpx
from playwright.sync_api import APIResponse, Page, Route, expect

from tests.deploy.serving import Served, done
from tests.pages.conftest import Visit
from tests.pages.visitors import PHONE, Likes, wait_until

THUMB = Likes(PHONE, touch=True)


def opened(client: httpx.Client) -> str:
    return str(done(client.post("/v1/games", json={"ruleset": "casino", "seats": 2, "shuffle": "fair"}))["game"])


def code(client: httpx.Client, game: str, seat: int | None) -> str:
    held = {"role": "recorder"} if seat is None else {"role": "player", "seat": seat}
    return str(done(client.post("/v1/codes", json={**held, "scope": {"game": game}, "good_for": "screen"}))["code"])


def at(visit: Visit, client: httpx.Client, game: str, seat: int | None = None, likes: Likes = THUMB) -> Page:
    page = visit(likes, code(client, game, seat)).go(f"/g/{game}/shuffle")
    expect(page.locator("body[data-live][data-ready]")).to_be_attached()
    return page


def at_the_game(game: str) -> re.Pattern[str]:
    return re.compile(rf"/g/{game}(#.*)?$")


def joined(number: int, *pages: Page) -> None:
    """Wait until these pages have heard that so many have joined: until then their forms may be exchanged under the finger."""
    for page in pages:
        expect(page.locator("#state")).to_have_attribute("data-joined", str(number))


def told(client: httpx.Client, game: str) -> Any:
    return done(client.get(f"/v1/games/{game}/shuffles"))["shuffles"]


def test_two_phones_and_dice_deal_a_hand_that_is_sound(visit: Visit, house: Served):
    with house.client() as client:
        game = opened(client)
        recorder, one, other = (at(visit, client, game, seat) for seat in (None, 0, 1))
        recorder.get_by_role("button", name="Begin the shuffle").tap()
        one.get_by_role("button", name="Take part").tap()
        joined(1, one, other)
        other.get_by_role("button", name="Take part").tap()
        joined(2, recorder)
        recorder.get_by_label("The 8 dice as they lie").fill("63115246")
        recorder.get_by_role("button", name="Deal", exact=True).tap()
        recorder.wait_for_url(f"**/g/{game}/record")
        one.wait_for_url(at_the_game(game))
        [shuffle] = told(client, game)
        assert (shuffle["typed"], [bool(one["chance"]) for one in shuffle["joined"]]) == ("6 3 1 1 5 2 4 6", [True, True])
        assert done(client.get(f"/v1/games/{game}/audit"))["verdict"] == "sound"


def test_a_table_without_dice_goes_on_without_who_does_not_take_part_also_before_an_answer_to_the_press_before(visit: Visit, house: Served):
    with house.client() as client:
        game = opened(client)
        done(client.post(f"/v1/games/{game}/shuffles", json={"dealer": 1, "dice": 0}))
        one = at(visit, client, game, 0)
        one.route("**/joining", lambda route: route.fetch())  # it is recorded, and no answer comes
        one.get_by_role("button", name="Take part").tap()
        joined(1, one)
        one.get_by_role("button", name="Continue without the others").tap()
        one.wait_for_url(at_the_game(game))
        assert [one["dealt"] is not None for one in told(client, game)] == [True]


def test_who_does_not_answer_is_named_and_the_recorder_begins_anew_in_one_tap(visit: Visit, house: Served):
    with house.client() as client:
        game = opened(client)
        done(client.post(f"/v1/games/{game}/shuffles", json={"dealer": 1, "dice": 8}))
        one, recorder = at(visit, client, game, 0), at(visit, client, game)
        one.get_by_role("button", name="Take part").tap()
        joined(1, one, recorder)
        one.evaluate("localStorage.clear()")  # the phone is gone, or its browser was
        one.reload()
        expect(one.get_by_text("is on another device")).to_be_visible()
        recorder.get_by_text("Begin anew", exact=True).tap()
        recorder.get_by_role("button", name="Begin anew now").tap()
        expect(recorder.get_by_text("Hand 1: begun 1 ×")).to_be_visible()
        assert [one["missing"] for one in told(client, game)] == [[0], []]


def test_in_a_hall_without_https_the_dice_do(visit: Visit, house: Served):
    with house.client() as client:
        game = opened(client)
        done(client.post(f"/v1/games/{game}/shuffles", json={"dealer": 1, "dice": 8}))
        visitor = visit(Likes(PHONE, "de", "dark", touch=True))
        visitor.url = f"http://hall.test:{urlsplit(house.url).port}"
        visitor.go("/in").evaluate(
            "secret => fetch('/in', {method: 'POST', headers: {'Content-Type': 'application/json'}, body: JSON.stringify({secret})})",
            code(client, game, 1),
        )
        page = visitor.go(f"/g/{game}/shuffle")
        expect(page.get_by_text("Über einfaches http kann dieses Gerät nicht mitmachen")).to_be_visible()
        expect(page.get_by_role("button", name="Mitmachen")).to_be_hidden()
        visitor.wrong.clear()  # browsers complain of plain http


def test_the_recorders_page_leads_there_and_back_and_dice_that_were_not_thrown_are_refused_in_words(visit: Visit, house: Served):
    with house.client() as client:
        game = opened(client)
        visitor = visit(Likes(), code(client, game, None))
        page = visitor.go(f"/g/{game}/record")
        expect(page.locator("body[data-ready]")).to_be_attached()
        expect(page.locator("#choices")).to_contain_text("Shuffle together")
        page.locator("#line").press("Enter")
        page.wait_for_url(f"**/g/{game}/shuffle")
        held = list[tuple[Route, APIResponse]]()
        page.route("**/shuffles", lambda route: held.append((route, route.fetch())), times=1)
        page.get_by_role("button", name="Begin the shuffle").click()
        page.get_by_label("The 8 dice as they lie").fill("6 3 1")
        page.get_by_role("button", name="Deal", exact=True).click()
        expect(page.locator("#said")).to_contain_text("8 dice were promised, and 3 were typed.")
        with page.expect_request_finished(lambda request: request.url.endswith("/shuffle")):
            held[0][0].fulfill(response=held[0][1])  # the answer to the press before takes nothing away
        expect(page.locator("#said")).to_contain_text("8 dice were promised, and 3 were typed.")
        visitor.wrong.clear()  # browsers complain of each 4xx
        page.get_by_label("The 8 dice as they lie").fill("1 2 3 4 5 6 1 2")
        page.get_by_role("button", name="Deal", exact=True).click()
        page.wait_for_url(f"**/g/{game}/record")
        expect(page.locator("#log")).to_contain_text("deals a deck that nobody chose")


def test_a_button_is_not_exchanged_under_the_finger_for_the_same(visit: Visit, house: Served):
    with house.client() as client:
        page, readings = at(visit, client, opened(client)), list[Route]()
        page.route("**/shuffle", lambda route: readings.append(route))
        page.get_by_role("button", name="Begin the shuffle").tap()
        wait_until(page, lambda: len(readings) == 2)  # what was sent is read, and what the stream tells
        readings[0].continue_()
        deal = page.get_by_role("button", name="Deal", exact=True).element_handle()
        with page.expect_request_finished():
            readings[1].continue_()
        assert deal.evaluate("button => new Promise(settled => setTimeout(() => settled(button.isConnected)))")


def test_what_was_read_first_and_arrives_last_is_not_shown(visit: Visit, house: Served):
    with house.client() as client:
        game, readings = opened(client), list[tuple[Route, APIResponse]]()
        page = at(visit, client, game)
        page.route("**/shuffle", lambda route: readings.append((route, route.fetch())))
        for _ in range(2):
            done(client.post(f"/v1/games/{game}/shuffles", json={"dealer": 1, "dice": 8}))
            wait_until(page, lambda: bool(readings))
        wait_until(page, lambda: "begun 1 ×" in readings[-1][1].text())
        for route, read in reversed(readings):
            with page.expect_request_finished():
                route.fulfill(response=read)
        page.evaluate("new Promise(shown => setTimeout(shown))")
        expect(page.get_by_text("Hand 1: begun 1 ×")).to_be_visible()
