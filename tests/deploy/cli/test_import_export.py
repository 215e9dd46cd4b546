"""Commands `kiebitz import` and `kiebitz export`, on the local store and through a server."""

import json
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from deploy.cli.main import main
from deploy.processes.journal_file import acquire_writer_lock
from domain.events.game import NoteAdded
from domain.free_texts import SaltedText
from domain.games import RULESETS
from domain.journal.commits import note
from replay.export import write_full_record
from replay.record import events_of, parse
from tests.deploy.serving import done, served
from tests.projections.histories import History

CASES = Path(__file__).parent.parent.parent / "cases" / "casino"
GAMES = (CASES / "game-two-players-classic.json", CASES / "game-royal-counting-order.json")
REFUSED = CASES / "owner-must-not-trail.json"
PLAYED = ("ruleset", "options", "seats", "hands")


def kiebitz(*arguments: object) -> Result:
    return CliRunner().invoke(main, [str(argument) for argument in arguments])


def exported(*arguments: object) -> list[dict[str, Any]]:
    result = kiebitz("export", *arguments)
    assert result.exit_code == 0, result.output
    return [json.loads(line) for line in result.stdout.splitlines()]


def played(record: dict[str, Any]) -> Any:
    """Return the played content of a record, without names, completed decks and options with default values."""
    moves = [[move["move"] for move in hand["moves"]] for hand in record["hands"]]
    return record["ruleset"], record["seats"], [hand["dealer"] for hand in record["hands"]], moves


def test_games_that_were_imported_can_be_exported_and_played_again(tmp_path: Path):
    data = tmp_path / "data"
    assert kiebitz("import", *GAMES, "--data", data).exit_code == 0
    out = tmp_path / "games.ndjson"
    assert kiebitz("export", "--all", "--out", out, "--data", data).exit_code == 0
    records = [json.loads(line) for line in out.read_text().splitlines()]
    assert [played(record) for record in records] == [played(json.loads(game.read_text())) for game in GAMES]
    assert kiebitz("check", out).exit_code == 0
    assert kiebitz("import", out, "--data", tmp_path / "other").exit_code == 0


def test_full_records_move_a_store_with_ids_times_and_principals(tmp_path: Path):
    assert kiebitz("import", *GAMES, "--data", tmp_path / "here").exit_code == 0
    out, again = tmp_path / "games.ndjson", tmp_path / "again.ndjson"
    assert kiebitz("export", "--all", "--full", "--out", out, "--data", tmp_path / "here").exit_code == 0
    assert kiebitz("import", out, "--data", tmp_path / "there").exit_code == 0
    assert kiebitz("export", "--all", "--full", "--out", again, "--data", tmp_path / "there").exit_code == 0
    assert again.read_bytes() == out.read_bytes()
    twice = kiebitz("import", out, "--data", tmp_path / "there")
    assert (twice.exit_code, twice.output.splitlines()[-1]) == (0, "0 of 2 recorded. 2 were there already.")


def test_records_with_the_words_of_people_come_out_as_they_went_in(tmp_path: Path):
    record = tmp_path / "disputed.json"
    record.write_bytes(a_disputed_game())
    assert kiebitz("import", record, "--data", tmp_path / "data").exit_code == 0
    for form, words in (("--texts", True), ("--full", False)):
        [out] = exported("--all", form, "--data", tmp_path / "data")
        assert ("texts" in out) == words
    assert kiebitz("export", "--all", "--texts", "--data", tmp_path / "data").stdout_bytes.strip() == record.read_bytes()


def a_disputed_game() -> bytes:
    """A full record of a game with a note."""
    text = note("t1", "a draught", bytes(16))
    game = History(1, *events_of(parse(GAMES[0].read_bytes()), RULESETS)).add(NoteAdded(text.ref)).events
    return b"".join(write_full_record(str(game[0].stream), game, {"t1": SaltedText("a draught", bytes(16))}.get))


def test_a_refused_record_is_reported_and_keeps_no_other_out(tmp_path: Path):
    result = kiebitz("import", REFUSED, GAMES[0], "--data", tmp_path)
    refused, accepted, last = result.output.splitlines()
    assert result.exit_code == 1
    assert refused.startswith("✗ owner-must-not-trail: hand 1, move 3 refused: must_not_trail (CNO-41). ")
    assert accepted.startswith("✓ game-two-players-classic: ")
    assert last == "1 of 2 recorded."
    assert len(exported("--all", "--data", tmp_path)) == 1


def test_a_dry_run_reports_the_same_and_touches_nothing(tmp_path: Path):
    result = kiebitz("import", "--dry-run", REFUSED, GAMES[0], "--data", tmp_path / "data")
    assert (result.exit_code, result.output.splitlines()[-1]) == (1, "1 of 2 could be recorded.")
    assert not (tmp_path / "data").exists()


def test_what_is_no_record_is_reported_with_its_line(tmp_path: Path):
    file = tmp_path / "games.ndjson"
    file.write_text(json.dumps(json.loads(GAMES[0].read_text())) + "\n{}\nnonsense\n")
    result = kiebitz("import", file, "--data", tmp_path)
    assert result.exit_code == 1
    assert [line.split(": ")[:2] for line in result.output.splitlines()[1:3]] == [
        [f"✗ {file}:2", "malformed_record"],
        [f"✗ {file}:3", "malformed_record"],
    ]


def test_nothing_is_imported_beside_a_running_server(tmp_path: Path):
    with acquire_writer_lock(tmp_path / "serve.lock", "serve") as lock:
        lock.tell("http://127.0.0.1:8000")
        result = kiebitz("import", GAMES[0], "--data", tmp_path)
    assert result.exit_code == 1
    assert "--url http://127.0.0.1:8000" in result.stderr


def test_a_store_that_does_not_answer_stops_an_import_with_one_line_that_tells_where(tmp_path: Path):
    kiebitz("import", GAMES[0], "--data", tmp_path)
    with closing(sqlite3.connect(tmp_path / "journal.db", isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        result = kiebitz("import", GAMES[1], "--data", tmp_path)
    assert (result.exit_code, result.output.count("\n")) == (1, 2)
    assert f"Stopped at {GAMES[1]}:1, after 0 records: The store does not answer, and nothing was recorded" in result.stderr


def test_a_single_game_is_exported_by_its_id_with_every_event_if_asked_for(tmp_path: Path):
    kiebitz("import", *GAMES, "--data", tmp_path)
    first, _ = exported("--all", "--full", "--data", tmp_path)
    assert exported(first["id"], "--full", "--data", tmp_path) == [first]
    assert [event["position"] for event in first["events"]] == list(range(1, 149))


@pytest.mark.parametrize("game", ["nonsense", "00000000-0000-0000-0000-000000000000"])
def test_a_game_that_is_not_there_is_named_and_no_half_file_is_left(tmp_path: Path, game: str):
    kiebitz("import", GAMES[0], "--data", tmp_path / "data")
    result = kiebitz("export", game, "--out", tmp_path / "out", "--data", tmp_path / "data")
    assert (result.exit_code, game in result.stderr) == (1, True)
    assert [path.name for path in tmp_path.iterdir()] == ["data"]


def test_a_mistyped_folder_is_no_empty_one(tmp_path: Path):
    result = kiebitz("export", "--all", "--data", tmp_path / "nowhere")
    assert (result.exit_code, "nowhere" in result.stderr) == (1, True)


def test_through_a_server_the_same_can_be_done_and_a_repeated_import_records_nothing_twice(tmp_path: Path):
    with served("--data", tmp_path / "data") as server:
        through = ("--url", server.url, "--token", server.token)
        once = kiebitz("import", *GAMES, REFUSED, *through)
        again = kiebitz("import", *GAMES, REFUSED, *through)
        assert (once.exit_code, again.exit_code) == (1, 1)
        assert [line.rpartition(", ")[2] for line in once.output.splitlines()[:2]] == [
            line.partition(": was there already, ")[2] for line in again.output.splitlines()[:2]
        ]
        assert again.output.splitlines()[-1] == "0 of 3 recorded. 2 were there already."
        assert "hand 1, move 3 refused: must_not_trail (CNO-41). " in once.output
        with server.client() as client:
            assert len(done(client.get("/v1/games"))["items"]) == 2
        records = exported("--all", *through)
    assert sorted(map(played, records), key=str) == sorted((played(json.loads(game.read_text())) for game in GAMES), key=str)


def test_what_a_server_refuses_is_told_in_its_words(tmp_path: Path):
    with served("--data", tmp_path) as server:
        result = kiebitz("export", "--all", "--url", server.url, "--token", "kb_wrong")
        assert (result.exit_code, "unauthenticated" in result.stderr) == (1, True)
    gone = kiebitz("export", "--all", "--url", server.url, "--token", "kb_wrong")
    assert (gone.exit_code, "cannot be reached" in gone.stderr) == (1, True)


def test_a_server_is_not_spoken_to_without_a_token():
    result = kiebitz("export", "--all", "--url", "http://127.0.0.1:1")
    assert (result.exit_code, "KIEBITZ_TOKEN" in result.stderr) == (1, True)
