"""Record files: one JSON record, or NDJSON."""

import json
from pathlib import Path

import pytest

from deploy.cli.files import records_in


def found(path: Path, text: str) -> list[tuple[int, object]]:
    path.write_text(text, encoding="utf-8")
    return [(found.line, str(found.problem) if found.problem else found.record) for found in records_in(path)]


def test_a_record_may_be_written_over_many_lines(tmp_path: Path):
    record = {"name": "a", "hands": [1, 2]}
    assert found(tmp_path / "file", json.dumps(record, indent=1)) == [(1, record)]
    assert found(tmp_path / "file", "\n\n" + json.dumps(record, indent=1)) == [(3, record)]


def test_ndjson_has_a_record_on_each_line_and_empty_lines_do_not_count(tmp_path: Path):
    assert found(tmp_path / "file", '{"a": 1}\n\n{"a": 2}\n') == [(1, {"a": 1}), (3, {"a": 2})]


def test_a_broken_line_does_not_hide_the_lines_after_it(tmp_path: Path):
    first, broken, last = found(tmp_path / "file", '{"a": 1}\n{"a": \n{"a": 2}\n')
    assert (first, last) == ((1, {"a": 1}), (3, {"a": 2}))
    assert broken[0] == 2
    assert "not JSON" in str(broken[1])


@pytest.mark.usefixtures("nothing_collected")
@pytest.mark.parametrize("text", ["{", "nonsense", '{"a": NaN}', "[" * 100_000], ids=["open", "words", "NaN", "deep"])
def test_what_is_not_json_is_a_problem_and_no_crash(tmp_path: Path, text: str):
    assert "not JSON" in str(found(tmp_path / "file", text)[0][1])


def test_a_file_that_is_not_there_is_a_malformed_record(tmp_path: Path):
    [only] = records_in(tmp_path / "nowhere.json")
    assert only.problem is not None
    assert only.problem.code == "malformed_record"


def test_an_empty_file_holds_no_record(tmp_path: Path):
    assert found(tmp_path / "file", "") == []
