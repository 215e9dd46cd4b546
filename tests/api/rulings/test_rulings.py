"""What arbiters, directors and committees do, over HTTP. A story for each game, from the disputed move to the sheet that counts."""

from typing import Any

import pytest

from tests.api.conftest import Caller, Service, trailing
from tests.api.web import browser, code
from tests.evening.book import below

DECK = ("4S", "3H", "5S", "2S", "8H", "9D", "7D", "QC", "6S", "5C", "8C", "TD")
"""Seat 0 holds 4S 3H 7D QC, seat 1 8H 9D 8C TD; 5S 2S 6S 5C lie on the table."""


@pytest.fixture
def arbiter(service: Service) -> Caller:
    return service.caller("arbiter")


@pytest.fixture
def director(service: Service) -> Caller:
    return service.caller("director")


@pytest.fixture
def committee(service: Service) -> Caller:
    return service.caller("committee")


def dealt(recorder: Caller, **options: Any) -> str:
    game = recorder.open(**options)
    recorder.deal(game, *DECK)
    return game


def sent(caller: Caller, game: str, what: str, body: object, **given: Any) -> dict[str, Any]:
    answer = caller.post(below(f"/v1/games/{game}", what), body, **given)
    assert answer.status_code in (200, 201), answer.text
    return dict(answer.json())


def refused(caller: Caller, game: str, what: str, body: object) -> str:
    answer = caller.post(below(f"/v1/games/{game}", what), body)
    assert answer.status_code == 422, answer.text
    assert answer.json()["detail"] != answer.json()["code"]
    return str(answer.json()["code"])


def events(caller: Caller, game: str) -> list[tuple[int, str, bool]]:
    told = caller.get(f"/v1/games/{game}/history?limit=1000").json()["events"]
    return [(event["position"], event["name"].partition("/")[0], event.get("void", False)) for event in told]


def sheet(caller: Caller, game: str) -> dict[str, Any]:
    return dict(caller.get(f"/v1/games/{game}/score-sheet").json())


def table(caller: Caller, game: str, **given: Any) -> dict[str, Any]:
    return dict(caller.get(f"/v1/games/{game}/table", **given).json())


def trail(card: str, seat: int) -> dict[str, Any]:
    return trailing(seat, card)


WRONG = {"type": "capture", "card": "7D", "groups": [["6S", "2S"]]}
TAKEN = [["moved", ["7D"], "hand:0", "won:0", False, True], ["moved", ["6S", "2S"], "board", "won:0"], ["turn", "play", 1, [1]]]


def test_casino_a_wrong_capture_is_noticed_two_moves_later_and_taken_back(
    service: Service, recorder: Caller, arbiter: Caller, viewer: Caller, committee: Caller
):
    game = dealt(recorder, options={"sweeps": True})
    before = table(arbiter, game)

    # At the table a seven took eight. The service refuses that as a move; the arbiter records that it stood.
    move = {"seat": 0, "move": WRONG}
    code = refused(recorder, game, "moves", move)
    stood = sent(arbiter, game, "stood-moves", {**move, "effects": TAKEN})
    assert stood["events"][0]["body"]["code"] == code
    sent(recorder, game, "moves", {"moves": [trail("8H", 1), trail("QC", 0)]})

    # Seat 1 objects, and play stops.
    raised = sent(recorder, game, "disputes", {"position": 3, "seat": 1, "claim": "Seven took eight.", "suspends": True})
    assert raised["events"][0]["body"]["number"] == 1
    assert refused(recorder, game, "moves", trail("9D", 1)) == "game_suspended"
    assert recorder.get(f"/v1/games/{game}").json()["state"] == "suspended"

    # The arbiter looks at what a rewind would bring, and orders it.
    ruling = {"decision": "rewind", "to": 2, "reason": "Groups have to make the value of the card.", "public": True, "rules": ["CNO-23"]}
    tried = sent(arbiter, game, "rulings?dry_run=true", {"dispute": 1, **ruling})
    assert (tried["dry_run"], tried["turn"], table(arbiter, game)["turn"]) == (True, 0, 1)
    given = sent(arbiter, game, "rulings", {"dispute": 1, **ruling})
    assert [event["name"] for event in given["events"]] == ["dispute.ruled/1", "game.rewound/1"]
    assert table(arbiter, game) == before
    assert events(viewer, game) == [
        (1, "game.opened", False),
        (2, "hand.dealt", False),
        (3, "move.stood", True),
        (4, "move.played", True),
        (5, "move.played", True),
        (6, "dispute.raised", False),
        (7, "dispute.ruled", False),
        (8, "game.rewound", False),
    ]

    # Seat 0 appeals; the committee lets the ruling stand, and play goes on.
    sent(recorder, game, "disputes/1/appeals", {"seat": 0, "deadline": "2026-11-21T23:00:00Z", "suspends": True})
    assert refused(recorder, game, "moves", trail("QC", 0)) == "game_suspended"
    assert refused(arbiter, game, "rulings", {"dispute": 1, "decision": "stands", "reason": "as before"}) == "committee_decides"
    sent(committee, game, "rulings", {"dispute": 1, "decision": "stands", "reason": "The arbiter was right.", "public": True})
    sent(recorder, game, "moves", {"seat": 0, "move": {"type": "capture", "card": "7D", "groups": [["5S", "2S"]]}})
    told = viewer.get(f"/v1/games/{game}/disputes").json()
    assert (told["state"], told["disputes"][0]["state"], "claim" in told["disputes"][0]) == ("open", "ruled", False)
    assert [(one["instance"], one["decision"], one["reason"]) for one in told["rulings"]] == [
        ("arbiter", "rewind", "Groups have to make the value of the card."),
        ("committee", "stands", "The arbiter was right."),
    ]
    assert recorder.get(f"/v1/games/{game}/audit").json()["verdict"] == "sound"


def test_a_refused_line_becomes_with_one_ruling_the_move_that_stood(
    service: Service, recorder: Caller, arbiter: Caller, viewer: Caller, committee: Caller
):
    game = dealt(recorder)
    before = table(arbiter, game)
    assert refused(recorder, game, "moves", {"seat": 0, "text": "7dx6s2s"}) == "wrong_sum"
    line = {"seat": 0, "text": "7dx6s2s"}
    sent(recorder, game, "disputes", {"claim": "Seven took eight.", "seat": 1, "suspends": True, "refused_move": line})
    (dispute,) = arbiter.get(f"/v1/games/{game}/disputes").json()["disputes"]
    assert dispute["refused_move"] == {"seat": 0, "move": {**WRONG, "builds": []}, "code": "wrong_sum", "rules": ["CNO-23"]}
    assert "refused_move" not in viewer.get(f"/v1/games/{game}/disputes").json()["disputes"][0]

    # The cards go as the move says; the arbiter sees that before it is recorded.
    ruling = {"decision": "stands", "reason": "Nobody objected.", "rules": ["CNO-23"], "stood": {"seat": 0, "move": WRONG}}
    ruled, stood = sent(arbiter, game, "rulings?dry_run=true", {"dispute": 1, **ruling})["events"]
    assert (ruled["name"], stood["name"], stood["body"]["ruling"], stood["body"]["code"]) == (
        "dispute.ruled/1",
        "move.stood/1",
        1,
        "wrong_sum",
    )
    assert [effect[:4] for effect in stood["body"]["effects"]] == [
        ["moved", ["6S", "2S"], "board", "won:0"],
        ["moved", ["7D"], "hand:0", "won:0"],
        ["said", 0, "captured", 7],
        ["mark", "last_capturer", 0, None],
        ["turn", "play", 1, [1]],
    ]
    sent(arbiter, game, "rulings", {"dispute": 1, **ruling})
    assert (table(arbiter, game)["piles"][0], table(arbiter, game)["turn"]) == (["6S", "2S", "7D"], 1)
    assert recorder.get(f"/v1/games/{game}/audit").json()["verdict"] == "sound"

    # The committee sees it otherwise, and the cards lie as before.
    sent(recorder, game, "disputes/1/appeals", {"seat": 1})
    sent(committee, game, "rulings", {"dispute": 1, "decision": "overturn", "reason": "Somebody did."})
    assert table(arbiter, game) == before

    # It happens again, nobody disputes it, and the arbiter notes it unasked.
    (again,) = sent(arbiter, game, "stood-moves", line)["events"]
    assert again["body"] == {**stood["body"], "move": {**WRONG, "builds": []}, "reason": None, "ruling": None}
    sent(recorder, game, "moves", trail("8H", 1))
    assert recorder.get(f"/v1/games/{game}/audit").json()["verdict"] == "sound"


def test_who_is_signed_in_and_may_rule_is_named_while_a_dispute_waits(service: Service, recorder: Caller, arbiter: Caller, viewer: Caller):
    def called(caller: Caller) -> Any:
        return caller.get(f"/v1/games/{game}/disputes").json().get("called")

    game, other = dealt(recorder), dealt(recorder)
    assert called(recorder) is None
    sent(recorder, game, "disputes", {"claim": "Seven took eight."})
    assert (called(recorder), called(viewer)) == ([], None)
    director = service.caller("director")
    browser(service).enter(code(director, "director", label="Dora")["code"])
    assert called(recorder) == ["Dora"]
    for scope, label in ((game, "Ruth"), (other, "Otto")):
        browser(service).enter(code(director, "arbiter", {"game": scope}, label=label)["code"])
    assert called(recorder) == ["Ruth"]
    sent(recorder, game, "disputes/1/withdrawal", {})
    assert called(recorder) is None


def finished(recorder: Caller, target: int = 1) -> str:
    """A game of Casino in which only seat 0 takes what it can."""
    game = dealt(recorder, options={"target": target})
    finish(recorder, game)
    return game


def finish(recorder: Caller, game: str) -> None:
    while recorder.get(f"/v1/games/{game}").json()["phase"] == "play":
        page = recorder.get(f"/v1/games/{game}/legal-moves?limit=50").json()
        takes = [move for move in page["moves"] if (move["type"] == "capture") == (page["seat"] == 0)]
        sent(recorder, game, "moves", {"seat": page["seat"], "move": (takes or page["moves"])[0]})


def test_points_of_a_game_that_is_over_change_its_places(recorder: Caller, arbiter: Caller, viewer: Caller):
    game = finished(recorder)
    before = sheet(viewer, game)
    winner, loser = before["winners"][0], 1 - before["winners"][0]
    penalty = {"adjustments": [{"party": winner, "points": -50, "hand": 1}], "reason": "A card was held back."}
    compared = sent(arbiter, game, "adjustments?dry_run=true", penalty)["score_sheets"]
    position = sent(arbiter, game, "adjustments", penalty)["position"]
    after = sheet(viewer, game)
    adjustment = {"position": position, "hand": 1, "party": winner, "points": -50, "reason": "A card was held back.", "ruling": None}
    totals = [total - 50 * (party == winner) for party, total in enumerate(before["totals"])]
    expected = {"totals": totals, "winners": [loser], "places": [1 + (party == winner) for party in range(2)], "adjustments": [adjustment]}
    assert after == before | expected
    assert compared == {"before": before, "after": after}
    row = viewer.get(f"/v1/games/{game}").json()
    assert (row["totals"], row["winners"], row["finished"]) == (totals, [loser], True)


def test_a_ruling_goes_back_into_an_earlier_hand_and_what_it_voids_is_struck_out(recorder: Caller, arbiter: Caller, viewer: Caller):
    game = finished(recorder, target=100)
    last = recorder.get(f"/v1/games/{game}").json()["position"]
    old = sheet(viewer, game)
    recorder.deal(game, dealer=0)
    assert refused(recorder, game, "rewinds", {"to": 5}) == "rewind_too_far"
    penalty = {"decision": "penalty", "adjustments": [{"party": 1, "points": -1}], "reason": "late", "public": True}
    sent(arbiter, game, "rulings", penalty)
    ruling = {"decision": "rewind", "to": 5, "reason": "The hand is played again from here."}
    given = sent(arbiter, game, "rulings", ruling)
    new = sheet(viewer, game)
    struck: dict[str, Any] = {**old["hands"][0], "position": given["position"], "ruling": 2}
    assert (new["hands"], new["struck"], new["totals"], [one["points"] for one in new["adjustments"]]) == ([], [struck], [0, -1], [-1])
    finish(recorder, game)
    again = sheet(viewer, game)
    assert again["totals"] == [points - party for party, points in enumerate(again["hands"][0]["points"])]
    assert last > 5
    assert (again["hands"][0]["hand"], again["struck"]) == (1, [struck])

    lines = viewer.get(f"/v1/games/{game}/score-sheet?format=csv").text.splitlines()
    assert "1,1,struck by ruling 2,points," + ",".join(map(str, struck["points"])) in lines
    assert ",,ruling 1,adjustment,0,-1" in lines
    page = viewer.get(f"/v1/games/{game}/score-sheet?format=html").text
    assert "Struck out (ruling 2)" in page
    assert "Adjusted (ruling 1): late" in page


def test_an_annulled_game_counts_for_nothing_and_no_move_is_made_in_it(recorder: Caller, director: Caller, viewer: Caller):
    game = finished(recorder, target=100)
    hand = sheet(viewer, game)["hands"][0]
    position = sent(director, game, "annulment", {"reason": "Two packs were mixed up."})["position"]
    assert refused(recorder, game, "hands", {"dealer": 0}) == "game_annulled"
    assert refused(director, game, "adjustments", {"adjustments": [{"party": 0, "points": 1}], "reason": "x"}) == "game_annulled"
    now = sheet(viewer, game)
    assert (now["hands"], now["totals"], now["places"]) == ([], [0, 0], None)
    assert now["struck"] == [{**hand, "position": position, "ruling": None}]
    assert viewer.get("/v1/games?state=annulled").json()["items"][0]["id"] == game


def test_a_game_is_suspended_resumed_and_abandoned(recorder: Caller, director: Caller):
    game = dealt(recorder)
    assert refused(director, game, "DELETE suspension", {}) == "not_suspended"
    sent(director, game, "PUT suspension", {"reason": "fire alarm"})
    assert refused(director, game, "PUT suspension", {}) == "game_suspended"
    assert refused(recorder, game, "rewinds", {"to": 2}) == "game_suspended"
    sent(director, game, "DELETE suspension", {})
    sent(recorder, game, "moves", trail("QC", 0))
    sent(director, game, "abandonment", {"reason": "a player left"})
    assert refused(recorder, game, "moves", trail("8H", 1)) == "game_abandoned"
    assert recorder.get(f"/v1/games/{game}").json()["state"] == "abandoned"


def test_a_dispute_that_suspends_lets_play_go_on_when_it_is_withdrawn_or_the_game_resumed(recorder: Caller, director: Caller):
    for release in ("disputes/1/withdrawal", "DELETE suspension"):
        game = dealt(recorder)
        sent(recorder, game, "disputes", {"claim": "no", "suspends": True})
        sent(director, game, release, {})
        sent(recorder, game, "moves", trail("QC", 0))


def test_whoever_undoes_does_not_undo_what_an_arbiter_ordered(recorder: Caller, arbiter: Caller):
    game = dealt(recorder)
    sent(recorder, game, "moves", trail("QC", 0))
    sent(arbiter, game, "rulings", {"decision": "adjust", "adjustments": [{"party": 0, "points": 1}], "reason": "kind"})
    assert refused(recorder, game, "rewinds", {"to": 2}) == "rewind_past_ruling"


def test_each_role_does_what_is_its_own(service: Service, recorder: Caller):
    game = dealt(recorder)
    needs = {
        "moves": (trail("QC", 0), {"director", "recorder", "player"}),
        "players": ({"seat": 0, "player": "p_9"}, {"director", "recorder"}),
        "disputes": ({"claim": "no"}, {"director", "recorder", "arbiter", "committee", "player"}),
        "notes": ({"text": "no"}, {"director", "recorder", "arbiter", "committee"}),
        "rulings": ({"dispute": 1, "decision": "stands", "reason": "no"}, {"director", "arbiter", "committee"}),
        "rectifications": ({"effects": TAKEN, "reason": "no"}, {"director", "arbiter"}),
        "adjustments": ({"adjustments": [{"party": 0, "points": 1}], "reason": "no"}, {"director", "arbiter"}),
        "annulment": ({"reason": "no"}, {"director", "arbiter"}),
    }
    for path, (body, may) in needs.items():
        for role in ("director", "recorder", "arbiter", "committee", "viewer"):
            answer = service.caller(role).post(f"/v1/games/{game}/{path}?dry_run=true", body)
            assert (answer.status_code == 403) == (role not in may), (path, role, answer.text)
            assert answer.status_code != 403 or set(answer.json()["needs"]) == may


def test_the_committee_rules_on_disputes_only(committee: Caller, recorder: Caller):
    answer = committee.post(f"/v1/games/{dealt(recorder)}/rulings", {"decision": "stands", "reason": "no"})
    assert (answer.status_code, answer.json()["needs"]) == (403, ["director", "arbiter"])


def test_a_substitute_is_seated(recorder: Caller, viewer: Caller):
    game = recorder.open(players=["anna", "bert"])
    sent(recorder, game, "players", {"seat": 1, "player": "cora"})
    assert viewer.get(f"/v1/games/{game}").json()["players"] == ["anna", "cora"]
    assert [row["id"] for row in viewer.get("/v1/games?player=bert").json()["items"]] == [game]
    assert [row["id"] for row in viewer.get("/v1/games?player=cora").json()["items"]] == [game]
    assert refused(recorder, game, "players", {"seat": 0, "player": "cora"}) == "bad_players"


def test_an_act_is_done_once_under_its_key_and_not_on_another_position(recorder: Caller, arbiter: Caller):
    game = dealt(recorder)
    penalty = {"adjustments": [{"party": 0, "points": -1}], "reason": "late"}
    once, again = (sent(arbiter, game, "adjustments", penalty, headers={"Idempotency-Key": f"{game}-1"}) for _ in range(2))
    assert (once, sheet(recorder, game)["totals"]) == (again, [-1, 0])
    stale = arbiter.post(f"/v1/games/{game}/adjustments", penalty, headers={"If-Match": '"2"'})
    assert (stale.status_code, [event["name"] for event in stale.json()["missed"]]) == (412, ["points.adjusted/1"])


def test_when_it_happened_stands_beside_when_it_was_recorded(recorder: Caller, arbiter: Caller):
    game = dealt(recorder)
    told = sent(arbiter, game, "notes", {"text": "a draught", "position": 2, "happened_at": "2025-11-20T19:00:00+01:00"})
    assert told["events"][0]["happened_at"] == "2025-11-20T18:00:00.000000Z"


def test_officials_read_what_was_said_and_viewers_do_not(recorder: Caller, arbiter: Caller, viewer: Caller):
    game = dealt(recorder)
    sent(recorder, game, "disputes", {"position": 2, "claim": "The deal was wrong."})
    sent(arbiter, game, "notes", {"text": "a draught", "position": 1})
    sent(arbiter, game, "rulings", {"dispute": 1, "decision": "stands", "reason": "It was not."})
    told = recorder.get(f"/v1/games/{game}/notes").json()["notes"]
    assert [(one["position"], one["name"], one["about"], one["text"]) for one in told] == [
        (3, "dispute.raised/1", 2, "The deal was wrong."),
        (4, "note.added/1", 1, "a draught"),
        (5, "dispute.ruled/1", None, "It was not."),
    ]
    assert viewer.get(f"/v1/games/{game}/notes").status_code == 403


def test_a_director_erases_words_and_nobody_is_told_them_any_more(recorder: Caller, arbiter: Caller, director: Caller):
    game = dealt(recorder)
    reason = "Seat 1 slept."
    sent(arbiter, game, "rulings", {"decision": "penalty", "adjustments": [{"party": 1, "points": -1}], "reason": reason})
    paths = ("notes", "disputes", "score-sheet", "score-sheet?format=html", "record?full=true&texts=true")
    before = {path: recorder.get(f"/v1/games/{game}/{path}") for path in paths}
    assert all(reason in answer.text for answer in before.values())
    for who in (recorder, arbiter):
        assert who.delete(f"/v1/games/{game}/notes/3").status_code == 403
    assert [director.delete(f"/v1/games/{game}/notes/3").json()["erased"] for _ in range(2)] == [True, False]
    for path, answer in before.items():
        now = recorder.get(f"/v1/games/{game}/{path}", headers={"If-None-Match": answer.headers["etag"]})
        assert (now.status_code, reason in now.text) == (200, False), path
    assert director.delete(f"/v1/games/{game}/notes/2").json()["code"] == "unknown_note"
    assert recorder.get(f"/v1/games/{game}/audit").json()["verdict"] == "sound"


WRONG_ORDERS = {
    "a rewind to nowhere": {"decision": "rewind", "reason": "x"},
    "a rectification of nothing": {"decision": "rectify", "reason": "x"},
    "an adjustment by nothing": {"decision": "adjust", "reason": "x"},
    "a ruling that stands and moves": {"decision": "stands", "reason": "x", "to": 2},
    "an annulment with points": {"decision": "annul", "reason": "x", "adjustments": [{"party": 0, "points": 1}]},
    "no reason": {"decision": "stands"},
    "an empty reason": {"decision": "stands", "reason": ""},
    "a rule without a number": {"decision": "stands", "reason": "x", "rules": ["CNO"]},
    "a decision of one's own": {"decision": "maybe", "reason": "x"},
    "a penalty for a move that stood": {
        "decision": "penalty",
        "adjustments": [{"party": 0, "points": 1}],
        "stood": {"seat": 0, "text": "7dx6s2s"},
        "reason": "x",
    },
    "a move twice": {"decision": "stands", "stood": {"seat": 0, "move": WRONG, "text": "7dx6s2s"}, "reason": "x"},
    "no move": {"decision": "stands", "stood": {"seat": 0}, "reason": "x"},
}


@pytest.mark.parametrize("body", WRONG_ORDERS.values(), ids=WRONG_ORDERS)
def test_a_ruling_that_orders_something_else_than_it_decides_is_malformed(recorder: Caller, arbiter: Caller, body: dict[str, Any]):
    game = dealt(recorder)
    assert refused(arbiter, game, "rulings", body) == "malformed_body"


REFUSED = {
    "a dispute about the future": ("disputes", {"claim": "x", "position": 3}, "no_such_position"),
    "a dispute of nobody": ("disputes", {"claim": "x", "seat": 2}, "no_such_seat"),
    "a ruling on nothing": ("rulings", {"dispute": 7, "decision": "stands", "reason": "x"}, "no_such_dispute"),
    "a withdrawal of nothing": ("disputes/7/withdrawal", {}, "no_such_dispute"),
    "an appeal against nothing": ("disputes/7/appeals", {}, "no_such_dispute"),
    "a rewind ahead": ("rulings", {"decision": "rewind", "to": 4, "reason": "x"}, "rewind_ahead"),
    "points for a hand that goes on": (
        "adjustments",
        {"adjustments": [{"party": 0, "points": 1, "hand": 1}], "reason": "x"},
        "hand_not_finished",
    ),
    "points for nobody": ("adjustments", {"adjustments": [{"party": 2, "points": 1}], "reason": "x"}, "no_such_party"),
    "by a ruling that is none": ("adjustments", {"adjustments": [{"party": 0, "points": 1}], "reason": "x", "ruling": 3}, "no_such_ruling"),
    "a legal move that stood": ("stood-moves", {**trailing(0, "QC"), "effects": TAKEN}, "move_is_legal"),
    "a legal move in dispute": ("disputes", {"claim": "x", "refused_move": {"seat": 0, "text": "qc-"}}, "move_is_legal"),
    "words in dispute": (
        "disputes",
        {"claim": "x", "refused_move": {"seat": 0, "move": {"type": "trail", "card": "me"}}},
        "malformed_move",
    ),
    "half a line": ("stood-moves", {"seat": 0, "text": "7dx#"}, "line_unreadable"),
    "what a move cannot have done": ("stood-moves", {"seat": 0, "move": {"type": "trail", "card": "8H"}}, "effects_unclear"),
    "a seat that is none": ("stood-moves", {"seat": "0", "move": WRONG, "effects": TAKEN}, "no_such_seat"),
    "effects that are none": ("rectifications", {"effects": [["burned", "7D"]], "reason": "x"}, "malformed_effects"),
    "effects that are an object": ("rectifications", {"effects": {"moved": 1}, "reason": "x"}, "malformed_effects"),
    "effects that no store can hold": ("rectifications", '{"effects":[["mark","m",1e999]],"reason":"x"}', "malformed_effects"),
    "no effects": ("rectifications", {"effects": [], "reason": "x"}, "malformed_effects"),
    "a card from nowhere": ("rectifications", {"effects": [["moved", ["KS"], "hand:0", "board"]], "reason": "x"}, "card_not_there"),
    "a card to nowhere": ("rectifications", {"effects": [["moved", ["7D"], "hand:0", "sleeve"]], "reason": "x"}, "no_such_zone"),
    "a second pack": ("rectifications", {"effects": [["zone", "sleeve", "none", None, ["AS"]]], "reason": "x"}, "card_not_there"),
    "a zone twice": ("rectifications", {"effects": [["zone", "board", "all", None, []]], "reason": "x"}, "zone_is_there"),
    "a hand by hand": ("rectifications", {"effects": [["hand", 2, 0]], "reason": "x"}, "not_by_rectification"),
    "points by hand": ("rectifications", {"effects": [["scored", "cards", [3, 0]]], "reason": "x"}, "not_by_rectification"),
    "an end by hand": ("rectifications", {"effects": [["turn", "game_over", None, []]], "reason": "x"}, "not_by_rectification"),
}


@pytest.mark.parametrize(("path", "body", "code"), REFUSED.values(), ids=REFUSED)
def test_what_cannot_be_ordered_is_refused_with_a_sentence_and_nothing_is_recorded(
    recorder: Caller, arbiter: Caller, path: str, body: object, code: str
):
    game = dealt(recorder)
    assert refused(arbiter, game, path, body) == code
    assert recorder.get(f"/v1/games/{game}").json()["position"] == 2


@pytest.mark.parametrize(("openness", "seen"), [("hand_over", True), ("game_over", True), ("never", False)])
@pytest.mark.parametrize("end", ["abandonment", "annulment"])
def test_the_cards_of_a_game_that_was_ended_lie_open_where_its_openness_allows_it(
    end: str, openness: str, seen: bool, recorder: Caller, director: Caller, viewer: Caller
):
    game = dealt(recorder, openness=openness)
    assert table(viewer, game)["hands"] == [["?"] * 4] * 2
    sent(director, game, end, {"reason": "the pack was short"})
    assert (table(viewer, game)["hands"] == table(recorder, game)["hands"]) == seen
