"""Client for witnesses: they are asked after each signature without blocking; if one has seen another history, signing halts."""

from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing, suppress
from functools import partial
from pathlib import Path
from uuid import UUID

import pytest

from deploy.log.writer.witness_client import HttpClient, WitnessClient
from deploy.log.writer.writer import LogWriter, WitnessConflictError
from deploy.stores.log import SqlCosignatures
from deploy.stores.migrating import is_sqlite
from deploy.stores.opening import open_cosignatures
from replay.proof.checkpoints import Checkpoint, Signer, sign, verify_checkpoint
from replay.proof.tiles import build_tree_reader
from replay.proof.tree import consistency_path, root_of
from replay.proof.witness_protocol import Asked
from replay.proof.witnesses import NamedWitness, Standing
from tests.deploy.log.writer.asked_witness import AskedWitness, asked_witness
from tests.deploy.log.writer.conftest import EMBEDDED, SEED, House, Steps, signer_of
from tests.deploy.serving import until
from tests.deploy.stores.stores import commit
from tests.replay.proof.made import MOMENT
from tests.replay.proof.places import WITNESS

pytestmark = EMBEDDED  # what is kept of it: test_kept.py, on both

A = UUID(int=1)
LOG = Signer("kiebitz.example/log/1", SEED)
NOW = 77
SIGNED = Standing(str(WITNESS.key), 1, 3, NOW)


class Asker:
    """A keeper that asks one witness."""

    def __init__(self, house: House, witness: NamedWitness, stack: ExitStack) -> None:
        url = f"sqlite:///{house.folder / 'log.db'}" if is_sqlite(house.url) else house.url
        self.house = house
        self.kept: SqlCosignatures = stack.enter_context(closing(open_cosignatures(url)))
        asking = WitnessClient(house.tree, self.kept, [witness], partial(HttpClient, 0.5), (0.01,), lambda: NOW)
        self.asking = stack.enter_context(closing(asking))
        self.keeper = LogWriter(house.events, house.tree, partial(signer_of, (SEED,)), house.file, lambda: house.now, self.asking)

    def record(self, *positions: int) -> None:
        """Events, and a checkpoint over them."""
        if positions:
            self.house.events.commit_group([commit(A, *positions)])
        self.house.now += 1
        while self.keeper.step():
            pass

    def try_to_record(self, *positions: int) -> None:
        """The same where the witness may have stopped it by then."""
        with suppress(WitnessConflictError):
            self.record(*positions)

    def standing(self) -> Standing | None:
        return next(iter(self.kept.standings()), None)

    def note(self) -> str:
        head = self.house.tree.head()
        assert head is not None
        return head.note or ""

    def stands(self, standing: Standing) -> bool:
        return self.standing() == standing


@pytest.fixture
def witness(tmp_path: Path) -> Iterator[AskedWitness]:
    with asked_witness(tmp_path, LOG.key) as made:
        yield made


Opened = Callable[[], Asker]


@pytest.fixture
def opened(house: House, witness: AskedWitness) -> Iterator[Opened]:
    house.begin()
    with ExitStack() as stack:
        yield lambda: Asker(house, witness.named, stack)


def test_after_each_checkpoint_its_signature_is_published_and_kept(opened: Opened, witness: AskedWitness):
    asker = opened()
    for size in (1, 2, 3):
        asker.record(size)
        until(partial(asker.stands, SIGNED._replace(size=size)))
        checkpoint, signed = verify_checkpoint(asker.note(), [LOG.key, WITNESS.key])
        assert (checkpoint.size, signed) == (size, {LOG.key: 0, WITNESS.key: MOMENT})
    assert witness.asked == [0, 1, 2]
    assert asker.house.tree.head() == asker.keeper._head._replace(note=asker.note())  # pyrefly: ignore[missing-attribute]
    kept = asker.kept._store.query("SELECT epoch, size, witness FROM log_cosignatures ORDER BY size")
    assert kept == [(1, size, str(WITNESS.key)) for size in (1, 2, 3)]


def test_one_that_does_not_answer_delays_nothing_and_is_asked_again(opened: Opened, witness: AskedWitness):
    witness.heard.clear()
    asker = opened()
    for size in (1, 2):
        asker.record(size)
        assert verify_checkpoint(asker.note(), [LOG.key])[0].size == size
    until(partial(asker.stands, Standing(str(WITNESS.key), 1, trouble="away", since=NOW)))
    asker.record(3)
    assert verify_checkpoint(asker.note(), [LOG.key])[0].size == 3
    witness.heard.set()
    until(partial(asker.stands, SIGNED))
    assert WITNESS.key in verify_checkpoint(asker.note(), [LOG.key, WITNESS.key])[1]


@pytest.mark.parametrize(
    ("status", "trouble"), [(500, "away"), (503, "away"), (429, "away"), (403, "refused"), (404, "refused"), (200, "refused")]
)
def test_what_keeps_it_from_signing_is_told_until_it_signs(opened: Opened, witness: AskedWitness, status: int, trouble: str):
    witness.status = status
    asker = opened()
    asker.record(1, 2, 3)
    until(partial(asker.stands, Standing(str(WITNESS.key), 1, trouble=trouble, since=NOW)))  # pyrefly: ignore[bad-argument-type]
    witness.status = None
    until(partial(asker.stands, SIGNED))


def test_another_process_goes_on_from_the_size_that_was_signed_last(opened: Opened, witness: AskedWitness):
    first = opened()
    first.record(1, 2)
    until(partial(first.stands, SIGNED._replace(size=2)))
    again = opened()
    again.record(3)
    until(partial(again.stands, SIGNED))
    assert witness.asked == [0, 2]


def test_an_answer_that_was_lost_does_no_harm(opened: Opened, witness: AskedWitness):
    asker = opened()
    asker.record(1)
    until(partial(asker.stands, SIGNED._replace(size=1)))
    witness.heard.clear()
    asker.record(2, 3)
    until(partial(asker.stands, SIGNED._replace(size=1, trouble="away", since=NOW)))
    witness.witness.add_checkpoint(Asked(1, path(asker, 1), sign_at(asker.house, 3)).body)
    witness.heard.set()
    until(partial(asker.stands, SIGNED))
    assert asker.note().count("witness.example") == 1


def path(asker: Asker, old: int) -> tuple[bytes, ...]:
    return consistency_path(build_tree_reader(asker.house.tree.tile), old, 3)


def sign_at(house: House, size: int) -> str:
    return sign(Checkpoint(LOG.key.name, size, root_of(build_tree_reader(house.tree.tile), 0, size)).text, LOG)


def foreign(size: int) -> bytes:
    """Return what the witness has seen of another history under the same name."""
    return Asked(0, (), sign(Checkpoint(LOG.key.name, size, bytes(32)).text, LOG)).body


@pytest.mark.parametrize(
    ("size", "found", "said"),
    [
        (9, Standing(str(WITNESS.key), 1, trouble="ahead", since=NOW, named=9), "has signed 9 entries of"),
        (2, Standing(str(WITNESS.key), 1, trouble="disagrees", since=NOW), "has signed another history of"),
        (3, Standing(str(WITNESS.key), 1, trouble="disagrees", since=NOW), "has signed another history of"),
    ],
)
def test_one_that_has_seen_another_past_stops_the_signing(opened: Opened, witness: AskedWitness, size: int, found: Standing, said: str):
    witness.witness.add_checkpoint(foreign(size))
    asker = opened()
    asker.try_to_record(1, 2, 3)
    until(partial(asker.stands, found))
    before = asker.house.file.note()
    for stopped in (asker, opened()):
        with pytest.raises(WitnessConflictError, match=f"the witness witness.example/w1 {said} kiebitz.example/log/1"):
            stopped.record(4 if stopped is asker else 5)
        assert (stopped.house.file.note(), verify_checkpoint(stopped.note(), [LOG.key])[0].size) == (before, 3)


def signs_again(asker: Asker) -> bool:
    asker.try_to_record()
    return asker.stands(SIGNED._replace(size=4))


def test_once_the_events_are_back_it_signs_again(opened: Opened, witness: AskedWitness, house: House, caught_up: Steps):
    asker = opened()
    house.events.commit_group([commit(A, 1, 2, 3)])
    caught_up(house.keeper())
    ahead = Standing(str(WITNESS.key), 1, trouble="ahead", since=NOW, named=3)
    witness.witness.add_checkpoint(Asked(0, (), sign_at(house, 3)).body)
    asker.kept.record_failure(ahead)
    again = opened()
    again.try_to_record(4)
    until(partial(signs_again, again))
    assert verify_checkpoint(again.note(), [LOG.key])[0].size == 4


def test_the_next_log_is_asked_for_anew_and_signs_though_the_witness_does_not_know_it(opened: Opened, witness: AskedWitness, house: House):
    witness.witness.add_checkpoint(foreign(9))
    asker = opened()
    asker.try_to_record(1)
    until(partial(asker.stands, Standing(str(WITNESS.key), 1, trouble="ahead", since=NOW, named=9)))
    house.begin(2, "{}")
    asker.record(2)
    until(partial(asker.stands, Standing(str(WITNESS.key), 2, trouble="refused", since=NOW)))
    assert verify_checkpoint(asker.note(), [Signer("kiebitz.example/log/2", SEED).key])[0].size == 3


def test_one_that_is_named_no_more_stops_nobody(opened: Opened, witness: AskedWitness, house: House):
    witness.witness.add_checkpoint(foreign(9))
    asker = opened()
    asker.try_to_record(1)
    until(partial(asker.stands, Standing(str(WITNESS.key), 1, trouble="ahead", since=NOW, named=9)))
    with ExitStack() as stack:
        other = Asker(house, NamedWitness("http://127.0.0.1:9", "other.example/w1+" + str(WITNESS.key).partition("+")[2]), stack)
        other.record(2)
        assert verify_checkpoint(other.note(), [LOG.key])[0].size == 2
