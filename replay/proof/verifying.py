"""What a proof file proves, by keys that come from elsewhere than the file."""

from collections.abc import Collection

from msgspec import UNSET, Struct

from replay.proof.checkpoints import Checkpoint, verify_checkpoint, verify_witnessed
from replay.proof.exact import Unproven, from_base64
from replay.proof.files import Earlier, ProofFile, hashes, read_proof, told_key
from replay.proof.notes import COSIGNATURE, VerifierKey, opened_by
from replay.proof.tree import verify_consistency, verify_inclusion


class Proven(Struct, frozen=True):
    """``witnessed``: names of witnesses, and when each signed, in seconds of POSIX. ``since``: the same of the earlier checkpoint."""

    file: ProofFile
    checkpoint: Checkpoint
    mark: bytes
    witnessed: tuple[tuple[str, int], ...]
    earlier: Checkpoint | None = None
    since: tuple[tuple[str, int], ...] = ()

    @property
    def stood_earlier(self) -> bool:
        """Whether the record stood, up to its last event, at the earlier checkpoint. An older one only shows that the log went on."""
        return self.earlier is not None and self.earlier.size > self.file.leaf


def verify_proof(data: bytes, keys: Collection[VerifierKey]) -> Proven:
    """``keys``: of the log, of what it tells, and of witnesses; a witness who is named has to have signed. Raises ``Unproven``."""
    file = read_proof(data)
    checkpoint, signed = verify_witnessed(file.checkpoint, keys)
    mark = file.mark()
    if not verify_inclusion(mark, file.leaf, checkpoint.size, hashes(file.path, "path"), checkpoint.root):
        raise Unproven("not_in_tree")
    if file.receipt is not UNSET:
        _verify_receipt(file, file.receipt, checkpoint.origin, keys)
    proven = Proven(file, checkpoint, mark, _witnesses(signed))
    return proven if file.earlier is UNSET else _since(proven, file.earlier, keys)


def _verify_receipt(file: ProofFile, receipt: str, origin: str, keys: Collection[VerifierKey]) -> None:
    text, _ = opened_by(receipt, told_key(origin), keys)
    nonce = from_base64(text.rstrip("\n").rpartition("\n")[2], "receipt", 16)
    if text != file.receipt_text(origin, nonce):
        raise Unproven("not_as_told")


def _since(proven: Proven, earlier: Earlier, keys: Collection[VerifierKey]) -> Proven:
    then, signed = verify_checkpoint(earlier.checkpoint, keys)
    now = proven.checkpoint
    path = hashes(earlier.path, "earlier.path")
    if then.origin != now.origin or not verify_consistency(then.size, now.size, path, then.root, now.root):
        raise Unproven("not_earlier")
    return Proven(proven.file, now, proven.mark, proven.witnessed, then, _witnesses(signed))


def _witnesses(signed: dict[VerifierKey, int]) -> tuple[tuple[str, int], ...]:
    return tuple((key.name, moment) for key, moment in signed.items() if key.kind == COSIGNATURE)
