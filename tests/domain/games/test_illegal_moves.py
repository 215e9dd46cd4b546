"""Illegal moves of every game: what they did to the cards follows from the move where it makes sense on the table."""

from collections import Counter

import pytest

from domain.cards import Card
from domain.effects import CardsMoved, DetailAnnounced, Effects, MarkSet, TurnPassed
from domain.errors import Refused
from domain.games import RULESETS
from domain.moves import AcceptedMove, build_accepted_move, derive_effects
from domain.table import Table, fold
from tests.domain.games.casino.positions import Position
from tests.domain.games.conftest import played
from tests.domain.unknown_cards.tables import RULES, dealt


def effects_of(position: Position, text: str, seat: int = 0) -> Effects:
    move = position.rulebook.with_codes({"type": "capture", "card": text.split("x")[0], "groups": [text.split("x")[1].split()]})
    return build_accepted_move(position.rulebook, position.table, AcceptedMove(seat, move)).effects


def test_the_cards_that_a_wrong_capture_names_are_taken():
    assert effects_of(Position("8C 4S", "9H 2D", board="7C 8H 9C"), "8Cx7C") == (
        CardsMoved(("7C",), "board", "won:0"),
        CardsMoved(("8C",), "hand:0", "won:0", shown=True),
        DetailAnnounced(0, "captured", 8),
        MarkSet("last_capturer", 0),
        TurnPassed("play", 1, (1,)),
    )


def test_a_move_out_of_turn_stands_for_the_seat_that_made_it():
    effects = effects_of(Position("8C 4S", "9H 2D", board="7C 8H 9C"), "9Hx9C", seat=1)
    assert effects[:2] == (CardsMoved(("9C",), "board", "won:1"), CardsMoved(("9H",), "hand:1", "won:1", shown=True))
    assert effects[-1] == TurnPassed("play", 0, (0,))


def test_an_unknown_card_that_the_move_names_is_told_by_it():
    table = dealt()
    first, *_ = effects = derive_effects(RULES, table, 1, {"type": "capture", "card": "8C", "groups": [[table.cards("board")[0]]]})
    assert (first.__struct_config__.tag, lying(fold(table, effects)).total()) == ("known", 52)


def lying(table: Table) -> Counter[Card]:
    return Counter(card for zone in table.zones.values() for card in zone.cards)


@pytest.mark.parametrize("ruleset", sorted(RULESETS))
def test_what_a_move_that_makes_no_sense_did_is_unclear_and_no_card_is_gained_or_lost(ruleset: str):
    """A move of one position at another one, by the seat that is to act there."""
    outcomes = Counter[str]()
    for playout in played(ruleset)[:3]:
        moves = [move for _, move in playout.moves()]
        for number, step in playout.looked_at("illegal moves")[:50]:
            if step.move is None:
                continue
            move = moves[number * 7919 % len(moves)]
            try:
                effects = derive_effects(playout.rulebook, step.before, step.seat, move)
                assert lying(fold(step.before, effects)) == lying(step.before)
                outcomes["clear"] += 1
            except Refused as refused:
                outcomes[refused.code] += 1
    assert outcomes.keys() == {"clear", "effects_unclear"}
