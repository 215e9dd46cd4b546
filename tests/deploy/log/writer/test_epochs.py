"""Beginning of a log, and of the next one where it may not continue."""

from datetime import UTC, datetime
from pathlib import Path
from uuid import UUID

import msgspec
import pytest

from deploy.config.failures import Failure
from deploy.config.settings import Settings
from deploy.log.writer.epochs import begin_log, fork
from deploy.log.writer.key_files import Seeds, log_files
from deploy.system.private import make_secret
from replay.proof.checkpoints import Signer, read_checkpoint
from replay.proof.making import receipt_key_name
from tests.deploy.log.writer.conftest import EMBEDDED, SEED, House, Steps
from tests.deploy.stores.stores import commit

A = UUID(int=1)
NOW = datetime(2026, 11, 21, 20, tzinfo=UTC)
KEYS = Seeds(SEED, b"\2" * 32)


def first(house: House, tmp_path: Path) -> str:
    settings = Settings(tmp_path, log_host="club.example")
    for file, seed in zip(log_files(settings)[:2], KEYS, strict=True):
        file.unlink(missing_ok=True)
        make_secret(file, seed.hex().encode())
    return begin_log(settings, house.events, NOW).origin


def test_the_first_log_is_named_after_its_host_and_begun_once(house: House, tmp_path: Path):
    assert [first(house, tmp_path) for _ in range(2)] == ["club.example/log/1"] * 2
    [epoch] = house.events.log_epochs()
    assert (epoch.number, epoch.store, epoch.began_at) == (1, house.events.epoch.id, "2026-11-21T20:00:00Z")
    assert epoch.key == str(Signer("club.example/log/1", SEED).key)
    assert house.events.log_keys() == [epoch.key, str(Signer(receipt_key_name("club.example/log/1"), KEYS.told).key)]


@EMBEDDED
def test_a_key_that_cannot_be_used_is_refused_also_where_the_log_has_begun(house: House, tmp_path: Path):
    first(house, tmp_path)
    (tmp_path / "log.key").write_text("no key")
    with pytest.raises(Failure, match="contains no key of a log"):
        begin_log(Settings(tmp_path), house.events, NOW)


def forked(house: House) -> dict[str, object]:
    fork(house.events, house.tree, KEYS, house.file.note(), NOW)
    epoch = house.events.log_epochs()[-1]
    read: dict[str, object] = msgspec.json.decode(house.events.own_entries(epoch.number)[0].state)
    assert read["by"] == "kiebitz"
    body = read["body"]
    assert isinstance(body, dict)
    return {**body, "origin": epoch.origin, "store": epoch.store}


def test_a_fork_of_a_whole_store_shares_everything_that_was_signed(house: House, tmp_path: Path, caught_up: Steps):
    first(house, tmp_path)
    house.events.commit_group([commit(A, 1, 2, 3)])
    caught_up(house.keeper())
    house.events.begin_epoch(3)
    was = house.file.note()
    assert forked(house) == {"before": was, "common": 3, "origin": "club.example/log/2", "store": house.events.epoch.id}
    house.now += 2
    caught_up(house.keeper())
    assert read_checkpoint(house.file.note() or "").text.splitlines()[:2] == ["club.example/log/2", "4"]


def test_a_fork_of_a_store_that_was_set_back_shares_what_is_still_there(house: House, tmp_path: Path, caught_up: Steps):
    first(house, tmp_path)
    house.events.commit_group([commit(A, 1, 2, 3)])
    caught_up(house.keeper())
    house.set_back(2)
    house.events.commit_group([commit(A, 2, state=b'{"another":true}')])
    assert forked(house)["common"] == 1


@EMBEDDED
def test_where_the_tree_is_gone_too_nobody_knows_how_much_is_shared(house: House, tmp_path: Path, caught_up: Steps):
    first(house, tmp_path)
    house.events.commit_group([commit(A, 1)])
    caught_up(house.keeper())
    house.tree.begin(0)
    assert forked(house)["common"] is None


@EMBEDDED
def test_a_log_that_signed_nothing_is_forked_from_nothing(house: House, tmp_path: Path):
    first(house, tmp_path)
    assert forked(house) == {"before": None, "common": None, "origin": "club.example/log/2", "store": house.events.epoch.id}
