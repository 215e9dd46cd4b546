"""Headers of answers as they go over the line: pairs of bytes."""

from collections.abc import Sequence
from typing import TypeAlias

Raw: TypeAlias = Sequence[tuple[bytes, bytes]]
Growing: TypeAlias = list[tuple[bytes, bytes]]
"""Those of an answer that is on its way."""


def varying(headers: Raw, by: bytes) -> list[tuple[bytes, bytes]]:
    """The same, varying by one more header of the request."""
    before = [value for name, value in headers if name == b"vary"]
    if any(by in value for value in before):
        return list(headers)
    return [*(pair for pair in headers if pair[0] != b"vary"), (b"vary", b", ".join([*before, by]))]
