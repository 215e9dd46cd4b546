"""By what a game that was imported is known again, so that its file adds nothing when it comes once more."""

from collections import Counter

import msgspec


class Ref(msgspec.Struct, frozen=True):
    """The digest of the content of a record (``replay/content.py``), and which of the equal ones in its file it is, from 1."""

    digest: str
    copy: int


class Copies:
    """Counts the equal records of a file: two equal games in one file are two games. ``first``: the number of the first of them."""

    def __init__(self, first: int = 1) -> None:
        self._first = first
        self._seen: Counter[str] = Counter()

    def next(self, digest: str) -> Ref:
        ref = Ref(digest, self._first + self._seen[digest])
        self._seen[digest] += 1
        return ref
