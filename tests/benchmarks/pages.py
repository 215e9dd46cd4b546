"""What pages cost: until a table is seen on slow 3G, and a step of the replay with a slow processor, where a table has the most cards.

Chromium emulates network and processor and counts itself (the Network, Emulation and Performance domains of its protocol).
"""

from collections.abc import Iterator
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any

from playwright.sync_api import CDPSession, Page, expect, sync_playwright

from domain.games import RULESETS
from replay.sample_games import random_record
from tests.benchmarks.measure import Figure
from tests.browser import CHROMIUM
from tests.deploy.serving import done, served
from tests.pages.visitors import PHONE, TABLET, Likes, visiting

SLOWED, STEP = 4, 8.0  # times, milliseconds
SLOW_3G = {"offline": False, "latency": 400, "downloadThroughput": 50_000, "uploadThroughput": 50_000}
SIGHT = {"trips": ("round trips", 5), "bytes": ("bytes", 40_000), "seen": ("ms", 2_500)}
"""What the first sight of a table takes at most."""
_SEEN = """async () => {
  while (!document.querySelector("#stage .card")) await new Promise(requestAnimationFrame);
  const seen = performance.now(), all = ["navigation", "resource"].flatMap(kind => performance.getEntriesByType(kind));
  const before = all.filter(({responseEnd}) => responseEnd && responseEnd <= seen);
  let trips = 0, end = 0; // of requests that follow each other
  for (const {requestStart, responseStart} of before.sort((one, other) => one.responseStart - other.responseStart))
    if (requestStart >= end) [trips, end] = [trips + 1, responseStart];
  return {trips, seen, bytes: before.reduce((sum, {transferSize}) => sum + transferSize, 0)};
}"""
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
        replay = f"/g/{recorded['game']}"
        assert house.token is not None
        with sync_playwright() as playwright:
            browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox", "--disable-gpu"])
            for what, address in (("recorder", f"{replay}/record"), ("replay", replay)):
                with visiting(browser, house.url, Likes(PHONE), house.token) as visitor:
                    found = first_sight(visitor.page, f"{house.url}{address}")
                yield from (
                    Figure(f"first sight of the {what} on slow 3G: {unit}", found[name], unit, "the most", most, found[name] / most, 1.0)
                    for name, (unit, most) in SIGHT.items()
                )
            with visiting(browser, house.url, Likes(TABLET), house.token) as visitor:
                page = visitor.go(replay)
                expect(page.locator("body[data-ready]")).to_be_attached()
                yield from _measured(page, visitor.context.new_cdp_session(page), steps)
            browser.close()


def first_sight(page: Page, address: str) -> dict[str, Any]:
    """Return what it takes on slow 3G, with nothing in the cache, until the table of a page is seen."""
    browser = page.context.new_cdp_session(page)
    browser.send("Network.enable")
    browser.send("Network.emulateNetworkConditions", SLOW_3G)
    page.goto(address, wait_until="commit")
    found: dict[str, Any] = page.evaluate(_SEEN)
    return found


def _measured(page: Page, browser: CDPSession, steps: int) -> Iterator[Figure]:
    browser.send("Performance.enable")
    browser.send("Emulation.setCPUThrottlingRate", {"rate": SLOWED})
    page.evaluate(_STEP, 20)  # draws each card once
    before = _counted(browser)
    page.evaluate(_STEP, steps)
    after = _counted(browser)
    cards = page.locator("#stage .card").count()
    for name, metric, goal in (("script", "ScriptDuration", 1.0), ("script, style and layout", "TaskDuration", None)):
        taken = (after[metric] - before[metric]) * 1000 / steps
        what = f"a step of the replay, Canasta with {cards} cards on the table, processor slowed {SLOWED} times: {name}"
        yield Figure(what, taken, "ms", "the most", STEP, taken / STEP, goal)


def _counted(browser: CDPSession) -> dict[str, float]:
    return {one["name"]: one["value"] for one in browser.send("Performance.getMetrics")["metrics"]}
