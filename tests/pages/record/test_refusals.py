"""A refusal on the recorder's page names people and places as they are called at the table."""

from playwright.sync_api import expect

from tests.deploy.serving import Served, done
from tests.pages.conftest import Visit
from tests.pages.record.test_record import opened, recording


def test_a_refused_line_says_to_whom_it_speaks_and_where_the_card_lies(visit: Visit, house: Served):
    visitor = visit(secret=house.token)
    with house.client() as client:
        game = opened(client)
        known = {"board": ["9C", "7C", "8H", "2D"]}
        done(client.post(f"/v1/games/{game}/hands", json={"dealer": 0, "deck": "unknown", "known": known}))
    page = recording(visitor, game)
    says = page.locator("#will")
    page.keyboard.type("2d")
    expect(says).to_contain_text("To ben: 2♦ is not in your hand.")
    expect(says).to_contain_text("By the record 2♦ lies elsewhere: table. If that is wrong, press its line in the list.")
    page.locator("#line").fill("@0 !2d")
    page.keyboard.press("Enter")
    expect(page.locator("body")).to_contain_text('The card 2♦ cannot lie in "anna: hand": it is known to lie elsewhere.')
    visitor.wrong.clear()  # browsers complain of the refusal
