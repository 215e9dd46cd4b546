"""Lists of members: CSV and NDJSON, a report for every line."""

import json
from pathlib import Path
from typing import Any

import pytest

from tests.api.conftest import Caller, Service
from tests.api.people import read, register

FILE = Path(__file__).with_name("mitglieder.csv")
"""As German Excel saves *CSV (Trennzeichen-getrennt)*: Windows-1252, semicolons, CR LF, cells with semicolons in quotes."""
CSV = {"Content-Type": "text/csv; charset=utf-8"}
NDJSON = {"Content-Type": "application/x-ndjson"}


def sent(caller: Caller, body: str | bytes, headers: dict[str, str], query: str = "") -> dict[str, Any]:
    answer = caller.call("POST", f"/v1/players{query}", content=body.encode() if isinstance(body, str) else body, headers=headers)
    assert answer.status_code == 200, answer.text
    return dict(answer.json())


def outcomes(report: dict[str, Any]) -> list[tuple[int, str | None, str | None]]:
    return [(line["line"], line["player"], line["error"] and line["error"]["code"]) for line in report["players"]]


def test_a_list_as_a_spreadsheet_saves_it_registers_its_members(new_service: Service):
    recorder = new_service.caller("recorder")
    text = '\ufeffName;Club;ID;Alias\r\n"Müller; Anna";lehrte;L1;Falke\r\n\r\n Bert ;;L2;\r\nCora;peine;;\r\n'
    report = sent(recorder, text, CSV)
    assert (report["dry_run"], report["registered"], report["refused"]) == (False, 3, 0)
    made = report["players"][2]["player"]
    assert outcomes(report) == [(2, "L1", None), (4, "L2", None), (5, made, None)]
    told = [read(recorder, id) for id in ("L1", "L2", made)]
    assert [(one["name"], one["alias"], one["club"]) for one in told] == [
        ("Müller; Anna", "Falke", "lehrte"),
        ("Bert", None, None),
        ("Cora", None, "peine"),
    ]


@pytest.mark.parametrize("encoding", ["cp1252", "utf-8", "utf-8-sig", "utf-16"])
def test_a_german_spreadsheet_is_read_and_its_other_columns_are_named(recorder: Caller, encoding: str):
    text = "Name;Verein;Telefon;;E-Mail;\r\nJürgen Groß;SV Köln;0221;;x@example;\r\nÄnne;;;;;\r\n;;;;;\r\n"
    answer = recorder.call("POST", "/v1/players?dry_run=true", content=text.encode(encoding), headers={**CSV, "Accept-Language": "de"})
    guessed = {
        "code": "read_as_windows_1252",
        "sentence": "Die Liste ist kein UTF-8 und wurde als Windows-1252 gelesen. Bitte die Umlaute prüfen.",
    }
    ignored = {"code": "columns_ignored", "sentence": "Nicht gelesene Spalten: Telefon, E-Mail."}
    report = answer.json()
    assert (report["registered"], report["refused"]) == (2, 0)
    assert report["remarks"] == [*([guessed] if encoding == "cp1252" else []), ignored]


def test_a_file_as_german_excel_saves_it_registers_its_members(new_service: Service):
    recorder = new_service.caller("recorder")
    report = sent(recorder, FILE.read_bytes(), CSV)
    assert (report["registered"], report["refused"]) == (3, 0)
    told = [read(recorder, line["player"]) for line in report["players"]]
    assert [(one["name"], one["club"]) for one in told] == [
        ("Jürgen Groß", "SV Köln"),
        ("Müller; Änne", "Skatfreunde Öhringen"),
        ("Bert", None),
    ]


def test_the_separator_may_be_named_before_the_heading(recorder: Caller):
    report = sent(recorder, "sep=;\r\nName;Verein\r\nAnna, die Ältere;lehrte\r\n", CSV, "?dry_run=true")
    assert outcomes(report) == [(3, None, None)]


@pytest.mark.parametrize("delimiter", [",", ";", "\t"])
def test_cells_are_parted_by_commas_semicolons_or_tabs(recorder: Caller, delimiter: str):
    id = f"parted-{ord(delimiter)}"
    sent(recorder, f"id{delimiter}name\n{id}{delimiter}Anna\n", CSV)
    assert read(recorder, id)["name"] == "Anna"


def test_one_bad_line_keeps_no_other_out(recorder: Caller):
    register(recorder, "here", "Anna")
    lines = [
        {"id": "n1", "name": "Anna"},
        {"id": "here", "name": "Bert"},
        {"id": "n/2", "name": "Cora"},
        {"id": "n3"},
        {"id": "n1", "name": "Dora"},
        {"id": "n6", "name": "Emil", "mail": "x"},
    ]
    unseen = '{"id":"n8","name":"Fri\\u200bda"}'
    body = "\n".join([*map(json.dumps, lines), "{", unseen, '{"id":"n9","name":"Frida"}'])
    report = sent(recorder, body, NDJSON)
    assert (report["registered"], report["refused"]) == (2, 7)
    assert outcomes(report) == [
        (1, "n1", None),
        (2, None, "player_exists"),
        (3, None, "bad_player_id"),
        (4, None, "malformed_body"),
        (5, None, "id_twice"),
        (6, None, "malformed_body"),
        (7, None, "malformed_json"),
        (8, None, "bad_name"),
        (9, "n9", None),
    ]
    assert report["players"][4]["error"] == {"code": "id_twice", "message": "Line 1 has the same id.", "where": "id"}
    assert [read(recorder, id)["name"] for id in ("n1", "here", "n9")] == ["Anna", "Anna", "Frida"]


def test_a_dry_run_says_the_same_and_registers_nobody(service: Service, recorder: Caller):
    register(recorder, "known", "Anna")
    head = service.services.journal.head()
    body = "id,name\nnew,Anna\nknown,Bert\nnew,Cora\n,Dora\na/b,Emil\n"
    report = sent(recorder, body, CSV, "?dry_run=true")
    assert (report["dry_run"], report["registered"], report["refused"]) == (True, 2, 3)
    tried = outcomes(report)
    assert tried == [(2, "new", None), (3, None, "player_exists"), (4, None, "id_twice"), (5, None, None), (6, None, "bad_player_id")]
    assert service.services.journal.head() == head
    assert recorder.get("/v1/players/new").status_code == 404
    done = outcomes(sent(recorder, body, CSV))
    assert [(line, error) for line, _, error in done] == [(line, error) for line, _, error in tried]


def test_a_list_under_a_key_that_comes_again_registers_nobody_twice(service: Service, recorder: Caller):
    body, headers = "name\nAnna\nBert\n", {**CSV, "Idempotency-Key": "members"}
    first, head = sent(recorder, body, headers), service.services.journal.head()
    assert sent(recorder, body, headers) == first
    assert service.services.journal.head() == head


def test_a_key_that_was_used_for_another_list_is_refused_but_no_new_member_is_left_without_a_name(recorder: Caller):
    headers = {**CSV, "Idempotency-Key": "other members"}
    sent(recorder, "id,name\nk1,Anna\n", headers)
    body = b"id,name\nk2,Bert\nk3,Cora\n"
    answer = recorder.call("POST", "/v1/players", content=body, headers=headers)
    assert (answer.status_code, answer.json()["code"]) == (422, "key_reused")
    assert read(recorder, "k3")["name"] == "Cora"


def test_a_long_list_is_registered_whole(recorder: Caller):
    body = "id,name\n" + "".join(f"long-{number},Name {number}\n" for number in range(250))
    assert sent(recorder, body, CSV)["registered"] == 250
    assert read(recorder, "long-249")["name"] == "Name 249"


BAD = {
    "no heading": ("Anna,lehrte\n", 422, "bad_heading"),
    "nothing": ("", 422, "bad_heading"),
    "no names": ("e-mail;Verein\nx;lehrte\n", 422, "bad_heading"),
    "a column twice": ("Verein;name;club\nlehrte;Anna;x\n", 422, "bad_heading"),
    "an open quote": ('name\n"Anna\nBert\n', 400, "malformed_csv"),
    "no encoding of a spreadsheet": (b"name\nM\x81ller\n", 400, "malformed_csv"),
}


@pytest.mark.parametrize(("body", "status", "code"), BAD.values(), ids=BAD)
def test_what_is_no_list_is_told(recorder: Caller, body: str | bytes, status: int, code: str):
    raw = body.encode() if isinstance(body, str) else body
    answer = recorder.call("POST", "/v1/players", content=raw, headers=CSV)
    assert (answer.status_code, answer.json()["code"]) == (status, code)


def test_a_cell_too_many_is_told(recorder: Caller):
    [line] = sent(recorder, "name\nAnna,lehrte\n", CSV)["players"]
    assert (line["player"], line["error"]["code"]) == (None, "malformed_body")


def test_an_empty_list_is_no_harm(recorder: Caller):
    assert sent(recorder, "name\n", CSV)["players"] == []
    assert sent(recorder, "\n", NDJSON)["players"] == []


def test_of_one_player_no_namesakes_are_skipped(recorder: Caller):
    answer = recorder.post("/v1/players?skip_namesakes=true", {"name": "Anna"})
    assert (answer.status_code, answer.json()["where"]) == (400, "skip_namesakes")


def test_other_types_are_not_read(recorder: Caller):
    answer = recorder.call("POST", "/v1/players", content=b"name\nAnna\n", headers={"Content-Type": "text/plain"})
    assert answer.status_code == 415


def doubles(report: dict[str, Any]) -> list[tuple[int, list[str], int | None, bool]]:
    return [(line["line"], line["namesakes"], line["same_as"], line["skipped"]) for line in report["players"]]


def test_namesakes_of_the_same_club_are_named_per_line_and_skipped_on_request(new_service: Service):
    recorder = new_service.caller("recorder")
    for id, club in (("a1", "lehrte"), ("a2", "lehrte"), ("a3", "peine"), ("gone", "lehrte")):
        register(recorder, id, "Anna", club=club)
    assert new_service.caller("director").post("/v1/players/gone/merger", {"into": "a1"}).status_code == 201
    text = "name;club;id\nAnna;lehrte;\nAnna;;\nAnna;;a1\nAnna;;\nBert;lehrte;\n"
    found = [(2, ["a1", "a2"], None, False), (3, [], None, False), (4, [], 3, False), (5, [], 3, False), (6, [], None, False)]
    assert doubles(sent(recorder, text, CSV, "?dry_run=true")) == found
    report = sent(recorder, text, CSV, "?skip_namesakes=true")
    assert [skipped for *_, skipped in doubles(report)] == [True, False, True, True, False]
    assert (report["registered"], report["skipped"], report["refused"]) == (2, 3, 0)
    assert [code for *_, code in outcomes(report)] == [None] * 5


def test_a_list_under_a_key_that_comes_again_takes_nobody_for_their_own_namesake(new_service: Service):
    recorder = new_service.caller("recorder")
    reports = [sent(recorder, "name\nAnna\n", {**CSV, "Idempotency-Key": "season"}, "?skip_namesakes=true") for _ in range(2)]
    assert reports[0] == reports[1]
    assert (reports[0]["registered"], doubles(reports[0])) == (1, [(2, [], None, False)])


def test_a_single_player_is_told_of_namesakes_too(new_service: Service):
    recorder = new_service.caller("recorder")
    first = recorder.post("/v1/players", {"name": "Anna"}).json()
    assert "namesakes" not in first
    assert recorder.post("/v1/players", {"name": "Anna"}).json()["namesakes"] == [first["player"]]
    assert recorder.post("/v1/players?skip_namesakes=true", {"name": "Anna"}).json()["where"] == "skip_namesakes"
