"""Entries over HTTP: one, several, lists with a report per line; substitutes, withdrawals and returns; persons who have two ids."""

from uuid import uuid4

import pytest

from tests.api.conftest import Caller, Service
from tests.api.tournament import announced, entered, paired

PAIRS = {"seats": 4, "options": {"partners": True}}
CSV = {"Content-Type": "text/csv"}


@pytest.fixture
def director(service: Service) -> Caller:
    return service.caller("director")


def entrants(caller: Caller, path: str) -> list[tuple[int, list[str]]]:
    return [(one["entrant"], one["players"]) for one in caller.get(f"{path}/entries").json()["entrants"]]


def test_one_entry(director: Caller, recorder: Caller, viewer: Caller):
    path = announced(director, **PAIRS)
    answer = recorder.post(f"{path}/entries", {"players": ["a", "b"], "rating": 1612})
    assert (answer.status_code, answer.headers["etag"], answer.headers["location"]) == (201, '"2"', f"{path}/entries")
    assert answer.json() == {
        "tournament": path.rpartition("/")[2],
        "position": 2,
        "dry_run": False,
        "recorded": 1,
        "refused": 0,
        "lines": [{"line": 1, "entrant": 1, "players": ["a", "b"], "from_round": 1, "error": None, "unregistered": ["a", "b"]}],
    }
    (told,) = viewer.get(f"{path}/entries").json()["entrants"]
    assert told == {
        "entrant": 1,
        "players": ["a", "b"],
        "shown": ["Entrant 1", "Entrant 1"],
        "rating": 1612,
        "from_round": 1,
        "until": None,
    }


def test_several_entries_are_recorded_all_or_none(director: Caller, recorder: Caller):
    path = announced(director)
    refused = recorder.post(f"{path}/entries", {"entries": [{"players": ["a"]}, {"players": ["b"]}, {"players": ["a"]}]})
    assert (refused.status_code, refused.json()["code"], refused.json()["index"]) == (422, "entered_already", 2)
    assert entrants(recorder, path) == []
    entered(recorder, path, 3)
    assert entrants(recorder, path) == [(1, ["p1"]), (2, ["p2"]), (3, ["p3"])]


@pytest.mark.parametrize(
    "body", [{}, {"players": ["a"], "entries": [{"players": ["b"]}]}, {"players": []}, {"players": ["a"], "name": "A"}]
)
def test_an_entry_of_another_form_is_malformed(director: Caller, recorder: Caller, body: dict[str, object]):
    answer = recorder.post(f"{announced(director)}/entries", body)
    assert (answer.status_code, answer.json()["code"]) == (422, "malformed_body")


def test_a_csv_is_reported_line_by_line_and_what_is_good_is_recorded(director: Caller, recorder: Caller):
    path = announced(director, **PAIRS)
    lines = ["player_1;player_2;rating", "a;b;1612", "", "c;d;", "e;;1500", "a;x;", "g;h;many", "i;j;1;k"]
    answer = recorder.post(f"{path}/entries", "\ufeff" + "\r\n".join(lines), headers=CSV)
    report = answer.json()
    assert (answer.status_code, answer.headers["etag"], report["recorded"], report["refused"]) == (200, '"3"', 2, 4)
    assert [(one["line"], one["entrant"], one["players"], one["error"] and one["error"]["code"]) for one in report["lines"]] == [
        (2, 1, ["a", "b"], None),
        (4, 2, ["c", "d"], None),
        (5, None, ["e"], "players_per_entry"),
        (6, None, ["a", "x"], "entered_already"),
        (7, None, [], "malformed_body"),
        (8, None, [], "malformed_body"),
    ]
    assert report["lines"][2]["error"] == {"code": "players_per_entry", "message": "An entry names 2 players here, not 1."}
    assert entrants(recorder, path) == [(1, ["a", "b"]), (2, ["c", "d"])]


def test_errors_of_a_list_speak_the_language_of_the_caller(director: Caller, recorder: Caller):
    answer = recorder.post(f"{announced(director)}/entries", "player\na\na\n", headers={**CSV, "Accept-Language": "de"})
    assert answer.json()["lines"][1]["error"]["message"] == "Dieser Spieler ist schon gemeldet, unter Nummer 1."


def test_players_come_in_the_order_of_their_numbers(director: Caller, recorder: Caller):
    path = announced(director, **PAIRS)
    assert recorder.post(f"{path}/entries", "Player_2, PLAYER_1\nb,a\n", headers=CSV).json()["recorded"] == 1
    assert entrants(recorder, path) == [(1, ["a", "b"])]


def test_ndjson_is_reported_in_the_same_way(director: Caller, recorder: Caller):
    path = announced(director)
    lines = '{"players": ["a"]}\n\n{"players": ["a"]}\nno json\n'
    report = recorder.post(f"{path}/entries", lines, headers={"Content-Type": "application/x-ndjson"}).json()
    assert [(one["line"], one["entrant"], one["error"] and one["error"]["code"]) for one in report["lines"]] == [
        (1, 1, None),
        (3, None, "entered_already"),
        (4, None, "malformed_json"),
    ]


def test_a_dry_run_reports_and_records_nothing(director: Caller, recorder: Caller):
    path = announced(director)
    report = recorder.post(f"{path}/entries?dry_run=true", "player\na\nb\na\n", headers=CSV).json()
    assert (report["dry_run"], report["recorded"], report["refused"], report["position"]) == (True, 2, 1, 1)
    assert recorder.post(f"{path}/entries?dry_run=true", {"players": ["a"]}).status_code == 200
    assert entrants(recorder, path) == []


def test_a_list_that_is_sent_again_gets_the_same_report(director: Caller, recorder: Caller):
    path, headers = announced(director), {**CSV, "Idempotency-Key": uuid4().hex}
    first, second = (recorder.post(f"{path}/entries", "player\na\nb\na\n", headers=headers) for _ in range(2))
    assert (first.json()["recorded"], second.json()) == (2, first.json())
    assert len(entrants(recorder, path)) == 2
    other = recorder.post(f"{path}/entries", "player\nc\n", headers=headers)
    assert (other.status_code, other.json()["code"]) == (422, "key_reused")


def test_a_list_without_a_good_line_records_nothing(director: Caller, recorder: Caller):
    path = announced(director)
    answer = recorder.post(f"{path}/entries", "player,rating\na,x\n", headers=CSV)
    assert (answer.status_code, answer.json()["recorded"], answer.json()["position"]) == (200, 0, 1)


@pytest.mark.parametrize(
    ("body", "code", "status"),
    [
        ("name\na\n", "bad_heading", 422),
        ("player,player\na,b\n", "bad_heading", 422),
        ("rating\n5\n", "bad_heading", 422),
        (b"player\n\x81\n", "malformed_csv", 400),
        ('player\n"a\n', "malformed_csv", 400),
        ("player\n" + "x\n" * 1001, "list_too_long", 422),
    ],
    ids=["unknown", "twice", "no player", "no utf-8", "open quote", "too long"],
)
def test_what_is_no_list_is_refused_whole(director: Caller, recorder: Caller, body: str | bytes, code: str, status: int):
    answer = recorder.post(f"{announced(director)}/entries", body, headers=CSV)
    assert (answer.status_code, answer.json()["code"]) == (status, code)


def test_late_entries_and_withdrawals(director: Caller, recorder: Caller):
    path = announced(director, format="manual")
    entered(recorder, path, 2)
    paired(director, path, [[1], [2]])
    assert recorder.post(f"{path}/entries", {"players": ["late"]}).status_code == 201
    left = recorder.post(f"{path}/entries/1/withdrawal", {"reason": "ill"})
    assert left.json()["events"][0]["body"]["from_round"] == 2
    listed = recorder.get(f"{path}/entries").json()["entrants"]
    assert [(one["from_round"], one["until"]) for one in listed] == [(1, 2), (1, None), (2, None)]
    assert recorder.post(f"{path}/entries/1/withdrawal", {}).json()["code"] == "entrant_withdrawn"


def test_who_sits_out_a_round_is_paired_again_after_it(director: Caller, recorder: Caller):
    path = announced(director)
    entered(recorder, path, 4)
    left = recorder.post(f"{path}/entries/2/withdrawal", {"from_round": 2, "back_from": 3, "reason": "on call"}).json()["events"]
    assert [(event["name"], event["body"]["from_round"]) for event in left] == [("entry.withdrawn/1", 2), ("entry.returned/1", 3)]
    listed = recorder.get(f"{path}/entries").json()["entrants"]
    assert (listed[1]["until"], listed[1]["absences"]) == (None, [{"from_round": 2, "back_from": 3}])
    assert recorder.get(path).json()["entered"] == 4
    playing = []
    for round in (1, 2, 3):
        tables = paired(director, path)["events"][0]["body"]["tables"]
        playing.append(2 in [entrant for table in tables for entrant in table["seats"]])
        for table in tables:
            director.put(f"{path}/rounds/{round}/tables/{table['table']}/result", {"points": [9, 1]})
        assert director.post(f"{path}/rounds/{round}/closing", {}).status_code == 201
    assert playing == [True, False, True]


def test_who_has_withdrawn_returns(director: Caller, recorder: Caller, viewer: Caller):
    path = announced(director)
    entered(recorder, path, 2)
    recorder.post(f"{path}/entries/2/withdrawal", {})
    anew = recorder.post(f"{path}/entries", {"players": ["p2"]}).json()
    assert (anew["code"], "Let entrant 2 return" in anew["detail"]) == ("entered_and_withdrawn", True)
    tried = recorder.post(f"{path}/entries/2/return?dry_run=true", {})
    assert (tried.status_code, recorder.get(path).json()["entered"]) == (200, 1)
    back = recorder.post(f"{path}/entries/2/return", {"players": ["x"]}).json()["events"]
    assert [event["name"] for event in back] == ["entry.returned/1", "entry.changed/1"]
    assert (recorder.get(path).json()["entered"], entrants(recorder, path)[1]) == (2, (2, ["x"]))
    again = recorder.post(f"{path}/entries/2/return", {}, headers={"Accept-Language": "de"}).json()
    assert (again["code"], again["detail"]) == ("entrant_not_withdrawn", "Nummer 2 hat sich nicht zurückgezogen.")
    assert recorder.post(f"{path}/entries/9/return", {}).json()["code"] == "unknown_entrant"
    assert viewer.post(f"{path}/entries/2/return", {}).status_code == 403


def test_a_substitute_is_shown_with_his_round(director: Caller, recorder: Caller):
    path = announced(director)
    entered(recorder, path, 2)
    answer = recorder.post(f"{path}/entries/2/substitution", {"players": ["x"], "from_round": 3})
    assert (answer.status_code, answer.json()["events"][0]["name"]) == (201, "entry.changed/1")
    listed = recorder.get(f"{path}/entries").json()["entrants"][1]
    assert (listed["players"], listed["substitutions"]) == (["x"], [{"from_round": 3, "players": ["x"]}])
    taken = recorder.post(f"{path}/entries/2/substitution", {"players": ["p1"], "from_round": 4})
    assert taken.json()["code"] == "entered_already"


def test_who_is_not_in_the_directory_is_entered_all_the_same_and_named(director: Caller, recorder: Caller):
    path, one = announced(director), f"m-{uuid4().hex[:8]}"
    assert director.post("/v1/players", {"id": one, "name": "Anna"}).status_code == 201
    report = recorder.post(f"{path}/entries", f"player\n{one}\nx\n{one}\n", headers=CSV).json()
    assert (report["recorded"], [line.get("unregistered") for line in report["lines"]]) == (2, [None, ["x"], None])


def test_a_person_with_two_ids_is_entered_once(director: Caller, recorder: Caller):
    path, (one, other) = announced(director), (f"m-{uuid4().hex[:8]}" for _ in range(2))
    for id in (one, other):
        assert director.post("/v1/players", {"id": id, "name": "Anna"}).status_code == 201
    assert director.post(f"/v1/players/{other}/merger", {"into": one}).status_code == 201
    assert recorder.post(f"{path}/entries", {"players": [one]}).status_code == 201
    assert recorder.post(f"{path}/entries", {"players": [other]}).json()["code"] == "entered_already"


# After the draw


def test_who_comes_after_the_draw_is_in_the_draw_that_follows_an_unpairing(director: Caller, recorder: Caller):
    path = announced(director, format="swiss")
    entered(recorder, path, 4)
    paired(director, path)
    came = recorder.post(f"{path}/entries", {"players": ["late"]}, headers={"Accept-Language": "de"}).json()
    assert (came["lines"][0]["from_round"], came["remarks"]) == (
        2,
        [
            {
                "code": "plays_after_pairing",
                "sentence": "Nummer 5 spielt ab Runde 2: Runde 1 ist schon gepaart. Wird deren Paarung zurückgenommen, "
                "wird Nummer 5 für Runde 1 mit ausgelost. Oder Nummer 5 bekommt dort noch einen Tisch: die Tische von Runde 1 ändern.",
                "entrants": [5],
            }
        ],
    )
    left = recorder.post(f"{path}/entries/2/withdrawal", {"reason": "ill"}).json()
    assert [(one["body"]["from_round"], one["body"]["follows"]) for one in left["events"]] == [(2, 1)]
    assert [one["code"] for one in left["remarks"]] == ["leaves_after_pairing"]
    again = director.post(f"{path}/unpairing", {"reason": "one more came"}).json()
    assert [one["sentence"] for one in again["remarks"]] == [
        "Round 1 counts as not paired, and is drawn with entrant 5 now.",
        "Round 1 counts as not paired, and is drawn without entrant 2 now.",
    ]
    told = recorder.get(f"{path}/entries").json()["entrants"]
    assert [(one["entrant"], one["from_round"], one["until"]) for one in told] == [
        (1, 1, None),
        (2, 1, 1),
        (3, 1, None),
        (4, 1, None),
        (5, 1, None),
    ]
    drawn = paired(director, path)
    seated = {entrant for table in drawn["events"][0]["body"]["tables"] for entrant in table["seats"]}
    assert (seated, drawn["events"][0]["body"]["byes"], "remarks" in drawn) == ({1, 3, 4, 5}, [], False)
    audit = director.get(f"{path}/audit").json()
    assert (audit["verdict"], audit["divergences"]) == ("sound", [])


def test_who_was_entered_for_a_later_round_is_no_longer_passed_over_in_silence(director: Caller, recorder: Caller):
    path = announced(director, format="swiss")
    entered(recorder, path, 2)
    said = recorder.post(f"{path}/entries", {"players": ["late"], "from_round": 3}).json()
    assert [one["code"] for one in said["remarks"]] == ["plays_later"]
    drawn = director.post(f"{path}/rounds", {}).json()
    (passed,) = drawn["remarks"]
    assert passed["sentence"] == (
        "Entered for a later round, and not drawn for round 1: entrant 3. "
        "To play in it all the same: take the pairing back, let the entrant return from round 1, and draw again."
    )
    assert director.post(f"{path}/unpairing", {}).status_code == 201
    back = recorder.post(f"{path}/entries/3/return", {"from_round": 1}).json()
    assert [(one["name"], one["body"]) for one in back["events"]] == [("entry.advanced/1", {"entrant": 3, "from_round": 1})]
    assert paired(director, path)["events"][0]["body"]["byes"] != []
    assert director.get(f"{path}/audit").json()["verdict"] == "sound"
