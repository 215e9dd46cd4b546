"""Deck definitions that come in are written with signs that can be seen; those that were recorded before are read as ever."""

from copy import deepcopy
from typing import Any

import pytest

from domain.games import RULESETS
from domain.games.quartett.options import load_installed_decks
from tests.api.conftest import Service


def deck(**changed: Any) -> dict[str, Any]:
    """An own deck, with the name of a card changed."""
    own: dict[str, Any] = deepcopy(dict(load_installed_decks()["wood"]))
    cards = [dict(card) for card in own["cards"]]
    cards[0] |= changed
    return {**own, "id": "own", "cards": cards}


@pytest.mark.parametrize("name", ["kcaJ\u202e", "Ace\u200b", "Ace\x07", "\u2066Ace\u2069"])
def test_a_card_is_not_named_by_what_cannot_be_seen(service: Service, name: str):
    body = {"ruleset": "quartett-classic", "seats": 3, "options": {"deck_def": deck(name=name)}}
    refused = service.caller("recorder").post("/v1/games", body)
    assert (refused.status_code, refused.json()["code"], refused.json()["where"]) == (422, "bad_name", "options.deck_def.cards[0].name")
    announced = {**body, "format": "manual"}
    refused = service.caller("director").post("/v1/tournaments", announced)
    assert (refused.status_code, refused.json()["code"]) == (422, "bad_name")
    kept = RULESETS["quartett-classic"].bind({"deck_def": deck(name=name)}, 3)
    assert kept is not None


def test_what_people_read_of_a_deck_may_have_lines(service: Service):
    body = {"ruleset": "quartett-classic", "seats": 3, "options": {"deck_def": {**deck(), "about": "Found\nin 1911\tby Ada."}}}
    assert service.caller("recorder").post("/v1/games", body).status_code == 201
