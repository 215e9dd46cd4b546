"""Names in captions: the caption in pieces, with who sits there as data, by the name that the caller may see."""

from typing import Any

import pytest

from tests.api.conftest import Caller, Service
from tests.api.games.test_replay import GERMAN, frames, replay
from tests.api.games.test_writing import dealt, first_card
from tests.api.people import act, register
from tests.api.rulings.test_rulings import sent


def said(frame: dict[str, Any], joined: str) -> str:
    """The caption with names in the place of seats, as docs/replay.md tells a page to do it."""
    return "".join(piece if isinstance(piece, str) else named(piece, frame["names"], joined) for piece in frame["said"])


def named(piece: dict[str, Any], names: list[str | None], joined: str) -> str:
    known = [name for seat in piece["seats"] if (name := names[seat])]
    return joined.join(known) if len(known) == len(piece["seats"]) else str(piece["words"])


@pytest.fixture(scope="module")
def game(service: Service) -> str:
    """Two are seated, one trails, another takes the place of the second."""
    director, recorder = service.caller("director"), service.caller("recorder")
    register(director, "anna", "Anna Ahrens", alias="Amsel")
    register(director, "bert", "Bert Beier")
    register(director, "cora", "Cora Conrad", alias="Kranich")
    game = dealt(recorder, players=["anna", "bert"])
    recorder.trail(game, 0, first_card(recorder, game))
    sent(recorder, game, "players", {"seat": 1, "player": "cora"})
    return game


def test_a_caption_comes_in_pieces_beside_its_words(service: Service, game: str):
    _, deal, move, _ = frames(service.caller("recorder"), game, names=True)
    assert move["said"] == [{"seats": [0], "words": "Seat 0"}, move["caption"].removeprefix("Seat 0")]
    assert deal["said"][:2] == ["Hand 1: ", {"seats": [1], "words": "seat 1"}]


@pytest.mark.parametrize(("role", "first", "then"), [("director", "Anna Ahrens", "Cora Conrad"), ("viewer", "Amsel", "Kranich")])
def test_names_take_the_place_of_seats_as_the_caller_may_see_them(service: Service, game: str, role: str, first: str, then: str):
    told = frames(service.caller(role), game, names=True)
    assert said(told[2], " and ") == told[2]["caption"].replace("Seat 0", first)
    assert said(told[3], " and ") == f"{then} comes to the table."


def test_names_take_the_place_of_seats_in_german(service: Service, game: str):
    told = service.caller("director").get(f"/v1/games/{game}/replay?names=true", headers=GERMAN).json()["frames"]
    assert said(told[1], " und ").startswith("Spiel 1: Bert Beier gibt. Offen: ")
    assert said(told[3], " und ") == "Cora Conrad kommt an den Tisch."


def test_every_frame_tells_who_sat_there_then(service: Service, game: str):
    told = frames(service.caller("director"), game, names=True)
    assert [frame["names"] for frame in told] == [["Anna Ahrens", "Bert Beier"]] * 3 + [["Anna Ahrens", "Cora Conrad"]]


def test_a_seat_without_a_player_keeps_its_words(recorder: Caller):
    game = dealt(recorder)
    *_, deal = frames(recorder, game, names=True)
    assert deal["names"] == [None, None]
    assert said(deal, " and ") == deal["caption"]


def test_nothing_of_it_comes_unasked(service: Service, game: str):
    recorder = service.caller("recorder")
    named = frames(recorder, game, names=True)
    assert frames(recorder, game) == [{field: told for field, told in frame.items() if field not in ("said", "names")} for frame in named]


def test_nobody_is_named_in_a_game_of_which_nothing_is_told(service: Service, game: str):
    recorder = service.caller("recorder")
    dark = recorder.open(players=["anna", "bert"], live=False)
    assert [set(frame) & {"names"} for frame in frames(service.caller("viewer"), dark, names=True)] == [set()]


def test_a_page_is_another_one_when_somebody_is_called_otherwise(service: Service, game: str):
    director = service.caller("director")
    before = replay(director, game, names=True)
    assert director.get(f"/v1/games/{game}/replay?names=true", headers={"If-None-Match": before.headers["etag"]}).status_code == 304
    assert act(director, "bert", "name", {"name": "Bert Bach"}).status_code == 200
    after = replay(director, game, names=True)
    assert after.headers["etag"] != before.headers["etag"]
    assert after.json()["frames"][0]["names"] == ["Anna Ahrens", "Bert Bach"]
