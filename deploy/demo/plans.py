"""Who plays what: games that were recorded elsewhere, and games that chance plays, at least one of every ruleset."""

import tomllib
from importlib.resources import files
from itertools import count, cycle, islice
from random import Random
from typing import Any

import msgspec
from msgspec import Struct

from domain.rules import Rulesets
from replay.playout import fewest_seats, random_record

_NAMES = (
    *("Amsel", "Drossel", "Elster", "Zeisig", "Dohle", "Fink", "Kleiber", "Meise"),
    *("Specht", "Star", "Stieglitz", "Zaunkönig", "Lerche", "Pirol", "Rabe", "Uhu"),
)
_FOLDER = files("deploy.demo")


class Plan(Struct, frozen=True):
    """``record`` is a bundled record; without it chance plays, ``moves`` at most: what is not over by then is still being played."""

    ruleset: str
    table: str = ""
    seats: int | None = None
    options: dict[str, Any] = {}
    record: str | None = None
    moves: int = 300


def first_plans(rulesets: Rulesets) -> list[Plan]:
    """The tables of the file ``tables.toml``, and one for every ruleset that has none there."""
    listed = msgspec.convert(tomllib.loads((_FOLDER / "tables.toml").read_text(encoding="utf-8"))["tables"], list[Plan])
    known = [plan for plan in listed if plan.ruleset in rulesets]
    usual = [Plan(key) for key in rulesets if all(plan.ruleset != key for plan in known)]
    return list(_named([*known, *usual]))


def plans(rulesets: Rulesets, games: int) -> list[Plan]:
    """So many: the first ones as they are, then the same tables again, played by chance."""
    first = first_plans(rulesets)
    again = (msgspec.structs.replace(plan, record=None) for plan in cycle(first))
    return list(_named([*first[:games], *islice(again, max(0, games - len(first)))]))


def _named(unnamed: list[Plan]) -> list[Plan]:
    names = (name if round == 1 else f"{name} {round}" for round in count(1) for name in _NAMES)
    return [msgspec.structs.replace(plan, table=name) for plan, name in zip(unnamed, names, strict=False)]


def record_of(plan: Plan, rulesets: Rulesets, seed: int) -> dict[str, Any]:
    """The whole game beforehand; the same seed gives the same cards and moves."""
    if plan.record is not None:
        record: dict[str, Any] = msgspec.json.decode((_FOLDER / "records" / f"{plan.record}.json").read_bytes())
        return record
    ruleset = rulesets[plan.ruleset]
    seats = fewest_seats(ruleset, plan.options) if plan.seats is None else plan.seats
    return random_record(plan.table, ruleset, plan.options, seats, Random(f"{seed} {plan.table}"), plan.moves)
