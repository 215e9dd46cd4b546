"""What is not held against the description or the service, each with its reason: ``exceptions.toml``."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

import msgspec
from msgspec import Struct

FILE = Path(__file__).with_suffix(".toml")


class Finding(NamedTuple):
    """``where``: the place in the description, its steps joined by dots."""

    linter: str
    rule: str
    where: str
    says: str

    def __str__(self) -> str:
        return f"{self.linter}  {self.rule}  {self.where}\n    {self.says}"


class Apart(Struct, frozen=True, forbid_unknown_fields=True):
    """Rules that hold but for some places: those that begin so, or ``open``, operations that need no token."""

    rules: tuple[str, ...]
    where: tuple[str, ...]
    why: str

    def speaks_of(self, finding: Finding, document: Mapping[str, Any]) -> bool:
        return finding.rule in self.rules and any(
            _is_open(finding.where, document) if where == "open" else finding.where.startswith(where) for where in self.where
        )


class Unheld(Struct, frozen=True, forbid_unknown_fields=True):
    """A finding of schemathesis that is none: of this ``check``, where the answer has one of these codes, statuses or media types, or is a
    verdict that is ``illegal``.

    ``operations``: their ids; of all, where none is named.
    """

    check: str
    answered: tuple[str, ...]
    why: str
    operations: tuple[str, ...] = ()


class Exceptions(Struct, frozen=True, forbid_unknown_fields=True):
    """``spectral``, ``owasp``, ``redocly``: rules that are off, each with the reason. ``asked``: findings of schemathesis that are none."""

    spectral: Mapping[str, str] = {}
    owasp: Mapping[str, str] = {}
    redocly: Mapping[str, str] = {}
    apart: tuple[Apart, ...] = ()
    asked: tuple[Unheld, ...] = ()


def exceptions() -> Exceptions:
    return msgspec.toml.decode(FILE.read_bytes(), type=Exceptions)


def _is_open(where: str, document: Mapping[str, Any]) -> bool:
    """``where`` names an operation as ``paths./v1/me.get…`` does."""
    for path, methods in document["paths"].items():
        for method, operation in methods.items():
            if where.startswith(f"paths.{path}.{method}"):
                return bool(operation.get("security") == [])
    return False
