"""By what a game that was imported is known again, so that its file adds nothing when it comes once more; and where it comes from."""

from collections import Counter
from collections.abc import Mapping
from typing import Any, TypeAlias

import msgspec


class Ref(msgspec.Struct, frozen=True):
    """The digest of the content of a record (``replay/content.py``), and which of the equal ones in its file it is, from 1."""

    digest: str
    copy: int


class ForeignRef(msgspec.Struct, frozen=True):
    """What the record of a game is called elsewhere: ``ref`` of a record (COM-66)."""

    system: str
    id: str


AnyRef: TypeAlias = Ref | ForeignRef


class Origin(msgspec.Struct, frozen=True):
    """What the record of a game says of where it comes from. ``digest`` is that of its content, ``meta`` a JSON object as it came, which
    may hold anything, names too; ``None`` where there was none or it was erased.
    """

    ref: ForeignRef | None
    digest: str
    meta: str | None = None

    def told(self, *, with_meta: bool) -> dict[str, Any]:
        """As a record says it."""
        ref = {} if self.ref is None else {"ref": {"system": self.ref.system, "id": self.ref.id}}
        return ref | ({} if self.meta is None or not with_meta else {"meta": msgspec.Raw(self.meta.encode())})


def origin_of(ref: Mapping[str, str] | None, meta: str | None, digest: str) -> Origin | None:
    """That of a record which says this of it; ``None`` for one that says nothing."""
    return None if ref is None and meta is None else Origin(None if ref is None else ForeignRef(ref["system"], ref["id"]), digest, meta)


class Copies:
    """Counts the equal records of a file: two equal games in one file are two games. ``first``: the number of the first of them."""

    def __init__(self, first: int = 1) -> None:
        self._first = first
        self._seen: Counter[str] = Counter()

    def next(self, digest: str) -> Ref:
        ref = Ref(digest, self._first + self._seen[digest])
        self._seen[digest] += 1
        return ref
