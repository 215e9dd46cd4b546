"""Which answers leave a line: those that show an official cards which the public is not shown."""

import random
from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

import pytest

from api.services import Services
from domain.access import Grant
from tests.api.conftest import Caller, Service, add_token, running, secret, settings_of, trailing, without_limits
from tests.api.play import a_legal_move

NOW = datetime(2026, 11, 21, 19, 4, 11, tzinfo=UTC)
MINUTE = "2026-11-21T19:04:00.000000Z"
ADJUSTED = {"adjustments": [{"party": 0, "points": -1}], "reason": "late"}
NDJSON = {"Accept": "application/x-ndjson"}


def at_one_minute(services: Services) -> Services:
    return without_limits(replace(services, clock=lambda: NOW))


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    """One at which it is always the same minute."""
    with running(settings_of(tmp_path_factory.mktemp("looks")), at_one_minute) as service:
        yield service


def lines(service: Service, game: str) -> list[tuple[str, str, str]]:
    """What a director is told: minute, who, and with whose eyes."""
    answer = service.caller("director").get(f"/v1/games/{game}/looks")
    return [(look["minute"], look["by"], look["view"]) for look in answer.json()["items"]]


def shut(service: Service, **wanted: Any) -> str:
    """A game whose hand is being played; a move was made."""
    recorder = service.caller("recorder")
    game = recorder.open(**wanted)
    recorder.deal(game, "QC")
    assert recorder.trail(game, 0, "QC").status_code == 201
    return game


def played_on(recorder: Caller, game: str) -> int:
    """Until the hand is over; then the next one is dealt. Answers the last position of the first hand."""
    chance = random.Random(1)
    while (now := recorder.get(f"/v1/games/{game}").json())["phase"] == "play":
        assert recorder.post(f"/v1/games/{game}/moves", a_legal_move(recorder, game, chance)).status_code == 201
    recorder.deal(game, dealer=0)
    return int(now["position"])


Ask = Callable[[Caller, str], Any]


def getting(path: str, **headers: str) -> Ask:
    return lambda caller, game: caller.get(f"/v1/games/{game}{path}", headers=headers)


def trying(path: str, body: Callable[[Caller, str], object]) -> Ask:
    return lambda caller, game: caller.post(f"/v1/games/{game}{path}", body(caller, game))


def missed(caller: Caller, game: str) -> Any:
    """A move that was decided on the first position: the answer tells the events since."""
    answer = caller.post(f"/v1/games/{game}/moves", trailing(1, "QC"), headers={"If-Match": '"1"'})
    assert answer.status_code == 412
    return answer


def a_move(caller: Caller, game: str) -> object:
    """A legal one. Its card is read in another game that was dealt the same."""
    twin = caller.open()
    caller.deal(twin, "QC")
    caller.trail(twin, 0, "QC")
    return trailing(1, caller.get(f"/v1/games/{twin}/table").json()["hands"][1][0])


LOOKS: dict[str, tuple[Ask, str]] = {
    "the table": (getting("/table"), "arbiter"),
    "the table of the deal": (getting("/table?position=2"), "arbiter"),
    "the table of a seat": (getting("/table?view=seat:1"), "seat:1"),
    "the history": (getting("/history"), "arbiter"),
    "the history from the deal on": (getting("/history?after=1&limit=1"), "arbiter"),
    "the whole history": (getting("/history", **NDJSON), "arbiter"),
    "the replay": (getting("/replay"), "arbiter"),
    "the replay of a seat": (getting("/replay?view=seat:0"), "seat:0"),
    "the replay backwards": (getting("/replay?before=4&limit=1"), "arbiter"),
    "the replay of a seat's moves": (getting("/replay?seat=0&limit=1"), "arbiter"),
    "the whole replay": (getting("/replay?limit=1", **NDJSON), "arbiter"),
    "the table that a replay would start from": (getting("/replay?first=99&tables=false"), "arbiter"),
    "legal moves": (getting("/legal-moves"), "arbiter"),
    "legal moves of a seat": (getting("/legal-moves?seat=0"), "arbiter"),
    "a judged move": (trying("/legal-moves", lambda caller, game: trailing(1, "TD")), "arbiter"),
    "a branch": (trying("/branches", lambda caller, game: {"position": 2, "moves": [trailing(0, "QC")]}), "arbiter"),
    "a branch of a seat": (
        trying("/branches", lambda caller, game: {"position": 2, "moves": [trailing(0, "QC")], "view": "seat:0"}),
        "seat:0",
    ),
    "the record": (getting("/record"), "arbiter"),
    "the full record": (getting("/record?full=true"), "arbiter"),
    "a move that is only tried": (trying("/moves?dry_run=true", a_move), "arbiter"),
    "what was missed": (missed, "arbiter"),
}

NO_LOOKS: dict[str, Ask] = {
    "the table of the public": getting("/table?view=public"),
    "the replay of the public": getting("/replay?view=public"),
    "the table before the deal": getting("/table?position=1"),
    "the history before the deal": getting("/history?limit=1"),
    "the replay before the deal": getting("/replay?limit=1"),
    "the replay before the deal, without tables": getting("/replay?limit=1&tables=false"),
    "a replay of nothing, with tables": getting("/replay?first=99"),
    "the game in short": getting(""),
    "the score sheet": getting("/score-sheet"),
    "disputes": getting("/disputes"),
    "notes": getting("/notes"),
    "points that are only tried": trying("/adjustments?dry_run=true", lambda caller, game: ADJUSTED),
    "an audit that finds nothing": getting("/audit"),
    "a position that is not there": getting("/table?position=99"),
    "who looked": getting("/looks"),
}


@pytest.mark.parametrize("what", LOOKS)
def test_a_line_is_left_by(service: Service, what: str):
    game, (ask, view) = shut(service), LOOKS[what]
    director = service.caller("director")
    assert ask(director, game).status_code in (200, 412)
    assert lines(service, game) == [(MINUTE, "p_director", view)]


@pytest.mark.parametrize("what", NO_LOOKS)
def test_no_line_is_left_by(service: Service, what: str):
    game = shut(service)
    NO_LOOKS[what](service.caller("director"), game)
    assert lines(service, game) == []


@pytest.mark.parametrize("role", ["director", "recorder", "arbiter", "committee"])
def test_every_official_leaves_a_line(service: Service, role: str):
    game = shut(service)
    service.caller(role).get(f"/v1/games/{game}/table")
    assert lines(service, game) == [(MINUTE, f"p_{role}", "arbiter")]


def test_a_viewer_leaves_none(service: Service):
    game = shut(service)
    for ask in (*(ask for ask, _ in LOOKS.values()), *NO_LOOKS.values()):
        try:
            ask(service.caller("viewer"), game)
        except AssertionError:
            continue  # what he is refused
    assert lines(service, game) == []


def test_a_recorder_who_sees_what_the_public_sees_leaves_none(service: Service):
    game = shut(service)
    add_token(service.services, "recorder", f"blind {game}", Grant(sees="public"))
    blind = Caller(service.client, service.contract, secret(f"blind {game}"))
    for path in ("/table", "/history", "/replay"):
        assert blind.get(f"/v1/games/{game}{path}").status_code == 200
    assert lines(service, game) == []


def test_what_officials_record_leaves_none_the_history_says_who_it_was(service: Service):
    recorder, arbiter, game = service.caller("recorder"), service.caller("arbiter"), shut(service)
    assert recorder.post(f"/v1/games/{game}/rewinds", {"to": 2, "reason": "the wrong card"}).status_code == 201
    assert recorder.trail(game, 0, "QC").status_code == 201
    assert arbiter.put(f"/v1/games/{game}/suspension", {"reason": "fire"}).status_code == 201
    assert lines(service, game) == []


def test_of_a_hand_that_is_open_no_look_leaves_a_line_though_the_next_one_is_being_played(service: Service):
    director, recorder = service.caller("director"), service.caller("recorder")
    game = shut(service, openness="hand_over")
    last = played_on(recorder, game)
    before = lines(service, game)
    past = (
        "/replay?hand=1",
        "/replay?limit=5",
        f"/replay?last={last}",
        f"/replay?last={last}&tables=false",
        f"/replay?before={last}&limit=3",
    )
    for path in (f"/table?position={last}", f"/history?limit={last}", f"/legal-moves?position={last - 1}&seat=0", *past):
        assert director.get(f"/v1/games/{game}{path}").status_code == 200
    assert lines(service, game) == before
    director.get(f"/v1/games/{game}/replay?hand=2")
    assert [line for line in lines(service, game) if line not in before] == [(MINUTE, "p_director", "arbiter")]


def test_a_game_in_which_nothing_was_dealt_yet_hides_nothing(service: Service):
    director = service.caller("director")
    game = director.open()
    for path in ("/table", "/history", "/replay", "/record"):
        assert director.get(f"/v1/games/{game}{path}").status_code == 200
    assert lines(service, game) == []


def test_of_a_game_that_is_over_and_open_no_look_leaves_a_line(service: Service):
    director, game = service.caller("director"), shut(service)
    assert director.post(f"/v1/games/{game}/abandonment", {"reason": "a player left"}).status_code == 201
    for path in ("/table", "/history", "/replay", "/record"):
        assert director.get(f"/v1/games/{game}{path}").status_code == 200
    assert lines(service, game) == []


def test_of_a_game_that_is_over_and_never_opens_every_look_leaves_a_line(service: Service):
    director, game = service.caller("director"), shut(service, openness="never")
    assert director.post(f"/v1/games/{game}/abandonment", {"reason": "a player left"}).status_code == 201
    director.get(f"/v1/games/{game}/record")
    assert lines(service, game) == [(MINUTE, "p_director", "arbiter")]


def test_who_holds_the_answer_already_looks_all_the_same(service: Service):
    director, recorder, game = service.caller("director"), service.caller("recorder"), shut(service)
    tag = recorder.get(f"/v1/games/{game}/table").headers["etag"]
    assert director.get(f"/v1/games/{game}/table", headers={"If-None-Match": tag}).status_code == 304
    assert {by for _, by, _ in lines(service, game)} == {"p_recorder", "p_director"}


def test_the_line_names_the_tournament_of_the_game(service: Service):
    director = service.caller("director")
    game = shut(service, tournament="club-night", round=1, table="1")
    director.get(f"/v1/games/{game}/table")
    [look] = director.get(f"/v1/games/{game}/looks").json()["items"]
    assert look == {"minute": MINUTE, "by": "p_director", "game": game, "tournament": "club-night", "view": "arbiter"}
