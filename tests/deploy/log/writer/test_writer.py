"""Log writer: every event is in the tree once; it halts rather than contradict what was signed."""

from uuid import UUID

import pytest

from deploy.log.writer.log_rebuild import compute_marks
from deploy.log.writer.verification import compute_roots
from deploy.log.writer.writer import OtherStore, StoreChangedError, StoreIncompleteError
from domain.journal.commits import Commit, StoredEvent
from domain.journal.log import LogEpoch, stream_of_log
from domain.journal.registers import Duplicate
from replay.proof.checkpoints import Checkpoint, Signer, read_checkpoint, verify_checkpoint
from replay.proof.log import Leaf, mark_at
from replay.proof.tiles import TilesMissing, build_tree_reader, grow_tiles
from replay.proof.tree import ZEROS, commitment_to, head_of, mark_of, root_of, salt_of
from tests.deploy.log.writer.conftest import AT, EMBEDDED, SEED, House, Steps
from tests.deploy.stores.stores import commit
from tests.replay.proof.places import BLINDING, LOG, WORKED

A, B = UUID(int=1), UUID(int=2)
ORIGIN = "kiebitz.example/log/1"


def signed(house: House) -> Checkpoint:
    """Return the published checkpoint."""
    head = house.tree.head()
    assert head is not None
    assert head.note is not None
    checkpoint, _ = verify_checkpoint(head.note, [Signer(f"kiebitz.example/log/{head.epoch}", SEED).key])
    return checkpoint


def root(house: House, size: int) -> bytes:
    return root_of(build_tree_reader(house.tree.tile), 0, size)


def test_the_worked_events_come_to_the_worked_root(house: House, caught_up: Steps):
    for leaf in WORKED["1_leaves"]["leaves"]:
        event = StoredEvent(UUID(leaf["stream"]), leaf["position"], leaf["name"], leaf["bytes"].encode())
        house.events.commit_group([Commit((event,))])
    house.begin()
    caught_up(house.keeper())
    assert signed(house) == Checkpoint(ORIGIN, 5, bytes.fromhex(WORKED["1_leaves"]["root_of_5"]))


def test_a_store_from_before_is_taken_up_whole_in_the_order_of_its_commits(house: House, caught_up: Steps):
    house.events.commit_group([commit(A, 1, 2), commit(B, 1), commit(A, 3)])
    house.begin()
    keeper = house.keeper()
    caught_up(keeper)
    house.events.commit_group([commit(B, 2)])
    caught_up(keeper)
    expected = [Leaf(0, A, 1, 1), Leaf(1, A, 2, 2), Leaf(2, B, 1, 3), Leaf(3, A, 3, 4), Leaf(4, B, 2, 5)]
    assert house.tree.leaves(0, 10) == expected
    assert house.tree.leaf_of(A, 3) == expected[3]
    assert house.tree.leaf_of(A, 4) is None


@EMBEDDED
def test_each_event_rests_on_the_mark_of_the_one_before_it(house: House, caught_up: Steps):
    """Also where another keeper goes on, which has nothing in memory."""
    house.begin()
    house.events.commit_group([commit(A, 1, state=b"{}")])
    caught_up(house.keeper())
    house.events.commit_group([commit(A, 2, state=b'{"b":2}')])
    caught_up(house.keeper())
    mark = ZEROS
    for position, state in ((1, b"{}"), (2, b'{"b":2}')):
        commitment = commitment_to(salt_of(BLINDING, A, position), head_of(A, position, "move.played/1"), state)
        mark = mark_of(A, position, mark, commitment)
        assert mark_at(house.tree, position - 1) == mark


@EMBEDDED
def test_more_than_a_tile_is_signed_like_less(house: House, caught_up: Steps):
    house.begin()
    keeper = house.keeper()
    for first in range(1, 700, 100):
        house.events.commit_group([commit(A, *range(first, first + 100))])
        caught_up(keeper)
        house.now += 1
        keeper.step()
    assert signed(house) == Checkpoint(ORIGIN, 700, root(house, 700))


@EMBEDDED
def test_it_signs_at_most_once_a_second_but_at_once_when_a_hand_ends(house: House):
    house.begin()
    keeper, sizes = house.keeper(), []
    for position, state in ((1, b"{}"), (2, b"{}"), (3, b'{"effects":[["closed","played_out",{}]]}'), (4, b"{}")):
        house.events.commit_group([commit(A, position, state=state)])
        keeper.step()
        sizes.append(signed(house).size)
        house.now += 0.3
    house.now += 0.5
    keeper.step()
    assert [*sizes, signed(house).size] == [1, 1, 3, 3, 4]


@EMBEDDED
def test_it_enters_together_what_comes_within_a_second_but_at_once_when_a_hand_ends(house: House):
    house.begin()
    keeper, sizes = house.keeper(gather=1.0), []

    def entered() -> int:
        head = house.tree.head()
        return head.size if head else 0

    for position, state in ((1, b"{}"), (2, b"{}"), (3, b'{"effects":[["closed","played_out",{}]]}'), (4, b"{}"), (5, b"{}")):
        house.events.commit_group([commit(A, position, state=state)])
        keeper.step()
        sizes.append(entered())
        house.now += 0.3
    house.now += 0.2
    keeper.step()
    assert ([*sizes, entered()], signed(house)) == ([1, 1, 3, 3, 3, 5], Checkpoint(ORIGIN, 5, root(house, 5)))


@EMBEDDED
def test_it_enters_many_without_waiting_for_the_next_checkpoint(house: House):
    house.begin()
    keeper = house.keeper(gather=1.0)
    for first in range(1, 200, 50):
        house.events.commit_group([commit(A, *range(first, first + 50))])
        keeper.step()
    head = house.tree.head()
    assert head is not None
    assert (head.size, signed(house).size) == (150, 50)


def test_what_was_signed_before_a_kill_is_published_after_it(house: House, caught_up: Steps):
    """The file beside the key is written first: nobody was told of this checkpoint yet, and it must not be forgotten."""
    house.begin()
    house.events.commit_group([commit(A, 1, 2)])

    class Killed(Exception):
        pass

    class Tree:
        """Stands for the process that is gone before it can publish."""

        def __getattr__(self, name: str) -> object:
            return getattr(house.tree, name)

        def publish(self, epoch: int, size: int, note: str, at: float) -> None:
            raise Killed

    with pytest.raises(Killed):
        caught_up(house.keeper(tree=Tree()))  # pyrefly: ignore[bad-argument-type]
    written = house.file.note()
    assert house.tree.head().note is None  # pyrefly: ignore[missing-attribute]
    caught_up(house.keeper())
    assert house.tree.head().note == written  # pyrefly: ignore[missing-attribute]


def test_a_tree_that_is_gone_is_made_anew_and_has_the_signed_root(house: House, caught_up: Steps):
    house.begin()
    house.events.commit_group([commit(A, *range(1, 300))])
    caught_up(house.keeper())
    before = signed(house)
    house.tree.begin(0)
    caught_up(house.keeper())
    assert signed(house) == before


CRASHES = {
    "the newest leaves are gone": ("UPDATE log_head SET size = 1, sequence = 1", "DELETE FROM log_leaves WHERE leaf > 0"),
    "leaves are gone and the head is not": ("UPDATE log_tiles SET hashes = substr(hashes, 1, 32)",),
    "all tiles are gone": ("DELETE FROM log_tiles",),
}


@pytest.mark.parametrize("lost", CRASHES.values(), ids=CRASHES)
def test_a_tree_that_lost_something_in_a_crash_is_whole_again_without_a_failure(house: House, caught_up: Steps, lost: tuple[str, ...]):
    """Its commits wait for no disk, so a database that was killed comes back without the newest of them."""
    house.begin()
    house.events.commit_group([commit(A, 1, 2)])
    keeper = house.keeper()
    caught_up(keeper)
    with house.tree.store.transaction() as tx:
        for statement in ("UPDATE log_tiles SET hashes = substr(hashes, 1, 32)", *lost):
            tx.run(statement)
    house.events.commit_group([commit(A, 3), commit(B, 1)])
    house.now += 1
    caught_up(keeper)
    assert signed(house) == Checkpoint(ORIGIN, 4, root(house, 4))
    _, roots = compute_roots(compute_marks(house.events, house.events.log_epochs()[0]), {4})
    assert roots[4] == root(house, 4)


def test_what_a_tree_does_not_hold_is_told_as_such(house: House, caught_up: Steps):
    house.begin()
    house.events.commit_group([commit(A, 1, 2)])
    caught_up(house.keeper())
    with house.tree.store.transaction() as tx:
        tx.run("DELETE FROM log_tiles")
    for read in (lambda: root(house, 2), lambda: mark_at(house.tree, 1), lambda: grow_tiles(house.tree.tile, 2, [bytes(32)])):
        with pytest.raises(TilesMissing):
            read()


def test_a_store_that_was_set_back_signs_nothing_until_its_events_are_back(house: House, caught_up: Steps):
    house.begin()
    house.events.commit_group([commit(A, 1, 2, 3)])
    caught_up(house.keeper())
    before = house.file.note()
    house.set_back(3)
    house.tree.begin(0)
    with pytest.raises(StoreIncompleteError, match="3 entries were signed, and the store has 2"):
        caught_up(house.keeper())
    assert (house.file.note(), house.tree.head().note) == (before, None)  # pyrefly: ignore[missing-attribute]
    house.events.commit_group([commit(A, 3)])
    keeper = house.keeper()
    caught_up(keeper)
    assert signed(house).size == 3


@EMBEDDED
def test_a_store_that_went_on_otherwise_signs_nothing(house: House, caught_up: Steps):
    house.begin()
    house.events.commit_group([commit(A, 1, 2)])
    caught_up(house.keeper())
    before = house.file.note()
    house.set_back(2)
    house.tree.begin(0)
    house.events.commit_group([commit(A, 2, state=b'{"another":true}'), commit(A, 3)])
    with pytest.raises(StoreChangedError):
        caught_up(house.keeper())
    assert house.file.note() == before


def test_in_another_epoch_of_the_store_nothing_is_signed_until_the_log_is_forked(house: House, caught_up: Steps):
    house.begin()
    house.events.commit_group([commit(A, 1)])
    caught_up(house.keeper())
    house.events.begin_epoch(1)
    with pytest.raises(OtherStore):
        house.keeper().step()
    house.begin(2, forked='{"at":"…"}')
    caught_up(house.keeper())
    assert house.tree.leaves(0, 5) == [Leaf(0, stream_of_log("kiebitz.example/log/2"), 1, 0), Leaf(1, A, 1, 1)]
    assert signed(house) == Checkpoint("kiebitz.example/log/2", 2, root(house, 2))


@EMBEDDED
def test_a_store_from_before_a_fork_signs_nothing(house: House, caught_up: Steps):
    """A backup that knows the first log only, beside a key that signed the second one."""
    house.begin()
    house.events.commit_group([commit(A, 1)])
    house.file.write(f"kiebitz.example/log/2\n9\n{'A' * 43}=\n\n{LOG.line('x')}")
    with pytest.raises(StoreIncompleteError, match="of which this store knows nothing"):
        caught_up(house.keeper())


@EMBEDDED
def test_only_the_key_of_the_log_keeps_it(house: House):
    house.begin()
    other = house.keeper(None, bytes(32))
    assert (other.step(), other.leads, house.tree.head()) == (False, False, None)


def test_of_two_keepers_at_the_same_store_each_goes_on_where_the_other_was(house: House, caught_up: Steps):
    house.begin()
    one, other = house.keeper(), house.keeper(tree=house.opened_tree())
    for position in range(1, 8):
        house.events.commit_group([commit(A, position), commit(B, position)])
        (one if position % 2 else other).step()
        house.now += 1
    caught_up(other)
    caught_up(one)
    assert [(leaf.stream, leaf.position) for leaf in house.tree.leaves(0, 20)] == [(game, at) for at in range(1, 8) for game in (A, B)]
    assert signed(house).root == root(house, 14)


def test_only_one_of_two_who_begin_an_epoch_at_the_same_time_begins_it(house: House):
    house.begin()
    with pytest.raises(Duplicate):
        house.begin()
    [epoch] = house.events.log_epochs()
    assert epoch == LogEpoch(1, ORIGIN, str(LOG.key), house.events.epoch.id, AT)
    assert [key.key for key in house.events.blinding_keys(1)] == [BLINDING]


def test_keys_that_signed_what_was_told_are_kept_in_their_order(house: House):
    for key, since in (("b", "2026-11-21"), ("a", "2026-11-22"), ("b", "2026-11-23")):
        house.events.keep_log_key(key, since)
    assert house.events.log_keys() == ["b", "a"]


def test_the_signed_file_is_its_owners_only_and_whole(house: House):
    note = house.file
    note.write(f"{ORIGIN}\n0\n{'A' * 43}=\n\n{LOG.line('x')}")
    assert (house.folder / "log.signed").stat().st_mode & 0o777 == 0o600
    assert note.checkpoint() == read_checkpoint(note.note() or "")
    assert [path.name for path in house.folder.iterdir() if path.name.startswith(".log")] == []


def test_of_two_keepers_with_one_file_the_one_behind_does_not_set_it_back(house: House):
    """Between reading the head and signing it another keeper may have signed more."""
    later, earlier, forked = (f"{origin}\n{size}\n{'A' * 43}=\n\n{LOG.line('x')}" for origin, size in ((ORIGIN, 9), (ORIGIN, 8), ("b", 1)))
    for note, there in ((earlier, earlier), (later, later), (earlier, later), (forked, forked)):
        house.file.write(note)
        assert house.file.note() == there
