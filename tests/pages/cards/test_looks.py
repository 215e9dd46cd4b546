"""How cards look: small ones, those in two colours, at night and on paper."""

import pytest
from playwright.sync_api import Page

from tests.pages.cards.drawing import Deck, drawn
from tests.pages.conftest import Drawing

SUITS = Deck("suits", "casino", "french", ("KS", "KH", "KD", "KC"))


@pytest.fixture
def page(drawing: Drawing) -> Page:
    """The suits on the page of all tests here, which looks as at first again."""
    page = drawing()
    page.emulate_media(media="screen", color_scheme="light")
    page.locator("html").evaluate("html => { delete html.dataset.suits; }")
    drawn(page, SUITS)
    return page


def fills(page: Page, look: str) -> list[str]:
    found: list[str] = page.locator(".card .face").evaluate_all(
        f"faces => faces.map(face => getComputedStyle(face.querySelector('{look}')).fill)"
    )
    return found


def test_the_width_of_a_card_decides_which_drawing_is_seen(page: Page):
    for width, seen in ((24, "small"), (46, "small"), (48, "full"), (400, "full")):
        page.locator("#main").evaluate(f"main => main.style.setProperty('--card', '{width}px')")
        visible = [part for part in ("small", "full") if page.locator(f".card .{part}").first.is_visible()]
        box = page.locator(".card").first.bounding_box()
        assert box
        assert (visible, box["width"], round(box["height"])) == ([seen], width, round(width * 1.4))


def test_suits_have_four_colours_or_two(page: Page):
    spades, hearts, diamonds, clubs = fills(page, ".full .ink")
    assert len({spades, hearts, diamonds, clubs}) == 4
    page.locator("html").evaluate("html => { html.dataset.suits = 'two'; }")
    assert fills(page, ".full .ink") == [spades, hearts, hearts, spades]


def test_paper_stays_light_at_night(page: Page):
    seen = []
    for theme in ("light", "dark"):
        page.emulate_media(color_scheme=theme)
        seen.append((page.evaluate("getComputedStyle(document.body).backgroundColor"), fills(page, ".paper")))
    (day, by_day), (night, at_night) = seen
    assert (at_night, night != day) == (by_day, True)


def test_cards_are_printed_without_shadows(page: Page):
    shadows = "cards => cards.map(card => getComputedStyle(card).boxShadow)"
    assert "none" not in page.locator(".card").evaluate_all(shadows)
    page.emulate_media(media="print")
    assert set(page.locator(".card").evaluate_all(shadows)) == {"none"}
