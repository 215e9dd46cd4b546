"""The director's desk: lists of names, what others do meanwhile, disputes, devices, the wall and its clock."""

import re
from pathlib import Path
from typing import Any

import httpx
from playwright.sync_api import Page, Response, expect

from tests.deploy.serving import Served, done
from tests.pages.conftest import Visit
from tests.pages.people import registered
from tests.pages.test_leaks import hidden_faces
from tests.pages.visitors import PHONE, Likes, Visitor

PLAN = {"ruleset": "casino", "seats": 2, "format": "swiss", "rounds": 3, "tie_breaks": ["wins"], "seed": "desk"}


def announced(client: httpx.Client, id: str, players: int = 0, **more: Any) -> str:
    """The address of its desk."""
    done(client.post("/v1/tournaments", json={"id": id, "title": f"Desk {id}", **PLAN, **more}))
    for player in registered(client, *(f"{id}-{number}" for number in range(players))):
        done(client.post(f"/v1/tournaments/{id}/entries", json={"players": [player]}))
    return f"/t/{id}/desk"


def playing(client: httpx.Client, id: str) -> str:
    desk = announced(client, id, 4)
    done(client.post(f"/v1/tournaments/{id}/rounds", json={}))
    done(client.post(f"/v1/tournaments/{id}/rounds/1/games", json={}))
    return desk


def at(visit: Visit, house: Served, address: str, likes: Likes = Likes()) -> tuple[Visitor, Page]:  # noqa: B008
    visitor = visit(likes, house.token)
    page = visitor.go(address)
    expect(page.locator("body[data-ready]")).to_be_attached()
    return visitor, page


def test_games_are_opened_only_at_the_tables_that_keep_their_tick(visit: Visit, house: Served):
    with house.client() as client:
        desk = announced(client, "on-paper", 4)
        done(client.post("/v1/tournaments/on-paper/rounds", json={}))
    _, page = at(visit, house, f"{desk}?step=start")
    page.get_by_text("Only at some tables").click()
    page.get_by_role("checkbox", name="Table 1").uncheck()
    page.get_by_role("button", name="Open the games").click()
    expect(page.get_by_role("heading", name="Start of round 1")).to_have_count(0)
    with house.client() as client:
        tables = done(client.get("/v1/tournaments/on-paper/rounds/1"))["tables"]
    assert {one["table"]: len(one["games"]) for one in tables} == {"1": 0, "2": 1}


def test_a_list_says_of_each_line_who_is_meant_and_a_file_as_german_excel_saves_it_brings_clubs_along(visit: Visit, house: Served):
    with house.client() as client:
        desk = announced(client, "listed")
        twins = [done(client.post("/v1/players", json={"name": "Zwilling Doppel"}))["player"] for _ in range(2)]
        known = done(client.post("/v1/players", json={"name": "Alma Bekannt"}))["player"]
    _, page = at(visit, house, desk)
    page.get_by_role("textbox", name="Names").fill("Alma Bekannt; 1620\n\nZwilling Doppel\nNora Nagelneu\nalma bekannt")
    lines, enter = page.locator(".lines li"), page.get_by_role("button", name="Enter 4")
    expect(lines).to_have_count(4)
    expect(lines.nth(0)).to_contain_text("in the directory")
    expect(lines.nth(2)).to_contain_text("new")
    expect(lines.nth(3)).to_contain_text("stands here twice")
    expect(enter).to_be_disabled()
    page.get_by_role("textbox", name="Names").fill("Alma Bekannt; 1620\nZwilling Doppel\nNora Nagelneu")
    expect(lines).to_have_count(3)
    lines.nth(1).locator("select").select_option(twins[1])
    page.get_by_role("button", name="Enter 3").click()
    expect(page.locator(".entrants tbody tr")).to_have_count(3)
    with house.client() as client:
        entrants = done(client.get("/v1/tournaments/listed/entries"))["entrants"]
    assert [(one["players"][0], one["rating"]) for one in entrants][:2] == [(known, 1620), (twins[1], None)]
    assert entrants[2]["shown"] == ["Nora Nagelneu"]
    page.get_by_label("Or a list as a file").set_input_files(Path(__file__).parents[2] / "api" / "players" / "mitglieder.csv")
    expect(page.locator("form[data-entering] .preview")).to_contain_text("Columns that were not read: Telefon")
    page.get_by_role("button", name="Enter 3").click()
    expect(page.locator(".entrants tbody tr")).to_have_count(6)
    with house.client() as client:
        players = [one["players"][0] for one in done(client.get("/v1/tournaments/listed/entries"))["entrants"][3:]]
        clubs = [done(client.get(f"/v1/players/{player}"))["club"] for player in players]
    assert clubs == ["SV Köln", "Skatfreunde Öhringen", None]


def test_an_announcement_is_corrected_a_refusal_stands_at_its_field_and_what_is_selected_stays_so_when_others_change_it(
    visit: Visit, house: Served
):
    with house.client() as client:
        desk = announced(client, "slip", 4)
    visitor, page = at(visit, house, f"{desk}?step=announce")
    page.get_by_label("Rounds", exact=False).first.fill("5")
    page.get_by_role("combobox", name="Rounds are drawn").select_option("round_robin")
    page.get_by_role("combobox", name="Tie-break 1").select_option("buchholz")
    expect(page.get_by_role("combobox", name="Tie-break 1")).to_have_attribute("aria-invalid", "true")
    visitor.wrong.clear()  # browsers complain of each 4xx
    page.get_by_role("combobox", name="Tie-break 1").select_option("")
    expect(page.locator(".preview li")).to_have_text(
        ["Rounds: 3 → 5", "Rounds are drawn: Swiss: equals meet equals → All meet all", "Tie-break 1: Tables won → none"]
    )
    page.get_by_role("button", name="Correct the announcement").click()
    expect(page.locator("#told")).to_have_text("Recorded.")
    with house.client() as client:
        about = done(client.get("/v1/tournaments/slip"))
    assert (about["rounds"], about["format"], about["tie_breaks"]) == (5, "round_robin", [])
    title = page.get_by_role("textbox", name="Title")
    expect(page.locator("#live[data-state=good]")).to_be_visible()
    title.select_text()
    with house.client() as client:
        done(client.post("/v1/tournaments/slip/correction", json={"title": "The cups of the slip"}))
    expect(title).to_have_value("The cups of the slip")
    page.keyboard.type("New")
    expect(title).to_have_value("New")


def test_who_is_not_there_and_a_wish_are_told_by_name_on_a_phone_before_the_draw(visit: Visit, house: Served):
    with house.client() as client:
        desk = announced(client, "ticked", 6)
        names = [" & ".join(one["shown"]) for one in done(client.get("/v1/tournaments/ticked/entries"))["entrants"]]
    _, page = at(visit, house, f"{desk}?step=draw", Likes(size=PHONE))
    page.get_by_text("Who is here? 6 of 6").click()
    page.get_by_label(names[4], exact=True).uncheck()
    page.get_by_label(names[5], exact=True).uncheck()
    expect(page.locator("[data-to$='/presence'] .preview")).to_contain_text(names[5])
    page.get_by_role("button", name="Record who is here").click()
    expect(page.get_by_text("Who is here? 4 of 6")).to_be_visible()
    page.get_by_text("Wishes (0)").click()
    page.get_by_text("Let two meet", exact=True).click()
    wish = page.locator("form:has([value='meet'])")
    wish.get_by_label("Name 1").select_option(names[0])
    wish.get_by_label("Name 2").select_option(names[3])
    wish.get_by_role("button", name="Record the wish").click()
    expect(page.get_by_text("Wishes (1)")).to_be_visible()
    page.get_by_role("button", name="Draw round 1 like this").click()
    expect(page.locator(".tiles > li")).to_have_count(2)
    with house.client() as client:
        tables = done(client.get("/v1/tournaments/ticked/rounds/1"))["tables"]
    assert sorted(sorted(one for party in table["parties"] for one in party) for table in tables) == [[1, 4], [2, 3]]


def test_what_somebody_recorded_meanwhile_is_looked_at_before_a_round_closes(visit: Visit, house: Served):
    with house.client() as client:
        desk = playing(client, "meanwhile")
        tables = "/v1/tournaments/meanwhile/rounds/1/tables"
        for table in ("1", "2"):
            done(client.put(f"{tables}/{table}/result", json={"points": [21, 12]}))
        visitor, page = at(visit, house, f"{desk}?step=close")
        close = page.get_by_role("button", name="Close round 1")
        expect(close).to_be_enabled()
        page.evaluate("document.querySelector('#now form').dataset.dirty = ''")  # as if it were being typed in
        done(client.put(f"{tables}/2/result", json={"points": [12, 21]}))
        close.click()
        expect(page.get_by_role("alert")).to_contain_text("Somebody recorded something meanwhile")
        assert done(client.get("/v1/tournaments/meanwhile"))["closed"] == 0
        close.click()
        expect(page.locator("#told")).to_have_text("Recorded.")
        assert done(client.get("/v1/tournaments/meanwhile"))["closed"] == 1
    visitor.wrong.clear()


def test_who_directs_with_a_phone_calls_a_table_gives_it_time_and_finds_disputes_the_oldest_first_and_where_to_rule_on_them(
    visit: Visit, house: Served
):
    with house.client() as client:
        desk = playing(client, "contested")
        _, page = at(visit, house, f"{desk}?step=playing&table=2", Likes(PHONE))
        page.get_by_role("button", name="Call this table").click()
        expect(page.locator(".tiles [data-chosen] .pill")).to_have_text(["playing", "called"])
        page.get_by_role("button", name="Give time").click()
        expect(page.locator(".tiles [data-chosen] .pill")).to_have_text(["playing", "called", "+5 min"])
        page.get_by_role("button", name="They came").click()
        expect(page.locator(".tiles [data-chosen] .pill")).to_have_text(["playing", "+5 min"])
        expect(page.locator("#drawer")).to_have_count(1)
        page.goto(f"{house.url}{desk}")
        for game in done(client.get("/v1/games?tournament=contested"))["items"]:
            done(client.post(f"/v1/games/{game['id']}/hands", json={"dealer": 1}))
            claim = {"seat": 0, "claim": f"At table {game['table']}.", "suspends": True}
            done(client.post(f"/v1/games/{game['id']}/disputes", json=claim))
        cases = page.locator(".case q")
        expect(cases).to_have_count(2)
        raised = done(client.get("/v1/disputes?undecided=true&tournament=contested"))["items"]
    assert cases.all_inner_texts() == [one["claim"] for one in reversed(raised)]
    expect(page.locator(".tiles > li[data-state=suspended]")).to_have_count(2)
    page.get_by_role("link", name="Look at it and rule").first.click()
    expect(page.locator("#desk .cases q")).to_be_visible()


def test_for_whom_a_code_shall_be_stays_chosen_whatever_happens_at_a_table_and_a_device_that_is_lost_is_signed_out(
    visit: Visit, house: Served
):
    with house.client() as client:
        desk = playing(client, "lost")
        _, page = at(visit, house, f"{desk}?step=devices")
        kind, good = page.get_by_role("combobox", name="For"), page.get_by_role("combobox", name="Good")
        kind.select_option("table:2")
        good.select_option("screen")
        game = done(client.get("/v1/games?tournament=lost"))["items"][0]["id"]
        done(client.post(f"/v1/games/{game}/hands", json={"dealer": 1}))
        done(client.post(f"/v1/games/{game}/disputes", json={"seat": 0, "claim": "A card is missing.", "suspends": True}))
    expect(page.locator(".case q")).to_have_count(1)
    expect(kind).to_have_value("table:2")
    expect(good).to_have_value("screen")
    for chosen, usual in (("table:1", "tournament"), ("director", "screen"), ("table:2", "tournament")):
        kind.select_option(chosen)
        expect(good, "what is usual for each kind; a director comes in for minutes only").to_have_value(usual)
    page.get_by_role("button", name="Make the code").click()
    expect(page.locator(".code-card img")).not_to_have_js_property("naturalWidth", 0)
    tablet = visit(Likes(), page.locator(".code-card code").inner_text())
    tablet.go("/")
    page.reload()
    page.get_by_role("button", name="Sign out: Table 2").click()
    expect(page.get_by_role("button", name="Sign out: Table 2")).to_have_count(0)
    tablet.page.reload()
    expect(tablet.page.locator(".who")).to_have_text("Sign in")


def test_the_clock_stands_still_and_stays_when_the_wall_shows_something_else_such_as_places_one_by_one(visit: Visit, house: Served):
    with house.client() as client:
        desk = playing(client, "walled")
    _, page = at(visit, house, f"{desk}?step=hall")
    page.get_by_label("Minutes to play").fill("50")
    page.get_by_label("then for the last hand").fill("10")
    page.get_by_role("button", name="Start", exact=True).click()
    expect(page.locator("#face")).to_have_text(re.compile("^(50:00|49:5.)$"))
    page.get_by_role("button", name="Stop").click()
    expect(page.locator("#clock")).to_have_attribute("data-clock", re.compile('"until":null'))
    page.get_by_role("combobox", name="The wall shows").select_option("notice")
    page.get_by_label("Words for everybody").fill("Soup is ready.")
    page.get_by_role("button", name="Show it").click()
    expect(page.locator("#told")).to_have_text("Recorded.")
    with house.client() as client:
        wall = done(client.get("/v1/tournaments/walled/wall"))
    assert (wall["show"], wall["message"], wall["clock"]["counts"]) == ("notice", "Soup is ready.", "round")
    assert 2900 < wall["clock"]["left"] <= 3000
    assert wall["clock"]["phases"] == [{"counts": "last_hand", "seconds": 600}]
    page.get_by_role("combobox", name="The wall shows").select_option("prizes")
    page.get_by_role("button", name="Show it").click()
    page.get_by_role("button", name="Show place 1").click()  # nothing is played, so all of them share it
    expect(page.get_by_text("All places are shown.")).to_be_visible()
    with house.client() as client:
        shown = done(client.get("/v1/tournaments/walled/wall"))
    assert (shown["show"], shown["hidden"], shown["message"], shown["clock"]) == ("prizes", 0, "Soup is ready.", wall["clock"])


def test_no_card_is_told_at_the_desk_and_what_is_read_without_script_says_that_directing_needs_it(visit: Visit, house: Served):
    """Who directs sees all cards where he watches a game; what stands on his desk can be read by who passes by."""
    with house.client() as client:
        desk = playing(client, "covered")
        games = [game["id"] for game in done(client.get("/v1/games?tournament=covered"))["items"]]
        for game in games:
            done(client.post(f"/v1/games/{game}/hands", json={"dealer": 1}))
        hidden = set().union(*(hidden_faces(client, game, "public") for game in games))
    visitor = visit(Likes(), house.token)
    answers = list[Response]()
    visitor.page.on("response", lambda answer: answers.append(answer))
    page = visitor.go(f"{desk}?step=playing&table=1")
    expect(page.locator(".tiles > li")).to_have_count(2)
    written = [page.content(), *(answer.text() for answer in answers if "/assets/" not in answer.url and "stream" not in answer.url)]
    assert hidden
    assert set().union(*(set(re.findall(r"(?<![%#\w])[A23456789TJQK][SHDC](?!\w)", text)) for text in written)) & hidden == set()
    plain = visitor.context.browser.new_context(java_script_enabled=False).new_page()  # pyrefly: ignore[missing-attribute]
    plain.context.add_cookies(visitor.context.cookies())
    plain.goto(f"{visitor.url}{desk}")
    expect(plain.locator(".tiles > li")).to_have_count(2)
    expect(plain.locator("noscript .warning")).to_be_visible()
    plain.context.close()
