"""Tables to take home: each list in every form, with the same in it; columns described once; names told to those who may see them."""

import csv
import io
import json
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import msgspec
import openpyxl
import polars
import pytest

from api.common.tables.columns import Column, Table, table_schema
from api.common.tables.files import FormName, encode_json_lines, objects_of, pieces
from api.common.tables.files import json as json_list
from api.rulings.responses import RulingPoints
from api.schemas import TABLES
from api.standings.tables import standings_table
from tests.api.conftest import Caller, Service
from tests.api.scores.test_scores import a_tournament

AT = datetime(2026, 11, 21, 19, 0, 0, 250_000, tzinfo=UTC)
FORMS: tuple[FormName, ...] = ("ndjson", "csv", "xlsx", "parquet")

EVERY = Table(
    "all",
    "kiebitz-all/1",
    "one of each",
    (
        Column("text", "string", "text"),
        Column("whole", "integer", "a number", required=True),
        Column("part", "number", "a number"),
        Column("so", "boolean", "yes or no", required=True),
        Column("when", "datetime", "a moment"),
        Column("names", "strings", "some texts"),
        Column("points", "integers", "some numbers"),
        Column("given", "objects", "some objects", fields=("party", "points")),
    ),
    ("whole",),
)
GIVEN = [RulingPoints(party=0, points=-3), RulingPoints(party=1, points=2)]
ROWS: list[list[Any]] = [
    ["=1+1", 1, 1.5, True, AT, ["a", None], [21, 14], GIVEN],
    [None, 2, None, False, None, None, None, None],
    ['a "b", c', 3, 2, True, AT, [], [], []],
]


def made(form: FormName, table: Table = EVERY, *steps: list[Any]) -> bytes:
    given = steps or (ROWS[:2], [], ROWS[2:])
    match form:
        case "json":
            return b"".join(json_list(objects_of(table.columns, given)))
        case "ndjson":
            return b"".join(encode_json_lines(objects_of(table.columns, given)))
        case _:
            return b"".join(pieces(table, form, AT, given))


READ: dict[str, Callable[[bytes], list[dict[str, Any]]]] = {
    "ndjson": lambda body: [json.loads(line) for line in body.splitlines()],
    "csv": lambda body: list(csv.DictReader(io.StringIO(body.decode(), newline=""))),
    "xlsx": lambda body: _of_sheet(body),
    "parquet": lambda body: polars.read_parquet(io.BytesIO(body)).to_dicts(),
}


def _of_sheet(body: bytes) -> list[dict[str, Any]]:
    sheet: Any = openpyxl.load_workbook(io.BytesIO(body)).worksheets[0]
    head, *rows = sheet.iter_rows(values_only=True)
    return [dict(zip(map(str, head), row, strict=True)) for row in rows]


def plain(value: Any) -> str:
    """As every form tells it: moments without their zone, to the second; empty is empty."""
    match value:
        case None:
            return ""
        case bool():
            return str(value).lower()
        case float() if value.is_integer():
            return str(int(value))
        case datetime():
            # Sheets round to milliseconds, perhaps into the next second.
            return (value + timedelta(microseconds=500)).strftime("%Y-%m-%dT%H:%M:%S")
        case list() if value and not isinstance(value[0], str | int | None):
            return json.dumps([msgspec.to_builtins(one) for one in value], separators=(",", ":"))
        case list():
            return ",".join(map(plain, value))
    text = str(value)
    return plain(datetime.fromisoformat(text)) if len(text) > 19 and text[10:11] == "T" and text.endswith("Z") else text


def told(form: str, body: bytes) -> list[dict[str, str]]:
    return [{name: plain(cell) for name, cell in row.items()} for row in READ[form](body)]


@pytest.mark.parametrize("form", FORMS)
def test_every_form_holds_every_cell_with_its_type(form: FormName):
    expected = [{column.name: plain(cell) for column, cell in zip(EVERY.columns, row, strict=True)} for row in ROWS]
    if form == "csv":
        expected[0]["text"] = "'=1+1"  # no program takes it for a formula
    assert told(form, made(form)) == expected


def test_parquet_has_the_types_of_the_columns_and_names_their_version():
    read = polars.read_parquet(io.BytesIO(made("parquet")))
    assert read.dtypes == [
        polars.String,
        polars.Int64,
        polars.Float64,
        polars.Boolean,
        polars.Datetime("us", "UTC"),
        polars.List(polars.String),
        polars.List(polars.Int64),
        polars.List(polars.Struct({"party": polars.Int64, "points": polars.Int64})),
    ]
    assert polars.read_parquet_metadata(io.BytesIO(made("parquet")))["kiebitz.schema"] == "kiebitz-all/1"


def test_json_as_a_whole_is_one_list():
    assert [row["whole"] for row in json.loads(made("json"))] == [1, 2, 3]
    assert json.loads(made("json", EVERY, [])) == []


def test_csv_for_german_spreadsheets_has_semicolons_decimal_commas_and_a_byte_order_mark():
    body = b"".join(pieces(EVERY, "csv", AT, [[*ROWS, ["2.5;=1+1", 4, -0.5, False, None, ["a", "b"], [1, -2], []]]], "excel-de"))
    given = '[{""party"":0,""points"":-3},{""party"":1,""points"":2}]'
    assert body.decode("utf-8-sig").splitlines() == [
        "text;whole;part;so;when;names;points;given",
        f"""'=1+1;1;1,5;true;{AT.isoformat().replace("+00:00", "Z")};"a,";"21,14";"{given}\"""",
        ";2;;false;;;;",
        f"""\"a \""b\"", c\";3;2;true;{AT.isoformat().replace("+00:00", "Z")};;;""",
        '"2.5;\'=1+1";4;-0,5;false;;"a,b";"1,-2";',
    ]
    assert body.startswith("\ufeff".encode())


def test_an_empty_table_has_its_heading():
    assert made("csv", EVERY, []) == b"text,whole,part,so,when,names,points,given\r\n"
    assert polars.read_parquet(io.BytesIO(made("parquet", EVERY, []))).columns == [column.name for column in EVERY.columns]


def test_a_linter_finds_nothing_wrong_with_csv_by_the_schema(tmp_path: Path):
    import frictionless  # takes a third of a second, which every test process would spend

    file = tmp_path / "all.csv"
    file.write_bytes(made("csv"))
    schema = frictionless.Schema.from_descriptor(table_schema(EVERY))
    assert frictionless.Resource(path=file.name, basepath=str(tmp_path), schema=schema).validate().flatten(["type", "note"]) == []


@pytest.mark.parametrize("name", TABLES)
def test_everybody_reads_what_the_columns_of_a_table_are(nobody: Caller, name: str):
    schema = nobody.get(f"/v1/schemas/{name}").json()
    assert (schema["version"], schema["title"]) == (TABLES[name].schema, TABLES[name].title)
    assert [field["name"] for field in schema["fields"]] == [column.name for column in TABLES[name].columns]
    assert len({column.name for column in TABLES[name].columns}) == len(TABLES[name].columns)


# Over HTTP


@pytest.fixture(scope="module")
def season(service: Service) -> str:
    """A tournament with a game at table 1 and an entered result at table 2; somebody has a name, an alias and a club."""
    director = service.caller("director")
    director.post("/v1/players", {"id": "season-p3", "name": "=Anna Müller", "alias": "Falke", "club": "lehrte"})
    a_tournament(service, "season", games=1)
    assert director.put("/v1/tournaments/season/rounds/1/tables/2/result", {"points": [21, 3]}).status_code == 201
    (game,) = director.get("/v1/games?tournament=season").json()["items"]
    raised = {"position": 4, "seat": 1, "claim": "Anna held =KC."}
    assert director.post(f"/v1/games/{game['id']}/disputes", raised).status_code == 201
    return "season"


LISTS = {
    "games": "/v1/games?tournament=season",
    "players": "/v1/players?club=lehrte",
    "tournaments": "/v1/tournaments?ruleset=casino",
    "results": "/v1/results?tournament=season",
    "standings": "/v1/tournaments/season/standings",
    "disputes": "/v1/disputes?tournament=season",
    "hands": "/v1/tables/hands?tournament=season",
    "moves": "/v1/tables/moves?tournament=season&lines=true",
}


@pytest.mark.parametrize("name", LISTS)
def test_a_list_is_the_same_table_in_every_form_and_in_ndjson_the_objects_of_its_pages(service: Service, season: str, name: str):
    recorder = service.caller("recorder")
    tables = {}
    for form in FORMS:
        path = LISTS[name]
        answer = recorder.get(f"{path}{'&' if '?' in path else '?'}format={form}")
        assert answer.status_code == 200, answer.text
        if (form, name) != ("csv", "standings"):
            assert answer.links["describedby"]["url"] == f"/v1/schemas/{name}"
        tables[form] = told(form, answer.content)
        if form == "ndjson" and name != "standings":
            assert READ[form](answer.content) == recorder.get(path).json()["items"]
    assert tables["csv"]
    for row in tables["csv"]:
        for column, cell in row.items():
            row[column] = cell.removeprefix("'")
    assert tables["csv"] == tables["xlsx"] == tables["parquet"]
    known = {column.name for column in (standings_table(()) if name == "standings" else TABLES[name]).columns}
    assert set(tables["csv"][0]) <= known


def test_the_form_follows_accept_and_without_one_that_fits_the_list_is_json_as_ever(service: Service, season: str):
    recorder = service.caller("recorder")
    assert recorder.get(LISTS["games"], headers={"Accept": "text/csv"}).headers["content-type"].startswith("text/csv")
    for accept in ("*/*", "application/json", "text/plain"):
        assert recorder.get(LISTS["games"], headers={"Accept": accept}).headers["content-type"] == "application/json"


@pytest.mark.parametrize("path", [*LISTS.values(), "/v1/scores?tournament=season", "/v1/players/season-p1/scores"])
def test_every_csv_is_there_for_german_spreadsheets(service: Service, season: str, path: str):
    recorder, query = service.caller("recorder"), "&format=csv" if "?" in path else "?format=csv"
    plain, german = (recorder.get(f"{path}{query}{more}").content for more in ("", "&dialect=excel-de"))
    assert german.startswith("\ufeff".encode())
    rows = list(csv.reader(io.StringIO(german.decode("utf-8-sig"), newline=""), delimiter=";"))
    assert rows == list(csv.reader(io.StringIO(plain.decode(), newline="")))  # these have whole numbers only


def test_results_have_a_row_for_each_player_with_partners_and_opponents(service: Service, season: str):
    told = service.caller("viewer").get(LISTS["results"]).json()["items"]
    assert [(one["table"], one["player"], one["points"], one["place"], one["opponents"], one["how"], one["hands"]) for one in told] == [
        ("2", "season-p3", 21, 1, ["season-p4"], "entered", 0),
        ("2", "season-p4", 3, 2, ["season-p3"], "entered", 0),
        ("1", "season-p1", 8, 2, ["season-p2"], "recorded", 3),
        ("1", "season-p2", 25, 1, ["season-p1"], "recorded", 3),
    ]
    assert {(one["round"], one["ruleset"], one["finished"], tuple(one["partners"])) for one in told} == {(1, "casino", True, ())}
    assert [one["game"] is None for one in told] == [True, True, False, False]


def test_results_come_page_by_page_and_by_filter(service: Service, season: str):
    viewer = service.caller("viewer")
    first = viewer.get(f"{LISTS['results']}&limit=1")
    second = viewer.get(first.links["next"]["url"])
    assert [[one["table"] for one in answer.json()["items"]] for answer in (first, second)] == [["2", "2"], ["1", "1"]]
    assert second.json()["next"] is None
    one = viewer.get("/v1/results?player=season-p2").json()["items"]
    assert [(row["player"], row["opponents"]) for row in one] == [("season-p2", ["season-p1"])]
    assert viewer.get("/v1/results?tournament=season&from=2099-01-01T00:00:00Z").json()["items"] == []


@pytest.mark.parametrize(("role", "shown"), [("recorder", "=Anna Müller"), ("viewer", "Falke")])
def test_names_in_tables_are_those_that_the_caller_may_see(service: Service, season: str, role: str, shown: str):
    caller = service.caller(role)
    (player,) = told("ndjson", caller.get("/v1/players?club=lehrte&format=ndjson").content)
    assert (player["id"], player["shown"], player.get("name")) == ("season-p3", shown, shown if role == "recorder" else None)
    rows = told("ndjson", caller.get("/v1/results?player=season-p3&names=true&format=ndjson").content)
    assert [row["player_name"] for row in rows] == [shown]
    assert caller.get("/v1/results?player=season-p3&names=true").json()["items"][0]["player_name"] == shown
    assert "player_name" not in caller.get("/v1/results?player=season-p3").json()["items"][0]
    standings = told("ndjson", caller.get("/v1/tournaments/season/standings?format=ndjson").content)
    assert shown in {row["players"] for row in standings}
    if role == "viewer":
        for path in (*LISTS.values(), "/v1/results?names=true"):
            for form in FORMS[:2]:
                answer = caller.get(f"{path}{'&' if '?' in path else '?'}format={form}")
                assert "Anna" not in answer.text


def test_a_search_is_a_table_too_and_what_cannot_be_searched_for_is_refused_before_it_begins(service: Service, season: str):
    recorder = service.caller("recorder")
    assert [row["player"] for row in told("csv", recorder.get("/v1/players?search=anna&format=csv").content)] == ["season-p3"]
    refused = recorder.get("/v1/players?search=-&format=csv")
    assert (refused.status_code, refused.json()["where"]) == (400, "search")


def test_a_whole_table_has_no_pages(service: Service, season: str):
    recorder = service.caller("recorder")
    cursor = recorder.get(f"{LISTS['results']}&limit=1").json()["next"]
    refused = recorder.get(f"{LISTS['results']}&format=csv&cursor={cursor}")
    assert (refused.status_code, refused.json()["code"], refused.json()["where"]) == (400, "bad_parameter", "cursor")


def test_results_and_lists_on_a_database_server(postgres_service: Service):
    a_tournament(postgres_service, "either", games=2)
    director = postgres_service.caller("director")
    assert director.post("/v1/tournaments/either/rounds/1/tables/2/forfeit", {"absent": [4]}).status_code == 201
    rows = told("csv", director.get("/v1/results?tournament=either&from=2020-01-01T00:00:00Z&round=1&format=csv").content)
    assert [(row["table"], row["player"], row["points"], row["how"]) for row in rows] == [
        ("2", "either-p3", "21", "forfeited"),
        ("2", "either-p4", "0", "forfeited"),
        ("1", "either-p1", "8", "recorded"),
        ("1", "either-p2", "25", "recorded"),
    ]
    for path in ("/v1/games", "/v1/players", "/v1/tournaments"):
        assert director.get(f"{path}?format=ndjson").status_code == 200
