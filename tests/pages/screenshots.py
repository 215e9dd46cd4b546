"""``./run screenshots``: a picture of every page, as it looks on a phone, a tablet and a wall, in both themes and languages."""

import re
from itertools import product
from pathlib import Path
from tempfile import TemporaryDirectory

import click
from playwright.sync_api import Browser, Page, expect, sync_playwright

from tests.browser import CHROMIUM
from tests.deploy.serving import done
from tests.pages.night import TOURNAMENT, Night, night
from tests.pages.visitors import PHONE, TABLET, WALL, Likes, visiting

_SIZES = {"phone": PHONE, "tablet": TABLET, "wall": WALL}
_README = Path(__file__).parents[2] / "docs" / "pictures"


@click.command()
@click.option("--into", type=click.Path(path_type=Path), default=Path("screenshots"), show_default=True, help="The folder of the pictures.")
@click.option("--readme", is_flag=True, help="Take the pictures of README.md and docs alone, into docs/pictures.")
def screenshots(into: Path, readme: bool) -> None:
    """Take a picture of every page."""
    if CHROMIUM is None:
        raise click.ClickException("There is no Chromium to take pictures with. On Debian: apt-get install chromium-headless-shell")
    ways = [("tablet", "light", "en")] if readme else list(product(_SIZES, ("light", "dark"), ("en", "de")))
    folder = _README if readme else into
    folder.mkdir(parents=True, exist_ok=True)
    with TemporaryDirectory() as data, night(Path(data) / "night") as evening, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox", "--disable-gpu"])
        for size, theme, language in ways:
            likes = Likes(_SIZES[size], language, theme)
            if readme:
                _readme(browser, evening, likes, folder, "")
                _hall(browser, evening, folder)
            else:
                _taken(browser, evening, likes, folder, f"-{size}-{theme}-{language}")


def _taken(browser: Browser, evening: Night, likes: Likes, folder: Path, more: str) -> None:
    """Public pages as everybody sees them; the first page, the games and the room of the arbiter as an official does."""
    with visiting(browser, evening.house.url, likes) as visitor:
        for path in evening.public:
            _picture(visitor.go(path), folder / f"{_called(path)}{more}.png")
    with visiting(browser, evening.house.url, likes, evening.players) as player:
        _picture(player.go("/me"), folder / f"me{more}.png")
    with visiting(browser, evening.house.url, likes, evening.secret) as official:
        _picture(official.go("/"), folder / f"front-signed-in{more}.png")
        for path in evening.directed:
            _picture(official.go(path), folder / f"{_called(path)}{more}.png")
        for number, game in enumerate(evening.games):
            _picture(official.go(f"/g/{game}"), folder / f"game-{number:02}{more}.png")
    _readme(browser, evening, likes, folder, more)


def _readme(browser: Browser, evening: Night, likes: Likes, folder: Path, more: str) -> None:
    """The pictures of the README and docs/tour.md: a game that is recorded, a disputed one, the ruling on it, and the director's desk."""
    with visiting(browser, evening.house.url, likes, evening.secret) as official:
        page = official.go(f"/g/{evening.disputed}")
        _picture(page, folder / f"replay{more}.png")
        page.locator("#tab-desk").click()
        page.locator("#desk .cases button").first.click()
        _picture(page, folder / f"rule{more}.png")
        _picture(official.go(f"/g/{evening.playing}/record"), folder / f"record{more}.png")
        _picture(official.go(f"/t/{TOURNAMENT}/desk"), folder / f"desk{more}.png")


def _hall(browser: Browser, evening: Night, folder: Path) -> None:
    """The pictures of docs/hall.md and its translation: the wall, the desk on a phone, and the phone of a player whose table is called."""
    path = f"/v1/tournaments/{TOURNAMENT}"
    with evening.house.client(evening.secret) as client:
        done(client.post(f"{path}/rounds/2/tables/2/notice", json={"extra_minutes": 5, "called": True}))
        done(client.put(f"{path}/wall", json={"show": "tables", "clock": {"counts": "round", "left": 1500}}))
        called = next(one for one in done(client.get(f"{path}/rounds/2"))["tables"] if one["called"])["seats"][0]["player"]
        secret = done(client.post("/v1/tokens", json={"role": "player", "scope": {"tournament": TOURNAMENT}, "player": called}))["secret"]
    for language, more in (("en", ""), ("de", "-de")):
        with visiting(browser, evening.house.url, Likes((960, 540), language), evening.secret) as hall:
            hall.go(f"/t/{TOURNAMENT}/wall").locator(".unreachable").evaluate("warning => warning.remove()")  # of this service alone
            _picture(hall.page, folder / f"hall-wall{more}.png")
        with visiting(browser, evening.house.url, Likes((390, 664), language), evening.secret) as director:
            _picture(director.go(f"/t/{TOURNAMENT}/desk?step=playing&table=2#drawer"), folder / f"hall-desk{more}.png")
        with visiting(browser, evening.house.url, Likes((390, 664), language), secret) as player:
            _picture(player.go("/me"), folder / f"hall-me{more}.png")


def _picture(page: Page, file: Path) -> None:
    if "/g/" in page.url:
        expect(page.locator("body[data-ready]")).to_be_attached()
        expect(page.locator(".felt, .head .warning").first).to_be_visible()
    page.screenshot(path=file)
    click.echo(str(file))


def _called(path: str) -> str:
    return re.sub(r"\W+", "-", path.strip("/")) or "front"


if __name__ == "__main__":
    screenshots()
