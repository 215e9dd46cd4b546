"""From the link that the service prints to a recorded hand of Casino, by keyboard alone, within two minutes.

The first moves are typed; the keys of all moves are counted from the recorded hand.
"""

import re

import click
from playwright.sync_api import Page, expect

from tests.deploy.serving import Served, done
from tests.pages.conftest import Visit
from tests.pages.record.hands import lines
from tests.pages.record.test_record import KEYS, PATIENCE, Keys, typed
from tests.pages.visitors import Likes

TIME, KEY = 120, 0.2
"""Seconds for all of it, and for a key."""
FOCUSED = "() => document.activeElement.getAttribute('aria-label') ?? document.activeElement.textContent"


def pressed(keys: Keys, link: str) -> None:
    """Goes to a link with Tab, and follows it."""
    while keys.page.evaluate(FOCUSED).strip() != link:
        keys.press("Tab")
    keys.press("Enter")


def opened(page: Page, keys: Keys) -> None:
    expect(page.get_by_role("link", name="New tournament or game")).to_be_visible()
    pressed(keys, "New tournament or game")
    expect(page.get_by_role("link", name="New game: Casino")).to_be_visible()
    pressed(keys, "New game: Casino and Royal Casino")
    first = page.get_by_label("Seat 1")
    expect(first).to_be_visible()
    while not first.evaluate("field => field === document.activeElement"):
        keys.press("Tab")
    for name, after in (("anna", "Tab"), ("ben", "Enter")):
        page.keyboard.type(name)
        keys.pressed += len(name)
        keys.press(after)
    expect(page).to_have_url(re.compile("/g/.*/record$"), timeout=PATIENCE)
    expect(page.locator("body[data-ready]")).to_be_attached()


def test_who_opens_the_printed_link_has_recorded_a_hand_of_casino_within_two_minutes(visit: Visit, house: Served):
    (link,) = re.findall(r"http://\S+/in#\S+", house.greeting)
    visitor = visit(Likes(keeps=True))
    page = visitor.page
    page.goto(link)
    expect(page).to_have_url(re.compile(r"//[^/]+/$"), timeout=PATIENCE)
    before = Keys(page)
    opened(page, before)
    dealt = typed(page, list(lines("casino"))[:4])
    expect(page.locator("#log li:not(.grey)")).to_have_count(4, timeout=PATIENCE)
    keys = before.pressed + dealt.pressed + KEYS
    game = page.url.split("/")[4]
    with house.client() as client:
        assert done(client.get(f"/v1/games/{game}/audit"))["verdict"] == "sound"
    click.echo(f"\nfrom the printed link to a recorded hand of Casino: {keys} keys, {keys * KEY:.0f} s")
    assert keys * KEY < TIME
    visitor.wrong.clear()  # browsers complain of the refusal that asks for the table cards
