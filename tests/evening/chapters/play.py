"""Games of every ruleset with every option, played by legal moves; and games that nobody may open."""

from random import Random
from typing import Any

from tests.evening.book import Book

_METALS = {"deck_def": "metals"}
GAMES: tuple[tuple[str, int, dict[str, Any], int], ...] = (
    ("casino", 2, {"sweeps": True, "count_out": "order"}, 20),
    ("casino", 3, {"variant": "royal"}, 20),
    ("casino", 4, {"partners": True, "target": 11}, 20),
    ("casino", 4, {}, 12),
    ("canasta", 2, {"end": "hands", "hand_count": 2, "one_card_pile": "forbidden"}, 20),
    ("canasta", 4, {"target_check": "immediate", "start_totals": [1500, 400], "wild_top_take": False}, 40),
    ("canasta", 2, {"pile_red_three_replaced": False, "target_score": 500}, 60),
    ("alcasan", 2, {"extra_lay": "any"}, 30),
    ("alcasan", 3, {"deals": 2}, 40),
    ("alcasan", 4, {"move_limit": 12}, 20),
    ("cascades", 1, {"pawns": True, "courts": True}, 25),
    ("cascades", 1, {"variant": "ace", "passes": 4}, 25),
    ("cascades", 1, {"passes": 0}, 20),
    ("quartett-classic", 3, _METALS, 25),
    ("quartett-classic", 4, {"ask_limit": 9, "deals": 2}, 25),
    ("quartett-trumpf", 2, _METALS, 25),
    ("quartett-trumpf", 3, {"round_limit": 4, "remainder": "deal", "deals": 2}, 20),
    ("quartett-trumpf", 4, {"remainder": "set_aside", **_METALS}, 20),
)
_WRONG_GAMES: tuple[dict[str, Any], ...] = (
    {"ruleset": "whist", "seats": 2},
    {"ruleset": "casino", "seats": "2"},
    {"ruleset": "casino", "seats": 1},
    {"ruleset": "casino", "seats": 2, "options": {"sweeps": 1}},
    {"ruleset": "casino", "seats": 2, "options": {"colour": "red"}},
    {"ruleset": "casino", "seats": 2, "options": []},
    {"ruleset": "casino", "seats": 3, "options": {"partners": True}},
    {"ruleset": "canasta", "seats": 4, "options": {"target_score": 100, "start_totals": [500, 0]}},
    {"ruleset": "alcasan", "seats": 2, "options": {"deals": 0}},
    {"ruleset": "cascades", "seats": 2},
    {"ruleset": "cascades", "seats": 1, "options": {"passes": 1}},
    {"ruleset": "quartett-classic", "seats": 2},
    {"ruleset": "quartett-trumpf", "seats": 2, "options": {"deck_def": "none"}},
    {"ruleset": "quartett-trumpf", "seats": 2, "options": {"deck_def": {"id": "x"}}},
    {"ruleset": "casino", "seats": 2, "players": ["a"]},
    {"ruleset": "casino", "seats": 2, "players": ["a", "a"]},
    {"ruleset": "casino", "seats": 2, "players": "p"},
    {"ruleset": "casino", "seats": 2, "openness": "always"},
    {"ruleset": "casino", "seats": 2, "round": 1.0},
)
_WRONG_MOVES: tuple[Any, ...] = (
    {},
    {"type": "fly"},
    {"type": 7},
    [],
    None,
    {"type": "trail"},
    {"type": "trail", "card": "XX"},
    {"type": "draw", "colour": "red"},
    {"type": "lay", "cards": []},
    {"type": "ask", "target": 9, "card": "A1"},
)


def evening(book: Book) -> None:
    for key in (ruleset["key"] for ruleset in book.get("/v1/rulesets").json()["items"]):
        for role in ("viewer", "director"):
            book.get(f"/v1/rulesets/{key}", role, accept_language="de")
    book.get("/v1/rulesets/whist")
    for wanted in _WRONG_GAMES:
        book.post("/v1/games", wanted, "recorder")
    for number, (ruleset, seats, options, moves) in enumerate(GAMES):
        _played(book, {"ruleset": ruleset, "seats": seats, "options": options}, moves, Random(number))


def _played(book: Book, wanted: dict[str, Any], moves: int, chance: Random) -> None:
    path = f"/v1/games/{book.did('/v1/games', {**wanted, 'players': [f'g{n}' for n in range(wanted['seats'])]}, 'recorder')['game']}"
    book.post(f"{path}/moves", {"seat": 0, "move": {"type": "trail", "card": "KC"}}, "recorder")
    for deck in ([], ["XX"], "KC", None, ["?"]):
        book.post(f"{path}/hands", {"dealer": 0, "deck": deck}, "recorder")
    for dealer in ("0", 9, -1, None, 1.0):
        book.post(f"{path}/hands", {"dealer": dealer}, "recorder")
    page = _legally(book, path, wanted["seats"], moves, chance)
    for move in _WRONG_MOVES:
        book.post(f"{path}/moves", {"seat": page["seat"] or 0, "move": move}, "recorder")
    for seat in (9, "0", None, ((page["seat"] or 0) + 1) % wanted["seats"]):
        book.post(f"{path}/moves", {"seat": seat, "move": page["moves"][0] if page["moves"] else {}}, "recorder")
    for what in ("", "/table", "/table?view=public", "/table?view=seat:0", "/score-sheet?format=csv", "/audit"):
        book.get(f"{path}{what}")
    for language in ("en", "de"):
        for role in ("director", "viewer"):
            book.get(f"{path}/replay?limit=200", role, accept_language=language)
            book.get(f"{path}/score-sheet?format=html", role, accept_language=language)


def _legally(book: Book, path: str, seats: int, moves: int, chance: Random) -> dict[str, Any]:
    """So many legal moves, or to the end of the game; answers what was legal before the last."""
    page: dict[str, Any] = {"seat": None, "moves": []}
    for _ in range(moves):
        page = book.get(f"{path}/legal-moves?limit=40").json()
        if page["seat"] is not None:
            book.did(f"{path}/moves", {"seat": page["seat"], "move": chance.choice(page["moves"])}, "recorder")
        elif not _deal(book, path, seats):
            break
    return page


def _deal(book: Book, path: str, seats: int) -> bool:
    """By the first seat that may; false once the game is over."""
    return any(book.post(f"{path}/hands", {"dealer": dealer}, "recorder").status == 201 for dealer in range(seats))
