"""Key rotation of a log that continues: an entry signed by the old and the new key, reproduced when the tree is recomputed."""

from datetime import UTC, datetime
from uuid import UUID

import msgspec
import pytest

from deploy.log.writer.epochs import IncompleteTreeError, change_key, rotate
from deploy.log.writer.log_rebuild import compute_marks
from domain.journal.log import ROTATED, stream_of_log
from replay.proof.checkpoints import Checkpoint, Signer, open_signed_note, verify_checkpoint
from replay.proof.log import Leaf, mark_at
from tests.deploy.log.writer.conftest import EMBEDDED, SEED, House, Steps
from tests.deploy.stores.stores import commit

A = UUID(int=1)
ORIGIN = "kiebitz.example/log/1"
NOW = datetime(2026, 11, 21, 21, tzinfo=UTC)
OLD, NEW = Signer(ORIGIN, SEED), Signer(ORIGIN, b"\7" * 32)
NEWEST = b"\7" * 32


def begun(house: House, caught_up: Steps) -> None:
    house.begin()
    house.events.commit_group([commit(A, 1, 2)])
    caught_up(house.keeper())


def told(house: House, key: Signer) -> Checkpoint:
    head = house.tree.head()
    assert head is not None
    assert head.note is not None
    return verify_checkpoint(head.note, [key.key])[0]


def test_the_new_key_signs_from_an_entry_on_that_both_keys_signed(house: House, caught_up: Steps):
    begun(house, caught_up)
    assert rotate(house.events, house.tree, house.file, OLD, NEW, NOW).key == str(NEW.key)
    house.events.commit_group([commit(A, 3)])
    caught_up(house.keeper(None, NEWEST))
    assert told(house, NEW).size == 4
    assert house.tree.leaves(2, 2) == [Leaf(2, stream_of_log(ORIGIN), 1, 2), Leaf(3, A, 3, 3)]
    [entry] = house.events.own_entries(1)
    note = msgspec.json.decode(entry.state)["body"]["note"]
    for key in (OLD, NEW):
        text, _ = open_signed_note(note, ORIGIN, [key.key])
        assert text == f"kiebitz-rotated/1\n{ORIGIN}\n{OLD.key}\n{NEW.key}\n"
    assert (entry.leaf, entry.name) == (2, ROTATED)
    assert house.events.log_keys() == [str(OLD.key), str(NEW.key)]


@EMBEDDED
def test_the_old_key_keeps_it_no_more_and_a_keeper_that_gets_the_new_one_goes_on(house: House, caught_up: Steps):
    begun(house, caught_up)
    keeper = house.keeper(None, SEED, NEWEST)
    old = house.keeper()
    caught_up(keeper)
    rotate(house.events, house.tree, house.file, OLD, NEW, NOW)
    house.now += 5
    assert (caught_up(old), old.leads) == (0, False)
    caught_up(keeper)
    assert told(house, NEW).size == 3


def test_a_tree_that_is_made_anew_has_each_entry_where_it_was(house: House, caught_up: Steps):
    begun(house, caught_up)
    keeper = house.keeper(None, SEED, NEWEST)
    for number in range(3):
        rotate(house.events, house.tree, house.file, *((OLD, NEW), (NEW, OLD))[number % 2], NOW)
        change_key(house.events, house.tree, house.file)
        house.events.commit_group([commit(A, 3 + number)])
        house.now += 5
        caught_up(keeper)
    before = house.file.note()
    size = 2 + 2 * 3
    assert list(compute_marks(house.events, house.events.log_epochs()[-1])) == [mark_at(house.tree, leaf) for leaf in range(size)]
    house.tree.begin(0)
    caught_up(house.keeper(None, SEED, NEWEST))
    head = house.tree.head()
    assert (head and head.note, house.file.note()) == (before, before)


@EMBEDDED
def test_two_keys_that_are_replaced_at_once_have_an_entry_each(house: House, caught_up: Steps):
    """The second one comes before any keeper has entered the first."""
    begun(house, caught_up)
    rotate(house.events, house.tree, house.file, OLD, NEW, NOW)
    rotate(house.events, house.tree, house.file, NEW, OLD, NOW)
    caught_up(house.keeper())
    assert [(own.leaf, own.position) for own in house.events.own_entries(1)] == [(2, 1), (3, 2)]
    assert told(house, OLD).size == 4


def test_a_keeper_that_has_read_events_before_a_key_was_replaced_enters_them_behind_it(house: House, caught_up: Steps):
    """The register counts as of the moment when the tree is locked, not before."""
    begun(house, caught_up)
    keeper = house.keeper(None, SEED, NEWEST)
    caught_up(keeper)
    house.events.commit_group([commit(A, 3)])
    read = house.events.events_after(2, 10)
    assert change_key(house.events, house.tree, house.file) == 2
    head = house.tree.head()
    assert head is not None
    keeper._append_batch(house.events.log_epochs()[-1], head, read)
    assert list(compute_marks(house.events, house.events.log_epochs()[-1])) == [mark_at(house.tree, leaf) for leaf in range(3)]


@EMBEDDED
def test_while_the_tree_is_behind_what_was_signed_no_key_is_replaced(house: House, caught_up: Steps):
    begun(house, caught_up)
    house.tree.begin(1)
    with pytest.raises(IncompleteTreeError):
        rotate(house.events, house.tree, house.file, OLD, NEW, NOW)
    with pytest.raises(IncompleteTreeError):
        change_key(house.events, house.opened_tree(), house.file)
    assert (house.events.own_entries(1), len(house.events.blinding_keys(1))) == ([], 1)
