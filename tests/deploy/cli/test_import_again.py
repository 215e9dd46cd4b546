"""Repeated import of a file adds nothing, on the local store and through a server."""

import json
import re
import sqlite3
from contextlib import closing
from pathlib import Path
from shutil import copytree
from typing import Any

import pytest

from deploy.stores.sqlite.backup import back_up
from tests.deploy.cli.test_import_export import GAMES, REFUSED, exported, kiebitz
from tests.deploy.serving import served

RECORDS: list[dict[str, Any]] = [json.loads(game.read_text(encoding="utf-8")) for game in GAMES]


def written(path: Path, *records: object, **how: Any) -> Path:
    path.write_text("".join(json.dumps(record, **how) + "\n" for record in records), encoding="utf-8")
    return path


def told(*arguments: object) -> tuple[list[str], str]:
    """Return the text about each record after its name, and the last line."""
    result = kiebitz("import", *arguments)
    assert result.exit_code == 0, result.output
    *records, last = result.output.splitlines()
    return [line.partition(": ")[2] for line in records], last


@pytest.fixture
def file(tmp_path: Path) -> Path:
    first, second = RECORDS
    return written(tmp_path / "games.ndjson", first, second, first)


@pytest.fixture(scope="module")
def imported(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A store with the games of the file."""
    folder = tmp_path_factory.mktemp("imported")
    first, second = RECORDS
    told(written(folder / "games.ndjson", first, second, first), "--data", folder / "data")
    return folder / "data"


@pytest.fixture
def data(imported: Path, tmp_path: Path) -> Path:
    """A copy of it."""
    return copytree(imported, tmp_path / "data")


def test_a_file_that_is_imported_again_adds_nothing_and_names_the_games(tmp_path: Path, file: Path):
    data = tmp_path / "data"
    first, counted = told(file, "--data", data)
    assert counted == "3 of 3 recorded."
    again, counted = told(file, "--data", data)
    assert counted == "0 of 3 recorded. 3 were there already."
    assert again == [line.replace(line.split(", ")[0], "was there already") for line in first]
    assert len({line.rpartition(" ")[2] for line in first}) == 3
    assert len(exported("--all", "--data", data)) == 3


def test_the_spelling_of_a_file_does_not_matter(tmp_path: Path, data: Path):
    first, second = RECORDS
    other = written(tmp_path / "other.ndjson", second, {**first, "name": "renamed"}, first, sort_keys=True, separators=(" , ", " : "))
    assert told(other, "--data", data)[1] == "0 of 3 recorded. 3 were there already."


def test_a_file_that_grew_adds_what_is_new(tmp_path: Path, data: Path):
    first, second = RECORDS
    grown = written(tmp_path / "grown.ndjson", first, first, first, second)
    assert told(grown, "--data", data)[1] == "1 of 4 recorded. 3 were there already."


def test_the_same_file_named_twice_counts_once(tmp_path: Path, file: Path):
    assert told(file, file, "--data", tmp_path / "data")[1] == "3 of 6 recorded. 3 were there already."


def test_what_came_through_one_door_is_known_at_the_other(tmp_path: Path, data: Path, file: Path):
    here, _ = told(file, "--data", data)
    with served("--data", data) as server:
        through = ("--url", server.url, "--token", server.token)
        there, counted = told(file, *through)
        other = written(
            tmp_path / "other.ndjson", *[{**record, "players": ["p-anna", *[None] * (record["seats"] - 1)]} for record in RECORDS]
        )
        assert told(other, other, *through)[1] == "2 of 4 recorded. 2 were there already."
        equal = {**RECORDS[1], "players": ["p-ben", *[None] * (RECORDS[1]["seats"] - 1)]}
        assert told(written(tmp_path / "equal.ndjson", equal, equal), *through)[1] == "2 of 2 recorded."
        assert told("--dry-run", file, *through)[1] == "0 of 3 could be recorded. 3 were there already."
        assert server.end() == 0
    assert (counted, [line.rpartition(" ")[2] for line in there]) == (
        "0 of 3 recorded. 3 were there already.",
        [line.rpartition(" ")[2] for line in here],
    )
    assert told(other, "--data", data)[1] == "0 of 2 recorded. 2 were there already."


def test_a_dry_run_looks_at_what_is_here(tmp_path: Path, file: Path):
    data = tmp_path / "data"
    told(GAMES[0], "--data", data)
    result = kiebitz("import", "--dry-run", file, REFUSED, "--data", data)
    assert (result.exit_code, result.output.splitlines()[-1]) == (1, "2 of 4 could be recorded. 1 was there already.")
    assert len(exported("--all", "--data", data)) == 1


def test_a_dry_run_changes_nothing_in_a_store_of_before_there_were_refs(tmp_path: Path, file: Path):
    told(GAMES[0], "--data", tmp_path)
    with closing(sqlite3.connect(tmp_path / "journal.db", isolation_level=None)) as store:
        store.execute("DROP TABLE refs")
        store.execute("DELETE FROM _yoyo_migration WHERE migration_id = 'journal-0008-refs'")
    assert told("--dry-run", file, "--data", tmp_path)[1] == "3 of 3 could be recorded."
    assert told(file, "--data", tmp_path)[1] == "3 of 3 recorded."  # what came before is not known again


REF = {"system": "club-archive", "id": "17"}
NAMED = {**RECORDS[0], "ref": REF, "played_at": "1998-03-07", "meta": {"sheet": "blue", "number": 2**70}}


def test_a_record_with_a_ref_is_known_by_it_and_what_it_says_besides_is_given_back(tmp_path: Path):  # COM-66
    file, data = written(tmp_path / "named.ndjson", NAMED, {**NAMED, "name": "renamed"}), tmp_path / "data"
    assert told(file, "--data", data)[1] == "1 of 2 recorded. 1 was there already."
    [exported_once] = exported("--all", "--data", data)
    assert {key: exported_once[key] for key in ("ref", "played_at", "meta")} == {key: NAMED[key] for key in ("ref", "played_at", "meta")}
    again = written(tmp_path / "again.ndjson", exported_once)
    assert told(again, "--data", data)[1] == "0 of 1 recorded. 1 was there already."
    told(again, "--data", tmp_path / "other")
    assert [{**one, "name": ""} for one in exported("--all", "--data", tmp_path / "other")] == [{**exported_once, "name": ""}]


def test_a_ref_that_is_there_with_other_content_is_refused_at_either_door(tmp_path: Path):
    file, data = written(tmp_path / "named.ndjson", NAMED), tmp_path / "data"
    told(file, "--data", data)
    other = written(tmp_path / "other.ndjson", {**NAMED, "played_at": "1998-03-14"})

    def refused(*how: object) -> str:
        result = kiebitz("import", other, *how)
        assert (result.exit_code, result.output.splitlines()[-1].split(" ")[0]) == (1, "0"), result.output
        return result.output.splitlines()[0].partition(": ")[2]

    here = refused("--data", data)
    assert here.startswith("ref_taken")
    assert refused("--dry-run", "--data", data) == here
    with served("--data", data) as server:
        through = ("--url", server.url, "--token", server.token)
        assert told(file, *through)[1] == "0 of 1 recorded. 1 was there already."
        there = refused(*through)
        assert server.end() == 0
    assert "ref_taken" in there


def test_a_backup_knows_the_games_again(tmp_path: Path, data: Path, file: Path):
    (tmp_path / "restored").mkdir()
    back_up(data / "journal.db", tmp_path / "restored" / "journal.db")
    assert told(file, "--data", tmp_path / "restored")[1] == "0 of 3 recorded. 3 were there already."


def test_several_processes_record_what_one_records_in_the_same_order(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("deploy.cli.bulk.FEW", 1)
    monkeypatch.setattr("deploy.cli.bulk.MOST", 3)
    first, second = RECORDS
    named = {**second, "ref": {"system": "club", "id": "7"}}
    other = {**first, "ref": {"system": "club", "id": "7"}}
    mixed = [first, second, first, json.loads(REFUSED.read_text(encoding="utf-8")), named, named, other, "nothing", first, second]
    file = written(tmp_path / "mixed.ndjson", *mixed)
    printed = [kiebitz("import", file, file, "--jobs", jobs, "--data", tmp_path / f"by{jobs}").output for jobs in (1, 2)]
    alone, together = (re.sub("[0-9a-f-]{36}", "…", output) for output in printed)
    assert together == alone
    assert together.splitlines()[-1] == "6 of 20 recorded. 8 were there already."
    alone_kept, together_kept = (exported("--all", "--data", tmp_path / f"by{jobs}") for jobs in (1, 2))
    assert [nameless(record) for record in together_kept] == [nameless(record) for record in alone_kept]


def nameless(record: dict[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in record.items() if key != "name"}
