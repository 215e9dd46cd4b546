"""c2sp.org/tlog-witness: the words of both sides, and what is cosigned."""

from base64 import b64encode

import pytest

from replay.proof.checkpoints import COSIGNATURE, Checkpoint, Signer, read_checkpoint, sign
from replay.proof.tree import EMPTY, consistency_path
from replay.proof.witness_protocol import (
    SIZE_TYPE,
    STATUS,
    Asked,
    CosignatureRefusedError,
    Refused,
    SizeMismatchError,
    check_extension,
    check_log_signature,
    has_conflict,
    read_asked,
    read_response,
    with_known_signatures,
)
from tests.each import each
from tests.replay.proof.made import MOMENT, Log, played
from tests.replay.proof.places import LOG, TOLD, WITNESS

LOGGED = Log()
SIZE = LOGGED.add(*played("casino", 30).history) + 1
OTHER = Signer("other.example/log/1", b"\5" * 32)


def at(size: int) -> Checkpoint:
    return read_checkpoint(LOGGED.checkpoint(size))


def asked(old: int, size: int) -> Asked:
    return Asked(old, consistency_path(LOGGED.subtrees, old, size) if old else (), LOGGED.checkpoint(size))


def why(asked: Asked, before: Checkpoint | None, *logs: Signer) -> str | None:
    try:
        check_extension(asked, check_log_signature(asked, [log.key for log in logs or (LOG,)]), before)
    except CosignatureRefusedError as refused:
        return refused.why
    return None


def test_a_request_has_the_form_of_the_standard():
    hashed = bytes(range(32))
    assert Asked(7, (hashed,), "a note\n").body == b"old 7\n" + b64encode(hashed) + b"\n\na note\n"
    assert Asked(0, (), "a note\n").body == b"old 0\n\na note\n"
    assert read_asked(asked(7, 20).body) == asked(7, 20)


HASHED = b64encode(bytes(32)).decode()


@each(
    "body",
    [
        b"",
        b"old 1\n",
        b"old 1",
        b"\n\nnote\n",
        b"old 01\n\nnote\n",
        b"old -1\n\nnote\n",
        b"old 1 \n\nnote\n",
        b"new 1\n\nnote\n",
        b"old 1\nAAAA\n\nnote\n",
        f"old 1\n{HASHED}\r\n\nnote\n".encode(),
        ("old 1\n" + f"{HASHED}\n" * 64 + "\nnote\n").encode(),
        b"old 1\n\n\xff\n",
        b"old 9999999999999999999\n\nnote\n",
    ],
)
def test_what_is_no_request_is_said_to_be_none(body: bytes):
    with pytest.raises(CosignatureRefusedError, match="malformed"):
        read_asked(body)


@each("note", ["", "no note\n", sign("kiebitz.example/log/1\n7\n\n", LOG), sign(f"{at(7).text}more\n", LOG)])
def test_a_note_without_a_checkpoint_is_malformed(note: str):
    assert why(Asked(0, (), note), None) == "malformed"


def test_the_first_checkpoint_of_a_log_is_taken_as_it_is():
    assert why(asked(0, 20), None) is None
    assert why(Asked(0, (), sign(Checkpoint(LOG.key.name, 0, EMPTY).text, LOG)), None) is None
    assert why(Asked(0, (bytes(32),), LOGGED.checkpoint(20)), None) == "not_an_extension"
    assert why(Asked(0, (), sign(Checkpoint(LOG.key.name, 0, bytes(32)).text, LOG)), None) == "not_an_extension"


@each(("old", "new"), [(1, 2), (7, 20), (8, 20), (20, 20), (1, SIZE)])
def test_what_continues_is_cosigned(old: int, new: int):
    assert why(asked(old, new), at(old)) is None


def test_another_path_or_another_root_is_not():
    good = asked(7, 20)
    assert why(Asked(7, good.path[:-1], good.note), at(7)) == "not_an_extension"
    assert why(Asked(7, (*good.path, bytes(32)), good.note), at(7)) == "not_an_extension"
    assert why(good, Checkpoint(LOG.key.name, 7, bytes(32))) == "not_an_extension"
    assert why(Asked(20, (), sign(Checkpoint(LOG.key.name, 20, bytes(32)).text, LOG)), at(20)) == "not_an_extension"


def test_another_size_than_the_last_one_is_answered_with_the_last_one():
    for before, old in ((at(8), 7), (at(8), 0), (None, 7)):
        with pytest.raises(CosignatureRefusedError) as refused:
            check_extension(asked(old, 20), at(20), before)
        assert (refused.value.why, refused.value.size) == ("other_size", before.size if before else 0)


def test_only_what_a_known_log_signed_is_looked_at():
    assert why(asked(0, 20), None, OTHER) == "log_unknown"
    assert why(Asked(0, (), sign(at(20).text, OTHER)), None) == "not_signed"
    assert why(Asked(0, (), LOGGED.checkpoint(20).replace("\n20\n", "\n21\n")), None) == "not_signed"
    assert why(Asked(0, (), LOGGED.checkpoint(20) + LOG.line(at(20).text)), None) == "not_signed"
    assert why(Asked(21, (), LOGGED.checkpoint(20)), at(21)) == "old_larger"
    assert why(Asked(0, (), LOGGED.checkpoint(20) + OTHER.line("something else\n")), None) is None


def test_each_reason_has_the_status_of_the_standard():
    assert set(STATUS.values()) == {400, 403, 404, 409, 422}


def test_two_roots_for_one_size_contradict_each_other_and_nothing_else_does():
    assert has_conflict(Checkpoint(LOG.key.name, 20, bytes(32)), at(20))
    assert not has_conflict(at(20), at(20))
    assert not has_conflict(at(21), at(20))
    assert not has_conflict(at(20), None)


def test_of_a_note_only_known_signatures_are_kept():
    note = LOGGED.checkpoint(20) + OTHER.line(at(20).text)
    line = WITNESS.line(at(20).text, MOMENT)
    assert with_known_signatures(note, [LOG.key], line) == LOGGED.checkpoint(20) + line


NOTE, LINE = LOGGED.checkpoint(20), WITNESS.line(at(20).text, MOMENT)


def test_the_line_of_the_witness_is_taken_out_of_his_answer():
    strange = Signer("witness.example/w1", b"\6" * 32, COSIGNATURE).line(at(20).text, MOMENT)
    assert read_response(200, "text/plain", (strange + LINE).encode(), NOTE, WITNESS.key) == LINE


@each("status", [400, 403, 404, 409, 422, 429, 500, 503])
def test_who_refuses_has_signed_nothing(status: int):
    with pytest.raises(Refused) as refused:
        read_response(status, "text/plain", LINE.encode(), NOTE, WITNESS.key)
    assert refused.value.status == status


def test_a_witness_that_knows_another_size_names_it():
    with pytest.raises(SizeMismatchError) as ahead:
        read_response(409, f"{SIZE_TYPE}; charset=utf-8", b"21\n", NOTE, WITNESS.key)
    assert ahead.value.size == 21


@each(
    "body",
    [
        b"",
        b"\xff",
        b"ok\n",
        LINE.rstrip("\n").encode(),
        LINE.replace("w1", "w2").encode(),
        WITNESS.line(at(19).text, MOMENT).encode(),
        TOLD.line(at(20).text).encode(),
        (LINE + LINE).encode(),
    ],
)
def test_an_answer_that_is_no_cosignature_of_this_checkpoint_is_none(body: bytes):
    with pytest.raises(Refused) as refused:
        read_response(200, "text/plain", body, NOTE, WITNESS.key)
    assert refused.value.status == 0


def test_a_size_of_another_form_is_no_size():
    for kind, body in (("text/plain", b"21\n"), (SIZE_TYPE, b"21"), (SIZE_TYPE, b"021\n"), (SIZE_TYPE, b"many\n")):
        with pytest.raises(Refused):
            read_response(409, kind, body, NOTE, WITNESS.key)
