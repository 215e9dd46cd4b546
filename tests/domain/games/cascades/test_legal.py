"""The list of moves: complete, without repetition, in a stable order, and without peeking."""

from collections.abc import Iterator
from itertools import islice
from random import Random

import pytest

from domain.errors import Refused
from domain.rules import Move
from domain.sight import PUBLIC, Viewer, masked
from domain.table import Table, fold
from tests.domain.games.cascades.positions import ACE, CASCADES, ENDLESS, EXTENDED, Position, dealt
from tests.domain.games.positions import json_of
from tests.each import each

PLAYED: list[dict[str, object]] = [{}, EXTENDED, {**EXTENDED, **ENDLESS}, ACE, {**ACE, **EXTENDED, "passes": 3}]


def random_game(options: dict[str, object], seed: int) -> Iterator[Position]:
    """Every position of a game of random moves, nobody giving up."""
    chance = Random(seed)
    position = Position(options=options)
    deck = chance.sample(position.rulebook.deck, len(position.rulebook.deck))
    start = Table(position.rulebook.setup)
    position.table = fold(start, position.rulebook.deal(start, 0, deck))
    while position.table.in_hand:
        yield position
        position.go(chance.choice([move for move in listed(position) if move["type"] != "resign"]))


def listed(position: Position) -> list[Move]:
    return list(position.rulebook.legal(masked(position.table, Viewer(0)), 0))


def every_move(position: Position) -> list[Move]:
    """Every move of the right form."""
    placings: list[Move] = [{"type": "play", "card": card, "tier": tier} for card in position.rulebook.deck for tier in range(3)]
    return [*placings, {"type": "turn"}, {"type": "resign"}]


def is_legal(position: Position, move: Move) -> bool:
    try:
        position.judge(json_of(move))
    except Refused:
        return False
    return True


@pytest.mark.parametrize("options", PLAYED, ids=str)
def test_every_legal_move_is_listed_once_and_no_other(options: dict[str, object]):
    for position in islice(random_game(options, seed=5), 0, None, 3):
        moves = listed(position)
        assert [move for move in every_move(position) if is_legal(position, move)] == sorted(moves, key=every_move(position).index)
        assert len(moves) == len({str(move) for move in moves})
        assert position.view["legal_moves"] == moves


def by_the_book(position: Position, card: str, tier: int) -> bool:
    """Sections 7 and 8 of the rules, told once more and in another way."""
    view = position.view
    rank, _, suits = card.partition("-")
    held = [[lying.partition("-")[0] for lying in cards].count(rank) for cards in view["tiers"]]
    room = {"A": (2, 2, 2), "CROWN": (2, 2, 2), "PAWN": (2, 1, 1), "COURT": (2, 1, 1)}.get(rank, (1, 1, 1))
    waits = rank in ("PAWN", "COURT") and tier == 0 and held[0] == 1 and held[2] == 0
    wanted = "".join(view["bases"][tier]) if any(view["bases"]) else "".join(view["tiers"][tier][-1:]).partition("-")[2]
    suits_fit = not wanted or bool(set(suits) & set(wanted.replace("A-", "")))
    return held[tier] < room[tier] and (tier == 0 or held[tier] < held[tier - 1]) and not waits and suits_fit


@pytest.mark.parametrize("options", PLAYED, ids=str)
def test_what_is_listed_is_what_the_rules_allow(options: dict[str, object]):  # CSC-26 to CSC-32, CSC-36
    for position in random_game(options, seed=6):
        view = position.view
        tops = [top for top in (view["waste_top"], *view["reserve_tops"]) if top]
        due = [{"type": "play", "card": card, "tier": tier} for card in tops for tier in range(3) if by_the_book(position, card, tier)]
        assert [move for move in listed(position) if move["type"] == "play"] == due


def test_the_waste_comes_first_then_the_piles_then_turning_and_giving_up():  # section 11
    position = Position("A-M", "", waste="CROWN-M", reserve=("4-MS", "A-K", "8-MS"), pass_=3)
    assert listed(position) == [
        {"type": "play", "card": "CROWN-M", "tier": 0},
        {"type": "play", "card": "4-MS", "tier": 0},
        {"type": "play", "card": "A-K", "tier": 1},
        {"type": "turn"},
        {"type": "resign"},
    ]


def test_a_card_may_have_a_choice_of_tiers():  # section 13
    position = Position("A-M", "", waste="A-K", reserve=("4-MS",), pass_=2)
    position.play("4-MS", 0)
    assert listed(Position("A-M 2-MK", "", waste="A-K")) == [
        {"type": "play", "card": "A-K", "tier": 0},
        {"type": "play", "card": "A-K", "tier": 1},
        {"type": "turn"},
        {"type": "resign"},
    ]


def test_without_a_pass_left_there_is_no_turn():  # CSC-18
    assert listed(Position("4-MS", waste="3-SK", stock="", pass_=3)) == [{"type": "play", "card": "3-SK", "tier": 0}, {"type": "resign"}]


def test_after_the_end_before_the_deal_and_for_other_seats_there_is_no_move():
    position = Position("4-MS")
    assert list(position.rulebook.legal(position.table, 1)) == []
    position.resign()
    assert listed(position) == []
    rulebook = CASCADES.bind({}, 1)
    assert list(rulebook.legal(Table(rulebook.setup), 0)) == []


def test_everything_that_can_be_played_lies_open_to_everybody():  # CSC-44
    rulebook, table, _ = dealt()
    assert list(rulebook.legal(masked(table, PUBLIC), 0)) == list(rulebook.legal(table, 0))


@each("options", PLAYED, ids=str)
def test_piles_are_seen_exactly_when_they_are_open(options: dict[str, object]):  # CSC-20 to CSC-24, CSC-44
    for position in random_game(options, seed=7):
        sights = [position.table.zones[f"reserve:{pile}"].sight for pile in range(3)] if "variant" not in options else ["none"] * 3
        assert [sight == "top" for sight in sights] == position.view["reserve_open"]


@pytest.mark.parametrize("options", PLAYED, ids=str)
def test_random_play_ends_by_itself(options: dict[str, object]):  # CSC-38, CSC-41
    for seed in range(5):
        *_, last = random_game(options, seed)
        assert last.view["end"] in ("stuck", "complete")
