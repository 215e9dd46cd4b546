"""Disputes and what officials do about them: every decision, appeals, withdrawals, games that stop and go on; and what is refused."""

from typing import Any

from tests.evening.book import NDJSON, Book
from tests.evening.chapters.cases import cases, set_up_of, start_of
from tests.evening.chapters.stages import TAKEN, WRONG, act, dealt, game, trailing

REASON = "Groups have to make the value of the card."
BACK = [["moved", ["5S"], "board", "hand:1"]]
ORDERS: dict[str, dict[str, Any]] = {
    "stands": {},
    "rewind": {"to": 2},
    "rectify": {"effects": BACK},
    "adjust": {"adjustments": [{"party": 0, "points": -2}, {"party": 1, "points": 2}]},
    "penalty": {"adjustments": [{"party": 1, "points": -1}]},
    "annul": {},
}
MALFORMED = (
    {"decision": "rewind"},
    {"decision": "rectify"},
    {"decision": "adjust"},
    {"decision": "stands", "to": 2},
    {"decision": "annul", "adjustments": [{"party": 0, "points": 1}]},
    {"decision": "stands", "reason": ""},
    {"decision": "stands", "rules": ["CNO"]},
    {"decision": "maybe"},
    {"decision": "adjust", "adjustments": [{"party": 0, "points": 1.5}]},
)
_ONE = [{"party": 0, "points": 1}]
_NO_EFFECTS: tuple[Any, ...] = (
    [],
    [["burned", "7D"]],
    [["moved", ["KS"], "hand:0", "board"]],
    [["moved", ["7D"], "hand:0", "sleeve"]],
    [["zone", "sleeve", "none", None, ["AS"]]],
    [["zone", "board", "all", None, []]],
    [["hand", 2, 0]],
    [["scored", "cards", [3, 0]]],
    [["turn", "game_over", None, []]],
    [["turn", "play", 9, [9]]],
)
REFUSED: tuple[tuple[str, Any], ...] = (
    ("disputes", {"claim": "x", "position": 3}),
    ("disputes", {"claim": "x", "seat": 2}),
    ("rulings", {"dispute": 7, "decision": "stands", "reason": "x"}),
    ("disputes/7/withdrawal", {}),
    ("disputes/7/appeals", {}),
    ("rulings", {"decision": "rewind", "to": 4, "reason": "x"}),
    ("adjustments", {"adjustments": [{"party": 0, "points": 1, "hand": 1}], "reason": "x"}),
    ("adjustments", {"adjustments": [{"party": 2, "points": 1}], "reason": "x"}),
    ("adjustments", {"adjustments": _ONE, "reason": "x", "ruling": 3}),
    ("stood-moves", {**trailing(0, "QC"), "effects": TAKEN}),
    ("stood-moves", {**WRONG, "seat": "0", "effects": TAKEN}),
    ("rectifications", {"effects": {"moved": 1}, "reason": "x"}),
    ("rectifications", '{"effects":[["mark","m",1e999]],"reason":"x"}'),
    *(("rectifications", {"effects": effects, "reason": "x"}) for effects in _NO_EFFECTS),
    ("players", {"seat": 7, "player": "p"}),
    ("players", {"seat": 0, "player": "bert"}),
    ("notes", {"text": "x", "position": 99}),
    ("rewinds", {"to": 9}),
    ("rewinds", {"to": 0}),
    ("DELETE suspension", {}),
    ("hands", {"dealer": 0}),
)


def evening(book: Book) -> None:
    _refusals(book)
    for decision, order in ORDERS.items():
        _decided(book, decision, order, as_dispute=True)
        _decided(book, decision, order, as_dispute=False)
    told(book, _noticed_late(book))
    told(book, _ended(book, "abandonment"))
    told(book, _ended(book, "annulment"))
    _struck(book)
    for file, effects in (("canasta/06-initial-meld-45", _laid), ("alcasan/13-obligation-to-lay", _picked_up)):
        told(book, _of_another_game(book, file, effects))
    _words_erased(book)
    _case_book(book)


def told(book: Book, id: str) -> None:
    """All that is told of a game with a past."""
    path = f"/v1/games/{id}"
    for role in ("director", "viewer"):
        for what in ("", "/disputes", "/notes", "/history?limit=1000", "/replay?limit=1000", "/table", "/audit", "/record"):
            book.get(f"{path}{what}", role)
        for form in ("json", "csv", "html"):
            book.get(f"{path}/score-sheet?format={form}", role, accept_language="de")
    for what in ("/replay?limit=1000", "/score-sheet?format=html"):
        book.get(f"{path}{what}", accept_language="de-AT, en;q=0.5")
    book.get(f"{path}/replay", accept=NDJSON)
    for what in ("record?full=true", "record?full=true&texts=true", "record?texts=true"):
        book.get(f"{path}/{what}")


def _refusals(book: Book) -> None:
    id = dealt(book, players=["anna", "bert"])
    for what, body in REFUSED:
        book.post(f"/v1/games/{id}/{what}", body)
        book.post(f"/v1/games/{id}/{what}?dry_run=true", body)
    for order in MALFORMED:
        book.post(f"/v1/games/{id}/rulings", {"reason": "x", **order})
    fresh = game(book)
    book.post(f"/v1/games/{fresh}/moves", trailing(0, "QC"))
    book.post(f"/v1/games/{fresh}/rewinds", {"to": 1})
    book.post(f"/v1/games/{fresh}/rectifications", {"effects": BACK, "reason": "x"})
    book.post(f"/v1/games/{fresh}/rulings", {"decision": "stands", "reason": "x"}, "committee")


def _decided(book: Book, decision: str, order: dict[str, Any], *, as_dispute: bool) -> None:
    id = dealt(book, options={"sweeps": True}, players=["anna", "bert"])
    path, ruling = f"/v1/games/{id}", {"decision": decision, "reason": REASON, "rules": ["CNO-22"], **order}
    act(book, id, "moves", trailing(0, "QC"), "recorder")
    if as_dispute:
        act(book, id, "disputes", {"position": 3, "seat": 1, "claim": "Seven took eight.", "suspends": True}, "recorder")
        book.post(f"{path}/moves", trailing(1, "8H"))
        book.post(f"{path}/rulings", {"dispute": 1, **ruling}, "committee")
    given = {"dispute": 1, **ruling} if as_dispute else ruling
    book.post(f"{path}/rulings?dry_run=true", given, "arbiter")
    book.did(f"{path}/rulings", given, "arbiter")
    book.post(f"{path}/rulings", given, "arbiter")
    if as_dispute:
        book.post(
            f"{path}/disputes/1/appeals", {"seat": 0, "reason": "No.", "deadline": "2026-11-21T23:00:00Z", "suspends": True}, "recorder"
        )
        book.post(f"{path}/disputes/1/appeals", {"seat": 0}, "recorder")
        book.post(f"{path}/rulings", {"dispute": 1, **ruling}, "arbiter")
        book.post(f"{path}/rulings", {"dispute": 1, "decision": "stands", "reason": "The arbiter was right."}, "committee")
        book.post(f"{path}/disputes/1/withdrawal", {}, "recorder")
    book.post(f"{path}/adjustments", {"adjustments": _ONE, "reason": "as ordered", "ruling": 1}, "arbiter")
    book.post(f"{path}/rewinds", {"to": 2}, "recorder")
    book.post(f"{path}/annulment", {"reason": "as ordered", "ruling": 1}, "arbiter")
    told(book, id)


def _noticed_late(book: Book) -> str:
    """A wrong capture that stood, disputed two moves later, ruled, appealed and withdrawn."""
    id = dealt(book, options={"sweeps": True}, players=["anna", "bert"], openness="never")
    book.post(f"/v1/games/{id}/moves", WRONG, "recorder")
    act(book, id, "stood-moves", {**WRONG, "effects": TAKEN}, "arbiter")
    act(book, id, "moves", {"moves": [trailing(1, "8H"), trailing(0, "QC")], "happened_at": "2026-11-21T20:15:00+01:00"}, "recorder")
    act(book, id, "rewinds", {"to": 4, "reason": "entered the wrong card"}, "recorder")
    act(book, id, "moves", trailing(0, "4S"), "recorder")
    act(book, id, "notes", {"text": "Seat 1 hesitated; a draught.", "position": 3}, "committee")
    act(book, id, "disputes", {"position": 3, "seat": 1, "claim": "Seven took eight.", "suspends": True}, "recorder")
    act(book, id, "rulings", {"dispute": 1, "decision": "rewind", "to": 2, "reason": REASON, "rules": ["CNO-23"]}, "arbiter")
    act(book, id, "disputes/1/appeals", {"seat": 0, "suspends": True}, "recorder")
    act(book, id, "disputes/1/withdrawal", {"reason": "settled"}, "recorder")
    act(book, id, "disputes", {"claim": "And the deal?"}, "arbiter")
    act(book, id, "rulings", {"dispute": 2, "decision": "stands", "reason": "It was right."}, "arbiter")
    act(book, id, "PUT suspension", {"reason": "fire alarm"})
    book.post(f"PUT /v1/games/{id}/suspension", {})
    book.post(f"/v1/games/{id}/rewinds", {"to": 2})
    act(book, id, "DELETE suspension", {})
    act(book, id, "players", {"seat": 1, "player": "cora"}, "recorder")
    act(book, id, "players", {"seat": 0, "player": None}, "recorder")
    act(book, id, "moves", {"seat": 0, "move": {"type": "capture", "card": "7D", "groups": [["5S", "2S"]]}}, "recorder")
    return id


def _ended(book: Book, how: str) -> str:
    id = dealt(book, openness="hand_over")
    act(book, id, how, {"reason": "the pack was short"})
    for what, body in (
        ("moves", trailing(0, "QC")),
        ("hands", {"dealer": 0}),
        ("PUT suspension", {}),
        ("stoppage", {}),
        (how, {"reason": "again"}),
    ):
        book.post(f"/v1/games/{id}/{what}", body)
    book.post(f"/v1/games/{id}/adjustments", {"adjustments": _ONE, "reason": "x"})
    return id


def _struck(book: Book) -> None:
    """A ruling goes back into a finished hand, which is struck out; and points of a game that is over change its places."""
    [case] = cases("casino/hand-two-players-classic")
    hand = case["hands"][0]
    for target in (100, 1):
        id = game(book, options={"target": target}, players=["anna", "bert"])
        act(book, id, "hands", start_of(hand), "recorder")
        act(book, id, "moves", {"moves": hand["moves"]}, "recorder")
        for dealer in (hand["dealer"], 1 - hand["dealer"], 1 - hand["dealer"]):
            book.post(f"/v1/games/{id}/hands", {"dealer": dealer}, "recorder")
        if target == 100:
            book.post(f"/v1/games/{id}/rewinds", {"to": 5}, "recorder")
        penalty = {"adjustments": [{"party": 0, "points": -50, "hand": 1}], "reason": "A card was held back."}
        book.post(f"/v1/games/{id}/adjustments?dry_run=true", penalty, "arbiter")
        act(book, id, "adjustments", penalty, "arbiter")
        told(book, id)
        book.post(f"/v1/games/{id}/rulings", {"decision": "rewind", "to": 20, "reason": "It is played again from here."}, "arbiter")
        told(book, id)
        for language in ("en", "de"):
            book.get(f"/v1/games/{id}/score-sheet?format=pdf", accept_language=language)


def _of_another_game(book: Book, file: str, effects_of: Any) -> str:
    [case] = cases(file)
    hand = case["hands"][0]
    id = str(book.did("/v1/games", set_up_of(case), "recorder")["game"])
    act(book, id, "hands", start_of(hand), "recorder")
    act(book, id, "moves", {"moves": hand["moves"][:-1]}, "recorder")
    fault = hand["moves"][-1]
    book.post(f"/v1/games/{id}/moves", fault, "recorder")
    table = book.get(f"/v1/games/{id}/table").json()
    stood = act(book, id, "stood-moves", {**fault, "effects": effects_of(fault["move"], table)}, "arbiter")
    act(
        book,
        id,
        "disputes",
        {"position": stood["position"], "seat": 1, "claim": "That was against the rules.", "suspends": True},
        "recorder",
    )
    ruling = {"decision": "rewind", "to": stood["position"] - 1, "reason": "Taken back."}
    act(book, id, "rulings", {"dispute": 1, **ruling}, "arbiter")
    return id


def _laid(move: dict[str, Any], _: Any) -> list[list[Any]]:
    melds = [(meld["rank"], meld["cards"]) for meld in move["melds"]]
    zones: list[list[Any]] = [["zone", f"meld:0:{rank}", "all", None, []] for rank, _ in melds]
    return [*zones, *(["moved", cards, "hand:0", f"meld:0:{rank}"] for rank, cards in melds)]


def _picked_up(_: Any, table: dict[str, Any]) -> list[list[Any]]:
    return [["moved", table["pile"], "pile", "hand:1"], ["turn", "play", 0, [0]]]


def _words_erased(book: Book) -> None:
    id = dealt(book)
    act(book, id, "notes", {"text": "a draught"}, "arbiter")
    act(book, id, "rulings", {"decision": "penalty", "adjustments": _ONE, "reason": "Seat 1 slept."}, "arbiter")
    before = {what: book.get(f"/v1/games/{id}/{what}") for what in ("notes", "disputes", "score-sheet", "record?full=true&texts=true")}
    for position in (3, 3, 4, 2, 99):
        book.ask("director", "DELETE", f"/v1/games/{id}/notes/{position}")
    for what, answer in before.items():
        book.get(f"/v1/games/{id}/{what}", if_none_match=answer.header("etag"))
    told(book, id)


def _case_book(book: Book) -> None:
    for query in ("limit=3", "ruleset=canasta", "decision=annul", "instance=committee", "rules=CNO-22&limit=2", "decision=none", "rules=x"):
        list(book.pages(f"/v1/rulings?{query}", "viewer"))
    book.get("/v1/rulings?cursor=nonsense")
    one = book.get("/v1/rulings?limit=1")["items"][0]["game"]
    book.get(f"/v1/rulings?game={one}")
