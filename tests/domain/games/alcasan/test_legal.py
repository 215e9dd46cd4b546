"""The list of moves: complete, without repetition, in a stable order, and without peeking."""

from collections import Counter
from collections.abc import Iterator
from itertools import combinations_with_replacement, islice, product
from random import Random

import pytest

from domain.effects import CardsMoved
from domain.errors import Refused
from domain.games.alcasan.kinds import KINDS
from domain.games.alcasan.legal import _with_unknown
from domain.rules import Move
from domain.sight import PUBLIC, Viewer, masked
from domain.table import Table, fold
from tests.domain.games.alcasan.positions import ALCASAN, ANY, COMPARED, MAY, Position, dealt
from tests.domain.games.positions import json_of
from tests.each import each

PLAYED: list[tuple[dict[str, object], int]] = [
    ({}, 2),
    ({**ANY, "deals": 2, "move_limit": 90}, 3),
    ({"move_limit": 200}, 4),
    (MAY, 3),
    ({**ANY, **COMPARED}, 2),
]


def listed(position: Position, seat: int | None = None) -> list[Move]:
    seat = position.table.to_act[0] if seat is None else seat
    return list(position.rulebook.legal(masked(position.table, Viewer(seat)), seat))


def every_move(position: Position) -> Iterator[Move]:
    """Every move that could be meant, each set of cards in one order."""
    if position.table.phase == "choose_open":
        for cards in product(KINDS, repeat=3):
            if list(cards) == sorted(cards, key=KINDS.index):
                yield {"type": "choose_open", "cards": cards}
    for kind in KINDS:
        for number in range(1, 6):
            yield {"type": "lay", "cards": (kind,) * number}
    for place in range(-1, 4):
        yield {"type": "reveal", "position": place}
    yield {"type": "take"}
    yield {"type": "decline"}


def is_legal(position: Position, move: Move) -> bool:
    try:
        position.judge(json_of(move), position.table.to_act[0])
    except Refused:
        return False
    return True


def random_game(options: dict[str, object], seats: int, seed: int) -> Iterator[Position]:
    """Every position of a game of random moves."""
    chance = Random(seed)
    position = Position(*[""] * seats, options=options)
    position.table = Table(position.rulebook.setup)
    while position.table.phase != "game_over":
        if not position.table.in_hand:
            deck = chance.sample(position.rulebook.deck, 52)
            position.table = fold(position.table, position.rulebook.deal(position.table, chance.randrange(seats), deck))
        yield position
        move = chance.choice(listed(position))
        position.table = fold(position.table, position.judge(move, position.table.to_act[0]))


@pytest.mark.parametrize(("options", "seats"), PLAYED, ids=str)
def test_every_legal_move_is_listed_once_and_no_other(options: dict[str, object], seats: int):
    for position in islice(random_game(options, seats, seed=3), 0, None, 5):
        assert listed(position) == [move for move in every_move(position) if is_legal(position, move)]


@pytest.mark.parametrize(("options", "seats"), PLAYED, ids=str)
def test_there_is_always_something_to_do(options: dict[str, object], seats: int):  # ALC-30, ALC-31
    for position in random_game(options, seats, seed=4):
        assert all(listed(position, seat) for seat in position.table.to_act)


@pytest.mark.parametrize(("options", "seats"), PLAYED, ids=str)
def test_a_taken_pile_is_never_empty_and_a_hand_is_empty_only_without_a_stock(options: dict[str, object], seats: int):  # ALC-31, ALC-33
    for position in random_game(options, seats, seed=5):
        if {"type": "take"} in listed(position):
            [pile, *_] = [effect for effect in position.judge({"type": "take"}) if isinstance(effect, CardsMoved)]
            assert pile.cards
        if position.table.phase == "play" and position.view["stock"]:
            assert all(position.view["hand_counts"])


def test_all_ways_to_choose_three_of_six_cards_are_listed_once():  # ALC-12
    rulebook, table, _ = dealt(2, 1, "1 3 2 2 3 1 5 6 7 8 7 9 7 10 7 10 air 9")
    moves = [" ".join(move["cards"]) for move in rulebook.legal(masked(table, Viewer(0)), 0)]  # pyrefly: ignore[no-matching-overload]
    assert moves == ["5 7 7", "5 7 air", "7 7 7", "7 7 air"]


def test_a_lay_is_listed_by_kind_and_number():  # ALC-20
    assert listed(Position("8 5 8 fire 2 8", "1", pile="5")) == [
        {"type": "lay", "cards": ("5",)},
        {"type": "lay", "cards": ("8",)},
        {"type": "lay", "cards": ("8", "8")},
        {"type": "lay", "cards": ("8", "8", "8")},
        {"type": "lay", "cards": ("fire",)},
    ]


@each("hand", ["8 8 8 8", "2 2 2 2", "2 2 2 2 8 8 8 8 5", "8 8 8", "2 2 2 10 10 10 10"])
@each("pile", ["4", "4 air", "9", "3", "earth", ""])
@each("options", [{}, COMPARED], ids=["as one", "compared"])
def test_four_of_a_kind_are_listed_where_they_fit(hand: str, pile: str, options: dict[str, object]):  # ALC-28, ALC-30
    position = Position(hand, "1", open=["- - -"], pile=pile, options=options)
    assert listed(position) == [move for move in every_move(position) if is_legal(position, move)] != []


def test_a_further_lay_is_listed_as_a_single_card_unless_any_number_is_allowed():  # ALC-29
    assert listed(Position("8 8", "1", extra=True)) == [{"type": "lay", "cards": ("8",)}]
    assert listed(Position("8 8", "1", extra=True, options=ANY)) == [
        {"type": "lay", "cards": ("8",)},
        {"type": "lay", "cards": ("8", "8")},
    ]


def test_a_further_lay_that_is_a_right_is_listed_with_declining_it():  # ALC-45
    assert listed(Position("8 8", "1", extra=True, options=MAY)) == [{"type": "lay", "cards": ("8",)}, {"type": "decline"}]
    assert listed(Position("", "1", open=[""], down=["- 8 -"], extra=True, options=MAY)) == [
        {"type": "reveal", "position": 1},
        {"type": "decline"},
    ]
    assert listed(Position("8", "1", pile="5", options=MAY)) == [{"type": "lay", "cards": ("8",)}]


def test_without_a_fitting_card_the_pile_is_all_there_is():  # ALC-31
    assert listed(Position("2 3", "1", pile="9")) == [{"type": "take"}]


def test_face_down_cards_are_listed_by_position():  # ALC-36
    assert listed(Position("", "1", open=[""], down=["8 - 9"], pile="10")) == [
        {"type": "reveal", "position": 0},
        {"type": "reveal", "position": 2},
    ]


def test_from_a_hand_without_faces_whatever_is_not_seen_may_be_laid():  # COM-76: unknown and hidden cards are one pool
    position = Position("8 8", "1", pile="9")
    look = list(position.rulebook.legal(masked(position.table, PUBLIC), 0))
    assert look == [
        *({"type": "lay", "cards": (card,) * number} for card in ("10", "fire", "earth", "air") for number in (1, 2)),
        {"type": "take"},
    ]


@each("unknown", [1, 2, 3, 4])
def test_of_a_hand_that_is_known_in_part_every_three_cards_are_chosen_once(unknown: int):  # COM-76
    known, pool = ("4", "8", "8"), {"4": 1, "8": 1, "9": 3, "fire": 2}
    chosen = [tuple(sorted(seen + more)) for seen, others in _with_unknown(known, unknown, pool) for more in others]
    missing = [(three, Counter(three) - Counter(known)) for three in combinations_with_replacement(sorted(pool), 3)]
    due = [three for three, more in missing if 0 < more.total() <= unknown and more <= Counter(pool)]
    assert sorted(chosen) == due


def test_who_is_not_to_act_has_no_move():
    position = Position("8 8", "1", pile="5")
    assert list(position.rulebook.legal(position.table, 1)) == []
    rulebook = ALCASAN.bind({}, 2)
    assert list(rulebook.legal(Table(rulebook.setup), 0)) == []
