"""Moves that read alike are told apart by what each alone names."""

from playwright.sync_api import expect

from tests.deploy.serving import Served, done
from tests.pages.conftest import Visit
from tests.pages.record.test_record import recording
from tests.pages.visitors import PHONE, Likes


def test_a_build_is_told_from_another_of_its_value_by_its_cards(visit: Visit, house: Served):
    builds = (1, "AS", ["AS", "8H"]), (0, "2S", ["2S", "7C"])
    with house.client() as client:
        game = str(done(client.post("/v1/games", json={"ruleset": "casino", "seats": 2}))["game"])
        known = {"board": ["9S", "7C", "8H", "2D"]}
        done(client.post(f"/v1/games/{game}/hands", json={"dealer": 0, "deck": "unknown", "known": known}))
        for seat, card, group in builds:
            move = {"type": "build", "card": card, "value": 9, "groups": [group]}
            done(client.post(f"/v1/games/{game}/moves", json={"seat": seat, "move": move}))
        page = recording(visit(Likes(size=PHONE, touch=True, language="de"), house.token), game)
    page.get_by_role("button", name="9", exact=True).tap()
    page.locator("#pad [data-code='9C']").tap()
    expect(page.locator("#line")).to_have_value("9♣ ")  # typed 9x it might be any nine that takes
    expect(page.locator("[role=option]", has_text="Fängt das 9er-Build mit 9")).to_have_text(
        ["Fängt das 9er-Build mit 9♣ (A♠ 8♥)", "Fängt das 9er-Build mit 9♣ (2♠ 7♣)"]
    )
