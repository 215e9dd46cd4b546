"""The list of moves: complete, without repetition, and without peeking."""

import random
from collections.abc import Iterator
from itertools import combinations, islice, product
from time import perf_counter
from typing import Any

import pytest

from domain.cards import HIDDEN
from domain.effects import SightSet
from domain.errors import Refused
from domain.games.canasta.cards import is_wild, rank_of
from domain.rules import Move, Rulebook
from domain.sight import PUBLIC, Viewer, masked
from domain.table import Table, fold
from tests.domain.games.canasta.positions import CANASTA, DECK, SEVEN_KINGS, SIX_KINGS, Position, groups
from tests.domain.games.positions import json_of

FROZEN = {"frozen": "2D"}
GRANTED: dict[str, Any] = {"question": "granted", "must_go_out": True}


def listed(position: Position) -> list[Move]:
    seat = position.seat
    return list(position.rulebook.legal(masked(position.table, Viewer(seat)), seat))


# By brute force


def layings(position: Position) -> Iterator[dict[str, list[str]]]:
    """Every way to give cards of the hand to ranks; a natural card goes to its own rank or stays (else it is refused anyway)."""
    hand = position.table.cards(f"hand:{position.seat}")
    lying = {name.split(":")[2] for name in position.table.zones if name.startswith("meld:")}
    ranks = sorted({rank_of(card) for card in (*hand, *position.table.cards("pile")[-1:]) if not is_wild(card)} | lying)
    for places in product(*[["", *ranks] if is_wild(card) else ["", rank_of(card)] for card in hand]):
        laid: dict[str, list[str]] = {}
        for card, rank in zip(hand, places, strict=True):
            if rank:
                laid.setdefault(rank, []).append(card)
        yield laid


def as_groups(laid: dict[str, list[str]]) -> list[dict[str, object]]:
    return [{"rank": rank, "cards": cards} for rank, cards in laid.items()]


def every_move(position: Position) -> Iterator[dict[str, Any]]:
    """Every move of the right form that makes some sense in the position; melds and takes only in their phase."""
    yield from ({"type": type_} for type_ in ("draw", "pass", "ask"))
    yield from ({"type": "answer", "consent": consent} for consent in (True, False))
    yield from ({"type": "discard", "card": card} for card in position.table.cards(f"hand:{position.seat}"))
    top = position.table.cards("pile")[-1]
    for laid in layings(position):
        if laid and position.table.phase == "play":
            yield {"type": "meld", "melds": as_groups(laid)}
        for rank in ("AKQJT987654" if is_wild(top) else rank_of(top)) if position.table.phase == "draw" else ():
            others = {other: cards for other, cards in laid.items() if other != rank}
            yield {"type": "take", "rank": rank, "cards": laid.get(rank, []), "melds": as_groups(others)}


def meaning(move: dict[str, Any]) -> tuple[object, ...]:
    """What a move does, whatever the order in which groups and cards are named."""
    melds = sorted((group["rank"], tuple(sorted(group["cards"]))) for group in move.get("melds", ()))
    return (move["type"], move.get("card"), move.get("consent"), move.get("rank"), tuple(sorted(move.get("cards", ()))), tuple(melds))


def is_legal(position: Position, move: dict[str, Any]) -> bool:
    try:
        position.judge(move)
    except Refused:
        return False
    return True


def legal_meanings(position: Position) -> set[tuple[object, ...]]:
    """What can be done; of moves that do the same, one is judged."""
    different = {meaning(move): move for move in every_move(position)}
    return {what for what, move in different.items() if is_legal(position, move)}


POSITIONS = {
    "to draw": Position("QS QH 9S", melds={0: "A: AS AS AH"}, pile="QD", phase="draw"),
    "to take and lay more": Position("QS QH QD 9S 9S 9D 2D AD", melds={0: "A: AS AS AH"}, pile="4D QC", phase="draw"),
    "to lay off the top card": Position("QS AD 2D 9S", melds={0: "A: AS AS AH"}, pile="AC", phase="draw"),
    "a frozen pile": Position("AD AC 2D 9S", melds={0: "A: AS AS AH"}, pile="2D AC", phase="draw", pile_marks=FROZEN),
    "a wild card on top": Position("AD AC 9D 9S JK", melds={0: "A: AS AS AH"}, pile="4D 2D", phase="draw", pile_marks=FROZEN),
    "first melds with the pile": Position("KS KH KD 2D AS AS AH", pile="4S KC", phase="draw"),
    "a blocked pile": Position("QS QH 9S", melds={0: "A: AS AS AH"}, pile="QD 3S", phase="draw"),
    "a pile of one card": Position("AD", melds={0: f"{SEVEN_KINGS}, A: AS AS AH"}, pile="AC", phase="draw"),
    "the last cards with the pile": Position("QS QH KC", melds={0: SIX_KINGS}, pile="QD", phase="draw"),
    "an empty stock": Position("9S 8S", stock="", pile="KS", phase="draw"),
    "an empty stock and a card to lay off": Position("9S AD", stock="", pile="AC", melds={0: "A: AS AS AH"}, phase="draw"),
    "no meld yet": Position("9S 9S 9H 8S 8H 2D JK 4D"),
    "no meld yet, little needed": Position("9S 9H 9D 8S 8H 2D JK", minimums=(15, 50)),
    "melds to lay off on": Position("AD 9S 9H 9D 2D JK 3S", melds={0: "A: AS AS AH, 9: 9C 9C 2D"}),
    "few cards and no canasta": Position("9S 9H 9D 2D", melds={0: "A: AS AS AH"}),
    "few cards and a canasta": Position("9S 9H 9D 2D", melds={0: SEVEN_KINGS}),
    "few cards, a canasta and a no": Position("9S 9H 9D 2D", melds={0: SEVEN_KINGS}, marks={"question": "denied"}),
    "a yes": Position("9S 9H 9D 8S 8H 2D 2H 5S", melds={0: SEVEN_KINGS}, marks=GRANTED),
    "a yes before the first melds": Position("KS KS KH KH KD KD KC 9S 9S 9D 2H", marks=GRANTED),
    "black threes": Position("3S 3S 3C 3C 9S", melds={0: SEVEN_KINGS}),
    "black threes after a no": Position("3S 3S 3C 3C 9S", melds={0: SEVEN_KINGS}, marks={"question": "denied"}),
    "black threes that lie": Position("3C 9S KC", melds={0: f"{SEVEN_KINGS}, 3: 3S 3S 3C"}, marks={"must_go_out": True}),
    "black threes too early": Position("3S 3S 3C 9S 8S", melds={0: SEVEN_KINGS}),
    "the last card": Position("KC", melds={0: SIX_KINGS}),
    "the last card, to be discarded": Position("9C", melds={0: SEVEN_KINGS}),
    "two players": Position("9S 9H 9D 2D 8S", melds={0: SEVEN_KINGS}, seats=2),
    "a question": Position("9S", phase="answer"),
}


@pytest.mark.parametrize("name", POSITIONS)
def test_every_legal_move_is_listed_once_and_no_other(name: str):
    position = POSITIONS[name]
    moves = listed(position)
    legal = legal_meanings(position)
    assert {meaning(move) for move in moves} == legal
    assert len(moves) == len(legal)
    assert [move for move in moves if not is_legal(position, json_of(move))] == []
    assert moves


def test_moves_of_random_positions_are_listed_once_and_no_others():
    chance = random.Random(3)
    for _ in range(20):
        position = random_position(chance)
        moves = listed(position)
        legal = legal_meanings(position)
        assert {meaning(move) for move in moves} == legal
        assert len(moves) == len(legal)


def random_position(chance: random.Random) -> Position:
    """A hand of up to eight cards of few ranks, some melds, a pile."""
    pool = [card for card in DECK if card[0] in "AK92J" or card in ("3S", "3C")]
    drawn = chance.sample(pool, 12)
    size = chance.randint(2, 8)
    melds = [group for group in ("A: AD AC AC", "K: KS KH KD KC 2S JK", "9: 9S 9S 9H 9H 9D 9D 9C") if chance.random() < 0.4]
    marks = chance.choice([{}, {}, {"question": "denied"}])
    top, frozen = drawn[8], chance.random() < 0.3 or is_wild(drawn[8])
    return Position(
        " ".join(drawn[:size]),
        melds={0: ", ".join(melds)},
        pile=" ".join((*drawn[9 : 9 + chance.randint(0, 3)], top)),
        pile_marks=FROZEN if frozen else {},
        phase=chance.choice(["draw", "play"]),
        marks=marks,
        minimums=(chance.choice([15, 50, 90]), 50),
        options={"wild_top_take": chance.random() < 0.5},
    )


def test_the_order_is_stable_and_smaller_melds_come_first():
    position = POSITIONS["melds to lay off on"]
    moves = listed(position)
    assert listed(position) == moves
    sizes = [len(move["melds"]) for move in moves if isinstance(move.get("melds"), tuple)]
    assert sizes == sorted(sizes)


def test_equal_cards_make_no_difference():
    position = Position("9S 9S 9H 9H 5S 6S", melds={0: "9: 9D 9D 9C"})
    assert [json_of(move)["melds"] for move in listed(position) if move["type"] == "meld"][:5] == [
        groups("9: 9S"),
        groups("9: 9H"),
        groups("9: 9S 9S"),
        groups("9: 9S 9H"),
        groups("9: 9H 9H"),
    ]


# What cannot be seen


def test_a_seat_that_is_not_to_act_has_no_move():
    position = Position("9S 9H")
    assert list(position.rulebook.legal(position.table, 1)) == []


def test_before_the_first_hand_nobody_has_a_move():
    rulebook = CANASTA.bind({}, 4)
    assert list(rulebook.legal(Table(rulebook.setup), 0)) == []


def test_from_a_hand_without_faces_every_card_that_is_not_seen_may_be_discarded():  # COM-76: unknown and hidden cards are one pool
    position = Position("9S 9H", pile="6S 5D")
    moves = islice(position.rulebook.legal(masked(position.table, PUBLIC), 0), 52)
    assert [move["card"] for move in moves] == [card for card in dict.fromkeys(DECK) if card not in ("3H", "3D")]


def covered(melds: str, pile: str) -> Position:
    return Position("QS QH", melds={0: melds}, pile=pile, phase="draw")


def test_where_a_card_of_a_pile_of_two_decides_it_lies_open_and_the_list_follows_it():  # CAN-38
    assert [move["type"] for move in listed(covered(SIX_KINGS, "KC QD"))] == ["draw", "take"]
    assert [move["type"] for move in listed(covered(SIX_KINGS, "9C QD"))] == ["draw"]


def test_where_it_is_covered_as_in_the_first_edition_nothing_is_listed():  # CAN-38
    completes = covered(SIX_KINGS, "KC QD")
    assert is_legal(completes, {"type": "take", "rank": "Q", "cards": ["QS", "QH"]})
    assert not is_legal(covered(SIX_KINGS, "9C QD"), {"type": "take", "rank": "Q", "cards": ["QS", "QH"]})
    completes.table = fold(completes.table, (SightSet("pile", "top"),))
    assert [move["type"] for move in listed(completes)] == ["draw"]
    assert [move["type"] for move in completes.rulebook.legal(completes.table, 0)] == ["draw", "take"]


def test_where_it_does_not_decide_it_is_listed():  # CAN-38
    assert [move["type"] for move in listed(covered(SEVEN_KINGS, "9C QD"))] == ["draw", "take"]
    assert [move["type"] for move in listed(covered(SIX_KINGS, "9C 8C QD"))] == ["draw", "take"]


# Where the number of moves explodes


HUGE = [card for card in DECK if card not in ("3H", "3D", "KC")][::2]


@pytest.mark.parametrize(
    ("phase", "marks"),
    [("play", {}), ("draw", {}), ("play", {"question": "denied"}), ("play", GRANTED)],
    ids=["play", "draw", "after a no", "after a yes"],
)
def test_a_huge_hand_does_not_hold_up_the_first_answers(phase: str, marks: dict[str, Any]):
    hand = [*(card for card in HUGE if rank_of(card) != "3"), "3S", "2S", "2H", "2D"]
    position = Position(" ".join(hand), melds={0: SEVEN_KINGS}, pile="AC KC", phase=phase, marks=marks)
    start = perf_counter()
    first = list(islice(position.rulebook.legal(position.table, 0), 1000))
    assert perf_counter() - start < 2
    assert len({meaning(move) for move in first}) == 1000
    assert all(is_legal(position, move) for move in first[::20])


# By random play


def playout(options: dict[str, object], seats: int, seed: int) -> Iterator[tuple[Rulebook, Table, list[Move]]]:
    """A hand of random moves: each table with the moves of the seat to act, and the last one with none."""
    chance = random.Random(seed)
    rulebook = CANASTA.bind({"end": "hands", "hand_count": 1, **options}, seats)
    table = Table(rulebook.setup)
    table = fold(table, rulebook.deal(table, chance.randrange(seats), chance.sample(DECK, 108)))
    while table.in_hand:
        seat = table.to_act[0]
        moves = list(islice(rulebook.legal(masked(table, Viewer(seat)), seat), 200))
        yield rulebook, table, moves
        table = fold(table, rulebook.resolve(table, seat, chance.choice(moves)))
    yield rulebook, table, []


PLAYOUTS = [({"start_totals": [-5, 3000]}, 2, 1), ({"start_totals": [-5, -5]}, 4, 2), ({}, 4, 3), ({"wild_top_take": False}, 2, 4)]


@pytest.mark.parametrize(("options", "seats", "seed"), PLAYOUTS)
def test_there_is_always_a_move_and_every_move_listed_is_accepted(options: dict[str, object], seats: int, seed: int):  # section 5
    for rulebook, table, moves in playout(options, seats, seed):
        assert bool(moves) == table.in_hand
        for move in moves[:: max(1, len(moves) // 20)]:
            assert rulebook.resolve(table, table.to_act[0], json_of(move))


@pytest.mark.parametrize(("options", "seats", "seed"), PLAYOUTS)
def test_melds_and_hands_keep_the_rules_at_every_moment(options: dict[str, object], seats: int, seed: int):  # CAN-11, CAN-20 to CAN-24
    for rulebook, table, _ in playout(options, seats, seed):
        view = rulebook.view(table)
        assert not {"3H", "3D"} & {card for hand in view["hands"] for card in hand}
        assert view["pile_top"] not in ("3H", "3D")
        for melds in view["melds"]:
            for rank, meld in melds.items():
                assert meld["natural"] + meld["wild"] >= 3
                assert meld["wild"] <= min(3, meld["natural"])
                assert {rank_of(card) for card in meld["cards"] if not is_wild(card)} == {rank}


@pytest.mark.parametrize(("options", "seats", "seed"), PLAYOUTS)
def test_somebody_who_holds_a_single_card_can_get_rid_of_it(options: dict[str, object], seats: int, seed: int):  # CAN-38
    for _, table, moves in playout(options, seats, seed):
        if table.phase == "play" and len(table.cards(f"hand:{table.turn}")) == 1:
            assert moves


def test_no_hidden_card_is_ever_named():
    for _, _, moves in playout({}, 4, 5):
        assert HIDDEN not in str(moves)


def test_pairs_of_moves_do_different_things():
    position = POSITIONS["no meld yet, little needed"]
    results = [position.rulebook.view(fold(position.table, position.judge(move))) for move in listed(position)]
    assert all(left != right for left, right in combinations(results, 2))
