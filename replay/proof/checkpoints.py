"""Checkpoints of the log, the signed notes (c2sp.org/signed-note, Ed25519) that they are, and the canonical encodings in them.

Also verifier keys, and cosignatures of witnesses (c2sp.org/tlog-cosignature, v1).
"""

import re
from base64 import b64encode
from binascii import Error, a2b_base64
from collections.abc import Collection, Iterable
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Literal, TypeAlias

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey
from msgspec import Struct

from domain.events.tournament import NamedCheckpoint

Fault: TypeAlias = Literal[
    "malformed",
    "note_malformed",
    "key_malformed",
    "key_unknown",
    "signature_wrong",
    "signed_twice",
    "not_witnessed",
]
"""The reason why a proof is not accepted; the sentences stand in ``deploy/texts.*.toml`` under ``verify.…``."""


class VerificationError(Exception):
    """Something does not prove what it should. ``where``: the place in the file, the name of a key, or a position."""

    def __init__(self, fault: Fault, where: str = "") -> None:
        super().__init__(f"{fault}: {where}")
        self.fault = fault
        self.where = where


def to_base64(data: bytes) -> str:
    return b64encode(data).decode()


def from_base64(text: str, where: str, length: int | None = None) -> bytes:
    """Return the bytes, so many if ``length`` is given. Raises ``VerificationError`` for every spelling but the one of ``to_base64``."""
    try:
        data = a2b_base64(text, strict_mode=True)
    except (Error, ValueError):  # the second, where it is not ASCII
        raise VerificationError("malformed", where) from None
    if to_base64(data) != text or len(data) != (len(data) if length is None else length):
        raise VerificationError("malformed", where)
    return data


# Human-readable form of a root or mark for comparison: 12 words or 40 digits, of its first 132 bits.
#
# The words are those of BIP-39, the English list: 2,048 of them, any two differ in their first four letters. German pages show them as
# well, so that a sheet in one language can be compared with a screen in the other; the digits are an alternative.


WORDS, DIGITS = 12, 40
_BITS = 11
"""Bits of a word."""
_GROUP = 5
"""Digits in a group."""
_LIST = Path(__file__).with_name("words.txt")


def words_of(hashed: bytes) -> str:
    """Return twelve words. ``hashed``: 32 bytes."""
    number = _first_bits(hashed)
    places = [number >> _BITS * after & (1 << _BITS) - 1 for after in reversed(range(WORDS))]
    return " ".join(_words()[place] for place in places)


def digits_of(hashed: bytes) -> str:
    """Return forty digits in groups of five: the same bits, as one number."""
    digits = f"{_first_bits(hashed):0{DIGITS}}"
    return " ".join(digits[at : at + _GROUP] for at in range(0, DIGITS, _GROUP))


def matches_hash(said: str, hashed: bytes) -> bool:
    """Return whether the typed text is the words, of which four letters are enough, or the digits of this hash; in any case and spacing."""
    bits = parse_bits(said)
    return bits is not None and has_bits(hashed, bits)


def parse_bits(said: str) -> int | None:
    """Return the typed text as a number, for ``has_bits``; ``None`` if it is neither twelve words nor forty digits."""
    typed = said.lower().replace("-", " ").split()
    digits = "".join(typed)
    if digits.isascii() and digits.isdecimal():
        return int(digits) if len(digits) == DIGITS else None
    places = [_places().get(word[:4]) for word in typed]
    if len(places) != WORDS or None in places:
        return None
    return sum((place or 0) << _BITS * after for after, place in enumerate(reversed(places)))


def has_bits(hashed: bytes, bits: int) -> bool:
    """Return whether the hash has these bits; the quick way to search many."""
    return _first_bits(hashed) == bits


def _first_bits(hashed: bytes) -> int:
    return int.from_bytes(hashed) >> len(hashed) * 8 - WORDS * _BITS


@cache
def _words() -> tuple[str, ...]:
    return tuple(_LIST.read_text(encoding="ascii").split())


@cache
def _places() -> dict[str, int]:
    """Return the places of the words by their first four letters, which are enough."""
    return {word[:4]: place for place, word in enumerate(_words())}


# Checkpoints of the log, and the signed notes (c2sp.org/signed-note, Ed25519) that they are.


PLAIN, COSIGNATURE = 1, 4
"""The types of signatures that are known here. A key is of one of them."""

_MOST_SIGNATURES = 64
_NAME = re.compile(r"[^\s+\x00-\x1f]+")
_LINE = re.compile(r"— ([^\s+]+) ([A-Za-z0-9+/=]+)")

Signed: TypeAlias = dict["VerifierKey", int]
"""The keys that signed a note; for a witness with the time, in seconds of POSIX, for others with 0."""


class VerifierKey(Struct, frozen=True):
    """A key that verifies signatures, with its owner's name. ``str`` of it is the form that is passed on."""

    name: str
    kind: int
    public: bytes

    @property
    def id(self) -> bytes:
        return sha256(self.name.encode() + b"\n" + self._key_bytes).digest()[:4]

    @property
    def _key_bytes(self) -> bytes:
        return bytes([self.kind]) + self.public

    def __str__(self) -> str:
        return f"{self.name}+{self.id.hex()}+{to_base64(self._key_bytes)}"

    def verify(self, text: str, signature: bytes) -> int:
        """Return the moment that a witness names, else 0. Raises ``VerificationError`` if this key did not sign the text."""
        moment = int.from_bytes(signature[:8]) if self.kind == COSIGNATURE else 0
        message = _cosignature_text(text, moment) if self.kind == COSIGNATURE else text.encode()
        try:
            Ed25519PublicKey.from_public_bytes(self.public).verify(signature[8 * (self.kind == COSIGNATURE) :], message)
        except (InvalidSignature, ValueError):
            raise VerificationError("signature_wrong", self.name) from None
        return moment


def read_key(text: str) -> VerifierKey:
    """Return the key. Raises ``VerificationError`` for an invalid verifier key, or one of a type that is not known here."""
    name, _, rest = text.partition("+")
    material = from_base64(rest.partition("+")[2], "key", 33)
    key = VerifierKey(name, material[0], material[1:])
    if not _NAME.fullmatch(name) or key.kind not in (PLAIN, COSIGNATURE) or str(key) != text:
        raise VerificationError("key_malformed", text)
    return key


class Signer:
    """A key that signs. ``seed`` is the secret of RFC 8032, 32 bytes."""

    def __init__(self, name: str, seed: bytes, kind: int = PLAIN) -> None:
        self._private = Ed25519PrivateKey.from_private_bytes(seed)
        self.key = VerifierKey(name, kind, self._private.public_key().public_bytes_raw())

    def line(self, text: str, moment: int = 0) -> str:
        """Return the line of a note over this text. ``moment``: when a witness signs."""
        if self.key.kind == COSIGNATURE:
            signature = moment.to_bytes(8) + self._private.sign(_cosignature_text(text, moment))
        else:
            signature = self._private.sign(text.encode())
        return f"— {self.key.name} {to_base64(self.key.id + signature)}\n"


def sign(text: str, signer: Signer) -> str:
    """Return the note. ``text`` ends with a newline."""
    return f"{text}\n{signer.line(text)}"


def read_note(note: str) -> tuple[str, tuple[tuple[str, bytes], ...]]:
    """Return the text, and each signature with the name beside it, its first four bytes the id of the key. Verifies nothing. Raises
    ``VerificationError``.
    """
    text, _, below = note.rpartition("\n\n")
    lines = [_LINE.fullmatch(line) for line in below.split("\n")[:-1]]
    signs = [(line[1], from_base64(line[2], "note")) for line in lines if line]
    if not text or not below.endswith("\n") or not 0 < len(signs) == len(lines) <= _MOST_SIGNATURES or not _is_plain(note):
        raise VerificationError("note_malformed")
    return f"{text}\n", tuple(signs)


def signers_of(note: str, keys: Iterable[VerifierKey]) -> Signed:
    """Return those of the keys that signed the note. Raises ``VerificationError`` if one of them did so wrongly, or twice. Other signatures
    are ignored.
    """
    text, signatures = read_note(note)
    known = {(key.name, key.id): key for key in keys}
    signed: Signed = {}
    for name, signature in signatures:
        if key := known.get((name, signature[:4])):
            if key in signed:
                raise VerificationError("signed_twice", name)
            signed[key] = key.verify(text, signature[4:])
    return signed


def open_signed_note(note: str, name: str, keys: Iterable[VerifierKey]) -> tuple[str, Signed]:
    """Return the text of a note, and the keys that signed it. Raises ``VerificationError`` if none of the keys with this name did; a
    witness does not count.
    """
    signed = signers_of(note, keys)
    if not any(key.name == name and key.kind == PLAIN for key in signed):
        raise VerificationError("key_unknown", name)
    return read_note(note)[0], signed


def _cosignature_text(text: str, moment: int) -> bytes:
    return f"cosignature/v1\ntime {moment}\n{text}".encode()


def _is_plain(note: str) -> bool:
    """Return whether the note has no control characters, and nothing that cannot be written in UTF-8."""
    return not any((sign < " " and sign != "\n") or "\ud800" <= sign <= "\udfff" for sign in note)


# A checkpoint: the log's size and its root, signed (c2sp.org/tlog-checkpoint without further lines) or named by an event.


_TEXT = re.compile(r"([^\n]+)\n(0|[1-9][0-9]{0,17})\n([^\n]+)\n", re.ASCII)


class Checkpoint(Struct, frozen=True):
    """A checkpoint. ``origin`` names the log, and the key that signs it."""

    origin: str
    size: int
    root: bytes

    @property
    def text(self) -> str:
        return f"{self.origin}\n{self.size}\n{to_base64(self.root)}\n"


def read_checkpoint(note: str) -> Checkpoint:
    """Return the checkpoint of the note, signed or not. Raises ``VerificationError``."""
    read = _TEXT.fullmatch(read_note(note)[0])
    if read is None:
        raise VerificationError("note_malformed")
    return Checkpoint(read[1], int(read[2]), from_base64(read[3], "checkpoint", 32))


def keep_own_signatures(note: str) -> str:
    """Return the note with only the signatures in the name of its log, by any key; without its witnesses. Raises ``VerificationError``."""
    text, signatures = read_note(note)
    origin = read_checkpoint(note).origin
    return f"{text}\n" + "".join(f"— {name} {to_base64(signature)}\n" for name, signature in signatures if name == origin)


def have_common_signer(note: str, other: str) -> bool:
    """Return whether one key signed both in the name of their log, as the notes say. Raises ``VerificationError``."""
    return bool(_ids(note) & _ids(other))


def _ids(note: str) -> set[bytes]:
    """Return the ids of the keys that signed in the name of the log."""
    origin = read_checkpoint(note).origin
    return {signature[:4] for name, signature in read_note(note)[1] if name == origin}


def verify_checkpoint(note: str, keys: Iterable[VerifierKey]) -> tuple[Checkpoint, Signed]:
    """Return the checkpoint, if a known key of its log signed it, and all keys that signed it. Else raises ``VerificationError``."""
    checkpoint = read_checkpoint(note)
    return checkpoint, open_signed_note(note, checkpoint.origin, keys)[1]


def verify_witnessed(note: str, keys: Collection[VerifierKey]) -> tuple[Checkpoint, Signed]:
    """Return the checkpoint and the keys that signed it, if every witness whose key is among ``keys`` signed, too. Else raises
    ``VerificationError``, ``not_witnessed``.
    """
    checkpoint, signed = verify_checkpoint(note, keys)
    missing = [key.name for key in keys if key.kind == COSIGNATURE and key not in signed]
    if missing:
        raise VerificationError("not_witnessed", missing[0])
    return checkpoint, signed


def name_checkpoint(checkpoint: Checkpoint) -> NamedCheckpoint:
    return NamedCheckpoint(checkpoint.origin, checkpoint.size, to_base64(checkpoint.root))


def checkpoint_of(event: NamedCheckpoint) -> Checkpoint | None:
    """Return the checkpoint; ``None`` for one that no log could have had, because the event is damaged."""
    if event.size < 0:
        return None
    try:
        return Checkpoint(event.origin, event.size, from_base64(event.root, "root", 32))
    except VerificationError:
        return None
