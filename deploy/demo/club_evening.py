"""Demo tournament: a published club night of Casino in its second round, with disputes and rulings."""

from collections.abc import Callable, Iterator
from random import Random
from typing import Any

from msgspec import Struct

from deploy.demo.tables import PLAYERS, Request, requests_of
from domain.games import RULESETS
from replay.sample_games import random_record

NIGHT = "club-night"
"""The id of the tournament."""

_PATH = f"/v1/tournaments/{NIGHT}"
_GAME: dict[str, Any] = {"ruleset": "casino", "options": {"sweeps": True}, "seats": 2}
_HAND = 48
"""Number of moves in a hand for two."""

_PAIRED = (((1, 2), (3, 4), (5, 6), (7, 8)), ((1, 4), (3, 2), (5, 8), (7, 6)))
"""The entrants at each table of a round."""

_DISPUTED = ("3H", "8C", "5S", "8D", "KC", "KD", "4D", "KS", "KH", "QH", "QS", "QD")
"""First cards of the hand in which a player trails although their build is on the board (CNO-41)."""

_BUILD = {"type": "build", "card": "3H", "value": 8, "groups": [["3H", "5S"]]}


class Game(Struct, frozen=True):
    """A game of the night. ``name``: its round and table."""

    name: str
    requests: tuple[Request, ...]


def build_club_evening() -> Iterator[Request | Game]:
    """Yield everything that happens, in order; always the same. Only the first round is closed."""
    plan = {"title": "Casino club night", **_GAME, "rounds": 3, "format": "manual", "entrants": "players"}
    counted = {"scoring": {"by": "points"}, "tie_breaks": ["wins", "score_difference", "lots"], "seed": NIGHT}
    yield Request("/v1/tournaments", {"id": NIGHT, **plan, **counted})
    yield Request(f"{_PATH}/entries", {"entries": [{"players": [player.id]} for player in PLAYERS[:8]]})
    yield Request(f"{_PATH}/publication", {"publication": "names"})
    for number, pairs in enumerate(_PAIRED, 1):
        tables = [{"table": str(table), "parties": [[entrant] for entrant in pair]} for table, pair in enumerate(pairs, 1)]
        yield Request(f"{_PATH}/rounds", {"tables": tables})
        yield from (_game(number, table, pair) for table, pair in enumerate(pairs, 1))
        if number == 1:
            yield Request(f"{_PATH}/rounds/1/closing", {})
    wall = {"show": "standings", "round": 1, "message": "Round 3 begins when table 2 has a ruling."}
    yield Request(f"{_PATH}/wall", wall, "PUT")


def _game(number: int, table: int, pair: tuple[int, ...]) -> Game:
    name = f"{number}/{table}"
    place = {"players": [PLAYERS[entrant - 1].id for entrant in pair], "tournament": NIGHT, "round": number, "table": str(table)}
    return Game(name, tuple(_HAPPENS.get(name, _play_all)(name, place)))


def _play_all(name: str, place: dict[str, Any]) -> Iterator[Request]:
    return requests_of(_by_chance(name), **place)


def _requests_with_ruling(name: str, place: dict[str, Any]) -> Iterator[Request]:
    """Yield a game in which an arbiter was called and has ruled."""
    yield from _play_all(name, place)
    yield Request("/disputes", {"seat": 1, "claim": "A sweep was written down twice."})
    reason = "The sweep of the first hand stands once on the tally. One point is taken back."
    order = {"adjustments": [{"party": 0, "hand": 1, "points": -1}], "rules": ["CNO-52"], "public": True}
    yield Request("/rulings", {"dispute": 1, "decision": "adjust", "reason": reason, **order})


def _requests_with_dispute(name: str, place: dict[str, Any]) -> Iterator[Request]:
    """Yield a game in which two moves were taken back and made again, and the count is disputed at the end."""
    opened, dealt, moved, *others = _play_all(name, place)
    moves = moved.body["moves"]
    yield from (opened, dealt, Request("/moves", {"moves": moves[:3]}))
    yield Request("/rewinds", {"to": 3, "reason": "The wrong card was entered."})
    yield from (Request("/moves", {"moves": moves[1:]}), *others)
    yield Request("/disputes", {"seat": 0, "claim": "My last sweep was not written down: that is one point more for me."})


def _requests_with_suspension(name: str, place: dict[str, Any]) -> Iterator[Request]:
    """Yield a game whose second hand has an illegal trail that was not noticed until the next player was to play."""
    record = _by_chance(name, _HAND)
    [first] = record["hands"]
    builder, other = first["dealer"], 1 - first["dealer"]
    deck = [*_DISPUTED, *(card for card in first["deck"] if card not in _DISPUTED)]
    moves = [{"seat": builder, "move": _BUILD}, {"seat": other, "move": {"type": "trail", "card": "KC"}}]
    record["hands"].append({"dealer": other, "deck": deck, "moves": moves})
    yield from requests_of(record, **place)
    effects = [["moved", ["4D"], f"hand:{builder}", "board", False, True], ["turn", "play", other, [other]]]
    yield Request("/stood-moves", {"seat": builder, "move": {"type": "trail", "card": "4D"}, "effects": effects})
    claim = "The four of diamonds was trailed, but the build of eight was his own: he had to take it or to play on it."
    yield Request("/disputes", {"seat": other, "claim": claim, "suspends": True})


def _requests_of_two_hands(name: str, place: dict[str, Any]) -> Iterator[Request]:
    """Yield a game that is in its second hand."""
    return requests_of(_by_chance(name, _HAND + 15), **place)


_HAPPENS: dict[str, Callable[[str, dict[str, Any]], Iterator[Request]]] = {
    "1/2": _requests_with_ruling,
    "2/1": _requests_with_dispute,
    "2/2": _requests_with_suspension,
    "2/3": _requests_of_two_hands,
}
"""Tables with incidents; all others are played to the end."""


def _by_chance(name: str, most: int | None = None) -> dict[str, Any]:
    return random_record(name, RULESETS[_GAME["ruleset"]], _GAME["options"], _GAME["seats"], Random(f"{NIGHT} {name}"), most)
