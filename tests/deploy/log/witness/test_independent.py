"""Interoperability with an independent implementation of witnesses, in both directions."""

import sys
from collections.abc import Iterator
from pathlib import Path
from threading import Thread
from types import ModuleType

import httpx
import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from replay.proof.checkpoints import read_key, verify_checkpoint
from replay.proof.tree import consistency_path
from replay.proof.witness_protocol import Refused, SizeMismatchError, read_response
from tests.deploy.log.witness.logs import FORKED, HONEST, SHARED, asked
from tests.deploy.log.witness.processes import witnessing
from tests.pypi import packages
from tests.replay.proof.made import Log
from tests.replay.proof.places import LOG


@pytest.fixture(scope="module")
def theirs() -> Iterator[ModuleType]:
    folder = str(packages(Path(__file__).parent / "independent", "independent-witness"))
    sys.path.insert(0, folder)
    try:
        import aics_witness

        yield aics_witness
    finally:
        sys.path.remove(folder)


def path(log: Log):
    return lambda old, new: list(consistency_path(log.subtrees, old, new)) if old else []


def test_their_log_is_cosigned_by_our_witness(theirs: ModuleType, tmp_path: Path):
    from aics_tlog import parse_vkey

    with witnessing(tmp_path, LOG.key) as ours, theirs.WitnessClient(ours.url, parse_vkey(str(ours.key))) as client:
        for size in (7, SHARED, 25):
            note = theirs.merge_cosignatures(HONEST.checkpoint(size), client.submit(HONEST.checkpoint(size), path(HONEST)))
            assert set(verify_checkpoint(note.decode(), [LOG.key, ours.key])[1]) == {LOG.key, ours.key}
        with pytest.raises(theirs.WitnessRejected, match="422"):
            client.submit(FORKED.checkpoint(30), path(FORKED))
        with pytest.raises(theirs.WitnessAhead) as ahead:
            client.submit(FORKED.checkpoint(SHARED + 1), path(FORKED))
        assert ahead.value.known_size == 25


def test_our_log_is_cosigned_by_their_witness(theirs: ModuleType, tmp_path: Path):
    log = theirs.LogConfig.from_strings(LOG.key.name, [str(LOG.key)])
    with theirs.WitnessStore(tmp_path / "their.db", create=True) as store:
        witness = theirs.Witness("their.example/w1", Ed25519PrivateKey.from_private_bytes(b"\x09" * 32), store, [log])
        server, key = theirs.make_server(witness), read_key(witness.vkey_text)
        Thread(target=server.serve_forever, daemon=True).start()

        def cosigned(log: Log, old: int, size: int) -> str:
            answer = httpx.post(f"{server.url}/add-checkpoint", content=asked(log, old, size).body, verify=False)
            return read_response(answer.status_code, answer.headers["content-type"], answer.content, log.checkpoint(size), key)

        try:
            for old, new in ((0, 7), (7, SHARED), (SHARED, 25)):
                note = HONEST.checkpoint(new) + cosigned(HONEST, old, new)
                assert set(verify_checkpoint(note, [LOG.key, key])[1]) == {LOG.key, key}
            with pytest.raises(SizeMismatchError) as ahead:
                cosigned(HONEST, SHARED, 30)
            assert ahead.value.size == 25
            with pytest.raises(Refused) as refused:
                cosigned(FORKED, 25, 30)
            assert refused.value.status == 422
        finally:
            server.shutdown()
            server.server_close()
