"""What was entered on a device is recorded once and in order, whatever becomes of the network, the page, or the other recorder."""

from collections.abc import Sequence
from typing import Any
from urllib.parse import urlsplit

import httpx
import pytest
from playwright.sync_api import Page, Route, expect

from tests.deploy.serving import Served, done, open_game, play_on
from tests.pages.conftest import Visit
from tests.pages.visitors import Likes, Visitor, cut_off, wait_until

HALL = "hall.test"
"""A name of this machine that browsers take for one in a network: no secure context."""
MOUNTED = """async game => {
  const folder = document.querySelector('script[type="module"]').src.replace(/[^/]+$/, "");
  const {outbox} = await import(folder + "outbox.js");
  const {panel, pill} = await import(folder + "outbox/panels.js");
  const shown = document.getElementById("main");
  const correct = entry => window.box.edit(entry.n, window.corrected, "corrected");
  const parts = {ruleset: "casino", correct, caption: frame => [frame.caption], arbiter: claim => { window.claim = claim; }};
  const who = {id: (await (await fetch("/v1/me")).json()).principal, label: "Ann"};
  const told = (state, box) => {
    const mark = document.createElement("output");
    mark.textContent = pill(state).says;
    shown.replaceChildren(mark, panel(state, box, parts) ?? "");
  };
  window.box = await outbox(game, 2, told, who);
}"""
"""Puts the outbox of a game on a page: its pill, and what it asks."""
ENTER = """secret => fetch("/in", {method: "POST", headers: {"Content-Type": "application/json"}, body: JSON.stringify({secret})})"""

SEEN = """seen => {
  Object.defineProperty(document, "hidden", {value: !seen, configurable: true});
  document.dispatchEvent(new Event("visibilitychange"));
}"""

Acts = Sequence[dict[str, Any]]


@pytest.fixture
def client(house: Served) -> Any:
    with house.client() as client:
        yield client


@pytest.fixture
def game(client: httpx.Client) -> str:
    """A hand of Casino, dealt; it stands at position 2."""
    game = open_game(client)
    play_on(client, game)
    return game


def trails(client: httpx.Client, game: str, count: int) -> Acts:
    """So many moves that are legal one after another."""
    table = done(client.get(f"/v1/games/{game}/table"))
    seats = [(table["turn"] + number) % 2 for number in range(count)]
    return [{"seat": seat, "move": {"type": "trail", "card": table["hands"][seat][number // 2]}} for number, seat in enumerate(seats)]


def mounted(page: Page, game: str) -> Page:
    page.evaluate(MOUNTED, game)
    expect(page.locator("#main output")).to_be_visible()
    return page


def boxed(visitor: Visitor, game: str) -> Page:
    return mounted(visitor.go("/rules"), game)


def another(client: httpx.Client) -> str:
    """The secret of another recorder."""
    return str(done(client.post("/v1/tokens", json={"role": "recorder", "scope": "everything"}))["secret"])


def add(page: Page, acts: Acts) -> None:
    for act in acts:
        page.evaluate("act => box.add({path: 'moves', body: act, words: act.move.card})", act)


def says(page: Page, text: str) -> None:
    expect(page.locator("#main output")).to_have_text(text)


def recorded(client: httpx.Client, game: str) -> Acts:
    events = done(client.get(f"/v1/games/{game}/history"))["events"]
    return [{"seat": one["body"]["seat"], "move": one["body"]["move"]} for one in events if one["name"].startswith("move.")]


def test_what_is_entered_without_a_network_outlives_the_page_and_goes_out_in_order(
    visit: Visit, house: Served, client: httpx.Client, game: str
):
    visitor, acts = visit(Likes(), house.token), trails(client, game, 5)
    page = boxed(visitor, game)
    page.route("**/moves", lambda route: route.abort())
    add(page, acts[:3])
    says(page, "3 kept here")
    page.close()
    visitor.wrong.clear()
    page = mounted(visitor.opened_at("/rules"), game)
    add(page, acts[3:])
    says(page, "recorded")
    assert recorded(client, game) == acts


def test_an_answer_that_was_lost_records_nothing_twice_and_who_is_told_to_wait_keeps_it_and_tries_again(
    visit: Visit, house: Served, client: httpx.Client, game: str
):
    """The answer to the first act is lost; the second one is told to wait, twice. 0: let through."""
    visitor, acts, told = visit(Likes(), house.token), trails(client, game, 3), list[int]()
    page = boxed(visitor, game)

    def answer(route: Route) -> None:
        busy = {2: 429, 3: 503}.get(len(told))
        if not told:
            told.append(route.fetch().status)
            route.abort()
        elif busy:
            told.append(busy)
            route.fulfill(status=busy, json={"status": busy, "detail": "later"}, headers={"Retry-After": "0"})
        else:
            told.append(0)
            route.continue_()

    page.route("**/moves", answer)
    add(page, acts)
    says(page, "recorded")
    assert (told, recorded(client, game)) == ([201, 0, 429, 503, 0, 0], acts)
    visitor.wrong.clear()


def test_where_somebody_recorded_the_same_move_ours_is_skipped_and_another_stands_beside_ours_and_nothing_is_merged(
    visit: Visit, house: Served, client: httpx.Client, game: str
):
    visitor, acts = visit(Likes(), house.token), trails(client, game, 3)
    page = boxed(visitor, game)
    done(client.post(f"/v1/games/{game}/moves", json=acts[0]))
    add(page, acts)
    expect(page.get_by_role("alert")).to_contain_text("Somebody recorded the same move")
    assert recorded(client, game) == acts[:1]
    page.get_by_role("button", name="Go on with these").click()
    says(page, "recorded")
    assert recorded(client, game) == acts
    more, table = trails(client, game, 3), done(client.get(f"/v1/games/{game}/table"))
    other = {"seat": table["turn"], "move": {"type": "trail", "card": table["hands"][table["turn"]][-1]}}
    done(client.post(f"/v1/games/{game}/moves", json=other))
    add(page, more)
    says(page, "3 kept here: decide")
    expect(page.locator(".both > div").nth(0)).to_contain_text("trails")
    expect(page.locator(".both > div").nth(1).locator("li")).to_have_count(3)
    page.get_by_role("button", name="Call the arbiter").click()
    assert more[0]["move"]["card"] in page.evaluate("claim")
    page.get_by_role("button", name="Take theirs, drop ours").click()
    page.get_by_role("button", name="Drop 3 lines").click()
    says(page, "recorded")
    assert recorded(client, game) == [*acts, other]
    visitor.wrong.clear()


def test_what_the_rules_refuse_waits_with_the_rest_behind_it_to_be_corrected_or_dropped_with_what_follows(
    visit: Visit, house: Served, client: httpx.Client, game: str
):
    visitor, acts = visit(Likes(), house.token), trails(client, game, 3)
    page = boxed(visitor, game)
    page.evaluate("act => { window.corrected = act; }", acts[0])
    add(page, [{"seat": acts[0]["seat"], "move": {"type": "trail", "card": acts[1]["move"]["card"]}}, *acts[1:]])
    expect(page.get_by_role("alert")).to_contain_text("2 more wait behind it.")
    expect(page.get_by_role("alert").get_by_role("link").first).to_have_attribute("href", r"/rules/casino#CNO-15")
    page.get_by_role("button", name="Correct it").click()
    page.get_by_role("button", name="Drop 2 lines").click()
    says(page, "recorded")
    assert recorded(client, game) == acts
    more = trails(client, game, 3)
    add(page, [more[0], more[0], more[2]])
    page.get_by_role("button", name="Drop it and what follows").click()
    page.get_by_role("button", name="Drop 2 lines").click()
    says(page, "recorded")
    assert recorded(client, game) == [*acts, more[0]]
    visitor.wrong.clear()


def test_two_tabs_of_a_device_send_everything_once_and_where_the_sending_one_is_closed_another_goes_on(
    visit: Visit, house: Served, client: httpx.Client, game: str
):
    visitor, acts = visit(Likes(), house.token), trails(client, game, 8)
    first = boxed(visitor, game)
    second = mounted(visitor.opened_at("/rules"), game)
    for number, act in enumerate(acts[:6]):
        add((first, second)[number % 2], [act])
    says(first, "recorded")
    says(second, "recorded")
    assert recorded(client, game) == acts[:6]
    second.close()
    first.route("**/moves", lambda route: route.abort())
    add(first, acts[6:])
    says(first, "2 kept here")
    third = mounted(visitor.opened_at("/rules"), game)
    first.close()
    says(third, "recorded")
    assert recorded(client, game) == acts
    visitor.wrong.clear()


def test_a_tab_that_heard_nothing_of_another_one_adds_behind_what_that_one_recorded(
    visit: Visit, house: Served, client: httpx.Client, game: str
):
    visitor, acts = visit(Likes(), house.token), trails(client, game, 2)
    first, second = boxed(visitor, game), visitor.opened()
    second.add_init_script("delete window.BroadcastChannel")
    second.goto(f"{house.url}/rules")
    mounted(second, game)
    add(first, acts[:1])
    says(first, "recorded")
    first.evaluate("box.tabs.leave()")
    add(second, acts[1:])
    says(second, "recorded")
    assert recorded(client, game) == acts


def test_who_is_signed_out_loses_nothing(visit: Visit, house: Served, client: httpx.Client, game: str):
    visitor, acts = visit(Likes(), house.token), trails(client, game, 2)
    page = boxed(visitor, game)
    visitor.context.clear_cookies()
    add(page, acts)
    expect(page.get_by_role("alert").get_by_role("link", name="Sign in")).to_be_visible()
    visitor.sign_in(str(house.token))
    says(page, "recorded")
    assert recorded(client, game) == acts
    visitor.wrong.clear()


def test_an_act_that_was_sent_since_it_was_looked_at_is_not_dropped(visit: Visit, house: Served, client: httpx.Client, game: str):
    page, acts, held = boxed(visit(secret=house.token), game), trails(client, game, 1), list[Route]()
    page.route("**/moves", lambda route: held.append(route))
    add(page, acts)
    wait_until(page, lambda: bool(held))
    assert page.evaluate("box.withdraw({n: 1, tried: false})") is False
    held[0].continue_()
    says(page, "recorded")
    assert recorded(client, game) == acts


def test_who_has_signed_in_again_need_not_wait(visit: Visit, house: Served, client: httpx.Client, game: str):
    visitor, acts = visit(Likes(), house.token), trails(client, game, 1)  # a second one might be sent when signed in again
    visitor.page.add_init_script("window.setTimeout = () => 0")  # nothing goes on by itself
    page = boxed(visitor, game)
    visitor.context.clear_cookies()
    add(page, acts)
    expect(page.get_by_role("alert").get_by_role("link", name="Sign in")).to_be_visible()
    visitor.sign_in(str(house.token))
    page.get_by_role("button", name="Try again").click()
    says(page, "recorded")
    assert recorded(client, game) == acts
    visitor.wrong.clear()


def test_who_may_not_record_there_is_told_so_and_somebody_who_may_sends_it(visit: Visit, house: Served, client: httpx.Client, game: str):
    viewer = done(client.post("/v1/tokens", json={"role": "viewer", "scope": "everything"}))["secret"]
    visitor, acts = visit(Likes(), viewer), trails(client, game, 1)
    visitor.page.add_init_script("window.setTimeout = () => 0")  # nothing goes on by itself
    page = boxed(visitor, game)
    add(page, acts)
    asks = page.get_by_role("alert")
    expect(asks).to_contain_text("You may not record at this table.")
    expect(asks).to_contain_text("1 kept here")
    visitor.sign_in(str(house.token))
    page.get_by_role("button", name="Try again").click()
    asks.get_by_role("button", name="Send them as mine").click()
    says(page, "recorded")
    assert recorded(client, game) == acts
    visitor.wrong.clear()


def test_what_somebody_else_entered_is_not_sent_in_ones_own_name_unasked(visit: Visit, house: Served, client: httpx.Client, game: str):
    visitor, acts = visit(Likes(), house.token), trails(client, game, 2)
    page = boxed(visitor, game)
    cut_off(page)
    add(page, acts)
    says(page, "2 kept here")
    page.close()
    visitor.sign_in(another(client))
    page = mounted(visitor.opened_at("/rules"), game)
    expect(page.get_by_role("alert")).to_contain_text("entered here by Ann")
    assert recorded(client, game) == []
    page.get_by_role("button", name="Send them as mine").click()
    says(page, "recorded")
    assert recorded(client, game) == acts
    visitor.wrong.clear()


def test_who_signs_in_while_a_page_is_out_of_sight_sends_nothing_of_others(visit: Visit, house: Served, client: httpx.Client, game: str):
    visitor, acts = visit(Likes(), house.token), trails(client, game, 2)
    page = boxed(visitor, game)
    page.route("**/moves", lambda route: route.abort())
    add(page, acts)
    says(page, "2 kept here")
    page.evaluate(SEEN, False)
    visitor.sign_in(another(client))
    page.unroute_all()
    page.evaluate(SEEN, True)
    expect(page.get_by_role("alert")).to_contain_text("entered here by Ann")
    assert recorded(client, game) == []
    visitor.wrong.clear()


def test_who_signs_in_between_the_question_who_it_is_and_the_act_sends_nothing_of_others(
    visit: Visit, house: Served, client: httpx.Client, game: str
):
    visitor, acts = visit(Likes(), house.token), trails(client, game, 2)
    page = boxed(visitor, game)
    page.route("**/moves", lambda route: route.abort())
    add(page, acts)
    says(page, "2 kept here")
    page.evaluate(SEEN, False)
    before = page.evaluate("() => fetch('/v1/me').then(answer => answer.text())")
    visitor.sign_in(another(client))
    page.route("**/v1/me", lambda route: route.fulfill(body=before, content_type="application/json"))
    page.unroute("**/moves")
    with page.expect_response("**/moves") as sent:
        page.evaluate(SEEN, True)
    assert (sent.value.status, sent.value.json()["code"]) == (403, "forbidden")
    page.unroute_all()
    expect(page.get_by_role("alert")).to_contain_text("entered here by Ann")
    assert recorded(client, game) == []
    visitor.wrong.clear()


def test_a_browser_that_keeps_nothing_says_so_and_sends(visit: Visit, house: Served, client: httpx.Client, game: str):
    visitor, acts = visit(Likes(), house.token), trails(client, game, 2)
    visitor.page.add_init_script("indexedDB.open = () => { throw new DOMException('no', 'SecurityError'); }")
    page = boxed(visitor, game)
    page.route("**/moves", lambda route: route.abort())
    add(page, acts)
    says(page, "2 only in this window")
    page.unroute_all()
    says(page, "recorded")
    assert recorded(client, game) == acts
    visitor.wrong.clear()


def test_in_a_hall_without_https_it_works_as_well(visit: Visit, house: Served, client: httpx.Client, game: str):
    visitor, acts = visit(Likes()), trails(client, game, 3)
    visitor.url = f"http://{HALL}:{urlsplit(house.url).port}"
    page = visitor.go("/in")
    page.evaluate(
        "secret => fetch('/in', {method: 'POST', headers: {'Content-Type': 'application/json'}, body: JSON.stringify({secret})})",
        house.token,
    )
    page = boxed(visitor, game)
    assert page.evaluate("[isSecureContext, 'locks' in navigator, 'serviceWorker' in navigator, 'subtle' in crypto]") == [False] * 4
    add(page, acts)
    says(page, "recorded")
    assert recorded(client, game) == acts
    visitor.wrong.clear()


def test_closing_a_page_with_acts_that_wait_asks_first(visit: Visit, house: Served, client: httpx.Client, game: str):
    visitor = visit(Likes(), house.token)
    page = boxed(visitor, game)
    page.route("**/moves", lambda route: route.abort())
    add(page, trails(client, game, 1))
    says(page, "1 kept here")
    page.locator("body").click()  # browsers ask only who has done something
    with page.expect_event("dialog") as asked:
        page.close(run_before_unload=True)
    assert asked.value.type == "beforeunload"
    asked.value.accept()
    visitor.wrong.clear()


def test_an_answer_that_comes_late_takes_nothing_away_that_was_entered_meanwhile(
    visit: Visit, house: Served, client: httpx.Client, game: str
):
    visitor, acts, held = visit(Likes(), house.token), trails(client, game, 2), list[Any]()
    visitor.page.add_init_script("window.setInterval = () => 0")  # as in a tab that the browser has put to rest
    first = boxed(visitor, game)
    first.route("**/moves", lambda route: route.continue_() if held else held.append((route, route.fetch())))
    add(first, acts[:1])
    second = mounted(visitor.opened_at("/rules"), game)
    says(second, "recorded")
    second.route("**/moves", lambda route: route.abort())
    add(second, acts[1:])
    says(second, "1 kept here")
    held[0][0].fulfill(response=held[0][1])
    says(first, "1 kept here")
    second.unroute_all()
    says(first, "recorded")
    says(second, "recorded")
    assert recorded(client, game) == acts
    visitor.wrong.clear()


def test_a_disk_that_fills_up_loses_nothing_and_the_page_says_so(visit: Visit, house: Served, client: httpx.Client, game: str):
    visitor, acts = visit(Likes(), house.token), trails(client, game, 3)
    page = boxed(visitor, game)
    page.route("**/moves", lambda route: route.abort())
    add(page, acts[:1])
    says(page, "1 kept here")
    page.evaluate("() => { IDBObjectStore.prototype.put = () => { throw new DOMException('full', 'QuotaExceededError'); }; }")
    add(page, acts[1:])
    says(page, "3 only in this window")
    page.unroute_all()
    says(page, "recorded")
    assert recorded(client, game) == acts
    visitor.wrong.clear()
