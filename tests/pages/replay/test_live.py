"""A game that goes on while it is looked at."""

import re

from playwright.sync_api import expect

from tests.deploy.serving import Served, done, open_game, play_on
from tests.pages.conftest import Visit


def test_who_stands_at_the_end_follows_who_went_back_stays_and_what_is_taken_back_meanwhile_is_struck_through(visit: Visit, house: Served):
    visitor = visit(secret=house.token)
    with house.client() as client:
        game = open_game(client)
        for _ in range(3):
            play_on(client, game)
        following, staying = visitor.go(f"/g/{game}"), visitor.opened_at(f"/g/{game}#p2")
        for page in (following, staying):
            expect(page.locator("#live")).to_have_text("live")
        for _ in range(2):
            play_on(client, game)
        expect(following.locator("#count")).to_have_text("6 / 6")
        expect(staying.locator("#count")).to_have_text("2 / 6")
        expect(following.locator("#news")).to_be_hidden()
        expect(staying.locator("#news")).to_have_text("2 new · to the end")
        staying.locator("#news").click()
        expect(staying.locator("#count")).to_have_text("6 / 6")
        expect(staying.locator("#news")).to_be_hidden()
        done(client.post(f"/v1/games/{game}/rewinds", json={"to": 5}))
    expect(following.locator("#count")).to_have_text("7 / 7")
    expect(following.locator("#moves s")).to_have_count(1)
    expect(following.locator("#marks .back")).to_have_count(1)
    following.keyboard.press("ArrowLeft")
    expect(following.locator("#caption s")).to_be_visible()


def test_without_a_connection_the_pill_says_so_until_it_is_back(visit: Visit, house: Served):
    visitor = visit(secret=house.token)
    with house.client() as client:
        game = open_game(client)
        page = visitor.go(f"/g/{game}")
        expect(page.locator("#live")).to_have_text("live")
        visitor.context.set_offline(True)
        expect(page.locator("#live")).to_have_text("no connection")
        visitor.context.set_offline(False)
        play_on(client, game)
        expect(page.locator("#live")).to_have_text("live")
        expect(page.locator("#count")).to_have_text(re.compile("2 / 2"))
    visitor.wrong.clear()  # browsers complain of each request that found no network
