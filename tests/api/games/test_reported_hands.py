"""Hands of which only the result is known, over HTTP."""

from datetime import date
from typing import Any
from uuid import UUID

import pytest
from msgspec import convert
from msgspec.json import decode

from api.games.paper import Paper
from api.games.printed_sheet import print_sheet
from domain.games import RULESETS
from domain.score import Sheet
from tests.api.conftest import Caller, Service
from tests.api.markup import part, words
from tests.projections.histories import opened as opening

RESULT: dict[str, Any] = {"points": [7, 4]}


def report(caller: Caller, game: str, dealer: int = 0, **result: Any) -> Any:
    return caller.post(f"/v1/games/{game}/hands", {"dealer": dealer, "result": result or RESULT})


def test_a_result_is_recorded_in_the_place_of_a_deal(recorder: Caller):
    game = recorder.open()
    answer = report(recorder, game)
    told = answer.json()
    assert (answer.status_code, answer.headers["etag"], told["position"], told["phase"], told["to_act"]) == (201, '"2"', 2, "hand_over", [])
    assert told["closed_hands"] == [{"hand": 1, "end": "played_out", "points": [7, 4], "totals": [7, 4]}]
    [event] = told["events"]
    assert (event["name"], event["body"]) == (
        "hand.reported/1",
        {
            "dealer": 0,
            "edition": RULESETS["casino"].edition,
            "result": {"points": [7, 4]},
            "effects": [["hand", 1, 0], ["scored", "result", [7, 4]], ["closed", "played_out", {"reported": True}]],
        },
    )


def test_it_stands_on_the_sheet_marked(recorder: Caller):
    game = recorder.open()
    report(recorder, game)
    [hand] = recorder.get(f"/v1/games/{game}/score-sheet").json()["hands"]
    assert hand == {
        "hand": 1,
        "dealer": 0,
        "end": "played_out",
        "rows": {"result": [7, 4]},
        "points": [7, 4],
        "totals": [7, 4],
        "facts": {"reported": True},
    }


def test_it_happened_when_the_recorder_says(recorder: Caller):
    game = recorder.open()
    body = {"dealer": 0, "result": RESULT, "happened_at": "2026-11-20T19:00:00Z"}
    [event] = recorder.post(f"/v1/games/{game}/hands", body).json()["events"]
    assert event["happened_at"] == "2026-11-20T19:00:00.000000Z"


def test_a_dry_run_records_nothing(recorder: Caller):
    game = recorder.open()
    tried = recorder.post(f"/v1/games/{game}/hands?dry_run=true", {"dealer": 0, "result": RESULT})
    assert (tried.status_code, tried.json()["dry_run"], tried.json()["closed_hands"][0]["points"]) == (200, True, [7, 4])
    assert recorder.get(f"/v1/games/{game}").json()["position"] == 1


def test_a_deal_that_is_tried_shows_the_deck_of_the_request(recorder: Caller):
    body, game = {"dealer": 0, "deck": ["3H", "9C", "KD", "2D"], "fill": "sorted"}, recorder.open()
    tried, dealt = (recorder.post(f"/v1/games/{game}/hands{query}", body) for query in ("?dry_run=true", ""))
    assert tried.status_code == 200
    assert [one["body"] for one in tried.json()["events"]] == [one["body"] for one in dealt.json()["events"]]


@pytest.mark.parametrize("beside", [{"deck": "unknown"}, {"deal": {}}, {"fill": "sorted"}, {"known": {}}, {"board": 1}])
def test_a_result_stands_alone(recorder: Caller, beside: dict[str, Any]):
    answer = recorder.post(f"/v1/games/{recorder.open()}/hands", {"dealer": 0, "result": RESULT, **beside})
    assert (answer.status_code, answer.json()["code"], answer.json()["where"]) == (422, "malformed_body", "result")


def test_what_cannot_be_counted_is_refused_in_words_of_both_languages(recorder: Caller):
    game = recorder.open()
    refused = report(recorder, game, points=[7, 4], rows={"cards": [3, 0]})
    assert (refused.status_code, refused.json()["code"], refused.json()["rules"]) == (422, "bad_result", ["COM-67"])
    assert refused.json()["detail"] == (
        "The result of the hand cannot be counted. The rows of party 0 add up to 3, not to 7. Name all of them, or none."
        " Compare it with the paper."
    )
    german = recorder.post(
        f"/v1/games/{game}/hands", {"dealer": 0, "result": {"points": [7, 4], "end": "stopped"}}, headers={"Accept-Language": "de"}
    )
    assert german.json()["detail"] == (
        "Das Ergebnis des Spiels lässt sich nicht zählen. Ein Spiel mit diesen Punkten kann nicht mit „stopped“ enden."
        " Möglich: „played_out“. Bitte mit dem Zettel vergleichen."
    )


def test_who_may_deal_may_report_and_nobody_else(service: Service, recorder: Caller):
    game = recorder.open()
    assert report(service.caller("viewer"), game).status_code == 403


def test_a_hand_is_reported_between_two_that_are_dealt(recorder: Caller):
    game = recorder.open()
    recorder.post(f"/v1/games/{game}/hands", {"dealer": 0})
    assert report(recorder, game).json()["code"] == "hand_in_progress"


def test_a_report_is_taken_back_as_moves_are(recorder: Caller):
    game = recorder.open()
    report(recorder, game)
    assert recorder.post(f"/v1/games/{game}/rewinds", {"to": 1}).status_code == 201
    assert report(recorder, game, points=[4, 7]).status_code == 201
    sheet = recorder.get(f"/v1/games/{game}/score-sheet").json()
    assert (sheet["totals"], [hand["hand"] for hand in sheet["hands"]]) == ([4, 7], [1])
    history = recorder.get(f"/v1/games/{game}/history").json()["events"]
    assert [(event["name"], event.get("void", False)) for event in history][1:] == [
        ("hand.reported/1", True),
        ("game.rewound/1", False),
        ("hand.reported/1", False),
    ]


def test_a_report_that_was_taken_back_leaves_no_score_lines(recorder: Caller):
    game = recorder.open(players=["taken-back", None])
    report(recorder, game)
    assert recorder.post(f"/v1/games/{game}/rewinds", {"to": 1}).status_code == 201
    report(recorder, game, points=[4, 7])
    lines = recorder.get("/v1/scores?player=taken-back").json()["items"]
    assert [(line["hand"], line["position"], line["row"], line["points"], line["state"]) for line in lines] == [
        (1, 4, "result", 4, "counted")
    ]


def test_a_report_that_a_ruling_takes_back_is_struck_in_the_score_lines(service: Service, recorder: Caller):
    game = recorder.open(players=["struck-out", None])
    report(recorder, game)
    arbiter = service.caller("arbiter")
    assert arbiter.post(f"/v1/games/{game}/rulings", {"decision": "rewind", "to": 1, "reason": "another game"}).status_code == 201
    lines = recorder.get("/v1/scores?player=struck-out").json()["items"]
    assert [(line["row"], line["points"], line["state"], line["ruling"]) for line in lines] == [("result", 7, "struck", 1)]


def test_the_game_is_over_with_the_hand_that_brings_its_end(recorder: Caller):
    game = recorder.open(options={"target": 11})
    told = report(recorder, game, points=[11, 3]).json()
    assert (told["phase"], len(told["events"])) == ("game_over", 1)
    assert recorder.get(f"/v1/games/{game}/score-sheet").json()["places"] == [1, 2]


def sheet_of(caller: Caller, game: str, format: str, language: str = "en") -> str:
    return str(caller.get(f"/v1/games/{game}/score-sheet?format={format}", headers={"Accept-Language": language}).text)


def both_kinds(recorder: Caller) -> str:
    """A game with a hand of which only the points are known, and one of which the rows are."""
    game = recorder.open()
    report(recorder, game)
    report(recorder, game, 1, points=[3, 2], rows={"cards": [3, 0], "little_casino": [0, 1], "ace_clubs": [0, 1]})
    return game


def test_a_sheet_for_spreadsheets_marks_it_by_its_end(recorder: Caller):
    lines = sheet_of(recorder, both_kinds(recorder), "csv").splitlines()
    assert lines[1:5] == [
        ",,,start_totals,0,0",
        "1,0,reported: played_out,points,7,4",
        "1,0,reported: played_out,totals,7,4",
        "2,1,reported: played_out,cards,3,0",
    ]
    assert lines[-3:] == ["2,1,reported: played_out,points,3,2", "2,1,reported: played_out,totals,10,6", ",,,totals,10,6"]


def test_a_hand_whose_end_nobody_told_is_marked_on_it_too(recorder: Caller):
    game = recorder.open(ruleset="alcasan")
    report(recorder, game, points=[1, 0])
    assert sheet_of(recorder, game, "csv").splitlines()[2:4] == ["1,0,reported,seats_beaten,1,0", "1,0,reported,points,1,0"]


def test_a_struck_hand_stays_marked(service: Service, recorder: Caller):
    game = both_kinds(recorder)
    arbiter = service.caller("arbiter")
    assert arbiter.post(f"/v1/games/{game}/rulings", {"decision": "rewind", "to": 2, "reason": "another game"}).status_code == 201
    assert '2,1,"struck by ruling 1, reported",points,3,2' in sheet_of(recorder, game, "csv").splitlines()
    assert "Struck out, only the result is known (ruling 1)" in words(sheet_of(recorder, game, "html"))


ON_PAPER = {
    "en": ["1 only the result is known", "Points 7 4", "Totals 7 4", "2 only the result is known", "Cards 3 0"],
    "de": ["1 nur das Ergebnis ist bekannt", "Punkte 7 4", "Stand 7 4", "2 nur das Ergebnis ist bekannt", "Karten 3 0"],
}


@pytest.mark.parametrize("language", ON_PAPER)
def test_a_sheet_to_print_says_so_in_words(recorder: Caller, language: str):
    page = sheet_of(recorder, both_kinds(recorder), "html", language)
    assert [words(line) for line in part(page, "<tr")][1:6] == ON_PAPER[language]


@pytest.mark.parametrize("language", ON_PAPER)
def test_a_sheet_as_pdf_says_the_same(recorder: Caller, language: str):
    game = both_kinds(recorder)
    sheet = convert(recorder.get(f"/v1/games/{game}/score-sheet").json(), Sheet)
    about = RULESETS["casino"].about()
    paper = Paper(UUID(game), 3, opening((None, None)), (None, None), sheet, about, None, date(2026, 11, 21), language)
    rows = decode(print_sheet(paper).told)["rows"]
    told = [" ".join((row["hand"], row["label"], *row["cells"])).strip() for row in rows]
    assert told[:5] == ON_PAPER[language]


FRAMES = {
    "en": "Hand 1, dealt by seat 0: only its result is known. Counted: Result 7 : 4. Hand 1 is over (played out): 7 : 4, in all 7 : 4.",
    "de": "Spiel 1, gegeben von Sitz 0: Nur das Ergebnis ist bekannt. Gezählt: Ergebnis 7 : 4. Spiel 1 ist zu Ende (ausgespielt): 7 : 4,"
    " zusammen 7 : 4.",
}


@pytest.mark.parametrize("language", FRAMES)
def test_a_replay_says_that_only_the_result_is_known(recorder: Caller, language: str):
    game = recorder.open()
    report(recorder, game)
    frames = recorder.get(f"/v1/games/{game}/replay?hand=1", headers={"Accept-Language": language}).json()["frames"]
    assert [(frame["position"], frame["hand"], frame["caption"]) for frame in frames] == [(2, 1, FRAMES[language])]
    assert frames[0]["table"]["phase"] == "hand_over"


def test_viewers_read_a_report_like_everybody_else(service: Service, recorder: Caller):
    game = recorder.open()
    report(recorder, game)
    viewer = service.caller("viewer")
    for what in ("replay", "table", "score-sheet"):
        assert viewer.get(f"/v1/games/{game}/{what}").status_code == 200
    assert viewer.get(f"/v1/games/{game}/history").json()["events"][1]["body"]["result"] == {"points": [7, 4]}


def test_there_is_no_move_and_no_table_in_a_reported_hand(recorder: Caller):
    game = recorder.open()
    report(recorder, game)
    page = recorder.get(f"/v1/games/{game}/legal-moves?seat=0").json()
    assert page["moves"] == []
    moved = recorder.post(f"/v1/games/{game}/moves", {"seat": 0, "move": {"type": "trail", "card": "3H"}})
    assert (moved.status_code, moved.json()["code"]) == (422, "hand_over")
    told = recorder.post(f"/v1/games/{game}/tellings", {"known": {"hand:0": ["3H"]}})
    assert (told.status_code, told.json()["code"]) == (422, "card_impossible")
    tried = recorder.post(f"/v1/games/{game}/branches", {"position": 2, "moves": [{"seat": 0, "move": {"type": "trail", "card": "3H"}}]})
    assert tried.json()["moves"][0]["code"] == "hand_over"


def test_officials_find_no_table_to_put_right_in_it(service: Service, recorder: Caller):
    game = recorder.open()
    report(recorder, game)
    arbiter = service.caller("arbiter")
    effects = [["moved", ["3H"], "hand:0", "hand:1"]]
    acts: dict[str, tuple[dict[str, Any], str]] = {
        "rectifications": ({"effects": effects}, "no_hand_to_rectify"),
        "stood-moves": ({"seat": 0, "move": {"type": "trail", "card": "3H"}, "effects": effects}, "no_hand_to_rectify"),
        "stoppage": ({}, "no_hand_to_stop"),
    }
    for act, (body, code) in acts.items():
        answer = arbiter.post(f"/v1/games/{game}/{act}", {"reason": "paper", **body})
        assert (answer.status_code, answer.json()["code"]) == (422, code)
    points = {"adjustments": [{"party": 0, "points": 5, "hand": 1}], "reason": "counted anew"}
    assert arbiter.post(f"/v1/games/{game}/adjustments", points).status_code == 201
    assert recorder.get(f"/v1/games/{game}/score-sheet").json()["totals"] == [12, 4]


def test_the_audit_says_that_there_is_nothing_to_judge_in_it(service: Service, recorder: Caller):
    game = recorder.open()
    report(recorder, game)
    found = service.caller("arbiter").get(f"/v1/games/{game}/audit").json()
    assert (found["verdict"], found["divergences"]) == ("sound", [])
    assert found["remarks"] == [{"position": 2, "text": "only the result of hand 1 is known: there are no moves in it to judge"}]


def test_its_record_gives_the_result_back_and_is_the_same_game(recorder: Caller):
    game = recorder.open()
    report(recorder, game, points=[3, 0], rows={"cards": [3, 0]})
    record = recorder.get(f"/v1/games/{game}/record").json()
    assert record["hands"] == [{"dealer": 0, "result": {"points": [3, 0], "rows": {"cards": [3, 0]}}}]
    first, second = (recorder.post("/v1/records", record) for _ in range(2))
    assert (first.status_code, second.status_code) == (201, 200)
    assert second.json()["records"][0]["already"] is True


def test_it_goes_through_the_feed_like_a_deal(recorder: Caller):
    game = recorder.open()
    sequence = report(recorder, game).json()["sequence"]
    entries = recorder.get(f"/v1/feed?name=hand.reported&after={sequence - 1}").json()["entries"]
    assert [(entry["id"], entry["name"], entry["position"]) for entry in entries] == [(game, "hand.reported/1", 2)]
