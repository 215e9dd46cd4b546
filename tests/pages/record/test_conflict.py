"""Two recorders at one table, who recorded different moves: both lines stand there, and somebody decides."""

from typing import Any

import httpx
from playwright.sync_api import Locator, Page, expect

from tests.deploy.serving import Served, done
from tests.pages.conftest import Visit
from tests.pages.record.test_record import dealt, recording
from tests.pages.visitors import PHONE, Likes, Visitor


def tapped(page: Page, name: str) -> None:
    page.get_by_role("button", name=name).tap()


def keyed(page: Page, name: str) -> None:
    """With nothing but Tab from where the keyboard was."""
    button = page.locator("#trouble").get_by_role("button", name=name)
    expect(button).to_be_visible()
    while not button.evaluate("button => button === document.activeElement"):
        page.keyboard.press("Tab")
    page.keyboard.press("Enter")


PENALTY = {"decision": "penalty", "adjustments": [{"party": 0, "points": -1}], "reason": "Late."}


def cards(client: httpx.Client, game: str) -> list[str]:
    """Those that were trailed."""
    return [event["body"]["move"]["card"] for event in done(client.get(f"/v1/games/{game}/history"))["events"] if "move" in event["body"]]


def disagreeing(visitor: Visitor, client: httpx.Client, game: str, ruling: dict[str, Any] | None = None) -> Locator:
    """One recorder enters two moves without a network; the other one records another first move, who plays the same card as the second."""
    first = done(client.get(f"/v1/games/{game}/table"))["hands"][0][0]
    return meanwhile(visitor, client, game, "q-", [first], ruling)


def meanwhile(
    visitor: Visitor, client: httpx.Client, game: str, second: str, others: list[str], ruling: dict[str, Any] | None = None
) -> Locator:
    """One recorder enters a move and that line without a network; the other one records that these cards were laid down, in turn, and a
    ruling.
    """
    page = recording(visitor, game)
    expect(page.locator("#will")).to_contain_text("What did anna do?")
    visitor.context.set_offline(True)
    for line, means, kept in (("t-", "anna trails 10♦.", 1), (second, "kept as it is typed", 2)):
        page.locator("#line").fill(line)
        expect(page.locator("#will")).to_contain_text(means)
        page.locator("#line").press("Enter")
        expect(page.locator("#log .grey")).to_have_count(kept)
    for seat, card in enumerate(others):
        done(client.post(f"/v1/games/{game}/moves", json={"seat": seat, "move": {"type": "trail", "card": card}}))
    if ruling:
        done(client.post(f"/v1/games/{game}/rulings", json=ruling))
    visitor.context.set_offline(False)
    return page.get_by_role("alert")


def beside(one: Locator, other: Locator) -> bool:
    left, right = one.bounding_box(), other.bounding_box()
    return left is not None and right is not None and left["y"] == right["y"] and left["x"] + left["width"] <= right["x"]


def test_both_lines_stand_side_by_side_on_a_phone_and_the_other_one_is_taken(visit: Visit, house: Served):
    visitor = visit(Likes(size=PHONE, touch=True), house.token)
    with house.client() as client:
        game = dealt(client)
        asks = disagreeing(visitor, client, game)
        expect(asks).to_contain_text("Something else was recorded at this position.")
        expect(asks.locator("li")).to_have_text(["anna trails Q♣.", "anna trails 10♦.", "ben: q-"])
        assert beside(*asks.locator(".both > div").all())
        expect(asks.locator("button")).to_have_text(["Ours is right: take theirs back", "Call the arbiter", "Take theirs, drop ours"])
        expect(asks.locator("button.main")).to_have_text("Ours is right: take theirs back")
        tapped(visitor.page, "Take theirs, drop ours")
        assert visitor.page.locator("#link").inner_text() == "2 kept here: decide"
        tapped(visitor.page, "Drop 2 lines")
        expect(visitor.page.locator("#link")).to_have_text("recorded")
        expect(visitor.page.locator("#who")).to_have_text("ben")
        assert cards(client, game) == ["QC"]
    visitor.wrong.clear()  # browsers complain of each request that found no network


def test_what_others_recorded_is_taken_back_and_ours_follows_in_order(visit: Visit, house: Served):
    visitor = visit(secret=house.token)
    with house.client() as client:
        game = dealt(client)
        meanwhile(visitor, client, game, "qs-", ["QC", "QS"])
        keyed(visitor.page, "Ours is right: take theirs back")
        expect(visitor.page.locator("#link")).to_have_text("recorded")
        expect(visitor.page.locator("#log li:not(.grey)")).to_have_count(7)
        assert cards(client, game) == ["QC", "QS", "TD", "QS"]
        assert done(client.get(f"/v1/games/{game}/table"))["table"][-2:] == ["TD", "QS"]
    visitor.wrong.clear()


def test_what_was_entered_here_follows_where_the_rules_let_it_and_what_they_refuse_comes_back(visit: Visit, house: Served):
    visitor = visit(secret=house.token)
    with house.client() as client:
        game = dealt(client)
        asks = meanwhile(visitor, client, game, "qs-", ["QC", "QS"])
        expect(asks.locator("button.main")).to_have_text("Enter ours after it")
        keyed(visitor.page, "Enter ours after it")
        expect(asks).to_contain_text("ben: qs-")
        keyed(visitor.page, "Correct it")
        expect(visitor.page.locator("#who")).to_have_text("ben")
        expect(visitor.page.locator("#line")).to_have_value("qs-")
        assert cards(client, game) == ["QC", "QS", "TD"]
    visitor.wrong.clear()


def test_who_recorded_the_same_is_told_so_also_of_a_line_that_was_entered_blind(visit: Visit, house: Served):
    visitor = visit(secret=house.token)
    with house.client() as client:
        game = dealt(client)
        asks = meanwhile(visitor, client, game, "qs-", ["TD", "QS"])
        for words, goes_on in (("anna trails 10♦.", "Go on with these"), ("ben: qs-", "Good")):
            expect(asks).to_contain_text(f"Somebody recorded the same move: {words}")
            keyed(visitor.page, goes_on)
        expect(visitor.page.locator("#link")).to_have_text("recorded")
        expect(visitor.page.locator("#log li:not(.grey)")).to_have_count(4)
        assert cards(client, game) == ["TD", "QS"]
    visitor.wrong.clear()


def test_the_arbiter_is_called_with_what_was_entered_here(visit: Visit, house: Served):
    visitor = visit(secret=house.token)
    with house.client() as client:
        game = dealt(client)
        asks = disagreeing(visitor, client, game, PENALTY)
        expect(asks).to_contain_text("Only an arbiter can take that back.")
        expect(asks.locator("button")).to_have_text(["Call the arbiter", "Take theirs, drop ours"])
        keyed(visitor.page, "Call the arbiter")
        expect(visitor.page.locator("#room textarea")).to_have_value(
            "Two lines were recorded. Entered at the other device: anna trails 10♦. · ben: q-"
        )
        visitor.page.locator("#room").get_by_role("button", name="Call the arbiter", exact=True).press("Enter")
        expect(visitor.page.locator("#room")).to_be_empty()
        (dispute,) = done(client.get(f"/v1/games/{game}/disputes"))["disputes"]
        assert dispute["claim"].startswith("Two lines were recorded.")
        assert cards(client, game) == ["QC"]
    visitor.wrong.clear()
