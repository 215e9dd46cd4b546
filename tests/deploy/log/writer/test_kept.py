"""Retained checkpoints, on both databases: the first one behind a leaf is found by an index, however many there are."""

from deploy.stores.log import SqlCosignatures
from deploy.stores.migrating import is_sqlite
from deploy.stores.opening import open_trusted_checkpoints
from replay.proof.witnesses import Standing
from tests.deploy.log.writer.conftest import House

FIRST = "SELECT size, note FROM log_kept WHERE epoch = 1 AND size > 7 AND size < 90000 ORDER BY size LIMIT 1"


def test_the_first_one_behind_a_leaf_and_before_the_newest(house: House):
    kept = open_trusted_checkpoints(house.tree)
    assert kept.first_with_leaf(1, 0, 100) is None
    for size in (9, 5, 9, 20):
        kept.keep(1, size, f"note of {size}\n")
    kept.keep(2, 7, "of the next log\n")
    found = {leaf: kept.first_with_leaf(1, leaf, 20) for leaf in (0, 4, 5, 8, 9)}
    assert found == {0: "note of 5\n", 4: "note of 5\n", 5: "note of 9\n", 8: "note of 9\n", 9: None}


def test_what_witnesses_signed_counts_as_well_and_comes_with_all_their_lines(house: House):
    house.tree.begin(1)
    kept, witnesses = open_trusted_checkpoints(house.tree), SqlCosignatures(house.tree.store)
    for name in ("b", "a"):
        witnesses.record_cosignature(Standing(name, 1, 6, 0), "note of 6\n", f"line of {name}\n")
    assert kept.first_with_leaf(1, 0, 20) == "note of 6\nline of a\nline of b\n"
    kept.keep(1, 6, "note of 6\n")
    kept.keep(1, 8, "note of 8\n")
    assert [kept.first_with_leaf(1, leaf, 20) for leaf in (0, 6)] == ["note of 6\nline of a\nline of b\n", "note of 8\n"]


def test_it_stays_where_the_tree_is_begun_anew(house: House):
    kept = open_trusted_checkpoints(house.tree)
    kept.keep(1, 5, "note of 5\n")
    house.tree.begin(1)
    assert kept.first_with_leaf(1, 0, 20) == "note of 5\n"


def test_no_answer_looks_through_all_of_them(house: House):
    open_trusted_checkpoints(house.tree).keep(1, 5, "note\n")
    store = house.tree.store
    if is_sqlite(house.url):
        plan = " ".join(row[3] for row in store.query(f"EXPLAIN QUERY PLAN {FIRST}"))
        assert ("SEARCH" in plan, "USE TEMP B-TREE" in plan) == (True, False)
    else:
        with store.transaction() as tx:
            tx.run("SET LOCAL enable_seqscan = off")  # of so few rows it would read all
            tx.run("SET LOCAL enable_bitmapscan = off")
            plan = " ".join(line for (line,) in tx.query(f"EXPLAIN {FIRST}"))
        assert ("Index Scan" in plan, "Sort" in plan) == (True, False)
