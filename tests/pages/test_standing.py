"""What is shown stays where it is: nobody taps what has just moved away (Web Vitals: a shift below 0.1 is good)."""

from tests.deploy.serving import Served, open_game, play_on
from tests.pages.conftest import Visit
from tests.pages.visitors import PHONE, WALL, Likes

SHIFTED = """() => new Promise(told => {
  let shifted = 0;
  const watch = new PerformanceObserver(list => {
    for (const {value, hadRecentInput} of list.getEntries()) shifted += hadRecentInput ? 0 : value;
  });
  watch.observe({type: "layout-shift", buffered: true});
  requestAnimationFrame(() => requestAnimationFrame(() => told(shifted)));
})"""


def test_a_page_that_is_laid_out_by_script_moves_nothing_that_is_shown(visit: Visit, house: Served):
    with house.client() as client:
        game = open_game(client)
        play_on(client, game)
    visitor = visit(Likes(), house.token)
    for width, height in (PHONE, WALL):
        visitor.page.set_viewport_size({"width": width, "height": height})
        for room in ("", "/record"):
            page = visitor.go(f"/g/{game}{room}")
            page.wait_for_selector("body[data-ready]")
            assert page.evaluate(SHIFTED) < 0.1, (room, width)
