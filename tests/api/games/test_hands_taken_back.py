"""A hand that was open and that a ruling took back is shut until the hand that replaces it is over: the same cards may be dealt again.

At every stage each answer is held against that of a twin, in which the same was done and which is never open.
"""

import json
import random
from collections.abc import Iterator
from typing import Any, NamedTuple

import pytest

from tests.api.conftest import Caller, Service, add_token
from tests.api.play import a_legal_move, finish_hand

DECK = ("4S", "3H", "5S", "2S", "8H", "9D", "7D", "QC", "6S", "5C", "8C", "TD")
PATHS = (
    "/table",
    "/table?position=1",
    "/table?position=2",
    "/table?position=9",
    "/table?position={last}",
    "/history?limit=1000",
    "/replay?limit=1000",
    "/replay?before=40&limit=30",
    "/replay?hand=1&limit=1000",
    "/score-sheet?format=json",
    "/score-sheet?format=csv",
    "/disputes",
)
SHUT = (
    "/table?position=2&view=arbiter",
    "/table?position=9&view=seat:0",
    "/table?position={last}&view=seat:1",
    "/replay?view=arbiter",
    "/replay?view=seat:0&last=20",
    "/legal-moves?position=2&seat=0",
    "/legal-moves?position=9",
    "/audit",
)
LINES = ("/history", "/replay")


class Twins(NamedTuple):
    """A game whose hands open when they are over, and one that stays shut."""

    game: str
    shut: str

    def both(self) -> Iterator[str]:
        yield from self


def deal(recorder: Caller, twins: Twins) -> None:
    for game in twins.both():
        recorder.deal(game, *DECK)


def finish(recorder: Caller, twins: Twins, seed: int) -> int:
    """Plays the hand to its end, alike in both; answers the last position."""
    for game in twins.both():
        finish_hand(recorder, game, random.Random(seed))
    return int(recorder.get(f"/v1/games/{twins.game}").json()["position"])


def take_back(arbiter: Caller, twins: Twins, to: int) -> None:
    for game in twins.both():
        ruling = {"decision": "rewind", "to": to, "reason": "Seat 1 held the TD back."}
        assert arbiter.post(f"/v1/games/{game}/rulings", ruling).status_code == 201


def told(caller: Caller, game: str, path: str, **headers: str) -> tuple[int, object, object]:
    """Status, body without what differs from game to game, and Cache-Control."""
    answer = caller.get(f"/v1/games/{game}{path}", headers=headers)
    if not answer.headers["content-type"].startswith("application/json"):
        return answer.status_code, answer.text.replace(game, "GAME") if "ndjson" not in answer.headers["content-type"] else "", ""
    return answer.status_code, bare(answer.json()), answer.headers.get("cache-control")


def bare(body: Any) -> Any:
    """Without ids, times and the openness itself; nor the link of an opening, which covers nothing but its place."""
    if isinstance(body, list):
        return [bare(item) for item in body]
    if isinstance(body, dict):
        other = {"game", "id", "at", "openness", "instance", *(["link"] if body.get("position") == 1 else [])}
        return {name: bare(item) for name, item in body.items() if name not in other}
    return body


def lines(caller: Caller, game: str, path: str) -> list[Any]:
    text = caller.get(f"/v1/games/{game}{path}", headers={"Accept": "application/x-ndjson"}).text
    return [bare(json.loads(line)) for line in text.splitlines()]


def assert_shut(viewers: tuple[Caller, ...], twins: Twins, last: int) -> None:
    for viewer in viewers:
        for path in PATHS:
            path = path.format(last=last)
            assert told(viewer, twins.game, path) == told(viewer, twins.shut, path), path
        for path in LINES:
            assert lines(viewer, twins.game, path) == lines(viewer, twins.shut, path), path
        for path in SHUT:
            answer = viewer.get(f"/v1/games/{twins.game}{path.format(last=last)}")
            assert (answer.status_code, answer.json()["code"]) == (403, "forbidden"), path
        for view in ("arbiter", "seat:0", "public"):
            tried = {"position": 9, "view": view, "moves": [{"seat": 0, "move": {"type": "trail", "card": "QC"}}]}
            assert viewer.post(f"/v1/games/{twins.game}/branches", tried).json()["code"] == "forbidden"
        record = viewer.get(f"/v1/games/{twins.game}/record")
        assert record.status_code == 403 or record.json()["hands"] == []
        [case] = [one for one in viewer.get(f"/v1/rulings?game={twins.game}").json()["items"] if one["ruling"] == 1]
        assert case["reason"] is None


@pytest.fixture
def story(service: Service) -> Twins:
    recorder = service.caller("recorder")
    return Twins(*(recorder.open(openness=openness, options={"target": 100}) for openness in ("hand_over", "never")))


@pytest.fixture
def viewers(service: Service) -> tuple[Caller, ...]:
    """One who looks at everything as soon as he may, and one who comes late."""
    late = service.caller("viewer")
    late.token = add_token(service.services, "viewer", f"late {len(service.services.registers.list_tokens())}")
    return service.caller("viewer"), late


@pytest.mark.parametrize("to", [1, 5], ids=["before the deal", "into the hand"])
def test_a_hand_that_a_ruling_took_back_is_shut_until_the_one_that_replaces_it_is_over(
    service: Service, story: Twins, viewers: tuple[Caller, ...], to: int
):
    recorder, arbiter = service.caller("recorder"), service.caller("arbiter")
    early = viewers[0]
    deal(recorder, story)
    last = finish(recorder, story, 1)

    # The hand is over, and everybody looks at all 52 cards; nothing may be kept without asking again.
    looked = {path: early.get(f"/v1/games/{story.game}{path}") for path in ("/table?position=2", "/replay?last=20", "/history", "/record")}
    assert "?" not in str(looked["/table?position=2"].json()["hands"])
    assert {answer.headers["cache-control"] for answer in looked.values()} == {"no-cache"}

    # A ruling takes it back. Who has looked is not told that his copies still hold.
    take_back(arbiter, story, to)
    for path, answer in looked.items():
        again = early.get(f"/v1/games/{story.game}{path}", headers={"If-None-Match": answer.headers["etag"]})
        assert again.status_code in (200, 403), path
        assert again.text != answer.text
    assert_shut(viewers, story, last)

    # The same cards are dealt again; the hand goes on.
    if to == 1:
        deal(recorder, story)
        assert_shut(viewers, story, last)
    for game in story.both():
        assert recorder.post(f"/v1/games/{game}/moves", a_legal_move(recorder, game, random.Random(2))).status_code == 201
    assert_shut(viewers, story, last)

    # It is over: both are open, to the one and to the other.
    newest = finish(recorder, story, 3)
    for viewer in viewers:
        for position in (2, 9, last, newest):
            path = f"/v1/games/{story.game}/table?position={position}"
            assert viewer.get(path).json() == recorder.get(path).json()
            assert viewer.get(path).headers["cache-control"] == "no-cache"
        assert viewer.get(f"/v1/games/{story.game}/audit").json()["verdict"] == "sound"
        assert viewer.get(f"/v1/rulings?game={story.game}").json()["items"][0]["reason"] == "Seat 1 held the TD back."


def test_hands_before_the_one_that_was_taken_back_stay_open(service: Service, story: Twins, viewers: tuple[Caller, ...]):
    recorder, arbiter = service.caller("recorder"), service.caller("arbiter")
    deal(recorder, story)
    first = finish(recorder, story, 1)
    for game in story.both():
        recorder.deal(game, *DECK, dealer=0)
    second = finish(recorder, story, 2)
    take_back(arbiter, story, first)
    for viewer in viewers:
        assert "?" not in viewer.get(f"/v1/games/{story.game}/table?position=2").text
        assert "?" in viewer.get(f"/v1/games/{story.game}/table?position={second - 3}").text
        assert "?" in viewer.get(f"/v1/games/{story.game}/table?position={first + 1}").text
        assert viewer.get(f"/v1/games/{story.game}/replay?view=arbiter&last={first}").status_code == 200
        assert viewer.get(f"/v1/games/{story.game}/replay?view=arbiter&last={first + 1}").status_code == 403
        assert viewer.get(f"/v1/games/{story.game}/audit").status_code == 403
        assert len(viewer.get(f"/v1/games/{story.game}/record").json()["hands"]) == 1


def test_what_is_open_for_good_may_be_kept(service: Service, story: Twins, viewers: tuple[Caller, ...]):
    recorder, director = service.caller("recorder"), service.caller("director")
    deal(recorder, story)
    for game in story.both():
        assert director.post(f"/v1/games/{game}/abandonment", {"reason": "fire"}).status_code == 201
    for viewer in viewers:
        kept = [viewer.get(f"/v1/games/{game}/table?position=2").headers["cache-control"] for game in story.both()]
        assert kept == ["private, max-age=31536000, immutable", "no-cache"]
