"""Pages in a real browser: the machine's Chromium, driven by Playwright, and a service in a process of its own."""

import os
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, ExitStack
from functools import cache
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect, sync_playwright

from tests.browser import CHROMIUM
from tests.deploy.serving import PATIENCE, Served, served
from tests.pages.visitors import Likes, Visitor, visiting

Visit = Callable[..., Visitor]
Drawing = Callable[..., Page]
HERE = Path(__file__).parent
HALL = ["--host-resolver-rules=MAP hall.test 127.0.0.1"]
"""A name of this machine that is no loopback to a browser, so that plain http is no secure context there, as in a hall."""
ONE_RENDERER = "--renderer-process-limit=1"
"""Pages of a context share a process, whose start takes an eighth of the processor time of a visit."""
WHOLE = ["--default-tile-width=2048", "--default-tile-height=2048"]
"""A page is painted in one piece and not in many tiles, which takes 4 % more processor time of the browser."""
NO_OPTIMISER = "--js-flags=--no-opt --no-maglev --single-threaded"
"""Pages do not live long enough for compilers that optimise: 3 % of the processor time of these tests."""
expect.set_options(timeout=60_000)  # milliseconds: however busy the machine
MISSING = "There is no Chromium, so the pages were not tested. On Debian: apt-get install chromium-headless-shell"


class Driven:
    """The browser of this process. Playwright has the thread's event loop while it runs, so it ends before tests of anything else begin."""

    def __init__(self) -> None:
        self._ends = ExitStack()
        self._browser: Browser | None = None

    def browser(self) -> Browser:
        if self._browser is None:
            playwright = self._ends.enter_context(sync_playwright())
            flags = ["--no-sandbox", "--disable-gpu", ONE_RENDERER, NO_OPTIMISER, *WHOLE, *HALL]
            self._browser = playwright.chromium.launch(executable_path=CHROMIUM, args=flags, timeout=PATIENCE * 1000)
            self._ends.callback(self._browser.close)
        return self._browser

    def end(self) -> None:
        self._ends.close()
        self._browser = None


DRIVEN = Driven()


@pytest.hookimpl(trylast=True)
def pytest_runtest_teardown(item: pytest.Item, nextitem: pytest.Item | None) -> None:
    if nextitem is None or HERE not in nextitem.path.parents:
        DRIVEN.end()


@pytest.fixture(scope="module")
def browser() -> Browser:
    """One for all tests of a process. In CI a machine without one is a failure; elsewhere it is said what was not tested."""
    if CHROMIUM is None:
        pytest.fail(MISSING) if os.environ.get("CI") else pytest.skip(MISSING)
    return DRIVEN.browser()


@pytest.fixture(scope="session")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """A service for all tests of a process; each opens games of its own."""
    with served("--data", tmp_path_factory.mktemp("house") / "data") as found:
        yield found


@pytest.fixture
def visit(browser: Browser, house: Served) -> Iterator[Visit]:
    """Opens a window: ``visit(likes, secret)``. Whatever its console or the policy complain of fails the test."""
    with ExitStack() as windows:

        def visited(likes: Likes = Likes(), secret: str | None = None) -> Visitor:  # noqa: B008
            entering: AbstractContextManager[Visitor] = visiting(browser, house.url, likes, secret)
            return windows.enter_context(entering)

        yield visited


@pytest.fixture(scope="module")
def drawing(browser: Browser, house: Served) -> Iterator[Drawing]:
    """A page to draw on, by its language: one for all tests of a module, for what is drawn takes the place of what was."""
    with ExitStack() as windows:

        @cache
        def opened(language: str = "en") -> Page:
            return windows.enter_context(visiting(browser, house.url, Likes(language=language))).go("/in")

        yield opened
