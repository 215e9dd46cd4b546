"""A club night that is not over: a published tournament of Casino in its second round, with what brings an arbiter to a table."""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from itertools import islice
from random import Random

from msgspec import Struct
from msgspec.structs import replace

from deploy.demo.scripts import Request, Script, Situation, opened, recorded, request, script_with
from deploy.demo.season import Cup, Fixture, players
from domain.games import RULESETS
from domain.rules import Move, Rulebook
from domain.table import Table, fold
from replay.playout import PlayoutStep, playout

NIGHT = "club-night"
"""The id of the tournament."""

TABLES = ("1", "2", "3", "4")
_CUP = Cup(NIGHT, "casino", 2, {"sweeps": True}, rounds=3, tables=len(TABLES), moves=1_000)
_BEGINS = datetime(2026, 3, 6, 19, tzinfo=UTC)
_ROUND = timedelta(minutes=50)
_PAIRED = ((0, 1, 2, 3, 4, 5, 6, 7), (0, 3, 2, 1, 4, 7, 6, 5))
"""Who meets whom, by their order in the pool, table by table."""

DISPUTED = ("3H", "8C", "5S", "8D", "KC", "KD", "4D", "KS", "KH", "QH", "QS", "QD")
"""The first cards of the hand in which somebody trails although his build lies on the board (CNO-41)."""


_TRAIL: Move = {"type": "trail", "card": "KC"}
_BUILD: Move = {"type": "build", "card": "3H", "value": 8, "groups": (("3H", "5S"),)}
_HAND = 49
"""Steps of a hand for two: the deal and 48 cards."""


class Night(Struct, frozen=True):
    """``rounds`` are in the order in which they are played; only the first one is closed."""

    announced: tuple[Request, ...]
    rounds: tuple[tuple[Request, tuple[Script, ...]], ...]
    closing: Request
    wall: Request


def night() -> Night:
    """Always the same one."""
    first, second = (tuple(_fixtures(number)) for number in (1, 2))
    return Night(
        announced=tuple(_announced()),
        rounds=((_paired(first), tuple(_first_round(first))), (_paired(second), tuple(_second_round(second)))),
        closing=request(f"{_path()}/rounds/1/closing", {}),
        wall=request(f"{_path()}/wall", {"show": "standings", "round": 1, "message": "Round 3 begins when table 2 has a ruling."}),
    )


def _path() -> str:
    return f"/v1/tournaments/{NIGHT}"


def _announced() -> Iterator[Request]:
    plan = {"ruleset": _CUP.ruleset, "options": _CUP.options, "seats": _CUP.seats, "rounds": _CUP.rounds, "format": "manual"}
    counted = {"entrants": "players", "scoring": {"by": "points"}, "tie_breaks": ["wins", "score_difference", "lots"], "seed": NIGHT}
    yield request("/v1/tournaments", {"id": NIGHT, "title": "Casino club night", **plan, **counted})
    yield request(f"{_path()}/entries", {"entries": [{"players": [player.id]} for player in players()[: 2 * len(TABLES)]]})
    yield request(f"{_path()}/publication", {"publication": "names"})


def _fixtures(round: int) -> Iterator[Fixture]:
    pool, order = players(), _PAIRED[round - 1]
    for number, table in enumerate(TABLES):
        seated = tuple(pool[place].id for place in order[2 * number : 2 * number + 2])
        yield Fixture(10 * round + number, NIGHT, round, table, _CUP, seated, _BEGINS + (round - 1) * _ROUND)


def _paired(fixtures: tuple[Fixture, ...]) -> Request:
    places = [player.id for player in players()]
    tables = [{"table": one.table, "parties": [[places.index(player) + 1] for player in one.players]} for one in fixtures]
    return request(f"{_path()}/rounds", {"tables": tables})


# The tables


def _first_round(fixtures: tuple[Fixture, ...]) -> Iterator[Script]:
    """All of it is played; at table 2 the arbiter was called, and has ruled."""
    for fixture in fixtures:
        played = _whole(fixture, "nothing")
        yield _with(played, _ruled()) if fixture.table == "2" else played


def _second_round(fixtures: tuple[Fixture, ...]) -> Iterator[Script]:
    """At each table something else: moves taken back and a count in dispute, a hand that waits for a ruling, play, and the end."""
    yield _with(_whole(fixtures[0], "undone"), [_miscounted()])
    yield _suspended(fixtures[1], Random("suspended"))
    yield _begun(fixtures[2], Random("begun"))
    yield _whole(fixtures[3], "nothing")


def _whole(fixture: Fixture, what: str) -> Script:
    return script_with(fixture, what, Random(f"{NIGHT} {fixture.number}"))


def _with(script: Script, more: list[Request]) -> Script:
    return replace(script, requests=(*script.requests, *more))


def _ruled() -> list[Request]:
    claim = {"seat": 1, "claim": "A sweep was written down twice."}
    reason = "The sweep of the first hand stands once on the tally. One point is taken back."
    order = {"adjustments": [{"party": 0, "hand": 1, "points": -1}], "rules": ["CNO-52"], "public": True}
    return [request("/disputes", claim), request("/disputes/1/rulings", {"decision": "adjust", "reason": reason, **order})]


def _miscounted() -> Request:
    return request("/disputes", {"seat": 0, "claim": "My last sweep was not written down: that is one point more for me."})


def _begun(fixture: Fixture, chance: Random) -> Script:
    """In its second hand."""
    steps = [*islice(playout(_rulebook(), chance), _HAND + 16)]
    return _script(fixture, [opened(fixture), *recorded(_situation(fixture, chance), steps, undone=False)])


def _suspended(fixture: Fixture, chance: Random) -> Script:
    """In its second hand, somebody trailed who must not, and it was not noticed until the next one was to play."""
    first = [*islice(playout(_rulebook(), chance), _HAND)]
    steps = [*first, *_until_the_trail(first[-1].table, first[0].seat, chance)]
    builder = first[0].seat
    effects = [["moved", ["4D"], f"hand:{builder}", "board", False, True], ["turn", "play", 1 - builder, [1 - builder]]]
    stood = {"seat": builder, "move": {"type": "trail", "card": "4D"}, "effects": effects}
    claim = "The four of diamonds was trailed, but the build of eight was his own: he had to take it or to play on it."
    return _script(
        fixture,
        [
            opened(fixture),
            *recorded(_situation(fixture, chance), steps, undone=False),
            request("/stood-moves", stood),
            request("/disputes", {"seat": 1 - builder, "claim": claim, "suspends": True}),
        ],
    )


def _until_the_trail(table: Table, builder: int, chance: Random) -> Iterator[PlayoutStep]:
    """The second hand up to there: the other one deals."""
    rulebook = _rulebook()
    moves = ((builder, _BUILD), (1 - builder, _TRAIL))
    rest = [card for card in rulebook.deck if card not in DISPUTED]
    deck = (*DISPUTED, *chance.sample(rest, len(rest)))
    effects = rulebook.deal(table, 1 - builder, deck)
    table = fold(table, effects)
    yield PlayoutStep(1 - builder, None, effects, table, deck)
    for seat, move in moves:
        effects = rulebook.resolve(table, seat, move)
        table = fold(table, effects)
        yield PlayoutStep(seat, move, effects, table)


def _rulebook() -> Rulebook:
    return RULESETS[_CUP.ruleset].bind(_CUP.options, _CUP.seats)


def _situation(fixture: Fixture, chance: Random) -> Situation:
    return Situation(fixture, _rulebook().setup, chance, 0)


def _script(fixture: Fixture, requests: list[Request]) -> Script:
    return Script(fixture.number, 0, False, tuple(requests))
