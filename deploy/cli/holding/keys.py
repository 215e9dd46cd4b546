"""Verifier keys on the command line: given there, or in files."""

from collections.abc import Iterable, Sequence
from pathlib import Path

from deploy.language import say
from deploy.usage import WrongValue
from replay.proof.exact import Unproven
from replay.proof.notes import VerifierKey, read_key


def read_keys(given: Iterable[str]) -> tuple[VerifierKey, ...]:
    """Each a verifier key, or a file with one on each line. Raises click's error of usage for ``--key``."""
    return tuple(_key(text) for one in given for text in _keys_in(one))


def _keys_in(given: str) -> Sequence[str]:
    file = Path(given)
    lines = file.read_text(encoding="utf-8").splitlines() if "+" not in given and file.is_file() else [given]
    return [line.strip() for line in lines if line.strip() and not line.startswith("#")]


def _key(text: str) -> VerifierKey:
    try:
        return read_key(text)
    except Unproven:
        raise WrongValue(say("verify.key_malformed", where=text), "--key") from None
