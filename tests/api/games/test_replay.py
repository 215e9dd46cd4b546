"""Replay: frames with captions, effects and tables; pages both ways, filters, views, languages."""

import json
from itertools import product
from typing import Any

import pytest

from tests.api.conftest import Caller, Service, link
from tests.api.games.test_writing import dealt, first_card
from tests.api.play import worked

NDJSON = {"Accept": "application/x-ndjson"}
GERMAN = {"Accept-Language": "de-AT, en;q=0.5"}


@pytest.fixture(scope="module")
def whole(service: Service) -> str:
    """A finished game of several hands."""
    return worked(service.caller("recorder"), "game-two-players-classic")


def replay(caller: Caller, game: str, **query: Any) -> Any:
    answer = caller.get(f"/v1/games/{game}/replay", params=query)
    assert answer.status_code == 200, answer.text
    return answer


def frames(caller: Caller, game: str, **query: Any) -> list[dict[str, Any]]:
    """All frames, from the lines."""
    answer = caller.get(f"/v1/games/{game}/replay", params=query, headers=NDJSON)
    return [json.loads(line) for line in answer.text.splitlines()]


def followed(caller: Caller, answer: Any, rel: str) -> list[list[int]]:
    """The positions of each page, from this one on."""
    pages = [answer]
    while path := link(pages[-1], rel):
        pages.append(caller.get(path))
    return [[frame["position"] for frame in page.json()["frames"]] for page in pages]


# What a frame tells


def test_a_frame_tells_what_the_history_and_the_table_tell(service: Service, whole: str):
    recorder = service.caller("recorder")
    events = recorder.get(f"/v1/games/{whole}/history?limit=1000").json()["events"]
    found = replay(recorder, whole, limit=1000).json()["frames"]
    assert len(found) == len(events) > 100
    for frame, event in zip(found, events, strict=True):
        assert {name: frame[name] for name in ("position", "at", "by", "name")} == {
            name: event[name] for name in ("position", "at", "by", "name")
        }
        assert frame["effects"] == event["body"].get("effects", [])
        assert frame["seat"] == event["body"].get("seat")
    for frame in found[::29]:
        assert frame["table"] == recorder.get(f"/v1/games/{whole}/table?position={frame['position']}").json()
        assert frame["hand"] == frame["table"]["hand"]


def test_captions_are_english_or_german_as_the_caller_likes(recorder: Caller):
    game = dealt(recorder)
    card = first_card(recorder, game)
    recorder.trail(game, 0, card)
    sign = card[0].replace("T", "10") + {"S": "♠", "H": "♥", "D": "♦", "C": "♣"}[card[1]]
    english = recorder.get(f"/v1/games/{game}/replay?after=2")
    german = recorder.get(f"/v1/games/{game}/replay?after=2", headers=GERMAN)
    assert english.json()["frames"][0]["caption"] == f"Seat 0 trails {sign}."
    assert german.json()["frames"][0]["caption"] == f"Sitz 0 legt {sign.replace('Q', 'D').replace('J', 'B')} ab."
    assert (english.headers["content-language"], german.headers["content-language"]) == ("en", "de")
    assert english.headers["etag"] != german.headers["etag"]
    assert "accept-language" in german.headers["vary"]


def test_the_time_at_the_table_is_told_where_it_was(recorder: Caller):
    game = dealt(recorder)
    recorder.trail(game, 0, first_card(recorder, game))
    card = first_card(recorder, game, 1)
    body = {"seat": 1, "move": {"type": "trail", "card": card}, "happened_at": "2025-11-21T20:00:00+01:00"}
    recorder.post(f"/v1/games/{game}/moves", body)
    found = replay(recorder, game, after=2).json()["frames"]
    assert [frame.get("happened_at") for frame in found] == [None, "2025-11-21T19:00:00.000000Z"]


def test_what_was_taken_back_is_marked_void_and_still_shown(recorder: Caller):
    game = dealt(recorder)
    recorder.trail(game, 0, first_card(recorder, game))
    recorder.post(f"/v1/games/{game}/rewinds", {"to": 2})
    recorder.trail(game, 0, first_card(recorder, game))
    found = replay(recorder, game).json()["frames"]
    assert [frame.get("void", False) for frame in found] == [False, False, True, False, False]
    assert found[3]["caption"] == "Taken back to move 2."
    assert found[3]["table"] == found[1]["table"]
    assert found[4]["table"] == found[2]["table"]


# Pages and filters

FILTERS: list[dict[str, Any]] = [
    {},
    {"seat": 1},
    {"hand": 2},
    {"hand": 2, "seat": 0},
    {"first": 40, "last": 77},
    {"first": 40, "last": 77, "seat": 1},
    {"first": 60, "last": 5000, "hand": 1},
    {"hand": 99},
]


def name_of(query: dict[str, Any]) -> str:
    return "-".join(f"{name}-{value}" for name, value in query.items()) or "everything"


@pytest.mark.parametrize("query", FILTERS, ids=name_of)
def test_filters_choose_among_the_frames(service: Service, whole: str, query: dict[str, Any]):
    recorder = service.caller("recorder")
    everything = frames(recorder, whole)
    chosen = [
        frame
        for frame in everything
        if query.get("first", 1) <= frame["position"] <= query.get("last", 10**9)
        and query.get("hand") in (None, frame["hand"])
        and query.get("seat") in (None, frame["seat"])
    ]
    assert frames(recorder, whole, **query) == chosen
    assert replay(recorder, whole, limit=1000, **query).json()["frames"] == chosen


@pytest.mark.parametrize(
    ("query", "limit"),
    [*product(FILTERS, [7]), ({}, 1), (FILTERS[3], 1), ({}, 64)],
    ids=lambda value: name_of(value) if isinstance(value, dict) else None,
)
def test_pages_neither_skip_nor_repeat_a_frame_forwards_or_backwards(service: Service, whole: str, query: dict[str, Any], limit: int):
    recorder = service.caller("recorder")
    positions = [frame["position"] for frame in frames(recorder, whole, **query)]
    if limit == 1:
        query = {**query, "first": max(query.get("first", 1), 50), "last": min(query.get("last", 90), 90)}
        positions = [position for position in positions if 50 <= position <= 90]
    forwards = followed(recorder, replay(recorder, whole, limit=limit, **query), "next")
    backwards = followed(recorder, replay(recorder, whole, limit=limit, before=10**6, **query), "prev")
    assert [position for page in forwards for position in page] == positions
    assert [position for page in backwards[::-1] for position in page] == positions
    for pages in (forwards, backwards):
        assert all(len(page) == limit for page in pages[:-1])
        assert pages[-1] or not positions


def test_next_and_previous_lead_back_to_where_one_was(service: Service, whole: str):
    recorder = service.caller("recorder")
    first = replay(recorder, whole, limit=10, seat=1)
    second = recorder.get(link(first))
    assert recorder.get(link(second, "prev")).json()["frames"] == first.json()["frames"]
    assert not link(first, "prev")
    assert recorder.get(link(recorder.get(link(second, "prev")))).json()["frames"] == second.json()["frames"]


@pytest.mark.parametrize("query", [{"after": 148}, {"before": 1}, {"first": 9, "last": 8}, {"first": 10**6}])
def test_a_page_where_nothing_is_is_empty(service: Service, whole: str, query: dict[str, Any]):
    answer = replay(service.caller("recorder"), whole, **query)
    assert (answer.json()["frames"], answer.links) == ([], {})


def test_lines_end_where_they_are_asked_to(service: Service, whole: str):
    recorder = service.caller("recorder")
    assert [frame["position"] for frame in frames(recorder, whole, before=4)] == [1, 2, 3]
    assert [frame["position"] for frame in frames(recorder, whole, after=3, last=6)] == [4, 5, 6]


# Views


def test_a_seat_is_shown_its_own_cards_and_nobody_elses(recorder: Caller):
    game = dealt(recorder)
    recorder.trail(game, 0, first_card(recorder, game))
    for view in ("public", "seat:0", "seat:1"):
        page = replay(recorder, game, view=view).json()
        assert page["view"] == view
        for frame in page["frames"][1:]:
            table = recorder.get(f"/v1/games/{game}/table?position={frame['position']}&view={view}").json()
            assert frame["table"] == table
    hands = [replay(recorder, game, view=f"seat:{seat}", after=2).json()["frames"][0]["table"]["hands"] for seat in (0, 1)]
    assert ["?" in hand for hand in hands[0]] == [False, True]
    assert ["?" in hand for hand in hands[1]] == [True, False]


def test_a_viewer_sees_a_closed_game_as_the_public_does_and_an_open_one_whole(service: Service, whole: str):
    recorder, viewer = service.caller("recorder"), service.caller("viewer")
    game = dealt(recorder)
    assert replay(viewer, game).json() == replay(recorder, game, view="public").json()
    for view in ("arbiter", "seat:0"):
        answer = viewer.get(f"/v1/games/{game}/replay?view={view}")
        assert (answer.status_code, answer.json()["code"]) == (403, "forbidden")
    assert frames(viewer, whole, view="arbiter") == frames(recorder, whole)
    assert viewer.get(f"/v1/games/{whole}/replay?view=seat:2").json()["code"] == "unknown_seat"


def test_a_hand_that_is_over_is_open_while_the_next_one_is_not(service: Service):
    recorder, viewer = service.caller("recorder"), service.caller("viewer")
    game = worked(recorder, "hand-two-players-classic")
    page = replay(viewer, game, limit=1000).json()["frames"]
    assert ("?" in json.dumps(page[2]["table"])) is ("?" in viewer.get(f"/v1/games/{game}/table?position=3").text)


# What may be kept


@pytest.mark.parametrize("query", ["", "?view=public", "?limit=2", "?hand=1&seat=0", "?before=2"])
def test_who_holds_a_page_is_told_that_it_stands_until_the_game_goes_on(recorder: Caller, query: str):
    game = dealt(recorder)
    first = recorder.get(f"/v1/games/{game}/replay{query}")
    held = {"If-None-Match": first.headers["etag"]}
    again = recorder.get(f"/v1/games/{game}/replay{query}", headers=held)
    assert (again.status_code, again.content, again.headers["etag"]) == (304, b"", first.headers["etag"])
    assert again.headers["cache-control"] == first.headers["cache-control"] == "no-cache"
    recorder.trail(game, 0, first_card(recorder, game))
    assert recorder.get(f"/v1/games/{game}/replay{query}", headers=held).status_code == 200


def test_past_frames_of_a_game_that_is_open_for_good_may_be_kept_for_a_while(service: Service):
    recorder, viewer = service.caller("recorder"), service.caller("viewer")
    whole = worked(recorder, "game-two-players-classic")
    assert viewer.get(f"/v1/games/{whole}/replay?limit=5").headers["cache-control"] == "no-cache"
    annulled = service.caller("director").post(f"/v1/games/{whole}/annulment", {"reason": "Two packs were mixed up."})
    last = annulled.json()["position"]
    kept = {
        "limit=5": True,
        f"after={last - 3}": False,
        f"last={last - 1}": True,
        f"limit=1000&last={last}": False,
        "before=9": True,
        "hand=1": False,
    }
    for caller, (query, may) in product((recorder, viewer), kept.items()):
        answer = caller.get(f"/v1/games/{whole}/replay?{query}")
        assert answer.headers["cache-control"] == ("private, max-age=3600" if may else "no-cache"), query
    closed = dealt(recorder)
    assert recorder.get(f"/v1/games/{closed}/replay?last=1").headers["cache-control"] == "no-cache"


def test_head_tells_the_headers_of_both_forms(service: Service, whole: str):
    recorder = service.caller("recorder")
    for headers in ({}, NDJSON):
        get = recorder.get(f"/v1/games/{whole}/replay?limit=2", headers=headers)
        head = recorder.call("HEAD", f"/v1/games/{whole}/replay?limit=2", headers=headers)
        assert (head.status_code, head.content, head.headers.get("etag")) == (200, b"", get.headers["etag"])


def test_a_game_that_does_not_exist_has_no_replay(recorder: Caller):
    answer = recorder.get("/v1/games/00000000-0000-4000-8000-000000000000/replay")
    assert (answer.status_code, answer.json()["code"]) == (404, "unknown_game")
