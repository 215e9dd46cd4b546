"""Sides sign the score sheet, over HTTP: what they sign, and what every form of the sheet says about it afterwards."""

import json
from hashlib import sha256
from typing import Any

import pytest

from tests.api.conftest import Caller, Service
from tests.api.markup import part, words
from tests.api.rulings.test_rulings import arbiter, refused, sent, sheet

__all__ = ["arbiter"]


@pytest.fixture
def game(recorder: Caller, arbiter: Caller) -> str:
    """A game of Canasta after its first hand, at position 3: -155 points for each, since it was stopped at once."""
    for name in ("anna", "bert"):
        recorder.post("/v1/players", {"id": name, "name": name})
    game = recorder.open(ruleset="canasta", seats=2, players=["anna", "bert"])
    stopped_hand(recorder, arbiter, game, 0)
    return game


def stopped_hand(recorder: Caller, arbiter: Caller, game: str, dealer: int) -> None:
    sent(recorder, game, "hands", {"dealer": dealer, "deck": [], "fill": "sorted"})
    sent(arbiter, game, "stoppage", {})


def points(arbiter: Caller, game: str, party: int, points: int) -> int:
    given = {"adjustments": [{"party": party, "points": points}], "reason": "late"}
    return int(sent(arbiter, game, "adjustments", given)["position"])


def digest(caller: Caller, game: str) -> str:
    """Of the sheet as it stands."""
    return str(caller.get(f"/v1/games/{game}/score-sheet?digest=true").json()["digest"])


def signed(caller: Caller, game: str, party: int) -> dict[str, Any]:
    """The newest sheet; answers what was recorded."""
    return sent(caller, game, "signatures", {"party": party, "digest": digest(caller, game)})


def test_a_side_signs_the_sheet_that_was_shown_and_the_sheet_says_so(recorder: Caller, viewer: Caller, game: str):
    shown, its = sheet(recorder, game), digest(recorder, game)
    assert not shown.keys() & {"signatures", "digest"}
    given = sent(recorder, game, "signatures", {"party": 1, "digest": its})
    [event] = given["events"]
    assert (event["name"], event["body"]) == ("sheet.signed/1", {"party": 1, "position": 3, "digest": its})
    after = sheet(viewer, game)
    assert after["signatures"] == [{"party": 1, "position": 4, "sheet": 3, "digest": its, "stands": True}]
    assert after == {**shown, "signatures": after["signatures"]}


def test_a_signature_given_by_mistake_is_withdrawn_as_long_as_the_sheet_is_the_same(recorder: Caller, viewer: Caller, game: str):
    shown = sheet(recorder, game)
    signed(recorder, game, 1)
    [event] = sent(recorder, game, "signatures/4/withdrawal", {})["events"]
    assert (event["name"], event["body"]) == ("signature.withdrawn/1", {"party": 1, "position": 4})
    assert sheet(viewer, game) == shown
    assert refused(recorder, game, "signatures/4/withdrawal", {}) == "not_signed"
    told = viewer.get(f"/v1/games/{game}/replay?after=4", headers={"Accept-Language": "de"}).json()["frames"]
    assert [frame["caption"] for frame in told] == ["Die Unterschrift von Partei 1 ist zurückgezogen."]
    assert recorder.get(f"/v1/games/{game}/audit").json()["verdict"] == "sound"


def test_a_sheet_is_named_by_its_position_too_which_may_be_an_older_one_as_long_as_the_sheet_is_the_same(recorder: Caller, game: str):
    sent(recorder, game, "notes", {"text": "a draught"})
    sent(recorder, game, "signatures", {"party": 0, "position": 3})
    sent(recorder, game, "signatures", {"party": 1, "position": 4, "digest": digest(recorder, game)})
    assert [(one["party"], one["sheet"]) for one in sheet(recorder, game)["signatures"]] == [(0, 3), (1, 4)]


def test_the_digest_can_be_worked_out_from_the_answer_as_the_docs_say(recorder: Caller, arbiter: Caller, game: str):
    points(arbiter, game, 0, -100)
    signed(recorder, game, 0)
    told = recorder.get(f"/v1/games/{game}/score-sheet?digest=true").json()
    its, _ = told.pop("digest"), told.pop("signatures")
    assert [line.pop("reason") for line in told["adjustments"]] == ["late"]
    assert sha256(json.dumps(told, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode()).hexdigest() == its


def test_a_change_after_the_signature_is_told_with_its_position_and_the_totals(
    recorder: Caller, arbiter: Caller, viewer: Caller, game: str
):
    signed(recorder, game, 0)
    points(arbiter, game, 0, -100)
    points(arbiter, game, 1, 50)
    [one] = sheet(viewer, game)["signatures"]
    assert (one["stands"], one["changed"]) == (False, {"position": 5, "before": [-155, -155], "after": [-255, -105]})
    signed(recorder, game, 0)
    assert [(one["sheet"], one["stands"]) for one in sheet(viewer, game)["signatures"]] == [(3, False), (6, True)]
    then = viewer.get(f"/v1/games/{game}/score-sheet?position=4").json()
    assert [(one["sheet"], one["stands"]) for one in then["signatures"]] == [(3, True)]


def test_a_further_hand_changes_the_sheet_too(recorder: Caller, arbiter: Caller, game: str):
    signed(recorder, game, 0)
    sent(recorder, game, "hands", {"dealer": 1})
    assert sheet(recorder, game)["signatures"][0]["stands"] is True
    sent(arbiter, game, "stoppage", {})
    [one] = sheet(recorder, game)["signatures"]
    assert (one["stands"], one["changed"]["position"]) == (False, 6)


def test_another_sheet_than_the_newest_is_refused_with_what_to_do(recorder: Caller, arbiter: Caller, game: str):
    points(arbiter, game, 0, -100)
    then = recorder.get(f"/v1/games/{game}/score-sheet?position=3&digest=true").json()
    for shown in ({"position": 3}, {"digest": then["digest"]}):
        answer = recorder.post(f"/v1/games/{game}/signatures", {"party": 0, **shown})
        assert (answer.status_code, answer.json()["code"]) == (422, "sheet_changed")
        assert answer.json()["detail"] == (
            "That is not the score sheet as it stands (move 4): it was changed, or another one was shown. "
            "Read the sheet again, and let that one be signed."
        )


@pytest.mark.parametrize(
    ("body", "code"),
    [
        ({"party": 0, "position": 3, "digest": "0" * 64}, "other_digest"),
        ({"party": 0, "position": 99}, "no_such_position"),
        ({"party": 2, "position": 3}, "no_such_party"),
        ({"party": 0}, "malformed_body"),
        ({"party": 0, "digest": "ABC"}, "malformed_body"),
    ],
)
def test_what_cannot_be_signed_is_refused(recorder: Caller, game: str, body: dict[str, Any], code: str):
    assert refused(recorder, game, "signatures", body) == code


def test_a_side_signs_once_and_a_repeated_request_is_answered_again(recorder: Caller, game: str):
    body, key = {"party": 0, "position": 3}, {"Idempotency-Key": "signing"}
    first = recorder.post(f"/v1/games/{game}/signatures", body, headers=key)
    again = recorder.post(f"/v1/games/{game}/signatures", body, headers=key)
    assert (first.status_code, again.status_code, again.json()) == (201, 201, first.json())
    assert refused(recorder, game, "signatures", body) == "signed_already"


def test_nothing_is_signed_before_a_hand_is_finished(recorder: Caller):
    assert refused(recorder, recorder.open(), "signatures", {"party": 0, "position": 1}) == "nothing_to_sign"


def test_a_dry_run_of_a_ruling_shows_what_becomes_of_signatures(recorder: Caller, arbiter: Caller, game: str):
    signed(recorder, game, 0)
    given = {"adjustments": [{"party": 0, "points": -100}], "reason": "late"}
    tried = sent(arbiter, game, "adjustments?dry_run=true", given)["score_sheets"]
    assert [[one["stands"] for one in tried[when]["signatures"]] for when in ("before", "after")] == [[True], [False]]
    sent(arbiter, game, "adjustments", given)
    assert sheet(arbiter, game) == tried["after"]


def test_who_may_note_a_signature(service: Service, recorder: Caller, game: str):
    body = {"party": 0, "position": 3}
    assert service.caller("viewer").post(f"/v1/games/{game}/signatures", body).status_code == 403
    assert recorder.post(f"/v1/games/{game}/signatures", body, headers={"If-Match": '"2"'}).status_code == 412
    for role in ("recorder", "arbiter", "committee", "director"):
        tried = service.caller(role).post(f"/v1/games/{game}/signatures?dry_run=true", body)
        assert (tried.status_code, tried.json()["position"]) == (200, 4)
    assert "signatures" not in sheet(recorder, game)


def test_the_table_for_spreadsheets_has_a_line_for_each_signature(recorder: Caller, arbiter: Caller, viewer: Caller, game: str):
    signed(recorder, game, 0)
    signed(recorder, game, 1)
    assert viewer.get(f"/v1/games/{game}/score-sheet?format=csv").text.splitlines()[-2:] == [
        ",,signed,signature,3,",
        ",,signed,signature,,4",
    ]
    points(arbiter, game, 0, -100)
    assert viewer.get(f"/v1/games/{game}/score-sheet?format=csv").text.splitlines()[-4:] == [
        ",,changed at 6,signature,3,",
        ",,changed at 6,signed_totals,-155,-155",
        ",,changed at 6,signature,,4",
        ",,changed at 6,signed_totals,-155,-155",
    ]


def noted(caller: Caller, game: str, language: str) -> list[str]:
    page = caller.get(f"/v1/games/{game}/score-sheet?format=html", headers={"Accept-Language": language}).text
    return [words(line) for found in part(page, '<ul class="signed">') for line in part(found, "<li>")]


def test_the_printed_sheet_says_which_sheet_each_side_signed_last(recorder: Caller, arbiter: Caller, game: str):
    assert noted(recorder, game, "en") == []
    signed(recorder, game, 0)
    points(arbiter, game, 1, 50)
    signed(recorder, game, 0)
    signed(recorder, game, 1)
    assert noted(recorder, game, "en") == ["Signed by anna: the sheet of move 5.", "Signed by bert: the sheet of move 6."]
    position = points(arbiter, game, 1, -20)
    assert noted(recorder, game, "en")[0] == (
        f"Signed by anna: the sheet of move 5. Changed after the signature, first at move {position}: totals -155 : -105, now -155 : -125."
    )
    assert noted(recorder, game, "de")[1] == (
        "Unterschrieben von bert: der Zettel von Zug 6. "
        f"Nach der Unterschrift geändert, zuerst bei Zug {position}: Stand -155 : -105, jetzt -155 : -125."
    )


def test_a_pdf_of_a_signed_sheet_is_another_one(recorder: Caller, viewer: Caller, game: str):
    address = f"/v1/games/{game}/score-sheet?format=pdf"
    before = viewer.get(address)
    signed(recorder, game, 0)
    after = viewer.get(address)
    assert (after.content[:5], after.headers["etag"] == before.headers["etag"]) == (b"%PDF-", False)


def test_a_replay_and_a_history_tell_of_it_and_the_audit_finds_nothing(recorder: Caller, viewer: Caller, game: str):
    signed(recorder, game, 1)
    told = viewer.get(f"/v1/games/{game}/replay?after=3", headers={"Accept-Language": "de"}).json()["frames"]
    assert [frame["caption"] for frame in told] == ["Der Anschreibezettel von Zug 3 ist von Partei 1 unterschrieben."]
    assert [one["name"] for one in viewer.get(f"/v1/games/{game}/history?after=3").json()["events"]] == ["sheet.signed/1"]
    assert recorder.get(f"/v1/games/{game}/audit").json()["verdict"] == "sound"
    full = recorder.get(f"/v1/games/{game}/record?full=true").json()
    assert full["events"][-1]["name"] == "sheet.signed/1"
