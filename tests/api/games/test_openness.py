"""When the cards of a game open to everybody, over HTTP; and a game of which the public is told nothing while it is played."""

import json
import random
import re
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from uuid import UUID

import pytest

from domain.access import Grant, OfGame
from domain.events.game import Openness
from domain.game import Game
from domain.games import RULESETS
from domain.journal.openness import collect_openness_context
from domain.opening import opening
from domain.table import Table
from tests.api.conftest import Caller, Service, add_token, running, settings_of, without_limits
from tests.api.play import a_legal_move, finish_hand
from tests.api.tournament import announced, entered, opened, paired
from tests.projections.histories import NOTHING

PAST, FUTURE = {"at": "2020-01-01T12:00:00Z"}, {"at": "2999-01-01T12:00:00Z"}
DECK = ("4S", "3H", "5S", "2S", "8H", "9D", "7D", "QC", "6S", "5C", "8C", "TD")
DECKS = (DECK, DECK[::-1])


@pytest.fixture
def director(service: Service) -> Caller:
    return service.caller("director")


@pytest.fixture
def viewer(service: Service) -> Caller:
    return service.caller("viewer")


def finish(recorder: Caller, game: str) -> None:
    """Plays the hand to its end."""
    finish_hand(recorder, game, random.Random(game))


def is_open(caller: Caller, game: str) -> bool:
    """Whether everybody sees the cards in the hands; what is not open is nowhere."""
    views = [
        caller.get(f"/v1/games/{game}{path}").status_code for path in ("/table?view=arbiter", "/replay?view=arbiter", "/audit", "/record")
    ]
    assert len(set(views)) == 1
    told = caller.get(f"/v1/games/{game}/history").text
    assert ('"?"' in told) is (views[0] == 403)
    return bool(views[0] == 200)


def test_a_game_opens_at_its_moment(director: Caller, viewer: Caller):
    assert {name: is_open(viewer, dealt(director, openness=at)) for name, at in (("past", PAST), ("future", FUTURE))} == {
        "past": True,
        "future": False,
    }


def dealt(recorder: Caller, *deck: str, **wanted: Any) -> str:
    game = recorder.open(**wanted)
    recorder.deal(game, *(deck or DECKS[0]))
    return game


def test_a_tag_that_was_given_before_the_moment_is_good_no_more_after_it(tmp_path: Path):
    moment, hands = datetime(2026, 11, 22, 18, tzinfo=UTC), [datetime(2026, 11, 22, 17, tzinfo=UTC)]
    with running(settings_of(tmp_path), lambda services: replace(without_limits(services), clock=lambda: hands[0])) as service:
        game = dealt(service.caller("director"), openness={"at": moment.isoformat()})
        paths, viewer = [f"/v1/games/{game}/{path}" for path in ("table", "history", "replay")], service.caller("viewer")
        tags = {path: viewer.get(path).headers["etag"] for path in paths}
        again = [viewer.get(path, headers={"If-None-Match": tag}).status_code for path, tag in tags.items()]
        hands[0] = moment
        after = [viewer.get(path, headers={"If-None-Match": tag}).status_code for path, tag in tags.items()]
    assert (again, after) == ([304] * 3, [200] * 3)


def test_a_game_that_waits_for_its_round_opens_with_its_last_table(director: Caller, viewer: Caller):
    path = announced(director, format="manual", openness="round_over", options={"target": 100})
    entered(director, path, 4)
    paired(director, path, [[1], [2]], [[3], [4]])
    first, second = opened(director, path).values()
    for game in (first, second):
        director.deal(game)
    director.post(f"/v1/games/{first}/abandonment", {})
    tags = {exit: viewer.get(f"/v1/games/{first}/{exit}").headers["etag"] for exit in ("table", "history", "replay")}
    assert not is_open(viewer, first)
    director.post(f"/v1/games/{second}/abandonment", {})
    assert is_open(viewer, first)
    assert is_open(viewer, second)
    assert [viewer.get(f"/v1/games/{first}/{exit}", headers={"If-None-Match": tag}).status_code for exit, tag in tags.items()] == [200] * 3


def test_a_game_that_waits_for_its_tournament_opens_with_its_end(director: Caller, viewer: Caller):
    path = announced(director, format="manual", openness="tournament_over")
    entered(director, path, 2)
    paired(director, path, [[1], [2]])
    [game] = opened(director, path).values()
    director.deal(game)
    director.post(f"/v1/games/{game}/abandonment", {})
    assert not is_open(viewer, game)
    assert director.post(f"{path}/ending", {"how": "cancelled"}).status_code == 201
    assert is_open(viewer, game)


@pytest.mark.parametrize("openness", ["hand_over", "game_over", "never"])
def test_nobody_looks_around_for_a_game_that_opens_by_itself(openness: Openness):
    def looks(*_: object) -> Any:
        raise AssertionError("somebody looked")

    told = opening(RULESETS["casino"], {}, 2, openness=openness, tournament="spring", round=1, table="1")
    game = Game(UUID(int=1), 1, b"", told, Table(told.setup))
    assert collect_openness_context(game, None, looks, looks) == NOTHING  # pyrefly: ignore[bad-argument-type]


@pytest.mark.parametrize(
    "given",
    [{"openness": "round_over"}, {"openness": "round_over", "tournament": "t"}, {"openness": "tournament_over"}],
)
def test_what_a_game_does_not_belong_to_cannot_open_it(director: Caller, given: dict[str, Any]):
    answer = director.post("/v1/games", {"ruleset": "casino", "seats": 2, **given})
    assert (answer.status_code, answer.json()["code"], answer.json()["where"]) == (422, "bad_openness", "openness")


@pytest.mark.parametrize(
    "openness", [{"at": "tomorrow"}, {"at": "2026-11-22T18:00:00"}, {}, {"at": "2026-11-22T18:00:00Z", "or": 1}, "round"]
)
def test_a_moment_is_a_time_with_its_offset(director: Caller, openness: Any):
    answer = director.post("/v1/games", {"ruleset": "casino", "seats": 2, "openness": openness})
    assert (answer.status_code, answer.json()["code"]) == (422, "malformed_body")


def test_lists_tables_and_records_tell_when_a_game_opens(director: Caller):
    game = dealt(director, openness={"at": "2999-01-01T13:00:00+01:00"}, live=False)
    row = director.get(f"/v1/games/{game}").json()
    assert (row["openness"], row["live"], row["disclosed"]) == ({"at": "2999-01-01T12:00:00.000000Z"}, False, False)
    [told] = [line for line in map(json.loads, director.get("/v1/games?format=ndjson").text.splitlines()) if line["id"] == game]
    assert [told[name] for name in ("openness", "live", "disclosed")] == [{"at": "2999-01-01T12:00:00.000000Z"}, False, False]
    record = director.get(f"/v1/games/{game}/record").json()
    assert (record["openness"], record["live"]) == ({"at": "2999-01-01T12:00:00Z"}, False)
    again = director.post("/v1/records", {**record, "ref": {"system": "archive", "id": "1"}}).json()["records"][0]["game"]
    assert director.get(f"/v1/games/{again}/record").json()["openness"] == record["openness"]


# An official opens a game


def test_an_official_opens_a_game_and_nobody_closes_it_again(service: Service, director: Caller, viewer: Caller):
    game = dealt(director, openness="never")
    path = f"/v1/games/{game}/disclosure"
    assert [service.caller(role).post(path, {}).status_code for role in ("viewer", "recorder", "committee")] == [403] * 3
    tried = director.post(f"{path}?dry_run=true", {"reason": "For the hall."})
    assert (tried.status_code, is_open(viewer, game)) == (200, False)
    first, again = (director.post(path, {"reason": "For the hall."}, headers={"Idempotency-Key": "k"}) for _ in range(2))
    assert (first.status_code, first.json()["events"][0]["name"]) == (201, "game.disclosed/1")
    assert again.content == first.content
    assert is_open(viewer, game)
    refused = service.caller("arbiter").post(path, {})
    assert (refused.status_code, refused.json()["code"]) == (422, "disclosed_already")
    row = viewer.get(f"/v1/games/{game}").json()
    assert (row["openness"], row["disclosed"]) == ("never", True)


# What is closed is never kept for ever


@pytest.mark.parametrize(("openness", "kept"), [("game_over", True), (PAST, True), (FUTURE, False), ("never", False)])
def test_only_what_is_open_for_good_is_kept_for_ever(director: Caller, viewer: Caller, openness: Any, kept: bool):
    game = dealt(director, openness=openness)
    director.post(f"/v1/games/{game}/abandonment", {})
    for caller in (director, viewer):
        assert ("immutable" in caller.get(f"/v1/games/{game}/table?position=1").headers["cache-control"]) is kept
        assert ("max-age" in caller.get(f"/v1/games/{game}/replay?limit=1").headers["cache-control"]) is kept


def test_a_closed_game_of_a_round_is_never_kept(director: Caller, viewer: Caller):
    game = dealt(director, openness="round_over", tournament="unknown", round=1, table="1")
    dealt(director, tournament="unknown", round=1, table="2")
    director.post(f"/v1/games/{game}/abandonment", {})
    assert viewer.get(f"/v1/games/{game}/table?position=1").headers["cache-control"] == "no-cache"


# A game that is not live

EXITS = (
    "",
    "/table",
    "/table?position=1",
    "/table?position=2",
    "/table?view=public",
    "/table?view=seat:0",
    "/history",
    "/history?after=1&limit=1",
    "/replay",
    "/replay?limit=1",
    "/replay?before=3",
    "/replay?seat=0",
    "/replay?hand=1",
    "/replay?view=public",
    "/replay?view=arbiter",
    "/legal-moves",
    "/legal-moves?seat=1",
    "/score-sheet",
    "/score-sheet?format=csv",
    "/score-sheet?format=html",
    "/disputes",
    "/audit",
    "/record",
    "/notes",
)


def bare(text: str, game: str) -> str:
    """Without what differs from game to game: its id, and moments."""
    return json.dumps(_bare(json.loads(text))).replace(game, "GAME") if text.startswith("{") else text.replace(game, "GAME")


def _bare(body: Any) -> Any:
    if isinstance(body, list):
        return [_bare(item) for item in body]
    other = ("at", "opened_at", "updated_at", "played_at", "opened", "sequence", "instance")
    return {name: _bare(item) for name, item in body.items() if name not in other} if isinstance(body, dict) else body


def stories(director: Caller) -> Iterator[str]:
    """Two games that go on alike and in which everything else differs: the cards, who moves what, and what is disputed about it."""
    for deck, openness in zip(DECKS, ("hand_over", "hand_over"), strict=True):
        game = dealt(director, *deck, openness=openness, live=False)
        chance = random.Random(0)
        for _ in range(3):
            assert director.post(f"/v1/games/{game}/moves", a_legal_move(director, game, chance)).status_code == 201
        director.post(f"/v1/games/{game}/disputes", {"claim": f"He showed {deck[0]}.", "position": 3})
        ruling = {"decision": "stands", "reason": f"It was {deck[1]}.", "public": True}
        assert director.post(f"/v1/games/{game}/rulings", {"dispute": 1, **ruling}).status_code == 201
        yield game


def test_two_games_that_are_not_live_are_told_alike_at_every_exit(director: Caller, viewer: Caller):
    first, second = stories(director)
    for exit in EXITS:
        for accept in ("application/json", "application/x-ndjson"):
            told = [viewer.get(f"/v1/games/{game}{exit}", headers={"Accept": accept}) for game in (first, second)]
            texts = [
                "\n".join(bare(line, game) for line in answer.text.splitlines()) for answer, game in zip(told, (first, second), strict=True)
            ]
            assert texts[0] == texts[1], exit
            assert told[0].status_code == told[1].status_code
    tried = {"position": 2, "view": "public", "moves": [{"seat": 0, "move": {"type": "trail", "card": "QC"}}]}
    branches = [viewer.post(f"/v1/games/{game}/branches", tried) for game in (first, second)]
    assert [answer.json()["code"] for answer in branches] == ["forbidden"] * 2


def test_of_a_game_that_is_not_live_the_public_is_told_that_it_is_on(director: Caller, viewer: Caller):
    game, _ = stories(director)
    row = viewer.get(f"/v1/games/{game}").json()
    assert (row["phase"], row["turn"], row["to_act"], row["hand"], row["position"], row["state"]) == ("covered", None, [], 0, 7, "open")
    history = viewer.get(f"/v1/games/{game}/history").json()
    assert [sorted(event) for event in history["events"]] == [["at", "by", "name", "position"]] * 7
    frames = viewer.get(f"/v1/games/{game}/replay").json()["frames"]
    assert [(frame["position"], frame["seat"], frame["hand"], frame["effects"], frame["table"]["phase"]) for frame in frames] == [
        (position, None, 0, [], "covered") for position in range(1, 8)
    ]
    assert {frame["caption"] for frame in frames} == {"Not told before the game is over."}
    assert viewer.get(f"/v1/games/{game}/replay?seat=0").json()["frames"] == []
    disputes = viewer.get(f"/v1/games/{game}/disputes").json()
    assert (disputes["disputes"], disputes["rulings"]) == ([], [])
    assert [len(cases(caller, game)) for caller in (viewer, director)] == [0, 2]


def cases(caller: Caller, game: str) -> list[Any]:
    """Disputes and rulings of the game, in the lists of all games."""
    return [*caller.get(f"/v1/disputes?game={game}").json()["items"], *caller.get(f"/v1/rulings?game={game}").json()["items"]]


def test_no_filter_of_the_list_of_games_tells_how_far_such_a_game_is(director: Caller, viewer: Caller):
    game, _ = stories(director)

    def found(caller: Caller) -> list[str]:
        lists = {phase: caller.get(f"/v1/games?limit=200&phase={phase}").json()["items"] for phase in ("covered", "play", "hand_over")}
        return [phase for phase, games in lists.items() if game in [one["id"] for one in games]]

    assert (found(viewer), found(director)) == (["covered"], ["play"])
    rows = [json.loads(line) for line in viewer.get("/v1/games?format=ndjson").text.splitlines()]
    assert [(row["phase"], row["hand"]) for row in rows if row["id"] == game] == [("covered", 0)]


def test_the_points_of_its_closed_hands_are_told(director: Caller, viewer: Caller):
    game = dealt(director, live=False, options={"target": 100})
    finish(director, game)
    director.deal(game, dealer=0)
    whole, told = (caller.get(f"/v1/games/{game}").json() for caller in (director, viewer))
    assert (whole["hand"], told["hand"], told["totals"]) == (2, 1, whole["totals"])
    assert (
        viewer.get(f"/v1/games/{game}/score-sheet?format=json").json() == director.get(f"/v1/games/{game}/score-sheet?format=json").json()
    )
    assert viewer.get(f"/v1/games/{game}/table").json()["totals"] == whole["totals"]


@pytest.mark.parametrize("act", ["abandonment", "disclosure"])
def test_it_is_told_as_any_other_when_it_is_over_or_opened(director: Caller, viewer: Caller, act: str):
    game, _ = stories(director)
    tag = viewer.get(f"/v1/games/{game}/table?position=2").headers["etag"]
    director.post(f"/v1/games/{game}/{act}", {})
    assert is_open(viewer, game)
    assert viewer.get(f"/v1/games/{game}/table?position=2", headers={"If-None-Match": tag}).status_code == 200
    assert len(cases(viewer, game)) == 2
    assert viewer.get(f"/v1/games/{game}").json()["phase"] == director.get(f"/v1/games/{game}").json()["phase"]


def test_the_games_of_a_tournament_are_as_it_was_announced_and_corrected(director: Caller):
    path = announced(director, format="manual", openness={"at": "2999-01-01T12:00:00Z"}, live=False)
    plans = [director.get(path).json()]
    assert director.post(f"{path}/correction", {"live": True, "openness": "round_over"}).status_code == 201
    plans.append(director.get(path).json())
    assert director.post(f"{path}/correction", {"live": False}).status_code == 201
    assert [(plan["openness"], plan["live"]) for plan in plans] == [({"at": "2999-01-01T12:00:00.000000Z"}, False), ("round_over", True)]
    entered(director, path, 2)
    paired(director, path, [[1], [2]])
    [game] = opened(director, path).values()
    row = director.get(f"/v1/games/{game}").json()
    assert (row["openness"], row["live"]) == ("round_over", False)


def holding(service: Service, role: str, grant: Grant) -> Caller:
    name = f"{role} {len(service.services.registers.list_tokens())}"
    return Caller(service.client, service.contract, add_token(service.services, role, name, grant))


def test_a_seat_of_it_sees_as_the_seat(service: Service, director: Caller):
    dark, live = (dealt(director, live=live) for live in (False, True))
    told = []
    for game in (dark, live):
        seat = holding(service, "player", Grant(OfGame(UUID(game)), seat=0))
        row = seat.get(f"/v1/games/{game}").json()
        told.append([row["phase"], row["turn"], row["to_act"], seat.get(f"/v1/games/{game}/table").json()])
        told[-1] += [event["body"] for event in seat.get(f"/v1/games/{game}/history?after=1").json()["events"]]
    assert told[0] == told[1]
    assert told[0][0] == "play"


def test_who_records_it_and_sees_what_the_public_sees_is_told_nothing_by_what_he_enters(service: Service, director: Caller):
    said = []
    for deck in DECKS:
        game = dealt(director, *deck, live=False)
        recorder = holding(service, "recorder", Grant(OfGame(UUID(game)), "public"))
        move = a_legal_move(director, game, random.Random(0))
        answers = [
            recorder.get(f"/v1/games/{game}/legal-moves"),
            recorder.get(f"/v1/games/{game}/legal-moves?seat=0"),
            recorder.post(f"/v1/games/{game}/moves?dry_run=true", move),
            recorder.post(f"/v1/games/{game}/moves", move),
            recorder.post(f"/v1/games/{game}/moves", {**move, "seat": 1 - move["seat"]}, headers={"If-Match": '"1"'}),
        ]
        assert [answer.status_code for answer in answers] == [200, answers[1].status_code, answers[2].status_code, 201, 412]
        said.append([re.sub(r'"(at|by|request_id|sequence)":("[^"]*"|[0-9]+)', "", answer.text.replace(game, "")) for answer in answers])
    assert said[0][:2] + said[0][3:] == said[1][:2] + said[1][3:]
    assert '"body"' not in "".join(said[0])
