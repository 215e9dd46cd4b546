"""The tables of a round: told, confirmed, contradicted, decided, forfeited, adjourned, taken back; and games that do not fit."""

from typing import Any

from tests.evening.book import Book, below
from tests.evening.chapters.stages import WHOLE, act, announced, entered, game, opened, paired, scored

_RESULTS: tuple[tuple[str, Any, str], ...] = (
    ("confirmation", {"side": 2}, "recorder"),
    ("DELETE result", {"reason": "a slip"}, "director"),
    ("PUT result", {"points": [21]}, "director"),
    ("PUT result", {"points": [21, 17], "side": 9}, "recorder"),
    ("PUT result", {"points": [21, 17], "side": 3}, "recorder"),
    ("PUT result", {"points": [21, 17]}, "recorder"),
    ("PUT result", {"points": ["21", 17]}, "director"),
    ("PUT result", {"points": [21, 17], "side": 2}, "recorder"),
    ("PUT result", {"points": [17, 21], "side": 1}, "recorder"),
    ("confirmation", {"side": 1}, "recorder"),
    ("confirmation", {"side": 2}, "recorder"),
    ("confirmation", {"side": 2}, "recorder"),
    ("DELETE result", {"reason": "a slip"}, "director"),
    ("PUT result", {"points": [21, 17], "side": 2}, "recorder"),
    ("PUT result", {"points": [21, 17], "side": 1}, "recorder"),
    ("PUT result", {"points": [21, 18]}, "director"),
    ("PUT result", {"points": [21, 17], "side": 1}, "recorder"),
    ("confirmation", {"side": 1}, "recorder"),
    ("forfeit", {"absent": [3]}, "director"),
    ("forfeit", {"absent": [2], "reason": "not there"}, "director"),
    ("DELETE result", {}, "director"),
    ("adjournment", {"reason": "the hall closes"}, "director"),
    ("adjournment", {}, "director"),
    ("DELETE result", {}, "director"),
)
_PAIRINGS: tuple[Any, ...] = (
    {},
    {"tables": []},
    {"tables": [], "byes": [1]},
    {"tables": [{"parties": [[1], [2]]}, {"parties": [[2], [3]]}]},
    {"tables": [{"parties": [[1], [2]]}, {"table": "1", "parties": [[3], [4]]}]},
    {"tables": [{"parties": [[1, 2], [3, 4]]}]},
    {"tables": [{"parties": [[1], [9]]}], "byes": [2, 3, 4]},
    {"tables": [{"table": "no slash/", "parties": [[1], [2]]}]},
)


def evening(book: Book) -> None:
    path = announced(book, "tables", title="Tische", scoring={"by": "points", "bye": 12, "forfeit": [21, 0]}, tie_breaks=["wins", "lots"])
    book.post(f"{path}/rounds", {"tables": [], "byes": []})
    book.post(f"{path}/unpairing", {})
    entered(book, path, 4)
    for pairing in _PAIRINGS:
        book.post(f"{path}/rounds", pairing)
    paired(book, path, [[1], [2]], [[3], [4]])
    for what, body, role in _RESULTS:
        book.post(f"{below(f'{path}/rounds/1/tables/1', what)}?dry_run=true", body, role, accept_language="de")
        book.post(below(f"{path}/rounds/1/tables/1", what), body, role)
        book.get(f"{path}/rounds/1", "viewer")
    for where in ("rounds/1/tables/9", "rounds/9/tables/1", "rounds/0/tables/1", "rounds/x/tables/1"):
        book.post(f"PUT {path}/{where}/result", {"points": [1, 2]})
    _games_that_do_not_fit(book, path)
    _boards(book)
    _unpaired(book, path)
    for what in ("rounds", "rounds/1", "rounds/2", "rounds/9", "standings", "history?limit=1000", "notes"):
        book.get(f"{path}/{what}", accept_language="de")
    for position in (1, 1, 2, 999):
        book.ask("director", "DELETE", f"{path}/notes/{position}")
    book.get(f"{path}/notes")
    book.get("/v1/tournaments?limit=1", "viewer")


def _games_that_do_not_fit(book: Book, path: str) -> None:
    """The second table waits for one thing after the other."""
    at: dict[str, Any] = {"tournament": "tables", "round": 1, "table": "2"}

    def waits() -> None:
        for language in ("en", "de"):
            book.get(f"{path}/rounds/1", accept_language=language)
            book.ask("director", "POST", f"{path}/rounds/1/closing", {}, accept_language=language)
        book.post(f"{path}/rounds/1/games", {"tables": ["2"]}, "recorder")

    book.post(f"{path}/rounds/1/games", {"tables": ["9"]}, "recorder")
    for wanted in ({"players": ["p3", "x"]}, {"players": ["p3", "p4"], "options": {"sweeps": True}}, {"players": ["p4", "p3"]}):
        id = game(book, **{"options": {"sweeps": False}, **wanted}, **at)
        waits()
        act(book, id, "annulment", {"reason": "it does not fit"})
    game(book, players=["p1", "p2"], **{**at, "table": "99"})
    first = opened(book, path)["2"]
    waits()
    act(book, first, "PUT suspension", {})
    waits()
    act(book, first, "DELETE suspension", {})
    act(book, first, "players", {"seat": 0, "player": "nobody"})
    waits()
    act(book, first, "players", {"seat": 0, "player": "p3"})
    scored(book, first, 21, 17)
    waits()
    scored(book, game(book, players=["p3", "p4"], options={"sweeps": False}, **at), 3, 5)
    waits()
    book.post(f"{path}/rounds/1/tables/2/adjournment", {})
    book.post(f"PUT {path}/rounds/1/tables/1/result", {"points": [21, 21]})
    book.post(f"{path}/rounds/1/closing", {"reason": "late"})
    book.post(f"{path}/rounds/1/closing", {})
    book.post(f"{path}/ending", {})


def _boards(book: Book) -> None:
    """Prepared, replaced, dealt at one table after the other; and what the public is told meanwhile."""
    path = announced(book, "boards", openness="hand_over")
    entered(book, path, 4)
    paired(book, path, [[1], [2]], [[3], [4]])
    first, second = opened(book, path).values()
    seven = {"round": 1, "board": 7, "deck": WHOLE}
    for body in (seven, seven, {"boards": [{**seven, "deck": WHOLE[::-1]}], "replace": True}, {**seven, "board": 8, "deck": WHOLE[1:]}, {}):
        book.post(f"{path}/boards", body)
        book.post(f"{path}/boards", body, accept_language="de")
        book.get(f"{path}/boards")
    for id in (first, first, second, game(book)):
        book.post(f"/v1/games/{id}/hands", {"dealer": 1, "board": 7}, "recorder")
        for what in ("table", "history", "replay"):
            for one in (first, second):
                book.get(f"/v1/games/{one}/{what}", "viewer", accept_language="de")
    book.post(f"/v1/games/{second}/hands", {"dealer": 1, "board": 9}, "recorder", accept_language="de")
    book.post(f"{path}/boards", {**seven, "replace": True})
    scored(book, second, 1, 2)
    book.get(f"/v1/games/{first}/table", "viewer")


def _unpaired(book: Book, path: str) -> None:
    again = {"tables": [{"table": "A", "parties": [[2], [1]]}], "byes": [3, 4]}
    for language in ("en", "de"):
        book.post(f"{path}/rounds?dry_run=true", again, accept_language=language)
    book.did(f"{path}/rounds", again)
    opened(book, path, 2)
    book.post(f"{path}/unpairing?dry_run=true", {})
    book.post(f"{path}/unpairing", {}, if_match='"1"')
    for _ in range(2):
        book.post(f"{path}/unpairing", {"reason": "two more came"}, idempotency_key="unpaired")
    book.did(f"{path}/rounds", {**again, "byes": [4, 3]})
    id = opened(book, path, 2)["A"]
    book.did(f"/v1/games/{id}/hands", {"dealer": 0})
    book.post(f"{path}/unpairing", {})
    scored(book, id, 9, 9)
    book.post(f"{path}/rounds/2/closing", {})
    book.post(f"{path}/rounds", again)
