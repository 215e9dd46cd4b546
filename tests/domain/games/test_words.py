"""What people call the cards, the rows and the ends of every game."""

import pytest

from domain.games import RULESETS
from domain.rules import Ruleset
from domain.texts import LANGUAGES
from replay.sample_games import find_minimum_seats
from tests.golden.playthroughs import ALL, stored

every_ruleset = pytest.mark.parametrize("ruleset", RULESETS.values(), ids=RULESETS)


@every_ruleset
def test_every_row_of_the_sheet_has_a_name_in_every_language(ruleset: Ruleset):
    rows = ruleset.bind({}, find_minimum_seats(ruleset, {})).setup.rows
    words = ruleset.about().words
    assert [(row, language) for row in rows for language in LANGUAGES if f"row.{row}" not in words.get(language, {})] == []


def test_every_way_in_which_a_hand_ended_has_a_name_in_every_language():
    ended = {(golden.key, hand["end"]) for golden in ALL for hand in stored(golden)["sheet"]["hands"]}
    words = {key: ruleset.about().words for key, ruleset in RULESETS.items()}
    assert [(key, end, language) for key, end in ended for language in LANGUAGES if f"end.{end}" not in words[key][language]] == []


@every_ruleset
def test_cards_are_named_in_every_language_or_not_at_all_and_no_two_alike(ruleset: Ruleset):
    deck = set(ruleset.about().deck)
    for named in ruleset.about().words.values():
        cards = {key: name for key, name in named.items() if key.startswith("card.")}
        assert len({*cards.values()}) == len(cards)
        assert cards.keys() in (set(), {f"card.{card}" for card in deck})
