"""The game of ``docs/adding-a-game.md``, added to a copy of the house."""

import re
from pathlib import Path
from typing import get_args

import pytest

from domain.effects import Effect, Sight
from tests.adding import KIEBITZ, PYTEST, ROOT, blocks, built, run

PAGE = "adding-a-game.md"
KEY = "highercard"


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return built(tmp_path_factory.mktemp("house"), PAGE)


def test_the_page_has_a_whole_game():
    names = ("__init__.py", "RULES.md", "RULES.de.md", "ruleset.py", "texts.en.toml", "texts.de.toml")
    assert [*blocks(PAGE)] == [
        *(f"domain/games/{KEY}/{name}" for name in names),
        "domain/games/__init__.py",
        "tests/domain/games/setups.py",
        f"tests/domain/games/{KEY}/test_{KEY}.py",
        f"tests/cases/{KEY}/card-not-held.json",
    ]


def test_the_page_says_when_to_use_each_effect_and_each_sight():
    rows = re.findall(r"^\| `(\w+|owner-top)`[^|]* \|", (ROOT / "docs" / PAGE).read_text(encoding="utf-8"), re.MULTILINE)
    assert {kind.__name__ for kind in get_args(Effect)} | {*get_args(Sight)} <= {*rows}


def test_the_game_of_the_page_is_played_and_its_tests_are_green_once_its_golden_playthroughs_are_written(house: Path):
    [command] = re.findall(r"^\.venv/bin/pytest (.*)$", (ROOT / "docs" / PAGE).read_text(encoding="utf-8"), re.MULTILINE)
    where, chosen = command.replace('"', "").split(" -k ")
    forgotten = run(house, *PYTEST, "tests/golden", "-k", "2-seats-hands-1")
    assert forgotten.returncode == 1, forgotten.stdout
    assert (
        "There is no golden playthrough highercard/2-seats-hands-1.json yet: .venv/bin/python -m tests.golden writes it."
        in forgotten.stdout
    )
    golden = run(house, "-m", "tests.golden")
    assert len([*(house / "tests" / "golden" / KEY).glob("*.json")]) == 3, golden.stderr
    tested = run(house, *PYTEST, *where.split(), "-k", chosen)
    assert tested.returncode == 0, tested.stdout
    assert run(house, "-m", "ruff", "check", f"domain/games/{KEY}", f"tests/domain/games/{KEY}").returncode == 0


def test_a_random_game_of_it_is_simulated_and_told(house: Path, tmp_path: Path):
    file = str(tmp_path / "game.json")
    assert run(house, *KIEBITZ, "simulate", KEY, "--out", file).returncode == 0
    told = run(house, *KIEBITZ, "replay", file, "--lang", "de").stdout.splitlines()
    assert "Höhere Karte" in told[0]
