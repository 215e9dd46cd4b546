"""Lists of names at the desk: pasted, or files as spreadsheets save them."""

import json
from pathlib import Path
from typing import Any

from api.http.lists import GERMAN
from tests.npm import NODE, started

HERE = Path(__file__).parent
SCRIPT = HERE.parents[2] / "api" / "assets" / "director" / "lists.js"
MEMBERS = HERE.parents[1] / "api" / "players" / "mitglieder.csv"


def line(number: int, *names: str, rating: int | None = None, club: str | None = None) -> dict[str, Any]:
    return {"line": number, "names": list(names), "rating": rating, "club": club}


def test_lists_are_read_by_their_columns_or_else_as_names_with_ratings(tmp_path: Path):
    utf8, utf16 = tmp_path / "utf8.csv", tmp_path / "utf16.txt"
    utf8.write_text("\ufeffsep=;\r\nWertzahl;Name;Verein\r\n1620;Änne;Köln\r\n;;\r\n;Bert;\r\n", encoding="utf-8", newline="")
    utf16.write_text("Spieler 1\tSpieler 2\tOrt\r\nAnna\tBert\tKöln\r\n", encoding="utf-16", newline="")
    files = [
        {"path": str(MEMBERS), "size": 1},
        {"path": str(utf8), "size": 1},
        {"path": str(utf16), "size": 2},
        {"text": "Anna; 1620\n\nBert\t-5\nCora;Köln\nDora;", "size": 1},
        {"text": "Anna & Bert; 1500\nCora / Dora", "size": 2},
        {"text": "Name\nAnna & Bert", "size": 2},
        {"text": "1. Anna Müller; 1620\n2) Ömer\n3\tCora\n11 Dora", "size": 1},
    ]
    (tmp_path / "given.json").write_text(json.dumps({"files": files, "german": GERMAN}), encoding="utf-8")
    said = started(NODE, "--no-warnings", HERE / "lists.mjs", SCRIPT, tmp_path / "given.json", tmp_path / "found.json")
    assert (said.returncode, said.stdout) == (0, "")
    members = [line(2, "Jürgen Groß", club="SV Köln"), line(3, "Müller; Änne", club="Skatfreunde Öhringen"), line(4, "Bert")]
    assert json.loads((tmp_path / "found.json").read_text(encoding="utf-8")) == [
        {"lines": members, "ignored": ["Telefon"]},
        {"lines": [line(3, "Änne", rating=1620, club="Köln"), line(5, "Bert")], "ignored": []},
        {"lines": [line(2, "Anna", "Bert")], "ignored": ["Ort"]},
        {
            "lines": [
                {**line(1, "Anna", rating=1620), "several": False},
                {**line(3, "Bert", rating=-5), "several": False},
                {**line(4, "Cora;Köln"), "several": True},
                {**line(5, "Dora"), "several": False},
            ],
            "ignored": [],
        },
        {
            "lines": [{**line(1, "Anna", "Bert", rating=1500), "several": False}, {**line(2, "Cora", "Dora"), "several": False}],
            "ignored": [],
        },
        {"lines": [line(2, "Anna", "Bert")], "ignored": []},
        {
            "lines": [
                {**line(number, name, rating=rating), "several": False}
                for number, name, rating in ((1, "Anna Müller", 1620), (2, "Ömer", None), (3, "Cora", None), (4, "Dora", None))
            ],
            "ignored": [],
        },
    ]
