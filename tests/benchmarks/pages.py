"""What a step of the replay costs in a browser: script, and all that the page does for it. Canasta, whose table has the most cards.

Chromium counts them itself (the Performance domain of its protocol). The limit is one picture of a screen that shows 60 a second.
"""

from collections.abc import Iterator
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

from playwright.sync_api import CDPSession, Page, expect, sync_playwright

from domain.games import RULESETS
from replay.sample_games import random_record
from tests.benchmarks.measure import Figure
from tests.browser import CHROMIUM
from tests.deploy.serving import done, served
from tests.pages.visitors import TABLET, Likes, visiting

PICTURE = 1000 / 60  # milliseconds
_STEP = """steps => new Promise(done => {
  const step = () => {
    if (!steps--) return done();
    dispatchEvent(new KeyboardEvent("keydown", {key: "ArrowLeft", bubbles: true}));
    requestAnimationFrame(() => requestAnimationFrame(step));
  };
  step();
})"""


def figures(quick: bool) -> Iterator[Figure]:
    if CHROMIUM is None:
        raise RuntimeError("There is no Chromium to measure pages with. On Debian: apt-get install chromium-headless-shell")
    moves, steps = (60, 40) if quick else (400, 300)
    with TemporaryDirectory() as folder, served("--data", Path(folder) / "data") as house, house.client() as client:
        record = random_record("a bench", RULESETS["canasta"], {}, 4, Random("scrubbing"), moves)
        (recorded,) = done(client.post("/v1/records", json=record))["records"]
        assert house.token is not None
        with sync_playwright() as playwright:
            browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox", "--disable-gpu"])
            with visiting(browser, house.url, Likes(TABLET), house.token) as visitor:
                page = visitor.go(f"/g/{recorded['game']}")
                expect(page.locator("body[data-ready]")).to_be_attached()
                yield from _measured(page, visitor.context.new_cdp_session(page), steps)
            browser.close()


def _measured(page: Page, browser: CDPSession, steps: int) -> Iterator[Figure]:
    browser.send("Performance.enable")
    page.evaluate(_STEP, 20)  # draws each card once
    before = _counted(browser)
    page.evaluate(_STEP, steps)
    after = _counted(browser)
    cards = page.locator("#stage .card").count()
    for name, metric, goal in (("script", "ScriptDuration", 1.0), ("script, style and layout", "TaskDuration", None)):
        taken = (after[metric] - before[metric]) * 1000 / steps
        what = f"a step of the replay, Canasta with {cards} cards on the table: {name}"
        yield Figure(what, taken, "ms", "a picture", PICTURE, taken / PICTURE, goal)


def _counted(browser: CDPSession) -> dict[str, float]:
    return {one["name"]: one["value"] for one in browser.send("Performance.getMetrics")["metrics"]}
