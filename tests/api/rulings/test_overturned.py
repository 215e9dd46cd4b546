"""An appeal can overturn: what the arbiter ordered is lifted, not booked against."""

from typing import Any

import pytest

from tests.api.conftest import Caller, Service
from tests.api.rulings.test_rulings import (
    TAKEN,
    WRONG,
    arbiter,
    committee,
    dealt,
    events,
    finish,
    finished,
    refused,
    sent,
    sheet,
    table,
    trail,
)

__all__ = ["arbiter", "committee"]

OVERTURN = {"decision": "overturn", "reason": "The arbiter was misinformed.", "public": True}
PENALTY = {"decision": "penalty", "reason": "late", "public": True}


def appealed(service: Service, game: str, ruling: dict[str, Any]) -> None:
    """Seat 1 raises a dispute, the arbiter rules, seat 0 appeals."""
    recorder = service.caller("recorder")
    sent(recorder, game, "disputes", {"seat": 1, "claim": "no"})
    sent(service.caller("arbiter"), game, "rulings", {"dispute": 1, **ruling})
    sent(recorder, game, "disputes/1/appeals", {"seat": 0})


def sound(caller: Caller, game: str) -> bool:
    return bool(caller.get(f"/v1/games/{game}/audit").json()["verdict"] == "sound")


def test_points_that_were_ordered_are_struck_and_the_old_winner_has_won(
    service: Service, recorder: Caller, committee: Caller, viewer: Caller
):
    game = finished(recorder)
    before = sheet(viewer, game)
    winner = before["winners"][0]
    appealed(service, game, {**PENALTY, "adjustments": [{"party": winner, "points": -50, "hand": 1}]})
    punished = sheet(viewer, game)
    assert punished["winners"] == [1 - winner]

    compared = sent(committee, game, "rulings?dry_run=true", {"dispute": 1, **OVERTURN})["score_sheets"]
    given = sent(committee, game, "rulings", {"dispute": 1, **OVERTURN})
    assert [event["name"] for event in given["events"]] == ["dispute.ruled/1", "order.lifted/1"]
    [penalty] = punished["adjustments"]
    lifted = {**penalty, "lifted_at": given["position"], "lifted_by": 2}
    after = sheet(viewer, game)
    assert after == before | {"lifted": [lifted]}
    assert compared == {"before": punished, "after": after}

    row = viewer.get(f"/v1/games/{game}").json()
    assert (row["totals"], row["winners"]) == (before["totals"], [winner])
    told = viewer.get(f"/v1/games/{game}/disputes").json()["rulings"]
    assert [(one["decision"], one["lifted_by"]) for one in told] == [("penalty", 2), ("overturn", None)]
    book = viewer.get(f"/v1/rulings?game={game}").json()["items"]
    assert [(one["decision"], one["lifted_by"]) for one in book] == [("overturn", None), ("penalty", 2)]
    assert (penalty["position"], "points.adjusted", True) in events(viewer, game)
    assert sound(recorder, game)


def test_what_was_lifted_is_struck_on_paper_and_in_the_table_for_spreadsheets(service: Service, recorder: Caller, committee: Caller):
    game = dealt(recorder)
    appealed(service, game, {**PENALTY, "adjustments": [{"party": 0, "points": -3}]})
    sent(committee, game, "rulings", {"dispute": 1, **OVERTURN})
    assert ",,struck by ruling 2,adjustment,-3,0" in recorder.get(f"/v1/games/{game}/score-sheet?format=csv").text.splitlines()
    page = recorder.get(f"/v1/games/{game}/score-sheet?format=html", headers={"Accept-Language": "de"}).text
    assert "Berichtigt (Entscheidung 1) – aufgehoben (Entscheidung 2)" in page
    assert "<del>-3</del>" in page
    assert recorder.get(f"/v1/games/{game}/score-sheet?format=pdf").content.startswith(b"%PDF")


def test_a_rewind_that_was_ordered_is_undone_and_what_it_took_back_stands_again(
    service: Service, recorder: Caller, committee: Caller, viewer: Caller
):
    game = dealt(recorder)
    sent(recorder, game, "moves", {"moves": [trail("QC", 0), trail("8H", 1)]})
    before = table(recorder, game)
    appealed(service, game, {"decision": "rewind", "to": 2, "reason": "played out of turn", "public": True})
    assert events(viewer, game)[2:4] == [(3, "move.played", True), (4, "move.played", True)]
    given = sent(committee, game, "rulings", {"dispute": 1, **OVERTURN})
    assert (given["turn"], table(recorder, game)) == (0, before)
    assert events(viewer, game)[2:] == [
        (3, "move.played", False),
        (4, "move.played", False),
        (5, "dispute.raised", False),
        (6, "dispute.ruled", False),
        (7, "game.rewound", True),
        (8, "dispute.appealed", False),
        (9, "dispute.ruled", False),
        (10, "order.lifted", False),
    ]
    assert refused(recorder, game, "rewinds", {"to": 3}) == "rewind_past_ruling"
    caption = viewer.get(f"/v1/games/{game}/replay?hand=1", headers={"Accept-Language": "de"}).json()["frames"][-1]["caption"]
    assert caption == "Was Entscheidung 1 bei Zug 7 angeordnet hat, ist durch Entscheidung 2 aufgehoben."
    finish(recorder, game)
    moves = recorder.get(f"/v1/games/{game}/record").json()["hands"][0]["moves"]
    assert moves[:2] == [trail("QC", 0), trail("8H", 1)]
    assert sound(recorder, game)


def test_a_rewind_into_an_earlier_hand_is_undone_with_the_hand_the_points_and_the_winner(
    service: Service, recorder: Caller, committee: Caller, viewer: Caller
):
    game = finished(recorder)
    arbiter = service.caller("arbiter")
    sent(arbiter, game, "adjustments", {"adjustments": [{"party": 0, "points": 2, "hand": 1}], "reason": "a sweep was forgotten"})
    before = sheet(recorder, game)
    appealed(service, game, {"decision": "rewind", "to": 5, "reason": "again from here"})
    assert (sheet(recorder, game)["hands"], sheet(recorder, game)["finished"]) == ([], False)
    sent(arbiter, game, "adjustments", {"adjustments": [{"party": 1, "points": -1}], "reason": "late"})
    sent(committee, game, "rulings", {"dispute": 1, **OVERTURN})
    after = sheet(recorder, game)
    [sweep, late] = after["adjustments"]
    assert after == before | {
        "adjustments": [*before["adjustments"], late],
        "totals": [before["totals"][0], before["totals"][1] - 1],
    }
    assert (sweep["points"], late["points"], "struck" in after) == (2, -1, False)
    row = viewer.get(f"/v1/games/{game}").json()
    assert (row["finished"], row["totals"]) == (True, after["totals"])
    assert sound(recorder, game)


ORDERS: dict[str, dict[str, Any]] = {
    "a rectification": {"decision": "rectify", "effects": [["moved", ["5S"], "board", "won:0"]], "reason": "x"},
    "an annulment": {"decision": "annul", "reason": "x"},
}


@pytest.mark.parametrize("order", ORDERS.values(), ids=ORDERS)
def test_what_was_ordered_is_lifted_and_the_table_lies_as_before(
    service: Service, recorder: Caller, committee: Caller, order: dict[str, Any]
):
    game = dealt(recorder)
    before, paper = table(recorder, game), sheet(recorder, game)
    appealed(service, game, order)
    sent(committee, game, "rulings", {"dispute": 1, **OVERTURN})
    assert (table(recorder, game), sheet(recorder, game)) == (before, paper)
    assert recorder.get(f"/v1/games/{game}").json()["state"] == "open"
    sent(recorder, game, "moves", trail("QC", 0))
    assert sound(recorder, game)


def test_an_annulled_game_counts_again_with_its_hands(service: Service, recorder: Caller, committee: Caller, viewer: Caller):
    game = finished(recorder)
    before = sheet(viewer, game)
    appealed(service, game, {"decision": "annul", "reason": "two packs were mixed up"})
    assert sheet(viewer, game)["hands"] == []
    sent(committee, game, "rulings", {"dispute": 1, **OVERTURN})
    assert sheet(viewer, game) == before
    assert [one["id"] for one in viewer.get("/v1/games?state=annulled").json()["items"] if one["id"] == game] == []
    assert viewer.get(f"/v1/games/{game}").json()["winners"] == before["winners"]
    assert sound(recorder, game)


def test_all_that_a_ruling_ordered_is_lifted_together(service: Service, recorder: Caller, arbiter: Caller, committee: Caller):
    game = dealt(recorder)
    sent(recorder, game, "moves", trail("QC", 0))
    before = table(recorder, game)
    sent(recorder, game, "disputes", {"claim": "no"})
    sent(arbiter, game, "rulings", {"dispute": 1, "decision": "rewind", "to": 2, "reason": "x"})
    sent(arbiter, game, "adjustments", {"adjustments": [{"party": 0, "points": -1}], "reason": "x", "ruling": 1})
    sent(arbiter, game, "stood-moves", {"seat": 0, "move": WRONG, "effects": TAKEN, "ruling": 1})
    sent(recorder, game, "disputes/1/appeals", {})
    given = sent(committee, game, "rulings", {"dispute": 1, **OVERTURN})
    assert [(event["name"], event["body"].get("position")) for event in given["events"]] == [
        ("dispute.ruled/1", None),
        ("order.lifted/1", 8),
        ("order.lifted/1", 7),
        ("order.lifted/1", 6),
    ]
    assert (table(recorder, game), sheet(recorder, game)["totals"]) == (before, [0, 0])
    assert sound(recorder, game)


def test_once_moves_were_played_a_rewind_cannot_be_lifted_until_they_are_taken_back(service: Service, recorder: Caller, committee: Caller):
    game = dealt(recorder)
    sent(recorder, game, "moves", trail("QC", 0))
    before = table(recorder, game)
    appealed(service, game, {"decision": "rewind", "to": 2, "reason": "x"})
    sent(recorder, game, "moves", trail("4S", 0))
    answer = committee.post(f"/v1/games/{game}/rulings", {"dispute": 1, **OVERTURN})
    assert (answer.status_code, answer.json()["code"]) == (422, "played_since")
    assert "Take the game back to move 6 first" in answer.json()["detail"]
    sent(recorder, game, "rewinds", {"to": 7})
    sent(committee, game, "rulings", {"dispute": 1, **OVERTURN})
    assert table(recorder, game) == before
    assert sound(recorder, game)


def test_points_are_lifted_also_when_moves_were_played_since(service: Service, recorder: Caller, committee: Caller):
    game = dealt(recorder)
    appealed(service, game, {**PENALTY, "adjustments": [{"party": 0, "points": -3}, {"party": 1, "points": 1}]})
    sent(recorder, game, "moves", trail("QC", 0))
    sent(committee, game, "rulings", {"dispute": 1, **OVERTURN})
    assert (sheet(recorder, game)["totals"], len(sheet(recorder, game)["lifted"])) == ([0, 0], 2)
    assert sound(recorder, game)


def test_a_ruling_without_a_dispute_is_overturned_by_its_number(service: Service, recorder: Caller, arbiter: Caller, committee: Caller):
    game = dealt(recorder)
    sent(arbiter, game, "rulings", {**PENALTY, "adjustments": [{"party": 0, "points": -3}]})
    appealed(service, game, {"decision": "stands", "reason": "the penalty stays"})
    assert refused(committee, game, "rulings", {"dispute": 1, **OVERTURN}) == "nothing_to_lift"
    sent(committee, game, "rulings", {"dispute": 1, **OVERTURN, "lifts": 1})
    assert sheet(recorder, game)["totals"] == [0, 0]
    told = recorder.get(f"/v1/games/{game}/disputes").json()["rulings"]
    assert [one["lifted_by"] for one in told] == [3, None, None]


def test_what_was_lifted_is_not_lifted_again(service: Service, recorder: Caller, committee: Caller):
    game = dealt(recorder)
    appealed(service, game, {**PENALTY, "adjustments": [{"party": 0, "points": -3}]})
    sent(committee, game, "rulings", {"dispute": 1, **OVERTURN})
    sent(recorder, game, "disputes/1/appeals", {})
    for wrong in (OVERTURN, {**OVERTURN, "lifts": 1}):
        assert refused(committee, game, "rulings", {"dispute": 1, **wrong}) == "nothing_to_lift"
    assert refused(committee, game, "rulings", {"dispute": 1, **OVERTURN, "lifts": 9}) == "no_such_ruling"


def test_only_the_committee_overturns_and_only_on_appeal(service: Service, recorder: Caller, arbiter: Caller, committee: Caller):
    game = dealt(recorder)
    sent(recorder, game, "disputes", {"claim": "no"})
    for dispute in (1, None):
        assert refused(arbiter, game, "rulings", {"dispute": dispute, **OVERTURN}) == "committee_overturns"
    assert refused(committee, game, "rulings", {"dispute": 1, **OVERTURN}) == "nothing_appealed"
    assert refused(arbiter, game, "rulings", {"dispute": 1, "decision": "stands", "reason": "x", "lifts": 1}) == "malformed_body"
    assert refused(arbiter, game, "rulings", {"dispute": 1, **OVERTURN, "to": 2}) == "malformed_body"


def test_what_is_restored_shows_viewers_no_hidden_card(service: Service, recorder: Caller, committee: Caller, viewer: Caller):
    game = dealt(recorder, openness="never")
    sent(recorder, game, "moves", trail("QC", 0))
    appealed(service, game, {"decision": "rewind", "to": 2, "reason": "secret"})
    sent(committee, game, "rulings", {"dispute": 1, **OVERTURN, "public": False})
    [lifted] = [one for one in viewer.get(f"/v1/games/{game}/history?limit=100").json()["events"] if one["name"] == "order.lifted/1"]
    hands = [zone["cards"] for name, zone in lifted["body"]["restored"]["zones"].items() if name.startswith("hand:")]
    assert {card for hand in hands for card in hand} == {"?"}
    assert lifted["body"]["reason"] is None


def test_a_full_record_takes_what_was_lifted_along(service: Service, recorder: Caller, committee: Caller):
    game = dealt(recorder)
    sent(recorder, game, "moves", trail("QC", 0))
    appealed(service, game, {"decision": "rewind", "to": 2, "reason": "x"})
    sent(committee, game, "rulings", {"dispute": 1, **OVERTURN})
    answer = service.caller("director").post("/v1/records", recorder.get(f"/v1/games/{game}/record?full=true").text)
    assert (answer.status_code, answer.json()["already"]) == (200, 1)
    assert "note" not in recorder.get(f"/v1/games/{game}/record").json()


def test_a_rule_that_does_not_exist_is_named_with_what_to_do_instead(recorder: Caller, arbiter: Caller):
    game = dealt(recorder)
    answer = arbiter.post(f"/v1/games/{game}/rulings", {"decision": "stands", "reason": "x", "rules": ["CNO-22", "HO-7"]})
    told = "There is no rule HO-7 in this game. A ruling cites rules of the game and those that all games share (COM); regulations of a"
    assert (answer.status_code, answer.json()["code"], answer.json()["detail"]) == (
        422,
        "no_such_rule",
        f"{told} house go into the reason.",
    )
    sent(arbiter, game, "rulings", {"decision": "stands", "reason": "HO-7, late arrival", "rules": ["COM-23", "CNO-22"]})
