"""Who plays what at the tables of the evening: games that were recorded elsewhere, and games that chance plays, one of every ruleset."""

from collections.abc import Iterator, Mapping
from importlib.resources import files
from itertools import chain, count, cycle, islice
from random import Random
from typing import Any

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from domain.rules import Rulesets
from replay.playout import fewest_seats, random_record

_FOLDER = files("deploy.demo")
_BATCH = 200
"""Moves that are sent at once."""


class Player(Struct, frozen=True):
    """As the directory takes one."""

    id: str
    name: str
    club: str


class Table(Struct, frozen=True):
    """``record`` is a bundled record; without it chance plays, ``moves`` at most: what is not over by then is still being played."""

    ruleset: str
    name: str = ""
    seats: int | None = None
    options: dict[str, Any] = {}
    record: str | None = None
    moves: int = 300


class Request(Struct, frozen=True):
    """What is sent for a game goes to its address and then ``path``; the first request opens it."""

    path: str
    body: Mapping[str, Any]
    method: str = "POST"


class _Evening(Struct, frozen=True):
    names: tuple[str, ...]
    players: tuple[tuple[str, str], ...]
    tables: tuple[Table, ...]


_LISTED = msgspec.toml.decode((_FOLDER / "evening.toml").read_bytes(), type=_Evening)
PLAYERS = [Player(f"p-{number:03}", name, club) for number, (name, club) in enumerate(_LISTED.players, 1)]


def tables(rulesets: Rulesets, games: int | None = None) -> list[Table]:
    """Those of the file, and one for every ruleset that has none there. Of more ``games`` the others are the same, played by chance."""
    listed = [table for table in _LISTED.tables if table.ruleset in rulesets]
    first = [*listed, *(Table(key) for key in rulesets if all(table.ruleset != key for table in listed))]
    endless = chain(first, (replace(table, record=None) for table in cycle(first)))
    names = (name if turn == 1 else f"{name} {turn}" for turn in count(1) for name in _LISTED.names)
    return [replace(table, name=name) for table, name in zip(islice(endless, games or len(first)), names, strict=False)]


def record_of(table: Table, rulesets: Rulesets, seed: int) -> dict[str, Any]:
    """The whole game beforehand; the same seed gives the same cards and moves."""
    if table.record is not None:
        record: dict[str, Any] = msgspec.json.decode((_FOLDER / "records" / f"{table.record}.json").read_bytes())
        return record
    ruleset = rulesets[table.ruleset]
    seats = fewest_seats(ruleset, table.options) if table.seats is None else table.seats
    return random_record(table.name, ruleset, table.options, seats, Random(f"{seed} {table.name}"), table.moves)


def requests_of(record: Mapping[str, Any], **place: object) -> Iterator[Request]:
    """``place``: who plays, and where."""
    yield Request("", {**{key: record[key] for key in ("ruleset", "options", "seats")}, **place})
    for hand in record["hands"]:
        yield Request("/hands", {"dealer": hand["dealer"], "deck": hand["deck"]})
        for start in range(0, len(hand["moves"]), _BATCH):
            yield Request("/moves", {"moves": hand["moves"][start : start + _BATCH]})
