"""The season: which cups are played, when, by whom and at which table. A seed has one season, however much of it is asked for."""

import tomllib
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime, timedelta
from functools import cache
from importlib.resources import files
from itertools import count
from random import Random
from typing import Any

import msgspec
from msgspec import Struct

from domain.rules import Rulesets
from replay.playout import fewest_seats

_FIRST_DAY = datetime(2025, 9, 6, 10, tzinfo=UTC)
_WEEKENDS = 36
_ROUND = timedelta(minutes=75)
_PLAYERS = 360


class Cup(Struct, frozen=True):
    """A tournament as it is held again and again. ``moves``: a table that needs more is broken off."""

    name: str
    ruleset: str
    seats: int | None = None
    options: dict[str, Any] = {}
    rounds: int = 5
    tables: int = 8
    moves: int = 400


class Player(Struct, frozen=True):
    """As the directory takes one."""

    id: str
    name: str
    club: str


class Fixture(Struct, frozen=True):
    """A game to be played. ``number`` counts from 1 through the whole season; ``begins`` is when, at the table."""

    number: int
    tournament: str
    round: int
    table: str
    cup: Cup
    players: tuple[str, ...]
    begins: datetime


class Round(Struct, frozen=True):
    """A round of a tournament. ``entrants`` are its players in the order in which they entered."""

    tournament: str
    number: int
    cup: Cup
    entrants: tuple[str, ...]
    fixtures: tuple[Fixture, ...]

    @property
    def begins(self) -> datetime:
        return self.fixtures[0].begins

    @property
    def is_last(self) -> bool:
        return self.number == self.cup.rounds


@cache
def _texts() -> dict[str, Any]:
    return tomllib.loads(files("deploy.demo").joinpath("season.toml").read_text(encoding="utf-8"))


def words(what: str) -> list[str]:
    """What people in this season say, by occasion; their names and clubs."""
    found: list[str] = _texts()["words"][what]
    return found


def cups(rulesets: Rulesets) -> list[Cup]:
    """Those of the file ``season.toml``, and one for every ruleset that has none there."""
    listed = [cup for cup in msgspec.convert(_texts()["cups"], list[Cup]) if cup.ruleset in rulesets]
    return [*listed, *(Cup(f"{key}-cup", key) for key in rulesets if all(cup.ruleset != key for cup in listed))]


def players() -> list[Player]:
    """The pool from which every cup has its players; each name is there once."""
    names = [f"{given} {family}" for family in words("family") for given in words("given")]
    chance = Random("players")
    return [Player(f"p-{number:03}", name, chance.choice(words("clubs"))) for number, name in enumerate(chance.sample(names, _PLAYERS), 1)]


def fixtures(rulesets: Rulesets, seed: int) -> Iterator[Fixture]:
    """Game by game."""
    return (fixture for round in rounds(rulesets, seed) for fixture in round.fixtures)


def rounds(rulesets: Rulesets, seed: int) -> Iterator[Round]:
    """One cup after another, without an end; each is played on one day."""
    pool = [player.id for player in players()]
    numbers, held = count(1), [_seated(rulesets, cup) for cup in cups(rulesets)]
    for tournament in count():
        cup = held[tournament % len(held)]
        name = f"s{seed}-{cup.name}-{tournament // len(held) + 1}"
        yield from _rounds(cup, name, _FIRST_DAY + timedelta(weeks=tournament % _WEEKENDS), pool, numbers)


def _seated(rulesets: Rulesets, cup: Cup) -> Cup:
    seats = fewest_seats(rulesets[cup.ruleset], cup.options) if cup.seats is None else cup.seats
    return msgspec.structs.replace(cup, seats=seats)


def _rounds(cup: Cup, name: str, begins: datetime, pool: Sequence[str], numbers: Iterator[int]) -> Iterator[Round]:
    """In every round the same players sit together anew."""
    chance, seats = Random(name), cup.seats or 1
    entrants = tuple(chance.sample(pool, seats * cup.tables))
    for round in range(1, cup.rounds + 1):
        seated, at = chance.sample(entrants, len(entrants)), begins + (round - 1) * _ROUND
        tables = [tuple(seated[place : place + seats]) for place in range(0, len(seated), seats)]
        played = (Fixture(next(numbers), name, round, str(table), cup, sitting, at) for table, sitting in enumerate(tables, 1))
        yield Round(name, round, cup, entrants, tuple(played))
