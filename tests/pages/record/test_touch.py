"""Moves of hands that are known, by touch and by keyboard; whole hands by touch: ``test_taps.py``. What lies on the tables of other games
is tested where it is drawn (``tests/pages/table``), and what their lines mean where they are read (``test_reading.py``).
"""

from random import Random

import httpx
from playwright.sync_api import Page, expect

from domain.games import RULESETS
from tests.deploy.serving import Served, done
from tests.pages.conftest import Visit
from tests.pages.record.hands import BEGINS
from tests.pages.record.played import play_known
from tests.pages.record.test_record import begun, recording
from tests.pages.visitors import PHONE, Likes

ON_A_PHONE = Likes(size=PHONE, touch=True)


def known(client: httpx.Client, ruleset: str) -> str:
    """A game whose hand is dealt, of which all is known."""
    begins, game = BEGINS[ruleset], begun(client, ruleset)
    deck = list(RULESETS[ruleset].bind(dict(begins.options), begins.seats).deck)
    Random(ruleset).shuffle(deck)
    done(client.post(f"/v1/games/{game}/hands", json={"dealer": 0, "deck": deck}))
    return game


def recorded(page: Page, house: Served) -> int:
    """How many events the record has, which is sound."""
    game = page.url.split("/")[-2]
    expect(page.locator("#link")).to_have_text("recorded")
    with house.client() as client:
        assert done(client.get(f"/v1/games/{game}/audit"))["verdict"] == "sound"
        return int(done(client.get(f"/v1/games/{game}"))["position"])


MOVES = 3


def test_moves_whose_cards_are_known_are_chosen_by_keyboard_and_recorded(visit: Visit, house: Served):
    with house.client() as client:
        page = recording(visit(secret=house.token), known(client, "canasta"))
    play_known(page, MOVES)
    expect(page.locator("#log li:not(.grey)")).to_have_count(2 + MOVES)
    assert recorded(page, house) == 2 + MOVES


ROUNDS = "1 B3 density B1|1 B2 period C1|0 C2 period A1|0 C4 period B4|0 A2 melting C3|1 A4 density A3"
"""Until every card was shown once: who announces, which card and category, and the card of the other."""


def test_cards_that_went_under_a_stack_are_offered_when_they_come_up(visit: Visit, house: Served):
    with house.client() as client:
        game = done(client.post("/v1/games", json={"ruleset": "quartett-trumpf", "seats": 2, "options": {"deck_def": "metals"}}))["game"]
        done(client.post(f"/v1/games/{game}/hands", json={"dealer": 0, "deck": "unknown"}))
        for seat, card, category, other in map(str.split, ROUNDS.split("|")):
            move = {"type": "announce", "category": category, "card": card}
            done(
                client.post(f"/v1/games/{game}/moves", json={"seat": int(seat), "move": move, "known": {f"hand:{1 - int(seat)}": [other]}})
            )
        page = recording(visit(Likes(size=PHONE, touch=True), house.token), game)
        expect(page.locator("#pad button:enabled .card")).to_have_count(4)
        offered = page.locator("#pad button:enabled .card").evaluate_all("cards => cards.map(card => card.dataset.code).join(' ')")
        assert offered == "B1 B2 B3 C1"
