"""Refusals of a game, raised by worked cases, by what is no set-up, deal or move at all, and by moves that are out of place."""

import json
from collections.abc import Iterator, Mapping
from itertools import chain, product
from pathlib import Path
from random import Random
from typing import Any

from msgspec import UNSET

from domain.cards import HIDDEN
from domain.errors import Refused
from domain.moves import resolve_entry
from domain.rules import Rulebook, Ruleset
from domain.table import Table, fold
from replay.cases import full_deck, parse_entry
from replay.sample_games import find_minimum_seats, play_sample_game
from tests.domain.games.setups import TRIED
from tests.refusals.rare import rare

CASES = Path(__file__).resolve().parent.parent / "cases"

_GAMES = 2
"""So many games are played for each set-up."""
_STEPS = 120
_TRIED = 10
"""So many moves that come from elsewhere are tried on each table."""


def raised(key: str, ruleset: Ruleset) -> Iterator[Refused]:
    """Until every code of the game was raised, or no more is tried."""
    wanted = set(ruleset.about().codes)
    for refused in chain(of_cases(key, ruleset), of_beginnings(ruleset), rare(key), of_games(key, ruleset)):
        yield refused
        wanted.discard(refused.code)
        if not wanted:
            return


def of_games(key: str, ruleset: Ruleset) -> Iterator[Refused]:
    for game in range(_GAMES):
        for number, set_up in enumerate(TRIED[key]().set_ups):
            yield from of_play(ruleset.bind(dict(set_up.options), set_up.seats), Random(f"{key} {number} {game}"))


def of_cases(key: str, ruleset: Ruleset) -> Iterator[Refused]:
    """Of the cases of a game, and of each the way there."""
    for file in sorted(CASES.glob("*/*.json")):
        case = json.loads(file.read_text(encoding="utf-8"))
        if case["ruleset"] == key:
            yield from _of_case(ruleset, case)


def _of_case(ruleset: Ruleset, case: Mapping[str, Any]) -> Iterator[Refused]:
    try:
        rulebook = ruleset.bind(case.get("options", {}), case["seats"])
        table = Table(rulebook.setup)
        for hand in case["hands"]:
            if "result" in hand:
                table = fold(table, rulebook.report(table, hand["dealer"], hand["result"]))
                continue
            table = fold(table, rulebook.deal(table, hand["dealer"], full_deck(hand, rulebook), hand.get("known", UNSET)))
            for entry in map(parse_entry, hand["moves"]):
                yield from _out_of_place(rulebook, table, ({"type": kind} for kind in _types(ruleset)))
                table = fold(table, resolve_entry(rulebook, table, entry).effects)
    except Refused as refused:
        yield refused


def of_beginnings(ruleset: Ruleset) -> Iterator[Refused]:
    """What is no set-up, no deal and no move at all."""
    seats = find_minimum_seats(ruleset, {})
    nothing: tuple[object, ...] = ([], {"colour": "red"})
    for options in nothing:
        yield from _refusal(lambda options=options: ruleset.bind(options, seats))
    wrong: tuple[object, ...] = ("?", -1, None, [], {})
    for name, given in product(_options(ruleset), wrong):
        yield from _refusal(lambda name=name, given=given: ruleset.bind({name: given}, seats))
    for number in (0, 99, None):
        yield from _refusal(lambda number=number: ruleset.bind({}, number))
    rulebook = ruleset.bind({}, seats)
    table = Table(rulebook.setup)
    for dealer, deck in ((99, list(rulebook.deck)), (None, list(rulebook.deck)), (0, ["?"])):
        yield from _refusal(lambda dealer=dealer, deck=deck: rulebook.deal(table, dealer, deck))
    results: tuple[object, ...] = ([], {"points": [0]}, {"points": [0] * len(rulebook.setup.parties), "end": "?"})
    for result in results:
        yield from _refusal(lambda result=result: rulebook.report(table, 0, result))
    for known in (UNSET, {"nowhere": rulebook.deck[:1]}):
        yield from _refusal(lambda known=known: rulebook.deal(table, 0, [HIDDEN] * len(rulebook.deck), known))
    yield from _out_of_place(rulebook, table, ({"type": kind} for kind in _types(ruleset)))
    for move in (None, {"type": "?"}, *({"type": kind, "colour": "red"} for kind in _types(ruleset))):
        yield from _refusal(lambda move=move: rulebook.resolve(table, 0, move))


def of_play(rulebook: Rulebook, chance: Random) -> Iterator[Refused]:
    """Moves of other tables, seats and moments, and such moves with other cards."""
    pool: list[dict[str, Any]] = []
    table = Table(rulebook.setup)
    for number, step in enumerate(play_sample_game(rulebook, chance)):
        table = step.table
        if step.move is not None:
            pool.append(step.move)
        if pool:
            tried = [chance.choice(pool) for _ in range(_TRIED)]
            yield from _out_of_place(rulebook, table, [*tried, *(_changed(rulebook, table, move, chance) for move in tried)])
        yield from _refusal(lambda table=table: rulebook.deal(table, 0, list(rulebook.deck)))
        if number > _STEPS:
            return


def _out_of_place(rulebook: Rulebook, table: Table, moves: Any) -> Iterator[Refused]:
    for move in moves:
        for seat in (*table.to_act, (table.to_act or (0,))[0] + 1):
            yield from _refusal(lambda seat=seat, move=move: rulebook.resolve(table, seat, move))


def _changed(rulebook: Rulebook, table: Table, move: dict[str, Any], chance: Random) -> dict[str, Any]:
    """The move with something else in one of its fields: a card that lies somewhere, another number, a list that is shorter or longer."""
    held = [card for seat in table.to_act for name, zone in table.zones.items() if zone.owner == seat for card in zone.cards]
    lying = [card for zone in table.zones.values() for card in zone.cards]
    field = chance.choice(sorted(move))
    if field == "type":
        return {**move, "type": chance.choice(sorted(_types_of(rulebook)))}
    return {**move, field: _other(move[field], chance.choice((held or lying, lying)), set(rulebook.deck), chance)}


def _other(value: Any, cards: list[str], known: set[str], chance: Random) -> Any:
    match value:
        case str() if value in known and cards:
            return chance.choice(cards)
        case int() if not isinstance(value, bool):
            return max(0, value + chance.choice((-3, -1, 1, 2, 5)))
        case list() | tuple() if value:
            place = chance.randrange(len(value))
            changed = [_other(one, cards, known, chance) if index == place else one for index, one in enumerate(value)]
            return chance.choice((changed, [*value, _other(value[place], cards, known, chance)], list(value[1:])))
        case dict():
            name = chance.choice(sorted(value))
            return {**value, name: _other(value[name], cards, known, chance)}
        case _:
            return value


def _refusal(ask: Any) -> Iterator[Refused]:
    try:
        ask()
    except Refused as refused:
        yield refused


def _types(ruleset: Ruleset) -> list[str]:
    return _types_of(ruleset.bind({}, find_minimum_seats(ruleset, {})))


def _types_of(rulebook: Rulebook) -> list[str]:
    return list(getattr(rulebook, "moves", {}))


def _options(ruleset: Ruleset) -> list[str]:
    return list(ruleset.about().options["$defs"]["Options"]["properties"])
