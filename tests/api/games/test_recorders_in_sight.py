"""Who records and sees what the public sees: what he is told follows from that, and hidden cards are unknown ones to him."""

import re
from typing import Any
from uuid import UUID

import pytest

from domain.access import Grant, OfTournament
from tests.api.conftest import Caller, Service, add_token, trailing
from tests.api.games.test_players_acts import opened, told
from tests.api.games.test_players_eyes import DECK

HIDDEN_OTHERWISE = ("3H", "8C", "9D", "6S", "AD", "QH", "2S", "5H", "JC", "4D", "AH", "TS")
"""Seat 1 holds an ace and a queen for its kings."""


@pytest.fixture
def in_sight(service: Service) -> Caller:
    return holding(service, "recorder")


def holding(service: Service, role: str) -> Caller:
    name = f"{role} {len(service.services.registers.list_tokens())}"
    token = add_token(service.services, role, name, Grant(OfTournament("sight"), "public"))
    return Caller(service.client, service.contract, token)


def said(answer: Any, game: str) -> str:
    """All of it but the game, the moment and the number of the request."""
    return re.sub(r'"(at|request_id)":"[^"]*"', "", answer.text.replace(game, ""))


def test_what_could_be_legal_is_listed_of_any_seat_and_follows_from_what_lies_open(service: Service, in_sight: Caller):
    games = [opened(service, "sight", deck) for deck in (DECK, HIDDEN_OTHERWISE)]
    for query in ("", "?seat=0", "?seat=0&effects=true", "?text=kc&seat=0", "?written=true"):
        pages = [in_sight.get(f"/v1/games/{game}/legal-moves{query}").json() | {"game": ""} for game in games]
        assert pages[0] == pages[1]
    cards = {move["card"] for move in in_sight.get(f"/v1/games/{games[0]}/legal-moves?limit=1000").json()["moves"]}
    assert {"3H", "8C", "KD", "AD"} <= cards
    assert cards.isdisjoint({"9D", "6S", "JC", "4D"})
    assert in_sight.get(f"/v1/games/{games[0]}/legal-moves?seat=1").json()["moves"] == []


def test_what_is_only_tried_follows_from_what_lies_open(service: Service, in_sight: Caller):
    games = [opened(service, "sight", deck) for deck in (DECK, HIDDEN_OTHERWISE)]
    for move in (trailing(0, "3H"), trailing(0, "KD"), trailing(0, "9D"), trailing(1, "KD"), {"seat": 0, "text": "kc"}):
        for path in ("moves?dry_run=true", "branches", "legal-moves"):
            if path != "moves?dry_run=true" and "text" in move:
                continue
            body: dict[str, Any] = {"position": 2, "moves": [move]} if path == "branches" else move
            first, other = (said(in_sight.post(f"/v1/games/{game}/{path}", body), game) for game in games)
            assert first == other
    assert told(in_sight.post(f"/v1/games/{games[0]}/moves?dry_run=true", trailing(0, "KD"))) == (200, None)
    assert told(in_sight.post(f"/v1/games/{games[0]}/moves?dry_run=true", trailing(0, "9D"))) == (422, "card_not_in_hand")
    assert service.caller("recorder").get(f"/v1/games/{games[0]}").json()["position"] == 2


def test_his_moves_are_judged_on_the_whole_table_which_refuses_without_saying_why(service: Service, in_sight: Caller):
    game = opened(service, "sight")
    refused = in_sight.post(f"/v1/games/{game}/moves", trailing(0, "KD"))
    assert told(refused) == (422, "out_of_sight")
    assert refused.json()["rules"] == []
    assert told(in_sight.post(f"/v1/games/{game}/moves", trailing(0, "9D"))) == (422, "card_not_in_hand")
    assert told(in_sight.post(f"/v1/games/{game}/moves", trailing(1, "KD"))) == (422, "not_your_turn")
    assert told(in_sight.post(f"/v1/games/{game}/tellings", {"known": {"hand:0": ["KD"]}})) == (422, "out_of_sight")
    assert in_sight.post(f"/v1/games/{game}/moves", trailing(0, "3H")).status_code == 201


def test_what_a_refusal_tells_of_hidden_cards_is_counted_noted_and_slowed(service: Service, in_sight: Caller):
    games, director = [opened(service, "sight"), opened(service, "sight")], service.caller("director")
    answers = [in_sight.post(f"/v1/games/{games[0]}/moves", trailing(0, "KD")) for _ in range(6)]
    assert [told(one) for one in answers] == [(422, "out_of_sight")] * 5 + [(429, "too_many_attempts")]
    assert 1 <= int(answers[5].headers["retry-after"]) <= 10
    assert in_sight.post(f"/v1/games/{games[0]}/moves", trailing(0, "3H")).status_code == 429
    assert in_sight.post(f"/v1/games/{games[1]}/moves", trailing(0, "3H")).status_code == 201
    looks = director.get(f"/v1/games/{games[0]}/looks").json()["items"]
    assert {one["view"] for one in looks if one["by"] == in_sight.get("/v1/me").json()["principal"]} == {"out_of_sight"}
    assert 'kiebitz_refusals_total{code="out_of_sight"}' in director.get("/metrics").text


def test_a_mistake_that_everybody_sees_costs_nothing(service: Service, in_sight: Caller):
    game = opened(service, "sight")
    for _ in range(8):
        assert told(in_sight.post(f"/v1/games/{game}/moves", trailing(0, "9D"))) == (422, "card_not_in_hand")
    assert in_sight.post(f"/v1/games/{game}/moves", trailing(0, "3H")).status_code == 201
    assert "out_of_sight" not in service.caller("director").get(f"/v1/games/{game}/looks").text


def test_of_several_moves_no_refusal_tells_which_was_the_first_that_the_whole_table_refuses(service: Service, in_sight: Caller):
    game = opened(service, "sight")
    answers = [
        in_sight.post(f"/v1/games/{game}/moves", {"moves": [trailing(0, card), trailing(1, other)]})
        for card, other in (("KD", "AH"), ("3H", "8C"))
    ]
    bodies = [{key: value for key, value in answer.json().items() if key != "request_id"} for answer in answers]
    assert bodies[0] == bodies[1]
    assert bodies[0]["code"] == "out_of_sight"
    assert service.caller("recorder").get(f"/v1/games/{game}").json()["position"] == 2


def test_he_takes_back_what_he_entered(service: Service, in_sight: Caller):
    game = opened(service, "sight")
    assert in_sight.post(f"/v1/games/{game}/moves", trailing(0, "3H")).status_code == 201
    back = in_sight.post(f"/v1/games/{game}/rewinds", {"to": 2})
    assert back.status_code == 201
    assert back.json()["events"] == service.caller("viewer").get(f"/v1/games/{game}/history?after=3").json()["events"]


def test_where_the_record_knows_less_he_is_asked_what_everybody_has_just_seen(service: Service, in_sight: Caller):
    game = service.caller("recorder").open(tournament="sight")
    known = {"board": ["9D", "6S", "JC", "4D"]}
    assert in_sight.post(f"/v1/games/{game}/hands", {"dealer": 1, "deck": "unknown", "known": known}).status_code == 201
    assert in_sight.post(f"/v1/games/{game}/moves", trailing(0, "KD")).status_code == 201
    assert service.caller("arbiter").get(f"/v1/games/{game}/audit").json()["verdict"] == "sound"


@pytest.mark.parametrize(
    ("path", "body"),
    [
        ("rectifications", {"effects": [["moved", ["KD"], "hand:1", "board"]], "reason": "so"}),
        ("stood-moves", {"seat": 0, "move": {}, "effects": [["moved", ["KD"], "hand:1", "board"]]}),
        ("rulings", {"decision": "rectify", "effects": [["moved", ["KD"], "hand:1", "board"]], "reason": "so"}),
        ("stoppage", {}),
    ],
)
def test_what_is_entered_of_hidden_cards_by_hand_takes_somebody_who_sees_them(service: Service, path: str, body: dict[str, Any]):
    game = opened(service, "sight")
    for query in ("", "?dry_run=true"):
        assert told(holding(service, "arbiter").post(f"/v1/games/{game}/{path}{query}", body)) == (403, "forbidden")


def test_words_that_may_name_any_card_are_not_told_to_who_does_not_see_them(service: Service, in_sight: Caller):
    game = opened(service, "sight")
    assert in_sight.post(f"/v1/games/{game}/notes", {"text": "Seat 0 was late."}).status_code == 201
    assert told(in_sight.get(f"/v1/games/{game}/notes")) == (403, "forbidden")
    assert in_sight.get(f"/v1/games/{UUID(game)}/disputes").status_code == 200
