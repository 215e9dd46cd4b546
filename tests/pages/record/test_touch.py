"""Hands by touch alone, on a phone whose own keyboard stays shut; and by keyboard, where all cards are known. What lies on the tables of
other games is tested where it is drawn (``tests/pages/table``), and what their lines mean where they are read (``test_reading.py``).
"""

from random import Random

import httpx
import pytest
from playwright.sync_api import Page, expect

from domain.games import RULESETS
from tests.deploy.serving import Served, done
from tests.pages.conftest import Visit
from tests.pages.record.hands import BEGINS, lines
from tests.pages.record.played import Fingers, Hands, Keyboard, play_known, play_lines, play_quartets, play_unknown
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


@pytest.mark.parametrize(("by", "ruleset"), [("touch", "cascades"), ("keyboard", "canasta")])
def test_moves_whose_cards_are_known_are_chosen_and_recorded(visit: Visit, house: Served, ruleset: str, by: str):
    hands: Hands = Fingers(Random(ruleset)) if by == "touch" else Keyboard()
    with house.client() as client:
        page = recording(visit(ON_A_PHONE if by == "touch" else Likes(), house.token), known(client, ruleset))
    play_known(page, hands, MOVES)
    expect(page.locator("#log li:not(.grey)")).to_have_count(2 + MOVES)
    assert recorded(page, house) == 2 + MOVES
    if isinstance(hands, Fingers):
        assert hands.taps == MOVES


@pytest.mark.parametrize("ruleset", ["alcasan", "canasta", "quartett-classic"])
def test_a_hand_that_nobody_knows_is_recorded_by_touch(visit: Visit, house: Served, ruleset: str):
    visitor, fingers = visit(ON_A_PHONE, house.token), Fingers(Random(1))
    with house.client() as client:
        page = recording(visitor, begun(client, ruleset))
    if ruleset == "canasta":
        play_lines(page, fingers, list(lines("canasta"))[:3])
    elif ruleset == "quartett-classic":
        deck = [letter + number for number in "1234" for letter in "ABCDEFGH"]
        fingers.tap(page, "#go")
        play_quartets(page, fingers, [set(deck[seat::3]) for seat in (2, 0, 1)], 6)
    else:
        fingers.tap(page, "#go")
        play_unknown(page, fingers, 12)
    assert recorded(page, house) > 2
    visitor.wrong.clear()  # browsers complain of each refusal that asks
