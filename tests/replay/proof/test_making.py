"""Proof files: how they are made, and what is not one."""

import json
from base64 import b64decode
from collections.abc import Callable
from typing import Any
from uuid import UUID

import pytest
from msgspec import UNSET
from msgspec.json import decode
from msgspec.structs import replace

from domain.codec import decode_event
from replay.proof import single_file
from replay.proof.checkpoints import sign, to_base64
from replay.proof.making import Place, ProofFile, record_of
from tests.each import each
from tests.replay.proof.made import verified
from tests.replay.proof.places import BLINDING, FILES, KEYS, LOG, TOLD, WITNESS, WORKED

Broken = dict[str, Any]
FULL, PUBLIC = (WORKED["2_files"][name] for name in FILES)
LEAVES = [leaf for leaf in WORKED["1_leaves"]["leaves"] if leaf["stream"] == FULL["stream"]]
STREAM = UUID(FULL["stream"])
HISTORY = [decode_event(STREAM, leaf["position"], leaf["name"], leaf["bytes"].encode()) for leaf in LEAVES]


def test_a_full_file_is_made_of_stored_events_and_salts():
    place = Place(FULL["checkpoint"], 4, _raw(FULL["path"]), (FULL["earlier"]["checkpoint"], _raw(FULL["earlier"]["path"])))
    assert record_of(HISTORY, lambda _: BLINDING, place) == decode(FILES["full"], type=ProofFile)


def test_a_view_is_made_of_what_is_told_and_signed():
    """The events of the example are shortened ones, which nobody can redact; so they are told by hand here."""
    full = record_of(HISTORY[:2], lambda _: BLINDING, Place(PUBLIC["checkpoint"], 2, _raw(PUBLIC["path"])))
    commitments = [{"salt": UNSET, "commitment": event["commitment"], "bytes": event["bytes"]} for event in PUBLIC["events"]]
    events = tuple(replace(event, **told) for event, told in zip(full.events, commitments, strict=True))
    made = replace(full, view="public", events=events).add_receipt(LOG.key.name, TOLD, bytes(range(16)))
    assert made == decode(FILES["public_up_to_2"], type=ProofFile)


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
    "an event changed": (_event(lambda event: {**event, "bytes": event["bytes"].replace("3H", "4H")}), "tree"),
    "an event renamed": (_event(lambda event: {**event, "name": "hand.dealt/2"}), "tree"),
    "an event left out": (lambda file: {**file, "events": file["events"][:1] + file["events"][2:]}, "tree"),
    "the last event left out": (lambda file: {**file, "events": file["events"][:-1]}, "tree"),
    "events swapped": (lambda file: {**file, "events": [file["events"][number] for number in (1, 0, 2)]}, "tree"),
    "another salt": (_event(lambda event: {**event, "salt": to_base64(bytes(16))}), "tree"),
    "a longer salt": (_event(lambda event: {**event, "salt": to_base64(bytes(17))}), "form"),
    "no salt": (_event(lambda event: {"name": event["name"], "bytes": event["bytes"]}), "form"),
    "a commitment, too": (_event(lambda event: {**event, "commitment": to_base64(bytes(32))}), "form"),
    "a key that nobody knows, in an event": (_event(lambda event: {**event, "more": 1}), "form"),
    "another stream": (_flawed("stream", "5c0c8f1e-0000-4000-8000-000000000002"), "tree"),
    "a stream in capitals": (_flawed("stream", FULL["stream"].upper()), "form"),
    "the leaf index plus one": (_flawed("leaf", 5), "tree"),
    "the leaf before": (_flawed("leaf", 3), "tree"),
    "a negative leaf": (_flawed("leaf", -1), "form"),
    "a leaf in words": (_flawed("leaf", "4"), "form"),
    "a path that is longer": (_flawed("path", [*FULL["path"], to_base64(bytes(32))]), "tree"),
    "a path in another spelling": (_flawed("path", [_spelled_otherwise(FULL["path"][0])]), "form"),
    "no path": (_flawed("path", []), "tree"),
    "something before the first event": (_flawed("prev", to_base64(b"\1" * 32)), "form"),
    "a later beginning": (_flawed("first", 2), "tree"),
    "no beginning": (_flawed("first", 0), "form"),
    "no format": (lambda file: {name: value for name, value in file.items() if name != "format"}, "form"),
    "another format": (_flawed("format", "kiebitz-proof/2"), "form"),
    "another view": (_flawed("view", "arbiter"), "form"),
    "a view that needs a receipt": (_flawed("view", "public"), "form"),
    "no events": (_flawed("events", []), "form"),
    "a receipt": (_flawed("receipt", PUBLIC["receipt"]), "form"),
    "a key that nobody knows": (_flawed("more", None), "form"),
    "another checkpoint": (_flawed("checkpoint", FULL["earlier"]["checkpoint"]), "signed"),
    "no earlier checkpoint": (_flawed("earlier", {"checkpoint": FULL["earlier"]["checkpoint"], "path": []}), "earlier"),
    "nothing earlier": (_flawed("earlier", None), "form"),
    "more that is earlier": (_flawed("earlier", {**FULL["earlier"], "more": 1}), "form"),
    "an earlier path that is longer": (
        _flawed("earlier", {**FULL["earlier"], "path": [*FULL["earlier"]["path"], to_base64(bytes(32))]}),
        "earlier",
    ),
    "an earlier path of other hashes": (
        _flawed("earlier", {**FULL["earlier"], "path": [to_base64(bytes(32)) for _ in FULL["earlier"]["path"]]}),
        "earlier",
    ),
    "an earlier checkpoint of another size": (
        _flawed("earlier", {**FULL["earlier"], "checkpoint": FULL["earlier"]["checkpoint"].replace("\n3\n", "\n4\n")}),
        "signed",
    ),
    "half a character": (_event(lambda event: {**event, "bytes": "\ud800"}), "form"),
}
PUBLIC_FLAWS: dict[str, tuple[Callable[[Broken], Broken], str]] = {
    "another view": (_flawed("view", "seat:0"), "told"),
    "another edition": (_flawed("edition", 2), "told"),
    "another word": (_event(lambda event: {**event, "bytes": event["bytes"].replace("?", "!", 1)}), "told"),
    "an event left out": (lambda file: {**file, "events": file["events"][:1]}, "tree"),
    "another commitment": (_event(lambda event: {**event, "commitment": to_base64(bytes(32))}), "tree"),
    "no receipt": (lambda file: {name: value for name, value in file.items() if name != "receipt"}, "form"),
    "no edition": (lambda file: {name: value for name, value in file.items() if name != "edition"}, "form"),
    "a view that begins later": (_flawed("first", 2), "form"),
    "a receipt of another log": (_flawed("receipt", PUBLIC["receipt"].replace("example/log/1\n", "example/log/2\n", 1)), "signed"),
    "a receipt that somebody else signed": (_flawed("receipt", sign("kiebitz-told/1\n", LOG)), "signed"),
    "a receipt that says little": (_flawed("receipt", sign("kiebitz-told/1\n", TOLD)), "form"),
    "the record called told": (
        _event(lambda event: {"name": event["name"], "bytes": event["bytes"], "salt": to_base64(bytes(16))}),
        "tree",
    ),
}


def fault(data: bytes) -> str:
    with pytest.raises(single_file.VerificationError) as raised:
        verified(data, KEYS)
    return str(raised.value.why)


@each("flaw", FULL_FLAWS)
def test_a_record_with_a_flaw_proves_nothing(flaw: str):
    change, expected = FULL_FLAWS[flaw]
    assert fault(json.dumps(change(FULL)).encode()) == expected


@each("flaw", PUBLIC_FLAWS)
def test_a_view_with_a_flaw_proves_nothing(flaw: str):
    change, expected = PUBLIC_FLAWS[flaw]
    assert fault(json.dumps(change(PUBLIC)).encode()) == expected


@each(
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
    assert fault(data) == "form"


def test_a_receipt_is_of_the_log_of_the_checkpoint():
    """Otherwise one log could vouch for what another told."""
    other = decode(FILES["public_up_to_2"], type=ProofFile).add_receipt("another.example/log/1", TOLD, bytes(16))
    assert fault(other.as_bytes()) == "told"


def test_a_file_may_begin_later_in_the_record():
    full = decode(FILES["full"], type=ProofFile)
    tail = replace(full, first=3, prev=to_base64(bytes.fromhex(LEAVES[1]["mark"])), events=full.events[2:])
    assert verified(tail.as_bytes(), KEYS)["mark"] == verified(FILES["full"], KEYS)["mark"]


def test_a_witness_that_is_named_has_to_have_signed():
    full = decode(FILES["full"], type=ProofFile)
    unseen = replace(full, checkpoint="".join(full.checkpoint.splitlines(keepends=True)[:-1]))
    assert verified(unseen.as_bytes(), KEYS[:2])["witnesses"] == {}
    assert fault(unseen.as_bytes()) == "signed"
    assert verified(FILES["full"], (LOG.key, WITNESS.key))["witnesses"] == {WITNESS.key.name: 1795305600}
