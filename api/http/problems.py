"""Errors as problems (RFC 9457). ``KINDS`` is the one table that gives an error of the domain or of a request its status."""

import logging
from collections.abc import Mapping
from typing import Any
from uuid import uuid4

from litestar.exceptions import HTTPException
from msgspec import UNSET, Raw, Struct

from api.http.answers import Problem
from api.http.errors import (
    BadRequest,
    Behind,
    Building,
    Forbidden,
    NotAcceptable,
    NotInstalled,
    Overtaken,
    TooMany,
    Unauthenticated,
    Unsupported,
)
from api.http.missing_results import waiting_told
from api.http.negotiation import language
from api.http.response import (
    Answer,
    Asked,
    encoded,
    header,
    house_of,
)
from domain import texts
from domain.errors import Corrupt, Exists, Malformed, Refused, Reused, Stale, Unavailable, Unknown
from domain.journal.commits import StoreAway
from domain.tournament.tally import StillOpen
from replay.record import Refusal

MEDIA_TYPE = "application/problem+json"
_LOG = logging.getLogger("kiebitz.api")
_RETRY = 1  # seconds


class Kind(Struct, frozen=True):
    """A kind of problem: its status, its name (the ``code`` where an error has none of its own), its title."""

    status: int
    name: str
    title: str


KINDS: Mapping[type[Exception], Kind] = {
    Refused: Kind(422, "refused", "The rules refuse this"),
    Malformed: Kind(422, "malformed", "This is not of the form it should have"),
    BadRequest: Kind(400, "bad_request", "The request cannot be understood"),
    Unauthenticated: Kind(401, "unauthenticated", "Who are you?"),
    Forbidden: Kind(403, "forbidden", "This token may not do this"),
    Unknown: Kind(404, "unknown", "There is no such thing"),
    NotAcceptable: Kind(406, "not_acceptable", "Not offered in this form"),
    Stale: Kind(409, "conflict", "Somebody else was faster"),
    Overtaken: Kind(412, "stale_position", "Something was recorded since"),
    Unsupported: Kind(415, "unsupported_media_type", "A body of this type is not read here"),
    Exists: Kind(409, "exists", "This is here already"),
    Reused: Kind(422, "key_reused", "This Idempotency-Key was used for another request"),
    TooMany: Kind(429, "too_many_requests", "Too many requests"),
    NotInstalled: Kind(501, "not_installed", "Not installed here"),
    Behind: Kind(503, "behind", "Not there yet"),
    Building: Kind(503, "building", "Being built anew"),
    Unavailable: Kind(503, "unavailable", "The store does not answer"),
    StoreAway: Kind(503, "unavailable", "The store does not answer"),
    Corrupt: Kind(500, "corrupt", "What is stored cannot be what was recorded"),
}
_AWAY = (Unavailable, StoreAway)
"""What the database says about itself is for the log, not for callers."""
UNEXPECTED = Kind(500, "internal_error", "Something went wrong here")

HTTP: Mapping[int, Kind] = {
    400: Kind(400, "bad_request", "The request cannot be understood"),
    404: Kind(404, "not_found", "There is nothing at this address"),
    405: Kind(405, "method_not_allowed", "This address does not know the method"),
    413: Kind(413, "too_large", "The body is too large"),
}
"""What Litestar itself finds."""


def answered(asked: Asked, error: Exception) -> Answer:
    """The problem of an error. No stack trace leaves the house: an unexpected error is logged under the id that is told."""
    kind = _kind(error)
    extras, headers = _extras(error), _headers(error)
    detail, spoken = _detail(asked, error), "en"
    if isinstance(error, Refused):
        spoken = language(header(asked, b"accept-language"))
        extras |= {"waiting": waiting_told(error.waiting, spoken)} if isinstance(error, StillOpen) else {}
        asked.app.state["counts"].refused(error.code)
    if kind.status == 500 or isinstance(error, _AWAY):
        extras["id"] = uuid4().hex
        trace = error if kind.status == 500 else None
        _LOG.error("problem %s at %s %s: %s", extras["id"], asked.method, asked.url.path, error, exc_info=trace)
    code = kind.name if kind is UNEXPECTED else getattr(error, "code", kind.name)
    problem = Problem(type=f"/docs#{kind.name}", title=kind.title, status=kind.status, detail=detail, code=code, **extras)
    headers += [("content-language", spoken), ("cache-control", "no-store"), ("vary", "accept-language, authorization")]
    return Answer(encoded(problem), status=kind.status, media_type=MEDIA_TYPE, headers=headers)


def _kind(error: Exception) -> Kind:
    if isinstance(error, HTTPException):
        return HTTP.get(error.status_code, UNEXPECTED)
    return next((KINDS[of] for of in type(error).__mro__ if of in KINDS), UNEXPECTED)


def _detail(asked: Asked, error: Exception) -> str:
    match error:
        case Refused():
            return sentence(asked, error)
        case HTTPException():
            return _kind(error).title
        case Corrupt():
            return f"{error.stream} cannot be read at position {error.position}"
        case Unavailable() | StoreAway():
            unclear = getattr(error, "unclear", False)
            return "it may have been recorded, or not: ask again with the same key" if unclear else "nothing was recorded; ask again"
        case _ if type(error) in KINDS:
            return str(error)
        case _:
            return "this is a fault of the service; the id leads to it in the log"


def sentence(asked: Asked, refused: Refused) -> str:
    """The refusal in the words of the game it is about, in the language of the caller."""
    spoken = language(header(asked, b"accept-language"))
    ruleset = house_of(asked).rulesets.get(asked.scope["state"].get("ruleset", ""))
    if ruleset:
        return ruleset.sentence(refused, spoken)
    return texts.sentence(refused.code, refused.detail, spoken, (texts.COMMON,), refused.rules)


def _extras(error: Exception) -> dict[str, Any]:
    """The members that a problem has besides the common ones."""
    match error:
        case Refusal():
            return {"rules": error.rules, "hand": error.hand, "index": error.index}
        case Refused():
            return {"rules": error.rules, "index": UNSET if error.index is None else error.index}
        case Malformed() | BadRequest():
            return {"where": error.where or UNSET}
        case Overtaken():
            return {"position": error.stale.actual, "missed": Raw(error.missed)}
        case Stale():
            return {"position": error.actual}
        case Forbidden():
            return {"needs": error.needs or UNSET}
        case Unavailable():
            return {"unclear": error.unclear}
        case _:
            return {}


def _headers(error: Exception) -> list[tuple[str, str]]:
    match error:
        case Unauthenticated():
            return [("www-authenticate", 'Bearer realm="kiebitz"' + (', error="invalid_token"' if error.invalid else ""))]
        case TooMany():
            return [
                ("retry-after", str(error.wait)),
                ("ratelimit", f'"viewer";r=0;t={error.wait}'),
                ("ratelimit-policy", f'"viewer";q={error.limit}'),
            ]
        case Unavailable() | StoreAway() | Behind() | Building():
            return [("retry-after", str(_RETRY))]
        case HTTPException() if error.status_code == 405:
            return [("allow", (error.headers or {}).get("allow", ""))]
        case _:
            return []
