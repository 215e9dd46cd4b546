"""The errors of the whole service. The API maps each class to a status in one table (``api/http/problems.py``)."""

from uuid import UUID


class Refused(Exception):
    """A rule says no. Nothing was changed and nothing is recorded.

    ``code`` is stable, ``rules`` are the rule numbers it rests on (COM-27), ``detail`` holds plain values that the sentence
    for people names. ``index`` is the place of the refused move in a batch, counted from 0.
    """

    def __init__(self, code: str, *rules: str, **detail: object) -> None:
        super().__init__(code)
        self.code = code
        self.rules = rules
        self.detail = detail
        self.index: int | None = None


class Malformed(Exception):
    """Something that is not of the form it should have. ``where`` names the place, ``code`` is ``malformed_record`` and the like."""

    def __init__(self, code: str, message: str, where: str = "") -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.where = where


class BadCursor(Malformed):
    """A text that is no cursor of this list, or of another question."""

    def __init__(self, message: str = "this is not a cursor that was given out here") -> None:
        super().__init__("bad_cursor", message, "cursor")


class Unknown(Exception):
    """A game, ruleset, position or token of this key does not exist. ``code`` is ``unknown_game`` and the like."""

    def __init__(self, what: str, key: object) -> None:
        super().__init__(f"there is no {what} {key}")
        self.code = f"unknown_{what}"
        self.what = what
        self.key = key


class Stale(Exception):
    """The game (or tournament) went on: the caller decided on position ``expected``, but it stands at ``actual``."""

    def __init__(self, stream: UUID, expected: int, actual: int) -> None:
        super().__init__(f"it stands at position {actual} by now, not {expected}")
        self.stream = stream
        self.expected = expected
        self.actual = actual


class Exists(Exception):
    """A game (tournament, player) with this id is here already; nothing was recorded. ``code`` is ``game_exists`` and the like.

    ``same``: it holds all that was to be recorded.
    """

    def __init__(self, what: str, key: UUID | str, *, same: bool = False) -> None:
        super().__init__(f"{what} {key} is here already; nothing was recorded")
        self.code = f"{what}_exists"
        self.key = key
        self.same = same


class Reused(Exception):
    """An idempotency key came back with another request."""

    def __init__(self, key: str) -> None:
        super().__init__(f"the key {key!r} was used for another request")
        self.key = key


class InFlight(Exception):
    """The first request under this idempotency key is still under way; the same request gets its answer when that is there."""

    def __init__(self, key: str) -> None:
        super().__init__(f"the first request under the key {key!r} is still under way; ask again with the same key")
        self.key = key


class Unavailable(Exception):
    """The store did not take the command in time. ``unclear``: it may have been recorded all the same; otherwise it was not."""

    def __init__(self, message: str, *, unclear: bool) -> None:
        super().__init__(message)
        self.unclear = unclear


class Corrupt(Exception):
    """What is stored cannot be what was recorded. Only writes raise it: reads go on as well as they can."""

    def __init__(self, stream: UUID, position: int, message: str) -> None:
        super().__init__(f"{stream}, position {position}: {message}")
        self.stream = stream
        self.position = position
