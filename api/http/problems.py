"""Errors as problems (RFC 9457). ``PROBLEMS`` is the one table that gives an error of the domain or of a request its status."""

import logging
from collections.abc import Mapping
from typing import Annotated, Any
from uuid import uuid4

from litestar.exceptions import HTTPException
from msgspec import UNSET, Meta, Raw, Struct, UnsetType

from api.http.errors import (
    Ahead,
    BadRequest,
    Behind,
    BrokenOff,
    Building,
    Crowded,
    EpochChanged,
    Forbidden,
    NotAcceptable,
    NotInstalled,
    Overtaken,
    TooMany,
    Unauthenticated,
    Unsupported,
)
from api.http.fields import Outgoing
from api.http.limits import is_part_recorded
from api.http.missing_results import MissingResultView, missing_result_views
from api.http.negotiation import language
from api.http.request import Request, header, services_of
from api.http.response import Response, encode
from domain import texts
from domain.errors import BadCursor, Corrupt, Exists, InFlight, Malformed, Refused, Reused, Stale, Unavailable, Unknown
from domain.journal.commits import StoreAway, Unclear
from domain.tournament.tally import StillOpen
from replay.record import Refusal

_EVENTS = {"type": "array", "items": {"$ref": "#/components/schemas/EventView"}}


class Problem(Outgoing, frozen=True, kw_only=True):
    """RFC 9457. ``code`` is stable; ``rules`` are the rule numbers a refusal rests on; ``where`` names the place of what is malformed."""

    type: str
    title: str
    status: int
    detail: str
    code: str
    rules: tuple[str, ...] | UnsetType = UNSET
    hand: Annotated[int, Meta(description="of a record, from 0; −1 for the set-up")] | UnsetType = UNSET
    index: Annotated[int, Meta(description="which move of the batch, or of the hand of a record, from 0")] | UnsetType = UNSET
    where: str | UnsetType = UNSET
    position: Annotated[int, Meta(description="where the game stands")] | UnsetType = UNSET
    missed: Annotated[Raw, Meta(description="the events since the position of If-Match", extra_json_schema=_EVENTS)] | UnsetType = UNSET
    needs: Annotated[tuple[str, ...], Meta(description="roles that may do this")] | UnsetType = UNSET
    unclear: Annotated[bool, Meta(description="whether the command may have been recorded all the same")] | UnsetType = UNSET
    waiting: Annotated[list[MissingResultView], Meta(description="what keeps a round of a tournament open")] | UnsetType = UNSET
    epoch: Annotated[str, Meta(description="the present epoch of the store")] | UnsetType = UNSET
    head: Annotated[int, Meta(description="the newest that is recorded, where something later was named")] | UnsetType = UNSET
    common: Annotated[int, Meta(description="the last sequence that holds in both epochs, if that is known")] | UnsetType = UNSET
    id: Annotated[str, Meta(description="to look for in the log")] | UnsetType = UNSET


MEDIA_TYPE = "application/problem+json"
_LOG = logging.getLogger("kiebitz.api")
_RETRY = 1  # seconds


class ProblemType(Struct, frozen=True):
    """A kind of problem: its status, its name (the ``code`` where an error has none of its own), its title."""

    status: int
    name: str
    title: str


PROBLEMS: Mapping[type[Exception], ProblemType] = {
    Refused: ProblemType(422, "refused", "The rules refuse this"),
    Malformed: ProblemType(422, "malformed", "This is not of the form it should have"),
    BadRequest: ProblemType(400, "bad_request", "The request cannot be understood"),
    BadCursor: ProblemType(400, "bad_cursor", "This cursor was not given out here"),
    Ahead: ProblemType(400, "ahead", "Not recorded yet"),
    Unauthenticated: ProblemType(401, "unauthenticated", "Who are you?"),
    Forbidden: ProblemType(403, "forbidden", "This token may not do this"),
    Unknown: ProblemType(404, "unknown", "There is no such thing"),
    NotAcceptable: ProblemType(406, "not_acceptable", "Not offered in this form"),
    Stale: ProblemType(409, "conflict", "Somebody else was faster"),
    Overtaken: ProblemType(412, "stale_position", "Something was recorded since"),
    Unsupported: ProblemType(415, "unsupported_media_type", "A body of this type is not read here"),
    Exists: ProblemType(409, "exists", "This is here already"),
    InFlight: ProblemType(409, "in_flight", "The first request under this key is still under way"),
    Reused: ProblemType(422, "key_reused", "This Idempotency-Key was used for another request"),
    TooMany: ProblemType(429, "too_many_requests", "Too many requests"),
    NotInstalled: ProblemType(501, "not_installed", "Not installed here"),
    EpochChanged: ProblemType(409, "epoch_changed", "The store is not the one that was asked for"),
    Crowded: ProblemType(503, "crowded", "Too many at once"),
    BrokenOff: ProblemType(503, "export_broken_off", "The export broke off"),
    Behind: ProblemType(503, "behind", "Not there yet"),
    Building: ProblemType(503, "building", "Being built anew"),
    Unavailable: ProblemType(503, "unavailable", "The store does not answer"),
    StoreAway: ProblemType(503, "unavailable", "The store does not answer"),
    Unclear: ProblemType(503, "unavailable", "The store does not answer"),
    Corrupt: ProblemType(500, "corrupt", "What is stored cannot be what was recorded"),
}
_AWAY = (Unavailable, StoreAway, Unclear)
"""What the database says about itself is for the log, not for callers."""
UNEXPECTED = ProblemType(500, "internal_error", "Something went wrong here")

HTTP: Mapping[int, ProblemType] = {
    400: ProblemType(400, "bad_request", "The request cannot be understood"),
    404: ProblemType(404, "not_found", "There is nothing at this address"),
    405: ProblemType(405, "method_not_allowed", "This address does not know the method"),
    413: ProblemType(413, "too_large", "The body is too large"),
}
"""What Litestar itself finds."""


def problem_response(request: Request, error: Exception) -> Response:
    """The response for an error. No stack trace leaves the service: an unexpected error is logged under the id in the problem."""
    kind = _kind(error)
    extras, headers = _extras(request, error), _headers(error)
    detail, spoken = _detail(request, error), texts.FALLBACK
    if isinstance(error, Refused):
        spoken = language(header(request, b"accept-language"))
        extras |= {"waiting": missing_result_views(error.missing, spoken)} if isinstance(error, StillOpen) else {}
        request.app.state["counts"].refused(error.code)
    if kind.status == 500 or isinstance(error, _AWAY):
        extras["id"] = uuid4().hex
        trace = error if kind.status == 500 else None
        _LOG.error("problem %s at %s %s: %s", extras["id"], request.method, request.url.path, error, exc_info=trace)
    code = kind.name if kind is UNEXPECTED else getattr(error, "code", kind.name)
    problem = Problem(type=f"/docs#{kind.name}", title=kind.title, status=kind.status, detail=detail, code=code, **extras)
    headers += [("content-language", spoken), ("cache-control", "no-store"), ("vary", "accept-language, authorization")]
    return Response(encode(problem), status=kind.status, media_type=MEDIA_TYPE, headers=headers)


def _kind(error: Exception) -> ProblemType:
    if isinstance(error, HTTPException):
        return HTTP.get(error.status_code, UNEXPECTED)
    return next((PROBLEMS[of] for of in type(error).__mro__ if of in PROBLEMS), UNEXPECTED)


def _detail(request: Request, error: Exception) -> str:
    match error:
        case Refused():
            return sentence(request, error)
        case HTTPException():
            return _kind(error).title
        case Corrupt():
            return f"{error.stream} cannot be read at position {error.position}"
        case Unavailable() | StoreAway() | Unclear():
            return (
                "it may have been recorded, or not: ask again with the same key"
                if _unclear(request, error)
                else "nothing was recorded; ask again"
            )
        case _ if type(error) in PROBLEMS:
            return str(error)
        case _:
            return "this is a fault of the service; the id leads to it in the log"


def _unclear(request: Request, error: Exception) -> bool:
    """Whether something may have been recorded all the same."""
    return isinstance(error, Unclear) or (isinstance(error, Unavailable) and error.unclear) or is_part_recorded(request)


def sentence(request: Request, refused: Refused) -> str:
    """The sentence for a refusal, from the catalogue of the game it is about, in the language of the caller."""
    spoken = language(header(request, b"accept-language"))
    ruleset = services_of(request).rulesets.get(request.scope["state"].get("ruleset", ""))
    if ruleset:
        return ruleset.sentence(refused, spoken)
    return texts.sentence(refused.code, refused.detail, spoken, (texts.COMMON,), refused.rules)


def _extras(request: Request, error: Exception) -> dict[str, Any]:
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
        case EpochChanged():
            return {"epoch": error.present, "common": UNSET if error.common is None else error.common}
        case Ahead():
            return {"head": error.head, "where": error.where}
        case Forbidden():
            return {"needs": error.needs or UNSET}
        case Unavailable() | StoreAway() | Unclear():
            return {"unclear": _unclear(request, error)}
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
        case Crowded():
            return [("retry-after", str(error.wait))]
        case InFlight() | Unavailable() | StoreAway() | Unclear() | BrokenOff() | Behind() | Building():
            return [("retry-after", str(_RETRY))]
        case Overtaken():
            return [("etag", f'"{error.stale.actual}"')]
        case Unsupported() if error.coding:
            return [("accept-encoding", "identity")]
        case HTTPException() if error.status_code == 405:
            return [("allow", (error.headers or {}).get("allow", ""))]
        case _:
            return []
