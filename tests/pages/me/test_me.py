"""A player's own page in a browser: he agrees to a result or says otherwise, calls the arbiter, signs; and finds his way to it."""

import re
from typing import Any

import httpx
from playwright.sync_api import Page, expect

from tests.deploy.serving import Served, done
from tests.pages.conftest import Visit
from tests.pages.desk.test_desk import evening
from tests.pages.people import registered
from tests.pages.visitors import PHONE, Likes

WITH_A_THUMB = Likes(PHONE, touch=True)


def paired(client: httpx.Client, name: str) -> str:
    """Two players at a table where nothing is recorded; where its result is told."""
    done(client.post("/v1/tournaments", json={"id": name, "ruleset": "casino", "seats": 2, "format": "manual"}))
    for player in registered(client, f"{name}-ada", f"{name}-ben"):
        done(client.post(f"/v1/tournaments/{name}/entries", json={"players": [player]}))
    done(client.post(f"/v1/tournaments/{name}/rounds", json={"tables": [{"table": "1", "parties": [[1], [2]]}]}))
    return f"/v1/tournaments/{name}/rounds/1/tables/1/result"


def code_of(client: httpx.Client, name: str, player: str) -> str:
    wanted = {"role": "player", "scope": {"tournament": name}, "player": f"{name}-{player}", "good_for": "screen"}
    return str(done(client.post("/v1/codes", json=wanted))["code"])


def at_his_page(visit: Visit, code: str) -> Page:
    page = visit(WITH_A_THUMB, code).go("/me")
    expect(page.locator("body[data-live][data-ready]")).to_be_attached()
    return page


def result(client: httpx.Client, name: str) -> Any:
    (table,) = done(client.get(f"/v1/tournaments/{name}/rounds/1"))["tables"]
    return table["how"], table["points"]


def test_a_result_that_the_other_side_tells_comes_by_itself_and_he_agrees(visit: Visit, house: Served):
    with house.client() as client:
        told = paired(client, "agreed")
        page = at_his_page(visit, code_of(client, "agreed", "ada"))
        expect(page.locator(".seat")).to_contain_text(re.compile(r"Round 1\s+Table 1 seat 1\s+against agreed-ben"))
        done(client.put(told, json={"points": [21, 9], "side": 2}))
        expect(page.get_by_role("heading", name="Is this the result?")).to_be_visible()
        assert result(client, "agreed") == ("open", None)
        page.get_by_role("button", name="Agree").tap()
        expect(page.locator("#said")).to_have_text("Recorded.")
        expect(page.locator(".seat")).to_contain_text("This table is over.")
        assert result(client, "agreed")[1] == [21, 9]


def enter(page: Page, *points: str) -> None:
    fields = page.locator("input[name=points]")
    for place, number in enumerate(points):
        fields.nth(place).fill(number)
    fields.last.press("Enter")
    expect(page.locator("#said")).to_contain_text("Recorded.")


def test_both_sides_enter_what_was_played_and_settle_it(visit: Visit, house: Served):
    with house.client() as client:
        paired(client, "entered")
        done(client.post("/v1/tournaments/entered/correction", json={"own_results": True}))
        one, other = (at_his_page(visit, code_of(client, "entered", player)) for player in ("ada", "ben"))
        enter(one, "21", "9")
        expect(other.get_by_role("heading", name="Is this the result?")).to_be_visible()
        other.get_by_text("Not so").tap()
        enter(other, "9", "2101")
        expect(other.locator("#said")).to_contain_text("2101")  # far beyond the target: a slip?
        expect(one.get_by_role("heading", name="The other side entered something else")).to_be_visible()
        assert result(client, "entered") == ("open", None)
        one.get_by_role("button", name="Agree").tap()
        expect(other.locator(".seat")).to_contain_text("This table is over.")
        assert result(client, "entered") == ("entered", [9, 2101])


def test_he_agrees_to_what_he_saw_and_to_nothing_that_was_told_meanwhile(visit: Visit, house: Served):
    with house.client() as client:
        told = paired(client, "agreed-meanwhile")
        done(client.put(told, json={"points": [21, 9], "side": 2}))
        visitor = visit(WITH_A_THUMB, code_of(client, "agreed-meanwhile", "ada"))
        visitor.hear_nothing()
        page = visitor.go("/me")
        done(client.put(told, json={"points": [9, 21], "side": 2}))
        page.get_by_role("button", name="Agree").tap()
        expect(page.locator("#said")).to_contain_text("Somebody recorded something meanwhile")
        expect(page.locator(".todo dd")).to_have_text(["9", "21"])
        assert result(client, "agreed-meanwhile") == ("open", None)
        done(client.post("/v1/tournaments/agreed-meanwhile/entries", json={"players": ["late"]}))
        page.get_by_role("button", name="Agree").tap()
        expect(page.locator("#said")).to_have_text("Recorded.")
        assert result(client, "agreed-meanwhile")[1] == [9, 21]
    visitor.wrong.clear()  # browsers complain of each 4xx, and of what is aborted


def test_he_calls_the_arbiter_with_a_sentence_or_without(visit: Visit, house: Served):
    with house.client() as client:
        game = evening(client, "called")
        page = at_his_page(visit, code_of(client, "called", "ben"))
        page.get_by_text("Something was not right").tap()
        page.get_by_role("button", name="Call the arbiter").tap()
        expect(page.get_by_text("Dispute 1: the arbiter has been called.")).to_be_visible()
        page.get_by_role("button", name="Withdraw it").tap()
        expect(page.get_by_text("Dispute 1: withdrawn.")).to_be_visible()
        page.get_by_text("Something was not right").tap()
        page.locator("textarea[name=claim]").fill("He took two cards.")
        page.get_by_label("Nobody plays on").check()
        page.get_by_role("button", name="Call the arbiter").tap()
        expect(page.get_by_text("The game is suspended")).to_be_visible()
        found = done(client.get(f"/v1/games/{game}/disputes"))["disputes"]
    assert [(one["seat"], one["claim"], one["suspends"]) for one in found] == [
        (1, "A player calls the arbiter.", False),
        (1, "He took two cards.", True),
    ]


def test_he_signs_the_sheet_as_it_stands_and_takes_that_back(visit: Visit, house: Served):
    with house.client() as client:
        paired(client, "signed")
        (table,) = done(client.post("/v1/tournaments/signed/rounds/1/games", json={}))["tables"]
        hands = f"/v1/games/{table['game']}/hands"
        done(client.post(hands, json={"dealer": 0, "result": {"points": [22, 4]}}))
        page = at_his_page(visit, code_of(client, "signed", "ada"))
        expect(page.locator(".score dd")).to_have_text(["22", "4"])
        page.get_by_role("button", name="Sign the sheet").tap()
        expect(page.get_by_text("Your side has signed the sheet as it stands.")).to_be_visible()
        (signature,) = done(client.get(f"/v1/games/{table['game']}/score-sheet"))["signatures"]
        assert (signature["party"], signature["stands"]) == (0, True)
        page.get_by_role("button", name="Withdraw the signature").tap()
        expect(page.get_by_text("Score sheet, to sign")).to_be_visible()
        assert "signatures" not in done(client.get(f"/v1/games/{table['game']}/score-sheet"))


def test_the_next_table_stands_in_the_title_and_rings_where_the_bell_is_on(visit: Visit, house: Served):
    with house.client() as client:
        plan = {"id": "rings", "ruleset": "casino", "seats": 2, "format": "manual"}
        done(client.post("/v1/tournaments", json=plan))
        for player in registered(client, "rings-ada", "rings-ben"):
            done(client.post("/v1/tournaments/rings/entries", json={"players": [player]}))
        phones = [visit(WITH_A_THUMB, code_of(client, "rings", player)) for player in ("ada", "ben")]
        for phone in phones:
            phone.context.add_init_script(
                "const Note = OscillatorNode; window.rung = 0; OscillatorNode = function (...all) { rung++; return new Note(...all); }"
            )
            expect(phone.go("/me").locator("body[data-live][data-ready]")).to_be_attached()
        rings, silent = (phone.page for phone in phones)
        expect(rings.get_by_label("Sound when my next table is known")).not_to_be_checked()
        rings.get_by_label("Sound when my next table is known").check()
        assert rings.evaluate("rung") == 2  # as a sample
        done(client.post("/v1/tournaments/rings/rounds", json={"tables": [{"parties": [[1], [2]]}]}))
        for page, seat in ((rings, 1), (silent, 2)):
            expect(page).to_have_title(re.compile(rf"^Table 1, seat {seat} · Round 1 · rings-"))
        assert [page.evaluate("rung") for page in (rings, silent)] == [4, 0]


def test_who_is_not_signed_in_gets_there_by_signing_in(visit: Visit, house: Served):
    with house.client() as client:
        paired(client, "comes-back")
        code = code_of(client, "comes-back", "ada")
    visitor = visit(WITH_A_THUMB)
    page = visitor.go("/me")
    page.get_by_role("main").get_by_role("link", name="Sign in").tap()
    page.locator("#secret").fill(code)
    page.get_by_role("button", name="Sign in").tap()
    expect(page).to_have_url(re.compile("/me$"))
    expect(page.locator(".seat")).to_contain_text("Table 1")
    visitor.wrong.clear()  # browsers complain of each 4xx
