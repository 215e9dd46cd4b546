"""Command `kiebitz check`: every case, and every kind of invalid record."""

import json
import subprocess
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from deploy.cli.bulk import FEW
from deploy.cli.main import main
from domain.games import RULESETS
from tests.deploy.serving import KIEBITZ, environment

FILES = sorted((Path(__file__).parent.parent.parent / "cases").glob("*/*.json"))
CASES = [file for file in FILES if json.loads(file.read_text(encoding="utf-8"))["ruleset"] in RULESETS]
RECORD: dict[str, Any] = {"name": "no hand", "ruleset": "casino", "seats": 2, "hands": []}
REFUSED = {**RECORD, "name": "bad", "seats": 9}


def check(*arguments: object, stdin: str | None = None) -> Result:
    return CliRunner().invoke(main, ["check", *map(str, arguments)], input=stdin)


def checked(*arguments: object, stdin: str | None = None) -> tuple[int, list[dict[str, Any]]]:
    result = check("--json", *arguments, stdin=stdin)
    return result.exit_code, [json.loads(line) for line in result.stdout.splitlines()]


def written(path: Path, *records: object) -> Path:
    path.write_text("".join(json.dumps(record) + "\n" for record in records), encoding="utf-8")
    return path


def test_every_worked_case_of_every_game_ends_as_expected():
    code, found = checked(*CASES)
    assert [answer["name"] for answer in found if not answer["expected"]] == []
    assert (code, [answer["file"] for answer in found]) == (0, [str(case) for case in CASES])


def test_a_record_is_answered_with_the_keys_of_the_specification_in_one_line(tmp_path: Path):
    code, [answer] = checked(written(tmp_path / "one.json", RECORD))
    assert code == 0
    assert list(answer) == ["name", "file", "line", "ref", "error", "state", "score_sheet", "finished", "winners"]
    assert (answer["name"], answer["error"], answer["finished"], answer["winners"]) == ("no hand", None, False, None)
    assert answer["state"]["phase"] == "no_hand"


def test_a_refused_record_makes_the_exit_code_one_and_does_not_hide_the_others(tmp_path: Path):
    code, answers = checked(written(tmp_path / "two.ndjson", REFUSED, RECORD))
    assert code == 1
    assert [answer["error"] and answer["error"]["code"] for answer in answers] == ["bad_seats", None]


def test_after_a_refused_set_up_there_is_no_state_and_no_sheet(tmp_path: Path):
    _, [answer] = checked(written(tmp_path / "bad.json", REFUSED))
    assert answer["error"] | {"message": "…"} == {
        "hand": -1,
        "index": -1,
        "code": "bad_seats",
        "rules": ["COM-11", "CNO-1"],
        "message": "…",
    }
    assert [answer[key] for key in ("state", "score_sheet", "finished", "winners")] == [None, None, False, None]


def test_a_case_that_ends_otherwise_than_expected_is_not_accepted(tmp_path: Path):
    code, [answer] = checked(written(tmp_path / "case.json", {**RECORD, "expect": {"finished": True}}))
    assert (code, answer["expected"]) == (1, False)


def test_a_case_that_expects_its_refusal_is_accepted(tmp_path: Path):
    expect = {"error": {"hand": -1, "index": -1, "code": "bad_seats"}}
    code, [answer] = checked(written(tmp_path / "case.json", {**REFUSED, "expect": expect}))
    assert (code, answer["expected"]) == (0, True)


@pytest.mark.parametrize(
    "text", ["nonsense", "[]", "{}", '{"ruleset": 1, "seats": 2, "hands": []}', json.dumps({**RECORD, "expect": None})]
)
def test_what_is_no_record_makes_the_exit_code_two(tmp_path: Path, text: str):
    path = tmp_path / "file.json"
    path.write_text(text)
    code, [answer] = checked(path)
    assert (code, answer["error"]["code"]) == (2, "malformed_record")


def test_a_file_that_is_not_there_makes_the_exit_code_two_and_the_rest_is_checked(tmp_path: Path):
    code, answers = checked(tmp_path / "nowhere", written(tmp_path / "one.json", RECORD))
    assert (code, len(answers)) == (2, 2)


def test_file_line_name_and_ref_are_told_always(tmp_path: Path):
    file, nowhere = tmp_path / "games.ndjson", tmp_path / "nowhere"
    ref = {"system": "club", "id": "17"}
    unread = {**RECORD, "name": "no hands", "hands": 7, "ref": ref}
    unknown = {**RECORD, "name": "unknown", "ruleset": "bridge", "ref": "17"}
    file.write_text("\n".join((json.dumps(RECORD), "", json.dumps(unread), "{", json.dumps(unknown), "[]")))
    _, answers = checked(file, nowhere)
    assert [(answer["file"], answer["line"], answer["name"], answer["ref"]) for answer in answers] == [
        (str(file), 1, "no hand", None),
        (str(file), 3, "no hands", ref),
        (str(file), 4, None, None),
        (str(file), 5, "unknown", None),
        (str(file), 6, None, None),
        (str(nowhere), 0, None, None),
    ]


def test_of_errors_only_people_read_what_failed_and_how_many_were_checked(tmp_path: Path):
    result = check("--errors", written(tmp_path / "three.ndjson", RECORD, REFUSED, RECORD))
    refused, counted = result.output.splitlines()
    assert (result.exit_code, refused.startswith("✗ bad: set-up refused"), counted) == (1, True, "2 of 3 as they should be.")
    assert check("--errors", written(tmp_path / "one.json", RECORD)).output == "1 of 1 as it should be.\n"


def test_of_errors_only_json_stays_json_and_the_count_goes_beside_it(tmp_path: Path):
    result = check("--json", "--errors", written(tmp_path / "three.ndjson", RECORD, REFUSED, RECORD))
    [answer] = [json.loads(line) for line in result.stdout.splitlines()]
    assert (answer["name"], answer["line"], result.stderr) == ("bad", 2, "2 of 3 as they should be.\n")


def test_what_is_still_to_come_was_not_played(tmp_path: Path):
    code, [answer] = checked(written(tmp_path / "one.json", {**RECORD, "played_at": "2999-01-01"}))
    assert (code, answer["error"]["code"]) == (1, "impossible_time")


def test_standard_input_is_a_file_too():
    assert checked("-", stdin=json.dumps(RECORD))[0] == 0


def test_people_read_a_line_for_each_record_with_code_rules_and_sentence(tmp_path: Path):
    result = check(written(tmp_path / "two.ndjson", REFUSED, RECORD))
    first, second, last = result.output.splitlines()
    assert first.startswith("✗ bad: set-up refused: bad_seats (COM-11, CNO-1). ")
    assert second == "✓ no hand: accepted, 0:0"
    assert last == "1 of 2 as they should be."


def test_people_are_told_where_a_case_differs(tmp_path: Path):
    result = check(written(tmp_path / "case.json", {**RECORD, "expect": {"finished": True}}))
    assert "expect.finished: expected True, found False" in result.output


def test_several_processes_tell_the_same_in_the_same_order(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("deploy.cli.bulk.FEW", 1)
    monkeypatch.setattr("deploy.cli.bulk.MOST", 7)
    for form in ("--json", "--errors"):
        alone, together = (check(form, "--jobs", jobs, *CASES[:40], CASES[0].with_name("nowhere")) for jobs in (1, 2))
        assert (together.output, together.exit_code) == (alone.output, 2)


def test_what_comes_through_a_pipe_is_answered_before_the_next_record_comes():
    with subprocess.Popen(
        [str(KIEBITZ), "check", "-"], env=environment(), stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        for number in range(FEW + 2):
            process.stdin.write(json.dumps({**RECORD, "name": f"n{number}"}) + "\n")
            process.stdin.flush()
            assert process.stdout.readline().startswith(f"✓ n{number}")
        process.stdin.close()
