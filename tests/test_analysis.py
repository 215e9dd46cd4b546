"""The notebook of docs/analysis.ipynb answers its questions about a season of games."""

import json
import sys
from pathlib import Path
from typing import Any

import polars
import pytest
from click.testing import CliRunner

from deploy.cli.main import main
from deploy.compose import open_services
from deploy.config.settings import Settings
from tests.benchmarks.season import fill

NOTEBOOK = Path("docs/analysis.ipynb")


def test_each_question_has_an_answer(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    with open_services(Settings(data=tmp_path), alone=True) as services:
        games = len(list(fill(services.journal.store, 60)))
    for table in ("hands", "moves", "results", "disputes", "rulings", "standings"):
        done = CliRunner().invoke(main, ["export", "table", table, "--data", str(tmp_path), "--out", str(tmp_path / f"{table}.parquet")])
        assert done.exit_code == 0, done.output
    cells = json.loads(NOTEBOOK.read_text(encoding="utf-8"))["cells"]
    setup, *questions = ["".join(cell["source"]) for cell in cells if cell["cell_type"] == "code"]
    monkeypatch.chdir(tmp_path)
    known: dict[str, Any] = {}
    monkeypatch.setitem(sys.modules, "duckdb", None)  # polars alone has to do
    exec(setup, known)
    answers: list[polars.DataFrame] = [eval(question, known) for question in questions]
    assert len(answers) == 12
    assert [number for number, answer in enumerate(answers, 1) if not len(answer)] == [9, 12]  # here nobody has a partner or was entered
    seats, dealers, ends = answers[:3]
    assert 0 < ends["hands"].sum() <= games
    assert {"ruleset", "seat", "games", "wins"} == set(seats.columns)
    assert dealers["games"].sum() <= games
