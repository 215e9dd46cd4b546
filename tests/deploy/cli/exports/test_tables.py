"""Command `kiebitz export table`: the same rows from the local store and through a server, in every format."""

import csv
import io
import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import openpyxl
import polars
import pytest
from click.testing import CliRunner, Result

from deploy.cli.main import main
from tests.deploy.serving import Served, served
from tests.evening.book import split_method

HOURS = "2025-12-24T20:00:00.000000Z"


def kiebitz(*arguments: object) -> Result:
    return CliRunner().invoke(main, [str(argument) for argument in arguments])


@pytest.fixture(scope="module")
def night(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Served, Path]]:
    """A server, and its folder: a tournament with a round of which one result was entered, and a game with a dispute."""
    data = tmp_path_factory.mktemp("store") / "data"
    with served("--data", data) as server, server.client() as http:

        def post(path: str, body: dict[str, Any]) -> Any:
            method, path = split_method(path)
            answer = http.request(method, path, json=body)
            assert answer.is_success, answer.text
            return answer.json()

        post("/v1/tournaments", {"id": "night", "title": "Night", "ruleset": "casino", "seats": 2, "format": "manual"})
        post("/v1/players", {"id": "N-1", "name": "=Anna", "alias": "Falke", "club": "lehrte"})
        post("/v1/tournaments/night/entries", {"entries": [{"players": ["N-1"]}, {"players": ["N-2"]}]})
        post("/v1/tournaments/night/rounds", {"tables": [{"parties": [[1], [2]]}]})
        post("PUT /v1/tournaments/night/rounds/1/tables/1/result", {"points": [21, 12], "happened_at": HOURS})
        post("/v1/series", {"id": "cup", "title": "Cup", "points": {"by": "place", "table": [5, 3]}})
        post("/v1/series/cup/tournaments", {"tournament": "night"})
        post("/v1/ratings/lists", {"ruleset": "casino", "publication": "no"})
        game = post("/v1/games", {"ruleset": "casino", "seats": 2, "players": ["N-1", "N-2"]})["game"]
        post(f"/v1/games/{game}/hands", {"dealer": 0, "deck": ["4S", "3H"], "fill": "sorted"})
        moves = http.get(f"/v1/games/{game}/legal-moves").json()
        trail = next(move for move in moves["moves"] if move["type"] == "trail")
        post(f"/v1/games/{game}/moves", {"seat": moves["seat"], "move": trail})
        post(f"/v1/games/{game}/rulings", {"decision": "stands", "reason": "As played.", "rules": ["CNO-22"]})
        post(f"/v1/games/{game}/disputes", {"seat": 1, "claim": "Not so."})
        yield server, data


EXPECTED: dict[str, tuple[tuple[str, ...], list[dict[str, str]]]] = {
    "results": (
        ("--tournament", "night", "--names"),
        [
            {"player": "N-1", "points": "21", "place": "1", "opponents": "N-2", "how": "entered", "player_name": "=Anna"},
            {"player": "N-2", "points": "12", "place": "2", "opponents": "N-1", "how": "entered", "player_name": "Entrant 2"},
        ],
    ),
    "tournaments": (("--ruleset", "casino"), [{"tournament": "night", "title": "Night", "rounds": "1"}]),
    "standings": (
        ("--tournament", "night"),
        [{"place": "1", "players": "=Anna", "score": "2", "wins": "1"}, {"place": "2", "players": "Entrant 2", "score": "0", "wins": "0"}],
    ),
    "series": (
        ("--series", "cup", "--after", "night"),
        [{"place": "1", "name": "=Anna", "points": "5"}, {"place": "2", "name": "A player", "points": "3"}],
    ),
    "published_ratings": (
        ("--ruleset", "casino", "--number", "1"),
        [{"place": "1", "shown": "=Anna", "rating": "1638"}, {"place": "2", "player": "N-2", "rating": "1427"}],
    ),
    "ratings": (
        ("--ruleset", "casino", "--minimum-games", "1"),
        [
            {"place": "1", "player": "N-1", "shown": "=Anna", "rating": "1638", "games": "1"},
            {"place": "2", "player": "N-2", "rating": "1427"},
        ],
    ),
    "players": (("--club", "lehrte"), [{"player": "N-1", "name": "=Anna", "alias": "Falke"}]),
    "games": (("--player", "N-1"), [{"players": "N-1,N-2", "state": "open"}]),
    "hands": (("--player", "N-1"), [{"hand": "1", "dealer": "0", "moves": "1", "rewinds": "0"}]),
    "moves": (("--ruleset", "casino", "--lines"), [{"hand": "1", "seat": "1", "type": "trail"}]),
    "statistics": (("--ruleset", "casino"), []),
    "rulings": (("--ruleset", "casino"), [{"ruling": "1", "decision": "stands", "rules": "CNO-22", "reason": "As played."}]),
    "disputes": (("--undecided",), [{"number": "1", "seat": "1", "claim": "Not so.", "state": "open"}]),
}


FORMS = ("json", "ndjson", "csv", "xlsx", "parquet")
ROWS_AND_CELLS = ("json", "csv")
"""What differs between tables: the fields of JSON, and the cells of all other forms."""
ID_OF = {"players": "player", "tournaments": "tournament"}
"""Columns that are ``id`` in the objects of the JSON pages, which JSON and NDJSON have."""


def rows(form: str, body: bytes) -> list[dict[str, str]]:
    found: list[dict[str, Any]]
    match form:
        case "json":
            found = json.loads(body)
        case "ndjson":
            found = [json.loads(line) for line in body.splitlines()]
        case "csv":
            found = list(csv.DictReader(io.StringIO(body.decode(), newline="")))
        case "parquet":
            found = polars.read_parquet(io.BytesIO(body)).to_dicts()
        case _:
            sheet: Any = openpyxl.load_workbook(io.BytesIO(body)).worksheets[0]
            head, *cells = sheet.iter_rows(values_only=True)
            found = [dict(zip(head, row, strict=True)) for row in cells]
    return [{name: plain(cell).removeprefix("'") for name, cell in row.items()} for row in found]


def plain(cell: Any) -> str:
    return ",".join(map(plain, cell)) if isinstance(cell, list) else str(int(cell) if isinstance(cell, float) else cell)


@pytest.mark.parametrize(("name", "forms"), [("results", FORMS), *((name, ROWS_AND_CELLS) for name in EXPECTED if name != "results")])
def test_a_table_is_the_same_from_the_store_and_through_a_server_in_every_form(
    night: tuple[Served, Path], tmp_path: Path, name: str, forms: tuple[str, ...]
):
    server, data = night
    filters, expected = EXPECTED[name]
    for form in forms:
        for number, way in enumerate((("--data", data), ("--url", server.url, "--token", server.token))):
            out = tmp_path / f"{number}.{form}"
            done = kiebitz("export", "table", name, *filters, "--out", out, *way)
            assert (done.exit_code, done.output) == (0, ""), done.output
            told = rows(form, out.read_bytes())
            own = ID_OF.get(name) if form in ("json", "ndjson") else None
            assert [
                {column: row["id" if column == own else column] for column in wanted} for row, wanted in zip(told, expected, strict=True)
            ] == expected


FILTERED = [
    (("results", "--club", "lehrte"), [{"player": "N-1", "points": "21"}]),
    (("standings", "--tournament", "night", "--round", "1"), [{"place": "1"}, {"place": "2"}]),
    (("disputes", "--to", "2020-01-01"), []),
]


@pytest.mark.parametrize(("asked", "expected"), FILTERED)
def test_a_table_takes_every_filter_of_its_list(night: tuple[Served, Path], asked: tuple[str, ...], expected: list[dict[str, str]]):
    server, data = night
    for way in (("--data", data), ("--url", server.url, "--token", server.token)):
        told = rows("csv", kiebitz("export", "table", *asked, *way).stdout_bytes)
        assert [{name: row[name] for name in wanted} for row, wanted in zip(told, expected, strict=True)] == expected


def test_csv_for_german_spreadsheets_is_the_same_from_the_store_and_through_a_server(night: tuple[Served, Path]):
    server, data = night
    for what in (("table", "standings", "--tournament", "night"), ("scores", "--tournament", "night")):
        local, remote = (
            kiebitz("export", *what, "--dialect", "excel-de", *way).stdout_bytes
            for way in (("--data", data), ("--url", server.url, "--token", server.token))
        )
        assert local == remote
        assert local.startswith("\ufeff".encode())
        assert b";casino;" in local or b";'=Anna;" in local


WRONG = [
    (("series",), "The tables of which series?"),
    (("ratings",), "Of which game?"),
    (("published_ratings", "--ruleset", "casino"), "Which published list?"),
    (("players", "--round", "1"), "A table of players takes no --round."),
    (("results", "--out", "results.pdf"), "say --format json, ndjson, csv, xlsx or parquet"),
    (("scores",), "scores"),
]


@pytest.mark.parametrize(("given", "words"), WRONG)
def test_what_cannot_be_meant_is_refused_in_a_sentence(night: tuple[Served, Path], given: tuple[str, ...], words: str):
    result = kiebitz("export", "table", *given, "--data", night[1])
    assert (result.exit_code, words in result.stderr, "Traceback" in result.output) == (2, True, False)


def test_a_tournament_that_is_not_there_is_named(night: tuple[Served, Path]):
    result = kiebitz("export", "table", "standings", "--tournament", "none", "--data", night[1])
    assert (result.exit_code, "There is no tournament none." in result.stderr) == (1, True)


def test_what_is_not_installed_is_named(night: tuple[Served, Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setitem(sys.modules, "arro3.io", None)
    result = kiebitz("export", "table", "tournaments", "--out", tmp_path / "tournaments.parquet", "--data", night[1])
    assert (result.exit_code, "pip install 'kiebitz[parquet]'" in result.stderr, list(tmp_path.iterdir())) == (1, True, [])
