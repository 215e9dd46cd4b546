"""Whole games of the rulebooks: what the projections say is what the folded game says."""

from pathlib import Path
from typing import Any

import msgspec

from domain.game import project
from domain.games import RULESETS
from domain.score import sheet, totals
from projections.engine.store import Store
from projections.models.game_index import game_row
from projections.models.score_sheets import score_sheet
from replay.record import events_of, parse
from tests.projections.helpers import projected
from tests.projections.histories import History, Log, interleaved

FILES = sorted((Path(__file__).parents[2] / "cases").glob("*/*.json"))
GAMES = [case for case in (msgspec.json.decode(path.read_bytes()) for path in FILES) if "error" not in case["expect"]]


def test_index_and_sheets_of_all_worked_cases(store: Store):
    histories = [History(number, *events_of(parse(case), RULESETS)) for number, case in enumerate(GAMES, 1)]
    made = projected(store, Log(interleaved(histories)))
    assert [status.error for status in made.status()] == [None, None]
    for history in histories:
        folded, row, sheeted = project(None, history.events), game_row(store, history.id), score_sheet(store, history.id)
        assert folded is not None
        assert row is not None
        assert sheeted is not None
        table = folded.table
        expected: dict[str, Any] = {"phase": table.phase, "turn": table.turn, "to_act": table.to_act, "hand": table.hand}
        assert {name: getattr(row, name) for name in expected} == expected
        assert (row.totals, row.finished) == (totals(table.setup, table.score), table.score.places is not None)
        assert sheeted.sheet == sheet(table.setup, table.score)
        assert sheeted.position == row.position == folded.position
