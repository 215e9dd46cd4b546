"""What can go wrong between a request and the domain. ``api/http/problems.py`` maps these and the domain's errors to answers."""

from typing import Literal

from domain.errors import Stale


class BadRequest(Exception):
    """The request is not one that can be understood: JSON, a query parameter, a header. ``where`` names the place."""

    def __init__(self, code: str, message: str, where: str = "") -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.where = where


class Unauthenticated(Exception):
    """No token, or none that is known. ``invalid``: one was sent."""

    def __init__(self, message: str, *, invalid: bool) -> None:
        super().__init__(message)
        self.invalid = invalid


class Forbidden(Exception):
    """The token is known, but may not do this. ``needs`` are the roles that may."""

    def __init__(self, message: str, *needs: str) -> None:
        super().__init__(message)
        self.needs = needs


class NotAcceptable(Exception):
    """None of the media types that the caller accepts is offered."""

    def __init__(self, offered: tuple[str, ...]) -> None:
        super().__init__(f"this resource is offered as {', '.join(offered)}")
        self.offered = offered


class Unsupported(Exception):
    """The body is of a media type, or in a ``coding`` of content, that is not read here."""

    def __init__(self, given: str, read: tuple[str, ...], *, coding: bool = False) -> None:
        super().__init__(f"the body is {given or 'of no named type'}; here it has to be {' or '.join(read)}")
        self.read = read
        self.coding = coding


class TooMany(Exception):
    """The caller asks more often than allowed; ``wait`` seconds and he may ask again."""

    def __init__(self, limit: int, wait: int) -> None:
        super().__init__(f"more than {limit} requests in a row; ask again in {wait} s")
        self.limit = limit
        self.wait = wait


class Crowded(Exception):
    """All places for answers of this kind are taken, or all that one principal may take.

    ``code`` is ``streams_busy``, ``own_streams_busy`` and the like; in ``wait`` seconds there may be a place again.
    """

    def __init__(self, what: Literal["streams", "exports"], most: int, *, own: bool, wait: int = 5) -> None:
        told = f"you have {most} {what} under way already: read one to its end or close it, then ask again" if own else ""
        super().__init__(told or f"{most} {what} are under way, and there is no place for another; ask again in {wait} s")
        self.code = f"own_{what}_busy" if own else f"{what}_busy"
        self.wait = wait


class BrokenOff(Exception):
    """The process that makes exports ended, or said nothing for too long, while it made this one. It is started anew."""

    def __init__(self) -> None:
        super().__init__("what makes exports broke off; it is started anew, ask again")


class Behind(Exception):
    """The projection that is read has not reached the sequence that the request named."""

    def __init__(self, body: int, reached: int) -> None:
        super().__init__(f"what is read here has come to sequence {reached}, not yet to {body}")


class Ahead(Exception):
    """The request names a sequence or a position that is not recorded yet. ``head`` is the newest, ``where`` names the parameter."""

    def __init__(self, named: int, head: int, where: str) -> None:
        super().__init__(f"{named} is not recorded yet; the newest is {head}")
        self.head = head
        self.where = where


def check_position(after: int, position: int) -> None:
    """For those who read on. Raises ``Ahead`` where nothing is recorded yet: whoever named it would miss what comes before."""
    if after > position:
        raise Ahead(after, position, "after")


class EpochChanged(Exception):
    """The request names an epoch that is over, or none where one has to be named. ``common`` is the last sequence that still holds."""

    def __init__(self, named: str, present: str, common: int | None) -> None:
        known = f"what was told in epoch {named}" if named else "what was told before epochs were named"
        upto = (
            f"up to sequence {common} all is as it was: forget what came later, and read on from there"
            if common is not None
            else "nobody knows up to where all is as it was: forget it, and read anew from the beginning"
        )
        super().__init__(f"an older copy of the store took its place, and {known} holds no more; {upto}, in epoch {present}")
        self.present = present
        self.common = common


class Building(Exception):
    """What would be read here is not there yet: the tables are being filled for the first time, or anew for a new version."""

    def __init__(self, percent: int, problem: str | None) -> None:
        state = f"but stopped ({problem})" if problem else "ask again in a moment"
        super().__init__(f"this is being built anew from what was recorded, {percent} % are done; {state}")


class NotInstalled(Exception):
    """An extra of the package is missing on this machine. ``what`` needs it."""

    def __init__(self, what: str, extra: str) -> None:
        super().__init__(f"{what} need the extra {extra!r}, which is not installed here: pip install 'kiebitz[{extra}]'")


class Overtaken(Exception):
    """``If-Match`` did not hold. ``missed`` are the events since, encoded as the caller may see them."""

    def __init__(self, stale: Stale, missed: bytes) -> None:
        super().__init__(str(stale))
        self.stale = stale
        self.missed = missed
