"""The witnesses that an operator named."""

import re

from msgspec import Struct

from replay.proof.exact import Unproven
from replay.proof.notes import COSIGNATURE, VerifierKey, read_key

_URL = re.compile(r"https?://[^\s,]+")


class NamedWitness(Struct, frozen=True):
    """Where it is asked, and by which verifier key its signature counts."""

    url: str
    key: str

    @property
    def verifier(self) -> VerifierKey:
        return read_key(self.key)


def read_witnesses(text: str) -> tuple[NamedWitness, ...]:
    """From ``URL KEY, URL KEY``. Raises ValueError for what is none."""
    words = text.replace(",", " ").split()
    pairs = tuple(NamedWitness(url.rstrip("/"), key) for url, key in zip(words[::2], words[1::2], strict=True))
    for pair in pairs:
        if not _URL.fullmatch(pair.url) or not _is_witness(pair.key):
            raise ValueError(f"{pair.url} {pair.key}")
    return pairs


def _is_witness(key: str) -> bool:
    try:
        return read_key(key).kind == COSIGNATURE
    except Unproven:
        return False
