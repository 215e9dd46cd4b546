"""Lists of moves where cards of the own hand have no face: what would be legal for some faces that they may have, and no more (COM-76).

By brute force over all faces, in positions of random games. Canasta has a test of its own: whether all cards find a place is not searched
to the last one there. In Cascades the seat holds no hand.
"""

from collections import Counter
from collections.abc import Iterator
from itertools import islice, permutations
from random import Random

import pytest

from domain.cards import HIDDEN, Card, Seat
from domain.games import RULESETS
from domain.rules import Move, Rulebook
from domain.sight import Viewer, masked
from domain.table import Table, Zone
from replay.sample_games import play_sample_game
from tests.domain.games.casino.test_legal import meaning as meaning_in_casino
from tests.domain.games.setups import TRIED

GAMES = ("alcasan", "casino", "quartett-classic", "quartett-trumpf")
LOOKS = 8


def with_hand(table: Table, seat: Seat, cards: tuple[Card, ...]) -> Table:
    zone = table.zones[f"hand:{seat}"]
    zones = {**table.zones, f"hand:{seat}": Zone(zone.sight, zone.owner, cards, zone.marks)}
    return Table(table.setup, zones, table.marks, table.phase, table.turn, table.to_act, table.score)


def positions(key: str, chance: Random) -> Iterator[tuple[Rulebook, Table, Seat]]:
    """As a seat sees them that is to act, with one of its cards unknown, or two."""
    while True:
        set_up = chance.choice(TRIED[key]().set_ups)
        rulebook = RULESETS[key].bind(set_up.options, set_up.seats)
        steps = [step.table for step in islice(play_sample_game(rulebook, chance), 120) if step.table.to_act]
        table = chance.choice(steps)
        seat = chance.choice(table.to_act)
        seen = masked(table, Viewer(seat))
        hand = list(seen.cards(f"hand:{seat}"))
        places = [place for place, card in enumerate(hand) if card != HIDDEN]
        for place in chance.sample(places, min(len(places), chance.randint(1, 2))):
            hand[place] = HIDDEN
        if places:
            yield rulebook, with_hand(seen, seat, tuple(hand)), seat


def listed(key: str, rulebook: Rulebook, table: Table, seat: Seat) -> list[object]:
    return [meaning(key, move) for move in rulebook.legal(table, seat)]


def meaning(key: str, move: Move) -> object:
    return meaning_in_casino(dict(move)) if key == "casino" else tuple(sorted((name, repr(value)) for name, value in move.items()))


def for_some_faces(key: str, rulebook: Rulebook, table: Table, seat: Seat) -> set[object]:
    hand = table.cards(f"hand:{seat}")
    hidden = [place for place, card in enumerate(hand) if card == HIDDEN][-2:]
    lying = Counter(card for zone in table.zones.values() for card in zone.cards)
    found: set[object] = set()
    for faces in set(permutations((Counter(rulebook.deck) - lying).elements(), len(hidden))):
        told = dict(zip(hidden, faces, strict=True))
        cards = tuple(told.get(place, card) for place, card in enumerate(hand))
        found.update(listed(key, rulebook, with_hand(table, seat, cards), seat))
    return found


@pytest.mark.parametrize("key", GAMES)
def test_what_is_legal_for_some_faces_is_listed_once_and_no_more(key: str):
    for rulebook, table, seat in islice(positions(key, Random(f"untold {key}")), LOOKS):
        moves = listed(key, rulebook, table, seat)
        assert len(moves) == len(set(moves))
        assert set(moves) == for_some_faces(key, rulebook, table, seat)
