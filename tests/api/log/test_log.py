"""The log over HTTP, as C2SP has it: checkpoints, tiles, entries, and that one tree is the beginning of another."""

from base64 import b64decode
from pathlib import Path

import pytest
from markupsafe import escape
from msgspec.structs import replace

from replay.proof.checkpoints import Checkpoint, verify_checkpoint
from replay.proof.tiles import HASH, WIDTH, Tile, build_tree_reader
from replay.proof.tree import leaf_hash, root_of, verify_consistency
from tests.api.conftest import Caller, running, settings_of, without_limits
from tests.api.log.conftest import Logged, logging
from tests.api.service.test_metrics import OF_LOG, numbers
from tests.deploy.serving import until


def checkpoint(logged: Logged) -> Checkpoint:
    answer = logged.caller(None).get("/v1/log/checkpoint")
    assert answer.headers["content-type"] == "text/plain; charset=utf-8"
    return verify_checkpoint(answer.text, logged.known_keys())[0]


def record(recorder: Caller, games: int) -> None:
    for _ in range(games):
        recorder.deal(recorder.open())


def fetched(caller: Caller, size: int, level: int, index: int) -> bytes:
    """A tile as a client fetches it: full, or as wide as the tree of this size makes it."""
    width = min(WIDTH, (size >> 8 * level) - index * WIDTH)
    answer = caller.get(f"/v1/log/tile/{Tile(level, index, width).path}")
    assert answer.status_code == 200, answer.text
    return bytes(answer.content)


def test_from_its_tiles_anybody_comes_to_the_root_that_was_signed(new_logged: Logged):
    record(new_logged.caller("recorder"), 3)
    new_logged.sign()
    signed, nobody = checkpoint(new_logged), new_logged.caller(None)
    assert (signed.origin, signed.size) == ("club.example/log/1", 6)
    assert root_of(build_tree_reader(lambda level, index: fetched(nobody, signed.size, level, index)), 0, signed.size) == signed.root


def test_entries_hash_to_the_leaves(new_logged: Logged):
    record(new_logged.caller("recorder"), 2)
    new_logged.sign()
    bundle = new_logged.caller("viewer").get("/v1/log/tile/entries/000.p/4").content
    entries = [bundle[at + 2 : at + 91] for at in range(0, len(bundle), 91)]
    assert {bundle[at : at + 2] for at in range(0, len(bundle), 91)} == {(89).to_bytes(2)}
    assert b"".join(map(leaf_hash, entries)) == new_logged.caller(None).get("/v1/log/tile/0/000.p/4").content


def test_a_full_tile_may_be_kept_a_partial_one_may_not(logged: Logged):
    recorder = logged.caller("recorder")
    for _ in range(130):
        recorder.open()
    for game in [recorder.open() for _ in range(3)]:
        for _ in range(42):
            recorder.post(f"/v1/games/{game}/notes", {"text": "a note"})
    logged.sign()
    size = checkpoint(logged).size
    full, partial = (logged.caller(None).get(f"/v1/log/tile/0/{place}") for place in ("000", f"001.p/{size - WIDTH}"))
    assert full.headers["cache-control"] == "public, max-age=3600, immutable"
    assert (len(full.content), len(partial.content)) == (WIDTH * HASH, (size - WIDTH) * HASH)
    assert "immutable" not in partial.headers["cache-control"]
    assert logged.caller(None).get("/v1/log/tile/1/000.p/1").status_code == 200
    assert logged.caller(None).get("/v1/log/tile/0/000.p/7").content == full.content[: 7 * HASH]


@pytest.mark.parametrize("path", ["0/999", "0/000.p/256", "0/x000/000", "0/000.p/0", "64/000", "a/000", "entries/999"])
def test_what_is_no_tile_of_the_checkpoint_is_not_there(logged: Logged, path: str):
    record(logged.caller("recorder"), 1)
    logged.sign()
    assert logged.caller("viewer").get(f"/v1/log/tile/{path}").status_code == 404


def test_what_is_not_signed_yet_is_in_no_tile(new_logged: Logged):
    recorder, nobody = new_logged.caller("recorder"), new_logged.caller(None)
    answer = nobody.get("/v1/log/checkpoint")
    assert (answer.status_code, answer.json()["code"], answer.headers["retry-after"]) == (503, "not_signed_yet", "1")
    record(recorder, 1)
    new_logged.sign()
    record(recorder, 1)
    assert nobody.get("/v1/log/tile/0/000.p/2").status_code == 200
    assert nobody.get("/v1/log/tile/0/000.p/3").status_code == 404


def test_each_checkpoint_goes_on_from_the_ones_before(logged: Logged):
    seen = list[Checkpoint]()
    for _ in range(3):
        record(logged.caller("recorder"), 2)
        logged.sign()
        seen.append(checkpoint(logged))
    for old, new in ((seen[0], seen[1]), (seen[0], seen[2]), (seen[1], seen[2]), (seen[2], seen[2])):
        answer = logged.caller(None).get(f"/v1/log/consistency?old={old.size}&new={new.size}").json()
        assert verify_consistency(old.size, new.size, [b64decode(one) for one in answer["path"]], old.root, new.root)


@pytest.mark.parametrize(
    ("query", "status", "code"),
    [("old=0", 400, "bad_parameter"), ("old=2&new=1", 400, "bad_parameter"), ("old=1&new=99999", 400, "ahead")],
)
def test_sizes_that_cannot_be_compared_are_refused(logged: Logged, query: str, status: int, code: str):
    record(logged.caller("recorder"), 1)
    logged.sign()
    answer = logged.caller(None).get(f"/v1/log/consistency?{query}")
    assert (answer.status_code, answer.json()["code"]) == (status, code)


@pytest.mark.parametrize("path", ["checkpoint", "keys", "consistency", "tile/0/000.p/1"])
def test_one_setting_closes_it(tmp_path: Path, path: str):
    with logging(replace(settings_of(tmp_path), log="closed")) as closed:
        record(closed.caller("recorder"), 1)
        closed.sign()
        assert closed.caller(None).get(f"/v1/log/{path}").json()["code"] == "unauthenticated"
        told = closed.caller("viewer").get(f"/v1/log/{path}")
        assert (told.status_code, "public" in told.headers.get("cache-control", "")) == (200, False)


@pytest.mark.parametrize("path", ["log/checkpoint", "log/keys", "log/consistency", "log/tile/0/000", "log/tile/entries/000"])
def test_where_none_is_kept_that_is_said(tmp_path: Path, path: str):
    with running(settings_of(tmp_path), without_limits) as service:
        answer = service.caller("viewer").get(f"/v1/{path}")
        assert (answer.status_code, answer.json()["code"]) == (404, "no_log")


def test_while_it_is_stopped_what_was_signed_is_told_on(new_logged: Logged):
    record(new_logged.caller("recorder"), 1)
    new_logged.sign()
    before = checkpoint(new_logged)
    new_logged.service.services.journal.store.begin_epoch(None)
    with pytest.raises(Exception, match="kiebitz log fork"):
        new_logged.keeper.step()
    assert checkpoint(new_logged) == before
    ready = new_logged.caller("director").get("/health/ready").json()
    assert (ready["status"], ready["log"]["error"].partition(":")[0]) == ("degraded", "OtherStore")


def test_how_far_it_is_stands_in_the_numbers(new_logged: Logged):
    director = new_logged.caller("director")
    record(director, 2)
    new_logged.sign()
    record(director, 1)
    seen = numbers(director)
    assert {name for name in (one.split()[0] for one in seen) if name.startswith("kiebitz_log_")} == OF_LOG
    assert [seen[f"kiebitz_log_{name}"] for name in ("entries all", "entries signed", "behind_seconds", "stopped")] == [4, 4, 0, 0]
    assert seen["kiebitz_log_signed_at_seconds"] >= 1_764_000_000
    until(lambda: numbers(director)["kiebitz_log_behind_seconds"] > 0)


def test_its_keys_stand_at_the_docs_the_new_one_too_once_one_was_replaced(new_logged: Logged):
    nobody, log = new_logged.caller(None), new_logged.service.services.log
    assert log is not None
    for number in range(2):
        shown = nobody.get("/docs/log").text
        assert [key for key in log.keys() if escape(key) not in shown] == []  # noqa: SIM118
        log.register.keep_log_key(f"club.example/log/1+another+{number}", "2026-11-22T00:00:00Z")
