"""A score sheet on paper against the recorded one: what agrees, and where it does not."""

from functools import cache
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from domain.errors import InvalidFormatError
from domain.games import RULESETS
from domain.paper import Difference, PaperAdjustment, PaperHand, PaperSheet, check_paper, differences
from domain.score import Adjustment, HandSheet, Sheet, VoidedHand
from tests.domain.recorded import PointsChange, RealGame
from tests.domain.test_stopped_hands import seats_of
from tests.each import each

ONE = HandSheet(1, 1, "out", {"cards": (3, 0), "aces": (1, 3)}, (4, 3), (4, 3), {})
TWO = HandSheet(3, 0, "out", {"cards": (0, 3), "aces": (0, 4)}, (0, 7), (2, 10), {})
STRUCK = VoidedHand(2, 0, "stopped", {"cards": (1, 1), "aces": (0, 0)}, (1, 1), (5, 4), {}, 40, None)
GIVEN = (Adjustment(30, 1, 0, -2, None, None), Adjustment(60, None, 1, 5, None, 1))
SHEET = Sheet(((0,), (1,)), ("cards", "aces"), (0, 0), (ONE, TWO), (2, 15), True, (2, 1), (1,), {}, GIVEN, (STRUCK,))

PAPER = PaperSheet(
    hands=(PaperHand((4, 3), 1), PaperHand((0, 7), 3)),
    adjustments=(PaperAdjustment(0, -2, 1), PaperAdjustment(1, 5)),
)


def found(paper: PaperSheet, sheet: Sheet = SHEET) -> list[Difference]:
    check_paper(sheet, paper)
    return list(differences(sheet, paper))


def written(sheet: Sheet) -> PaperSheet:
    """All that stands on the sheet, written down by hand."""
    return PaperSheet(
        hands=tuple(PaperHand(hand.points, hand.hand, hand.rows, hand.totals) for hand in sheet.hands),
        start_totals=sheet.start_totals,
        totals=sheet.totals,
        adjustments=tuple(PaperAdjustment(one.party, one.points, one.hand) for one in sheet.adjustments or ()),
    )


def test_what_is_not_written_on_the_paper_is_not_compared_but_hands_and_adjustments_are():
    assert found(PAPER) == []
    assert found(replace(PAPER, adjustments=())) == [
        Difference("adjustments", 1, None, (0,), (0, 0), (-2, 0)),
        Difference("adjustments", None, None, (1,), (0, 0), (0, 5)),
    ]


def test_a_number_that_differs_is_told_with_its_hand_row_and_party():
    rows = {"aces": (1, 2), "cards": (3, 0)}
    paper = replace(PAPER, hands=(PaperHand((4, 2), 1, rows, (4, 2)), PAPER.hands[1]), totals=(2, 14), start_totals=(0, 1))
    assert found(paper) == [
        Difference("start_totals", None, None, (1,), (0, 1), (0, 0)),
        Difference("row", 1, "aces", (1,), (1, 2), (1, 3)),
        Difference("points", 1, None, (1,), (4, 2), (4, 3)),
        Difference("totals", 1, None, (1,), (4, 2), (4, 3)),
        Difference("totals", None, None, (1,), (2, 14), (2, 15)),
    ]


def test_adjustments_of_a_hand_are_added_up_before_they_are_compared():
    more = (PaperAdjustment(0, -3, 1), PaperAdjustment(0, 1, 1), PaperAdjustment(1, 5))
    assert found(replace(PAPER, adjustments=more)) == []
    assert found(replace(PAPER, adjustments=(*more, PaperAdjustment(1, 1, 3)))) == [
        Difference("adjustments", 3, None, (1,), (0, 1), (0, 0)),
    ]


def test_a_hand_that_one_side_lacks_is_told():
    assert found(replace(PAPER, hands=(PAPER.hands[1],))) == [Difference("missing_on_paper", 1, None, (0, 1), None, (4, 3))]
    more = (*PAPER.hands, PaperHand((9, 9), 4))
    assert found(replace(PAPER, hands=more)) == [Difference("missing_in_record", 4, None, (0, 1), (9, 9), None)]


def test_a_hand_that_is_struck_out_counts_on_neither_side():
    crossed = (PAPER.hands[0], PaperHand((1, 1), 2, struck=True), PAPER.hands[1])
    assert found(replace(PAPER, hands=crossed)) == []
    counting = (PAPER.hands[0], PaperHand((1, 1), 2), PAPER.hands[1])
    assert found(replace(PAPER, hands=counting)) == [Difference("struck_in_record", 2, None, (0, 1), (1, 1), (1, 1))]
    other = (PaperHand((4, 3), 1, struck=True), PAPER.hands[1])
    assert found(replace(PAPER, hands=other)) == [Difference("struck_on_paper", 1, None, (0, 1), (4, 3), (4, 3))]


def test_a_hand_that_was_crossed_out_and_written_again_is_the_one_that_counts():
    again = (PaperHand((8, 8), 1, struck=True), *PAPER.hands)
    assert found(replace(PAPER, hands=again)) == []


def test_hands_without_numbers_are_those_that_count_in_their_order():
    plain = tuple(replace(one, hand=None) for one in PAPER.hands)
    assert found(replace(PAPER, hands=(plain[0], PaperHand((1, 1), struck=True), plain[1]))) == []
    assert found(replace(PAPER, hands=plain[:1])) == [Difference("missing_on_paper", 3, None, (0, 1), None, (0, 7))]
    assert found(replace(PAPER, hands=(*plain, PaperHand((1, 2)), PaperHand((3, 4))))) == [
        Difference("missing_in_record", 4, None, (0, 1), (1, 2), None),
        Difference("missing_in_record", 5, None, (0, 1), (3, 4), None),
    ]


@each(
    ("paper", "where"),
    [
        (PaperSheet((PaperHand((1, 2)), PaperHand((1, 2, 3)))), "hands[1].points"),
        (PaperSheet((PaperHand((1, 2), rows={"kings": (1, 2)}),)), "hands[0].rows.kings"),
        (PaperSheet((PaperHand((1, 2), rows={"aces": (1,)}),)), "hands[0].rows.aces"),
        (PaperSheet((PaperHand((1, 2), totals=()),)), "hands[0].totals"),
        (PaperSheet((PaperHand((1, 2), 1), PaperHand((1, 2)))), "hands[1].hand"),
        (PaperSheet((PaperHand((1, 2), 1), PaperHand((1, 2), 2), PaperHand((1, 2), 1))), "hands[2].hand"),
        (PaperSheet((), start_totals=(1,)), "start_totals"),
        (PaperSheet((), totals=(1, 2, 3)), "totals"),
        (PaperSheet((), adjustments=(PaperAdjustment(1, 1), PaperAdjustment(2, 1))), "adjustments[1].party"),
    ],
)
def test_what_cannot_be_a_sheet_of_this_game_is_refused_with_its_place(paper: PaperSheet, where: str):
    with pytest.raises(InvalidFormatError) as malformed:
        check_paper(SHEET, paper)
    assert malformed.value.where == where
    assert malformed.value.in_words("de") != malformed.value.in_words("en")


# Hands of which only the result is known


def test_a_hand_of_which_only_the_result_is_known_is_compared_by_its_points_and_by_rows_as_far_as_they_are_known():
    real = RealGame("casino")
    real.report(1, {"points": [7, 4]})
    assert found(written(real.sheet), real.sheet) == []
    counted = PaperSheet((PaperHand((7, 4), rows={"cards": (3, 0), "big_casino": (2, 0)}),))
    assert found(counted, real.sheet) == []
    other = PaperSheet((PaperHand((7, 3), rows={"result": (7, 3)}),))
    assert found(other, real.sheet) == [
        Difference("row", 1, "result", (1,), (7, 3), (7, 4)),
        Difference("points", 1, None, (1,), (7, 3), (7, 4)),
    ]


# Games of every ruleset by random play


@cache
def played(key: str, seed: int) -> Sheet:
    """After one or two hands, with points that an arbiter gave."""
    real = RealGame(key, {}, seats_of(key), seed=seed)
    real.hand()
    real.adjust(PointsChange(0, -7, 1), PointsChange(0, 3))
    if real.table.phase == "hand_over":
        real.hand()
    return real.sheet


SEEDS = range(2)


@pytest.mark.parametrize("key", RULESETS)
def test_a_sheet_of_any_game_that_is_copied_by_hand_agrees(key: str):
    for sheet in (played(key, seed) for seed in SEEDS):
        assert found(written(sheet), sheet) == []
        plain = PaperSheet(tuple(PaperHand(hand.points) for hand in sheet.hands), adjustments=written(sheet).adjustments)
        assert found(plain, sheet) == []


@settings(max_examples=40, deadline=None)
@given(st.sampled_from([(key, seed) for key in RULESETS for seed in SEEDS]), st.data())
def test_one_number_that_is_another_is_found_at_its_place_and_nothing_else(one: tuple[str, int], data: st.DataObject):
    sheet = played(*one)
    paper = written(sheet)
    numbers = [*_places(msgspec.to_builtins(paper))]
    path = data.draw(st.sampled_from(numbers))
    other = msgspec.convert(_changed(msgspec.to_builtins(paper), path, data.draw(st.integers(1, 99))), PaperSheet)
    [difference] = found(other, sheet)
    assert (difference.what, difference.hand, difference.row, difference.parties) == _expected(sheet, paper, path)


def _places(value: Any, path: tuple[Any, ...] = ()) -> Any:
    """The paths to all numbers that are written for a party."""
    match value:
        case dict():
            for name, inner in value.items():
                if name not in ("hand", "party"):
                    yield from _places(inner, (*path, name))
        case list() | tuple():
            for index, inner in enumerate(value):
                yield from _places(inner, (*path, index))
        case int() if not isinstance(value, bool):
            yield path


def _changed(value: Any, path: tuple[Any, ...], by: int) -> Any:
    if not path:
        return value + by
    if isinstance(value, dict):
        return {name: _changed(inner, path[1:], by) if name == path[0] else inner for name, inner in value.items()}
    return [_changed(inner, path[1:], by) if index == path[0] else inner for index, inner in enumerate(value)]


def _expected(sheet: Sheet, paper: PaperSheet, path: tuple[Any, ...]) -> tuple[str, int | None, str | None, tuple[int, ...]]:
    match path:
        case ("hands", int(index), "rows", str(row), int(party)):
            return "row", sheet.hands[index].hand, row, (party,)
        case ("hands", int(index), ("points" | "totals") as what, int(party)):
            return what, sheet.hands[index].hand, None, (party,)
        case ("adjustments", int(index), "points"):
            return "adjustments", paper.adjustments[index].hand, None, (paper.adjustments[index].party,)
        case (("totals" | "start_totals") as what, int(party)):
            return what, None, None, (party,)
    raise AssertionError(path)
