"""Evenings that are directed by pages alone, in a real browser (``./run evenings --pages``).

Canasta for 22 with everything that goes wrong, and Casino for 37. Prints pages, presses and seconds of waiting, and whether
standings, score histories and seats add up.
"""

from collections import Counter, defaultdict
from collections.abc import Iterator
from itertools import cycle
from time import monotonic
from typing import Any

import click
import httpx
from playwright.sync_api import Locator, expect, sync_playwright

from tests.browser import CHROMIUM
from tests.deploy.serving import done, served
from tests.pages.visitors import Likes, Visitor, visiting

DESK = (1280, 800)
DRAW = "#now form[data-to$='/rounds']:not([data-seats]) button.main"


class Director:
    """Who directs by pages. ``presses`` are clicks and keys that are no characters of a text; ``waited``: seconds until a page followed."""

    def __init__(self, visitor: Visitor) -> None:
        self.page, self.url = visitor.page, visitor.url
        self.presses = self.typed = self.pages = 0
        self.waited = 0.0
        self.page.set_default_timeout(15_000)
        self.page.on("load", lambda _: setattr(self, "pages", self.pages + 1))

    def press(self, what: str | Locator, then: str | Locator) -> None:
        """Press something, and wait for what comes of it."""
        found = self.page.locator(what).first if isinstance(what, str) else what
        found.click()
        self.presses += 1
        begun = monotonic()
        expect(self.page.locator(then).first if isinstance(then, str) else then).to_be_visible()
        self.waited += monotonic() - begun

    def write(self, field: Locator, text: str) -> None:
        field.fill(text)
        self.presses += 1
        self.typed += len(text)

    def choose(self, name: str, value: str) -> None:
        folded = self.page.locator("details:not([open])", has=self.page.locator(f"[name='{name}']"))
        if folded.count():
            folded.first.locator("summary").click()
            self.presses += 1
        self.page.locator(f"[name='{name}']").first.select_option(value)
        self.presses += 1

    def key(self, name: str) -> None:
        self.page.keyboard.press(name)
        self.presses += 1


def announce(director: Director, ruleset: str, title: str, rounds: int, scoring: str) -> str:
    """Announce a Swiss; return the address of the tournament."""
    page = director.page
    page.goto(f"{director.url}/new?what=tournament&ruleset={ruleset}")
    director.write(page.locator("[name=title]"), title)
    director.write(page.locator("[name=rounds]"), str(rounds))
    director.choose("entrants", "players")
    director.choose("scoring.by", scoring)
    director.choose("seats", "4" if ruleset == "canasta" else "2")
    director.press("form[data-to='/v1/tournaments'] button.main", "#now")
    return page.url.partition("/t/")[2].partition("/")[0]


def enter(director: Director, text: str, count: int) -> None:
    director.press("#steps a[href$='step=enter']", "form[data-entering]")
    director.write(director.page.locator("form[data-entering] textarea"), text)
    director.press("form[data-entering] button.main:not([disabled])", f".entrants tbody tr:nth-child({count})")


def draw(director: Director) -> None:
    director.press("#steps a[href$='step=draw']", DRAW)
    director.press(DRAW, "#now[data-step=start]")


def enter_results(director: Director, results: Iterator[tuple[int, int]]) -> None:
    """Type the results of all open tables into the grid, without waiting for it."""
    page = director.page
    director.press("#steps a[href$='step=results']", "form[data-then=row] input")
    page.locator("form[data-then=row] input").first.focus()
    for _ in range(page.locator("form[data-then=row]").count()):
        for points, key in zip(next(results), ("Tab", "Enter"), strict=True):
            page.keyboard.type(str(points))
            director.typed += len(str(points))
            director.key(key)
    begun = monotonic()
    expect(page.locator("form[data-then=row]")).to_have_count(0)
    director.waited += monotonic() - begun


def close(director: Director, then: str = DRAW) -> None:
    director.press("#steps a[href$='step=close']", "#now form[data-to$='/closing'] button:not([disabled])")
    director.press("#now form[data-to$='/closing'] button", then)


def open_table(director: Director, table: str, round: int) -> Locator:
    """Open the drawer of a table, with all that can be done there."""
    director.press("#steps a[href$='step=playing']", "#tiles")
    if (earlier := director.page.locator(f"nav.rounds a[href*='round={round}#']")).count():
        director.press(earlier.first, f"#tiles nav.rounds [aria-current]:has-text('{round}')")
    director.press(f"#tiles h3 a[href*='table={table}#']", "#drawer")
    director.press("#drawer details summary", "#drawer .acts-of")
    return director.page.locator("#drawer")


def put_somebody_else(director: Director, name: str, act: str, instead: str) -> None:
    """Let somebody else stand for an entrant: ``substitution`` from now on, ``rectification`` all the time."""
    director.press("#steps a[href$='step=enter']", ".entrants")
    director.press(director.page.get_by_role("link", name=f"change: {name}", exact=True), ".acts-of")
    form = director.page.locator(f"form[data-to$='/{act}']").first
    if act == "rectification":
        director.press("details.part:has(form[data-to$='/rectification']) > summary", form)
    director.write(form.locator("[data-person]").first, instead)
    director.press(form.locator("button:not([disabled])").last, director.page.get_by_text("Recorded.").first)


def swap(director: Director, form: Locator, *names: str) -> None:
    for name in names:
        director.press(form.locator(".room").get_by_role("button", name=name, exact=True).first, form)
    director.press(form.locator("p.acts button:not([type]):not([disabled])").last, director.page.get_by_text("Recorded.").first)


def direct_canasta(director: Director, client: httpx.Client) -> str:
    """Direct 22 players over four rounds: late arrival, no-show, substitute, wrong member, wrong seats, a corrected result."""
    points = cycle([(5230, 4110), (3985, 5105), (5020, 4995), (2890, 5340), (5410, 5395), (6010, 2230), (1985, 5200)])
    id = announce(director, "canasta", "Canasta", 4, "points")
    enter(director, "Nr.\tName\tVerein\n" + "\n".join(f"{number}.\tPlayer {number:02}\tCC Kiel" for number in range(1, 22)), 21)
    draw(director)
    enter(director, "22. Player 22", 22)
    director.press("#steps a[href$='step=draw']", "#now details summary")
    director.press("#now details summary", "#seats .room")
    seats = director.page.locator("#seats")
    director.press(seats.get_by_role("button", name="Player 22", exact=True), seats)
    swap(director, seats, "Put here")
    enter_results(director, points)
    close(director)
    draw(director)
    drawer = open_table(director, "5", 2)
    director.press(drawer.locator("form[data-to$='/forfeit'] label").first, "form[data-to$='/forfeit'] button:not([disabled])")
    director.press("form[data-to$='/forfeit'] button", "#tiles [data-state=forfeited]")
    enter_results(director, points)
    close(director)
    draw(director)
    put_somebody_else(director, "Player 05", "substitution", "Yara Stahl")
    put_somebody_else(director, "Player 06", "rectification", "Elsa Lange")
    enter_results(director, points)
    close(director)
    seated = done(client.get(f"/v1/tournaments/{id}/rounds/3"))["tables"][3]["seats"]
    drawer = open_table(director, "4", 3)
    director.press(drawer.locator("details details > summary").last, drawer.locator(".room"))
    swap(director, drawer.locator("form[data-seats]"), seated[0]["shown"], seated[1]["shown"])
    drawer = open_table(director, "2", 2)
    director.write(drawer.locator("form[data-to$='/result'][data-method='PUT'] input").first, "5870")
    director.press("form[data-to$='/result'][data-method='PUT'] button:not([disabled])", DRAW)
    draw(director)
    enter_results(director, points)
    close(director, "#now[data-step=standings]")
    director.press("form[data-to$='/ending']:has([value=finished]) button:not([disabled])", "#now[data-step=publish]")
    return id


def direct_casino(director: Director, client: httpx.Client) -> str:
    """Direct 37 players over three rounds at tables for two."""
    points = cycle([(21, 14), (9, 22), (18, 21), (21, 5), (11, 11)])
    id = announce(director, "casino", "Casino", 3, "match_points")
    enter(director, "\n".join(f"{number}. Player {number:02}" for number in range(1, 38)), 37)
    for round in range(1, 4):
        draw(director)
        enter_results(director, points)
        close(director, DRAW if round < 3 else "#now[data-step=standings]")
    director.press("form[data-to$='/ending']:has([value=finished]) button:not([disabled])", "#now[data-step=publish]")
    return id


def list_contradictions(client: httpx.Client, id: str) -> list[str]:
    """Return where standings differ from what the rounds say, or score histories from who sat there."""
    path = f"/v1/tournaments/{id}"
    by_points = done(client.get(path))["scoring"]["by"] == "points"
    scores, histories = defaultdict[int, float](float), Counter[str]()
    for number in range(1, done(client.get(path))["paired"] + 1):
        _add_round(done(client.get(f"{path}/rounds/{number}")), by_points, scores, histories)
    lines = done(client.get(path + "/standings"))["lines"]
    wrong = [f"standings: {one['shown']} {one['score']}" for one in lines if abs(one["score"] - scores[one["entrant"]]) > 0.01]
    told = Counter[str]()
    for line in done(client.get(f"/v1/scores?tournament={id}&limit=1000"))["items"]:
        told[line["player"]] += line["points"] if line["state"] == "counted" else 0
    return wrong + [f"history: {one}" for one in {*told, *histories} if told[one] != histories[one]]


def _add_round(round: dict[str, Any], by_points: bool, scores: defaultdict[int, float], histories: Counter[str]) -> None:
    played = [one for one in round["tables"] if one["how"] != "forfeited"]
    brought = [own for one in played for party, own in zip(one["parties"], one["points"], strict=True) for _ in party]
    bye = sum(brought) / len(brought) if by_points else 2
    for one in (entrant for table in round["tables"] if table not in played for party in table["parties"] for entrant in party):
        scores[one] += 0 if any(one in table["absent"] for table in round["tables"] if table not in played) else bye
    for one in round["byes"]:
        scores[one] += bye
    for table in played:
        for party, own in zip(table["parties"], table["points"], strict=True):
            best = max(table["points"]) == own
            for one in party:
                scores[one] += own if by_points else 2 * best / table["points"].count(own)
                histories.update({seat["player"]: own for seat in table["seats"] if seat["entrant"] == one})


def direct_evenings() -> Iterator[str]:
    """Direct both evenings; yield what does not add up."""
    with served() as house, house.client() as client, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox", "--disable-gpu"])
        for name, direct in (("Canasta, 22 players", direct_canasta), ("Casino, 37 players", direct_casino)):
            with visiting(browser, house.url, Likes(DESK), house.token) as visitor:
                director, begun = Director(visitor), monotonic()
                id = direct(director, client)
                click.echo(
                    f"{name}: {director.pages} pages, {director.presses} presses, {director.typed} characters, "
                    f"{director.waited:.1f} s of waiting, {monotonic() - begun:.0f} s in all"
                )
                visitor.wrong.clear()  # refusals of a dry run are complaints of the console
            yield from list_contradictions(client, id)
        browser.close()
