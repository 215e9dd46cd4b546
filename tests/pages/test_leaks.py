"""No page holds a card that its reader was not told: not on the page, not in its storage or caches, not in its traffic.

Casino is searched: its hands are hidden, and every face is there once, so a code that is told anywhere is that very card.
"""

import json
import re
from typing import Any

import httpx
import pytest
from playwright.sync_api import Page, Response, expect

from tests.deploy.serving import Served, done
from tests.pages.conftest import Visit
from tests.pages.desk.test_desk import evening
from tests.pages.record.test_record import dealt, recording
from tests.pages.replay.test_replay import random_game
from tests.pages.visitors import Likes, Visitor, cut_off, stored


def hidden_faces(client: httpx.Client, game: str, view: str) -> set[str]:
    """What lies on the table and was never told to who looks with this view: by the frames of the API."""
    seen = faces(done(client.get(f"/v1/games/{game}/replay?limit=1000&view={view}")))
    return faces(done(client.get(f"/v1/games/{game}/table?view=arbiter"))) - seen


def faces(value: Any) -> set[str]:
    """All codes of French cards in a value of JSON."""
    match value:
        case str():
            return {value} if re.fullmatch(r"[A23456789TJQK][SHDC]", value) else set()
        case dict():
            return set().union(*map(faces, [*value, *value.values()]))
        case list():
            return set().union(*map(faces, value))
        case _:
            return set()


def code_for(client: httpx.Client, **wanted: Any) -> str:
    return str(done(client.post("/v1/codes", json=wanted))["code"])


def walked(page: Page) -> set[str]:
    """The codes that stood on the page at any position."""
    expect(page.locator("body[data-ready]")).to_be_attached()
    return set(page.evaluate(_WALK))


_WALK = """async () => {
  const slider = document.getElementById("slider"), found = new Set();
  for (let at = 0; at <= Number(slider.max); at++) {
    slider.value = at;
    slider.dispatchEvent(new Event("input"));
    await new Promise(drawn => requestAnimationFrame(drawn)); // asked for after the page's own
    document.querySelectorAll("[data-code]").forEach(card => found.add(card.dataset.code));
  }
  return [...found];
}"""


def kept(page: Page) -> Any:
    """What is stored besides the files of all pages, which name cards as such."""
    found = stored(page)
    return {**found, "caches": {address: text for address, text in found["caches"].items() if "/assets/" not in address}}


@pytest.mark.parametrize("role", ["viewer", "player"])
def test_nobody_finds_a_hidden_card_anywhere_in_his_browser(visit: Visit, house: Served, role: str):
    with house.client() as client:
        game, _ = random_game(client, "casino")
        view = "seat:0" if role == "player" else "public"
        wanted = {"scope": {"game": game}, **({"seat": 0} if role == "player" else {})}
        secret = code_for(client, role=role, good_for="screen", **wanted)
        hidden = hidden_faces(client, game, view)
    assert hidden, "a game in which there is something to hide"
    visitor = visit(Likes(), secret)
    bodies = sent_to(visitor)
    page = visitor.go(f"/g/{game}")
    assert walked(page) & hidden == set()
    assert written(page, bodies) & hidden == set()


def sent_to(visitor: Visitor) -> list[Response]:
    """All answers that he gets from now on."""
    bodies: list[Response] = []
    visitor.page.on("response", lambda answer: bodies.append(answer))
    return bodies


def written(page: Page, bodies: list[Response]) -> set[str]:
    """The codes in all that the browser holds, or was sent."""
    drawn = re.compile(r' d="[^"]*"')  # the numbers of paths look like codes
    sent = [answer.text() for answer in bodies if "/assets/" not in answer.url and "/v1/streams" not in answer.url]
    texts = [drawn.sub("", page.content()), json.dumps(kept(page)), *sent]
    return set().union(*(set(re.findall(r"(?<![%#\w])[A23456789TJQK][SHDC](?!\w)", text)) for text in texts))


def test_nobody_finds_a_hidden_card_on_a_wall_or_on_his_own_page(visit: Visit, house: Served):
    with house.client() as client:
        game, scope = evening(client, "kept-dark"), {"tournament": "kept-dark"}
        done(client.post(f"/v1/games/{game}/disputes", json={"position": 2, "seat": 0, "claim": "He held the QH.", "suspends": False}))
        seen = {view: hidden_faces(client, game, view) for view in ("public", "seat:0")}
        viewer = code_for(client, role="viewer", good_for="screen", scope=scope)
        player = code_for(client, role="player", good_for="screen", scope=scope, player="kept-dark-ada")
    assert all(seen.values())
    for path, secret, view in (("/t/kept-dark/wall?show=tables", viewer, "public"), ("/me", player, "seat:0")):
        visitor = visit(Likes(), secret)
        bodies = sent_to(visitor)
        page = visitor.go(path)
        expect(page.locator("body[data-live]")).to_be_attached()
        assert written(page, bodies) & seen[view] == set(), path


def test_the_search_finds_a_card_that_is_told(visit: Visit, house: Served):
    """A check that could not fail would be none: the page of an official holds the hands that the public's must not."""
    with house.client() as client:
        game, _ = random_game(client, "casino")
        hands = faces(done(client.get(f"/v1/games/{game}/table?view=arbiter"))["hands"])
        hidden = hidden_faces(client, game, "public")
    page = visit(Likes(), house.token).go(f"/g/{game}")
    assert hands & hidden <= walked(page)
    assert hands & hidden


def test_a_recorder_who_sees_what_the_public_sees_records_without_a_hidden_card(visit: Visit, house: Served):
    with house.client() as client:
        game, _ = random_game(client, "casino")
        secret = code_for(client, role="recorder", good_for="screen", scope={"game": game}, sees="public")
        hidden = hidden_faces(client, game, "public")
    visitor, bodies = visit(Likes(), secret), list[Response]()
    visitor.page.on("response", lambda answer: bodies.append(answer))
    page = visitor.go(f"/g/{game}/record")
    expect(page.locator("body[data-ready]")).to_be_attached()
    shown = set(page.locator("[data-code]").evaluate_all("cards => cards.map(card => card.dataset.code)"))
    assert hidden
    assert shown & hidden == set()
    told = [json.loads(answer.text()) for answer in bodies if "/replay?" in answer.url]
    assert faces(told) & hidden == set()


WAITING = """async () => {
  const request = indexedDB.open("kiebitz");
  await new Promise(resolve => request.addEventListener("success", resolve));
  const base = request.result, all = base.transaction("entries").objectStore("entries").getAll();
  await new Promise(resolve => all.addEventListener("success", resolve));
  base.close();
  return all.result;
}"""


def test_who_signs_in_on_a_device_finds_only_that_somebody_elses_moves_wait_there(visit: Visit, house: Served):
    """What waits is the move itself; neither the hand that it comes from nor what the move does is kept with it."""
    visitor = visit(Likes(), house.token)
    with house.client() as client:
        game = dealt(client)
        others = [code_for(client, role=role, good_for="screen", scope={"game": game}) for role in ("recorder", "viewer")]
        page = recording(visitor, game)
        expect(page.locator("#choices [role=option]").first).to_be_visible()
        cut_off(page)
        page.locator("#line").fill("td-")
        expect(page.locator("#will b")).to_have_text("anna trails 10♦.")
        page.locator("#line").press("Enter")
        expect(page.locator("#link")).to_contain_text("1 kept here")
        page.close()
        visitor.sign_in(others[0])
        page = visitor.opened_at(f"/g/{game}/record")
        expect(page.get_by_role("alert")).to_contain_text("entered here by")
        expect(page.locator("#log li")).to_have_count(2)
        assert faces(page.evaluate(WAITING)) == {"TD"}
        visitor.sign_in(others[1])
        page.goto(f"{house.url}/g/{game}/record")
        expect(page.locator("body[data-ready]")).to_be_attached()
        expect(page.locator("body")).not_to_contain_text("10♦")
