"""What officials type in may name hidden cards. Until the position is open no exit tells a viewer or a seat of it.

A face that nobody has seen is typed into every free field of every act, and looked for everywhere.
"""

from collections.abc import Iterator
from typing import Any

import pytest

from tests.api.conftest import Caller, Service, trailing
from tests.evening.book import below

DECK = ("4S", "3H", "5S", "2S", "8H", "9D", "7D", "QC", "6S", "5C", "8C", "TD")
"""Seat 0 holds 4S 3H 7D QC, seat 1 8H 9D 8C TD; 5S 2S 6S 5C lie on the table."""

FACE = "KS"
"""It lies in the stock."""

SPOKEN = (FACE, "K♠", "King of Spades", "Pik-König")
WORDS = f"The {FACE} (K♠) comes next."
MOVE = {"type": "capture", "card": "7D", "groups": [[FACE, "2S"]]}
SAID = [["said", 0, f"hint {FACE}", {"card": FACE, FACE: [FACE]}]]
HIDDEN = [["moved", ["4S"], "hand:0", "hand:1"], ["moved", ["4S"], "hand:1", "hand:0"]]
"""Cards go unseen, and come back."""


@pytest.fixture
def recorder(service: Service) -> Caller:
    return service.caller("recorder")


@pytest.fixture
def director(service: Service) -> Caller:
    return service.caller("director")


def acted(director: Caller, committee: Caller, recorder: Caller, **opened: Any) -> str:
    """A game in which everything was done that an official can do, and said about a hidden card."""
    game = recorder.open(**opened)
    recorder.deal(game, *DECK)
    ruling = {"decision": "rectify", "effects": HIDDEN + SAID, "reason": WORDS}
    acts: list[tuple[Caller, str, dict[str, Any]]] = [
        (recorder, "moves", trailing(0, "QC")),
        (recorder, "rewinds", {"to": 2, "reason": WORDS}),
        (recorder, "notes", {"text": WORDS, "position": 2}),
        (director, "stood-moves", {"seat": 0, "move": MOVE, "effects": [*HIDDEN, *SAID, ["turn", "play", 0, [0]]], "reason": WORDS}),
        (director, "rectifications", {"effects": HIDDEN + SAID, "reason": WORDS}),
        (recorder, "disputes", {"claim": WORDS, "seat": 1, "refused_move": {"seat": 0, "move": MOVE}}),
        (director, "rulings", {"dispute": 1, **ruling}),
        (recorder, "disputes/1/appeals", {"reason": WORDS, "seat": 0}),
        (committee, "rulings", {"dispute": 1, "decision": "stands", "reason": WORDS}),
        (recorder, "disputes", {"claim": WORDS}),
        (recorder, "disputes/2/withdrawal", {"reason": WORDS}),
        (director, "rulings", {"decision": "penalty", "adjustments": [{"party": 0, "points": -1}], "reason": WORDS}),
        (director, "adjustments", {"adjustments": [{"party": 1, "points": -1}], "reason": WORDS}),
        (director, "PUT suspension", {"reason": WORDS}),
        (director, "DELETE suspension", {"reason": WORDS}),
    ]
    for caller, what, body in acts:
        answer = caller.post(below(f"/v1/games/{game}", what), body)
        assert answer.status_code == 201, answer.text
    return str(game)


def told_to_viewers(viewer: Caller, game: str, last: int) -> Iterator[str]:
    path = f"/v1/games/{game}"
    for exit in ("", "/table", "/history?limit=1000", "/replay?limit=1000", "/disputes"):
        yield viewer.get(path + exit).text
    for position in range(1, last + 1):
        yield viewer.get(f"{path}/table?position={position}").text
    for format in ("json", "csv", "html"):
        yield viewer.get(f"{path}/score-sheet?format={format}").text
    for language in ("en", "de"):
        yield viewer.get(f"{path}/replay", headers={"Accept": "application/x-ndjson", "Accept-Language": language}).text
    yield viewer.get(f"{path}/history", headers={"Accept": "application/x-ndjson"}).text
    for exit in (f"/v1/rulings?game={game}", "/v1/games", "/v1/feed?limit=1000", f"/v1/scores?game={game}"):
        yield viewer.get(exit).text
    for shut in ("/audit", "/record", "/record?full=true", "/notes", "/legal-moves"):
        answer = viewer.get(path + shut)
        assert answer.status_code == 403
        yield answer.text


def told_to_seats(official: Caller, game: str, last: int) -> Iterator[str]:
    """Through the eyes of a seat, as an official asks for it."""
    path = f"/v1/games/{game}"
    for view in ("seat:0", "seat:1", "public"):
        for language in ("en", "de"):
            yield official.get(f"{path}/replay?view={view}&limit=1000", headers={"Accept-Language": language}).text
        for position in range(1, last + 1):
            yield official.get(f"{path}/table?view={view}&position={position}").text
    yield official.get(f"{path}/legal-moves?seat=0").text


@pytest.mark.parametrize("openness", ["game_over", "hand_over", "never"])
def test_no_exit_tells_a_hidden_card_that_an_official_names(service: Service, recorder: Caller, director: Caller, openness: str):
    game = acted(director, service.caller("committee"), recorder, openness=openness)
    last = recorder.get(f"/v1/games/{game}").json()["position"]
    for text in (*told_to_viewers(service.caller("viewer"), game, last), *told_to_seats(director, game, last)):
        assert [word for word in SPOKEN if word in text] == []


def test_officials_read_all_of_it(service: Service, recorder: Caller, director: Caller):
    game = acted(director, service.caller("committee"), recorder)
    for path in ("disputes", "notes", "score-sheet", "history?limit=1000", "record?full=true&texts=true"):
        assert FACE in director.get(f"/v1/games/{game}/{path}").text, path
    assert FACE in director.get(f"/v1/rulings?game={game}").text


def test_once_the_game_is_open_viewers_read_the_reasons_and_the_moves(service: Service, recorder: Caller, director: Caller):
    game, viewer = acted(director, service.caller("committee"), recorder), service.caller("viewer")
    assert director.post(f"/v1/games/{game}/abandonment", {}).status_code == 201
    assert [one["reason"] for one in viewer.get(f"/v1/games/{game}/disputes").json()["rulings"]] == [WORDS] * 3
    assert [one["reason"] for one in viewer.get(f"/v1/rulings?game={game}").json()["items"]] == [WORDS] * 3
    assert [one["reason"] for one in viewer.get(f"/v1/games/{game}/score-sheet").json()["adjustments"]] == [WORDS] * 2
    [stood] = [one for one in viewer.get(f"/v1/games/{game}/history?limit=1000").json()["events"] if one["name"] == "move.stood/1"]
    assert (stood["body"]["move"], stood["body"]["code"]) == (MOVE, "card_not_on_table")


def test_of_a_stood_move_and_a_rectification_a_viewer_gets_masked_effects_and_nothing_else(
    service: Service, recorder: Caller, director: Caller
):
    game, viewer = acted(director, service.caller("committee"), recorder), service.caller("viewer")
    events = viewer.get(f"/v1/games/{game}/history?limit=1000").json()["events"]
    bodies = {event["name"]: event["body"] for event in events if event["name"] in ("move.stood/1", "table.rectified/1")}
    unseen = [["moved", ["?"], "hand:0", "hand:1", False, False], ["moved", ["?"], "hand:1", "hand:0", False, False]]
    turn = ["turn", "play", 0, [0]]
    stood = {"seat": 0, "move": None, "code": "", "rules": [], "effects": [*unseen, turn], "reason": None, "ruling": None}
    assert bodies["move.stood/1"] == stood
    assert bodies["table.rectified/1"] == {"effects": unseen, "reason": None, "ruling": 1}
    frames = viewer.get(f"/v1/games/{game}/replay?limit=1000").json()["frames"]
    [caption] = [frame["caption"] for frame in frames if frame["name"] == "move.stood/1"]
    assert caption == "Seat 0 makes a move. It was not allowed, but it stands."


def test_a_reason_that_an_official_marks_as_public_is_told_at_once(service: Service, recorder: Caller, director: Caller):
    viewer, game = service.caller("viewer"), recorder.open()
    recorder.deal(game, *DECK)
    why = "Late to the table."
    penalty = {"decision": "penalty", "adjustments": [{"party": 0, "points": -1}], "reason": why}
    for public in (True, False):
        assert director.post(f"/v1/games/{game}/rulings", {**penalty, "public": public}).status_code == 201
    for text, told in (("yes", True), ("no", False)):
        adjustment = {"adjustments": [{"party": 1, "points": -1}], "reason": text, "public": told}
        assert director.post(f"/v1/games/{game}/adjustments", adjustment).status_code == 201
    assert [one["reason"] for one in viewer.get(f"/v1/games/{game}/disputes").json()["rulings"]] == [why, None]
    assert [one["reason"] for one in viewer.get(f"/v1/rulings?game={game}").json()["items"]] == [None, why]
    sheet = f"/v1/games/{game}/score-sheet"
    assert [one["reason"] for one in viewer.get(sheet).json()["adjustments"]] == [why, None, "yes", None]
    assert [one["reason"] for one in viewer.get(f"{sheet}?position={4}").json()["adjustments"]] == [why]
    page = viewer.get(f"{sheet}?format=html").text
    assert (why in page, "yes" in page) == (True, True)
    assert [one["reason"] for one in director.get(sheet).json()["adjustments"]] == [why, why, "yes", "no"]
    assert recorder.get(f"/v1/games/{game}/audit").json()["verdict"] == "sound"


FOREIGN = {
    "a mark of one's own": ([["mark", "hint", FACE]], "no_such_mark"),
    "a mark on the wrong zone": ([["mark", "value", 9, "board"]], "no_such_mark"),
    "a mark that names a seat by a card": ([["mark", "last_capturer", FACE]], "bad_mark"),
    "a mark that is no truth value": ([["mark", "last_capturer", {"card": FACE}]], "bad_mark"),
    "a mark that names a card that lies elsewhere": ([["mark", "sweeps", [FACE], "won:0"]], "bad_mark"),
    "a phase of one's own": ([["turn", FACE, 0, [0]]], "no_such_phase"),
    "a zone of one's own": ([["zone", FACE, "all", None, []]], "foreign_zone"),
    "a zone of another game": ([["zone", f"meld:0:{FACE}", "all", None, []]], "foreign_zone"),
}


@pytest.mark.parametrize(("effects", "code"), FOREIGN.values(), ids=FOREIGN)
@pytest.mark.parametrize("language", ["en", "de"])
def test_what_the_game_itself_never_writes_on_a_table_no_official_writes(
    recorder: Caller, director: Caller, effects: list[Any], code: str, language: str
):
    game = recorder.open()
    recorder.deal(game, *DECK)
    spoken = {"Accept-Language": language}
    for what, body in (("rectifications", {"reason": "x"}), ("stood-moves", {"seat": 0, "move": MOVE})):
        answer = director.post(f"/v1/games/{game}/{what}", {**body, "effects": [*HIDDEN, *effects]}, headers=spoken)
        assert (answer.status_code, answer.json()["code"], answer.json()["index"]) == (422, code, 2)
        assert answer.json()["detail"] != code


def test_a_mark_of_the_game_is_set_and_lifted(recorder: Caller, director: Caller):
    game = recorder.open()
    recorder.deal(game, *DECK)
    effects = [
        ["moved", ["5S"], "board", "won:1"],
        ["mark", "sweeps", ["5S"], "won:1"],
        ["mark", "last_capturer", 1],
        ["mark", "last_capturer", None],
        ["zone", "build:1:0", "all", None, []],
        ["mark", "value", 9, "build:1:0"],
    ]
    assert director.post(f"/v1/games/{game}/rectifications", {"effects": effects, "reason": "x"}).status_code == 201
    assert recorder.get(f"/v1/games/{game}/audit").json()["verdict"] == "sound"


def test_a_ruling_cites_rules_and_nothing_else(recorder: Caller, director: Caller):
    game = recorder.open()
    recorder.deal(game, *DECK)
    for rule, status in ((f"{FACE}-1", 422), ("CNO-9999", 422), ("CNO-22", 201), ("COM-25", 201)):
        answer = director.post(f"/v1/games/{game}/rulings", {"decision": "stands", "reason": "x", "rules": [rule]})
        assert answer.status_code == status
        assert status == 201 or answer.json()["code"] == "no_such_rule"
