"""Hands that are counted, told by their worth or by ranks in the place of faces (CAN-57)."""

from collections.abc import Mapping, Sequence
from itertools import combinations
from random import Random
from typing import Any

import pytest
from msgspec import UNSET

from domain.cards import HIDDEN
from domain.effects import Effects, Known, MarkSet
from domain.errors import Refused
from domain.games import RULESETS
from domain.games.canasta import EDITION_4
from domain.games.canasta.cards import points
from domain.rules import KnownFaces
from domain.sight import PUBLIC, Viewer, masked, redact_effects
from domain.table import Table, fold
from domain.table_changes import read_table_change
from domain.unknown_cards.asking import _can_make
from tests.domain.games.canasta.positions import SEVEN_KINGS, Position, refusal_of
from tests.domain.games.positions import cards
from tests.each import each

PASS: dict[str, object] = {"type": "pass"}


def discard(card: str) -> dict[str, object]:
    return {"type": "discard", "card": card}


def told(zones: Mapping[str, str]) -> dict[str, list[str]]:
    return {zone: text.split() for zone, text in zones.items()}


def leaving(*others: str) -> Position:
    """Seat 0 goes out with its last card; the others keep their cards."""
    return Position("4S", *others, melds={0: SEVEN_KINGS})


def play(position: Position, move: dict[str, object], known: Mapping[str, str] | None = None, worth: object = UNSET) -> Effects:
    faces = UNSET if known is None else told(known)
    effects = position.rulebook.resolve(position.table, position.seat, move, KnownFaces(faces, worth=worth))
    position.table = fold(position.table, effects)
    return effects


def tell(position: Position, known: Mapping[str, str] | None = None, worth: object = UNSET) -> Effects:
    effects = position.rulebook.tell(position.table, UNSET if known is None else told(known), worth)
    position.table = fold(position.table, effects)
    return effects


def refused(act: Any, *given: Any) -> tuple[str, object]:
    with pytest.raises(Refused) as error:
        act(*given)
    return error.value.code, error.value.detail.get("problem")


def hand_cards(position: Position) -> tuple[int, ...]:
    return dict(position.table.score.hands[-1].rows)["hand_cards"]


IMPOSSIBLE = ("card_impossible", "count")


# Worth


def test_a_hand_that_counts_is_told_by_its_worth_and_its_cards_stay_unknown():
    position = leaving("? ? ?", "? ?", "7S 7H")
    play(position, discard("4S"), worth={"hand:1": 40, "hand:2": 55})
    assert hand_cards(position) == (-55, -50)
    assert position.table.cards("hand:1") == (HIDDEN,) * 3


def test_whoever_passes_tells_the_own_hand_too():
    position = Position("? 9S", "? 9H", "9D", "", phase="draw", stock="")
    play(position, PASS, worth={"hand:0": 15, "hand:1": 60})
    assert hand_cards(position) == (-25, -60)


def test_one_hand_may_be_told_by_faces_and_another_by_worth():
    position = leaving("? ?", "? ?", "? ?")
    play(position, discard("4S"), {"hand:1": "QS QH", "hand:3": "A 2"}, {"hand:2": 100})
    assert hand_cards(position) == (-100, -60)
    assert sorted(position.table.cards("hand:1")) == ["QH", "QS"]


def test_known_faces_count_within_the_worth():
    position = leaving("JK ?", "", "")
    play(position, discard("4S"), worth={"hand:1": 70})
    assert hand_cards(position) == (0, -70)


@each("worth", [41, 37, 0, 10, 155, -15, 1000])
def test_no_hand_is_worth_what_its_number_of_cards_cannot_make(worth: int):
    assert refused(play, leaving("? ? ?", "", ""), discard("4S"), None, {"hand:1": worth}) == IMPOSSIBLE


def test_faces_that_are_accounted_for_make_no_worth():
    jokers = leaving("? ? ?", "JK JK", "")
    assert refused(play, jokers, discard("4S"), None, {"hand:1": 150}) == IMPOSSIBLE
    play(jokers, discard("4S"), worth={"hand:1": 120})
    assert hand_cards(jokers) == (-100, -120)


def test_red_threes_are_no_cards_held():
    position = leaving("? ?", "", "")
    assert refused(play, position, discard("4S"), {"hand:1": "3H"}, {"hand:1": 10})[0] == "card_impossible"
    play(position, discard("4S"), {"hand:1": "3 3"})
    assert hand_cards(position) == (0, -10)


@each("worth", [None, [], 40, {"hand:1": "40"}, {"hand:1": True}, {"hand:1": 40.0}, {"hand:1": None}, {1: 40}])
def test_a_worth_of_another_form_is_malformed(worth: object):
    assert refused(play, leaving("? ?", "", ""), discard("4S"), None, worth)[0] == "malformed_move"


@each("zone", ["stock", "pile", "hand:7", "hand", "red:0"])
def test_only_hands_have_a_worth(zone: str):
    assert refused(play, leaving("? ?", "", ""), discard("4S"), None, {zone: 40}) == ("card_impossible", "zone")


def test_a_hand_that_is_known_agrees_with_its_worth_or_it_is_refused():
    position = leaving("9S 9H", "", "")
    assert refused(play, position, discard("4S"), None, {"hand:1": 25}) == IMPOSSIBLE
    assert play(position, discard("4S"), worth={"hand:1": 20})
    assert hand_cards(position) == (0, -20)


def test_a_hand_without_worth_is_asked_for():  # CAN-55
    position = leaving("? ?", "? ?", "")
    with pytest.raises(Refused) as error:
        play(position, discard("4S"), worth={"hand:1": 20})
    assert (error.value.code, error.value.detail["asks"]) == ("card_unknown", ({"zone": "hand:2", "count": 2},))


# Ranks


def test_a_hand_that_counts_is_told_by_ranks_and_its_cards_stay_unknown():
    position = leaving("? ? ? ?", "", "")
    play(position, discard("4S"), {"hand:1": "K 2 JK 3"})
    assert hand_cards(position) == (0, -85)
    assert position.table.cards("hand:1") == (HIDDEN,) * 4


def test_ranks_and_faces_of_one_hand_are_told_together():
    position = leaving("? ? ?", "", "")
    play(position, discard("4S"), {"hand:1": "QS Q 7"})
    assert hand_cards(position) == (0, -25)
    assert sorted(position.table.cards("hand:1")) == ["?", "?", "QS"]


def test_a_joker_alone_is_told_by_its_face():  # COM-71
    position = leaving("?", "", "")
    play(position, discard("4S"), {"hand:1": "JK"})
    assert position.table.cards("hand:1") == ("JK",)


def test_ranks_told_in_part_are_asked_for_again():
    position = leaving("? ?", "", "")
    assert refused(play, position, discard("4S"), {"hand:1": "K"})[0] == "card_unknown"


@each("ranks", ["K K K", "K K K 9 9", "9 9 9 9", "2 JK JK JK JK JK"])
def test_ranks_that_the_hand_cannot_hold_are_refused(ranks: str):
    """One king is left beside the seven of the meld."""
    assert refused(play, leaving("? ? ?", "", ""), discard("4S"), {"hand:1": ranks}) == IMPOSSIBLE


def test_a_rank_of_which_too_few_are_left_for_two_hands_is_refused():
    position = leaving("?", "?", "")
    assert refused(play, position, discard("4S"), {"hand:1": "K", "hand:2": "K"}) == IMPOSSIBLE
    play(position, discard("4S"), {"hand:1": "K", "hand:2": "Q"})
    assert hand_cards(position) == (-10, -10)


@each("known", [{"stock": "K"}, {"pile": "2 K"}, {"hand:1": "T K X"}, {"hand:1": "10"}, {"hand:1": "S"}])
def test_ranks_are_told_of_hands_alone(known: dict[str, str]):  # COM-71
    assert refused(tell, leaving("? ?", "", ""), known)[0] == "malformed_move"


def test_what_does_not_lie_there_is_not_told_by_ranks():  # COM-71
    position = leaving("? ?", "", "")
    lacking = KnownFaces(lacks={"hand:1": ["K"]})
    assert refusal_of(lambda: position.rulebook.resolve(position.table, 0, discard("4S"), lacking))[0] == "malformed_move"


def test_worth_and_ranks_of_one_hand_agree():
    assert refused(play, leaving("? ?", "", ""), discard("4S"), {"hand:1": "K 2"}, {"hand:1": 25}) == IMPOSSIBLE
    position = leaving("? ?", "", "")
    play(position, discard("4S"), {"hand:1": "K"}, {"hand:1": 60})
    assert hand_cards(position) == (0, -60)


# What is told later


def counted(known: Mapping[str, str] | None = None, worth: object = UNSET) -> Position:
    position = leaving("? ? ?", "? ?", "")
    play(position, discard("4S"), {**(known or {}), "hand:2": "4D 5D"}, worth)
    return position


def test_faces_that_agree_are_told_later():  # COM-75
    position = counted(worth={"hand:1": 80})
    tell(position, {"hand:1": "JK"})
    tell(position, {"hand:1": "AS QS"})
    assert sorted(position.table.cards("hand:1")) == ["AS", "JK", "QS"]
    assert hand_cards(position) == (-10, -80)
    assert position.table.zones["hand:1"].marks == {}


@each("known", ["JK JK", "AS AS AH", "JK AS 9S 9H", "4S 4H"])
def test_faces_that_do_not_agree_with_the_worth_are_refused(known: str):
    assert refused(tell, counted(worth={"hand:1": 80}), {"hand:1": known})[0] == "card_impossible"


def test_faces_that_do_not_agree_with_the_ranks_are_refused():
    position = counted({"hand:1": "Q Q 7"})
    assert refused(tell, position, {"hand:1": "KC"}) == IMPOSSIBLE
    assert refused(tell, position, {"hand:1": "QS QH QD"}) == IMPOSSIBLE
    tell(position, {"hand:1": "QS 7C QH"})
    assert sorted(position.table.cards("hand:1")) == ["7C", "QH", "QS"]


def test_faces_told_of_another_hand_leave_what_was_told_possible():
    position = leaving("? ?", "? ? ?", "")
    tell(position, worth={"hand:1": 100})
    assert refused(tell, position, {"hand:2": "JK JK JK"}) == IMPOSSIBLE
    assert tell(position, {"hand:2": "JK JK"})


def test_two_tellings_of_one_hand_that_differ_need_a_rewind():
    position = counted(worth={"hand:1": 80})
    assert tell(position, worth={"hand:1": 80}) == ()
    assert refused(tell, position, None, {"hand:1": 85}) == IMPOSSIBLE
    assert refused(tell, position, {"hand:1": "K Q J"}) == IMPOSSIBLE
    assert refused(tell, counted({"hand:1": "Q Q 7"}), {"hand:1": "Q 7 7"}) == IMPOSSIBLE
    assert tell(counted({"hand:1": "Q Q 7"}), {"hand:1": "7 Q"}) == ()


# Before the hand is over


def test_a_hand_is_stopped_when_its_worth_was_told_before():  # COM-43
    position = Position("4S 5S", "? ?", "", "")
    assert tell(position, worth={"hand:1": 60}) == (MarkSet("worth", 60, "hand:1"),)
    position.table = fold(position.table, position.rulebook.stop(position.table).effects)
    assert hand_cards(position) == (-10, -60)


def test_a_worth_holds_as_long_as_the_hand_stays_as_it_is():
    position = Position("4S 5S", "? ?", "", "", stock="? ? ?")
    tell(position, {"hand:0": "4S"}, {"hand:1": 60})
    play(position, discard("4S"))
    assert position.table.zones["hand:1"].marks == {"worth": 60}
    assert position.rulebook.resolve(position.table, 1, {"type": "draw"})[-1] == MarkSet("worth", None, "hand:1")


def test_a_worth_lapses_when_an_official_changes_the_hand():
    position = Position("4S 5S", "? ?", "? ?", "")
    tell(position, worth={"hand:1": 60, "hand:2": 20})
    moved = ["moved", ["?"], "hand:1", "hand:3", False, False]
    effects = read_table_change(position.rulebook, position.table, [moved])
    table = fold(position.table, effects)
    assert [table.zones[f"hand:{seat}"].marks for seat in (1, 2, 3)] == [{}, {"worth": 20}, {}]


def test_older_editions_know_hands_by_their_faces_alone():
    rulebook = EDITION_4.bind({}, 4)
    table = leaving("? ?", "", "").table
    for given in (KnownFaces(worth={"hand:1": 20}), KnownFaces({"hand:1": ["K", "Q"]})):
        assert refused(rulebook.resolve, table, 0, discard("4S"), given)[0] == "malformed_move"


def test_other_games_count_no_hands():
    rulebook = RULESETS["casino"].bind({}, 2)
    dealt = rulebook.deal(Table(rulebook.setup), 1, ("?",) * 52, {"board": ["3H", "9C", "KD", "2S"]})
    table = fold(Table(rulebook.setup), dealt)
    assert refusal_of(lambda: rulebook.tell(table, UNSET, {"hand:0": 20}))[0] == "malformed_move"


# Who sees it


def test_what_a_hand_is_worth_is_seen_by_its_owner_alone():  # COM-77
    position = Position("4S 5S", "? ?", "", "")
    before = position.table
    effects = tell(position, {"hand:1": "K 2"})
    assert effects == (MarkSet("ranks", ("K", "2"), "hand:1"),)
    for viewer in (PUBLIC, Viewer(0), Viewer(3)):
        assert redact_effects(viewer, before, effects) == ()
        assert masked(position.table, viewer) == masked(before, viewer)
    assert redact_effects(Viewer(1), before, effects) == effects
    assert masked(position.table, Viewer(1)).zones["hand:1"].marks == {"ranks": ("K", "2")}


def test_the_public_sees_the_same_however_a_hand_was_told():  # COM-77
    seen = []
    for known, worth in (({"hand:1": "QS 9S QH"}, UNSET), (None, {"hand:1": 30}), ({"hand:1": "Q Q 9"}, UNSET)):
        position = leaving("? ? ?", "", "")
        before = position.table
        effects = play(position, discard("4S"), known, worth)
        seen.append((redact_effects(PUBLIC, before, effects), masked(position.table, PUBLIC), position.table.score))
    assert seen[0] == seen[1] == seen[2]


def test_a_known_face_is_told_beside_the_ranks_as_an_effect():
    assert tell(leaving("? ?", "", ""), {"hand:1": "QS K"}) == (Known("hand:1", ("QS",)), MarkSet("ranks", ("K", "Q"), "hand:1"))


# The arithmetic


def test_a_sum_can_be_made_if_some_choice_of_cards_makes_it():
    chance = Random(57)
    for _ in range(60):
        pool = [chance.choice((5, 10, 20, 50)) for _ in range(chance.randrange(1, 9))]
        count = chance.randrange(len(pool) + 2)
        sums = {sum(some) for some in combinations(pool, count)}
        copies: Sequence[tuple[int, int]] = [(value, pool.count(value)) for value in sorted(set(pool), reverse=True)]
        assert {total for total in range(0, 420, 5) if _can_make(copies, count, total)} == sums


def test_every_hand_may_be_told_by_its_worth():
    chance = Random(57)
    for _ in range(40):
        held = chance.sample(cards("AS KC QD JC TS 9H 8D 7C 6S 5H 4D 3C 2S JK JK"), 5)
        position = leaving("? ? ? ? ?", "", "")
        play(position, discard("4S"), worth={"hand:1": points(held)})
        tell(position, {"hand:1": " ".join(held)})
        assert sorted(position.table.cards("hand:1")) == sorted(held)
