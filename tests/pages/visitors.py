"""Those who look at pages: a browser's window, with what somebody likes and may, and everything that goes wrong in it."""

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from msgspec import Struct
from playwright.sync_api import Browser, BrowserContext, ConsoleMessage, Page

from tests.deploy.serving import PATIENCE

PHONE, TABLET, WALL = (390, 844), (1024, 768), (1920, 1080)


class Likes(Struct, frozen=True):
    """How somebody looks at pages. ``keeps``: whether his browser keeps their files by a service worker, as over https, and not as in a
    hall; that takes a fifth more time.
    """

    size: tuple[int, int] = TABLET
    language: str = "en"
    theme: str = "light"
    touch: bool = False
    keeps: bool = False


class Visitor:
    """A window of a browser of its own. ``wrong`` is what its console and its policy complained of."""

    def __init__(self, context: BrowserContext, url: str) -> None:
        self.context, self.url = context, url
        self.wrong: list[str] = []
        self.page = self.opened()

    def opened(self) -> Page:
        """Another tab of the same visitor."""
        page = self.context.new_page()
        page.set_default_timeout(PATIENCE * 1000)
        page.on("console", self._hear)
        page.on("pageerror", lambda error: self.wrong.append(f"error: {error}"))
        page.on("response", lambda answer: self.wrong.append(f"{answer.status} {answer.url}") if answer.status >= 500 else None)
        return page

    def _hear(self, said: ConsoleMessage) -> None:
        """A preview of a form that is not filled in yet is refused where the service answers before the next key; no fault of the page."""
        previewed = "dry_run=true" in said.location["url"] and " 422 " in said.text
        if said.type in ("error", "warning") and not previewed:
            self.wrong.append(f"console: {said.text} {said.location['url']}")

    def opened_at(self, path: str) -> Page:
        """Another tab, at that address."""
        page = self.opened()
        page.goto(f"{self.url}{path}")
        return page

    def go(self, path: str) -> Page:
        self.page.goto(f"{self.url}{path}")
        return self.page

    def sign_in(self, secret: str) -> None:
        """As a script of a page does; the cookie stays with this visitor."""
        answer = self.context.request.post(f"{self.url}/in", data={"secret": secret}, headers={"Origin": self.url}, timeout=PATIENCE * 1000)
        assert answer.ok, answer.text()

    def hear_nothing(self) -> None:
        """From now on no page of this visitor follows what is recorded: each holds its own connection, and none is let through."""
        self.context.add_init_script("delete window.SharedWorker")
        self.context.route("**/v1/streams", lambda route: route.abort())


@contextmanager
def visiting(browser: Browser, url: str, likes: Likes, secret: str | None = None) -> Iterator[Visitor]:
    """A visitor; where the console or the policy complained of anything, this fails."""
    width, height = likes.size
    context = browser.new_context(
        viewport={"width": width, "height": height},
        locale="de-DE" if likes.language == "de" else "en-GB",
        color_scheme="dark" if likes.theme == "dark" else "light",
        has_touch=likes.touch,
        reduced_motion="reduce",
    )
    if not likes.keeps:
        context.add_init_script("delete Navigator.prototype.serviceWorker")
    try:
        visitor = Visitor(context, url)
        if secret is not None:
            visitor.sign_in(secret)
        yield visitor
        assert visitor.wrong == [], visitor.wrong
    finally:
        context.close()


def cut_off(page: Page) -> None:
    """Takes the network from a page for as long as it is there. What does so from outside lets a request through now and then, and lets go
    of a page that is left or closed, which in its last moment would try again.
    """
    page.evaluate("() => { window.fetch = () => Promise.reject(new TypeError('no network')); }")


def tell_otherwise(page: Page, part: str, change: str) -> None:
    """From now on the page is told something else where it asks for an address with that part. ``change``: what is done to ``told``, the
    JSON of the answer. Within the page, for the same reason.
    """
    page.evaluate(
        f"""() => {{ const asked = window.fetch;
        window.fetch = async (address, options) => {{
          const answer = await asked(address, options);
          if (!String(address).includes("{part}")) return answer;
          const told = await answer.json(); {change};
          return new Response(JSON.stringify(told), answer);
        }}; }}"""
    )


def stored(page: Page) -> Any:
    """All that a page has kept in its browser: storages, and the addresses and bodies of its caches."""
    return json.loads(page.evaluate(_STORED))


_STORED = """async () => {
  const caches_ = {};
  for (const name of await caches.keys()) {
    const kept = await caches.open(name);
    for (const request of await kept.keys()) caches_[request.url] = await (await kept.match(request)).text();
  }
  const bases = (await indexedDB.databases()).map(base => base.name);
  return JSON.stringify({caches: caches_, local: {...localStorage}, session: {...sessionStorage}, bases});
}"""


def wait_until(page: Page, holds: Callable[[], bool]) -> None:
    """Wait until this holds; requests that the page routes to the test are handed over meanwhile."""
    while not holds():
        page.wait_for_timeout(10)  # milliseconds
