"""The worked example of ``docs/adding-a-projection.md``, run as it stands there."""

import re
import sys
from pathlib import Path
from types import ModuleType

import pytest

from projections.engine.projection import Projection
from projections.engine.store import Store
from tests.projections.helpers import projected
from tests.projections.histories import History, Log, a_whole_game, opened

DOCUMENT = Path(__file__).parents[3] / "docs" / "adding-a-projection.md"


@pytest.fixture
def example(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    code = re.findall(r"```python\n(.*?)```", DOCUMENT.read_text(), re.DOTALL)[0]
    module = ModuleType("projections.models.games_a_day")
    monkeypatch.setitem(sys.modules, module.__name__, module)
    exec(compile(code, DOCUMENT.name, "exec"), module.__dict__)
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
