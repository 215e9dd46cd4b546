"""Table list of a transfer, compared with the tables that the migrations create."""

from contextlib import closing
from pathlib import Path

from deploy.stores.migrating import migrate
from deploy.stores.opening import open_end
from deploy.stores.store_transfer import EVENTS, REGISTERS, is_of_others


def test_every_table_that_the_migrations_make_is_copied(journal_url: str):
    with closing(open_end(journal_url)) as end:
        assert {name for name in end.names() if not is_of_others(name)} == {EVENTS, *REGISTERS}
        assert end.list_foreign_tables() == []


def test_both_databases_have_the_same_columns_and_keys(tmp_path: Path, postgres_url: str):
    urls = (f"sqlite:///{tmp_path / 'journal.db'}", postgres_url)
    found = []
    for url in urls:
        migrate(url)
        with closing(open_end(url)) as end:
            found.append({name: end.table(name) for name in (EVENTS, *REGISTERS)})
    assert found[0] == found[1]
    assert found[0]["commands"].key == ("principal", "key")
    assert found[0][EVENTS].columns == ("originator_id", "originator_version", "sequence", "state", "topic")


def test_a_table_that_is_not_known_is_seen(journal_url: str):
    with closing(open_end(journal_url)) as end:
        end.run("CREATE TABLE invoices (id INTEGER)")
        assert end.list_foreign_tables() == ["invoices"]
