"""Where a request finds what it is about: games, players and tournaments, each brought as far as the request needs it."""

from collections.abc import Callable, Mapping
from typing import Any

from tests.evening.book import Book, below

DECK = ["4S", "3H", "5S", "2S", "8H", "9D", "7D", "QC", "6S", "5C", "8C", "TD"]
"""Seat 0 holds 4S 3H 7D QC, seat 1 8H 9D 8C TD; 5S 2S 6S 5C lie on the table."""
WHOLE = [*DECK, *(card for card in (rank + suit for suit in "CDHS" for rank in "A23456789TJQK") if card not in DECK)]
WRONG = {"seat": 0, "move": {"type": "capture", "card": "7D", "groups": [["6S", "2S"]]}}
"""A seven takes eight."""
TAKEN = [["moved", ["7D"], "hand:0", "won:0", False, True], ["moved", ["6S", "2S"], "board", "won:0"], ["turn", "play", 1, [1]]]

NEWS = {"url": "https://club.example/news", "role": "viewer", "scope": "everything", "game": "00000000-0000-4000-8000-000000000000"}
"""A webhook that wants to know of a game that is none."""

Names = dict[str, Any]


def trailing(seat: int, card: str) -> dict[str, Any]:
    return {"seat": seat, "move": {"type": "trail", "card": card}}


def game(book: Book, **wanted: Any) -> str:
    """The id of a game of Casino for two that was opened and not dealt."""
    return str(book.did("/v1/games", {"ruleset": "casino", "seats": 2, **wanted}, "recorder")["game"])


def dealt(book: Book, **wanted: Any) -> str:
    """Its id once ``DECK`` is dealt: position 2."""
    id = game(book, **wanted)
    book.did(f"/v1/games/{id}/hands", {"dealer": 1, "deck": DECK, "fill": "sorted"}, "recorder")
    return id


def act(book: Book, game: str, what: str, body: object = None, role: str = "director") -> Any:
    return book.did(below(f"/v1/games/{game}", what), body, role).json()


def scored(book: Book, game: str, *points: int) -> None:
    """Ends a game with these totals, so that nobody has to play it out."""
    given = [{"party": party, "points": one} for party, one in enumerate(points)]
    act(book, game, "adjustments", {"adjustments": given, "reason": "as on paper"}, "arbiter")
    act(book, game, "abandonment", {"reason": "as on paper"})


def player(book: Book, id: str, name: str = "Anna Müller", **wanted: Any) -> str:
    book.did("/v1/players", {"id": id, "name": name, **wanted}, "recorder")
    return id


def announced(book: Book, id: str, **wanted: Any) -> str:
    """The address of a tournament of Casino for two that is paired by hand, unless something else is wanted."""
    book.did("/v1/tournaments", {"id": id, "ruleset": "casino", "seats": 2, "format": "manual", **wanted})
    return f"/v1/tournaments/{id}"


def entered(book: Book, tournament: str, count: int, first: int = 1) -> None:
    entries = [{"players": [f"p{number}"], "rating": 2000 - 7 * number} for number in range(first, first + count)]
    book.did(f"{tournament}/entries", {"entries": entries}, "recorder")


def paired(book: Book, tournament: str, *tables: list[list[int]], byes: list[int] | None = None) -> Any:
    """By hand where tables are named, else drawn."""
    given = {"tables": [{"parties": parties} for parties in tables], "byes": byes or []} if tables else {}
    return book.did(f"{tournament}/rounds", given).json()


def opened(book: Book, tournament: str, round: int = 1) -> dict[str, str]:
    """The game of each table."""
    tables = book.did(f"{tournament}/rounds/{round}/games", {}, "recorder")["tables"]
    return {table["table"]: table["game"] for table in tables}


# Stages by name: each answers what its requests are to name


def _dealt(book: Book) -> Names:
    return {"game": dealt(book, options={"sweeps": True}, players=["anna", "bert"])}


def _scored(book: Book) -> Names:
    """A game of alcasan whose hand was stopped at once and counts: position 3."""
    id = str(book.did("/v1/games", {"ruleset": "alcasan", "seats": 2, "players": ["anna", "bert"]}, "recorder")["game"])
    book.did(f"/v1/games/{id}/hands", {"dealer": 0, "deck": [], "fill": "sorted"}, "recorder")
    act(book, id, "stoppage", {"reason": "time is up"}, "arbiter")
    return {"game": id}


def _signed(book: Book) -> Names:
    names = _scored(book)
    act(book, names["game"], "signatures", {"party": 1, "position": 3}, "recorder")
    return names


def _untold(book: Book) -> Names:
    id = game(book, players=["anna", "bert"])
    book.did(f"/v1/games/{id}/hands", {"dealer": 1, "deck": "unknown", "known": {"board": DECK[4:8]}}, "recorder")
    return {"game": id}


def _shuffling(book: Book) -> Names:
    """A deck that nobody chose is on its way, and dice were promised."""
    id = game(book, players=["anna", "bert"], shuffle="fair")
    act(book, id, "shuffles", {"dealer": 1, "dice": 8}, "recorder")
    return {"game": id}


def _with(*acts: tuple[str, object, str]) -> Callable[[Book], Names]:
    def stage(book: Book) -> Names:
        names = _dealt(book)
        for what, body, role in acts:
            act(book, names["game"], what, body, role)
        return names

    return stage


_CLAIM = ("disputes", {"claim": "Seven took eight.", "seat": 1, "suspends": True}, "recorder")
_RULED = ("rulings", {"dispute": 1, "decision": "stands", "reason": "It took seven.", "rules": ["CNO-22"]}, "arbiter")


def _players(book: Book) -> Names:
    one, other = f"one-{book.number}", f"other-{book.number}"
    return {"player": player(book, one, alias="Falke", club="lehrte"), "other": player(book, other, "A. Müller", club="peine")}


def _merged(book: Book) -> Names:
    names = _players(book)
    book.did(f"/v1/players/{names['player']}/merger", {"into": names["other"]})
    return names


def _tournament(*acts: tuple[str, object], **wanted: Any) -> Callable[[Book], Names]:
    def stage(book: Book) -> Names:
        id = f"stage-{book.number}"
        path = announced(book, id, title="Club night", **wanted)
        entered(book, path, 4)
        for what, body in acts:
            book.did(below(path, what), body)
        return {"tournament": id}

    return stage


def _token(book: Book) -> Names:
    return {"token": str(book.did("/v1/tokens", {"role": "recorder", "scope": "everything", "label": "table 3"})["id"])}


_PAIRED = ("rounds", {"tables": [{"parties": [[1], [2]]}, {"parties": [[3], [4]]}]})
_SAID = ("PUT rounds/1/tables/1/result", {"points": [21, 17], "side": 1})
_DECIDED = tuple((f"PUT rounds/1/tables/{table}/result", {"points": [21, 17]}) for table in (1, 2))


def _webhook(book: Book) -> Names:
    """One that has nothing to send. Those of before are removed: one giver may have few."""
    for one in book.get("/v1/webhooks").json()["items"]:
        book.ask("director", "DELETE", f"/v1/webhooks/{one['id']}")
    webhook = str(book.did("/v1/webhooks", {**NEWS, "label": "club"})["id"])
    book.ask("director", "PATCH", f"/v1/webhooks/{webhook}", {"enabled": False})
    return {"webhook": webhook}


def _tested(book: Book) -> Names:
    names = _webhook(book)
    return {**names, "message": str(book.did(f"/v1/webhooks/{names['webhook']}/test", {})["message"])}


def _coded(book: Book) -> Names:
    """A code for everybody, and its id."""
    issued = book.did("/v1/codes", {"role": "viewer", "scope": "everything", "good_for": "many"}).json()
    return {"code": issued["code"], "id": issued["issued"]["id"]}


def _signed_in(book: Book) -> Names:
    names = _coded(book)
    book.did("/in", {"secret": names["code"]}, "viewer")
    (session,) = [one["id"] for one in book.get("/v1/sessions")["items"] if one.get("code") == names["id"]]
    return {"session": session}


def _series(book: Book) -> Names:
    """A series with a tournament, and one that is not in it."""
    id, other = f"cup-{book.number}", f"stage-{book.number}-b"
    tournament = _tournament(_PAIRED, *_DECIDED, ("rounds/1/closing", {}))(book)["tournament"]
    entered(book, announced(book, other), 2)
    book.did("/v1/series", {"id": id, "title": "Cup", "tie_breaks": ["best_results"]})
    book.did(f"/v1/series/{id}/tournaments", {"tournament": tournament})
    return {"series": id, "added": tournament, "other": other}


def _finale(book: Book) -> Names:
    """A series whose tournament is finished."""
    names = _series(book)
    book.did(f"/v1/tournaments/{names['added']}/ending", {})
    return {"series": names["series"]}


def _listed(book: Book) -> Names:
    """A rating list that only the house may read."""
    _tournament(_PAIRED, *_DECIDED)(book)
    return {"number": str(book.did("/v1/ratings/lists", {"ruleset": "casino", "publication": "no"})["position"])}


def _imported(book: Book) -> Names:
    lines = [{"player": name, "score": score} for name, score in (("Cora", 31), ("Dirk", 17))]
    query = f"tournament=Autumn{book.number}&date=2019-10-05&ruleset=casino"
    return {"tournament": book.did(f"/v1/past-results?{query}", {"lines": lines})["tournaments"][0]["tournament"]}


STAGES: Mapping[str, Callable[[Book], Names]] = {
    "nothing": lambda book: {"free": f"free-{book.number}"},
    "coded": _coded,
    "signed_in": _signed_in,
    "opened": lambda book: {"game": game(book)},
    "dealt": _dealt,
    "untold": _untold,
    "shuffling": _shuffling,
    "played": _with(("moves", trailing(0, "QC"), "recorder")),
    "noted": _with(("notes", {"text": "a draught", "position": 2}, "arbiter")),
    "disputed": _with(_CLAIM),
    "ruled": _with(_CLAIM, _RULED),
    "scored": _scored,
    "signed": _signed,
    "suspended": _with(("PUT suspension", {"reason": "fire alarm"}, "director")),
    "players": _players,
    "merged": _merged,
    "token": _token,
    "webhook": _webhook,
    "tested": _tested,
    "entered": _tournament(),
    "drawn": _tournament(format="swiss", rounds=3, tie_breaks=["buchholz", "lots"], seed="drawn"),
    "wished": _tournament(("wishes", {"kind": "apart", "entrants": [1, 2]})),
    "withdrawn": _tournament(("entries/4/withdrawal", {"reason": "ill"})),
    "paired": _tournament(_PAIRED, ("rounds/1/games", {})),
    "said": _tournament(_PAIRED, _SAID),
    "decided": _tournament(_PAIRED, *_DECIDED),
    "closed": _tournament(_PAIRED, *_DECIDED, ("rounds/1/closing", {})),
    "series": _series,
    "finale": _finale,
    "listed": _listed,
    "imported": _imported,
    "ended": _tournament(_PAIRED, *_DECIDED, ("rounds/1/closing", {}), ("ending", {})),
}
