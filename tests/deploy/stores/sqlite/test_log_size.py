"""The write-ahead log (-wal) of SQLite shrinks once nobody reads what lay before it."""

from contextlib import closing
from pathlib import Path

from deploy.stores.sqlite.connections import connect

MIB = 1 << 20


def test_a_log_that_a_reader_kept_from_beginning_anew_is_short_again_after_he_has_gone(tmp_path: Path):
    path = tmp_path / "journal.db"
    with closing(connect(path, "rwc", ("synchronous = OFF",))) as writer, closing(connect(path)) as reader:
        writer.execute("CREATE TABLE events (body BLOB)")
        writer.execute("INSERT INTO events VALUES (x'00')")
        reader.execute("BEGIN")
        reader.execute("SELECT count(*) FROM events").fetchall()
        for _ in range(2):
            writer.execute("INSERT INTO events VALUES (zeroblob(?))", (5 * MIB,))
        log = path.with_name("journal.db-wal")
        assert log.stat().st_size > 9 * MIB
        reader.execute("COMMIT")
        for _ in range(2):
            writer.execute("PRAGMA wal_checkpoint(PASSIVE)").fetchall()
            writer.execute("INSERT INTO events VALUES (x'00')")
        assert log.stat().st_size <= 4 * MIB
