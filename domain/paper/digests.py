"""The digest by which a score sheet is signed. Whoever reads the sheet as JSON can work it out for himself; docs/paper.md says how."""

from hashlib import sha256
from typing import Any

import msgspec

from domain.score import Sheet


def sheet_digest(sheet: Sheet) -> str:
    """SHA-256, in hexadecimal, of the sheet (COM-40) as canonical JSON (RFC 8785).

    Without the words of reasons: who may read them differs, and they can be erased; the points that they explain are signed.
    """
    told = msgspec.to_builtins(sheet)
    told |= {name: _wordless(told[name]) for name in ("adjustments", "lifted") if name in told}
    return sha256(msgspec.json.encode(told, order="sorted")).hexdigest()


def _wordless(lines: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return [{name: value for name, value in line.items() if name != "reason"} for line in lines]
