"""What officials did, where it happened; and what the rules say to moves that nobody made."""

import re

import httpx
import pytest
from playwright.sync_api import Route, expect

from tests.deploy.serving import Served, done, open_game
from tests.pages.conftest import Visit
from tests.pages.replay.test_replay import opened
from tests.pages.visitors import wait_until

DECK = ["7D", "9C", "KS", "KD", "KC", "QS", "QD", "4C", "6S", "2S", "KH", "QH"]
REASON = "Groups have to make the value of the card."


def trail(client: httpx.Client, game: str, seat: int, card: str) -> None:
    done(client.post(f"/v1/games/{game}/moves", json={"seat": seat, "move": {"type": "trail", "card": card}}))


@pytest.fixture
def ruled(house: Served) -> str:
    """Two moves, two that a ruling took back, and a penalty."""
    with house.client() as client:
        game = open_game(client)
        done(client.post(f"/v1/games/{game}/hands", json={"dealer": 1, "deck": DECK, "fill": "sorted"}))
        for seat, card in ((0, "9C"), (1, "QS"), (0, "QD"), (1, "KC")):
            trail(client, game, seat, card)
        done(client.post(f"/v1/games/{game}/disputes", json={"position": 4, "seat": 1, "claim": "Seven took eight."}))
        ruling = {"decision": "rewind", "to": 4, "reason": REASON, "rules": ["CNO-23"]}
        done(client.post(f"/v1/games/{game}/rulings", json={"dispute": 1, **ruling}))
        penalty = {"decision": "penalty", "adjustments": [{"party": 0, "points": -1}], "reason": "Late."}
        done(client.post(f"/v1/games/{game}/rulings", json=penalty))
    return game


def test_a_ruling_lies_where_it_was_made_and_the_table_is_shown_as_recorded_and_as_corrected(visit: Visit, house: Served, ruled: str):
    page = opened(visit, house, f"/g/{ruled}")
    expect(page.locator(".decision")).to_have_count(2)
    rewind, penalty = page.locator(".decision").all()
    expect(rewind).to_contain_text(REASON)
    expect(rewind.get_by_role("link", name="CNO-23")).to_have_attribute("href", "/rules/casino#CNO-23")
    expect(penalty.locator(".score")).to_have_text("0 : 0 → -1 : 0")
    page.get_by_text("2 moves taken back").click()
    expect(page.locator("#moves s")).to_have_text(["Seat 1 Q♦ -", "Seat 2 K♣ -"])
    page.get_by_role("button", name="More").click()
    page.get_by_label("Moves as sentences").check()
    expect(page.locator("#moves s")).to_have_text(["Seat 1 trails Q♦.", "Seat 2 trails K♣."])
    for kind, count in (("dispute", 1), ("ruling", 3), ("back", 1)):
        expect(page.locator(f"#marks .{kind}")).to_have_count(count)
    page.get_by_role("button", name="Before and after").click()
    recorded, corrected = page.get_by_role("dialog", name="Before and after").locator("section").all()
    for side, heading, cards in ((recorded, "As recorded · 0 : 0", 8), (corrected, "As corrected · 0 : 0", 6)):
        expect(side.get_by_role("heading")).to_have_text(heading)
        expect(side.locator('[data-zone="board"] .card')).to_have_count(cards)


def test_the_sheet_is_that_of_the_position_and_steps_as_corrected_pass_over_what_was_taken_back(visit: Visit, house: Served, ruled: str):
    page = opened(visit, house, f"/g/{ruled}")
    page.keyboard.press("a")
    expect(page.locator("#audit")).to_have_text("✓ Sound")
    page.get_by_role("tab", name="Sheet").click()
    expect(page.locator("#sheet tfoot")).to_have_text("Totals-10")
    page.keyboard.press("Home")
    expect(page.locator("#sheet caption")).to_have_text("As of move 1")
    expect(page.locator("#sheet tfoot")).to_have_text("Totals00")
    page.goto(f"{house.url}/g/{ruled}#p4")
    expect(page.locator("#count")).to_have_text(re.compile("^4 /"))
    page.get_by_role("button", name="More").click()
    page.get_by_label("As corrected").check()
    page.keyboard.press("ArrowRight")
    expect(page.locator("#count")).to_have_text(re.compile("^7 /"))
    expect(page.locator("#moves .void")).to_have_count(0)


def test_another_move_is_tried_with_what_was_played_after_it_and_one_that_may_not_be_is_answered_by_the_rules(
    visit: Visit, house: Served, ruled: str
):
    page, held = opened(visit, house, f"/g/{ruled}#p2"), list[Route]()
    page.route("**/legal-moves?*", lambda route: held.append(route) if len(held) < 2 else route.continue_())
    page.get_by_role("tab", name="What if?").click()
    wait_until(page, lambda: len(held) == 1)
    page.locator('[data-zone="hand:1"] [data-code="KC"]').click()
    wait_until(page, lambda: len(held) == 2)
    for asked in reversed(held):  # the question before it is answered last
        with page.expect_request_finished():
            asked.continue_()
    expect(page.locator(".why")).to_contain_text("K♣ is not in your hand.")
    expect(page.locator(".why").get_by_role("link", name="CNO-15")).to_be_visible()
    page.locator("input[name=line]").fill("")
    page.keyboard.press("Enter")
    page.locator(".choices").get_by_role("button", name="7d -", exact=True).click()
    expect(page.locator(".line button").first).to_have_text("7d -")
    expect(page.locator('[data-zone="board"] [data-code="7D"]')).to_be_visible()
    expect(page.locator("#caption")).to_contain_text("Hand 1")
