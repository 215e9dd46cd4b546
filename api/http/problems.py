"""Errors as problem responses (RFC 9457). ``PROBLEMS`` is the only table that maps an error of the domain or of a request to its status."""

import logging
from collections.abc import Iterable, Mapping
from typing import Annotated, Any
from uuid import UUID

import msgspec
from litestar.exceptions import HTTPException
from msgspec import UNSET, Meta, Raw, Struct, UnsetType

from api.http import errors
from api.http.decoding import MOVE, ResponseModel
from api.http.limits import is_part_recorded
from api.http.paging import Counts
from api.http.request import Request, language_of, part_of, services_of
from api.http.response import Response, encode
from api.http.sending import quota, request_id_of
from domain import texts
from domain.errors import (
    BadCursor,
    DataIntegrityError,
    Exists,
    Forbidden,
    InvalidFormatError,
    KeyConflictError,
    RefInUse,
    Refused,
    RequestPendingError,
    Stale,
    Unavailable,
    Unknown,
    Worded,
)
from domain.journal.commits import OutcomeUnknownError, StoreBlockedError, StoreUnavailableError
from domain.moves import NotOneMove
from domain.rules import refusal_sentence
from domain.tournament.tally import MissingResult, StillOpen
from domain.unknown_cards.face_entry import name_faces_of_block
from replay.record import Refusal

_EVENTS = {"type": "array", "items": {"$ref": "#/components/schemas/EventView"}}


class MissingResultView(ResponseModel, frozen=True, kw_only=True):
    """A missing result of a table: a code, and a sentence."""

    round: int
    table: str
    code: Annotated[str, Meta(examples=["game_missing"])]
    sentence: str
    game: Annotated[UUID, Meta(description="the game that it is about")] | UnsetType = UNSET
    sides: Annotated[tuple[int, ...], Meta(description="entrants who have not confirmed yet")] | UnsetType = UNSET


def missing_result_views(missing: Iterable[MissingResult], language: str) -> list[MissingResultView]:
    return [_missing_result_view(one, language) for one in missing]


def _missing_result_view(one: MissingResult, language: str) -> MissingResultView:
    sentence = texts.sentence(f"waiting.{one.code}", {**one.detail, "table": one.table}, language, (texts.COMMON,))
    told: dict[str, object] = {"round": one.round, "table": one.table, "code": one.code, "sentence": sentence}
    return msgspec.convert({**one.detail, **told}, MissingResultView)


class Ask(ResponseModel, frozen=True, kw_only=True):
    """An unknown card to tell: the cards at these places of a zone, whether this face lies there, or the whole hand of so many cards."""

    zone: str
    places: (
        Annotated[
            list[int], Meta(description="the places, 0 for the card that leaves next; for a deal in the order in which the cards are dealt")
        ]
        | UnsetType
    ) = UNSET
    face: Annotated[str, Meta(description="does this card lie there? `known` or `lacks`")] | UnsetType = UNSET
    count: Annotated[int, Meta(description="all cards of the hand: the number that is left")] | UnsetType = UNSET


class LineOption(ResponseModel, frozen=True, kw_only=True):
    """A move that a line may mean, or that a longer line would."""

    move: Annotated[Any, Meta(extra_json_schema=MOVE)]
    written: Annotated[str, Meta(description="its full form", examples=["9c x 5d4h"])]


class Problem(ResponseModel, frozen=True, kw_only=True):
    """A problem of RFC 9457.

    ``code`` is stable; ``rules`` are the rule numbers a refusal rests on; ``where`` names the place of what is malformed.
    """

    type: str
    title: str
    status: int
    detail: str
    code: str
    rules: tuple[str, ...] | UnsetType = UNSET
    hand: Annotated[int, Meta(description="of a record, from 0; −1 for the set-up")] | UnsetType = UNSET
    index: Annotated[int, Meta(description="the move of the batch, or of the hand of a record, from 0")] | UnsetType = UNSET
    where: str | UnsetType = UNSET
    position: Annotated[int, Meta(description="the position of the game")] | UnsetType = UNSET
    asks: Annotated[list[Ask], Meta(description="the unknown cards to name with the request")] | UnsetType = UNSET
    options: Annotated[list[LineOption], Meta(description="moves that the line may mean, the usual one first")] | UnsetType = UNSET
    at: Annotated[int, Meta(description="the place in the line where something means nothing, from 0")] | UnsetType = UNSET
    missed: Annotated[Raw, Meta(description="the events since the position of If-Match", extra_json_schema=_EVENTS)] | UnsetType = UNSET
    needs: Annotated[tuple[str, ...], Meta(description="roles that may do this")] | UnsetType = UNSET
    unclear: Annotated[bool, Meta(description="whether the command may have been recorded all the same")] | UnsetType = UNSET
    waiting: Annotated[list[MissingResultView], Meta(description="the reasons why a round of a tournament is open")] | UnsetType = UNSET
    epoch: Annotated[str, Meta(description="the present epoch of the store")] | UnsetType = UNSET
    head: Annotated[int, Meta(description="the newest that is recorded, where something later was named")] | UnsetType = UNSET
    common: Annotated[int, Meta(description="the last sequence that holds in both epochs, if that is known")] | UnsetType = UNSET
    id: Annotated[str, Meta(description="of the request, to look for in the log")] | UnsetType = UNSET


MEDIA_TYPE = "application/problem+json"
_LOG = logging.getLogger("kiebitz.api")
_RETRY = 1  # seconds


class ProblemType(Struct, frozen=True):
    """A kind of problem: its status, and its name (the ``code`` where an error has none of its own). Its title is in the catalogue."""

    status: int
    name: str

    def title(self, language: str = texts.FALLBACK) -> str:
        return texts.render(errors.say(f"title.{self.name}"), language)


PROBLEMS: Mapping[type[Exception], ProblemType] = {
    Refused: ProblemType(422, "refused"),
    InvalidFormatError: ProblemType(422, "malformed"),
    errors.BadRequest: ProblemType(400, "bad_request"),
    BadCursor: ProblemType(400, "bad_cursor"),
    errors.FuturePositionError: ProblemType(400, "ahead"),
    errors.AuthenticationError: ProblemType(401, "unauthenticated"),
    Forbidden: ProblemType(403, "forbidden"),
    errors.SessionChanged: ProblemType(403, "session_changed"),
    Unknown: ProblemType(404, "unknown"),
    errors.NotAcceptable: ProblemType(406, "not_acceptable"),
    Stale: ProblemType(409, "conflict"),
    errors.PreconditionError: ProblemType(412, "stale_position"),
    errors.Unsupported: ProblemType(415, "unsupported_media_type"),
    Exists: ProblemType(409, "exists"),
    RefInUse: ProblemType(409, "ref_taken"),
    RequestPendingError: ProblemType(409, "in_flight"),
    KeyConflictError: ProblemType(422, "key_reused"),
    errors.RateLimitedError: ProblemType(429, "too_many_requests"),
    errors.TooManyAttempts: ProblemType(429, "too_many_attempts"),
    errors.NoLog: ProblemType(404, "no_log"),
    errors.NotSigned: ProblemType(503, "not_signed_yet"),
    errors.NotInstalled: ProblemType(501, "not_installed"),
    errors.EpochChanged: ProblemType(409, "epoch_changed"),
    errors.ConcurrencyLimitError: ProblemType(503, "crowded"),
    errors.BrokenOff: ProblemType(503, "export_broken_off"),
    errors.ProjectionLagError: ProblemType(503, "behind"),
    errors.Building: ProblemType(503, "building"),
    Unavailable: ProblemType(503, "unavailable"),
    errors.ResponseTimeoutError: ProblemType(503, "unavailable"),
    StoreUnavailableError: ProblemType(503, "unavailable"),
    StoreBlockedError: ProblemType(503, "store_halted"),
    OutcomeUnknownError: ProblemType(503, "unavailable"),
    DataIntegrityError: ProblemType(500, "corrupt"),
}
_AWAY = (Unavailable, StoreUnavailableError, OutcomeUnknownError)
"""Errors whose text comes from the database: it goes to the log, not to callers."""
UNEXPECTED = ProblemType(500, "internal_error")

HTTP: Mapping[int, ProblemType] = {
    400: ProblemType(400, "bad_request"),
    404: ProblemType(404, "not_found"),
    405: ProblemType(405, "method_not_allowed"),
    413: ProblemType(413, "too_large"),
}
"""Errors that Litestar itself finds."""


def problem_response(request: Request, error: Exception) -> Response:
    """Return the response for an error. No stack trace leaves the service: an unexpected error is logged under the id in the problem."""
    kind = _kind(error)
    extras, headers = _extras(request, error), _headers(error)
    spoken = language_of(request)
    detail = _detail(request, error, spoken)
    if isinstance(error, Refused):
        extras |= {"waiting": missing_result_views(error.missing, spoken)} if isinstance(error, StillOpen) else {}
        part_of(request.app, Counts).count_refusal(error.code)
    if kind.status == 500 or isinstance(error, _AWAY):
        extras["id"] = request_id_of(request.scope)
        trace = error if kind.status == 500 else None
        named = {"error_id": extras["id"]}
        _LOG.error("problem %s at %s %s: %s", extras["id"], request.method, request.url.path, error, exc_info=trace, extra=named)
    code = kind.name if kind is UNEXPECTED else getattr(error, "code", kind.name)
    problem = Problem(type=f"/docs#{kind.name}", title=kind.title(spoken), status=kind.status, detail=detail, code=code, **extras)
    headers += [("content-language", spoken), ("cache-control", "no-store"), ("vary", "accept-language, authorization")]
    return Response(encode(problem), status=kind.status, media_type=MEDIA_TYPE, headers=headers)


def _kind(error: Exception) -> ProblemType:
    if isinstance(error, HTTPException):
        return HTTP.get(error.status_code, UNEXPECTED)
    return next((PROBLEMS[of] for of in type(error).__mro__ if of in PROBLEMS), UNEXPECTED)


def _detail(request: Request, error: Exception, spoken: str) -> str:
    match error:
        case Refused():
            return sentence(request, error)
        case HTTPException():
            says = errors.say(f"about.{_kind(error).name}")
        case DataIntegrityError():
            says = errors.say("about.corrupt", stream=str(error.stream), position=error.position)
        case StoreBlockedError():
            return error.in_words(spoken)
        case errors.ResponseTimeoutError():
            recorded = errors.say("about.unclear" if _may_be_recorded(request, error) else "about.unavailable")
            return f"{texts.render(errors.say('about.timed_out', seconds=f'{error.seconds:g}'), spoken)} {texts.render(recorded, spoken)}"
        case Unavailable() | StoreUnavailableError() | OutcomeUnknownError():
            says = errors.say("about.unclear" if _may_be_recorded(request, error) else "about.unavailable")
        case Worded() if type(error) in PROBLEMS:
            return error.in_words(spoken)
        case _:
            says = errors.say("about.internal_error")
    return texts.render(says, spoken)


def _may_be_recorded(request: Request, error: Exception) -> bool:
    """Return whether something may have been recorded all the same."""
    return isinstance(error, OutcomeUnknownError) or (isinstance(error, Unavailable) and error.unclear) or is_part_recorded(request)


def sentence(request: Request, refused: Refused) -> str:
    """Return the sentence for a refusal, from the catalogue of the game it is about, in the language of the caller."""
    spoken = language_of(request)
    user = request.scope.get("user")  # nobody yet where signing in is refused
    if user is not None and user.has_full_view:
        name_faces_of_block(refused)
    return refusal_sentence(services_of(request).rulesets.get(request.scope["state"].get("ruleset", "")), refused, spoken)


def _extras(request: Request, error: Exception) -> dict[str, Any]:
    """Return the members that a problem has besides the common ones."""
    match error:
        case Refused():
            return _refusal_extras(error)
        case InvalidFormatError() | errors.BadRequest() | RefInUse():
            return {"where": error.where or UNSET, "rules": getattr(error, "rules", UNSET)}
        case errors.PreconditionError():
            return {"position": error.stale.actual, "missed": Raw(error.missed)}
        case Stale():
            return {"position": error.actual}
        case errors.EpochChanged():
            return {"epoch": error.present, "common": UNSET if error.common is None else error.common}
        case errors.FuturePositionError():
            return {"head": error.head, "where": error.where}
        case Forbidden():
            return {"needs": error.needs or UNSET, "where": error.where or UNSET}
        case Unavailable() | StoreUnavailableError() | OutcomeUnknownError():
            return {"unclear": _may_be_recorded(request, error)}
        case _:
            return {}


def _refusal_extras(refused: Refused) -> dict[str, Any]:
    """Return the members of a refusal: its place, its rules, the unknown cards it asks for, and the moves that were possibly meant."""
    told = {"rules": refused.rules, "index": UNSET if refused.index is None else refused.index, "asks": asks_of(refused)}
    match refused:
        case Refusal():
            return {**told, "hand": refused.hand}
        case NotOneMove():
            options = [LineOption(move=option.move, written=option.written) for option in refused.options]
            return {**told, "options": options or UNSET, "at": UNSET if refused.at is None else refused.at}
        case _:
            return told


def asks_of(refused: Refused) -> list[Ask] | UnsetType:
    """Return the unknown cards that a refusal asks for, in the terms of ``known`` and ``lacks`` (COM-73)."""
    asks = refused.detail.get("asks")
    return msgspec.convert(asks, list[Ask]) if asks else UNSET


def _headers(error: Exception) -> list[tuple[str, str]]:
    match error:
        case errors.AuthenticationError():
            return [("www-authenticate", 'Bearer realm="kiebitz"' + (', error="invalid_token"' if error.invalid else ""))]
        case errors.RateLimitedError():
            told = quota(error.whose, error.limit, 0, error.wait)
            return [("retry-after", str(error.wait)), *((name.decode(), value.decode()) for name, value in told)]
        case errors.ConcurrencyLimitError() | errors.TooManyAttempts():
            return [("retry-after", str(error.wait))]
        case errors.PreconditionError():
            return [("etag", f'"{error.stale.actual}"')]
        case errors.Unsupported() if error.coding:
            return [("accept-encoding", "identity")]
        case HTTPException() if error.status_code == 405:
            return [("allow", (error.headers or {}).get("allow", ""))]
        case _:
            passes = _kind(error).status == 503 or isinstance(error, RequestPendingError)
            return [("retry-after", str(_RETRY))] if passes else []
