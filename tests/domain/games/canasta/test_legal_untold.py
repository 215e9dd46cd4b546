"""The list of moves where cards of the own hand have no face: what would be legal for some faces that they may have (COM-76, CAN-56)."""

import random
from collections import Counter
from collections.abc import Iterator
from itertools import combinations, islice

from domain.cards import HIDDEN
from domain.effects import Known
from domain.games.canasta.cards import DECK, RED_THREES, is_wild
from domain.rules import Move
from domain.sight import Viewer, masked
from domain.table import fold
from tests.domain.games.canasta.positions import SEVEN_KINGS, Position
from tests.domain.games.canasta.test_legal import FROZEN, GRANTED, is_legal, meaning
from tests.domain.games.positions import json_of
from tests.each import each


def rest_of(*lying: str) -> str:
    """All cards but these and the red threes, as a stock."""
    return " ".join((Counter(DECK) - Counter(" ".join(lying).split()) - Counter(2 * sorted(RED_THREES))).elements())


def meanings(moves: Iterator[Move]) -> list[tuple[object, ...]]:
    return [meaning(json_of(move)) for move in moves]


def for_some_faces(position: Position) -> set[tuple[object, ...]]:
    """What is legal with any of the faces that the cards of the hand may have."""
    table, seat = position.table, position.seat
    hand = table.cards(f"hand:{seat}")
    known, unknown = [card for card in hand if card != HIDDEN], hand.count(HIDDEN)
    lying = Counter(card for zone in table.zones.values() for card in zone.cards)
    pool = [card for card in (Counter(DECK) - lying).elements() if card not in RED_THREES]
    found: set[tuple[object, ...]] = set()
    for faces in set(combinations(pool, unknown)):
        told = fold(table, (Known(f"hand:{seat}", (*known, *faces)),))
        found.update(meanings(position.rulebook.legal(told, seat)))
    return found


def listed(position: Position) -> list[tuple[object, ...]]:
    return meanings(position.rulebook.legal(position.table, position.seat))


def random_position(chance: random.Random) -> Position:
    """A hand of up to seven cards, up to three of them untold, of few ranks; some melds, a pile, and a few more untold cards."""
    drawn = chance.sample([card for card in DECK if card[0] in "AK92J" or card in ("3S", "3C")], 16)
    held, more, top = drawn[: chance.randint(1, 6)], drawn[7 : 7 + chance.randint(0, 4)], drawn[12]
    untold = held[: chance.randint(1, min(3, len(held)))]
    hand = [*[HIDDEN] * len(untold), *held[len(untold) :]]
    pile = " ".join((*drawn[13 : 13 + chance.randint(0, 3)], top))
    lying = Counter((*drawn, "KC", "KC"))
    melds = [
        group
        for group in ("A: AD AC AC", "K: KS KH KD KC 2S JK", "9: 9S 9S 9H 9H 9D 9D 9C", "3: 3S 3S 3C")
        if chance.random() < 0.4 and not Counter[str](group.split()[1:]) & lying
    ]
    # Whatever else there is lies known in the stock, so that an unknown card can be one of ``untold`` and ``more`` only.
    others = rest_of(" ".join(held), " ".join(more), pile, " ".join(" ".join(group.split()[1:]) for group in melds))
    return Position(
        " ".join(hand),
        *[""] * 3,
        melds={0: ", ".join(melds)},
        pile=pile,
        stock=" ".join((others, *[HIDDEN] * len(more))),
        pile_marks=FROZEN if is_wild(top) or chance.random() < 0.3 else {},
        phase=chance.choice(["draw", "play"]),
        marks=chance.choice([{}, {}, {"question": "denied"}, GRANTED]),
        minimums=(chance.choice([15, 50, 90]), 50),
        options={"wild_top_take": chance.random() < 0.5, "one_card_pile": chance.choice(["allowed", "forbidden"])},
    )


def test_what_is_legal_for_some_faces_is_listed_and_next_to_nothing_else():
    """Whether all cards find a place is not searched to the last one; where not, it is taken as kept by the list and by the check."""
    chance, generous = random.Random(11), 0
    for _ in range(120):
        position = random_position(chance)
        moves = list(position.rulebook.legal(position.table, position.seat))
        told = meanings(iter(moves))
        due = for_some_faces(position)
        assert len(told) == len(set(told))
        assert due <= set(told)
        assert [move for move in moves if meaning(json_of(move)) not in due and not is_legal(position, move)] == []
        generous += due != set(told)
    assert generous <= 1


# In words


def test_any_card_that_is_not_seen_may_be_discarded_but_no_red_three():  # CAN-54
    position = Position("9S ? ?", *[""] * 3, melds={0: SEVEN_KINGS}, pile="4D 5D", stock="6D")
    discarded = [move["card"] for move in position.rulebook.legal(position.table, 0) if move["type"] == "discard"]
    assert discarded == [card for card in dict.fromkeys(DECK) if card not in (*RED_THREES, "KS", "KH", "KD")]


def test_a_seat_is_told_what_may_be_from_what_it_sees_itself():
    position = Position("9S ?", *[""] * 3, pile="AS AH 4D", stock="6D")
    offered = list(islice(position.rulebook.legal(masked(position.table, Viewer(0)), 0), 100))
    assert {"type": "discard", "card": "AS"} in offered  # a covered card of the pile: as far as the seat sees it may hold both
    assert not is_legal(Position("9S ?", *[""] * 3, pile="AS AS 4D", stock="6D"), {"type": "discard", "card": "AS"})


def test_the_top_card_may_be_taken_with_two_cards_that_nobody_knows():  # CAN-30
    position = Position("9S ? ?", *[""] * 3, melds={0: "K: KS KH KD"}, pile="4D QD", phase="draw", pile_marks=FROZEN)
    offered = [move for move in position.rulebook.legal(position.table, 0) if move["type"] == "take" and not move["melds"]]
    assert {"type": "take", "rank": "Q", "cards": ("QS", "QH"), "melds": ()} in offered
    assert not [move for move in offered if len(move["cards"]) > 2]  # pyrefly: ignore[bad-argument-type]


def test_equal_faces_are_listed_once_however_many_cards_may_have_them():
    moves = listed(Position("? ? ?", *[""] * 3, melds={0: SEVEN_KINGS}, pile="4D", stock=""))
    assert len(moves) == len(set(moves))


def test_the_list_begins_at_once_and_goes_on_without_end():
    position = Position(" ".join([HIDDEN] * 15), *[" ".join([HIDDEN] * 15)], pile="4D", stock="", seats=2)
    first = list(islice(position.rulebook.legal(position.table, 0), 3000))
    assert len({meaning(json_of(move)) for move in first}) == 3000
    assert all(is_legal(position, json_of(move)) for move in first[::60])


@each("must_go_out", [False, True])
def test_a_meld_after_which_nobody_could_go_out_is_not_listed(must_go_out: bool):  # CAN-38, CAN-41
    """Two queens and a card that may be a third: no canasta is near."""
    position = Position("QS QH ?", *[""] * 3, melds={0: "K: KS KH KD"}, pile="4D", marks=GRANTED if must_go_out else {})
    laid = [move["melds"] for move in position.rulebook.legal(position.table, 0) if move["type"] == "meld"]
    assert [len(melds[0]["cards"]) for melds in laid] == ([] if must_go_out else [1] * len(laid))  # pyrefly: ignore[bad-argument-type, bad-index, unsupported-operation]


def test_a_meld_after_which_a_card_that_nobody_knows_may_complete_a_canasta_is_listed():  # CAN-38, CAN-56
    position = Position("QS QH QD ?", *[""] * 3, melds={0: "K: KS KS KH KH KD KD"}, pile="4D")
    laid = {"type": "meld", "melds": ({"rank": "Q", "cards": ("QS", "QH", "QD")},)}
    assert laid in list(position.rulebook.legal(position.table, 0))
