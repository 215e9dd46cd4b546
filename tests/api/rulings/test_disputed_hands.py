"""A disputed hand of each game, from the fault at the table to the sheet that counts. Casino's stands in ``test_rulings.py``."""

import json
from pathlib import Path
from typing import Any
from uuid import UUID

import pytest

from tests.api.conftest import Caller, Service
from tests.api.rulings.test_rulings import events, refused, sent, sheet, table

CASES = Path(__file__).parents[2] / "cases"


@pytest.fixture
def arbiter(service: Service) -> Caller:
    return service.caller("arbiter")


def up_to_the_fault(recorder: Caller, case: str) -> tuple[str, dict[str, Any]]:
    """The game of a worked case as far as the rules allow it, and the move that they refuse."""
    told = json.loads((CASES / case).read_text(encoding="utf-8"))
    game, hand = recorder.open(ruleset=told["ruleset"], options=told["options"], seats=told["seats"]), told["hands"][0]
    sent(recorder, game, "hands", {key: hand[key] for key in ("dealer", "deck", "fill")})
    for move in hand["moves"][:-1]:
        sent(recorder, game, "moves", move)
    return game, dict(hand["moves"][-1])


def test_canasta_an_initial_meld_that_is_too_low_is_noticed_three_moves_later(recorder: Caller, arbiter: Caller, viewer: Caller):
    game, move = up_to_the_fault(recorder, "canasta/06-initial-meld-45.json")
    assert refused(recorder, game, "moves", move) == "initial_meld_too_low"

    # At the table the 45 points lay there, and the game went on.
    zones: list[list[Any]] = [["zone", f"meld:0:{rank}", "all", None, []] for rank, _ in melds(move)]
    laid = [*zones, *(["moved", cards, "hand:0", f"meld:0:{rank}"] for rank, cards in melds(move))]
    stood = sent(arbiter, game, "stood-moves", {**move, "effects": laid})
    assert [stood["events"][0]["body"][key] for key in ("code", "rules")] == ["initial_meld_too_low", ["CAN-26", "CAN-27"]]
    following = [{"type": "discard", "card": "4S"}, {"type": "draw"}, {"type": "discard", "card": "4H"}]
    for seat, made in zip((0, 1, 1), following, strict=True):
        sent(recorder, game, "moves", {"seat": seat, "move": made})
    now = table(viewer, game)
    assert list(now["melds"][0]) == ["8", "7"]

    # The melds go back into the hand, and the party pays a hundred.
    sent(recorder, game, "disputes", {"position": stood["position"], "seat": 1, "claim": "45 are not 50.", "suspends": True})
    back = [["moved", cards, f"meld:0:{rank}", "hand:0"] for rank, cards in melds(move)]
    ruling = {"decision": "rectify", "effects": back, "reason": "The first melds have to reach 50.", "rules": ["CAN-26"]}
    sent(arbiter, game, "rulings", {"dispute": 1, **ruling})
    penalty = {"adjustments": [{"party": 0, "points": -100}], "reason": "Melds taken back.", "ruling": 1}
    sent(arbiter, game, "adjustments", penalty)
    after = table(arbiter, game)
    assert (after["melds"][0], after["hand_counts"], after["turn"], after["phase"]) == ({}, [11, 11, 11, 11], 2, "draw")
    assert sheet(viewer, game)["totals"] == [-100, 0]
    assert not any(void for _, _, void in events(viewer, game))
    sent(recorder, game, "moves", {"seat": 2, "move": {"type": "draw"}})
    assert verdict(recorder, game) == "sound"


def melds(move: dict[str, Any]) -> list[tuple[str, list[str]]]:
    return [(meld["rank"], meld["cards"]) for meld in move["move"]["melds"]]


def test_alcasan_a_pile_taken_up_though_a_card_fitted_is_laid_back(recorder: Caller, arbiter: Caller, viewer: Caller):
    game, move = up_to_the_fault(recorder, "alcasan/13-obligation-to-lay.json")
    before = table(arbiter, game)
    assert refused(recorder, game, "moves", move) == "must_lay"
    taken = [["moved", before["pile"], "pile", "hand:1"], ["turn", "play", 0, [0]]]
    stood = sent(arbiter, game, "stood-moves", {**move, "effects": taken})
    told = next(event["body"] for event in history(viewer, game) if event["position"] == stood["position"])
    assert (told["move"], told["code"], told["reason"]) == (None, "", None)

    # One move later seat 1 shows that he could have laid.
    sent(recorder, game, "moves", {"seat": 0, "move": legal(recorder, game)})
    sent(recorder, game, "disputes", {"position": stood["position"], "seat": 0, "claim": "He held a fitting card.", "suspends": True})
    ruling = {"decision": "rewind", "to": stood["position"] - 1, "reason": "Who can lay has to lay.", "rules": ["ALC-30"]}
    sent(arbiter, game, "rulings", {"dispute": 1, **ruling})
    assert table(arbiter, game) == before
    assert [position for position, _, void in events(viewer, game) if void] == [stood["position"], stood["position"] + 1]
    sent(recorder, game, "moves", {"seat": 1, "move": legal(recorder, game)})
    assert verdict(recorder, game) == "sound"


def history(caller: Caller, game: str) -> list[dict[str, Any]]:
    return list(caller.get(f"/v1/games/{game}/history?limit=1000").json()["events"])


def verdict(caller: Caller, game: str) -> str:
    return str(caller.get(f"/v1/games/{game}/audit").json()["verdict"])


def legal(caller: Caller, game: str) -> dict[str, Any]:
    return dict(caller.get(f"/v1/games/{game}/legal-moves?limit=1").json()["moves"][0])


def test_classic_quartett_a_card_denied_is_handed_over_later(recorder: Caller, arbiter: Caller, viewer: Caller):
    game = recorder.open(ruleset="quartett-classic", seats=3)
    deck = recorder.get("/v1/rulesets/quartett-classic").json()["deck"]
    sent(recorder, game, "hands", {"dealer": 0, "deck": deck})
    hands = table(arbiter, game)["hands"]
    card = next(card for card in hands[0] if any(card[0] == own[0] for own in hands[1]))

    # By the rules the card changes hands. At the table seat 0 said no and went on asking, and so it is kept.
    asked = sent(recorder, game, "moves", {"seat": 1, "move": {"type": "ask", "target": 0, "card": card}})
    kept = [["moved", [card], "hand:1", "hand:0"], ["turn", "ask", 0, [0]]]
    sent(arbiter, game, "rectifications", {"effects": kept, "reason": "Seat 0 said no."})
    assert table(arbiter, game)["hands"][0].count(card) == 1
    sent(recorder, game, "moves", {"seat": 0, "move": legal(recorder, game)})

    # It comes out. The card goes over, the question is seat 1's again, and the false answer costs a point.
    raised = {"position": asked["position"], "seat": 1, "claim": f"He held {card} all the time.", "suspends": True}
    sent(recorder, game, "disputes", raised)
    handed = [["moved", [card], "hand:0", "hand:1", False, True], ["turn", "ask", 1, [1]]]
    ruling = {"decision": "rectify", "effects": handed, "reason": "An answer has to be true.", "rules": ["QKL-9"]}
    preview = sent(arbiter, game, "rulings?dry_run=true", {"dispute": 1, **ruling})
    assert (preview["turn"], table(arbiter, game)["turn"] == 1) == (1, False)
    sent(arbiter, game, "rulings", {"dispute": 1, **ruling})
    penalty = {"adjustments": [{"party": 0, "points": -1}], "reason": "A false answer.", "ruling": 1}
    sent(arbiter, game, "adjustments", penalty)
    now = table(arbiter, game)
    assert (now["turn"], card in now["hands"][1], sheet(viewer, game)["totals"]) == (1, True, [-1, 0, 0])
    assert verdict(recorder, game) == "sound"


def test_the_case_book_tells_every_ruling_with_its_reason_and_names_nobody(
    service: Service, recorder: Caller, arbiter: Caller, viewer: Caller
):
    game = recorder.open(players=["anna", "bert"])
    recorder.deal(game)
    sent(recorder, game, "disputes", {"position": 2, "seat": 1, "claim": "The deal was wrong."})
    first = {"decision": "stands", "reason": "It was not.", "public": True, "rules": ["CNO-7"], "happened_at": "2025-11-20T19:00:00Z"}
    sent(arbiter, game, "rulings", {"dispute": 1, **first})
    penalty = {"decision": "penalty", "reason": "Late.", "public": True, "adjustments": [{"party": 1, "points": -1}]}
    sent(arbiter, game, "rulings", penalty)
    page = viewer.get(f"/v1/rulings?game={game}&limit=1").json()
    [late] = page["items"]
    [rest] = viewer.get(f"/v1/rulings?game={game}&cursor={page['next']}").json()["items"]
    keys = ("ruling", "dispute", "disputed", "instance", "decision", "rules", "reason", "ruleset")
    assert [late[key] for key in keys] == [2, None, None, "arbiter", "penalty", [], "Late.", "casino"]
    assert [rest[key] for key in keys] == [1, 1, 2, "arbiter", "stands", ["CNO-7"], "It was not.", "casino"]
    assert viewer.get(f"/v1/rulings?game={game}&rules=CNO-7,CNO-8").json()["items"] == [rest]
    assert viewer.get(f"/v1/rulings?game={game}&decision=annul").json() == {"items": [], "next": None}
    assert viewer.get("/v1/rulings?cursor=nonsense").status_code == 400
    text = viewer.get("/v1/rulings").text
    assert not any(name in text for name in ("anna", "bert", "claim"))

    # The words can be erased; the ruling stays.
    ids = [event["body"]["reason"]["id"] for event in history(arbiter, game) if event["name"] == "dispute.ruled/1"]
    service.services.registers.erase_text(ids[0], UUID(game), 4)
    assert viewer.get(f"/v1/rulings?game={game}&rules=CNO-7,CNO-8").json()["items"] == [rest | {"reason": None}]
