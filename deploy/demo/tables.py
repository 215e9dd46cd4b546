"""Demo tables: players, bundled records, and random games for every other ruleset."""

from collections.abc import Iterator, Mapping
from importlib.resources import files
from itertools import chain, count, cycle, islice
from random import Random
from typing import Any

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from domain.rules import Rulesets
from replay.sample_games import find_minimum_seats, random_record

FOLDER = files("deploy.demo")
_BATCH = 200
"""Maximum number of moves in a request."""


class Player(Struct, frozen=True):
    """A player, as the directory accepts one."""

    id: str
    name: str
    club: str


class Table(Struct, frozen=True):
    """A table of the evening.

    ``record`` is a bundled record. Without it the game is random, with ``moves`` moves at most; if it is not over by then, it is still
    being played.
    """

    ruleset: str
    name: str = ""
    seats: int | None = None
    options: dict[str, Any] = {}
    record: str | None = None
    moves: int = 300


class Request(Struct, frozen=True):
    """A request about a game, to the game's address and ``path``; the first one opens the game."""

    path: str
    body: Mapping[str, Any]
    method: str = "POST"


class _Evening(Struct, frozen=True):
    names: tuple[str, ...]
    players: tuple[tuple[str, str], ...]
    tables: tuple[Table, ...]


_LISTED = msgspec.toml.decode((FOLDER / "evening.toml").read_bytes(), type=_Evening)
PLAYERS = [Player(f"p-{number:03}", name, club) for number, (name, club) in enumerate(_LISTED.players, 1)]


def tables(rulesets: Rulesets, games: int | None = None) -> list[Table]:
    """Return the tables of the file, and one for every ruleset that is not in it.

    If more ``games`` are wanted, the tables repeat with random games.
    """
    listed = [table for table in _LISTED.tables if table.ruleset in rulesets]
    first = [*listed, *(Table(key) for key in rulesets if all(table.ruleset != key for table in listed))]
    endless = chain(first, (replace(table, record=None) for table in cycle(first)))
    names = (name if turn == 1 else f"{name} {turn}" for turn in count(1) for name in _LISTED.names)
    return [replace(table, name=name) for table, name in zip(islice(endless, games or len(first)), names, strict=False)]


def record_of(table: Table, rulesets: Rulesets, seed: int) -> dict[str, Any]:
    """Return the whole game in advance; the same seed gives the same cards and moves."""
    if table.record is not None:
        record: dict[str, Any] = msgspec.json.decode((FOLDER / "records" / f"{table.record}.json").read_bytes())
        return record
    ruleset = rulesets[table.ruleset]
    seats = find_minimum_seats(ruleset, table.options) if table.seats is None else table.seats
    return random_record(table.name, ruleset, table.options, seats, Random(f"{seed} {table.name}"), table.moves)


def requests_of(record: Mapping[str, Any], **place: object) -> Iterator[Request]:
    """Yield the requests that record a game. ``place``: the players, and where they play."""
    yield Request("", {**{key: record[key] for key in ("ruleset", "options", "seats")}, **place})
    for hand in record["hands"]:
        yield Request("/hands", {"dealer": hand["dealer"], "deck": hand["deck"]})
        for start in range(0, len(hand["moves"]), _BATCH):
            yield Request("/moves", {"moves": hand["moves"][start : start + _BATCH]})
