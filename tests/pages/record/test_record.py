"""What is recorded on the page, by keyboard and by touch."""

import re
from collections.abc import Iterable

import httpx
from playwright.sync_api import Page, Route, expect

from tests.deploy.serving import Served, done
from tests.pages.conftest import Visit
from tests.pages.people import registered
from tests.pages.record.hands import BEGINS, lines
from tests.pages.visitors import PHONE, Likes, Visitor, wait_until

PATIENCE = 60_000  # milliseconds until a hand that was typed in one go is recorded, on however busy a machine
MOVES, KEYS = 48, 181
"""Of the hand of Casino, without the deal: 3.8 keys a move, as suits have to be typed of hands that nobody knows."""


def begun(client: httpx.Client, ruleset: str) -> str:
    begins = BEGINS[ruleset]
    return str(done(client.post("/v1/games", json={"ruleset": ruleset, "seats": begins.seats, "options": begins.options}))["game"])


def recording(visitor: Visitor, game: str) -> Page:
    page = visitor.go(f"/g/{game}/record")
    expect(page.locator("body[data-ready]")).to_be_attached()
    return page


class Keys:
    """A keyboard that counts."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.pressed = 0

    def press(self, key: str) -> None:
        self.page.keyboard.press(key)
        self.pressed += 1

    def line(self, text: str) -> None:
        expect(self.page.locator("[aria-busy=false][role=combobox]")).to_be_attached(timeout=PATIENCE)
        self.page.keyboard.type(text)
        self.pressed += len(text)
        self.press("Enter")


def typed(page: Page, entered: Iterable[str]) -> Keys:
    """Lines as their recorder types them who sees no card that is not laid open."""
    keys = Keys(page)
    for line in entered:
        if command := re.fullmatch(r"/(dealer|seat) (\d)", line):
            choose(keys, command[1], command[2])
        else:
            keys.line(line)
    return keys


def choose(keys: Keys, what: str, seat: str) -> None:
    """Who deals, or for whom the next line is."""
    if what == "seat":
        expect(keys.page.locator("#seat")).to_be_visible()
        while keys.page.locator("#who").inner_text() != f"Seat {seat}":
            keys.press("F2")
        return
    lit = keys.page.locator("#will")
    expect(lit).to_contain_text("deals")
    while not lit.inner_text().startswith(f"↵ Seat {seat}"):
        keys.press("ArrowUp")
        keys.press("Enter")


def test_a_line_is_typed_for_whom_it_is_and_after_another_dealer(visit: Visit, house: Served):
    visitor = visit(secret=house.token)
    with house.client() as client:
        game = begun(client, "alcasan")
        page = recording(visitor, game)
        typed(page, list(lines("alcasan"))[:6])
        expect(page.locator("#log li:not(.grey)")).to_have_count(5, timeout=PATIENCE)
        assert position(client, game) == 5
        assert done(client.get(f"/v1/games/{game}/audit"))["verdict"] == "sound"
    visitor.wrong.clear()  # browsers complain of each refusal that asks


def test_a_hand_of_casino_costs_so_many_keys():
    moves = list(lines("casino"))[2:]
    assert (len(moves), sum(len(line) + 1 for line in moves)) == (MOVES, KEYS)


def test_a_move_costs_one_request_and_at_most_another(visit: Visit, house: Served):
    visitor = visit(secret=house.token)
    deal, moves = list(lines("casino"))[:2], list(lines("casino"))[2:4]
    with house.client() as client:
        game = begun(client, "casino")
        page = recording(visitor, game)
        keys, asked = Keys(page), list[str]()
        for line in deal:
            keys.line(line)
        expect(page.locator("#will")).to_contain_text("What did")
        page.on("request", lambda request: asked.append(request.method) if "/v1/" in request.url else None)
        for line in moves:
            keys.line(line)
        expect(page.locator("#link")).to_have_text("recorded", timeout=PATIENCE)
        expect(page.locator("#log li:not(.grey)")).to_have_count(2 + len(moves))
        assert done(client.get(f"/v1/games/{game}/audit"))["verdict"] == "sound"
    assert asked.count("POST") == len(moves)
    assert asked.count("GET") <= len(moves)
    visitor.wrong.clear()  # browsers complain of the refusal that asks for the table cards


def seated(client: httpx.Client) -> str:
    return str(done(client.post("/v1/games", json={"ruleset": "casino", "seats": 2, "players": registered(client, "anna", "ben")}))["game"])


def dealt(client: httpx.Client, moves: int = 0) -> str:
    """A game of Casino of which all is known, and the first to act trails his last card so often."""
    deck = ["QC", "TD", "QH", "7D", "2C", "3C", "4C", "5C"]
    game = seated(client)
    done(client.post(f"/v1/games/{game}/hands", json={"dealer": 1, "deck": deck, "fill": "sorted"}))
    for _ in range(moves):
        table = done(client.get(f"/v1/games/{game}/table"))
        move = {"type": "trail", "card": table["hands"][table["turn"]][-1]}
        done(client.post(f"/v1/games/{game}/moves", json={"seat": table["turn"], "move": move}))
    return game


def position(client: httpx.Client, game: str) -> int:
    return int(done(client.get(f"/v1/games/{game}"))["position"])


def test_a_move_is_recorded_by_touch(visit: Visit, house: Served):
    with house.client() as client:
        game = dealt(client)
        page = recording(visit(Likes(size=PHONE, touch=True), house.token), game)
        expect(page.locator("#will")).to_have_text("What did anna do? Tap it.")
        expect(page.locator("[role=option]")).to_have_count(0)
        page.locator("[data-code='4C']").tap()
        expect(page.locator("[role=option]", has_text="Trails 4♣")).to_be_visible()
        page.locator("#more").tap()
        expect(page.get_by_role("link", name="Replay")).to_be_visible()
        page.locator("#signs button", has_text="build").tap()
        page.locator("[data-code='AS']").tap()
        expect(page.locator("#line")).to_have_value("4♣ A♠ = ")
        expect(page.locator("#will")).to_contain_text("anna builds")
        assert page.locator("#stage .chosen").evaluate_all("all => all.map(one => one.dataset.code)") == ["AS", "4C"]
        page.locator("#clear").tap()
        page.locator("[data-code='AS']").tap()
        expect(page.locator("#stage .chosen")).to_have_count(1)
        expect(page.locator("#line")).to_have_value("4♣ ")
        page.locator("#more").tap()
        page.locator("#signs button", has_text="lay down").tap()
        expect(page.locator("#will")).to_contain_text("anna trails 4♣.")
        page.locator("#go").tap()
        expect(page.locator("#log li")).to_have_count(3)
        expect(page.locator("#who")).to_have_text("ben")
        assert page.locator("#line").evaluate("line => line !== document.activeElement"), "a keyboard would cover the table"
        heights = page.locator("#entry button:visible, #below button:visible, [role=option]").evaluate_all(
            "all => all.map(one => one.getBoundingClientRect().height)"
        )
        assert min(heights) >= 44
        expect(page.locator("#log li:not(.grey)")).to_have_count(3)
        assert position(client, game) == 3
        below = page.locator(".mine .sitter b")
        expect(below).to_have_text("anna")  # also when another is to act
        page.locator(".others .sitter").tap()
        expect(below).to_have_text("ben")
        page.reload()
        expect(below).to_have_text("ben")


def test_a_card_that_is_tapped_before_the_moves_are_there_is_played_when_they_come(visit: Visit, house: Served):
    visitor, held = visit(Likes(size=PHONE, touch=True), house.token), list[Route]()
    with house.client() as client:
        game = dealt(client)
        visitor.page.route("**/legal-moves?*", lambda route: route.continue_() if held else held.append(route))
        page = recording(visitor, game)
        page.locator("[data-code='TD']").tap()
        expect(page.locator("#line")).to_have_value("10♦ ")
        wait_until(page, lambda: bool(held))
        held[0].continue_()
        expect(page.locator("#log li:not(.grey)")).to_have_count(3)
        assert position(client, game) == 3


def test_a_page_that_is_ready_needs_no_file_more_says_what_enter_and_undo_would_do_and_lays_hands_face_down_unless_the_eye_is_held(
    visit: Visit, house: Served
):
    with house.client() as client:
        game = dealt(client, 1)
        page = recording(visit(secret=house.token), game)
        page.route("**/assets/**", lambda route: route.abort())
        page.get_by_role("button", name="Sheet").click()
        page.get_by_role("button", name="Close").click()
        page.keyboard.press("F9")
        expect(page.locator("#room textarea")).to_be_focused()
        page.keyboard.press("Escape")
        line, last = page.locator("#line"), page.locator("#log li").last
        line.fill("qx4")
        expect(page.locator("#will a")).to_have_text(re.compile("CNO-"))
        page.keyboard.press("Escape")
        expect(line).to_have_value("")
        others, own = (page.locator(f"[data-zone='hand:{seat}'] [data-code='?']") for seat in (0, 1))
        expect(others).to_have_count(3)
        expect(own).to_have_count(0)
        page.locator("#eye").hover()
        page.mouse.down()
        expect(others).to_have_count(0)
        page.mouse.up()
        expect(others).to_have_count(3)
        line.fill("q-")
        expect(page.locator("#will b")).to_have_text("ben trails Q♠.")
        assert line.get_attribute("aria-activedescendant") == page.locator("[role=option][aria-selected=true]").get_attribute("id")
        page.keyboard.press("Enter")
        expect(line).to_be_focused()
        expect(line).to_have_value("")
        page.keyboard.type("zz")
        expect(page.locator("#will")).to_contain_text("means nothing here")
        page.keyboard.press("Escape")
        expect(line).to_have_value("")
        expect(page.locator("#log li:not(.grey)")).to_have_count(4)
        said = last.inner_text()
        expect(page.locator("#undo")).to_have_attribute("title", f"Takes back: {said}")
        page.keyboard.press("Control+z")
        expect(page.locator("#log s")).to_have_text(said)
        expect(page.locator("#who")).to_have_text("ben")
        page.keyboard.press("Control+z")
        expect(page.locator("#who")).to_have_text("anna")
        expect(page.locator("#log s")).to_have_count(2)  # each is drawn in grey before it is recorded
        assert position(client, game) == 6


def test_a_refused_line_becomes_at_the_desk_with_one_button_the_move_that_stood(visit: Visit, house: Served):
    with house.client() as client:
        game = seated(client)
        done(client.post(f"/v1/games/{game}/hands", json={"dealer": 1, "deal": {"board": ["9C", "7C", "8H", "2D"]}}))
        visitor = visit(secret=house.token)
        page = recording(visitor, game)
        waiting = page.locator("#disputes details")
        for number in (1, 2):
            expect(page.locator("#choices [role=option]").first).to_be_visible()
            page.keyboard.type("8cx7c")
            expect(page.locator("#will a")).to_have_text("CNO-23")
            page.get_by_role("button", name="It stood").click()
            page.get_by_role("button", name="Call the arbiter", exact=True).click()
            expect(page.locator("#will")).to_have_text("Suspended until the arbiter has decided.")
            expect(waiting.locator("summary")).to_have_text(re.compile(rf"Dispute {number}\. .+ Play is suspended\."))
            expect(waiting.locator("q")).to_have_text(re.compile("^8cx7c: "))
            if number == 1:
                page.get_by_role("button", name="Withdraw it").click()
                expect(waiting).to_have_count(0)

        desk = visitor.opened_at(f"/g/{game}#p2,desk")
        desk.locator("#desk").get_by_role("button", name="Rule", exact=True).click()
        expect(desk.locator("#desk .moves .move")).to_have_text([re.compile(r"→ anna: taken$"), re.compile("^anna: hand → anna: taken$")])
        assert desk.locator("#desk textarea:not([name=reason]), #desk select[multiple]").count() == 0
        desk.get_by_role("button", name="Let it stand", exact=True).click()
        expect(desk.locator("#desk .news")).to_have_text("Recorded.")

        expect(page.locator("#log li").last).to_contain_text("8♣")
        expect(page.locator("#who")).to_have_text("ben")
        expect(waiting).to_have_count(0)
        now = done(client.get(f"/v1/games/{game}/table"))
        assert (now["piles"][0], now["table"]) == (["7C", "8C"], ["9C", "8H", "2D"])


def test_a_dispute_stops_the_line_needs_no_word_and_is_about_the_move_that_it_names_also_if_more_was_recorded_meanwhile(
    visit: Visit, house: Served
):
    with house.client() as client:
        game = dealt(client, 1)
        done(client.post(f"/v1/games/{game}/notes", json={"text": "A glass fell over."}))
        page = recording(visit(secret=house.token), game)
        page.keyboard.press("F9")
        expect(page.locator("#room textarea")).to_be_focused()
        about = page.locator("#room select[name=about] option")
        expect(about).to_have_text([re.compile("anna trails"), re.compile("deal")])  # and no note
        done(client.post(f"/v1/games/{game}/moves", json={"seat": 1, "text": "q-"}))
        page.keyboard.press("Enter")
        expect(page.locator("#room")).to_be_empty()
        expect(page.locator("#will")).to_have_text("Suspended until the arbiter has decided.")
        expect(page.locator("#signs[inert] ~ #acts, #form:has(#seat[hidden]) #go:disabled")).to_have_count(2)
        assert done(client.get(f"/v1/games/{game}"))["state"] == "suspended"
        (dispute,) = done(client.get(f"/v1/games/{game}/disputes"))["disputes"]
        assert (dispute["position"], position(client, game)) == (3, 6)


def test_who_may_not_record_is_led_to_the_replay(visit: Visit, house: Served):
    with house.client() as client:
        game = dealt(client)
        code = done(client.post("/v1/codes", json={"role": "viewer", "scope": {"game": game}, "good_for": "screen"}))["code"]
    page = visit(secret=code).go(f"/g/{game}/record")
    expect(page).to_have_url(re.compile(f"/g/{game}(#.*)?$"))


def chosen(page: Page, way: str) -> None:
    """A way to deal, by keyboard."""
    expect(page.locator("[role=option]", has_text=way)).to_be_visible()
    while page.locator("[role=option][aria-selected=true]").inner_text() != way:
        page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")


def opened(client: httpx.Client) -> str:
    return str(done(client.post("/v1/games", json={"ruleset": "casino", "seats": 2, "players": registered(client, "anna", "ben")}))["game"])


def report(page: Page, points: str) -> None:
    expect(page.locator("#will")).to_contain_text("each side")
    page.keyboard.type(points)
    page.keyboard.press("Enter")


def test_at_the_end_of_a_hand_the_felt_says_what_it_brought_sides_sign_at_the_same_time_and_it_leads_on(visit: Visit, house: Served):
    with house.client() as client:
        game = opened(client)
        page = recording(visit(secret=house.token), game)
        chosen(page, "Only the result")
        report(page, "8 3")
        card = page.locator(".result")
        expect(card.locator("h2")).to_have_text("Hand 1: played out")
        expect(card.locator("tr")).to_have_text(["In the lead: annaannaben", "Hand 1: played out83", "Totals83"])
        expect(page.locator("[role=status]", has_text="In the lead")).to_be_attached()
        card.get_by_role("button", name="Agree").click()
        sides = page.locator("dialog.sheet .acts")
        expect(sides.locator("button")).to_have_text(["anna: agreed", "ben: agreed"])
        sides.evaluate("sides => { for (const button of sides.querySelectorAll('button')) button.click(); }")
        expect(sides).to_have_text("anna agreed Not agreed after allben agreed Not agreed after all")
        page.get_by_role("button", name="Close").click()
        expect(card.locator(".acts")).to_contain_text("All sides agreed.")
        card.get_by_role("button", name="Dispute: the count").click()
        expect(page.locator("#room [name=about] :checked")).to_have_text("The count of hand 1")
        page.keyboard.press("Escape")
        card.get_by_role("button", name="Next hand: ben deals").click()
        report(page, "14 2")
        expect(card.locator("h2")).to_have_text("Game over: anna wins")
        expect(page.locator("#form, #signs, #choices").locator("visible=true")).to_have_count(0)
        expect(card.get_by_role("link", name="My tables")).to_have_attribute("href", "/")
        card.get_by_role("link", name="New game").click()
        expect(page).to_have_url(re.compile(r"/new\?what=game&ruleset=casino$"))
        signed = done(client.get(f"/v1/games/{game}/score-sheet"))["signatures"]
        assert [(one["party"], one["stands"]) for one in signed] == [(0, False), (1, False)]


def test_without_a_connection_moves_are_kept_here_and_recorded_later(visit: Visit, house: Served):
    visitor = visit(secret=house.token)
    with house.client() as client:
        game = dealt(client)
        page = recording(visitor, game)
        expect(page.locator("#choices [role=option]").first).to_be_visible()
        visitor.context.set_offline(True)
        page.keyboard.type("t-")
        page.keyboard.press("Enter")
        expect(page.locator("#link")).to_contain_text("kept here")
        expect(page.locator("#log .grey")).to_contain_text("anna trails 10♦.")
        expect(page.locator("#who")).to_have_text("ben")
        page.keyboard.type("q-")
        page.keyboard.press("Enter")
        expect(page.locator("#log .grey")).to_have_count(2)
        page.keyboard.press("Control+z")
        expect(page.locator("#log .grey")).to_have_count(1)
        expect(page.locator("#will b")).to_have_text("Again: ben: q-")
        page.keyboard.press("Enter")
        expect(page.locator("#log .grey")).to_have_count(2)
        visitor.context.set_offline(False)
        expect(page.locator("#link")).to_have_text("recorded")
        expect(page.locator("#log .grey")).to_have_count(0)
        moves = [event["body"]["move"] for event in done(client.get(f"/v1/games/{game}/history"))["events"][2:]]
        assert [move["card"] for move in moves] == ["TD", "QS"]
    visitor.wrong.clear()  # browsers complain of each request that found no network
