"""Checkpoints of the log: its size and its root, signed (c2sp.org/tlog-checkpoint without further lines) or named by an event."""

import re
from collections.abc import Collection, Iterable

from msgspec import Struct

from domain.events.tournament import NamedCheckpoint
from replay.proof.exact import VerificationError, from_base64, to_base64
from replay.proof.notes import COSIGNATURE, Signed, VerifierKey, open_signed_note, read_note

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
