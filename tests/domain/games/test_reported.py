"""The law of reported hands: report any hand of any game in the place of its moves, and the sheet is the same but for the mark (COM-67)."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from random import Random
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from domain.effects import HandClosed, HandOpened
from domain.events import effects_of
from domain.games import EDITIONS, RULESETS
from domain.moves import play_moves
from domain.score import HandSheet, Sheet
from replay.audit import audit
from replay.export import export
from replay.record import history_of
from replay.sample_games import SampleStep, play_sample_game
from tests.domain.games.setups import TRIED, SetUp
from tests.domain.recorded import RealGame

_SET_UPS, _LONGEST, _HANDS = 3, 400, 4
"""So many ways to play a ruleset are tried, as far apart as the list has them, so many steps of each game, and so many hands of it."""


def spread() -> Iterator[Any]:
    for key, tried in TRIED.items():
        set_ups = tried().set_ups
        for set_up in set_ups[:: max(1, len(set_ups) // _SET_UPS)]:
            yield pytest.param(key, set_up, id=f"{key}: {set_up}")


every_game = pytest.mark.parametrize(("key", "set_up"), [*spread()])


_PLAYED: dict[str, list[list[SampleStep]]] = {}


def played(key: str, set_up: SetUp) -> list[list[SampleStep]]:
    """The hands of a random game that came to their end, played once for all tests."""
    name = f"{key} {set_up}"
    if name not in _PLAYED:
        _PLAYED[name] = [*hands_of(key, set_up, Random(name))]
    return _PLAYED[name]


def hands_of(key: str, set_up: SetUp, chance: Random) -> list[list[SampleStep]]:
    rulebook = RULESETS[key].bind(dict(set_up.options), set_up.seats)
    hands: list[list[SampleStep]] = []
    for step in islice(play_sample_game(rulebook, chance), _LONGEST):
        if step.move is None:
            hands.append([])
        hands[-1].append(step)
    return [hand for hand in hands if any(isinstance(effect, HandClosed) for step in hand for effect in step.effects)][:_HANDS]


def entered(key: str, set_up: SetUp, hands: Sequence[Sequence[SampleStep]], reported: Mapping[int, dict[str, Any]]) -> RealGame:
    """The same hands, those that are named by their results."""
    real = RealGame(key, dict(set_up.options), set_up.seats)
    for number, (deal, *moves) in enumerate(hands):
        if number in reported:
            real.report(deal.seat, reported[number])
        else:
            real.deal_as(deal.seat, *deal.deck)
            real.add(*play_moves(real.game, real.rulebook, [(step.seat, step.move) for step in moves]))
    return real


def result_of(hand: HandSheet) -> dict[str, Any]:
    """All that a sheet on paper tells."""
    result: dict[str, Any] = msgspec.to_builtins({"points": hand.points, "rows": hand.rows, "end": hand.end})
    return msgspec.json.decode(msgspec.json.encode(result))  # pyrefly: ignore[no-any-return-explicit]


def unmarked(sheet: Sheet) -> Sheet:
    return replace(sheet, hands=tuple(replace(hand, facts={}) for hand in sheet.hands))


def some(count: int, chance: Random) -> Iterator[frozenset[int]]:
    """All of them, one, and any."""
    yield frozenset(range(count))
    yield frozenset({chance.randrange(count)})
    yield frozenset(number for number in range(count) if chance.random() < 0.5)


@every_game
def test_a_hand_that_is_reported_with_all_that_paper_tells_counts_as_if_it_had_been_played(key: str, set_up: SetUp):
    hands = played(key, set_up)
    if not hands:
        return  # nobody gets to the end of a hand so soon
    whole = entered(key, set_up, hands, {}).sheet
    for chosen in some(len(hands), Random(str(set_up))):
        real = entered(key, set_up, hands, {number: result_of(whole.hands[number]) for number in chosen})
        assert unmarked(real.sheet) == unmarked(whole)
        assert [hand.reported for hand in real.sheet.hands] == [number in chosen for number in range(len(hands))]
        assert audit(real.history, EDITIONS).verdict == "sound"


@every_game
def test_a_game_of_which_only_points_are_known_has_the_same_points_and_totals(key: str, set_up: SetUp):
    hands = played(key, set_up)
    whole = entered(key, set_up, hands, {}).sheet
    if whole.facts.get("decided_by") not in (None, "total"):
        return  # rows have decided it, and nobody told them
    real = entered(key, set_up, hands, {number: {"points": list(hand.points)} for number, hand in enumerate(whole.hands)})
    told = real.sheet
    assert [(hand.points, hand.totals) for hand in told.hands] == [(hand.points, hand.totals) for hand in whole.hands]
    assert (told.totals, told.finished, told.places) == (whole.totals, whole.finished, whole.places)
    assert [tuple(map(sum, zip(*hand.rows.values(), strict=True))) for hand in told.hands] == [hand.points for hand in told.hands]


@every_game
def test_its_record_is_the_same_game_again(key: str, set_up: SetUp):
    hands = played(key, set_up)
    whole = entered(key, set_up, hands, {}).sheet
    chosen = [*some(max(len(hands), 1), Random(str(set_up)))][-1]
    real = entered(key, set_up, hands, {number: result_of(whole.hands[number]) for number in chosen if number < len(hands)})
    record = msgspec.json.decode(msgspec.json.encode(export("", real.history)))
    again = history_of(record, RULESETS)
    assert [one.event for one in again] == [one.event for one in real.history]


@every_game
def test_a_report_opens_the_hand_that_is_due_and_lays_nothing_on_the_table(key: str, set_up: SetUp):
    hands = played(key, set_up)
    whole = entered(key, set_up, hands, {}).sheet
    real = RealGame(key, dict(set_up.options), set_up.seats)
    for number, hand in enumerate(whole.hands, 1):
        real.report(hand.dealer, result_of(hand))
        assert effects_of(real.last)[0] == HandOpened(number, hand.dealer)
        assert (real.table.zones, real.table.marks, real.table.to_act) == ({}, {}, ())
