import pytest
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey

from replay.proof.checkpoints import (
    PLAIN,
    Checkpoint,
    Signer,
    VerificationError,
    VerifierKey,
    from_base64,
    open_signed_note,
    read_checkpoint,
    read_key,
    read_note,
    sign,
    signers_of,
    verify_checkpoint,
)
from replay.proof.tree import EMPTY
from tests.each import each
from tests.replay.proof.places import LOG, WITNESS, vectors

SPECIFIED = vectors("notes.json")
TEXT = Checkpoint(LOG.key.name, 0, EMPTY).text
NOTE = sign(TEXT, LOG)


def refused(of: object, *arguments: object) -> tuple[str, str]:
    with pytest.raises(VerificationError) as raised:
        of(*arguments)  # pyrefly: ignore[not-callable]
    return raised.value.fault, raised.value.where


def test_the_example_of_the_specification_is_signed():
    key = read_key(SPECIFIED["note"]["key"])
    assert open_signed_note(SPECIFIED["note"]["note"], "example.com/foo", [key]) == ("This is an example message.\n", {key: 0})
    assert str(key) == SPECIFIED["note"]["key"]


def test_a_real_checkpoint_is_signed_by_its_log_and_its_witnesses():
    real = SPECIFIED["checkpoint"]
    log, *witnesses = map(read_key, (real["log"], *real["witnesses"]))
    checkpoint, signed = verify_checkpoint(real["note"], [log, *witnesses])
    assert (checkpoint.origin, checkpoint.size) == (log.name, real["size"])
    assert signed == {log: 0, **dict.fromkeys(witnesses, real["moment"])}


def test_a_changed_checkpoint_is_not_signed():
    real = SPECIFIED["checkpoint"]
    for key in map(read_key, (real["log"], real["witnesses"][0])):
        assert refused(signers_of, real["note"].replace("1432088532", "1432088533"), [key]) == ("signature_wrong", key.name)


def test_what_is_signed_is_read_again():
    note = NOTE + WITNESS.line(TEXT, 1795305600)
    assert verify_checkpoint(note, [LOG.key, WITNESS.key]) == (Checkpoint(LOG.key.name, 0, EMPTY), {LOG.key: 0, WITNESS.key: 1795305600})


def test_signatures_of_unknown_keys_are_ignored_also_under_a_known_name():
    other = Signer(LOG.key.name, b"\4" * 32)
    assert signers_of(NOTE + other.line(TEXT), [LOG.key]) == {LOG.key: 0}
    assert refused(open_signed_note, sign(TEXT, other), LOG.key.name, [LOG.key]) == ("key_unknown", LOG.key.name)


def test_a_witness_alone_makes_no_checkpoint():
    alone = f"{TEXT}\n{WITNESS.line(TEXT, 1)}"
    assert refused(verify_checkpoint, alone, [LOG.key, WITNESS.key]) == ("key_unknown", LOG.key.name)


def test_no_known_key_signs_twice():
    assert refused(signers_of, NOTE + LOG.line(TEXT), [LOG.key]) == ("signed_twice", LOG.key.name)


def test_a_log_does_not_speak_for_another():
    other = Signer("another.example/log/1", b"\5" * 32)
    assert refused(verify_checkpoint, sign(TEXT, other), [LOG.key, other.key]) == ("key_unknown", LOG.key.name)


@each(
    "note",
    [
        "",
        "\n",
        "\n\n",
        TEXT,
        NOTE[:-1],
        NOTE + "\n",
        NOTE + "signed by me\n",
        NOTE.replace("— ", "- "),
        NOTE.replace("\n\n", "\n"),
        NOTE.replace("log/1\n", "log/1\r\n", 1),
        NOTE.replace("log/1\n", "log/1\0\n", 1),
        NOTE.replace("log/1\n", "log/1\ud800\n", 1),
        TEXT + "\n" + LOG.line(TEXT) * 65,
    ],
)
def test_what_is_not_of_the_form_of_a_note_is_refused(note: str):
    assert refused(read_note, note)[0] == "note_malformed"


@pytest.mark.parametrize("size", ["-1", "01", "1.0", "", "٣", "1" * 19, " 1"])
def test_a_checkpoint_counts_in_plain_decimals(size: str):
    assert refused(read_checkpoint, sign(TEXT.replace("\n0\n", f"\n{size}\n"), LOG))[0] == "note_malformed"


def test_a_checkpoint_has_no_further_lines():
    assert refused(read_checkpoint, sign(TEXT + "more\n", LOG))[0] == "note_malformed"


@each(
    "key",
    [
        "",
        "example.com/foo",
        "example.com/foo+530d903a+",
        "example.com/foo+530d903b+AekyeRrm56hApGFkyQR4ZCbV54Id2LKaANYcrnKv3U2k",
        "example.com/foo+530D903A+AekyeRrm56hApGFkyQR4ZCbV54Id2LKaANYcrnKv3U2k",
        "example.com/foo+530d903a+AekyeRrm56hApGFkyQR4ZCbV54Id2LKaANYcrnKv3U2k=",
        str(VerifierKey("two words", PLAIN, bytes(32))),
        str(VerifierKey("", PLAIN, bytes(32))),
        str(VerifierKey("of.another.type", 2, bytes(32))),
    ],
)
def test_what_is_no_verifier_key_is_refused(key: str):
    assert refused(read_key, key)[0] in ("key_malformed", "malformed")


@each("text", ["AAA", "AAA=A", "AAB=", "AA==\n", " AAA", "A-__", "ÄÄÄÄ"])
def test_bytes_have_one_spelling(text: str):
    assert refused(from_base64, text, "here") == ("malformed", "here")


def test_bytes_have_the_length_that_is_asked_for():
    assert from_base64("AAA=", "here", 2) == b"\0\0"
    assert refused(from_base64, "AAA=", "here", 3) == ("malformed", "here")


@each("test", vectors("ed25519-rfc8032.json"), ids=lambda test: test["name"])
def test_signatures_are_those_of_rfc_8032(test: dict[str, str]):
    private = Ed25519PrivateKey.from_private_bytes(bytes.fromhex(test["seed"]))
    signature = private.sign(bytes.fromhex(test["message"]))
    assert (private.public_key().public_bytes_raw().hex(), signature.hex()) == (test["key"], test["signature"])


def test_wycheproof_finds_nothing():
    """Where the key is of small order both answers are allowed."""

    def holds(test: dict[str, str]) -> bool:
        try:
            key = Ed25519PublicKey.from_public_bytes(bytes.fromhex(test["key"]))
            key.verify(bytes.fromhex(test["signature"]), bytes.fromhex(test["message"]))
        except InvalidSignature:
            return False
        return True

    tests = [test for test in vectors("ed25519-wycheproof.json") if test["result"] != "acceptable"]
    assert len(tests) == 181
    assert [(test["id"], test["comment"]) for test in tests if holds(test) != (test["result"] == "valid")] == []
