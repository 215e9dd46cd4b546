"""A hall: two tables are recorded at once, and whoever looks sees it as it happens; until the director publishes the standings."""

import re
from itertools import pairwise
from typing import Any

import httpx
from playwright.sync_api import Page, expect

from tests.deploy.serving import Served, done
from tests.pages.conftest import Visit
from tests.pages.people import registered
from tests.pages.record.hands import BEGINS, lines
from tests.pages.visitors import PHONE, WALL, Likes, Visitor

TRUMPF = "quartett-trumpf"
BEFORE: tuple[tuple[int, dict[str, str], dict[str, list[str]]], ...] = (
    (0, {"type": "announce", "category": "period", "card": "A3"}, {"hand:1": ["A2"], "hand:2": ["B3"]}),
    (1, {"type": "announce", "category": "density", "card": "A1"}, {}),
    (2, {"type": "reply", "card": "C3"}, {}),
    (0, {"type": "reply", "card": "C1"}, {}),
)
"""Moves that are recorded before anybody looks: by seat, and the cards that nobody knew."""
MOVES = [line for line in lines(TRUMPF) if not line.startswith("/")][7:]
"""As they are typed after them."""
DEALER = 2
PATIENCE = 120_000  # milliseconds: on a busy machine a move can wait
TABLES = ("1", "2")


def paired(client: httpx.Client, id: str) -> None:
    """Six players at two tables, whose games are open; everybody may look, and players go by their numbers."""
    begins = BEGINS[TRUMPF]
    plan = {
        "ruleset": TRUMPF,
        "seats": begins.seats,
        "options": begins.options,
        "format": "manual",
        "live": True,
        "scoring": {"by": "match_points", "places": [3, 1, 0]},
    }
    done(client.post("/v1/tournaments", json={"id": id, "title": "Two tables", **plan}))
    for player in registered(client, *(f"{id}-{number}" for number in range(3 * len(TABLES)))):
        done(client.post(f"/v1/tournaments/{id}/entries", json={"players": [player]}))
    pairing = [{"table": table, "parties": [[3 * place + seat] for seat in (1, 2, 3)]} for place, table in enumerate(TABLES)]
    done(client.post(f"/v1/tournaments/{id}/rounds", json={"tables": pairing}))
    done(client.post(f"/v1/tournaments/{id}/rounds/1/games", json={}))
    done(client.post(f"/v1/tournaments/{id}/publication", json={"publication": "aliases"}))


def code(client: httpx.Client, role: str, scope: dict[str, Any], **more: Any) -> str:
    return str(done(client.post("/v1/codes", json={"role": role, "scope": scope, "good_for": "screen", **more}))["code"])


def recorder(visit: Visit, client: httpx.Client, id: str, table: str) -> Visitor:
    visitor = visit(Likes(), code(client, "recorder", {"tournament": id, "table": table}))
    visitor.go(f"/t/{id}/{table}")
    expect(visitor.page.locator("body[data-ready]")).to_be_attached()
    return visitor


def begin(client: httpx.Client, id: str) -> None:
    """At both tables the hand is dealt, of which nobody knows the deck, and played for a while."""
    games = [game["id"] for game in done(client.get(f"/v1/games?tournament={id}"))["items"]]
    for game in games:
        done(client.post(f"/v1/games/{game}/hands", json={"dealer": DEALER, "deck": "unknown"}))
    for seat, move, known in BEFORE:
        for game in games:
            done(client.post(f"/v1/games/{game}/moves", json={"seat": seat, "move": move, "known": known}))


def typed(page: Page, line: str) -> None:
    expect(page.locator("[aria-busy=false][role=combobox]")).to_be_attached()
    page.keyboard.type(line)
    page.keyboard.press("Enter")


def watching(page: Page) -> Page:
    """It is not loaded again from here on: that would forget it."""
    page.evaluate("window.stayed = true")
    return page


def turns(client: httpx.Client, id: str) -> int:
    """How often the next act was at another table than the one before."""
    acts = []
    for game in done(client.get(f"/v1/games?tournament={id}"))["items"]:
        events = done(client.get(f"/v1/games/{game['id']}/history"))["events"]
        acts += [(event["at"], game["table"]) for event in events]
    acts.sort()
    return sum(one != other for (_, one), (_, other) in pairwise(acts))


def ended(desk: Page) -> None:
    """The desk has come to what is next by itself: the round is closed, the tournament ended, everybody called by his name from then on."""
    now = desk.locator(".steps [aria-current]")
    expect(now).to_contain_text("Close", timeout=PATIENCE)
    desk.get_by_role("button", name="Close round 1").click()
    expect(now).to_contain_text("Draw", timeout=PATIENCE)
    desk.locator(".steps a", has_text="Standings").click()
    desk.get_by_role("button", name="End the tournament").click()
    expect(now).to_contain_text("Publish", timeout=PATIENCE)
    desk.get_by_label("Everybody, players by their names").check()
    desk.get_by_role("button", name="Let it be so").click()
    expect(desk.locator("#told")).to_have_text("Recorded.", timeout=PATIENCE)


def test_two_tables_are_recorded_at_once_and_everybody_sees_it_as_it_happens(visit: Visit, house: Served):
    with house.client() as client:
        paired(client, "hall")
        begin(client, "hall")
        recording = [recorder(visit, client, "hall", table) for table in TABLES]
        recorders = [visitor.page for visitor in recording]
        desk = visit(Likes(), house.token).go("/t/hall/desk")
        screen = visit(Likes(WALL), code(client, "viewer", {"tournament": "hall"}))
        wall = watching(screen.go("/t/hall/wall?show=tables"))
        public = watching(visit(Likes(PHONE)).go("/t/hall"))
        player = visit(Likes(PHONE), code(client, "player", {"tournament": "hall"}, player="hall-0"))
        me = watching(player.go("/me"))
        replay = watching(player.opened_at(recorders[0].url.removesuffix("/record").removeprefix(house.url)))
        for number, line in enumerate(MOVES):
            for page in recorders:
                typed(page, line)
            if not number:
                move = recorders[0].locator("#log li:not(.grey)").nth(2 + len(BEFORE)).inner_text()
                expect(replay.locator("#moves")).to_contain_text(move, timeout=PATIENCE)
        for page in recorders:
            expect(page.locator("#will")).to_have_text("The game is over.", timeout=PATIENCE)
        expect(desk.locator(".tiles > li[data-state=done]")).to_have_count(len(TABLES), timeout=PATIENCE)
        expect(wall.locator(".rows li .points", has_text="2")).to_have_count(len(TABLES), timeout=PATIENCE)
        expect(public.locator(".tables .sides li", has_text=re.compile(r"2\s*$"))).to_have_count(len(TABLES), timeout=PATIENCE)
        expect(me.locator(".score dd")).to_have_text(["0", "2", "0"], timeout=PATIENCE)
        assert turns(client, "hall") > len(MOVES)
        ended(desk)
        expect(public.locator(".standings > li").first).to_contain_text("hall-1", timeout=PATIENCE)
        assert [page.evaluate("window.stayed") for page in (wall, public, me, replay)] == [True] * 4
    for visitor in (*recording, screen, player):
        for page in visitor.context.pages:
            page.close()
        visitor.wrong.clear()  # browsers complain of each refusal that asks
