"""Layout hints of every game, held against the zones that random play lays."""

from collections.abc import Mapping
from functools import cache

import msgspec
import pytest

from domain.games import RULESETS
from domain.layout import Hint, Layout, layout_of
from tests import laws
from tests.domain.games.setups import TRIED
from tests.each import each

UNHINTED: Mapping[str, frozenset[str]] = {}
"""By ruleset the zones that lie as a row in the middle on purpose. A game without any hints need not name them."""

NEEDS: Mapping[str, tuple[str, ...]] = {"seat": ("{seat}", "{party}"), "party": ("{party}",), "rows": ("{n}",), "group": ("{n}",)}
"""What has to stand in a pattern, so that whoever draws knows at which seat, with which party, in which row or group."""

HINTED = [key for key, ruleset in RULESETS.items() if ruleset.about().layout]


@cache
def zones_of(key: str) -> frozenset[str]:
    """The names of the zones that lie on a table in any random game."""
    found: set[str] = set()
    for set_up in TRIED[key]().set_ups[::3]:
        rulebook = RULESETS[key].bind(set_up.options, set_up.seats)
        for step in laws.play(RULESETS[key], rulebook, f"layout/{key}/{set_up}", 120, set_up.rarely).steps:
            found.update(step.after.zones)
    return frozenset(found)


@pytest.mark.parametrize("key", HINTED)
def test_every_hint_is_of_zones_that_are_laid_in_play(key: str):
    hints = RULESETS[key].about().layout
    assert [hint.zones for hint in hints if not any(map(hint.fits, zones_of(key)))] == []


@each("key", HINTED)
def test_every_zone_that_is_laid_in_play_has_one_hint_or_none_on_purpose(key: str):
    hints, on_purpose = RULESETS[key].about().layout, UNHINTED.get(key, frozenset())
    fitting = {zone: [hint.zones for hint in hints if hint.fits(zone)] for zone in zones_of(key)}
    assert {zone: found for zone, found in fitting.items() if len(found) != (zone not in on_purpose)} == {}


@each("key", HINTED)
def test_a_hint_says_at_which_seat_with_which_party_and_in_which_row_or_group(key: str):
    hints = RULESETS[key].about().layout
    lacking = [(hint.zones, sort) for hint in hints for sort in (hint.place, hint.spread) if not _says(hint, NEEDS.get(sort, ("",)))]
    assert lacking == []


def _says(hint: Hint, parts: tuple[str, ...]) -> bool:
    return any(part in hint.zones for part in parts)


@each(
    ("key", "kind"),
    [
        ("casino", "french"),
        ("canasta", "french"),
        ("alcasan", "alcasan"),
        ("cascades", "decktet"),
        ("quartett-classic", "quartett"),
        ("quartett-trumpf", "quartett"),
    ],
)
def test_a_game_says_what_its_cards_look_like_and_where_they_lie(key: str, kind: str):
    assert (RULESETS[key].about().deck_kind, key in HINTED) == (kind, True)


def test_a_game_that_says_nothing_has_no_hints_and_no_kind_of_deck():
    assert (layout_of("domain", "casino"), layout_of("domain.games.casino", "no such ruleset")) == (Layout(), Layout())


@each(
    ("pattern", "fitting", "others"),
    [
        ("hand:{seat}", ("hand:0", "hand:12"), ("hand", "hand:", "hand:a", "hand:0:1", "xhand:0")),
        ("build:{n}:*", ("build:3:0",), ("build:3", "build:3:", "build:x:0")),
        ("stock", ("stock",), ("stocks", "stoc")),
    ],
)
def test_a_pattern_fits_numbers_and_further_parts_and_nothing_else(pattern: str, fitting: tuple[str, ...], others: tuple[str, ...]):
    hint = Hint(pattern, "middle", "row")
    assert [zone for zone in (*fitting, *others) if hint.fits(zone)] == list(fitting)


@each("said", [{"lay": [["stock", "sky", "pile"]]}, {"lay": [["stock", "middle"]]}, {"deck": "tarot"}, {"lie": []}])
def test_what_is_no_hint_is_not_taken_for_one(said: dict[str, object]):
    with pytest.raises(msgspec.ValidationError):
        msgspec.convert(said, Layout)
