"""The rules of the games in a browser: every card is drawn, and a number leads to its rule."""

from playwright.sync_api import expect

from domain.games import RULESETS
from tests.pages.conftest import Visit
from tests.pages.visitors import PHONE, WALL, Likes


def test_every_card_is_drawn_and_called_by_its_name(visit: Visit):
    visitor = visit(Likes(language="de"))
    for key in RULESETS:
        page = visitor.go(f"/rules/{key}")
        expect(page.locator("[data-card] .card svg").first).to_be_visible()
        assert page.locator("[data-card]:not(:has(.card))").count() == 0, key
        assert page.locator("[data-card] .card [aria-label='']").count() == 0, key
        assert page.locator("[data-card] svg[role=img]").count() == page.locator("[data-card]").count(), key


def test_an_address_with_a_number_shows_that_rule_on_a_phone(visit: Visit):
    page = visit(Likes(size=PHONE)).go("/rules/alcasan#ALC-40")
    expect(page.locator("#ALC-40")).to_be_in_viewport()
    assert page.evaluate("document.documentElement.scrollWidth") == PHONE[0]


def test_the_contents_stand_beside_the_rules_where_there_is_room(visit: Visit):
    page = visit(Likes(size=WALL)).go("/rules/alcasan")
    expect(page.locator("nav.beside")).to_be_visible()
    page.set_viewport_size({"width": PHONE[0], "height": PHONE[1]})
    expect(page.locator("nav.beside")).to_be_hidden()
    page.locator("summary", has_text="On this page").click()
    page.locator("details nav").get_by_role("link", name="Taking the pile").click()
    expect(page.get_by_role("heading", name="Taking the pile")).to_be_in_viewport()
