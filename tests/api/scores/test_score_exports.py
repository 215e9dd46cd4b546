"""Whole exports of score lines: what they hold, that programs read them, and that they take no memory."""

import io
import sys
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from uuid import UUID

import msgspec
import openpyxl
import polars
import pytest
from msgspec.structs import astuple

from api.common.tables.columns import table_schema, through_a_file
from api.common.tables.encoders import write_xlsx
from api.scores.formats import FileInfo, add_names, csv, maker
from api.scores.schema import COLUMNS, SCHEMA, SCORES, ScoreLine, columns, score_lines
from projections.models.score_lines.score_list import GameEntries, ScoredGame, ScoreEntry
from tests.api.conftest import Caller, Service
from tests.api.scores.test_scores import LINES, play

AT = datetime(2026, 11, 21, 19, 0, 0, 250_000, tzinfo=UTC)
MICROSECONDS = 1_795_287_600_250_000
DOCS = Path(__file__).parents[3] / "docs" / "score-histories.md"
HEADINGS = [column.name for column in COLUMNS]
FORMS: dict[str, tuple[str, Any]] = {
    "ndjson": ("application/x-ndjson", polars.read_ndjson),
    "csv": ("text/csv", polars.read_csv),
    "parquet": ("application/vnd.apache.parquet", polars.read_parquet),
}
EVIL = ("=1+1", "+1", "-1", "@SUM(A1)", "\tx", "\rx", 'say "hello", friend', "a;=1+1", "ünï ✓")


def found(*players: str, rows: int = 2, number: int = 7) -> list[GameEntries]:
    """A game with an entry for each player, struck for every other."""
    game = ScoredGame(number, str(UUID(int=number, version=4)), "casino", "=cmd()", 3, None, MICROSECONDS)
    entries = [
        ScoreEntry(9, seat, 11, 1, MICROSECONDS, MICROSECONDS, seat, player, player, None, "recorded", some_rows(rows), *status(seat))
        for seat, player in enumerate(players)
    ]
    return [GameEntries(game, tuple(entries))]


def some_rows(count: int) -> dict[str, int]:
    return {f"row_{row}": -row for row in range(count)}


def a_result(*players: str) -> list[GameEntries]:
    """Of a table, without a game."""
    table = ScoredGame(8, None, "casino", "spring", 2, "4b", None)
    entries = [
        ScoreEntry(0, seat, 12, None, MICROSECONDS, MICROSECONDS, seat, player, player, None, "entered", {"result": 21}, "counted", None)
        for seat, player in enumerate(players)
    ]
    return [GameEntries(table, tuple(entries))]


def status(seat: int) -> Any:
    return ("struck", 2) if seat % 2 else ("counted", None)


def exported(form: Any, *steps: list[GameEntries], named: bool = False) -> bytes:
    names = (lambda appearances: {one: f"{one[0]}!" for one in appearances}) if named else None
    return b"".join(maker(form, FileInfo(11, AT, named))(add_names(steps, names)))


def plain(some: list[GameEntries]) -> list[dict[str, Any]]:
    told = [msgspec.to_builtins(line, builtin_types=(datetime,)) for one in some for line in score_lines(one, None)]
    return [dict(line) for line in told]


def test_ndjson_holds_a_line_as_the_pages_do():
    some = [*found(*EVIL), *a_result("anna", "bert")]
    text = exported("ndjson", some)
    told = [msgspec.json.decode(line, type=ScoreLine) for line in text.splitlines()]
    assert told == [line for one in some for line in score_lines(one, None)]
    assert text == msgspec.json.Encoder().encode_lines(told)
    assert exported("ndjson") == b""


def test_csv_is_read_back_as_it_was_but_for_what_would_be_a_formula():
    read = polars.read_csv(exported("csv", found(*EVIL)), try_parse_dates=True, infer_schema_length=None)
    expected = plain(found(*EVIL))
    assert read.columns == HEADINGS
    assert read["points"].to_list() == [line["points"] for line in expected]
    assert set(read["opened_at"].to_list()) == {AT}
    assert read["player"].unique(maintain_order=True).to_list() == [*(f"'{evil}" for evil in EVIL[:6]), EVIL[6], "a;'=1+1", EVIL[8]]
    assert read["tournament"].unique().to_list() == ["'=cmd()"]
    assert read["club"].null_count() == read.height


def test_no_cell_of_csv_begins_like_a_formula_wherever_a_spreadsheet_splits():
    text = csv(found(*EVIL), None).decode()
    for separator in ",;\t":
        for cell in (cell for row in text.split("\r\n") for cell in row.split(separator)):
            assert not cell.startswith(("=", "+", "@")), cell


def test_numbers_of_csv_stay_numbers():
    assert csv(found("anna"), None).decode().splitlines()[1].split(",")[16:18] == ["row_1", "-1"]


@pytest.mark.parametrize("named", [False, True])
def test_a_linter_finds_nothing_wrong_with_csv_by_the_schema_that_is_published(tmp_path: Path, named: bool):
    file = tmp_path / "scores.csv"
    file.write_bytes(exported("csv", found(*EVIL), found("ünï ✓", 'a "b", c', number=8), a_result("anna", "bert"), named=named))
    import frictionless  # takes a third of a second, which every test process would spend

    schema = frictionless.Schema.from_descriptor(table_schema(SCORES))
    report = frictionless.Resource(path=file.name, basepath=str(tmp_path), schema=schema).validate()
    assert report.flatten(["type", "note"]) == []
    assert report.tasks[0].stats["rows"] == 2 * len(EVIL) + 6


def test_the_columns_are_documented_as_they_are():
    rows = [line.strip("| ").split(" | ") for line in DOCS.read_text(encoding="utf-8").splitlines() if line.startswith("| `")]
    told = [(row[0].strip("`"), *row[1:]) for row in rows if len(row) == 3 and row[1] in ("string", "integer", "datetime")]
    assert told == [(column.name, column.type, column.says) for column in columns(named=True)]
    assert f"`{SCHEMA}`" in DOCS.read_text(encoding="utf-8")


@pytest.mark.parametrize("form", FORMS)
def test_the_result_of_a_table_has_no_game_and_no_position_in_any_form(form: str):
    read = FORMS[form][1](io.BytesIO(exported(form, found("anna"), a_result("bert"))))
    row = read.filter(polars.col("how") == "entered").to_dicts()
    assert [(one["game"], one["opened_at"], one["position"], one["hand"], one["row"], one["points"]) for one in row] == [
        (None, None, None, None, "result", 21)
    ]
    (sheet,) = openpyxl.load_workbook(io.BytesIO(exported("xlsx", a_result("bert"))))
    cells = dict(zip(HEADINGS, (cell.value for cell in sheet[2]), strict=True))
    assert (cells["game"], cells["position"], cells["played_at"], cells["points"]) == (None, None, AT.replace(tzinfo=None), 21)


def test_an_empty_export_has_its_heading():
    assert exported("csv").decode() == ",".join(HEADINGS) + "\r\n"
    assert polars.read_parquet(io.BytesIO(exported("parquet"))).columns == HEADINGS


def test_a_spreadsheet_has_numbers_times_and_text_and_no_formulas():
    book = openpyxl.load_workbook(io.BytesIO(exported("xlsx", found(*EVIL))))
    head, *rows = book["scores 1"].iter_rows()
    assert [cell.value for cell in head] == HEADINGS
    assert "f" not in {cell.data_type for row in rows for cell in row}
    first = {column.name: cell.value for column, cell in zip(COLUMNS, rows[1], strict=True)}
    assert first["opened_at"] == AT.replace(tzinfo=None)
    assert (first["points"], first["tournament"], first["player"], first["ruling"]) == (-1, "=cmd()", "=1+1", None)
    assert SCHEMA in book.properties.description


def test_more_lines_than_a_sheet_can_hold_go_on_further_sheets(tmp_path: Path):
    file = tmp_path / "scores.xlsx"
    rows = [astuple(line) for one in found("a", "b", "c") for line in score_lines(one, None)]
    write_xlsx(file, "scores", COLUMNS, rows, SCHEMA, AT, lines_a_sheet=4)
    book = openpyxl.load_workbook(file)
    assert [sheet.max_row for sheet in book] == [5, 3]
    assert [row[HEADINGS.index("row")].value for sheet in book for row in sheet.iter_rows(min_row=2)] == ["row_0", "row_1"] * 3


def test_parquet_keeps_types_and_text_as_they_are_and_names_its_schema():
    file = exported("parquet", found(*EVIL), found("anna"))
    assert polars.read_parquet_metadata(io.BytesIO(file))["kiebitz.schema"] == SCHEMA
    read = polars.read_parquet(io.BytesIO(file))
    assert read.schema["opened_at"] == polars.Datetime("us", "UTC")
    assert read.to_dicts() == plain([*found(*EVIL), *found("anna")])


@pytest.mark.parametrize("form", ["ndjson", "csv", "xlsx", "parquet"])
def test_the_same_lines_are_the_same_bytes(form: str):
    assert len({exported(form, found(*EVIL), found("anna"), named=True) for _ in range(16)}) == 1


@pytest.mark.parametrize("form", ["ndjson", "csv", "xlsx", "parquet"])
def test_names_are_a_column_more(form: str):
    file = io.BytesIO(exported(form, found("anna"), named=True))
    if form == "xlsx":
        assert [cell.value for cell in next(openpyxl.load_workbook(file)["scores 1"].iter_rows(min_row=2))][-1] == "anna!"
        return
    read = FORMS[form][1](file)
    assert (read.columns[-1], read["player_name"].to_list()) == ("player_name", ["anna!"] * 2)


def test_a_form_that_goes_through_a_file_comes_whole_and_leaves_nothing_behind():
    left = []

    def write(file: Path, steps: Iterator[int]) -> None:
        left.append(file)
        file.write_bytes(bytes(steps) * 200_000)

    assert b"".join(through_a_file(write)(iter((1, 2)))) == b"\x01\x02" * 200_000
    assert not left[0].exists()


# Over HTTP


@pytest.fixture(scope="module")
def tournament(service: Service) -> str:
    for _ in range(2):
        play(service.caller("recorder"), players=["anna", "bert"], tournament="exported")
    return "exported"


@pytest.mark.parametrize("form", FORMS)
def test_a_form_is_chosen_by_its_name_or_its_media_type(viewer: Caller, tournament: str, form: str):
    media, read = FORMS[form]
    by_name = viewer.get(f"/v1/scores?tournament={tournament}&format={form}")
    by_type = viewer.get(f"/v1/scores?tournament={tournament}", headers={"Accept": media})
    assert by_name.headers["content-type"].partition(";")[0] == media
    assert by_name.headers["kiebitz-as-of"] == by_type.headers["kiebitz-as-of"]
    told = read(io.BytesIO(by_name.content))
    assert (told.height, told["points"].sum()) == (2 * LINES, 2 * 33)
    assert by_type.content == by_name.content


def test_a_whole_export_goes_on_from_a_cursor_also_from_within_a_hand(viewer: Caller, tournament: str):
    query = f"/v1/scores?tournament={tournament}"
    page = viewer.get(f"{query}&limit=13").json()
    rest = viewer.get(f"{query}&format=ndjson&cursor={page['next']}")
    whole = viewer.get(f"{query}&format=ndjson").text.splitlines()
    assert rest.text.splitlines() == whole[13:]
    assert rest.headers["kiebitz-as-of"] == str(page["as_of"])


def test_a_players_lines_come_in_every_form(viewer: Caller, tournament: str):
    answer = viewer.get("/v1/players/anna/scores?tournament=exported&format=csv")
    assert polars.read_csv(answer.content)["points"].sum() == 2 * 8


def test_head_tells_the_form_and_sends_nothing(viewer: Caller):
    answer = viewer.call("HEAD", "/v1/scores?format=xlsx")
    assert (answer.status_code, answer.content) == (200, b"")


def test_what_is_not_installed_is_named(viewer: Caller, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setitem(sys.modules, "arro3.io", None)
    answer = viewer.get("/v1/scores?format=parquet")
    assert (answer.status_code, answer.json()["code"]) == (501, "not_installed")
    assert "pip install 'kiebitz[parquet]'" in answer.json()["detail"]


def test_a_form_that_is_not_offered_is_not_sent(viewer: Caller):
    assert viewer.get("/v1/scores", headers={"Accept": "application/pdf"}).status_code == 406


def test_exports_on_a_database_server(postgres_service: Service):
    recorder = postgres_service.caller("recorder")
    play(recorder, hands=1, players=["anna", None], tournament="exported")
    for form in ("ndjson", "csv"):
        assert len(recorder.get(f"/v1/scores?tournament=exported&format={form}").text.splitlines()) == LINES // 3 + (form == "csv")
