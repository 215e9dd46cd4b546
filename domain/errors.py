"""The errors of the whole service. The API maps each class to a status in one table (``api/http/problems.py``)."""

from uuid import UUID

from domain.texts import FALLBACK, Saying, render, say


class Worded(Exception):
    """An error that explains itself in words. ``str`` of it is English."""

    def __init__(self, says: Saying) -> None:
        super().__init__(render(says))
        self.says = says

    def in_words(self, language: str = FALLBACK) -> str:
        return render(self.says, language)


class Refused(Exception):
    """A rule says no. Nothing was changed and nothing is recorded.

    ``code`` is stable, ``rules`` are the rule numbers it rests on (COM-27), ``detail`` holds plain values that the sentence for people
    names. ``index`` is the place of the refused move in a batch, counted from 0. ``by_unseen``: it reveals something about cards that the
    caller does not see.
    """

    def __init__(self, code: str, *rules: str, **detail: object) -> None:
        super().__init__(code)
        self.code = code
        self.rules = rules
        self.detail = detail
        self.index: int | None = None
        self.by_unseen = False


class InvalidFormatError(Worded):
    """A value that does not have the required form. ``where`` names the place, ``code`` is ``malformed_record`` and the like."""

    def __init__(self, code: str, says: Saying, where: str = "") -> None:
        super().__init__(says)
        self.code = code
        self.where = where


class BadCursor(InvalidFormatError):
    """A text that is no cursor of this list, or one of another query."""

    def __init__(self, says: Saying = say("cursor_unknown")) -> None:  # noqa: B008
        super().__init__("bad_cursor", says, "cursor")


class Unknown(Worded):
    """A game, ruleset, position or token of this key does not exist. ``code`` is ``unknown_game`` and the like."""

    def __init__(self, what: str, key: object, says: Saying | None = None, **detail: object) -> None:
        super().__init__(says or say(f"unknown.{what}", key=str(key), **detail))
        self.code = f"unknown_{what}"
        self.what = what
        self.key = key


class Forbidden(Worded):
    """The token is known, but may not do this. ``needs`` are the roles that may; ``where``: the place of it, if it is a part of a body."""

    def __init__(self, says: Saying, *needs: str, where: str = "") -> None:
        super().__init__(says)
        self.needs = needs
        self.where = where


class Stale(Worded):
    """A version conflict: the caller decided on position ``expected``, but the game (or tournament) already stands at ``actual``."""

    def __init__(self, stream: UUID, expected: int, actual: int) -> None:
        super().__init__(say("stale", actual=actual, expected=expected))
        self.stream = stream
        self.expected = expected
        self.actual = actual


class Exists(Worded):
    """A game (tournament, player) with this id already exists; nothing was recorded. ``code`` is ``game_exists`` and the like."""

    def __init__(self, what: str, key: UUID | str) -> None:
        super().__init__(say(f"exists.{what}", key=str(key)))
        self.code = f"{what}_exists"
        self.key = key


class RefInUse(Worded):
    """The ref (COM-66) already belongs to another record: a game with other content. Nothing was recorded."""

    code = "ref_taken"
    where = "record.ref"
    rules = ("COM-66",)

    def __init__(self, system: str, id: str, game: UUID) -> None:
        super().__init__(say("ref_taken", system=system, id=id, game=str(game)))
        self.game = game


class KeyConflictError(Worded):
    """An idempotency key was used again with another request."""

    def __init__(self, key: str) -> None:
        super().__init__(say("key_reused", key=key))
        self.key = key


class RequestPendingError(Worded):
    """The first request under this idempotency key is still in progress. The same request gets its answer once that is there."""

    def __init__(self, key: str) -> None:
        super().__init__(say("in_flight", key=key))
        self.key = key


class Unavailable(Exception):
    """The store did not complete the command in time. ``unclear``: it may have been recorded all the same; otherwise it was not."""

    def __init__(self, message: str, *, unclear: bool) -> None:
        super().__init__(message)
        self.unclear = unclear


class DataIntegrityError(Exception):
    """Stored bytes that cannot be what was recorded. Raised by writes; reads continue as well as they can. ``message`` is for the log."""

    def __init__(self, stream: UUID, position: int, message: str) -> None:
        super().__init__(f"{stream}, position {position}: {message}")
        self.stream = stream
        self.position = position
