"""The digest of a score sheet: the same for everybody who reads the sheet, and another as soon as anything on it is another."""

import json
from hashlib import sha256

import msgspec
import pytest
from msgspec.structs import replace

from domain.events.game import GameAnnulled
from domain.games import RULESETS
from domain.paper import sheet_digest
from domain.score import Adjustment, HandSheet, LiftedAdjustment, Sheet, VoidedHand
from tests.domain.recorded import PointsChange, RealGame
from tests.domain.test_stopped_hands import seats_of
from tests.each import each

HAND = HandSheet(1, 1, "out", {"cards": (3, 0), "aces": (1, 3)}, (4, 3), (4, 3), {"reported": True})
SHEET = Sheet(((0,), (1,)), ("cards", "aces"), (0, 0), (HAND,), (4, 3), False, None, None, {})


def test_the_digest_is_the_sha_256_of_the_sheet_as_sorted_json_without_blanks():
    canonical = (
        '{"facts":{},"finished":false,"hands":[{"dealer":1,"end":"out","facts":{"reported":true},"hand":1,"points":[4,3],'
        '"rows":{"aces":[1,3],"cards":[3,0]},"totals":[4,3]}],"parties":[[0],[1]],"places":null,"rows":["cards","aces"],'
        '"start_totals":[0,0],"totals":[4,3],"winners":null}'
    )
    assert sheet_digest(SHEET) == sha256(canonical.encode()).hexdigest()


def test_the_words_of_a_reason_are_not_the_sheet_but_the_points_are():
    given = Adjustment(9, None, 0, -2, "a text", None)
    lifted = LiftedAdjustment(9, None, 0, -2, "a text", 1, 12, 2)
    plain = replace(SHEET, adjustments=(given,), lifted=(lifted,))
    told = replace(SHEET, adjustments=(replace(given, reason="late"),), lifted=(replace(lifted, reason=None),))
    other = replace(SHEET, adjustments=(replace(given, points=-3),), lifted=(lifted,))
    assert sheet_digest(plain) == sheet_digest(told) != sheet_digest(other)


STRUCK = VoidedHand(2, 0, "out", {"cards": (0, 3)}, (0, 3), (4, 6), {}, 17, 1)


@each(
    "other",
    [
        replace(SHEET, totals=(4, 4)),
        replace(SHEET, hands=(replace(HAND, rows={**HAND.rows, "cards": (2, 1)}),)),
        replace(SHEET, hands=(replace(HAND, facts={}),)),
        replace(SHEET, finished=True, places=(1, 2), winners=(0,)),
        replace(SHEET, struck=(STRUCK,)),
    ],
    ids=["totals", "a row", "a fact", "the end", "a hand that was struck out"],
)
def test_another_number_anywhere_makes_another_digest(other: Sheet):
    assert sheet_digest(other) != sheet_digest(SHEET)


def adjusted_game(key: str) -> RealGame:
    real = RealGame(key, {}, seats_of(key))
    real.hand()
    real.adjust(PointsChange(0, -2, 1))
    return real


def by_hand(sheet: Sheet) -> str:
    """As a program works it out that has read the sheet as JSON."""
    read = json.loads(msgspec.json.encode(sheet))
    for one in (*read.get("adjustments", ()), *read.get("lifted", ())):
        del one["reason"]
    return sha256(json.dumps(read, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode()).hexdigest()


@pytest.mark.parametrize("key", RULESETS)
def test_whoever_reads_the_json_of_a_sheet_of_any_game_comes_to_the_same_digest(key: str):
    real = adjusted_game(key)
    assert (sheet_digest(real.sheet), len(real.sheet.hands)) == (by_hand(real.sheet), 1)
    real.enact(GameAnnulled(None))
    assert (sheet_digest(real.sheet), len(real.sheet.hands)) == (by_hand(real.sheet), 0)
