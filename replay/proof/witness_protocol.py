"""The witness protocol (c2sp.org/tlog-witness): requests of a log for a cosignature, their checks, and the answers."""

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Literal, NamedTuple, TypeAlias

from msgspec import Struct

from replay.proof import checkpoints
from replay.proof.tree import EMPTY, verify_consistency

SIZE_TYPE = "text/x.tlog.size"
"""The media type of an answer that names the size which was cosigned last."""
LARGEST = 64 << 10
"""The most bytes of a request: 63 lines of proof, and a note with as many signatures as it may have."""

_LINES = 63
_SIZE = re.compile(r"(0|[1-9][0-9]{0,17})\n", re.ASCII)
_OLD = re.compile(r"old (0|[1-9][0-9]{0,17})", re.ASCII)

Why: TypeAlias = Literal["malformed", "log_unknown", "not_signed", "old_larger", "other_size", "not_an_extension"]
STATUS: Mapping[Why, int] = {
    "malformed": 400,
    "log_unknown": 404,
    "not_signed": 403,
    "old_larger": 400,
    "other_size": 409,
    "not_an_extension": 422,
}


class CosignatureRefusedError(Exception):
    """A witness signs nothing, for the reason ``why``. ``size``: with ``other_size``, that of the checkpoint which was cosigned last."""

    def __init__(self, why: Why, size: int = 0) -> None:
        super().__init__(why)
        self.why = why
        self.size = size


class Asked(Struct, frozen=True):
    """A request. ``path`` is the consistency path from the ``old`` size, the one last cosigned as the log knows it, to the checkpoint."""

    old: int
    path: tuple[bytes, ...]
    note: str

    @property
    def body(self) -> bytes:
        return "\n".join([f"old {self.old}", *map(checkpoints.to_base64, self.path), "", self.note]).encode()


def read_asked(body: bytes) -> Asked:
    """Return the request. Raises ``CosignatureRefusedError``."""
    try:
        head, blank, note = body.decode().partition("\n\n")
        old, *path = head.split("\n")
        size = _OLD.fullmatch(old)
        if size is None or not blank or len(path) > _LINES:
            raise CosignatureRefusedError("malformed")
        return Asked(int(size[1]), tuple(checkpoints.from_base64(line, "path", len(EMPTY)) for line in path), note)
    except (checkpoints.VerificationError, UnicodeDecodeError):
        raise CosignatureRefusedError("malformed") from None


def check_log_signature(asked: Asked, logs: Iterable[checkpoints.VerifierKey]) -> checkpoints.Checkpoint:
    """Return the checkpoint, if its log is one of these and signed it. Raises ``CosignatureRefusedError``."""
    try:
        origin = checkpoints.read_checkpoint(asked.note).origin
    except checkpoints.VerificationError:
        raise CosignatureRefusedError("malformed") from None
    keys = [key for key in logs if key.name == origin]
    if not keys:
        raise CosignatureRefusedError("log_unknown")
    try:
        checkpoint, _ = checkpoints.verify_checkpoint(asked.note, keys)
    except checkpoints.VerificationError:
        raise CosignatureRefusedError("not_signed") from None
    if asked.old > checkpoint.size:
        raise CosignatureRefusedError("old_larger")
    return checkpoint


def check_extension(asked: Asked, checkpoint: checkpoints.Checkpoint, before: checkpoints.Checkpoint | None) -> None:
    """Check that the checkpoint continues the one that was cosigned ``before``. Raises ``CosignatureRefusedError``."""
    old = before.size if before else 0
    if asked.old != old:
        raise CosignatureRefusedError("other_size", old)
    if not _extends(checkpoint, before, asked.path):
        raise CosignatureRefusedError("not_an_extension")


def _extends(checkpoint: checkpoints.Checkpoint, before: checkpoints.Checkpoint | None, path: Sequence[bytes]) -> bool:
    if checkpoint.size == 0 and checkpoint.root != EMPTY:
        return False
    if before is None or before.size == 0:
        return not path
    return verify_consistency(before.size, checkpoint.size, path, before.root, checkpoint.root)


def has_conflict(checkpoint: checkpoints.Checkpoint, before: checkpoints.Checkpoint | None) -> bool:
    """Return whether the log signed two roots for one size: the two notes prove to everybody that it has two histories."""
    return before is not None and checkpoint.size == before.size and checkpoint.root != before.root


def with_known_signatures(note: str, keys: Iterable[checkpoints.VerifierKey], *lines: str) -> str:
    """Return the note with the signatures of these keys, then these lines; unknown signatures are left out. Raises
    ``VerificationError``.
    """
    text, signatures = checkpoints.read_note(note)
    known = {(key.name, key.id) for key in checkpoints.signers_of(note, keys)}
    kept = [f"— {name} {checkpoints.to_base64(data)}\n" for name, data in signatures if (name, data[:4]) in known]
    return f"{text}\n{''.join((*kept, *lines))}"


class WitnessedCheckpoint(NamedTuple):
    """A checkpoint with the signatures of its log and of the witness, and the time of the latter, in seconds of POSIX."""

    note: str
    at: int


class ConflictProof(NamedTuple):
    """Evidence against a log. ``cosigned`` is the note that the witness had cosigned, ``asked`` the body of a request, signed by the log,
    that contradicts it. ``proves``: both are of one size, so that the two notes alone prove it. Otherwise no path between them was given.
    """

    origin: str
    proves: bool
    cosigned: str
    asked: bytes
    at: int


class SizeMismatchError(Exception):
    """The witness has cosigned another size than the log thought."""

    def __init__(self, size: int) -> None:
        super().__init__(str(size))
        self.size = size


class Refused(Exception):
    """The witness signed nothing. ``status``: of HTTP; 0 for an answer that is none of a witness."""

    def __init__(self, status: int) -> None:
        super().__init__(f"status {status}" if status else "its answer is no cosignature of its key")
        self.status = status


def read_response(status: int, kind: str, body: bytes, note: str, witness: checkpoints.VerifierKey) -> str:
    """Return the line of the witness over the checkpoint of the note. Raises ``SizeMismatchError`` and ``Refused``."""
    said = body.decode(errors="replace")
    if status == STATUS["other_size"] and kind.partition(";")[0].strip() == SIZE_TYPE and (size := _SIZE.fullmatch(said)):
        raise SizeMismatchError(int(size[1]))
    if status != 200:
        raise Refused(status)
    text, _ = checkpoints.read_note(note)
    try:
        if any(key == witness and key.kind == checkpoints.COSIGNATURE for key in checkpoints.signers_of(f"{text}\n{said}", [witness])):
            return next(line for line in said.splitlines(keepends=True) if _is_of(line, witness))
    except checkpoints.VerificationError:
        pass
    raise Refused(0)


def _is_of(line: str, key: checkpoints.VerifierKey) -> bool:
    [(name, signature)] = checkpoints.read_note(f"-\n\n{line}")[1]
    return name == key.name and signature[:4] == key.id
