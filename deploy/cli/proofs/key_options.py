"""Command options for verifier keys."""

from collections.abc import Iterable, Sequence
from pathlib import Path

from deploy.config.usage import WrongValue
from deploy.system.language import say
from replay.proof.checkpoints import COSIGNATURE, PLAIN, VerifierKey, read_key
from replay.proof.exact import VerificationError


def keys_of(given: Iterable[str], option: str, *, kind: int | None = None) -> tuple[VerifierKey, ...]:
    """Return the keys; each value is a key, or a file with one on each line. Raises click's usage errors, also for another ``kind``."""
    return tuple(_key(text, option, kind) for one in given for text in _keys_in(one))


def _keys_in(given: str) -> Sequence[str]:
    file = Path(given)
    lines = file.read_text(encoding="utf-8").splitlines() if "+" not in given and file.is_file() else [given]
    return [line.strip() for line in lines if line.strip() and not line.startswith("#")]


def _key(text: str, option: str, kind: int | None) -> VerifierKey:
    try:
        key = read_key(text)
    except VerificationError:
        raise WrongValue(say("verify.key_malformed", where=text), option) from None
    if kind not in (None, key.kind):
        raise WrongValue(say(_OTHER[kind or PLAIN], key=text), option)
    return key


_OTHER = {PLAIN: "key_not_of_log", COSIGNATURE: "key_not_of_witness"}
