"""Proof files: how they are made, and what is not one."""

import json
from base64 import b64decode
from collections.abc import Callable
from typing import Any
from uuid import UUID

import pytest
from msgspec import UNSET
from msgspec.structs import replace

from domain.codec import decode_event
from replay.proof.exact import Unproven, to_base64
from replay.proof.files import read_proof
from replay.proof.making import Place, record_of
from replay.proof.notes import sign
from replay.proof.verifying import verify_proof
from tests.replay.proof.places import BLINDING, FILES, KEYS, LOG, TOLD, WITNESS, WORKED

Broken = dict[str, Any]
FULL, PUBLIC = (WORKED["2_files"][name] for name in FILES)
LEAVES = [leaf for leaf in WORKED["1_leaves"]["leaves"] if leaf["stream"] == FULL["stream"]]
STREAM = UUID(FULL["stream"])
HISTORY = [decode_event(STREAM, leaf["position"], leaf["name"], leaf["bytes"].encode()) for leaf in LEAVES]


def test_a_full_file_is_made_of_stored_events_and_salts():
    place = Place(FULL["checkpoint"], 4, _raw(FULL["path"]), (FULL["earlier"]["checkpoint"], _raw(FULL["earlier"]["path"])))
    assert record_of(HISTORY, lambda _: BLINDING, place) == read_proof(FILES["full"])


def test_a_view_is_made_of_what_is_told_and_signed():
    """The events of the example are shortened ones, which nobody can redact; so they are told by hand here."""
    full = record_of(HISTORY[:2], lambda _: BLINDING, Place(PUBLIC["checkpoint"], 2, _raw(PUBLIC["path"])))
    commitments = [{"salt": UNSET, "commitment": event["commitment"], "bytes": event["bytes"]} for event in PUBLIC["events"]]
    events = tuple(replace(event, **told) for event, told in zip(full.events, commitments, strict=True))
    assert replace(full, view="public", events=events).receipted(LOG.key.name, TOLD, bytes(range(16))) == read_proof(
        FILES["public_up_to_2"]
    )


def _raw(path: list[str]) -> list[bytes]:
    return [b64decode(one) for one in path]


def _event(change: Callable[[Broken], Broken], number: int = 1) -> Callable[[Broken], Broken]:
    return lambda file: {**file, "events": [change(event) if place == number else event for place, event in enumerate(file["events"])]}


def _flawed(name: str, value: object) -> Callable[[Broken], Broken]:
    return lambda file: {**file, name: value}


def _spelled_otherwise(text: str) -> str:
    """The same bytes, with another bit where no byte is."""
    return f"{text[:-2]}{chr(ord(text[-2]) + 1)}=" if text.endswith("=") and not text.endswith("==") else text


FULL_FLAWS: dict[str, tuple[Callable[[Broken], Broken], str]] = {
    "an event changed": (_event(lambda event: {**event, "bytes": event["bytes"].replace("3H", "4H")}), "not_in_tree"),
    "an event renamed": (_event(lambda event: {**event, "name": "hand.dealt/2"}), "not_in_tree"),
    "an event left out": (lambda file: {**file, "events": file["events"][:1] + file["events"][2:]}, "not_in_tree"),
    "the last event left out": (lambda file: {**file, "events": file["events"][:-1]}, "not_in_tree"),
    "events swapped": (lambda file: {**file, "events": [file["events"][number] for number in (1, 0, 2)]}, "not_in_tree"),
    "another salt": (_event(lambda event: {**event, "salt": to_base64(bytes(16))}), "not_in_tree"),
    "a longer salt": (_event(lambda event: {**event, "salt": to_base64(bytes(17))}), "malformed"),
    "no salt": (_event(lambda event: {"name": event["name"], "bytes": event["bytes"]}), "malformed"),
    "a commitment, too": (_event(lambda event: {**event, "commitment": to_base64(bytes(32))}), "malformed"),
    "a key that nobody knows, in an event": (_event(lambda event: {**event, "more": 1}), "malformed"),
    "another stream": (_flawed("stream", "5c0c8f1e-0000-4000-8000-000000000002"), "not_in_tree"),
    "a stream in capitals": (_flawed("stream", FULL["stream"].upper()), "malformed"),
    "the leaf index plus one": (_flawed("leaf", 5), "not_in_tree"),
    "the leaf before": (_flawed("leaf", 3), "not_in_tree"),
    "a negative leaf": (_flawed("leaf", -1), "malformed"),
    "a leaf in words": (_flawed("leaf", "4"), "malformed"),
    "a path that is longer": (_flawed("path", [*FULL["path"], to_base64(bytes(32))]), "not_in_tree"),
    "a path in another spelling": (_flawed("path", [_spelled_otherwise(FULL["path"][0])]), "malformed"),
    "no path": (_flawed("path", []), "not_in_tree"),
    "something before the first event": (_flawed("prev", to_base64(b"\1" * 32)), "malformed"),
    "a later beginning": (_flawed("first", 2), "not_in_tree"),
    "no beginning": (_flawed("first", 0), "malformed"),
    "no format": (lambda file: {name: value for name, value in file.items() if name != "format"}, "malformed"),
    "another format": (_flawed("format", "kiebitz-proof/2"), "malformed"),
    "another view": (_flawed("view", "arbiter"), "malformed"),
    "a view that needs a receipt": (_flawed("view", "public"), "malformed"),
    "no events": (_flawed("events", []), "malformed"),
    "a receipt": (_flawed("receipt", PUBLIC["receipt"]), "malformed"),
    "a key that nobody knows": (_flawed("more", None), "malformed"),
    "another checkpoint": (_flawed("checkpoint", FULL["earlier"]["checkpoint"]), "not_witnessed"),
    "no earlier checkpoint": (_flawed("earlier", {"checkpoint": FULL["earlier"]["checkpoint"], "path": []}), "not_earlier"),
    "nothing earlier": (_flawed("earlier", None), "malformed"),
    "more that is earlier": (_flawed("earlier", {**FULL["earlier"], "more": 1}), "malformed"),
    "an earlier path that is longer": (
        _flawed("earlier", {**FULL["earlier"], "path": [*FULL["earlier"]["path"], to_base64(bytes(32))]}),
        "not_earlier",
    ),
    "an earlier path of other hashes": (
        _flawed("earlier", {**FULL["earlier"], "path": [to_base64(bytes(32)) for _ in FULL["earlier"]["path"]]}),
        "not_earlier",
    ),
    "an earlier checkpoint of another size": (
        _flawed("earlier", {**FULL["earlier"], "checkpoint": FULL["earlier"]["checkpoint"].replace("\n3\n", "\n4\n")}),
        "signature_wrong",
    ),
    "half a character": (_event(lambda event: {**event, "bytes": "\ud800"}), "malformed"),
}
PUBLIC_FLAWS: dict[str, tuple[Callable[[Broken], Broken], str]] = {
    "another view": (_flawed("view", "seat:0"), "not_as_told"),
    "another edition": (_flawed("edition", 2), "not_as_told"),
    "another word": (_event(lambda event: {**event, "bytes": event["bytes"].replace("?", "!", 1)}), "not_as_told"),
    "an event left out": (lambda file: {**file, "events": file["events"][:1]}, "not_in_tree"),
    "another commitment": (_event(lambda event: {**event, "commitment": to_base64(bytes(32))}), "not_in_tree"),
    "no receipt": (lambda file: {name: value for name, value in file.items() if name != "receipt"}, "malformed"),
    "no edition": (lambda file: {name: value for name, value in file.items() if name != "edition"}, "malformed"),
    "a view that begins later": (_flawed("first", 2), "malformed"),
    "a receipt of another log": (_flawed("receipt", PUBLIC["receipt"].replace("example/log/1\n", "example/log/2\n", 1)), "signature_wrong"),
    "a receipt that somebody else signed": (_flawed("receipt", sign("kiebitz-told/1\n", LOG)), "key_unknown"),
    "a receipt that says little": (_flawed("receipt", sign("kiebitz-told/1\n", TOLD)), "malformed"),
    "the record called told": (
        _event(lambda event: {"name": event["name"], "bytes": event["bytes"], "salt": to_base64(bytes(16))}),
        "not_in_tree",
    ),
}


def fault(data: bytes) -> str:
    with pytest.raises(Unproven) as raised:
        verify_proof(data, KEYS)
    return raised.value.fault


@pytest.mark.parametrize("flaw", FULL_FLAWS)
def test_a_record_with_a_flaw_proves_nothing(flaw: str):
    change, expected = FULL_FLAWS[flaw]
    assert fault(json.dumps(change(FULL)).encode()) == expected


@pytest.mark.parametrize("flaw", PUBLIC_FLAWS)
def test_a_view_with_a_flaw_proves_nothing(flaw: str):
    change, expected = PUBLIC_FLAWS[flaw]
    assert fault(json.dumps(change(PUBLIC)).encode()) == expected


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"null",
        b"[]",
        b"\xff",
        b"[" * 100_000,
        b'{"a":' * 100_000,
        FILES["full"][:-1],
        FILES["full"] + b"{}",
        b"\xef\xbb\xbf" + FILES["full"],
        FILES["full"].replace(b'{"format"', b'{"leaf":4,"format"', 1),
        FILES["full"].replace(b'{"name"', b'{"name":"game.opened/1","name"', 1),
        FILES["full"].replace(b'"leaf": 4', b'"leaf": NaN', 1),
        FILES["full"].replace(b'"leaf": 4', b'"leaf": ' + b"9" * 5_000, 1),
    ],
    ids=range(13),
)
def test_what_is_no_such_json_is_refused(data: bytes):
    assert fault(data) == "malformed"


def test_a_receipt_is_of_the_log_of_the_checkpoint():
    """Otherwise one log could vouch for what another told."""
    other = read_proof(FILES["public_up_to_2"]).receipted("another.example/log/1", TOLD, bytes(16))
    assert fault(other.as_bytes()) == "not_as_told"


def test_a_file_may_begin_later_in_the_record():
    full = read_proof(FILES["full"])
    tail = replace(full, first=3, prev=to_base64(bytes.fromhex(LEAVES[1]["mark"])), events=full.events[2:])
    assert verify_proof(tail.as_bytes(), KEYS).mark == verify_proof(FILES["full"], KEYS).mark


def test_a_witness_that_is_named_has_to_have_signed():
    full = read_proof(FILES["full"])
    unseen = replace(full, checkpoint="".join(full.checkpoint.splitlines(keepends=True)[:-1]))
    assert verify_proof(unseen.as_bytes(), KEYS[:2]).witnessed == ()
    assert fault(unseen.as_bytes()) == "not_witnessed"
    assert verify_proof(FILES["full"], (LOG.key, WITNESS.key)).witnessed == ((WITNESS.key.name, 1795305600),)
