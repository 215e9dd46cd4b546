"""The digest by which a score sheet is signed. Whoever reads the sheet as JSON can work it out for himself; docs/paper.md says how."""

from hashlib import sha256
from typing import Any

import msgspec
from msgspec import UNSET, UnsetType
from msgspec.structs import asdict, replace

from domain.score import Adjustment, Sheet


def sheet_digest(sheet: Sheet) -> str:
    """SHA-256, in hexadecimal, of the sheet (COM-40) as canonical JSON (RFC 8785).

    Without the words of reasons: who may read them differs, and they can be erased; the points that they explain are signed.
    """
    wordless: dict[str, Any] = {"adjustments": _wordless(sheet.adjustments), "lifted": _wordless(sheet.lifted)}
    return sha256(msgspec.json.encode(replace(sheet, **wordless), order="sorted")).hexdigest()


def _wordless(lines: tuple[Adjustment, ...] | UnsetType) -> list[dict[str, Any]] | UnsetType:
    if lines is UNSET:
        return UNSET
    return [{name: value for name, value in asdict(line).items() if name != "reason"} for line in lines]
