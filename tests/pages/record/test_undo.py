"""What was entered wrongly is taken back on the page: a deal until the first move, a result, and what waits without a connection."""

from typing import Any

import httpx
from playwright.sync_api import Page, Route, expect

from tests.deploy.serving import Served, done
from tests.pages.conftest import Visit
from tests.pages.record.test_record import chosen, opened, recording
from tests.pages.visitors import PHONE, Likes, wait_until

WHOLE = [rank + suit for suit in "SHDC" for rank in "A23456789TJQK"]
DEALS: tuple[tuple[str, int, dict[str, Any], dict[str, Any]], ...] = (
    ("casino", 2, {"dealer": 1, "deck": WHOLE}, {}),
    ("cascades", 1, {"dealer": 0, "deck": "unknown", "known": {"stock": ["?", "2-WL", "CROWN-L"]}}, {}),
    (
        "quartett-classic",
        3,
        {"dealer": 2, "deck": "unknown", "known": {"hand:0": ["B1", "B2", "B3", "B4"], "hand:1": ["C1", "C2", "C3", "C4"]}},
        {"deck_def": "wood"},
    ),
)
"""By ruleset, and what the record knows of the deal: all, cards that lie open with a gap before them, and cards of hands."""


def typed(page: Page, text: str) -> None:
    page.keyboard.type(text)
    page.keyboard.press("Enter")


def dealt_on_the_page(page: Page, cards: str) -> None:
    expect(page.locator("#will b")).to_contain_text("nobody knows the deck")
    page.keyboard.press("Enter")
    expect(page.locator("#will")).to_contain_text("cards lie on the table")
    typed(page, cards)
    expect(page.locator("#will")).to_contain_text("What did ben do?")


def names(client: httpx.Client, game: str) -> list[str]:
    return [event["name"] for event in done(client.get(f"/v1/games/{game}/history"))["events"]]


def test_a_mistyped_deal_is_undone_its_cards_stand_in_the_line_and_the_first_move_puts_it_out_of_reach(visit: Visit, house: Served):
    visitor = visit(secret=house.token)
    with house.client() as client:
        game = opened(client)
        page = recording(visitor, game)
        dealt_on_the_page(page, "9c 7c 8h 2s")
        expect(page.locator("#undo")).to_have_attribute("title", "Takes back: Hand 1: anna deals. Open: 9♣ 7♣ 8♥ 2♠. Deal 1.")
        page.keyboard.press("Control+z")
        expect(page.locator("#line")).to_have_value("! 9c 7c 8h 2s")
        expect(page.locator("#will b")).to_have_text("anna deals. Known at once: 9c 7c 8h 2s. Nobody knows the rest")
        page.keyboard.press("Backspace")
        typed(page, "d")
        expect(page.locator("#will")).to_contain_text("What did ben do?")
        assert done(client.get(f"/v1/games/{game}/table"))["table"] == ["9C", "7C", "8H", "2D"]
        assert names(client, game) == ["game.opened/1", "hand.dealt/1", "game.rewound/1", "hand.dealt/1"]
        typed(page, "ks-")
        expect(page.locator("#log li:not(.grey)")).to_have_count(5)
        expect(page.locator("#undo")).to_have_attribute("title", "Takes back: ben trails K♠.")
        page.locator("#log button", has_text="deals").last.press("Enter")
        expect(page.get_by_role("dialog")).to_contain_text("Only an arbiter")
        page.keyboard.press("Escape")
        expect(page.get_by_role("dialog")).to_have_count(0)
        page.keyboard.press("Control+z")
        expect(page.locator("#undo")).to_be_disabled()
        expect(page.locator("#undo")).to_have_attribute(
            "title",
            "Move 3 is too far back: the recorder can go back to move 4. A typed or unknown deal can be taken back until the first "
            "move of its hand; after that call an arbiter, who can rule to go back further.",
        )
    visitor.wrong.clear()  # browsers complain of the refusal that asks for the table cards


def test_a_deal_of_another_device_is_undone_and_entered_again_as_it_was(visit: Visit, house: Served):
    visitor = visit(secret=house.token)
    with house.client() as client:
        for ruleset, seats, deal, options in DEALS:
            game = str(done(client.post("/v1/games", json={"ruleset": ruleset, "seats": seats, "options": options}))["game"])
            done(client.post(f"/v1/games/{game}/hands", json=deal))
            table = done(client.get(f"/v1/games/{game}/table"))
            page = recording(visitor, game)
            expect(page.locator("#undo")).to_be_enabled()
            page.keyboard.press("Control+z")
            expect(page.locator("#line")).not_to_have_value("")
            page.keyboard.press("Enter")
            expect(page.locator("#undo")).to_be_enabled()
            expect(page.locator("#log li")).to_have_count(4)
            assert done(client.get(f"/v1/games/{game}/table")) == table


def test_a_result_names_its_sides_and_is_undone_also_after_a_signature_was_withdrawn(visit: Visit, house: Served):
    with house.client() as client:
        game = opened(client)
        page = recording(visit(secret=house.token), game)
        chosen(page, "Only the result")
        expect(page.locator("#will")).to_contain_text("in this order: anna, ben")
        page.keyboard.type("500,1200")
        expect(page.locator("#will")).to_contain_text("one whole number for each side, with a blank between them: anna, ben")
        for separated, read in (("1,205 -35", "1205 · -35?"), ("1.205 -35", "1205 · -35?"), ("1 205 -35", "1 · 205 · -35?")):
            page.locator("#line").fill(separated)
            expect(page.locator("#will")).to_contain_text(read)
            expect(page.locator("#will b")).to_have_count(0)
        page.locator("#line").fill("1205 -35")
        expect(page.locator("#will b")).to_have_text("anna 1,205 · ben -35")
        page.keyboard.press("Enter")
        expect(page.locator("#totals")).to_have_text("1205 : -35")
        page.get_by_role("button", name="Sheet").click()
        page.get_by_role("button", name="anna: agreed").click()
        expect(page.get_by_text("anna agreed")).to_be_visible()
        page.get_by_role("button", name="Not agreed after all").click()
        expect(page.get_by_role("button", name="anna: agreed")).to_be_enabled()
        assert "signatures" not in done(client.get(f"/v1/games/{game}/score-sheet"))
        page.get_by_role("button", name="Close").click()
        expect(page.locator("#undo")).to_be_enabled()
        page.locator("#undo").click()
        expect(page.locator("#line")).to_have_value("1205 -35")
        expect(page.locator("#will b")).to_have_text("anna 1,205 · ben -35")
        expect(page.locator("#totals")).to_have_text("0 : 0")


def test_without_a_connection_a_deal_is_undone_entered_and_undone_again(visit: Visit, house: Served):
    visitor = visit(secret=house.token)
    with house.client() as client:
        game = opened(client)
        page = recording(visitor, game)
        dealt_on_the_page(page, "9c 7c 8h 2s")
        expect(page.locator("#undo")).to_be_enabled()
        visitor.context.set_offline(True)
        page.keyboard.press("Control+z")
        expect(page.locator("#log .grey")).to_contain_text("Undo: Hand 1")
        expect(page.locator("#line")).to_have_value("! 9c 7c 8h 2s")
        page.keyboard.press("Enter")
        expect(page.locator("#log .grey")).to_have_count(2)
        page.keyboard.press("Control+z")
        expect(page.locator("#log .grey")).to_have_count(1)
        expect(page.locator("#line")).to_have_value("! 9c 7c 8h 2s")
        page.keyboard.press("Backspace")
        typed(page, "d")
        expect(page.locator("#log .grey")).to_have_count(2)
        visitor.context.set_offline(False)
        expect(page.locator("#log .grey")).to_have_count(0)
        expect(page.locator("#will")).to_contain_text("What did ben do?")
        assert done(client.get(f"/v1/games/{game}/table"))["table"] == ["9C", "7C", "8H", "2D"]
        assert names(client, game) == ["game.opened/1", "hand.dealt/1", "game.rewound/1", "hand.dealt/1"]
    visitor.wrong.clear()  # browsers complain of each request that found no network


def unknown(client: httpx.Client, lines: str) -> str:
    """A game of Casino of which nobody knows the hands, after these lines."""
    game = opened(client)
    done(client.post(f"/v1/games/{game}/hands", json={"dealer": 1, "deck": "unknown", "known": {"board": ["2C", "2D", "2H", "2S"]}}))
    for number, text in enumerate(lines.split()):
        done(client.post(f"/v1/games/{game}/moves", json={"seat": number % 2, "text": text}))
    return game


def cards_played(client: httpx.Client, game: str) -> str:
    """The cards of the moves that stand, each with its seat."""
    events = done(client.get(f"/v1/games/{game}/history"))["events"]
    moves = [one["body"] for one in events if one["name"].startswith("move.played") and not one.get("void")]
    return " ".join(f"{move['seat']}:{move['move']['card']}" for move in moves)


def test_a_move_too_many_three_lines_back_costs_five_taps(visit: Visit, house: Served):
    """Three take back, one leaves the first out, one enters the other. Both stand for the other seat then."""
    with house.client() as client:
        game = unknown(client, "ks- qs- js-")
        page = recording(visit(Likes(size=PHONE, touch=True), house.token), game)
        for before in range(3):
            expect(page.locator("#log s")).to_have_count(before)
            page.locator("#undo").tap()
        expect(page.locator("#will b")).to_have_text("Again: anna trails K♠.")
        page.reload()
        expect(page.locator("#will b")).to_have_text("Again: anna trails K♠.")
        page.locator("[role=option]", has_text="Again: Trails Q♠").tap()
        expect(page.locator("#will b")).to_contain_text("trails J♠.")
        page.locator("#go").tap()
        expect(page.locator("#link")).to_have_text("recorded")
        expect(page.locator("#will")).to_contain_text("What did anna do?")
        assert cards_played(client, game) == "0:QS 1:JS"


def test_a_line_of_the_log_is_put_right_and_the_rest_follows_as_far_as_it_fits(visit: Visit, house: Served):
    visitor = visit(secret=house.token)
    with house.client() as client:
        game = unknown(client, "ks- qs- js-")
        page = recording(visitor, game)
        page.locator("#log button", has_text="K♠").click()
        page.get_by_role("button", name="It was wrong").click()
        expect(page.locator("#line")).to_have_value("Ks -")
        expect(page.locator("#will b")).to_have_text("anna trails K♠.")
        page.locator("#line").fill("kh-")
        page.keyboard.press("Enter")
        expect(page.locator("#log li:not(.grey):not(.void)")).to_have_count(6)  # with the rewind
        assert cards_played(client, game) == "0:KH 1:QS 0:JS"
        page.locator("#log button", has_text="Q♠").last.press("Enter")
        page.get_by_role("button", name="One is missing before it").click()
        expect(page.locator("#line")).to_have_value("")
        page.keyboard.type("js-")
        page.keyboard.press("Enter")
        expect(page.locator("#line")).to_have_value("Js -")
        expect(page.locator("#will")).to_contain_text("No longer fits: ")
        assert cards_played(client, game) == "0:KH 1:JS 0:QS"
        page.locator("#line").fill("jh-")
        page.keyboard.press("Enter")
        expect(page.locator("#will")).to_contain_text("What did anna do?")
        assert cards_played(client, game) == "0:KH 1:JS 0:QS 1:JH"
        page.locator("#log button", has_text="deals").press("Enter")
        expect(page.get_by_role("dialog")).to_contain_text("Only an arbiter")
        page.get_by_role("button", name="Note").last.click()
        expect(page.locator("#room [name=about] option:checked")).to_contain_text("Hand 1")


def test_what_is_on_its_way_is_undone_as_well(visit: Visit, house: Served):
    with house.client() as client:
        game, held = unknown(client, ""), list[Route]()
        page = recording(visit(secret=house.token), game)
        page.route("**/moves", lambda route: held.append(route))
        typed(page, "ks-")
        wait_until(page, lambda: bool(held))
        expect(page.locator("#undo")).to_have_attribute("title", "Takes back: anna trails K♠.")
        page.keyboard.press("Control+z")
        expect(page.locator("#log li.grey")).to_have_count(2)
        expect(page.locator("#undo")).to_be_disabled()  # a deal after which a move was made
        held[0].continue_()
        expect(page.locator("#log li.grey")).to_have_count(0)
        expect(page.locator("#will")).to_contain_text("anna trails K♠")  # it is offered again
        assert names(client, game) == ["game.opened/1", "hand.dealt/1", "move.played/1", "game.rewound/1"]
        assert cards_played(client, game) == ""


def test_a_line_whose_answer_was_lost_is_undone_where_it_was_recorded(visit: Visit, house: Served):
    visitor = visit(secret=house.token)
    with house.client() as client:
        game = unknown(client, "")
        page = recording(visitor, game)
        expect(page.locator("#will")).to_contain_text("What did anna do?")
        page.route("**/moves", lambda route: (route.fetch(), route.abort()), times=1)
        visitor.context.set_offline(True)
        typed(page, "ks-")
        wait_until(page, lambda: names(client, game) == ["game.opened/1", "hand.dealt/1", "move.played/1"])
        page.keyboard.press("Control+z")
        expect(page.locator("#log li.grey").last).to_contain_text("Undo: anna trails K♠.")
        visitor.context.set_offline(False)
        expect(page.locator("#log li.grey")).to_have_count(0)
        assert names(client, game) == ["game.opened/1", "hand.dealt/1", "move.played/1", "game.rewound/1"]
    visitor.wrong.clear()  # browsers complain of answers that are lost
