"""An evening of Canasta for sixteen players, directed by the pages alone, from the first page to publication.

One comes late, one has to leave, one result is wrong.
"""

import re
from collections.abc import Sequence

import click
from playwright.sync_api import Page, expect

from tests.deploy.serving import Served, done
from tests.pages.conftest import Visit
from tests.pages.visitors import Likes

NAMES = ["Anna", "Ben", "Cleo", "Dana", "Emil", "Finn", "Gita", "Hugo", "Ida", "Jon", "Kai", "Lea", "Mia", "Nils", "Olga", "Paul"]
RESULTS = [(3120, 2480), (1995, 2760), (1310, 1290), (880, 1425), (1260, 505), (1200, 1195), (640, 1580), (1235, 990)]


class Director:
    """Who presses and types on the pages; each press is counted, and each page that he goes to."""

    def __init__(self, page: Page) -> None:
        self.page, self.clicks, self.pages = page, 0, 0
        page.on("framenavigated", lambda _: setattr(self, "pages", self.pages + 1))

    def press(self, name: str, role: str = "button") -> None:
        self.page.get_by_role(role, name=name, exact=True).first.click()  # type: ignore[arg-type]
        self.clicks += 1

    def choose(self, label: str, value: str) -> None:
        self.page.get_by_role("combobox", name=label, exact=True).select_option(value)
        self.clicks += 1

    def fill(self, label: str, text: str) -> None:
        self.page.get_by_label(label).first.fill(text)
        self.clicks += 1

    def step(self, name: str) -> None:
        expect(self.page.locator(".steps [aria-current]")).to_contain_text(name)


def announced(director: Director, title: str) -> None:
    director.press("New tournament or game", "link")
    director.press("New tournament: Canasta", "link")
    director.fill("Title", title)
    director.fill("Rounds", "2")
    director.choose("Who enters", "players")
    director.choose("Score", "points")
    director.choose("Tie-break 1", "wins")
    director.fill("Score that ends the match", "1200")
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


def latecomer(director: Director, name: str) -> None:
    """Who comes when the round is drawn: he is entered, the draw is taken back."""
    director.press("done: Enter", "link")
    director.fill("Names", name)
    director.press("Enter 1")
    expect(director.page.locator(".entrants tbody tr").last).to_contain_text(name)
    director.press("done: Draw", "link")
    director.page.locator("#now summary").click()
    director.fill("Reason", "one more came")
    expect(director.page.locator("#now .preview")).to_contain_text("Round 1 would count as not drawn.")
    director.page.locator("#now form button").click()
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
    expect(page.locator("#drawer .preview").first).to_contain_text("Who would move")
    director.press("Enter the result")
    expect(page.locator("#told")).to_have_text("Recorded.")


def test_an_evening_for_sixteen_is_directed_by_the_pages_alone(visit: Visit, house: Served):
    visitor = visit(Likes(), house.token)
    page = visitor.go("/")
    director = Director(page)
    announced(director, "Canasta night of the pages")
    entered(director, [f"{name} Blatt" for name in NAMES])
    director.press("On to the draw", "link")
    for number in (1, 2):
        drawn(director, number)
        if number == 1:
            latecomer(director, "Quirin Blatt")
            drawn(director, number)
            director.press("Open the games")
        else:
            director.press("All on paper", "link")
        for place, points in enumerate(RESULTS[4 * number - 4 : 4 * number], 1):
            told(director, str(place), points)
        director.step("Close")
        director.press(f"Close round {number}")
        if number == 1:
            left(director, "Gita Blatt")
    director.step("Standings")
    corrected(director, "1", "3", (1290, 1310))
    director.step("Standings")
    director.press("End the tournament")
    director.step("Publish")
    page.get_by_label("Everybody, players by their names").check()
    expect(page.locator("#now .preview")).to_contain_text("players by their names")
    director.press("Let it be so")
    expect(page.get_by_label("Everybody, players by their names")).to_be_checked()
    click.echo(f"\nan evening for 17 players and two rounds: {director.pages} pages, {director.clicks} presses and fields")
    tournament = page.url.split("/t/")[1].split("/")[0]
    with house.client() as client:
        about = done(client.get(f"/v1/tournaments/{tournament}"))
        rounds = done(client.get(f"/v1/tournaments/{tournament}/rounds"))["rounds"]
        lines = done(client.get(f"/v1/tournaments/{tournament}/standings?explain=false"))["lines"]
    assert (about["state"], about["publication"], about["closed"], about["entered"]) == ("finished", "names", 2, 16)
    wanted = [*RESULTS[:2], (1290, 1310), *RESULTS[3:]]
    assert [tuple(table["points"]) for one in rounds for table in one["tables"]] == wanted
    assert [(line["shown"], line["withdrawn_from"]) for line in lines if line["withdrawn_from"]] == [(["Gita Blatt"], 2)]
    everybody = visit().go(f"/t/{tournament}")
    expect(everybody.locator(".standings")).to_contain_text("Anna Blatt")
    assert not re.search("Enter|Desk", everybody.locator("main").inner_text())
    visitor.wrong.clear()  # browsers complain of each preview that is refused while somebody types
