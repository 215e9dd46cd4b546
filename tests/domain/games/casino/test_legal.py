"""The list of plays: complete, without repetition, and without peeking."""

import random
from collections import Counter
from collections.abc import Iterable, Iterator
from functools import cache
from itertools import combinations, islice
from typing import Any

import pytest

from domain.cards import FRENCH_DECK, Card
from domain.effects import CardsMoved
from domain.errors import Refused
from domain.games.casino.legal import Asked, find_maximum_capture, list_narrowed_moves
from domain.games.casino.options import Options, resolve_options
from domain.games.casino.table import VALUES, CasinoTable
from domain.rules import Move, Rulebook
from domain.score import sheet
from domain.sight import PUBLIC, Viewer, masked
from domain.table import Table, fold
from tests.domain.games.casino.positions import CASINO, ROYAL, Position
from tests.domain.games.positions import json_of
from tests.each import each

EVERY_KIND: list[tuple[dict[str, object], int]] = [
    ({}, 2),
    ({**ROYAL, "sweeps": True}, 2),
    (ROYAL, 3),
    ({"partners": True, "sweeps": True}, 4),
]


def listed(position: Position) -> list[Move]:
    table = position.table
    assert table.turn is not None
    return list(position.rulebook.legal(masked(table, Viewer(table.turn)), table.turn))


# By brute force


def partitions(cards: tuple[Card, ...]) -> Iterator[list[list[Card]]]:
    """Every way to put all the cards into groups."""
    if not cards:
        yield []
        return
    first, rest = cards[0], cards[1:]
    for size in range(len(rest) + 1):
        for others in combinations(rest, size):
            left = tuple(card for card in rest if card not in others)
            for groups in partitions(left):
                yield [[first, *others], *groups]


def groupings(cards: Iterable[Card]) -> Iterator[list[list[Card]]]:
    """Every way to put some of the cards into groups."""
    pool = tuple(cards)
    for size in range(len(pool) + 1):
        for chosen in combinations(pool, size):
            yield from partitions(chosen)


def every_move(position: Position, values: Iterable[int]) -> Iterator[dict[str, Any]]:
    """Every move of the right form that names cards and builds of the position, and one of the values for a build."""
    table, builds = position.table, [build["id"] for build in position.view["builds"]]
    board, hand = table.cards("board"), table.cards(f"hand:{table.turn}")
    build_choices = [list(chosen) for size in range(len(builds) + 1) for chosen in combinations(builds, size)]
    for card in hand:
        yield {"type": "trail", "card": card}
        for groups in groupings(board):
            for chosen in build_choices:
                yield {"type": "capture", "card": card, "groups": groups, "builds": chosen}
            for build in builds:
                for value in values:
                    yield {"type": "raise", "card": card, "build": build, "value": value, "groups": groups}
        for groups in groupings((card, *board)):
            for value in values:
                yield {"type": "build", "card": card, "value": value, "groups": groups}
            for build in builds:
                yield {"type": "add", "card": card, "build": build, "groups": groups}


def meaning(move: dict[str, Any]) -> tuple[object, ...]:
    """What a play does, whatever its grouping."""
    named = frozenset(card for group in move.get("groups", ()) for card in group)
    return (move["type"], move["card"], move.get("value"), move.get("build"), frozenset(move.get("builds", ())), named)


def is_legal(position: Position, move: dict[str, Any]) -> bool:
    try:
        position.judge(move)
    except Refused:
        return False
    return True


POSITIONS = {
    "numbers": Position("6C 3H 9D", board="6S 3D 2S 4H KD"),
    "pictures": Position("KS QH 5D", board="KH KD QS 2S 3S"),
    "many groups": Position("7C 7D", board="3D 4H 3S 4S 7H"),
    "an own build": Position("8C 3H KS", board="5D KD 8S", builds=[(8, 0, "6D 2D")]),
    "a build to raise": Position("3H 8C 2C 5C", board="8D 6C 2H 5H", builds=[(5, 1, "2S 3S")]),
    "builds side by side": Position("8C 8H 2C", board="6D 2H AS", builds=[(8, 1, "5S 3S"), (8, 0, "4S 4D, 8D"), (6, 1, "4H 2S")]),
    "royal pictures": Position("QS JC AH", board="QH AD JS TD 2S", options=ROYAL),
    "royal aces": Position("AS AC KH", board="AH AD KD 9C 5D", options=ROYAL),
    "royal builds": Position("AS AC 2H", board="AD KD QH", builds=[(14, 1, "9C 5D"), (12, 0, "QS, TD 2D")], options=ROYAL),
    "royal builds of aces": Position("AS AC KH 3S", board="JD KD", builds=[(1, 0, "AH, AD"), (14, 1, "9C 5D")], options=ROYAL),
    "nothing on the table": Position("AS KH", board=""),
}


@cache
def legal_moves(name: str) -> list[dict[str, Any]]:
    """By trying; in one position every value, else those of cards that are held, and the least and one too many."""
    position = POSITIONS[name]
    captures = VALUES[str(position.rulebook.setup.options["variant"])].captures
    held = [captures[card] for card in position.table.cards(f"hand:{position.table.turn}")]
    values = range(1, 16) if name == "a build to raise" else sorted({1, 15}.union(*held))
    return [move for move in every_move(position, values) if is_legal(position, move)]


@pytest.mark.parametrize("name", POSITIONS)
def test_every_legal_play_is_listed_once_and_no_other(name: str):
    position = POSITIONS[name]
    moves = listed(position)
    legal = {meaning(move) for move in legal_moves(name)}
    assert {meaning(move) for move in moves} == legal
    assert len(moves) == len(legal)
    assert [move for move in moves if not is_legal(position, json_of(move))] == []


def test_plays_of_one_meaning_do_the_same_to_the_game():
    for name, position in POSITIONS.items():
        results: dict[tuple[object, ...], object] = {}
        for move in legal_moves(name):
            done = outcome(position, move)
            assert results.setdefault(meaning(move), done) == done


def outcome(position: Position, move: dict[str, Any]) -> object:
    """The view after a play, in which the order of cards in piles and groups does not count."""
    view = position.rulebook.view(fold(position.table, position.judge(move)))
    builds = [(build["id"], build["value"], build["kind"], build["owner"], sorted(sum(build["groups"], ()))) for build in view["builds"]]
    return {**view, "builds": builds, "piles": [sorted(pile) for pile in view["piles"]]}


@each("name", POSITIONS)
def test_the_list_can_be_narrowed_to_cards_and_to_those_that_use_all_of_them(name: str):
    position = POSITIONS[name]
    options, table, turn, chance = options_of(position), CasinoTable(position.table), position.table.turn or 0, random.Random(name)
    legal = listed(position)
    for _ in range(20):
        cards = chance.sample(table.hand(turn), chance.randint(1, len(table.hand(turn))))
        board = chance.sample(table.board, chance.randint(0, min(4, len(table.board))))
        some = [move for move in legal if move["card"] in cards and used(move) <= set(board)]
        whole = [move for move in some if used(move) == set(board)]
        assert Counter(map(meaning, list_narrowed_moves(options, table, turn, Asked(cards, board)))) == Counter(map(meaning, some))
        assert Counter(map(meaning, list_narrowed_moves(options, table, turn, Asked(cards, board, whole=True)))) == Counter(
            map(meaning, whole)
        )


def options_of(position: Position) -> Options:
    return resolve_options(position.rulebook.setup.options, position.rulebook.setup.seats)[0]


def used(move: Move) -> set[Card]:
    """The loose cards that a move uses."""
    groups: Any = move.get("groups", ())
    return {card for group in groups for card in group} - {str(move["card"])}


@each("name", POSITIONS)
def test_the_largest_capture_is_the_one_that_holds_all_others_with_the_card(name: str):
    position = POSITIONS[name]
    options, table, turn = options_of(position), CasinoTable(position.table), position.table.turn or 0
    for card in table.hand(turn):
        captures: list[Any] = [move for move in listed(position) if move["type"] == "capture" and move["card"] == card]
        taken = {meaning(move): used(move) | set(move["builds"]) for move in captures}
        largest = [key for key, cards in taken.items() if all(cards >= others for others in taken.values())]
        found = find_maximum_capture(options, table, turn, card)
        assert [meaning(move) for move in (found,) if move] == largest


def test_the_order_is_stable():
    assert [listed(position) for position in POSITIONS.values()] == [listed(position) for position in POSITIONS.values()]


def test_a_seat_that_is_not_to_act_has_no_play():
    position = Position("6C 3H", "5D 2H")
    assert list(position.rulebook.legal(position.table, 1)) == []


def test_before_the_first_hand_nobody_has_a_play():
    rulebook = CASINO.bind({}, 2)
    assert list(rulebook.legal(Table(rulebook.setup), 0)) == []


def test_from_a_hand_without_faces_every_card_that_is_not_seen_may_be_trailed():  # COM-76: unknown and hidden cards are one pool
    position = Position("6C 3H", board="6S 5D", stock="2D")
    trailed = [move["card"] for move in position.rulebook.legal(masked(position.table, PUBLIC), 0) if move["type"] == "trail"]
    assert trailed == [card for card in FRENCH_DECK if card not in ("6S", "5D")]


def test_a_table_full_of_cards_does_not_hold_up_the_first_answers():
    board = " ".join(card for card in FRENCH_DECK if card not in ("AS", "AC", "KH", "KD"))
    position = Position("AS AC KH KD", board=board, options=ROYAL)
    first = list(islice(position.rulebook.legal(position.table, 0), 2000))
    assert len({meaning(move) for move in first}) == 2000
    assert all(is_legal(position, move) for move in first[::50])


# By random play


def playout(options: dict[str, object], seats: int, seed: int) -> Iterator[tuple[Rulebook, Table, list[Move]]]:
    """A whole game of random plays: each table with the plays of the seat to act, and the last one with none."""
    chance = random.Random(seed)
    rulebook = CASINO.bind(options, seats)
    table, dealer = Table(rulebook.setup), chance.randrange(seats)
    while table.phase != "game_over":
        table = fold(table, rulebook.deal(table, dealer, chance.sample(FRENCH_DECK, 52)))
        dealer = (dealer + 1) % seats
        while (turn := table.turn) is not None:
            moves = list(islice(rulebook.legal(masked(table, Viewer(turn)), turn), 500))
            yield rulebook, table, moves
            table = fold(table, rulebook.resolve(table, turn, chance.choice(moves)))
    yield rulebook, table, []


@pytest.mark.parametrize(("options", "seats"), EVERY_KIND)
def test_owners_always_hold_a_card_for_each_value(options: dict[str, object], seats: int):  # CNO-47, CNO-42, CNO-43
    for rulebook, table, _ in playout(options, seats, seed=11):
        view = rulebook.view(table)
        for seat in range(seats):
            owned = {build["value"] for build in view["builds"] if build["owner"] == seat}
            held = [card[0] for card in view["hands"][seat]]
            ranks = {1: "A", 10: "T", 11: "J", 12: "Q", 13: "K", 14: "A"}
            needed = [ranks.get(value, str(value)) for value in owned]
            assert all(held.count(rank) >= needed.count(rank) for rank in needed)


@pytest.mark.parametrize(("options", "seats"), EVERY_KIND)
def test_no_build_is_left_when_a_deal_begins_or_the_hand_ends(options: dict[str, object], seats: int):  # CNO-47
    for rulebook, table, _ in playout(options, seats, seed=13):
        view = rulebook.view(table)
        if set(view["hand_counts"]) in ({4}, {0}):
            assert view["builds"] == []


@pytest.mark.parametrize(("options", "seats"), EVERY_KIND)
def test_the_52_cards_are_always_there(options: dict[str, object], seats: int):
    for _, table, _ in playout(options, seats, seed=17):
        assert sorted(card for zone in table.zones.values() for card in zone.cards) == sorted(FRENCH_DECK)


@pytest.mark.parametrize(("options", "seats"), EVERY_KIND)
def test_a_hand_brings_11_points_and_the_sweeps(options: dict[str, object], seats: int):  # section 15
    *_, (_, table, _) = playout(options, seats, seed=19)
    for hand in sheet(table.setup, table.score).hands:
        expected = 11 + sum(hand.rows["sweeps"]) - 3 * (not any(hand.rows["cards"])) - (not any(hand.rows["spades"]))
        assert sum(hand.points) == expected


def test_a_move_says_where_every_card_goes():  # COM-50
    for rulebook, table, moves in playout(EVERY_KIND[1][0], 2, seed=23):
        for move in moves[:10]:
            effects = rulebook.resolve(table, table.turn, move)
            assert [effect for effect in effects if isinstance(effect, CardsMoved) and effect.source == f"hand:{table.turn}"]
