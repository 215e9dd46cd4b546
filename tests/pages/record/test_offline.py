"""A table without a network: by touch, line after line, and after a reload; and a hall without https."""

from urllib.parse import urlsplit

from playwright.sync_api import Page, expect

from tests.deploy.serving import Served, done
from tests.pages.conftest import Visit
from tests.pages.outbox.test_outbox import ENTER, HALL
from tests.pages.record.test_record import dealt, opened, recording
from tests.pages.visitors import PHONE, Likes

HOLDS = """async ([game, count]) => {
  const caches_ = await Promise.all((await caches.keys()).map(name => caches.open(name)));
  const requests = (await Promise.all(caches_.map(cache => cache.keys()))).flat();
  return requests.filter(({url}) => url.includes(game)).length === count;
}"""
"""Whether the browser keeps so many answers about a game; files are kept together with its page."""


def lay_down(page: Page, rank: str, suit: str, kept: int) -> None:
    pad = page.locator("#pad")
    pad.get_by_role("button", name=rank, exact=True).tap()
    pad.locator(f"[data-code='{suit}']").tap()
    if page.locator("#line").input_value():  # the page does not know what the card may mean, so it is not recorded at once
        page.locator("#more").tap()
        page.locator("#signs").get_by_role("button", name="-", exact=False).first.tap()
        page.locator("#go").tap()
    expect(page.locator("#link")).to_have_text(f"{kept} kept here")


def test_recording_by_touch_goes_on_without_a_network_also_after_a_reload(visit: Visit, house: Served):
    visitor = visit(Likes(size=PHONE, touch=True, keeps=True), house.token)
    with house.client() as client:
        game = opened(client)
        done(client.post(f"/v1/games/{game}/hands", json={"dealer": 0, "deck": "unknown", "known": {"board": ["9C", "7C", "8H", "2D"]}}))
        visitor.page.add_init_script("window.awake = []; navigator.wakeLock.request = async kind => void awake.push(kind)")
        page = recording(visitor, game)
        page.wait_for_function(HOLDS, arg=[game, 2])
        expect(page.locator("#will")).to_contain_text("What did")
        visitor.context.set_offline(True)
        lay_down(page, "Q", "QC", 1)
        assert page.evaluate("awake") == ["screen"]
        lay_down(page, "K", "KC", 2)
        page.on("dialog", lambda asked: asked.accept())
        page.reload()
        expect(page.locator("body[data-ready]")).to_be_attached()
        lay_down(page, "J", "JC", 3)
        visitor.context.set_offline(False)
        expect(page.locator("#link")).to_have_text("recorded")
        assert done(client.get(f"/v1/games/{game}/table"))["table"] == ["9C", "7C", "8H", "2D", "QC", "KC", "JC"]
        visitor.go("/in").get_by_role("button", name="Sign out").tap()
        expect(page.get_by_role("button", name="Sign out")).to_have_count(0)
        page.wait_for_function(HOLDS, arg=[game, 0])
    visitor.wrong.clear()


def test_in_a_hall_without_https_the_page_says_once_that_it_must_not_be_loaded_again(visit: Visit, house: Served):
    visitor = visit(Likes(size=PHONE, touch=True))
    visitor.url = f"http://{HALL}:{urlsplit(house.url).port}"
    with house.client() as client:
        game = dealt(client)
        code = done(client.post("/v1/codes", json={"role": "recorder", "scope": {"game": game}, "good_for": "screen"}))["code"]
        visitor.go("/in").evaluate(ENTER, code)
        page = recording(visitor, game)
        expect(page.locator("#elsewhere")).to_contain_text("Last by another device, ")
        page.get_by_role("button", name="I see").tap()
        page.locator("[data-code='TD']").tap()
        expect(page.locator("#log li:not(.grey)")).to_have_count(3)
        expect(page.locator("#elsewhere")).to_be_hidden()
        page.reload()
        expect(page.locator("body[data-ready]")).to_be_attached()
        expect(page.locator("#reload")).to_have_count(0)
    visitor.wrong.clear()
