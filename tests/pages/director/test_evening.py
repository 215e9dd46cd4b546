"""The Canasta night of docs/tournament-night.md, directed by the pages: sixteen players, three rounds, game points count. The
first one comes late, one has to leave, one table is recorded, one result is wrong, and the arbiter rules when all is over. What was told at
another device comes by HTTP.
"""

import re
from collections.abc import Mapping, Sequence
from pathlib import Path

import click
import httpx
from playwright.sync_api import Page, expect

from tests.deploy.serving import Served, done
from tests.pages.conftest import Visit
from tests.pages.visitors import Likes

NIGHT = "canasta-night"
NAMES = ["Anna", "Ben", "Cleo", "Dana", "Emil", "Finn", "Gita", "Hugo", "Ida", "Jon", "Kai", "Lea", "Mia", "Nils", "Olga", "Paul"]
RESULTS: Mapping[int, Mapping[str, tuple[int, int]]] = {
    1: {"2": (2150, 1840), "3": (3120, 2480), "4": (1995, 2760)},
    2: {"1": (1310, 1290), "2": (880, 1425), "3": (1260, 505), "4": (1200, 1195)},
    3: {"1": (640, 1580), "2": (1235, 990), "3": (1805, 1400), "4": (-150, 1220)},
}
"""By round and table."""
HANDS = ("-225 600", "-170 750")
"""What table 1 of the first round tells of its match."""


def scores() -> list[tuple[str, float]]:
    """Who has how much in the end, as the document says."""
    lines = re.findall(r"^\d+,(\w+),([\d.]+),[\d.]+,[\d.]+$", Path("docs/tournament-night.md").read_text(), re.MULTILINE)
    return [(name, float(score)) for name, score in lines]


class Director:
    """Who presses and types on the pages; each press is counted, and each page that he goes to."""

    def __init__(self, page: Page) -> None:
        self.page, self.clicks, self.pages = page, 0, 0
        page.on("framenavigated", lambda _: setattr(self, "pages", self.pages + 1))

    def press(self, name: str, role: str = "button") -> None:
        self.page.get_by_role(role, name=name, exact=True).first.click()  # pyrefly: ignore[bad-argument-type]
        self.clicks += 1

    def choose(self, label: str, value: str) -> None:
        self.page.get_by_role("combobox", name=label, exact=True).select_option(value)
        self.clicks += 1

    def fill(self, label: str, text: str) -> None:
        self.page.get_by_label(label).first.fill(text)
        self.clicks += 1

    def step(self, name: str) -> None:
        expect(self.page.locator(".steps [aria-current]")).to_contain_text(name)


def announced(director: Director) -> None:
    director.press("New tournament or game", "link")
    director.press("New tournament: Canasta", "link")
    director.fill("Title", "Canasta night")
    director.fill("Rounds", "3")
    director.page.locator("summary", has_text="What counts").click()
    director.choose("Who enters", "players")
    director.choose("Score", "points")
    for place, name in enumerate(("wins", "score_difference", "lots"), 1):
        director.choose(f"Tie-break {place}", name)
    director.page.locator("summary", has_text="Options").click()
    director.fill("Score that ends the match", "1200")
    director.page.locator("summary", has_text="More").click()
    director.fill("Name in addresses", NIGHT)
    director.fill("Words for the lots", "night")
    director.clicks += 1
    director.press("Announce the tournament")


def entered(director: Director, names: Sequence[str]) -> None:
    director.step("Enter")
    director.fill("Names", "\n".join(names))
    expect(director.page.locator(".lines li")).to_have_count(len(names))
    director.press(f"Enter {len(names)}")
    expect(director.page.locator(".entrants tbody tr")).to_have_count(len(names))


def drawn(director: Director, number: int) -> None:
    director.step("Draw")
    expect(director.page.locator(".pairing li")).to_have_count(4)
    director.press(f"Draw round {number} like this")
    director.step("Start")


def told(director: Director, table: str, points: tuple[int, int]) -> None:
    """Enters a result in the drawer of the table, both sides by name, with what would move."""
    director.press(f"Table {table}", "link")
    page = director.page
    for place, value in enumerate(points):
        page.locator("#drawer input[name='points[]']").nth(place).fill(str(value))
        director.clicks += 1
    both = page.locator("#drawer .both dt")
    expect(both).to_have_count(2)
    assert both.all_inner_texts() == page.locator("#drawer .across").all_inner_texts()
    expect(page.locator("#drawer .preview").first).to_contain_text("in the standings")
    director.press("Enter the result")
    expect(page.locator(".tiles > li[data-state=done]", has_text=f"Table {table}")).to_be_visible()


def recorded(director: Director) -> str:
    """A match at table 1, hand by hand as it stands on paper; its game."""
    page = director.page
    director.press("Table 1", "link")
    director.press("Record", "link")
    expect(page.locator("body[data-ready]")).to_be_attached()
    for hand, result in enumerate(HANDS, 1):
        page.locator("[role=option]", has_text="Only the result").click()
        expect(page.locator("#will")).to_contain_text("each side")
        page.keyboard.type(result)
        page.keyboard.press("Enter")
        expect(page.locator("#log")).to_contain_text(f"Hand {hand}")
        director.clicks += 2
    expect(page.locator("#will")).to_contain_text("over")
    expect(page.locator("#totals")).to_have_text("-395 : 1350")
    game = re.search("/g/([0-9a-f-]+)/record", page.url)
    assert game
    page.goto(f"{page.url.split('/g/')[0]}/t/{NIGHT}/desk")
    return game[1]


def ruled(director: Director, game: str) -> None:
    """A canasta of that match was counted twice: the arbiter takes the points away."""
    page = director.page
    page.goto(f"{page.url.split('/t/')[0]}/g/{game}/record")
    expect(page.locator("body[data-ready]")).to_be_attached()
    director.press("Dispute")
    page.locator("#room textarea").fill("The canasta of queens was counted twice.")
    page.locator("#room").get_by_role("button", name="Call the arbiter").click()
    remark = "The tournament has ended: its final standings are provisional until this dispute is decided."
    expect(page.locator("#room")).to_have_text(remark)
    page.goto(f"{page.url.split('/g/')[0]}/t/{NIGHT}/desk")
    page.get_by_role("link", name="Look at it and rule").click()
    director.press("Rule")
    page.locator("select[name=decision]").select_option("adjust")
    page.locator("input[name=points1]").fill("-300")
    page.locator("input[name=hand]").fill("1")
    page.locator("textarea[name=reason]").fill("It was.")
    director.press("Preview")
    director.press("Record")
    expect(page.locator("#desk .news")).to_have_text("Recorded.The tournament has ended: its final standings follow this change.")
    director.clicks += 7
    page.goto(f"{page.url.split('/g/')[0]}/t/{NIGHT}/desk?step=publish")


def latecomer(director: Director, name: str) -> None:
    """Who comes when the round is drawn: he is entered, the draw is taken back."""
    director.press("done: Enter", "link")
    director.fill("Names", name)
    director.press("Enter 1")
    expect(director.page.locator(".entrants tbody tr").last).to_contain_text(name)
    director.press("done: Draw", "link")
    director.page.locator("#now summary", has_text="Take back the draw").click()
    director.fill("Reason", "one more came")
    undo = director.page.locator("#now form[data-to$=unpairing]")
    expect(undo.locator(".preview")).to_contain_text("Round 1 would count as not drawn.")
    undo.get_by_role("button").click()
    director.clicks += 2


def left(director: Director, name: str) -> None:
    director.press("done: Enter", "link")
    director.press(f"change: {name}", "link")
    director.fill("Reason", "the last train")
    expect(director.page.locator("#now .preview").first).to_contain_text(f"{name} would not be drawn from round 2 on.")
    director.press("Withdraw")
    expect(director.page.locator("#told")).to_have_text("Recorded.")
    director.press("now: Draw", "link")


def corrected(director: Director, round: str, table: str, points: tuple[int, int]) -> None:
    """A wrong result of a round that is over."""
    page = director.page
    page.locator(".rounds").get_by_role("link", name=round, exact=True).click()
    expect(page.locator("#tiles-title")).to_have_text(f"Tables of round {round}")
    director.clicks += 1
    director.press(f"Table {table}", "link")
    for place, value in enumerate(points):
        page.locator("#drawer input[name='points[]']").nth(place).fill(str(value))
        director.clicks += 1
    expect(page.locator("#drawer .preview").first).to_contain_text("Changes in the standings")
    director.press("Enter the result")
    expect(page.locator("#told")).to_have_text("Recorded.")


def played(director: Director, client: httpx.Client, number: int) -> None:
    """A round as it is told at the score desk: the last result on the page, the others at another one."""
    *others, last = RESULTS[number].items()
    put(client, number, dict(others))
    told(director, *last)
    director.step("Close")
    director.press(f"Close round {number}")


def put(client: httpx.Client, number: int, results: Mapping[str, tuple[int, int]]) -> None:
    for table, points in results.items():
        done(client.put(f"/v1/tournaments/{NIGHT}/rounds/{number}/tables/{table}/result", json={"points": points}))


def followed(director: Director, client: httpx.Client, number: int) -> None:
    """A round that is drawn and told on another device, and closed on the page."""
    done(client.post(f"/v1/tournaments/{NIGHT}/rounds", json={}))
    put(client, number, RESULTS[number])
    director.step("Close")
    director.press("now: Close", "link")
    director.press(f"Close round {number}")


def published(director: Director) -> None:
    page = director.page
    page.get_by_label("Everybody, players by their names").check()
    expect(page.locator("#now .preview")).to_contain_text("players by their names")
    director.press("Let it be so")
    expect(page.locator("#told")).to_have_text("Recorded.")
    expect(page.get_by_label("Everybody, players by their names")).to_be_checked()
    director.clicks += 1


def test_the_canasta_night_is_directed_by_the_pages_alone(visit: Visit, house: Served):
    with house.client() as client:
        visitor = visit(Likes(), house.token)
        director = Director(visitor.go("/"))
        announced(director)
        entered(director, [f"{name} Blatt" for name in NAMES])
        director.press("On to the draw", "link")
        drawn(director, 1)
        latecomer(director, "Quirin Blatt")
        drawn(director, 1)
        director.press("Open the games")
        game = recorded(director)
        played(director, client, 1)
        left(director, "Gita Blatt")
        drawn(director, 2)
        director.press("All on paper", "link")
        put(client, 2, RESULTS[2])
        director.press("now: Close", "link")
        director.press("Close round 2")
        corrected(director, "1", "3", (2480, 3120))
        followed(director, client, 3)
        director.step("Standings")
        director.press("End the tournament")
        director.step("Publish")
        ruled(director, game)
        published(director)
    click.echo(f"\na night for 17 players and three rounds: {director.pages} pages, {director.clicks} presses and fields")
    with house.client() as client:
        assert told_to_all(client) == ("Canasta night", "finished", "names", 3, scores())
    everybody = visit().go(f"/t/{NIGHT}")
    expect(everybody.locator(".standings")).to_contain_text("Anna Blatt")
    assert not re.search("Enter|Desk", everybody.locator("main").inner_text())
    visitor.wrong.clear()  # browsers complain of each preview that is refused while somebody types


def told_to_all(client: httpx.Client) -> tuple[str, str, str, int, list[tuple[str, float]]]:
    about = done(client.get(f"/v1/tournaments/{NIGHT}"))
    lines = done(client.get(f"/v1/tournaments/{NIGHT}/standings?explain=false"))["lines"]
    found = [(line["shown"][0].split()[0].lower(), float(line["score"])) for line in lines]
    return about["title"], about["state"], about["publication"], about["closed"], found
