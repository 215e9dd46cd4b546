"""What officials decide about a game, and what it folds to."""

from collections import Counter
from typing import Any, get_args

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from domain.act_validation import complete_act
from domain.dispute import Docket, Ruling
from domain.effects import CardsMoved, Effects, MarkSet, TurnPassed
from domain.errors import InvalidFormatError, Refused
from domain.events.base import TextRef
from domain.events.game import (
    Act,
    Decision,
    DisputeAppealed,
    DisputeRaised,
    DisputeRuled,
    DisputeWithdrawn,
    GameAbandoned,
    GameResumed,
    GameSuspended,
    IllegalMoveAccepted,
    PointsAdjusted,
    TableCorrected,
)
from domain.moves import AcceptedMove
from domain.ruling import ORDERED, Order, PointsChange, adjust, allow_illegal_move, order_table_change, rule
from domain.score import Adjustment, VoidedHand, sheet
from domain.sight import PUBLIC, Viewer, masked
from domain.table import Table, fold
from domain.table_changes import read_table_change
from replay.game_frames import redacted
from tests.domain.test_game import DECK, Recorder, lay
from tests.domain.toy import Toy
from tests.each import each
from tests.projections.histories import table_at
from tests.strategies import histories

WHY = TextRef("t1", "digest of t1")
NOTHING = Order()


def dealt(hands: int = 1) -> Recorder:
    recorder = Recorder(hands)
    recorder.deal()
    return recorder


def cards(table: Table) -> Counter[str]:
    return Counter(card for zone in table.zones.values() for card in zone.cards)


def give(recorder: Recorder, decision: Any, order: Order = NOTHING, dispute: int | None = None, instance: Any = "arbiter") -> None:
    recorder.add(*rule(recorder.game, recorder.rulebook, DisputeRuled(0, dispute, instance, decision, WHY, ("TOY-1",)), order))


def at(recorder: Recorder, position: int) -> Table:
    table = table_at(recorder.history, position)
    assert table
    return table


# Disputes


def test_a_dispute_goes_its_way_from_the_table_to_the_committee():
    recorder = dealt()
    recorder.enact(DisputeRaised(0, 2, 1, WHY, True))
    stages, standings = [recorder.game.docket.disputes[0].stage], [recorder.game.docket.standing]
    for step in ("ruled", "appealed", "committee"):
        match step:
            case "appealed":
                recorder.enact(DisputeAppealed(1, 0, None, None, False))
            case "ruled":
                give(recorder, "stands", dispute=1)
            case _:
                give(recorder, "stands", dispute=1, instance="committee")
        stages.append(recorder.game.docket.disputes[0].stage)
        standings.append(recorder.game.docket.standing)
    assert (stages, standings) == (["open", "ruled", "appealed", "ruled"], ["suspended", "open", "open", "open"])
    assert recorder.game.docket.disputes[0].rulings == (1, 2)
    assert recorder.game.docket.rulings[1] == Ruling(2, 6, 1, "committee", "stands", WHY, ("TOY-1",))


@each("end", ["committee", "withdrawn", "resumed"])
def test_an_appeal_may_suspend_the_game_until_there_is_a_decision(end: str):
    recorder = dealt()
    recorder.enact(DisputeRaised(0, 2, 1, WHY, False))
    give(recorder, "stands", dispute=1)
    recorder.enact(DisputeAppealed(1, 0, None, None, True))
    standings = [recorder.game.docket.standing]
    match end:
        case "committee":
            give(recorder, "stands", dispute=1, instance="committee")
        case "withdrawn":
            recorder.enact(DisputeWithdrawn(1, None))
        case _:
            recorder.enact(GameResumed(None))
    standings.append(recorder.game.docket.standing)
    assert standings == ["suspended", "open"]


@each(
    ("dispute", "instance", "code"),
    [(1, "committee", "nothing_appealed"), (None, "committee", "nothing_appealed"), (2, "arbiter", "no_such_dispute")],
)
def test_who_is_not_asked_does_not_rule(dispute: int | None, instance: str, code: str):
    recorder = dealt()
    recorder.enact(DisputeRaised(0, 2, None, WHY, False))
    with pytest.raises(Refused) as refused:
        give(recorder, "stands", dispute=dispute, instance=instance)
    assert refused.value.code == code


def test_a_dispute_that_is_closed_is_neither_ruled_on_nor_withdrawn_again():
    recorder = dealt()
    recorder.enact(DisputeRaised(0, 2, 0, WHY, True))
    recorder.enact(DisputeWithdrawn(1, None))
    assert recorder.game.docket.standing == "open"
    for again in (lambda: give(recorder, "stands", dispute=1), lambda: recorder.enact(DisputeWithdrawn(1, None))):
        with pytest.raises(Refused) as refused:
            again()
        assert refused.value.code == "dispute_closed"


def test_resuming_lifts_the_suspension_of_an_open_dispute_too():
    recorder = dealt()
    recorder.enact(DisputeRaised(0, 2, 0, WHY, True))
    recorder.enact(GameResumed(None))
    assert (recorder.game.docket.standing, recorder.game.docket.disputes[0].stage) == ("open", "open")


@each(("halt", "code"), [(GameSuspended(WHY), "game_suspended"), (GameAbandoned(WHY), "game_abandoned")])
def test_in_a_game_that_is_halted_nothing_is_dealt_played_or_undone(halt: Act, code: str):
    recorder = dealt()
    recorder.enact(halt)
    for act in (lambda: recorder.lay((0, "1")), recorder.deal, lambda: recorder.rewind(2)):
        with pytest.raises(Refused) as refused:
            act()
        assert (refused.value.code, refused.value.rules) == (code, ("COM-65",))


def test_what_is_said_about_a_dispute_that_is_not_there_folds_to_nothing():
    recorder = dealt()
    recorder.add(complete_act(dealt_with_dispute().game, DisputeWithdrawn(1, None), lambda: recorder.rulebook))
    assert recorder.game.docket == Docket(spared=frozenset({3}))


def dealt_with_dispute() -> Recorder:
    recorder = dealt()
    recorder.add(DisputeRaised(1, 2, None, None, False))
    return recorder


# Points


def test_points_for_a_game_that_is_over_bring_new_places():
    recorder = dealt()
    recorder.lay((0, "1"), (1, "3"))
    recorder.add(*adjust(recorder.game, [PointsChange(0, 3, 1), PointsChange(1, -1)], WHY, None, recorder.rulebook))
    assert [recorded.event for recorded in recorder.history[-2:]] == [
        PointsAdjusted(1, 0, 3, WHY, None, (1, 2), further=True),
        PointsAdjusted(None, 1, -1, WHY, None, (1, 2)),
    ]
    done = sheet(recorder.game.setup, recorder.game.table.score)
    assert (done.totals, done.places, done.winners) == ((3, 0), (1, 2), (0,))
    assert done.adjustments == (Adjustment(5, 1, 0, 3, "t1", None), Adjustment(6, None, 1, -1, "t1", None))


def test_later_hands_reckon_with_the_adjusted_totals():
    recorder = dealt(hands=2)
    recorder.lay((0, "1"), (1, "3"))
    recorder.add(*adjust(recorder.game, [PointsChange(0, 5)], WHY, None, recorder.rulebook))
    recorder.deal(0)
    recorder.lay((1, "1"), (0, "3"))
    done = sheet(recorder.game.setup, recorder.game.table.score)
    assert ([hand.totals for hand in done.hands], done.totals, done.winners) == ([(0, 1), (6, 1)], (6, 1), (0,))


def test_a_rewind_keeps_the_adjustments_but_not_those_of_hands_that_it_takes_back():
    recorder = dealt(hands=2)
    recorder.lay((0, "1"), (1, "3"))
    first = recorder.game.table.score.hands[0]
    recorder.add(*adjust(recorder.game, [PointsChange(0, 5), PointsChange(1, 7, 1)], WHY, None, recorder.rulebook))
    give(recorder, "rewind", Order(to=3, restored=at(recorder, 3)))
    game = recorder.game
    assert game.table.score.adjustments == (Adjustment(5, None, 0, 5, "t1", None),)
    struck = VoidedHand(first.hand, first.dealer, first.end, first.rows, first.points, first.totals, first.facts, 8, 1)
    assert game.table.score.struck == (struck,)
    assert [position for position in range(1, 9) if game.is_void(position)] == [4, 6]
    assert (game.table.phase, game.table.to_act) == ("lay", (1,))


def test_nobody_goes_back_to_what_a_rewind_left():
    recorder = dealt()
    recorder.lay((0, "1"))
    recorder.enact(DisputeRaised(0, 3, 1, WHY, False))
    give(recorder, "rewind", Order(to=2, restored=at(recorder, 2)), dispute=1)
    for to in (3, 4):
        with pytest.raises(Refused) as refused:
            give(recorder, "rewind", Order(to=to, restored=at(recorder, to)))
        assert refused.value.code == "rewind_to_void"


def test_every_decision_says_what_it_orders():
    assert set(ORDERED) == set(get_args(Decision))


@each(
    ("decision", "order", "where"),
    [
        ("rewind", Order(), "to"),
        ("stands", Order(to=2), "to"),
        ("rectify", Order(adjustments=(PointsChange(0, 1),)), "effects"),
        ("penalty", Order(effects=[]), "effects"),
        ("adjust", Order(adjustments=(PointsChange(0, 1),), lifts=1), "lifts"),
        ("overturn", Order(to=2), "to"),
    ],
)
def test_a_decision_orders_what_is_its_own(decision: Any, order: Order, where: str):
    with pytest.raises(InvalidFormatError) as malformed:
        give(dealt(), decision, order)
    assert malformed.value.where == where


# The table


def test_a_card_is_put_where_it_belongs_and_the_turn_is_given():
    recorder = dealt()
    effects = [["moved", ["3"], "hand:1", "hand:0"], ["moved", ["1"], "hand:0", "hand:1"], ["turn", "lay", 1, [1]]]
    recorder.add(order_table_change(recorder.game, recorder.rulebook, effects, WHY, None))
    table = recorder.game.table
    assert (table.cards("hand:0"), table.cards("hand:1"), table.turn) == (("2", "3"), ("2", "1"), 1)


@settings(max_examples=10)
@given(histories)
def test_no_rectification_gains_or_loses_a_card(effects: Effects):
    recorder = dealt()
    table = recorder.game.table
    try:
        read = read_table_change(recorder.rulebook, table, msgspec.json.decode(msgspec.json.encode(effects)))
    except (InvalidFormatError, Refused):
        return
    assert cards(fold(table, read)) == cards(table)


moves = st.builds(
    CardsMoved,
    st.lists(st.sampled_from(DECK), min_size=1, max_size=2).map(tuple),
    st.sampled_from(["hand:0", "hand:1", "board", "stock"]),
    st.sampled_from(["hand:0", "hand:1", "board", "stock"]),
    st.booleans(),
    st.booleans(),
)


@given(st.lists(moves | st.just(TurnPassed("lay", 0, (0,))) | st.just(MarkSet("m", 1, "board")), min_size=1, max_size=6))
def test_of_a_rectification_a_viewer_is_told_what_he_sees(effects: list[Any]):
    recorder = dealt()
    before = recorder.game.table
    try:
        event = order_table_change(recorder.game, recorder.rulebook, msgspec.to_builtins(effects), WHY, None)
    except Refused:
        return
    after = fold(before, event.effects)
    assert cards(after) == cards(before)
    for viewer in (Viewer(0), Viewer(1), PUBLIC):
        heard = redacted(viewer, before, event)
        assert isinstance(heard, TableCorrected)
        assert heard.reason is None
        assert masked(fold(masked(before, viewer), heard.effects), viewer) == masked(after, viewer)


def test_hidden_cards_of_a_rectification_stay_hidden():
    recorder = dealt()
    effects = [["moved", ["1"], "hand:0", "hand:1"]]
    event = order_table_change(recorder.game, recorder.rulebook, effects, WHY, None)
    assert redacted(PUBLIC, recorder.game.table, event) == TableCorrected((CardsMoved(("?",), "hand:0", "hand:1"),), None)


def test_an_illegal_move_that_stood_keeps_the_refusal_that_it_would_have_got():
    recorder = dealt()
    effects = [["moved", ["2"], "hand:0", "board"], ["turn", "lay", 1, [1]]]
    event = allow_illegal_move(recorder.game, recorder.rulebook, AcceptedMove(0, lay("3"), effects), None, None)
    read = (CardsMoved(("2",), "hand:0", "board"), TurnPassed("lay", 1, (1,)))
    assert event == IllegalMoveAccepted(0, lay("3"), "card_not_in_hand", ("TOY-1",), read)
    recorder.add(event)
    recorder.lay((1, "3"))
    assert recorder.game.table.score.hands[0].points == (0, 1)
    assert redacted(PUBLIC, dealt().game.table, event) == IllegalMoveAccepted(0, None, "", (), read)


class Touchy(Toy, frozen=True):
    """A game whose view breaks at a mark that it never made."""

    def view(self, table: Table) -> dict[str, Any]:
        return {**super().view(table), "sum": 1 + table.zones["board"].marks.get("count", 0)}  # pyrefly: ignore[unsupported-operation]


def test_a_table_that_the_game_cannot_read_is_not_recorded():
    recorder = dealt()
    rulebook = Touchy(recorder.rulebook.setup, 1)
    assert read_table_change(rulebook, recorder.game.table, [["mark", "count", 2, "board"]]) == (MarkSet("count", 2, "board"),)
    with pytest.raises(Refused) as refused:
        read_table_change(rulebook, recorder.game.table, [["mark", "count", [2], "board"]])
    assert (refused.value.code, refused.value.detail) == ("table_unreadable", {"problem": "TypeError"})


@each("played", [(), ((0, "1"), (1, "3"))])
def test_where_no_hand_is_in_progress_there_is_no_table_to_put_right(played: Any):
    recorder = dealt() if played else Recorder()
    recorder.lay(*played)
    with pytest.raises(Refused) as refused:
        order_table_change(recorder.game, recorder.rulebook, [["moved", ["1"], "hand:0", "board"]], WHY, None)
    assert refused.value.code == "no_hand_to_rectify"
