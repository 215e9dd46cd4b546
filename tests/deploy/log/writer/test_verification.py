"""Verification of a store against what was signed: every manipulation that cannot be found in the store alone is found and named."""

import pytest

from deploy.log.writer.epochs import change_key, rotate
from deploy.log.writer.log_rebuild import Blinding, Difference
from deploy.log.writer.verification import CheckResult, TrustedCheckpoint, verify_store, verify_streams
from domain.journal.commits import StoredEvent, to_stored
from domain.journal.log import BlindingKey, stream_of_log
from replay.proof.checkpoints import Checkpoint, read_checkpoint
from replay.proof.tiles import Tile
from replay.proof.tree import ZEROS
from tests.deploy.log.writer.conftest import EMBEDDED, House, Steps
from tests.deploy.log.writer.tamperings import TAMPERINGS, A, B, C, Hand, Tampering, filled, histories
from tests.deploy.log.writer.test_rotation import NEW, NEWEST, NOW, OLD
from tests.tampering import LENGTH, a_game

COUNT = sum(map(len, histories()))
SEVERAL = "two whole games swapped"


@pytest.fixture
def kept(house: House, caught_up: Steps) -> TrustedCheckpoint:
    """The checkpoint of a filled store."""
    filled(house).begin()
    caught_up(house.keeper())
    return TrustedCheckpoint("log.signed", read_checkpoint(house.file.note() or ""))


def held(house: House, *kept: TrustedCheckpoint) -> list[CheckResult]:
    return list(verify_store(house.events, house.tree, kept))


def expected(kept: TrustedCheckpoint, **found: object) -> CheckResult:
    usual = {"verdict": "divergent", "why": "differs", "entries": COUNT}
    return CheckResult(kept.source, kept.checkpoint.origin, kept.checkpoint.size, **(usual | found))  # pyrefly: ignore[bad-argument-type]


def test_a_store_holds_what_was_signed_of_it(house: House, kept: TrustedCheckpoint):
    assert kept.checkpoint.size == COUNT
    assert held(house, kept) == [expected(kept, verdict="sound", why="as_signed")]


@pytest.mark.parametrize(
    ("database_url", "tampering"),
    [pytest.param("postgresql", TAMPERINGS[SEVERAL], id=f"{SEVERAL}, on PostgreSQL")]
    + [pytest.param("sqlite", one, id=name) for name, one in TAMPERINGS.items()],
    indirect=["database_url"],
)
def test_tampering_is_found_and_named(house: House, kept: TrustedCheckpoint, tampering: Tampering):
    tampering.do(Hand(house))
    house.open_again()
    [found] = held(house, kept)
    assert (found.verdict, found.why, set(found.differences)) == ("divergent", "differs", set(tampering.found))
    streams = [difference.stream for difference in tampering.found if difference.way != "added"]
    for stream in streams:
        alone = verify_streams(house.events, house.tree, kept, [stream])
        assert set(alone.differences) == {one for one in tampering.found if one.stream == stream}


@EMBEDDED
def test_a_store_goes_on_and_still_holds_what_was_signed(house: House, kept: TrustedCheckpoint):
    Hand(house).record(a_game(game=C)[0])
    assert held(house, kept) == [expected(kept, verdict="sound", why="as_signed", entries=COUNT + 1)]
    assert verify_streams(house.events, house.tree, kept, [A, B]).entries == 2 * LENGTH
    assert verify_streams(house.events, house.tree, kept, [C]) == expected(kept, verdict="not_judged", why="unsigned", entries=0)


@EMBEDDED
def test_where_the_tree_is_gone_it_is_found_and_cannot_be_named(house: House, kept: TrustedCheckpoint):
    assert verify_streams(house.events, house.tree, kept, [A]).verdict == "sound"
    house.tree.begin(1)
    assert held(house, kept) == [expected(kept, verdict="sound", why="as_signed")]
    assert verify_streams(house.events, house.tree, kept, [A]) == expected(kept, verdict="not_judged", why="no_tree", entries=0)
    Hand(house).cut(A, LENGTH - 1)
    assert held(house, kept) == [expected(kept, why="no_tree", entries=COUNT - 1)]


@EMBEDDED
def test_a_tree_that_was_tampered_with_as_well_names_nothing(house: House, kept: TrustedCheckpoint):
    """One bit of the mark of the last event of a game: it leads to no root that was signed."""
    leaf = house.tree.leaf_of(A, LENGTH)
    assert leaf is not None
    tile = bytearray(house.tree.tile(0, 0))
    tile[leaf.leaf * 32] ^= 1
    with house.tree.lock() as tree:
        assert tree.head is not None
        tree.append([(Tile(0, 0), bytes(tile))], [], tree.head.sequence)
    Hand(house).cut(A, LENGTH - 1)
    assert [one.why for one in held(house, kept)] == ["no_tree"]
    assert verify_streams(house.events, house.tree, kept, [A]).why == "no_tree"


@EMBEDDED
def test_each_checkpoint_is_held_by_itself(house: House, caught_up: Steps):
    """An older one is as good as the newest for what it covers, and so it tells when something was still there."""
    house.begin()
    keeper, notes = house.keeper(), []
    for history in histories()[:2]:
        house.events.insert_events([to_stored(recorded) for recorded in history])
        house.now += 1
        caught_up(keeper)
        notes.append(house.file.note() or "")
    early, late = (TrustedCheckpoint(name, read_checkpoint(note)) for name, note in zip(("early", "late"), notes, strict=True))
    wrong = TrustedCheckpoint("wrong", Checkpoint(early.checkpoint.origin, 7, bytes(32)))
    other = TrustedCheckpoint("other", Checkpoint("elsewhere.example/log/1", 7, bytes(32)))
    Hand(house).cut(B, LENGTH - 1)
    found = {one.source: (one.verdict, one.why, one.differences) for one in held(house, late, other, early, wrong)}
    assert found == {
        "early": ("sound", "as_signed", ()),
        "late": ("divergent", "differs", (Difference(B, "gone", LENGTH, LENGTH),)),
        "wrong": ("divergent", "no_tree", ()),
        "other": ("divergent", "unknown_log", ()),
    }
    assert verify_streams(house.events, house.tree, other, [A]).why == "unknown_log"


@EMBEDDED
def test_the_checkpoint_of_a_log_that_was_forked_still_counts(house: House, kept: TrustedCheckpoint, caught_up: Steps):
    """As long as everything is there: a store that lies elsewhere now has a new log, and the same events."""
    house.begin(2, forked='{"at":"…"}')
    house.now += 1
    caught_up(house.keeper())
    second = TrustedCheckpoint("log.signed", read_checkpoint(house.file.note() or ""))
    assert second.checkpoint.size == COUNT + 1
    assert held(house, kept, second) == [
        expected(kept, verdict="sound", why="as_signed"),
        expected(second, verdict="sound", why="as_signed", entries=COUNT + 1),
    ]
    Hand(house).cut(A, LENGTH - 1)
    assert [(one.why, one.differences) for one in held(house, kept, second)] == [
        ("no_tree", ()),
        ("differs", (Difference(A, "gone", LENGTH, LENGTH),)),
    ]


def test_a_key_that_blinds_from_a_leaf_on_changes_none_before_it():
    first, second = BlindingKey(1, 0, bytes(32)), BlindingKey(1, 2, b"\1" * 32)
    event, both = StoredEvent(A, 1, "note.added/1", b"{}"), Blinding([first, second])
    marks = [both.mark(leaf, event, ZEROS) for leaf in range(4)]
    before, after = (Blinding([key]).mark(2, event, ZEROS) for key in (first, second._replace(leaf=0)))
    assert marks == [before, before, after, after]


def test_where_keys_were_replaced_what_the_log_said_of_it_is_held_as_well(house: House, kept: TrustedCheckpoint, caught_up: Steps):
    rotate(house.events, house.tree, house.file, OLD, NEW, NOW)
    change_key(house.events, house.tree, house.file)
    Hand(house).record(a_game(game=C)[0])
    house.now += 1
    caught_up(house.keeper(None, NEWEST))
    newest = TrustedCheckpoint("log.signed", read_checkpoint(house.file.note() or ""))
    assert held(house, newest, kept) == [
        expected(newest, verdict="sound", why="as_signed", entries=COUNT + 2),
        expected(kept, verdict="sound", why="as_signed", entries=COUNT + 2),
    ]
    hand = Hand(house)
    hand.cut(A, LENGTH - 1)
    assert [one.differences for one in held(house, newest)] == [(Difference(A, "gone", LENGTH, LENGTH),)]
    hand.do("UPDATE log_entries SET state = '{}'")
    own = Difference(stream_of_log(newest.checkpoint.origin), "changed", 1, 1)
    assert [set(one.differences) for one in held(house, newest)] == [{Difference(A, "gone", LENGTH, LENGTH), own}]
