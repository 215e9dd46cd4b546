"""The replay in a browser: by keyboard, by touch, by link, and through whose eyes."""

import json
import re
from random import Random

import httpx
from playwright.sync_api import Page, expect

from api.common.names import name_places
from domain.games import RULESETS
from replay.sample_games import random_record
from tests.deploy.serving import Served, done, open_game, play_on
from tests.domain.games.setups import TRIED
from tests.pages.conftest import Visit
from tests.pages.table.told import CASES
from tests.pages.visitors import PHONE, Likes

MOVES = 8


def random_game(client: httpx.Client, ruleset: str, moves: int = MOVES, **options: object) -> tuple[str, int]:
    """A game of some moves, and the position of its last event."""
    set_up = TRIED[ruleset]().set_ups[0]
    record = random_record("a game", RULESETS[ruleset], {**set_up.options, **options}, set_up.seats, Random(f"replay of {ruleset}"), moves)
    (recorded,) = done(client.post("/v1/records", json=record))["records"]
    return recorded["game"], done(client.get(f"/v1/games/{recorded['game']}"))["position"]


def captions(client: httpx.Client, game: str) -> list[str]:
    """The captions with the names of places."""
    frames = done(client.get(f"/v1/games/{game}/replay?limit=1000&names=true"))["frames"]
    places = name_places(len(frames[0]["names"]), "en")
    pieces = [
        [one if isinstance(one, str) else listed([places[seat] for seat in one["seats"]]) for one in frame["said"]] for frame in frames
    ]
    return ["".join(said).split("\n")[0] for said in pieces]


def listed(names: list[str]) -> str:
    *others, last = names
    return f"{', '.join(others)}{',' if len(others) > 1 else ''} and {last}" if others else last


def opened(visit: Visit, house: Served, path: str, likes: Likes = Likes()) -> Page:  # noqa: B008
    page = visit(likes, house.token).go(path)
    expect(page.locator("body[data-ready]")).to_be_attached()
    return page


def caption(page: Page) -> str:
    return page.locator("#caption").inner_text()


def test_a_hand_that_does_not_fit_the_window_is_drawn_smaller_and_the_game_is_replayed_by_keyboard_to_its_end(visit: Visit, house: Served):
    with house.client() as client:
        game, last = random_game(client, "canasta")
        said = captions(client, game)
    page = opened(visit, house, f"/g/{game}", Likes(size=(1024, 640)))
    expect(page.locator(".felt .mine")).to_be_in_viewport(ratio=1)
    page.keyboard.press("Home")
    for position, caption in enumerate(said, 1):
        expect(page.locator("#count")).to_have_text(f"{position} / {last}")
        expect(page.locator("#caption")).to_have_text(caption)
        expect(page.locator("#moves [aria-current]")).to_have_text(re.compile(rf"^{position} "))
        page.keyboard.press("ArrowRight")
    expect(page.locator("#stage .felt")).to_be_visible()
    asked = "performance.getEntriesByType('resource').filter(one => one.name.includes('/replay?')).map(one => one.initiatorType)"
    assert page.evaluate(asked) == ["link", "fetch"]  # the browser read the last frame with the page, and the script asked once for all


def swipe(page: Page, across: int) -> None:
    """A finger that goes that far to the right over the middle of the felt; Playwright's own knows taps alone."""
    fingers, box = page.context.new_cdp_session(page), page.locator("#stage").bounding_box()
    assert box is not None
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    for kind, points in (("Start", [x - across / 2]), ("Move", [x]), ("Move", [x + across / 2]), ("End", [])):
        fingers.send("Input.dispatchTouchEvent", {"type": f"touch{kind}", "touchPoints": [{"x": point, "y": y} for point in points]})


_PLACES = """() => {
  const names = ["#stage", "#on", "#moves", "#moves [aria-current]"];
  const [stage, button, list, line] = names.map(one => document.querySelector(one).getBoundingClientRect());
  return [stage.height, button.top, scrollY, line.top >= list.top && line.bottom <= list.bottom];
}"""


def test_on_a_phone_button_swipe_and_edge_step_and_all_but_the_list_stays_in_its_place(visit: Visit, house: Served):
    with house.client() as client:
        game, last = random_game(client, "quartett-trumpf")
        said = captions(client, game)
    page = opened(visit, house, f"/g/{game}#p1", Likes(size=(390, 664), touch=True))
    expect(page.locator(".air")).to_be_attached()
    places = []
    steps = [page.locator("#on").tap, lambda: swipe(page, -200), lambda: page.touchscreen.tap(380, 250)]
    for position, caption in enumerate(said, 1):
        expect(page.locator("#count")).to_have_text(f"{position} / {last}")
        expect(page.locator("#caption")).to_have_text(caption)
        page.wait_for_function(f"({_PLACES})()[3]")
        places.append(page.evaluate(_PLACES))
        if position < last:
            steps[position % 3]()
    assert places == [places[0]] * last
    for back, position in ((page.locator("#back").tap, 1), (lambda: swipe(page, 200), 2), (lambda: page.touchscreen.tap(10, 250), 3)):
        back()
        expect(page.locator("#count")).to_have_text(f"{last - position} / {last}")


def test_a_finger_on_the_slider_goes_to_the_result_and_nothing_jumps(visit: Visit, house: Served):
    played = json.loads((CASES / "canasta" / "19-match-two-hands.json").read_text(encoding="utf-8"))
    record = {key: played[key] for key in ("name", "ruleset", "options", "seats", "hands")}
    with house.client() as client:
        (recorded,) = done(client.post("/v1/records", json=record))["records"]
    page = opened(visit, house, f"/g/{recorded['game']}", Likes(size=PHONE, touch=True))
    box, boxes, card = page.locator("#slider").bounding_box(), [], page.locator(".result")
    assert box is not None
    for share, position, shown in ((0.001, 1, 0), (0.999, 34, 1)):
        page.touchscreen.tap(box["x"] + box["width"] * share, box["y"] + box["height"] / 2)
        expect(page.locator("#count")).to_have_text(f"{position} / 34")
        expect(card.locator("visible=true")).to_have_count(shown)
        boxes.append([page.locator(part).bounding_box() for part in ("#stage", "#caption", "#slider")])
    assert boxes[0] == boxes[1]
    expect(card.locator("summary")).to_have_text("Game over: East and West winNorth and South -395 · East and West 1350")
    folded, felt = card.bounding_box(), boxes[0][0]
    assert folded
    assert felt
    assert folded["height"] < felt["height"] / 3  # the cards lie in sight beside it
    card.locator("summary").tap()
    expect(card.locator("tr").last).to_have_text("Totals-3951350")
    expect(page.locator("#caption")).to_have_attribute("title", re.compile("^West discards .* in all -395 : 1350"))


def test_links_and_keys_lead_to_a_position_and_through_other_eyes_it_shows_what_these_saw_there(visit: Visit, house: Served):
    with house.client() as client:
        game, last = random_game(client, "casino")
    page = opened(visit, house, f"/g/{game}#p7")
    expect(page.locator("#count")).to_have_text(f"7 / {last}")
    page.keyboard.press("ArrowRight")
    expect(page).to_have_url(re.compile("#p8$"))
    page.locator("#moves a", has_text=re.compile("^5 ")).click()
    expect(page).to_have_url(re.compile("#p5$"))
    for key, position in (("End", last), ("Home", 1), ("ArrowDown", 2), ("End", last), ("ArrowUp", 2), ("ArrowLeft", 1), ("ArrowRight", 2)):
        page.keyboard.press(key)
        expect(page.locator("#count")).to_have_text(f"{position} / {last}")
    page.keyboard.press("?")
    expect(page.get_by_role("dialog", name="Keys")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.locator('[data-zone="hand:0"] [data-code="?"]')).to_have_count(0)
    page.get_by_label("Seen by").select_option("seat:1")
    expect(page).to_have_url(re.compile(r"\?view=seat%3A1#p2$|\?view=seat:1#p2$"))
    expect(page.locator('[data-zone="hand:0"] [data-code="?"]')).to_have_count(4)
    expect(page.locator('[data-zone="hand:1"] [data-code="?"]')).to_have_count(0)
    expect(page.locator(".mine")).to_contain_text("Seat 2")


def test_on_paper_stand_the_sheet_and_the_moves_and_in_a_frame_the_table_and_the_slider_alone(visit: Visit, house: Served):
    with house.client() as client:
        game, last = random_game(client, "casino")
    page = opened(visit, house, f"/g/{game}")
    page.emulate_media(media="print")
    for shown in ("#printed", "#moves"):
        expect(page.locator(shown)).to_be_visible()
    for gone in ("#stage", "#player", ".bar"):
        expect(page.locator(gone)).to_be_hidden()
    page.emulate_media(media="screen")
    page.goto(f"{house.url}/g/{game}?embed=1")
    expect(page.locator("body[data-ready]")).to_be_attached()
    page.keyboard.press("Home")
    expect(page.locator("#count")).to_have_text(f"1 / {last}")
    expect(page.locator(".felt")).to_be_visible()
    expect(page.locator(".bar, #side, #desk")).to_have_count(0)


def test_the_table_and_the_line_of_the_position_are_in_sight_beside_the_score_graph_of_which_a_hand_leads_to_its_deal(
    visit: Visit, house: Served
):
    with house.client() as client:
        game, last = random_game(client, "casino", 50, target=21)
        first = done(client.get(f"/v1/games/{game}/score-sheet"))["hands"][0]["points"]
    page = opened(visit, house, f"/g/{game}#p36", Likes(size=(1280, 760)))
    expect(page.locator("#graph polyline")).to_have_count(2)
    for key, position in (("", 36), ("Home", 1), ("End", last)):
        if key:
            page.keyboard.press(key)
        expect(page.locator("#moves [aria-current]")).to_have_text(re.compile(rf"^{position} "))
        expect(page.locator("#moves [aria-current]")).to_be_in_viewport()
    page.goto(f"{house.url}/g/{game}#p6")
    expect(page.locator("#count")).to_have_text(f"6 / {last}")
    expect(page.locator(".felt .mine")).to_be_in_viewport(ratio=1)
    page.get_by_role("button", name=f"Hand 1: Seat 1 {first[0]}, Seat 2 {first[1]}").click()
    expect(page.locator("#count")).to_have_text(f"2 / {last}")


_STEP = """async button => {
  document.querySelector(button).click();
  await new Promise(requestAnimationFrame);
  return document.getAnimations().map(one => one.effect.getTiming().duration);
}"""


def test_cards_move_in_a_step_not_in_a_jump_and_never_where_motion_is_not_wanted(visit: Visit, house: Served):
    with house.client() as client:
        game = open_game(client)
        for _ in range(3):
            play_on(client, game)
    page = opened(visit, house, f"/g/{game}")
    expect(page.locator(".air")).to_be_attached()
    assert [page.evaluate(_STEP, step) for step in ("#back", "#on")] == [[], []]
    page.emulate_media(reduced_motion="no-preference")
    assert [page.evaluate(_STEP, step) for step in ("#back", "#on", "#first", "#last")] == [[180], [180], [], []]
