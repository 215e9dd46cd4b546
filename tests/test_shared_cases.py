"""Equality of the worked cases here with those in the folder shared with other programs, if it exists beside the project.

Cases that are only ours are files whose names begin with ``own-``.
"""

import os
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
OURS = ROOT / "tests" / "cases"
OWN = "own-*.json"
SHARED = Path(os.environ.get("KIEBITZ_SHARED", ROOT.parent / "shared")) / "rules" / "cases"


@pytest.mark.skipif(not SHARED.is_dir(), reason="no shared folder of cases (KIEBITZ_SHARED)")
@pytest.mark.parametrize("game", sorted(folder.name for folder in OURS.iterdir() if folder.is_dir()))
def test_the_cases_are_those_of_the_shared_folder(game: str):
    ours, shared = ({file.name: file.read_bytes() for file in (folder / game).glob("*.json")} for folder in (OURS, SHARED))
    own = {file.name for file in (OURS / game).glob(OWN)}
    assert sorted(name for name in (ours | shared).keys() - own if ours.get(name) != shared.get(name)) == []
    assert own & shared.keys() == set()
