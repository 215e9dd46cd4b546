"""What views were once told is what they are told today, as long as the edition is the same."""

from pathlib import Path

import pytest

from domain.games import RULESETS
from replay.proof.making import EDITION
from tests.golden.told import FOLDER, KINDS, VIEWS, files_of, stored, told


@pytest.mark.parametrize("ruleset", RULESETS)
def test_views_are_told_what_they_were_told(ruleset: str):
    """Where this fails, what views are told has changed: raise EDITION, keep the older way, and run python -m tests.golden."""
    for file in files_of(ruleset):
        history, before = stored(file)
        assert list(told(history)) == before


@pytest.mark.parametrize("ruleset", RULESETS)
def test_every_kind_of_event_is_among_them(ruleset: str):
    found = [stored(file) for file in files_of(ruleset)]
    assert {type(recorded.event) for history, _ in found for recorded in history} == KINDS
    assert {tuple(views) for _, before in found for views in before} == {VIEWS}


def test_there_are_files_of_every_edition_up_to_this_one():
    assert sorted(int(folder.name) for folder in FOLDER.iterdir()) == list(range(1, EDITION + 1))


def test_something_is_kept_back_in_each():
    """Otherwise it would hold nothing."""

    def hides(file: Path) -> bool:
        history, before = stored(file)
        return any(
            '"?"' in views["public"] and '"?"' not in recorded.state.decode() for recorded, views in zip(history, before, strict=True)
        )

    assert [ruleset for ruleset in RULESETS if not all(map(hides, files_of(ruleset)))] == []
