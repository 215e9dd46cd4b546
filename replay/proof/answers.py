"""What a witness answers to a log that asked for its signature (c2sp.org/tlog-witness)."""

import re

from replay.proof.exact import Unproven
from replay.proof.notes import COSIGNATURE, VerifierKey, read_note, signers_of
from replay.proof.witnessing import SIZE_TYPE, STATUS

_SIZE = re.compile(r"(0|[1-9][0-9]{0,17})\n", re.ASCII)


class Ahead(Exception):
    """The witness has cosigned another size than the log thought."""

    def __init__(self, size: int) -> None:
        super().__init__(str(size))
        self.size = size


class Refused(Exception):
    """The witness signed nothing. ``status``: of HTTP; 0 for an answer that is none of a witness."""

    def __init__(self, status: int) -> None:
        super().__init__(f"status {status}" if status else "its answer is no cosignature of its key")
        self.status = status


def read_answer(status: int, kind: str, body: bytes, note: str, witness: VerifierKey) -> str:
    """The line of the witness over the checkpoint of the note. Raises ``Ahead`` and ``Refused``."""
    said = body.decode(errors="replace")
    if status == STATUS["other_size"] and kind.partition(";")[0].strip() == SIZE_TYPE and (size := _SIZE.fullmatch(said)):
        raise Ahead(int(size[1]))
    if status != 200:
        raise Refused(status)
    text, _ = read_note(note)
    try:
        if any(key == witness and key.kind == COSIGNATURE for key in signers_of(f"{text}\n{said}", [witness])):
            return next(line for line in said.splitlines(keepends=True) if _is_of(line, witness))
    except Unproven:
        pass
    raise Refused(0)


def _is_of(line: str, key: VerifierKey) -> bool:
    [(name, signature)] = read_note(f"-\n\n{line}")[1]
    return name == key.name and signature[:4] == key.id
