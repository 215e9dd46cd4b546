"""What is recorded for a fixture, over HTTP, by a service of whatever version: only what the oldest of them understands, and what a later
one knows besides, where it knows it. The standard library alone, for nothing else is certain to be there.
"""

import json
from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple, TypeAlias
from urllib.error import HTTPError
from urllib.request import Request, urlopen

Simulated: TypeAlias = Callable[[str, int], str]
"""Of a ruleset a random game of so many moves at most, as a record."""

_TABLE, _WHOLE, _BROKEN_OFF = 12, 200, 20  # moves
_CLUB_NIGHT = {
    "id": "club-night", "title": "Club night", "ruleset": "casino", "seats": 2, "format": "swiss", "rounds": 2, "seed": "kiebitz",
    "tie_breaks": ["direct_encounter", "buchholz"],
}  # fmt: skip
_NIGHT = "/v1/tournaments/club-night"


class Asker(NamedTuple):
    """A service, and whose token is shown."""

    url: str
    token: str

    def __call__(
        self, path: str, body: object = None, *, media_type: str = "application/json", method: str | None = None, **headers: str
    ) -> Any:
        """Raises HTTPError."""
        sent = body.encode() if isinstance(body, str) else None if body is None else json.dumps(body).encode()
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        asked = Request(
            self.url + path, sent, {"Authorization": f"Bearer {self.token}", "Content-Type": media_type, **named}, method=method
        )
        with urlopen(asked, timeout=60) as answer:
            return json.load(answer)

    def known(self, path: str, body: object) -> Any:
        """The same, ``None`` where the service does not know the path."""
        try:
            return self(path, body)
        except HTTPError as error:
            if error.code == 404:
                return None
            raise


def items_of(page: Any) -> Any:
    """The items of a list; earlier versions gave them the name of their kind, or nothing around them."""
    return page if isinstance(page, list) else next(value for value in page.values() if isinstance(value, list))


def recorded(ask: Asker, simulated: Simulated) -> dict[str, Any]:
    """Records, and answers what is told of it by the paths under which it is told; beside it a command that may be sent again."""
    rulesets = [one["key"] for one in items_of(ask("/v1/rulesets"))]
    ask("/v1/players", {"id": "anna", "name": "Anna Müller", "club": "lehrte"})
    ask("/v1/players", "id,name,club\nben,Ben Nevis,lehrte\ncleo,Cleo de Nile,\ndana,Dana Dane,\n", media_type="text/csv")
    for key in rulesets:
        for most in (_WHOLE, _BROKEN_OFF):
            ask("/v1/records", simulated(key, most))
    rewound, again = _rewound(ask)
    _ruled(ask)
    _club_night(ask)
    code = _what_came_later(ask)
    head = ask("/v1/feed?limit=1000")["entries"][-1]["sequence"]
    games = [game["id"] for game in items_of(ask(f"/v1/games?limit=200&min_sequence={head}"))]
    told = {path: ask(path) for path in _paths(games)}
    return {"again": {"path": f"/v1/games/{rewound}/moves", **again}, "code": code, "told": told}


def _rewound(ask: Asker) -> tuple[str, dict[str, Any]]:
    """A game of Casino, of which two moves were taken back; and a move of it with its key and answer."""
    game = _opened(ask, players=["anna", "ben"])
    _play(ask, game, _TABLE)
    position = ask(f"/v1/games/{game}")["position"]
    ask(f"/v1/games/{game}/rewinds", {"to": position - 2, "reason": "Ben had not played yet"})
    body = _next_move(ask, game)
    return game, {"key": "evening-1", "body": body, "answer": ask(f"/v1/games/{game}/moves", body, Idempotency_Key="evening-1")}


def _ruled(ask: Asker) -> None:
    """A game of Casino in which play was suspended by a dispute, and a point was taken."""
    game = _opened(ask, players=["cleo", "dana"])
    _play(ask, game, _TABLE)
    ask(f"/v1/games/{game}/disputes", {"position": 3, "seat": 1, "claim": "She said eight.", "suspends": True})
    penalty = {"decision": "penalty", "adjustments": [{"party": 0, "points": -1}]}
    ask(f"/v1/games/{game}/rulings", {"dispute": 1, **penalty, "reason": "Who builds says the number.", "rules": ["CNO-32"]})
    ask(f"/v1/games/{game}/notes", {"text": "The table was warned."})


def _club_night(ask: Asker) -> None:
    """A tournament: a round that is over, with one table played and one entered, and a round in which a table has not begun."""
    ask("/v1/tournaments", _CLUB_NIGHT)
    ask(f"{_NIGHT}/entries", {"entries": [{"players": [player]} for player in ("anna", "ben", "cleo", "dana")]})
    for number in (1, 2):
        ask(f"{_NIGHT}/rounds", {})
        ask(f"{_NIGHT}/rounds/{number}/games", {})
        ask(f"{_NIGHT}/rounds/{number}/tables/2/result", {"points": [21, 14]}, method="PUT")
        if number == 1:
            _play_out(ask, ask(f"{_NIGHT}/rounds/1")["tables"][0]["games"][0]["game"])
            ask(f"{_NIGHT}/rounds/1/closing", {})


def _what_came_later(ask: Asker) -> str | None:
    """Record a webhook that sends nothing, a token for a table, and codes. Return the code for viewers, if the version has codes."""
    night = {"tournament": "club-night"}
    if webhook := ask.known("/v1/webhooks", {"url": "https://club.example/news", "role": "viewer", "scope": night}):
        path = f"/v1/webhooks/{webhook['id']}"
        if ask.known(f"{path}/disabling", {}) is None:
            ask(path, {"enabled": False}, method="PATCH")
    ask.known("/v1/tokens", {"role": "recorder", "label": "Table 1", "scope": {**night, "table": "1", "since": 1}})
    ask.known("/v1/codes", {"role": "viewer", "label": "Hall", "scope": night})
    many = ask.known("/v1/codes", {"role": "viewer", "label": "Wall", "scope": night, "good_for": "many"})
    return str(many["code"]) if many else None


def _paths(games: Sequence[str]) -> Iterator[str]:
    for game in games:
        yield from (f"/v1/games/{game}{of}" for of in ("", "/score-sheet", "/record", "/table", "/table?position=1"))
    yield from ("/v1/players", "/v1/players/anna", "/v1/scores?limit=200", "/v1/rulings")
    yield from (_NIGHT, f"{_NIGHT}/entries", f"{_NIGHT}/rounds/1", f"{_NIGHT}/rounds/2", f"{_NIGHT}/standings")


def _opened(ask: Asker, **wanted: Any) -> str:
    game = str(ask("/v1/games", {"ruleset": "casino", "seats": 2, **wanted})["game"])
    ask(f"/v1/games/{game}/hands", {"dealer": 1})
    return game


def _play(ask: Asker, game: str, moves: int) -> None:
    for _ in range(moves):
        ask(f"/v1/games/{game}/moves", _next_move(ask, game))


def _play_out(ask: Asker, game: str) -> None:
    dealer, phase = 0, "no_hand"
    while phase != "game_over":
        if phase in ("no_hand", "hand_over"):
            dealer = 1 - dealer
            phase = ask(f"/v1/games/{game}/hands", {"dealer": dealer})["phase"]
        else:
            phase = ask(f"/v1/games/{game}/moves", _next_move(ask, game, -1))["phase"]


def _next_move(ask: Asker, game: str, number: int = 0) -> dict[str, Any]:
    """The first that is listed lays a card on the table, the last captures, where one can: else the game would never be over."""
    found = ask(f"/v1/games/{game}/legal-moves")
    return {"seat": found["seat"], "move": found["moves"][number]}
