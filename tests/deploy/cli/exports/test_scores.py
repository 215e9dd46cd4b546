"""Command `kiebitz export scores`, on the local store and through a server."""

import io
import sys
from pathlib import Path
from typing import Any

import openpyxl
import polars
import pytest
from click.testing import CliRunner, Result

from deploy.cli.main import main
from tests.deploy.serving import served

CASES = Path(__file__).parents[3] / "cases" / "casino"
GAMES = (CASES / "game-two-players-classic.json", CASES / "game-royal-counting-order.json")


def kiebitz(*arguments: object) -> Result:
    return CliRunner().invoke(main, [str(argument) for argument in arguments])


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("store") / "data"
    assert kiebitz("import", *GAMES, "--data", folder).exit_code == 0
    return folder


def table(file: Path) -> polars.DataFrame:
    read: dict[str, Any] = {".csv": polars.read_csv, ".ndjson": polars.read_ndjson, ".parquet": polars.read_parquet}
    found: polars.DataFrame = read[file.suffix](file)
    return found


@pytest.mark.parametrize("form", ["csv", "ndjson", "parquet"])
def test_the_lines_of_a_store_are_written_in_the_form_that_the_file_is_named_for(data: Path, tmp_path: Path, form: str):
    out = tmp_path / f"scores.{form}"
    result = kiebitz("export", "scores", "--out", out, "--data", data)
    assert (result.exit_code, result.stderr.startswith("Score lines as of sequence ")) == (0, True), result.output
    assert table(out)["game"].n_unique() == 2
    assert [path.name for path in tmp_path.iterdir()] == [out.name]


def test_a_spreadsheet_is_written_through_output_too(data: Path, tmp_path: Path):
    out = tmp_path / "scores.xlsx"
    assert kiebitz("export", "scores", "--output", out, "--data", data).exit_code == 0
    assert openpyxl.load_workbook(out).sheetnames == ["scores 1"]


def test_without_a_file_csv_goes_to_standard_output(data: Path):
    result = kiebitz("export", "scores", "--data", data)
    assert polars.read_csv(result.stdout_bytes).columns[:2] == ["game", "ruleset"]


FILTERED = [
    (("--ruleset", "casino"), 2),
    (("--ruleset", "canasta"), 0),
    (("--tournament", "none"), 0),
    (("--player", "nobody"), 0),
    (("--club", "none"), 0),
    (("--from", "2020-01-01"), 2),
    (("--to", "2020-01-01T00:00:00+01:00"), 0),
    (("--changed-since", "0"), 2),
    (("--as-of", "0"), 0),
]


@pytest.mark.parametrize(("filters", "games"), FILTERED)
def test_filters(data: Path, filters: tuple[str, ...], games: int):
    result = kiebitz("export", "scores", "--format", "ndjson", *filters, "--data", data)
    assert result.exit_code == 0, result.output
    found = polars.read_ndjson(io.BytesIO(result.stdout_bytes))["game"].n_unique() if result.stdout_bytes else 0
    assert found == games


def test_through_a_server_the_same_lines_come(data: Path, tmp_path: Path):
    with served("--data", tmp_path / "served") as server:
        through = ("--url", server.url, "--token", server.token)
        assert kiebitz("import", *GAMES, *through).exit_code == 0
        for form in ("csv", "parquet"):
            out = tmp_path / f"scores.{form}"
            assert kiebitz("export", "scores", "--names", "--from", "2020-01-01", "--out", out, *through).exit_code == 0
            assert table(out)["points"].sum() == polars.read_csv(kiebitz("export", "scores", "--data", data).stdout_bytes)["points"].sum()
        refused = kiebitz("export", "scores", "--as-of", 10**9, "--out", tmp_path / "never.csv", *through)
        assert (refused.exit_code, "is not recorded yet" in refused.stderr, (tmp_path / "never.csv").exists()) == (1, True, False)


def test_games_are_exported_as_before_and_by_name(data: Path):
    old, new = kiebitz("export", "--all", "--data", data), kiebitz("export", "games", "--all", "--data", data)
    assert (old.exit_code, old.stdout) == (0, new.stdout)
    assert len(old.stdout.splitlines()) == 2
    assert kiebitz("export").exit_code == 2
    assert "scores" in kiebitz("export", "--help").output


WRONG = [
    (("--from", "yesterday"), 2, "is not a time"),
    (("--changed-since", "-1"), 2, "changed-since"),
    (("--format", "pdf"), 2, "pdf"),
    (("--out", "scores.json"), 2, "say --format ndjson, csv, xlsx or parquet"),
    (("--as-of", str(10**9)), 1, "Sequence 1000000000 is not recorded yet"),
]


@pytest.mark.parametrize(("given", "code", "words"), WRONG)
def test_what_cannot_be_meant_is_refused_in_a_sentence(data: Path, given: tuple[str, ...], code: int, words: str):
    result = kiebitz("export", "scores", *given, "--data", data)
    assert (result.exit_code, words in result.stderr, "Traceback" in result.output) == (code, True, False)


def test_what_is_not_installed_is_named(data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setitem(sys.modules, "arro3.io", None)
    result = kiebitz("export", "scores", "--out", tmp_path / "scores.parquet", "--data", data)
    assert (result.exit_code, "pip install 'kiebitz[parquet]'" in result.stderr) == (1, True)
    assert list(tmp_path.iterdir()) == []
