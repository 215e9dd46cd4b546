"""Every golden playthrough goes as it once went. To write down a new game or a change that was meant: ``tests/golden/playthroughs.py``."""

import pytest

from tests.golden.playthroughs import ALL, FOLDER, Golden, hashed, steps, stored, written


@pytest.mark.parametrize("golden", ALL, ids=lambda golden: golden.file.stem)
def test_a_playthrough_of_its_set_up_goes_as_it_once_went_and_would_be_written_so_again(golden: Golden):
    once = stored(golden)
    assert (once["ruleset"], once["options"], once["seats"]) == (golden.key, golden.set_up.options, golden.set_up.seats)
    now = hashed(once)
    parted = [(before, after) for before, after in zip(steps(once), steps(now), strict=True) if before != after]
    assert parted[:1] == []
    assert now == once
    assert golden.file.read_text(encoding="utf-8") == written(once)


def test_every_file_belongs_to_a_set_up():
    set_ups = {golden.file for golden in ALL}
    assert [f"{file}: its set-up is gone, so remove it" for file in sorted(FOLDER.glob("*/*.json")) if file not in set_ups] == []
