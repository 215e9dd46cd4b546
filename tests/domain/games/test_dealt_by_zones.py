"""A deal that is entered by where the cards go lays the same table as the deck that brings them there (COM-70)."""

from random import Random

import pytest

from domain.binding import GameRules
from domain.cards import HIDDEN
from domain.games import RULESETS
from domain.table import Table, fold
from tests.domain.games.setups import TRIED

TOLD = [key for key, ruleset in RULESETS.items() if isinstance(ruleset, GameRules) and ruleset.telling]


@pytest.mark.parametrize("key", TOLD)
def test_cards_that_are_named_by_their_zones_lay_the_table(key: str):
    ruleset, chance = RULESETS[key], Random(key)
    assert isinstance(ruleset, GameRules)
    assert ruleset.telling
    for tried in TRIED[key]().set_ups:
        rulebook = ruleset.bind(dict(tried.options), tried.seats)
        table, unknown = Table(rulebook.setup), [HIDDEN] * len(rulebook.deck)
        for dealer in {0, tried.seats - 1}:
            deck = tuple(chance.sample(rulebook.deck, len(rulebook.deck)))
            places = ruleset.telling.dealt(rulebook.settled, table, dealer, deck)
            zones = {zone: [deck[place] for place in among] for zone, among in places.items()}
            # Aces that are laid aside may have lain anywhere in the deck (CSC-6): the table tells no more.
            assert fold(table, rulebook.deal(table, dealer, unknown, zones)) == fold(table, rulebook.deal(table, dealer, deck))
