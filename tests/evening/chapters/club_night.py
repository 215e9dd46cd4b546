"""Whole tournaments: a Swiss of pairs with late entries and absences, a round robin, a knock-out, changing partners, tables of three."""

from collections.abc import Callable
from random import Random
from typing import Any

from tests.evening.book import CSV, NDJSON, Book
from tests.evening.chapters.stages import act, announced, entered, opened, player, scored

Between = Callable[[int], None]


def evening(book: Book) -> None:
    _lots(book)
    _swiss(book)
    _late(book)
    for name, count, rounds, plan in _OTHERS:
        path = announced(book, name, title=name, seed=name, **plan)
        entered(book, path, count)
        _rounds(book, path, rounds)
        book.post(f"{path}/rounds", {})
        standings(book, path)
    for path in ("/v1/tournaments/cup", "/v1/tournaments/swiss"):
        book.post(f"{path}/ending?dry_run=true", {})
        book.post(f"{path}/ending", {"reason": "that was it"})
        for what in ("ending", "rounds", "unpairing", "rounds/1/closing"):
            book.post(f"{path}/{what}", {})
        book.post(f"{path}/rounds/1/games", {}, "recorder")
        book.get(path, "viewer")


_DICE = "6 3 1 1 5 2 4 6"
_PAIRS = {"seats": 4, "options": {"partners": True}}
_OTHERS: tuple[tuple[str, int, int, dict[str, Any]], ...] = (
    ("robin", 5, 6, {"format": "round_robin", "tie_breaks": ["direct_encounter", "sonneborn_berger", "wins", "points"]}),
    ("cup", 6, 3, {"format": "knockout", "tie_breaks": ["score_difference", "lots"]}),
    ("whist", 8, 7, {"format": "round_robin", "entrants": "players", "rounds": 7, "scoring": {"by": "points"}, **_PAIRS}),
    ("turning", 9, 3, {"format": "swiss", "entrants": "players", "tie_breaks": ["score_difference", "wins"], **_PAIRS}),
    ("threes", 7, 3, {"format": "swiss", "seats": 3, "scoring": {"by": "match_points", "places": [5, 3, 1]}, "tie_breaks": ["buchholz"]}),
    ("alone", 3, 2, {"format": "swiss", "ruleset": "cascades", "seats": 1, "scoring": {"by": "points"}}),
    (
        "open",
        6,
        2,
        {"format": "swiss", "ruleset": "canasta", "seats": 2, "tie_breaks": ["buchholz_cut_1"], "games": 2, "openness": "never"},
    ),
)


def _rounds(book: Book, path: str, count: int, between: Between = lambda _: None) -> None:
    chance = Random(path)
    for number in range(1, count + 1):
        book.post(f"{path}/rounds?dry_run=true", {}, accept_language="de")
        if book.post(f"{path}/rounds", {}).status != 201:
            return
        between(number)
        while tables := _running(book, path, number):
            for one in tables:
                totals = [chance.choice((21, 17, 8, 8, 3)) for _ in book.get(f"/v1/games/{one}/score-sheet")["parties"]]
                scored(book, one, *(totals if "cup" not in path else [21, *range(len(totals) - 1)]))
        book.get(f"{path}/rounds/{number}", "viewer", accept_language="de")
        book.post(f"{path}/rounds/{number}/closing", {})


def _running(book: Book, path: str, number: int) -> list[str]:
    told = book.did(f"{path}/rounds/{number}/games", {}, "recorder")["tables"]
    return [table["game"] for table in told if table["state"] in ("opened", "running")]


def _lots(book: Book) -> None:
    """Bound, tried, drawn with dice; they stay when the pairing is taken back."""
    path = announced(book, "lots", format="swiss", tie_breaks=["lots"], dice=8)
    entered(book, path, 4)
    for body in ({}, {"dice": "6 3 1"}, {"dice": "heads"}, {"dice": _DICE, "seed": "mine"}):
        book.post(f"{path}/rounds", body, accept_language="de")
    for tables in ({}, {"tables": [{"parties": [[1], [2]]}, {"parties": [[3], [4]]}]}):
        book.post(f"{path}/rounds?dry_run=true", {"dice": _DICE, **tables})
    book.did(f"{path}/rounds", {"dice": _DICE})
    book.did(f"{path}/unpairing", {})
    book.post(f"{path}/rounds", {"dice": _DICE})
    book.did(f"{path}/rounds", {})
    for what in ("", "/history", "/audit", "/standings", "/standings?format=html", "/standings?as_of=1"):
        book.get(f"{path}{what}", accept_language="de")
    path = announced(book, "no-dice", format="swiss")
    entered(book, path, 2)
    book.post(f"{path}/rounds", {"dice": _DICE})


def _swiss(book: Book) -> None:
    plan = {"format": "swiss", "tie_breaks": ["direct_encounter", "buchholz", "sonneborn_berger", "lots"], "seed": "kiebitz", "rounds": 5}
    path = announced(book, "swiss", title="Club night", **_PAIRS, **plan)
    for number, name in enumerate(("Anna", "Ben", "Cleo", "Dana", "Emil", "Finn", "Gita", "Hugo", "Ida", "Jon"), 1):
        player(book, f"s-{number}", name, alias=f"Vogel {number}" if number % 3 else None)
    _entries(book, path)
    _rounds(book, path, 5, lambda number: _between(book, path, number))
    game = opened_game(book, path)
    act(book, game, "adjustments", {"adjustments": [{"party": 0, "points": -4}], "reason": "Big Casino was counted twice."}, "arbiter")
    standings(book, path)
    book.post(f"{path}/rounds", {})


def _entries(book: Book, path: str) -> None:
    lists = (
        (CSV, "\ufeffplayer_1;player_2;rating\r\ns-1;s-2;1612\r\n\r\ns-3;s-4;\r\ns-5;;1500\r\ns-1;x;\r\ng;h;many\r\ni;j;1;k\r\n"),
        (NDJSON, '{"players": ["s-5", "s-6"]}\n\n{"players": ["s-5"]}\nno json\n{"players": ["s-7", "s-8"], "rating": 1400}\n'),
        (CSV, "name\na\n"),
        (CSV, "player_1,player_1\na,b\n"),
        (CSV, "rating\n5\n"),
        (CSV, b"player_1,player_2\n\xff,x\n"),
        (CSV, "player_1,player_2\n" + "x,y\n" * 1001),
    )
    for kind, lines in lists:
        for query in ("?dry_run=true", "", ""):
            book.ask("recorder", "POST", f"{path}/entries{query}", lines, content_type=kind)
    bodies: tuple[dict[str, Any], ...] = (
        {},
        {"players": []},
        {"players": ["a"]},
        {"players": ["a", "a"]},
        {"players": ["a", "b"], "entries": []},
        {"entries": [{"players": ["s-9", "s-10"]}, {"players": ["s-1", "s-10"]}]},
        {"players": ["s-9", "s-10"], "from_round": 2},
    )
    for body in bodies:
        book.post(f"{path}/entries", body, "recorder")


def _between(book: Book, path: str, number: int) -> None:
    """What happens while a round is on."""
    acts: dict[int, tuple[tuple[str, object], ...]] = {
        1: (
            ("entries/4/withdrawal", {"from_round": 1}),
            ("entries/4/withdrawal", {"from_round": 2, "back_from": 3}),
            ("entries/4/return", {"from_round": 1}),
            ("entries/2/substitution", {"players": ["s-3", "sub"]}),
            ("entries/2/substitution", {"players": ["s-3", "sub"]}),
            ("entries/2/substitution", {"players": ["s-1", "sub"]}),
            ("entries/9/substitution", {"players": ["x", "y"]}),
        ),
        2: (("entries/3/withdrawal", {"reason": "ill"}), ("entries/3/withdrawal", {}), ("entries", {"players": ["s-5", "z"]})),
        3: (("entries/3/return", {"players": ["s-5", "late"]}), ("entries/3/return", {}), ("entries/1/return", {})),
        4: (("entries/1/withdrawal", {"from_round": 2}), ("entries/1/substitution", {"players": ["a", "b"], "from_round": 1})),
    }
    for what, body in acts.get(number, ()):
        book.post(f"{path}/{what}?dry_run=true", body, "recorder")
        book.post(f"{path}/{what}", body, "recorder")
    for what in ("entries", "rounds", f"rounds/{number}", f"rounds/{number}/seating", f"rounds/{number}/seating?format=html"):
        for role in ("director", "viewer"):
            book.get(f"{path}/{what}", role)
            book.get(f"{path}/{what}", role, accept_language="de")
    book.post(f"{path}/rounds", {})
    book.post(f"{path}/rounds/{number}/closing", {})
    book.post(f"{path}/ending", {})


def _late(book: Book) -> None:
    """Who comes, goes and returns too late for the format; a drawn table of a knock-out; too few."""
    for format in ("knockout", "round_robin", "swiss"):
        path = announced(book, f"late-{format}", format=format, title="Late")
        book.post(f"{path}/rounds", {})
        entered(book, path, 1)
        book.post(f"{path}/rounds", {})
        entered(book, path, 3, 2)
        book.post(f"{path}/entries/4/withdrawal", {})
        book.post(f"{path}/entries/4/return", {})
        book.did(f"{path}/rounds", {})
        for what, body in (("", {"players": ["late"]}), ("/4/withdrawal", {}), ("/4/return", {"from_round": 1}), ("/4/return", {})):
            book.post(f"{path}/entries{what}", body, "recorder")
        for one in opened(book, path).values():
            scored(book, one, 9, 9)
        book.post(f"{path}/rounds/1/closing", {})
        for what, body in (
            ("entries", {"players": ["later"]}),
            ("entries/4/withdrawal", {}),
            ("rounds", {}),
            ("entries/4/return", {}),
            ("rounds", {}),
        ):
            book.post(f"{path}/{what}", body)
        book.post(f"PUT {path}/rounds/1/tables/1/result", {"points": [10, 9]})
        book.post(f"{path}/rounds", {})
        book.get(f"{path}/standings")


def opened_game(book: Book, path: str) -> str:
    return str(book.get(f"/v1/games?tournament={path.rpartition('/')[2]}&finished=false&limit=1")["items"][0]["id"])


def standings(book: Book, path: str) -> None:
    """At every round and some moments, in all forms, and what lies between them."""
    events = [event for page in book.pages(f"{path}/history?limit=9") for event in page["events"]]
    then = events[len(events) // 2]["at"]
    list(book.pages(f"{path}/history?limit=30", "viewer"))
    first, last = book.get(path)["position"], book.get("/v1/feed?limit=1")["head"]
    asked = ["", "round=1", "round=2", "round=99", f"as_of={last}", f"as_of={last - 20}&round=1", "as_of=1", "explain=false", "format=csv"]
    asked += ["format=html", f"at={then}", "at=2001-01-01T00:00:00Z", f"at={then}&as_of=1", "format=pdf", f"round={first}"]
    for query in asked:
        for role in ("director", "viewer"):
            answer = book.get(f"{path}/standings?{query}", role, accept_language="de")
            book.get(f"{path}/standings?{query}", role, if_none_match=answer.header("etag"))
    for accept in (CSV, "text/html", "image/png"):
        book.get(f"{path}/standings", accept=accept)
    [game] = book.get(f"/v1/games?tournament={path.rpartition('/')[2]}&limit=1")["items"]
    book.post(f"{path}/standings/trial", {"game": game["id"], "totals": [0] * len(game["totals"])})
    moments = ("round:1", "round:2", f"sequence:{last - 30}", then, "now", "round:99", "tomorrow", "")
    for moment in moments:
        book.get(f"{path}/standings/diff?old={moment}", "viewer")
        book.get(f"{path}/standings/diff?old=round:1&new={moment}")
