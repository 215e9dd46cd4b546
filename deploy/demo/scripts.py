"""What is sent to the service for a game of the season: by those who record it, and by officials where something happened."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import timedelta
from functools import cache
from itertools import islice
from random import Random
from typing import Any

import msgspec
from msgspec import Struct

from deploy.demo.season import Fixture, words
from domain.games import RULESETS
from domain.setup import Setup
from replay.playout import PlayoutStep, playout

_BATCH = 200
"""Moves that are sent at once."""

_MOVE = timedelta(seconds=12)
_BACK = 2
"""Moves that are taken back where somebody entered a wrong one."""


class Request(Struct, frozen=True):
    """A POST; in a script ``path`` comes after that of the game, which the first one opens. ``role`` is that of the token."""

    path: str
    body: bytes
    role: str = "director"


class Script(Struct, frozen=True):
    """The requests of a game, in order. ``counts``: it has a result for its tournament."""

    number: int
    moves: int
    counts: bool
    requests: tuple[Request, ...]


class Situation(Struct, frozen=True):
    """What an official has before him at the end of a game, or of what was played of it. ``moves`` counts the deals as well."""

    fixture: Fixture
    setup: Setup
    chance: Random
    moves: int


def script(fixture: Fixture, seed: int) -> Script:
    """The whole game beforehand. The same seed gives the same game."""
    chance = Random(f"{seed} {fixture.number}")
    return script_with(fixture, chance.choices([*HAPPENINGS], [often for often, _ in HAPPENINGS.values()])[0], chance)


def script_with(fixture: Fixture, what: str, chance: Random) -> Script:
    """A game in which this happened, one of ``HAPPENINGS``."""
    cup = fixture.cup
    rulebook = RULESETS[cup.ruleset].bind(cup.options, cup.seats)
    steps = list(islice(playout(rulebook, chance), cup.moves))
    if what in _CUT and len(steps) > 2:
        steps = steps[: chance.randrange(2, len(steps))]
    over = steps[-1].table.phase == "game_over"
    now = Situation(fixture, rulebook.setup, chance, len(steps))
    requests = [opened(fixture), *recorded(now, steps, undone=what == "undone"), *HAPPENINGS[what][1](now)]
    if not over and what not in (*_CUT, "annulled"):
        requests.append(_with_reason(now, "/abandonment", "time"))
    moves = sum(step.move is not None for step in steps)
    return Script(fixture.number, moves, what not in ("annulled", "unfinished"), tuple(requests))


# Recorders


def opened(fixture: Fixture) -> Request:
    cup = fixture.cup
    place = {"tournament": fixture.tournament, "round": fixture.round, "table": fixture.table, "happened_at": _at(fixture, 0)}
    return request("", {"ruleset": cup.ruleset, "options": cup.options, "seats": cup.seats, "players": fixture.players, **place})


def recorded(now: Situation, steps: Sequence[PlayoutStep], *, undone: bool) -> Iterator[Request]:
    """Hand by hand. In the last one some moves may be taken back and made again."""
    deals = [index for index, step in enumerate(steps) if step.move is None]
    for deal, end in zip(deals, [*deals[1:], len(steps)], strict=True):
        dealt = steps[deal]
        yield request("/hands", {"dealer": dealt.seat, "deck": dealt.deck, "happened_at": _at(now.fixture, deal)})
        moves = steps[deal + 1 : end]
        if undone and end == len(steps) and len(moves) > _BACK:
            wrong = now.chance.randrange(_BACK, len(moves))
            yield from _moved(now.fixture, moves[:wrong], deal + 1)
            to = 1 + deal + 1 + wrong - _BACK
            yield request("/rewinds", {"to": to, "reason": now.chance.choice(words("undone"))})
            yield from _moved(now.fixture, moves[wrong - _BACK :], deal + 1 + wrong - _BACK)
        else:
            yield from _moved(now.fixture, moves, deal + 1)


def _moved(fixture: Fixture, steps: Sequence[PlayoutStep], first: int) -> Iterator[Request]:
    for start in range(0, len(steps), _BATCH):
        batch = steps[start : start + _BATCH]
        moves = [{"seat": step.seat, "move": step.move} for step in batch]
        yield request("/moves", {"moves": moves, "happened_at": _at(fixture, first + start + len(batch))})


# Officials


def _adjusted(now: Situation) -> list[Request]:
    return [_claimed(now), _ruled(now, "adjust", "adjusts", adjustments=[_deduction(now)])]


def _appealed(now: Situation) -> list[Request]:
    decided = msgspec.structs.replace(_ruled(now, "stands", "appealed"), role="committee")
    return [*_adjusted(now), _with_reason(now, "/disputes/1/appeals", "appeals"), decided]


HAPPENINGS: dict[str, tuple[int, Callable[[Situation], list[Request]]]] = {
    "nothing": (880, lambda now: []),
    "undone": (30, lambda now: []),
    "noted": (20, lambda now: [request("/notes", {"text": now.chance.choice(words("notes")), "happened_at": _end(now)})]),
    "stands": (15, lambda now: [_claimed(now), _ruled(now, "stands", "stands")]),
    "adjusted": (12, _adjusted),
    "penalised": (12, lambda now: [_ruled(now, "penalty", "penalties", "/rulings", adjustments=[_deduction(now)])]),
    "abandoned": (10, lambda now: [_with_reason(now, "/abandonment", "abandoned")]),
    "appealed": (6, _appealed),
    "withdrawn": (5, lambda now: [_claimed(now), _with_reason(now, "/disputes/1/withdrawal", "withdrawn")]),
    "annulled": (5, lambda now: [_with_reason(now, "/annulment", "annulled")]),
    "unfinished": (5, lambda now: []),
}
"""How often in a thousand games, and what the officials send then."""

_CUT = ("abandoned", "unfinished")


def _claimed(now: Situation) -> Request:
    claim = {"claim": now.chance.choice(words("claims")), "seat": now.chance.randrange(now.setup.seats)}
    return request("/disputes", {**claim, "position": now.chance.randint(1, now.moves + 1), "happened_at": _end(now)})


def _ruled(now: Situation, decision: str, occasion: str, path: str = "/disputes/1/rulings", **order: Any) -> Request:
    rules = now.chance.sample(_numbers(now.fixture.cup.ruleset), 1)
    reason = now.chance.choice(words(occasion))
    return request(path, {"decision": decision, "reason": reason, "rules": rules, "happened_at": _end(now), **order})


def _deduction(now: Situation) -> dict[str, int]:
    return {"party": now.chance.randrange(len(now.setup.parties)), "points": -now.chance.randint(1, 3)}


def _with_reason(now: Situation, path: str, occasion: str) -> Request:
    return request(path, {"reason": now.chance.choice(words(occasion)), "happened_at": _end(now)})


@cache
def _numbers(key: str) -> list[str]:
    return [rule.number for rule in RULESETS[key].about().rules]


def _end(now: Situation) -> str:
    return _at(now.fixture, now.moves + 1)


def _at(fixture: Fixture, step: int) -> str:
    return (fixture.begins + step * _MOVE).isoformat()


def request(path: str, body: Mapping[str, Any]) -> Request:
    return Request(path, msgspec.json.encode(body))
