"""Errors between a request and the domain; ``api/http/problems.py`` maps these and the domain's errors to problem responses."""

from typing import Literal, TypeAlias

from domain.errors import Stale, Unavailable, Worded
from domain.texts import Phrase, Saying

Whose: TypeAlias = Literal["viewer", "address"]
"""The subject of a limit: the token of a viewer, or the address of callers without one."""


Placed: TypeAlias = Literal["streams", "exports", "followers", "reads"]
"""Responses of which only so many may be in progress at a time."""


def say(key: str, /, **detail: object) -> Phrase:
    """Return a phrase of the catalogue in this folder."""
    return Phrase(key, detail, __package__ or "")


class ResponseTimeoutError(Unavailable):
    """The response did not begin within so many ``seconds``."""

    def __init__(self, seconds: float, *, unclear: bool) -> None:
        super().__init__(f"there was no answer within {seconds:g} s", unclear=unclear)
        self.seconds = seconds


class BadRequest(Worded):
    """A request that cannot be understood: JSON, a query parameter, a header. ``where`` names the place."""

    def __init__(self, code: str, says: Saying, where: str = "") -> None:
        super().__init__(says)
        self.code = code
        self.where = where


class AuthenticationError(Worded):
    """No token, or an unknown one. ``invalid``: one was sent."""

    def __init__(self, says: Saying, *, invalid: bool) -> None:
        super().__init__(says)
        self.invalid = invalid


class SessionChanged(Worded):
    """The session of the caller is not the one for which the page that follows a stream was made."""

    def __init__(self) -> None:
        super().__init__(say("session_changed"))


class NotAcceptable(Worded):
    """None of the media types that the caller accepts is offered."""

    def __init__(self, offered: tuple[str, ...]) -> None:
        super().__init__(say("offered", types=offered))
        self.offered = offered


class Unsupported(Worded):
    """The media type of the body, or its content ``coding``, is not read here."""

    def __init__(self, given: str, read: tuple[str, ...], *, coding: bool = False) -> None:
        key = "body_coding" if coding else "body_type" if given else "body_untyped"
        super().__init__(say(key, given=given, read=read))
        self.read = read
        self.coding = coding


class RateLimitedError(Worded):
    """The caller, or the callers at their address, made more requests than allowed; the next is allowed in ``wait`` seconds."""

    def __init__(self, whose: Whose, limit: int, wait: int) -> None:
        super().__init__(say("too_many", limit=limit, wait=wait))
        self.whose = whose
        self.limit = limit
        self.wait = wait


class TooManyAttempts(Worded):
    """Too many attempts to sign in failed; the next is allowed in ``wait`` seconds."""

    def __init__(self, wait: int) -> None:
        super().__init__(say("too_many_attempts", wait=wait))
        self.wait = wait


class ConcurrencyLimitError(Worded):
    """All places for responses of this kind are taken, or all that one principal may take.

    ``code`` is ``streams_busy``, ``own_streams_busy`` and the like; in ``wait`` seconds there may be a place again.
    """

    def __init__(self, what: Placed, most: int, *, own: bool, wait: int = 5) -> None:
        super().__init__(say(f"own_{what}_busy" if own else f"{what}_busy", most=most, wait=wait))
        self.code = f"own_{what}_busy" if own else f"{what}_busy"
        self.wait = wait


class BrokenOff(Worded):
    """The export process ended, or was silent for too long, while it made this export. It is restarted."""

    def __init__(self) -> None:
        super().__init__(say("export_broken_off"))


class ProjectionLagError(Worded):
    """The projection has not reached the sequence that the request named."""

    def __init__(self, body: int, reached: int) -> None:
        super().__init__(say("behind", reached=reached, wanted=body))


class FuturePositionError(Worded):
    """The request names a sequence or a position that is not recorded yet. ``head`` is the newest, ``where`` names the parameter."""

    def __init__(self, named: int, head: int, where: str) -> None:
        super().__init__(say("ahead", named=named, head=head))
        self.head = head
        self.where = where


def check_position(after: int, position: int) -> None:
    """Raise ``FuturePositionError`` for a position beyond the last one: a reader that continued from there would miss the events in
    between.
    """
    if after > position:
        raise FuturePositionError(after, position, "after")


class EpochChanged(Worded):
    """The request names an epoch that is over, or none where one is required. ``common`` is the last sequence that is still valid."""

    def __init__(self, named: str, present: str, common: int | None) -> None:
        known = say("epoch.named", epoch=named) if named else say("epoch.unnamed")
        upto = say("epoch.from", sequence=common) if common is not None else say("epoch.anew")
        super().__init__(say("epoch", known=known, upto=upto, present=present))
        self.present = present
        self.common = common


class NoLog(Worded):
    """This service keeps no log."""

    def __init__(self) -> None:
        super().__init__(say("no_log"))


class NotSigned(Worded):
    """The requested entry is in no signed checkpoint yet. ``problem``: what keeps the log from being signed, if anything does."""

    def __init__(self, problem: str | None) -> None:
        super().__init__(say("log_stopped" if problem else "not_signed"))
        self.code = "log_stopped" if problem else "not_signed_yet"


class Building(Worded):
    """The tables are not there yet: they are being filled for the first time, or again for a new version."""

    def __init__(self, percent: int, problem: str | None) -> None:
        super().__init__(say("building_stopped" if problem else "building", percent=percent))


class NotInstalled(Worded):
    """An extra of the package is missing on this machine."""

    def __init__(self, extra: Literal["parquet", "pdf"]) -> None:
        super().__init__(say("not_installed", what=say(f"needs.{extra}"), extra=extra))


class PreconditionError(Worded):
    """``If-Match`` did not hold. ``missed`` are the events since, encoded as the caller may see them."""

    def __init__(self, stale: Stale, missed: bytes) -> None:
        super().__init__(stale.says)
        self.stale = stale
        self.missed = missed
