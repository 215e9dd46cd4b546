"""Witness rules: what it cosigns, refuses and stores, with its store and over HTTP (c2sp.org/tlog-witness)."""

import sqlite3
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from hashlib import sha256
from pathlib import Path
from threading import Barrier

import pytest
from litestar.testing import TestClient

from deploy.config.failures import Failure
from deploy.log.witness.witness import ClockError, Witness, create_app, open_witness, read_conflict_proofs
from deploy.stores.witness import WitnessStore
from domain.errors import Unavailable
from replay.proof.checkpoints import Checkpoint, Signer, sign, verify_checkpoint
from replay.proof.witness_protocol import Asked, ConflictProof, CosignatureRefusedError
from tests.deploy.log.witness.logs import FORKED, HONEST, SHARED, asked, at
from tests.replay.proof.made import MOMENT
from tests.replay.proof.places import LOG, WITNESS

OTHER = Signer("other.example/log/1", b"\5" * 32)


class House:
    """A witness whose clock goes on when it is told to."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.now = folder, MOMENT
        self.store = WitnessStore(folder / "witness.db")
        self.witness = Witness(self.store, WITNESS, (LOG.key, OTHER.key), lambda: self.now + 0.5)

    def again(self) -> "House":
        """As after a crash: another process at the same file."""
        return House(self.folder)


@pytest.fixture
def house(tmp_path: Path) -> Iterator[House]:
    made = House(tmp_path)
    with closing(made.store):
        yield made


def refused(witness: Witness, body: bytes) -> tuple[str, int]:
    with pytest.raises(CosignatureRefusedError) as why:
        witness.add_checkpoint(body)
    return why.value.why, why.value.size


def test_it_cosigns_what_continues_and_says_when(house: House):
    lines = []
    for old, new in ((0, 7), (7, 20), (20, 20), (20, 30)):
        house.now += 1
        lines.append(house.witness.add_checkpoint(asked(HONEST, old, new).body))
    noted = [HONEST.checkpoint(size) + line for size, line in zip((7, 20, 20, 30), lines, strict=True)]
    signed = [verify_checkpoint(note, [LOG.key, WITNESS.key])[1][WITNESS.key] for note in noted]
    assert signed == [MOMENT + after for after in (1, 2, 3, 4)]


def test_each_log_has_a_past_of_its_own(house: House):
    other = sign(Checkpoint(OTHER.key.name, 3, bytes(32)).text, OTHER)
    house.witness.add_checkpoint(asked(HONEST, 0, 7).body)
    house.witness.add_checkpoint(Asked(0, (), other).body)
    assert refused(house.witness, asked(HONEST, 3, 7).body) == ("other_size", 7)
    assert refused(house.witness, Asked(0, (), other).body) == ("other_size", 3)


def test_another_past_is_refused_after_a_restart_as_well_and_kept(house: House):
    house.witness.add_checkpoint(asked(HONEST, 0, 25).body)
    with closing(house.again().store) as store:
        witness = Witness(store, WITNESS, (LOG.key,), lambda: house.now + 9)
        longer = Asked(25, asked(FORKED, SHARED, 30).path, FORKED.checkpoint(30))
        assert refused(witness, longer.body) == ("not_an_extension", 0)
        assert refused(witness, longer.body) == ("not_an_extension", 0)
        assert refused(witness, asked(FORKED, 0, 25).body) == ("other_size", 25)
        assert witness.add_checkpoint(asked(HONEST, 25, 30).body)
        cosigned = HONEST.checkpoint(25) + WITNESS.line(at(HONEST, 25).text, MOMENT)
        assert store.list_conflict_proofs() == [
            ConflictProof(LOG.key.name, False, cosigned, longer.body, MOMENT + 9),
            ConflictProof(LOG.key.name, True, cosigned, asked(FORKED, 0, 25).body, MOMENT + 9),
        ]


def test_of_what_anybody_can_ask_again_and_again_only_the_first_is_kept(house: House):
    house.witness.add_checkpoint(asked(HONEST, 0, 25).body)
    for number in range(120):
        refused(house.witness, Asked(25, (number.to_bytes(32),), HONEST.checkpoint(30)).body)
    refused(house.witness, asked(FORKED, 0, 25).body)
    assert [one.proves for one in house.store.list_conflict_proofs()] == [False] * 100 + [True]


def test_of_two_who_ask_at_once_for_different_pasts_one_is_refused(house: House):
    house.witness.add_checkpoint(asked(HONEST, 0, SHARED).body)
    together = Barrier(2, timeout=60)

    def ask(log: object) -> str:
        together.wait()
        try:
            return house.witness.add_checkpoint(asked(log, SHARED, 25).body)  # pyrefly: ignore[bad-argument-type]
        except CosignatureRefusedError as why:
            return why.why

    with ThreadPoolExecutor(2) as two:
        answers = list(two.map(ask, (HONEST, FORKED)))
    assert answers.count("other_size") == 1
    assert [one.proves for one in house.store.list_conflict_proofs()] == [True]


def test_a_signature_is_never_older_than_the_one_before(house: House):
    house.witness.add_checkpoint(asked(HONEST, 0, 7).body)
    house.now -= 5
    with pytest.raises(ClockError) as behind:
        house.witness.add_checkpoint(asked(HONEST, 7, 20).body)
    assert behind.value.seconds == 5
    house.now += 5
    house.witness.add_checkpoint(asked(HONEST, 7, 20).body)


def test_what_cannot_be_stored_is_not_signed(house: House):
    with closing(sqlite3.connect(house.folder / "witness.db")) as full:
        full.execute("CREATE TRIGGER full BEFORE INSERT ON cosigned BEGIN SELECT RAISE(FAIL, 'disk full'); END")
        with pytest.raises(Unavailable):
            house.witness.add_checkpoint(asked(HONEST, 0, 7).body)
        full.execute("DROP TRIGGER full")
    assert refused(house.witness, asked(HONEST, 7, 20).body) == ("other_size", 0)


def test_it_speaks_the_protocol(house: House):
    with TestClient(create_app(house.witness)) as client:
        good = client.post("/add-checkpoint", content=asked(HONEST, 0, 20).body)
        assert (good.status_code, good.text) == (200, WITNESS.line(at(HONEST, 20).text, MOMENT))
        other = client.post("/add-checkpoint", content=asked(HONEST, 7, 25).body)
        assert (other.status_code, other.headers["content-type"].split(";")[0], other.text) == (409, "text/x.tlog.size", "20\n")
        strange = Asked(0, (), sign(Checkpoint("strange.example/1", 1, bytes(32)).text, Signer("strange.example/1", bytes(32))))
        answers = {
            400: b"hello",
            404: strange.body,
            403: asked(HONEST, 20, 25).body.replace(b"\n25\n", b"\n26\n"),
            422: Asked(20, (), FORKED.checkpoint(30)).body,
            413: b"old 0\n" + bytes(70_000),
        }
        assert [client.post("/add-checkpoint", content=body).status_code for body in answers.values()] == list(answers)
        assert client.get("/add-checkpoint").status_code == 405
        assert client.post("/nothing").status_code == 404
        newest = client.get(f"/{sha256(LOG.key.name.encode()).hexdigest()}/checkpoint")
        assert (newest.status_code, newest.text) == (200, HONEST.checkpoint(20) + good.text)
        assert client.get(f"/{sha256(b'other').hexdigest()}/checkpoint").status_code == 404
        house.now -= 7
        later = client.post("/add-checkpoint", content=asked(HONEST, 20, 25).body)
        assert (later.status_code, later.headers["retry-after"]) == (503, "7")


def test_a_folder_has_one_key_and_one_name(tmp_path: Path):
    with open_witness(tmp_path / "w", "one.example", (LOG.key,), float) as (_, first):
        pass
    with open_witness(tmp_path / "w", None, (LOG.key,), float) as (_, again):
        assert again == first
    assert [(tmp_path / "w" / name).stat().st_mode & 0o777 for name in (".", "witness.key", "witness.db")] == [0o700, 0o600, 0o600]
    with pytest.raises(Failure, match="belongs to the witness"), open_witness(tmp_path / "w", "two.example", (), float):
        pass
    (tmp_path / "w" / "witness.key").write_text("ab" * 32)
    with pytest.raises(Failure, match="belongs to the witness"), open_witness(tmp_path / "w", None, (), float):
        pass
    (tmp_path / "w" / "witness.key").write_text("nothing")
    with pytest.raises(Failure, match="contains no key"), open_witness(tmp_path / "w", None, (), float):
        pass


def test_one_that_has_forgotten_signs_nothing(tmp_path: Path):
    with open_witness(tmp_path, "one.example", (LOG.key,), float):
        pass
    for file in tmp_path.glob("witness.db*"):
        file.unlink()
    with pytest.raises(Failure, match="forgotten"), open_witness(tmp_path, "one.example", (LOG.key,), float):
        pass
    assert not (tmp_path / "witness.db").exists()


def test_a_name_is_needed_once_and_has_no_spaces(tmp_path: Path):
    for name, problem in ((None, "Give the witness a name"), ("my witness", "is not a valid name"), ("a+b", "is not a valid name")):
        with pytest.raises(Failure, match=problem), open_witness(tmp_path / "w", name, (LOG.key,), float):
            pass
    with pytest.raises(Failure, match="There is no witness"):
        read_conflict_proofs(tmp_path)
