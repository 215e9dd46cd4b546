"""Hidden cards: no exit tells a viewer a face that the public cannot see."""

import random
import re
from collections.abc import Iterator

import pytest

from tests.api.conftest import Caller, Service
from tests.api.play import a_legal_move, finish_hand, worked

EXITS = [
    "",
    "/table",
    "/history?limit=1000",
    "/score-sheet?format=json",
    "/score-sheet?format=csv",
    "/score-sheet?format=html",
    "/replay?limit=1000",
    "/disputes",
]
SHUT = [
    "/table?view=arbiter",
    "/table?view=seat:0",
    "/table?view=seat:1",
    "/replay?view=arbiter",
    "/replay?view=seat:0",
    "/legal-moves",
    "/legal-moves?seat=0",
    "/legal-moves?seat=1",
    "/record",
    "/record?full=true",
    "/audit",
]
CARD = re.compile(r'"([AKQJT2-9][SHDC])"')


def hidden(recorder: Caller, game: str, position: int) -> set[str]:
    """What lies in hands and in the stock."""
    table = recorder.get(f"/v1/games/{game}/table?position={position}").json()
    return {*table["stock"], *(card for hand in table["hands"] for card in hand)}


def answers(viewer: Caller, game: str) -> Iterator[str]:
    for path in EXITS:
        answer = viewer.get(f"/v1/games/{game}{path}")
        assert answer.status_code == 200
        yield answer.text
    yield viewer.get(f"/v1/games/{game}/history", headers={"Accept": "application/x-ndjson"}).text
    yield viewer.get(f"/v1/games/{game}/replay", headers={"Accept": "application/x-ndjson", "Accept-Language": "de"}).text
    yield viewer.get("/v1/games").text
    for path in SHUT:
        answer = viewer.get(f"/v1/games/{game}{path}")
        assert (answer.status_code, answer.json()["code"]) == (403, "forbidden")
        yield answer.text


@pytest.mark.parametrize("openness", ["never", "game_over", "hand_over"])
def test_no_exit_tells_a_viewer_a_card_in_a_hand_or_in_the_stock(service: Service, openness: str):
    recorder, viewer, chance = service.caller("recorder"), service.caller("viewer"), random.Random(openness)
    game = recorder.open(openness=openness)
    recorder.deal(game)
    for position in range(2, 7):
        secrets = hidden(recorder, game, position)
        assert len(secrets) > 20
        for text in answers(viewer, game):
            assert secrets.isdisjoint(CARD.findall(text))
        assert recorder.post(f"/v1/games/{game}/moves", a_legal_move(recorder, game, chance)).status_code == 201
    for position in range(1, 7):
        table = viewer.get(f"/v1/games/{game}/table?position={position}").text
        assert hidden(recorder, game, position).isdisjoint(CARD.findall(table))


def test_a_rewind_tells_a_viewer_neither_cards_nor_digests(service: Service):
    recorder, viewer, chance = service.caller("recorder"), service.caller("viewer"), random.Random(7)
    game = recorder.open(openness="never")
    recorder.deal(game)
    recorder.post(f"/v1/games/{game}/moves", a_legal_move(recorder, game, chance))
    recorder.post(f"/v1/games/{game}/rewinds", {"to": 2, "reason": "Player 1 showed the KC"})
    events = viewer.get(f"/v1/games/{game}/history").json()["events"]
    assert events[-1]["body"]["reason"] is None
    assert all("link" not in event for event in events)
    for text in answers(viewer, game):
        assert "showed" not in text
        assert "digest" not in text


def test_a_viewer_folds_no_hidden_face_out_of_a_restored_table(service: Service):
    recorder, viewer, chance = service.caller("recorder"), service.caller("viewer"), random.Random(8)
    game = recorder.open(openness="never")
    recorder.deal(game)
    recorder.post(f"/v1/games/{game}/moves", a_legal_move(recorder, game, chance))
    recorder.post(f"/v1/games/{game}/rewinds", {"to": 2})
    restored = viewer.get(f"/v1/games/{game}/history").json()["events"][-1]["body"]
    assert hidden(recorder, game, 2).isdisjoint(CARD.findall(str(restored).replace("'", '"')))


def test_a_finished_game_is_open_to_everybody_but_one_that_stays_closed(service: Service):
    recorder, viewer = service.caller("recorder"), service.caller("viewer")
    game = worked(recorder, "game-two-players-classic")
    assert recorder.get(f"/v1/games/{game}").json()["finished"]
    for path in (
        "/table?position=2",
        "/table?position=2&view=seat:0",
        "/history?limit=1000",
        "/record",
        "/audit",
        "/legal-moves?position=2&seat=0",
    ):
        assert viewer.get(f"/v1/games/{game}{path}").json() == recorder.get(f"/v1/games/{game}{path}").json()


def test_between_hands_a_game_that_opens_after_each_hand_is_open(service: Service):
    recorder, viewer, chance = service.caller("recorder"), service.caller("viewer"), random.Random(1)
    game = recorder.open(openness="hand_over")
    recorder.deal(game)
    finish_hand(recorder, game, chance)
    assert viewer.get(f"/v1/games/{game}/table?position=2").json() == recorder.get(f"/v1/games/{game}/table?position=2").json()
    position = recorder.deal(game, dealer=0)["position"]
    assert viewer.get(f"/v1/games/{game}/table?position=2&view=arbiter").status_code == 200
    assert viewer.get(f"/v1/games/{game}/table?position={position}&view=arbiter").status_code == 403
    assert "?" in viewer.get(f"/v1/games/{game}/table").json()["stock"]


def test_a_recorder_reads_the_view_of_a_seat_as_the_seat_would(service: Service):
    recorder = service.caller("recorder")
    game = recorder.open()
    recorder.deal(game)
    whole = recorder.get(f"/v1/games/{game}/table").json()
    seen = recorder.get(f"/v1/games/{game}/table?view=seat:1").json()
    assert seen["hands"] == [["?"] * 4, whole["hands"][1]]
    assert seen["stock"] == ["?"] * 40
    assert recorder.get(f"/v1/games/{game}/table?view=public").json()["hands"] == [["?"] * 4, ["?"] * 4]
