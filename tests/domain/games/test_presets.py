"""Presets of every ruleset: complete sets of options by name (COM-45)."""

from typing import Any

import msgspec
import pytest

from domain.errors import Refused
from domain.games import EDITIONS, RULESETS
from domain.opening import opening
from domain.rules import About
from domain.setup import NAMES, Preset
from domain.texts import LANGUAGES
from replay.sample_games import find_minimum_seats
from tests.each import each

PUBLISHED = [(key, preset) for key, ruleset in RULESETS.items() for preset in ruleset.about().presets]
IDS = [f"{key}-{preset.name}-{'-'.join(map(str, preset.when.values()))}" for key, preset in PUBLISHED]

SOURCE: dict[str, dict[str, Any]] = {
    "alcasan": {"extra_lay_right": "may"},
    "canasta": {"target_check": "immediate", "first_upcard": "left"},
    "cascades": {},
    "casino": {},
    "quartett-classic": {},
    "quartett-trumpf": {"tuck": "free"},
}
"""Where the word of the source differs from the default, without variants; a game without a line has no differences."""


def settled(key: str, options: Any) -> dict[str, Any]:
    ruleset = RULESETS[key]
    return opening(ruleset, options, find_minimum_seats(ruleset, {})).setup.options


def refusal(key: str, options: Any) -> tuple[str, tuple[str, ...], object]:
    with pytest.raises(Refused) as refused:
        settled(key, options)
    return refused.value.code, refused.value.rules[:1], refused.value.detail["option"]


def test_every_ruleset_has_both_presets():
    assert {key for key, _ in PUBLISHED} == set(RULESETS)
    for key in RULESETS:
        assert {preset.name for one, preset in PUBLISHED if one == key} == set(NAMES)


@each(("key", "preset"), PUBLISHED, ids=IDS)
def test_a_preset_is_a_complete_and_valid_set_of_options(key: str, preset: Preset):
    found = settled(key, preset.options)
    decks = {"deck_def"}  # the id of a deck stands for its definition
    assert list(preset.options) == list(found)
    assert {name: value for name, value in preset.options.items() if name not in decks} == {
        name: value for name, value in found.items() if name not in decks
    }


@each(("key", "preset"), PUBLISHED, ids=IDS)
def test_a_preset_is_taken_by_its_name_and_the_name_is_gone(key: str, preset: Preset):
    assert settled(key, {"preset": preset.name, **preset.when}) == settled(key, preset.options)


@each(("key", "preset"), PUBLISHED, ids=IDS)
def test_the_usual_preset_holds_the_defaults(key: str, preset: Preset):
    assert preset.name != "usual" or settled(key, preset.when) == settled(key, preset.options)


@pytest.mark.parametrize("key", RULESETS)
def test_the_preset_of_the_source_sets_what_its_word_says(key: str):
    assert settled(key, {"preset": "source"}) == {**settled(key, {}), **SOURCE.get(key, {})}


def test_royal_casino_of_the_source_counts_sweeps_but_for_the_very_last_card():
    royal = {"variant": "royal"}
    assert settled("casino", {"preset": "source", **royal}) == {**settled("casino", royal), "sweeps": True, "last_sweep": "not"}


def test_what_is_given_beside_a_preset_comes_on_top():
    given = settled("canasta", {"preset": "source", "first_upcard": "covered", "hand_count": 2})
    assert given == {**settled("canasta", {}), "target_check": "immediate", "hand_count": 2}


def test_the_options_that_result_are_checked_together():  # COM-12
    assert refusal("canasta", {"preset": "source", "target_score": 100, "start_totals": [100, 0]}) == (
        "bad_option",
        ("COM-12",),
        "start_totals",
    )


@each("name", ["", "Source", "house", None, 1, True, ["source"], {"name": "source"}])
def test_nothing_but_a_known_name_is_a_preset(name: object):
    assert refusal("canasta", {"preset": name}) == ("bad_option", ("COM-45",), "preset")


@each("variant", [None, 1, "poker", ["royal"]])
def test_a_wrong_option_on_which_a_preset_depends_is_refused_itself(variant: object):
    assert refusal("casino", {"preset": "source", "variant": variant}) == ("bad_option", ("COM-10",), "variant")


def test_an_unknown_option_beside_a_preset_is_refused():
    assert refusal("casino", {"preset": "source", "colour": "red"}) == ("bad_option", ("COM-10",), "colour")


@each("edition", sorted(EDITIONS), ids=str)
def test_an_older_edition_has_no_options_in_its_presets_that_it_does_not_know(edition: tuple[str, int]):
    about = EDITIONS[edition].about()
    known = set(about.options["$defs"][about.options["$ref"].rpartition("/")[2]]["properties"])
    assert about.presets
    assert all(set(preset.options) == known for preset in about.presets)


def differing(about: About) -> set[str]:
    usual, source = ([one.options for one in about.presets if one.name == name] for name in NAMES)
    return {name for one, other in zip(usual, source, strict=True) for name in one if one[name] != other[name]}


@each("language", LANGUAGES)
@pytest.mark.parametrize("key", RULESETS)
def test_every_option_that_the_source_sets_has_its_word(key: str, language: str):
    about = RULESETS[key].about(language)
    assert differing(about) <= {name.removeprefix("source.") for name in about.words[language]}


def test_presets_are_published_as_json():
    (first, *_) = msgspec.to_builtins(RULESETS["casino"].about().presets)
    assert (first["name"], first["when"]) == ("usual", {"variant": "classic"})
    assert first["options"]["count_out"] == "total"


@each(("key", "preset"), PUBLISHED)
def test_an_option_that_may_be_null_is_null_by_default_so_that_null_means_left_out(key: str, preset: Preset):
    fields = RULESETS[key].about().options["$defs"]["Options"]["properties"]
    nullable = {name: one for name, one in fields.items() if {"type": "null"} in one.get("anyOf", ())}
    assert {preset.options[name] for name in nullable} | {one["default"] for one in nullable.values()} <= {None}
