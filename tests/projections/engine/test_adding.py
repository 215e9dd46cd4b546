"""The worked example of ``docs/adding-a-projection.md``, run as it stands there."""

import sys
from pathlib import Path
from types import ModuleType

import pytest

from projections.engine.store import Projection, Store
from tests.adding import PYTEST, blocks, built, run
from tests.projections.helpers import projected
from tests.projections.histories import History, Log, a_whole_game, opened

PAGE = "adding-a-projection.md"


@pytest.fixture
def example(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    _, code = blocks(PAGE)["projections/models/games_a_day.py"]
    module = ModuleType("projections.models.games_a_day")
    monkeypatch.setitem(sys.modules, module.__name__, module)
    exec(compile(code, PAGE, "exec"), module.__dict__)
    return module


def test_the_example_counts_games_and_can_be_rebuilt(store: Store, example: ModuleType):
    projection: Projection = example.GAMES_A_DAY
    log = Log([event for number in (1, 2, 3) for event in a_whole_game(number).events])
    made = projected(store, log, projection, batch=4)
    log.append(*History(4, opened(ruleset="canasta")).events)
    made.catch_up()
    expected = (example.Day("2026-11-21", "canasta", 1), example.Day("2026-11-21", "casino", 3))
    assert example.days(store) == expected
    assert [verdict.same for verdict in made.verify()] == [True]
    assert made.rebuild() == log.head()
    assert example.days(store) == expected


def test_the_route_of_the_example_answers_in_a_house_to_which_both_were_added(tmp_path: Path):
    house = built(tmp_path, PAGE)
    asked = ("tests/api/games/test_days.py", "tests/api/http/test_closed_lists.py", "tests/projections/models/test_closed_list.py")
    tested = run(house, *PYTEST, *asked)
    assert tested.returncode == 0, tested.stdout
    assert run(house, "-m", "ruff", "check", "api/games/days.py", "projections", "tests/api/games").returncode == 0
