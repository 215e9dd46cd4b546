"""Erasure on disk: erased texts are in no file of the folder, also while the store is open (byte search)."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from random import Random
from uuid import uuid4

import pytest

from deploy.stores.migrating import migrate
from deploy.stores.sqlite.journal import SqliteEventStore
from domain.journal.commits import Commit, Origin, Text
from domain.journal.registers import CardAccess, Person
from tests.deploy.serving import done, open_game, served
from tests.deploy.stores.stores import event

GAME = uuid4()
AT, BY = "2026-03-01T10:00:00Z", "berta"
LONG, SHORT = "confidential " * 1000, "unspeakable"


@pytest.fixture
def file(tmp_path: Path) -> Path:
    migrate(f"sqlite:///{tmp_path / 'journal.db'}")
    return tmp_path / "journal.db"


@pytest.fixture
def events(file: Path) -> Iterator[SqliteEventStore]:
    with closing(SqliteEventStore(file)) as opened:
        yield opened


def files_with(words: str, folder: Path) -> list[str]:
    return sorted(file.name for file in folder.iterdir() if words.encode() in file.read_bytes())


def said(events: SqliteEventStore, *words: str) -> None:
    for number, body in enumerate(words, 1):
        events.commit_group([Commit((event(GAME, number),), None, (Text(f"t{number}", body),))])


@pytest.mark.parametrize("words", [SHORT, LONG])
def test_words_that_were_erased_are_in_no_file(events: SqliteEventStore, file: Path, words: str):
    said(events, "before", words, "after")
    assert files_with(words[:11], file.parent) != []
    assert events.erase_text("t2", GAME, 2)
    assert files_with(words[:11], file.parent) == []
    assert [events.text(id) for id in ("t1", "t2", "t3")] == ["before", None, "after"]


def test_what_was_written_beside_a_record_and_erased_is_in_no_file(events: SqliteEventStore, file: Path):
    events.commit_group([Commit((event(GAME, 1),), origin=Origin(None, "d", f'{{"by": "{LONG}"}}'))])
    assert files_with(LONG[:11], file.parent) != []
    assert events.erase_meta(GAME)
    assert files_with(LONG[:11], file.parent) == []


def test_the_name_of_somebody_erased_is_in_no_file(events: SqliteEventStore, file: Path):
    anna = Person("anna", "Rumpelstilzchen", "Rumpelstilz", AT, BY)
    events.enter_players([anna, Person("berta", "Berta", None, AT, BY)])
    assert events.rename_person(Person("anna", "Rumpelstilzchen the Second", None, AT, BY), anna)
    events.erase_person("anna", GAME, AT, BY)
    assert [files_with(words, file.parent) for words in ("Rumpelstilz", "rumpelstilz")] == [[], []]
    assert events.find_players(["berta"])["berta"].name == "Berta"


def test_who_looked_and_was_erased_is_in_no_file(events: SqliteEventStore, file: Path):
    looks = [CardAccess("2026-03-01T10:00:00Z", GAME, view, by, None) for view in ("arbiter", "seat:1") for by in ("rumpelstilz", "berta")]
    events.keep_looks(looks)
    assert files_with("rumpelstilz", file.parent) != []
    assert events.erase_looks(["rumpelstilz"]) == 2
    assert files_with("rumpelstilz", file.parent) == []
    assert len(events.list_looks(game=GAME)) == 2


def test_what_sqlite_forgot_of_a_row_that_it_moved_is_gone_with_the_row(events: SqliteEventStore, file: Path):
    """SQLite copies rows when it splits a page, and bytes of the old ones may remain outside of any table."""
    chance, names = Random(1), dict[str, str]()
    for number in range(400):
        for player in (f"{chance.randbytes(8).hex()}", *([chance.choice(list(names))] if number % 3 == 1 else [])):
            mark = names[player][:13] if player in names else f"Somebody{number:04d}."
            names[player] = mark * chance.choice((1, 20, 60))
            events.derive(_NAME, [(player, names[player], AT, BY)])
    with closing(sqlite3.connect(file)) as other:
        other.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    stored = file.read_bytes()
    left = [player for player, name in names.items() if stored.count(name[:13].encode()) > name.count(".")]
    assert left, "nothing was left behind, so this test would show nothing"
    for player in left:
        events.erase_person(player, GAME, AT, BY)
        assert files_with(names.pop(player)[:13], file.parent) == []
    assert {player: found.name for player, found in events.find_players(names).items()} == names


_NAME = """INSERT INTO people VALUES (?, ?, NULL, '', '', ?, ?, 0) ON CONFLICT (player) DO UPDATE SET name = excluded.name"""


def test_a_reader_who_still_sees_the_words_keeps_nobody_waiting_and_they_go_with_the_next_commit(events: SqliteEventStore, file: Path):
    said(events, SHORT)
    with closing(sqlite3.connect(file, isolation_level=None)) as reader:
        reader.execute("BEGIN")
        assert reader.execute("SELECT body FROM texts").fetchall() == [(SHORT,)]
        assert events.erase_text("t1", GAME, 1)
        assert files_with(SHORT, file.parent) != []
        events.commit_group([Commit((event(GAME, 2),))])
        reader.execute("COMMIT")
    events.commit_group([Commit((event(GAME, 3),))])
    assert files_with(SHORT, file.parent) == []


def test_erasing_again_takes_away_what_a_reader_kept(events: SqliteEventStore, file: Path):
    said(events, SHORT)
    with closing(sqlite3.connect(file, isolation_level=None)) as reader:
        reader.execute("BEGIN")
        reader.execute("SELECT body FROM texts").fetchall()
        assert events.erase_text("t1", GAME, 1)
    assert not events.erase_text("t1", GAME, 1)
    assert files_with(SHORT, file.parent) == []


def test_of_what_a_running_server_erased_no_file_of_its_folder_tells(tmp_path: Path):
    data = tmp_path / "data"
    with served("--data", data) as server, server.client() as client:
        client.post("/v1/players", json={"id": "z1", "name": "Wilhelmine Zwetschkenbaum"}).raise_for_status()
        game = open_game(client)
        noted = done(client.post(f"/v1/games/{game}/notes", json={"text": "He looked under the table."}))
        assert (files_with("Zwetschkenbaum", data), files_with("under the table", data)) != ([], [])
        done(client.delete(f"/v1/games/{game}/notes/{noted['position']}"))
        done(client.post("/v1/players/z1/erasure", json={"confirm": "z1"}))
        assert (files_with("Zwetschkenbaum", data), files_with("under the table", data)) == ([], [])
        assert server.end() == 0
    assert (files_with("Zwetschkenbaum", data), files_with("under the table", data)) == ([], [])
