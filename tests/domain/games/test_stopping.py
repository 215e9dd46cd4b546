"""A hand that is stopped when time is up (COM-43): what becomes of it is the game's."""

from random import Random
from typing import Any

import pytest

from domain.effects import CardsMoved, DetailAnnounced, Effect, GameClosed, HandClosed, MarkSet, SightSet
from domain.games import RULESETS
from domain.rules import Rulebook
from domain.score import HandSheet
from domain.table import Table, fold
from replay.sample_games import random_deal, random_move
from tests.domain.games.canasta.positions import Position as Canasta
from tests.domain.games.casino.positions import Position as Casino
from tests.domain.games.quartett.positions import trumpf
from tests.each import each

LIMITS: dict[str, tuple[str, int, dict[str, object]]] = {
    "alcasan": ("move_limit", 3, {}),
    "quartett-classic": ("ask_limit", 3, {}),
    "quartett-trumpf": ("round_limit", 3, {"deck_def": "metals"}),
}
"""The games that have a limit: its option, seats, and the options beside it."""


def stopped(rulebook: Rulebook, table: Table) -> Table:
    return fold(table, rulebook.stop(table).effects)


def last_hand(table: Table) -> HandSheet:
    return table.score.hands[-1]


@each("key", LIMITS)
@each("limit", [1, 2, 9])
@each("seed", range(2))
def test_a_game_with_a_limit_scores_a_stopped_hand_as_if_the_limit_had_been_reached_with_the_last_move(key: str, limit: int, seed: int):
    option, seats, options = LIMITS[key]
    limited, free = (RULESETS[key].bind({**options, **more}, seats) for more in ({option: limit}, {}))
    chance = Random(seed)
    dealt = random_deal(free, Table(free.setup), chance)
    same, table = fold(Table(limited.setup), dealt.effects), dealt.table
    while same.in_hand:
        assert table.in_hand
        step = random_move(free, table, chance)
        same = fold(same, limited.resolve(same, step.seat, step.move))
        table = step.table
    by_limit = last_hand(same)
    assert last_hand(stopped(free, table) if table.in_hand else table) == by_limit


@pytest.mark.parametrize("key", RULESETS)
@each("seed", range(3))
def test_a_hand_can_be_stopped_after_any_move_and_is_over_then(key: str, seed: int):
    chance, rulebook = Random(seed), RULESETS[key].bind({}, {"cascades": 1, "quartett-classic": 3}.get(key, 2))
    table = random_deal(rulebook, Table(rulebook.setup), chance).table
    for _ in range(chance.randrange(60)):
        if table.in_hand:
            table = random_move(rulebook, table, chance).table
    if table.in_hand:
        after = stopped(rulebook, table)
        assert (after.in_hand, after.turn, after.to_act) == (False, None, ())
        assert rulebook.view(after)["hand"] == 1
        assert sorted(card for zone in after.zones.values() for card in zone.cards) == sorted(rulebook.deck)


def test_alcasan_can_be_stopped_while_the_open_cards_are_chosen():  # ALC-43
    rulebook = RULESETS["alcasan"].bind({}, 3)
    table = random_deal(rulebook, Table(rulebook.setup), Random(1)).table
    hand = last_hand(stopped(rulebook, table))
    assert (hand.end, hand.points, hand.facts) == ("move_limit", (0, 0, 0), {"places": (1, 1, 1), "cards_left": (9, 9, 9)})


def test_canasta_is_counted_as_after_an_empty_stock_though_cards_are_left():  # CAN-18, CAN-44 to CAN-46
    position = Canasta("QS QH", "7C", "4C", "JK", melds={0: "K: KS KH 2D"}, red={0: "3H", 1: "3D 3D"}, stock="5D 6D", phase="draw")
    hand = last_hand(stopped(position.rulebook, position.table))
    assert (hand.end, hand.facts) == ("stock_exhausted", {"out_seat": None, "concealed": False, "minimums": (50, 50)})
    counting = {row: points for row, points in hand.rows.items() if points != (0, 0)}
    assert counting == {"melded_cards": (40, 0), "red_threes": (100, -200), "hand_cards": (-25, -55)}


def test_canasta_forgets_a_pending_question_when_it_is_stopped():  # CAN-41
    position = Canasta("QS QH 9S", phase="answer", marks={"question": "pending"})
    assert position.rulebook.view(stopped(position.rulebook, position.table))["question"] is None


def test_in_a_round_that_is_not_compared_yet_everybody_takes_back_what_he_showed():  # QTR-26
    position = trumpf("A2 A3", "B1 B3 B4", "C1 C2 C3 C4", category="mass", shown="A1", trick=(0, 1, 2), turn=1, phase="reply")
    effects = position.rulebook.stop(position.table).effects
    wanted: tuple[Effect, ...] = (
        DetailAnnounced(None, "stopped", "round_limit"),
        CardsMoved(("A1",), "round", "hand:0", under=True),
        MarkSet("category", None),
        MarkSet("places", (2, 2, 1)),
        MarkSet("trick", None),
    )
    assert effects[: len(wanted)] == wanted
    after = fold(position.table, effects)
    assert (last_hand(after).end, last_hand(after).facts["cards"]) == ("round_limit", (3, 3, 4))
    assert position.rulebook.view(after)["round"] == []


def test_what_was_shown_in_tied_rounds_goes_back_before_what_was_shown_since():  # QTR-26
    position = trumpf("A3", "B3 B4", middle={"A1": 0, "B1": 1}, category="mass", shown="A2", trick=(0, 1), turn=1, phase="reply")
    position.table = stopped(position.rulebook, position.table)
    assert position.stacks()[:2] == ["A3 A1 A2", "B3 B4 B1"]


def test_casino_counts_nothing_of_a_stopped_hand():
    position = Casino("4S", board="4H", piles={0: "2S TD", 1: "AS"})
    result = position.rulebook.stop(position.table)
    assert (result.effects, result.counts) == ((HandClosed("stopped", {}),), False)


def test_cascades_is_over_when_it_is_stopped_and_neither_won_nor_lost():  # CSC-7, CSC-44
    rulebook = RULESETS["cascades"].bind({}, 1)
    table = random_deal(rulebook, Table(rulebook.setup), Random(1)).table
    result = rulebook.stop(table)
    opened = tuple(SightSet(zone, "all") for zone in ("stock", "waste", "reserve:0", "reserve:1", "reserve:2"))
    assert (result.effects, result.counts) == ((*opened, HandClosed("stopped", {}), GameClosed((None,), {})), False)


@each("key", LIMITS)
def test_the_last_hand_that_is_stopped_ends_the_game(key: str):
    _, seats, options = LIMITS[key]
    for deals, phase in ((1, "game_over"), (2, "hand_over")):
        rulebook = RULESETS[key].bind({**options, "deals": deals}, seats)
        table = random_deal(rulebook, Table(rulebook.setup), Random(1)).table
        assert stopped(rulebook, table).phase == phase


def test_no_game_forgets_to_say_what_becomes_of_a_stopped_hand():
    unsaid: list[Any] = [key for key, ruleset in RULESETS.items() if not callable(getattr(ruleset, "stop", None))]
    assert unsaid == []
