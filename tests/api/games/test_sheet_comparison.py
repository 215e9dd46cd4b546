"""A sheet of paper is held against a recorded game, over HTTP: where they differ, and where to look."""

from typing import Any

import pytest

from tests.api.conftest import Caller, Service
from tests.api.games.test_signatures import game, points, stopped_hand
from tests.api.rulings.test_rulings import arbiter, sent, sheet

__all__ = ["arbiter", "game"]


def compared(caller: Caller, game: str, paper: object, **given: Any) -> dict[str, Any]:
    answer = caller.post(f"/v1/games/{game}/reconciliation", paper, **given)
    assert answer.status_code == 200, answer.text
    return dict(answer.json())


def copied(sheet: dict[str, Any]) -> dict[str, Any]:
    """The sheet as somebody would write it down who writes down everything."""
    hands = [{name: hand[name] for name in ("hand", "rows", "points", "totals")} for hand in sheet["hands"]]
    given = [{name: one[name] for name in ("hand", "party", "points")} for one in sheet.get("adjustments", ())]
    return {"hands": hands, "start_totals": sheet["start_totals"], "totals": sheet["totals"], "adjustments": given}


def test_a_paper_that_says_the_same_agrees_and_nothing_is_recorded(recorder: Caller, arbiter: Caller, viewer: Caller, game: str):
    points(arbiter, game, 0, -100)
    told = compared(viewer, game, copied(sheet(viewer, game)))
    assert told == {"game": game, "position": 4, "agrees": True, "differences": [], "replay": None}
    assert recorder.get(f"/v1/games/{game}").json()["position"] == 4


def test_a_number_that_differs_is_told_with_its_place_and_the_replay_of_its_hand(
    recorder: Caller, arbiter: Caller, viewer: Caller, game: str
):
    stopped_hand(recorder, arbiter, game, 1)
    paper = copied(sheet(viewer, game))
    recorded = paper["hands"][1]["rows"]["hand_cards"]
    paper["hands"][1]["rows"]["hand_cards"] = [recorded[0], recorded[1] + 10]
    told = compared(viewer, game, paper)
    replay = f"/v1/games/{game}/replay?first=4&last=5"
    assert (told["agrees"], told["replay"]) == (False, replay)
    assert told["differences"] == [
        {
            "what": "row",
            "hand": 2,
            "row": "hand_cards",
            "parties": [1],
            "paper": [recorded[0], recorded[1] + 10],
            "recorded": recorded,
            "sentence": f"Hand 2, Cards in hand: {recorded[0]} : {recorded[1] + 10} on paper, {recorded[0]} : {recorded[1]} recorded.",
            "replay": replay,
        }
    ]
    assert [frame["name"] for frame in viewer.get(replay).json()["frames"]] == ["hand.dealt/1", "hand.stopped/1"]


def test_each_way_to_differ_is_said_in_words_of_both_languages(recorder: Caller, arbiter: Caller, game: str):
    points(arbiter, game, 0, -100)
    paper = {"hands": [{"hand": 2, "points": [5, 6]}], "totals": [1, 2]}
    english, german = (
        [one["sentence"] for one in compared(recorder, game, paper, headers={"Accept-Language": language})["differences"]]
        for language in ("en", "de")
    )
    assert english == [
        "Hand 1 is not on the paper; recorded is -155 : -155.",
        "Hand 2 is on the paper with 5 : 6 and not recorded.",
        "Points given or taken for no hand: 0 : 0 on paper, -100 : 0 recorded.",
        "Totals: 1 : 2 on paper, -255 : -155 recorded.",
    ]
    assert german == [
        "Spiel 1 steht nicht auf dem Papier; aufgezeichnet ist -155 : -155.",
        "Spiel 2 steht mit 5 : 6 auf dem Papier und ist nicht aufgezeichnet.",
        "Berichtigung ohne Spiel: auf dem Papier 0 : 0, aufgezeichnet -100 : 0.",
        "Stand: auf dem Papier 1 : 2, aufgezeichnet -255 : -155.",
    ]


def test_the_replay_of_an_adjustment_is_its_position_and_what_is_not_recorded_has_none(recorder: Caller, arbiter: Caller, game: str):
    points(arbiter, game, 0, -100)
    paper = {"hands": [{"points": [-155, -155]}, {"points": [5, 6]}], "start_totals": [0, 1]}
    told = compared(recorder, game, paper)
    assert [(one["what"], one.get("replay")) for one in told["differences"]] == [
        ("start_totals", None),
        ("missing_in_record", None),
        ("adjustments", f"/v1/games/{game}/replay?first=4&last=4"),
    ]
    assert told["replay"] == f"/v1/games/{game}/replay?first=4&last=4"


def test_a_hand_that_is_struck_out_leads_to_where_it_lay_and_was_struck(recorder: Caller, arbiter: Caller):
    game = recorder.open()
    stopped_hand(recorder, arbiter, game, 0)
    told = compared(recorder, game, {"hands": [{"hand": 1, "points": [3, 8]}]})
    [one] = told["differences"]
    assert (one["what"], one["recorded"], one["replay"]) == ("struck_in_record", [0, 0], f"/v1/games/{game}/replay?first=2&last=3")


def test_a_hand_of_which_only_the_result_is_known_is_compared_signed_and_has_nothing_to_replay(recorder: Caller, viewer: Caller):
    game = recorder.open()
    sent(recorder, game, "hands", {"dealer": 0, "result": {"points": [7, 4]}})
    assert compared(viewer, game, copied(sheet(viewer, game)))["agrees"] is True
    told = compared(viewer, game, {"hands": [{"points": [7, 3], "rows": {"cards": [3, 0]}}]})
    [one] = told["differences"]
    assert (one["what"], one["paper"], one["recorded"], "replay" in one, told["replay"]) == ("points", [7, 3], [7, 4], False, None)
    sent(recorder, game, "signatures", {"party": 0, "position": 2})
    assert sheet(viewer, game)["signatures"][0]["stands"] is True
    assert ",,signed,signature,2," in viewer.get(f"/v1/games/{game}/score-sheet?format=csv").text.splitlines()


def test_a_past_position_is_compared_with_the_sheet_of_then(recorder: Caller, arbiter: Caller, game: str):
    paper = copied(sheet(recorder, game))
    stopped_hand(recorder, arbiter, game, 1)
    assert compared(recorder, game, {**paper, "position": 3})["agrees"] is True
    assert [one["what"] for one in compared(recorder, game, paper)["differences"]] == ["missing_on_paper", "totals"]


@pytest.mark.parametrize(
    ("paper", "where", "detail"),
    [
        ({}, "$", '"hands" is missing.'),
        ({"hands": [{"points": [1, 2]}, {"points": [1]}]}, "hands[1].points", "Every party has a number here: 2 numbers, not 1."),
        ({"hands": [{"points": [1, 2.5]}]}, "hands[0].points[1]", "This has to be a whole number, not a number with a fraction."),
        ({"hands": [{"points": [1, 2], "row": {}}]}, "hands[0]", 'There is no field "row".'),
        ({"hands": [{"points": [1, 2], "rows": {"cards": [1, 2]}}]}, "hands[0].rows.cards", 'This game has no row "cards".'),
    ],
)
def test_a_paper_that_cannot_be_read_is_refused_with_the_place(recorder: Caller, game: str, paper: dict[str, Any], where: str, detail: str):
    answer = recorder.post(f"/v1/games/{game}/reconciliation", paper)
    assert (answer.status_code, answer.json()["code"]) == (422, "malformed_body")
    assert (answer.json()["where"], answer.json()["detail"][: len(detail)]) == (where, detail)


def test_whoever_may_read_the_sheet_may_compare_it(service: Service, game: str):
    paper: dict[str, Any] = {"hands": []}
    assert service.caller(None).post(f"/v1/games/{game}/reconciliation", paper).status_code == 401
    assert service.caller("viewer").post(f"/v1/games/{game}/reconciliation", paper).status_code == 200
    nowhere = "00000000-0000-4000-8000-000000000000"
    assert service.caller("viewer").post(f"/v1/games/{nowhere}/reconciliation", paper).status_code == 404
    assert service.caller("viewer").post(f"/v1/games/{game}/reconciliation", {**paper, "position": 99}).status_code == 404
