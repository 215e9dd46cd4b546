"""Decoding of request bodies and query parameters: strict JSON into strict Structs; and the types of their fields.

Values that the rules judge stay plain JSON values, undecoded. Duplicate keys have to be detected, and an error has to name its place. So
the standard library's parser reads; msgspec, in a quarter of the time, reads short bodies that can hide nothing.
"""

import json
import re
from datetime import UTC, datetime
from functools import cache
from typing import Annotated, Any, ClassVar, Literal, NoReturn, TypeAlias, TypeVar
from urllib.parse import parse_qsl

import msgspec
import msgspec.inspect as inspect
from msgspec import UNSET, Meta, Struct

from api.http.errors import BadRequest, Unsupported, say
from api.http.media_types import JSON
from api.http.paging import bare_cursor
from api.http.request import LARGEST_NUMBER, Request, body_of, header, read_header, services_of
from domain import texts
from domain.errors import BadCursor, InvalidFormatError
from domain.events.game import Openness
from domain.events.played import CLOCKS_DIFFER, EARLIEST
from domain.forms import FORM, describe_mismatch, describe_mismatch_at, leave_out_nulls
from domain.name_validation import ID, LONGEST_ID
from domain.texts import Phrase

Body = TypeVar("Body", bound=Struct)
Sent = TypeVar("Sent", bound="Incoming")

_FIELDS = 10
"""Most fields of a form that is sent without a script."""
_SHORT = 500
"""Bytes in which nothing can be nested too deep for either parser."""


async def read_body(request: Request, kind: type[Sent]) -> Sent:
    """Return the body as a Struct. Where nothing is required, it may be empty; a null that is no value means that the field is left out.

    Raises ``Unsupported``, ``BadRequest`` (no JSON) and ``InvalidFormatError`` (JSON of another form).
    """
    if not header(request, b"content-type") and may_be_empty(kind) and not await body_of(request):
        return kind()
    check_media_type(request, JSON)
    raw = await body_of(request)
    value = decode_json(raw)
    return convert_value(_leave_out(value, kind) if b"null" in raw else value, kind)


def _leave_out(value: Any, kind: type[Sent]) -> Any:
    """Return the value without what is null and no value: fields, unless the body corrects, and options of a game."""
    found = value if kind.corrects else leave_out_nulls(value, kind)
    match found:
        case {"options": dict() as options}:
            return {**found, "options": {name: one for name, one in options.items() if one is not None}}
        case _:
            return found


def may_be_empty(kind: Any) -> bool:
    """Return whether a body of this type may be left out: nothing in it is required."""
    if not isinstance(kind, type) or not issubclass(kind, Incoming) or kind.alternatives:
        return False
    return not any(field.required for field in msgspec.structs.fields(kind))


async def read_form(request: Request) -> dict[str, str]:
    """Return the fields of a form that a browser sends without a script. Raises ``BadRequest`` for more fields than any form has."""
    try:
        return dict(parse_qsl((await body_of(request)).decode("utf-8", "replace"), max_num_fields=_FIELDS))
    except ValueError:
        raise BadRequest("bad_parameter", say("form_fields", most=_FIELDS)) from None


def check_media_type(request: Request, *read: str) -> str:
    """Return the media type of the body, if it is one of those read here, in UTF-8 and not compressed. Raises ``Unsupported``."""
    coding, given = read_header(request, b"content-encoding"), header(request, b"content-type")
    if coding is not None and (coding := coding.strip().lower()) not in ("", "identity"):
        raise Unsupported(coding, ("identity",), coding=True)
    if given in read:
        return given
    name, *parameters = (part.strip().lower() for part in given.split(";"))
    charset = [parameter for parameter in parameters if parameter.startswith("charset=")]
    if name not in read or any(parameter.strip('charset="') not in ("utf-8", "utf8") for parameter in charset):
        raise Unsupported(given, read)
    return name


def decode_json(raw: bytes) -> object:
    """Return the JSON value. Raises ``BadRequest``, also for duplicate keys, NaN, half surrogate pairs and the character 0."""
    value = _parse_fast(raw)
    return _decode_value(raw, _DECODER) if value is UNSET else value


def _parse_fast(raw: bytes) -> object:
    """Return the same value by the fast parser, or ``UNSET`` where it cannot be sure.

    Of a duplicate key msgspec keeps the last value, and one colon is lost. A backslash could hide a colon, or half of a surrogate pair.
    """
    if len(raw) > _SHORT or b"\\" in raw:
        return UNSET
    try:
        value = msgspec.json.decode(raw)
        return value if msgspec.json.encode(value).count(b":") == raw.count(b":") else UNSET
    except ValueError:
        return UNSET


def canonical_json(raw: bytes) -> bytes:
    """Return equal bytes for equal values, whatever the blanks, the order of keys and the spelling of texts and numbers.

    Bytes that are no JSON are returned as they are.
    """
    try:
        value = _decode_value(raw, _CANONICAL_DECODER)
        return json.dumps(value, ensure_ascii=False, separators=(",", ":"), sort_keys=True).encode()
    except (BadRequest, RecursionError):
        return raw


def _decode_value(raw: bytes, decoder: json.JSONDecoder) -> object:
    if not raw.strip():
        raise BadRequest("malformed_json", say("body_empty"))
    try:
        value = decoder.decode(raw.decode("utf-8-sig"))  # with a byte order mark, as Windows writes it (RFC 8259, 8.1)
        if b"\\u" in raw:
            _check_text(value)
    except UnicodeDecodeError as error:
        raise BadRequest("malformed_json", say("body_not_utf8", byte=error.start)) from error
    except RecursionError as error:
        raise BadRequest("malformed_json", say("body_too_deep")) from error
    except ValueError as error:
        raise BadRequest("malformed_json", _no_json(error)) from error
    return value


def convert_value(value: object, kind: type[Body]) -> Body:
    """Convert a value to a Struct. Raises ``InvalidFormatError`` that names the place."""
    try:
        return msgspec.convert(value, kind, strict=True)
    except msgspec.ValidationError as error:
        says, where = describe_mismatch(error, kind)
        raise InvalidFormatError("malformed_body", says, where.removeprefix("$.")) from error


def _no_json(error: ValueError) -> Phrase:
    """Return the sentence that says where it is no JSON, or what is not allowed in it."""
    match error:
        case json.JSONDecodeError():
            return say("no_json", line=error.lineno, column=error.colno)
        case _InvalidJsonError():
            return error.says
        case _:
            return say("no_number")  # Python's limit on digits of a number


def in_utc(value: datetime | None, where: str) -> datetime | None:
    """Return the same moment in UTC. Raises ``InvalidFormatError`` at the edges of the calendar."""
    try:
        return value.astimezone(UTC) if value else None
    except OverflowError as error:
        raise InvalidFormatError("malformed_body", say("time_off_calendar"), where) from error


class _InvalidJsonError(ValueError):
    """JSON that is valid but not accepted here."""

    def __init__(self, says: Phrase) -> None:
        super().__init__(says.key)
        self.says = says


def time_at_the_table(value: datetime, now: datetime) -> datetime | None:
    """Return the time at the table in UTC. Raises ``InvalidFormatError`` for an impossible time: a typing error would be stored
    permanently.
    """
    happened = in_utc(value, "happened_at")
    if happened is not None and not EARLIEST <= happened <= now + CLOCKS_DIFFER:
        raise InvalidFormatError("impossible_time", say("impossible_time", earliest=EARLIEST.year), "happened_at")
    return happened


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        names = [name for name, _ in pairs]
        twice = next(name for name in names if names.count(name) > 1)
        raise _InvalidJsonError(say("key_twice", key=twice))
    return found


def _no_number(text: str) -> NoReturn:
    raise _InvalidJsonError(say("not_a_number", text=text))


def _check_text(value: object) -> None:
    """Refuse text that no store can keep: half of a surrogate pair, or the character 0."""
    text = json.dumps(value, ensure_ascii=False)
    if "\\u0000" in text:
        raise _InvalidJsonError(say("text_zero"))
    try:
        text.encode()
    except UnicodeEncodeError as error:
        raise _InvalidJsonError(say("text_half")) from error


def _shortest(text: str) -> int | float:
    """Return a number with a fraction or an exponent as a whole number where it is one, as if spelled without them."""
    number = float(text)
    return int(number) if number.is_integer() else number


_DECODER = json.JSONDecoder(object_pairs_hook=_unique, parse_constant=_no_number)
_CANONICAL_DECODER = json.JSONDecoder(object_pairs_hook=_unique, parse_constant=_no_number, parse_float=_shortest)


# Query parameters: each has to be known, given once, and well-formed. Ignoring a misspelt filter would answer another question.


Query = TypeVar("Query", bound=Struct)

_MOST = 50  # parameters; more than any operation has
_FORMS: dict[type, tuple[re.Pattern[str], Phrase]] = {
    inspect.IntType: (re.compile(r"-?[0-9]{1,15}"), texts.say("type.int")),
    inspect.BoolType: (re.compile(r"true|false"), texts.say("type.bool")),
    inspect.DateTimeType: (re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}.+"), texts.say("type.datetime")),
}


class Nothing(Struct, frozen=True, forbid_unknown_fields=True):
    """The query of a resource that takes no parameters."""


def read_query(request: Request, kind: type[Query], *, from_form: bool = False) -> Query:
    """Return the query as a Struct, all of whose fields have defaults. Raises ``BadRequest`` that names the
    parameter, and ``BadCursor``.

    ``from_form``: empty parameters count as left out. A browser also sends the fields of a form that nobody filled.
    """
    raw = request.scope["query_string"]
    if not raw:
        return kind()
    given = parse_parameters(raw)
    if from_form:
        given = {name: value for name, value in given.items() if value}
    forms = _forms(kind)
    for name, value in given.items():
        _check(name, value, forms)
    if "cursor" in given:
        given["cursor"] = bare_cursor(given["cursor"])
    try:
        query = msgspec.convert(given, kind, strict=False)
    except msgspec.ValidationError as error:
        message, _, where = str(error).partition(" - at `$.")
        where = where.rstrip("`")
        raise BadRequest("bad_parameter", describe_mismatch_at(message, f"$.{where}", kind), where) from error
    _check_given(given, query)
    _check_ruleset(request, given)
    return query


def _check_ruleset(request: Request, given: dict[str, str]) -> None:
    """Raise ``BadRequest`` for a ruleset that this service does not have: a filter by it would find nothing."""
    if "ruleset" in given and given["ruleset"] not in (known := services_of(request).rulesets):
        raise BadRequest("bad_parameter", texts.say("unknown_ruleset", ruleset=given["ruleset"], known=tuple(known)), "ruleset")


def parse_parameters(raw: bytes) -> dict[str, str]:
    """Return the parameters of a query as texts. Raises ``BadRequest``."""
    if not raw:
        return {}
    try:
        pairs = parse_qsl(raw.decode("latin-1"), keep_blank_values=True, errors="strict", max_num_fields=_MOST)
    except ValueError as error:
        raise BadRequest("bad_parameter", say("query_unreadable", most=_MOST)) from error
    given = dict(pairs)
    if len(given) < len(pairs):
        names = [name for name, _ in pairs]
        twice = next(name for name in names if names.count(name) > 1)
        raise BadRequest("bad_parameter", say("parameter_twice"), twice)
    return given


def _check(name: str, value: str, forms: dict[str, tuple[re.Pattern[str], Phrase] | None]) -> None:
    if name not in forms:
        says = say("unknown_parameter", name=name, known=tuple(forms)) if forms else say("no_parameters", name=name)
        raise BadRequest("unknown_parameter", says, name)
    form = forms[name]
    if form and not form[0].fullmatch(value):
        raise BadRequest("bad_parameter", say("bad_parameter", form=form[1]), name)
    if not value and not form:
        raise BadCursor if name == "cursor" else BadRequest("bad_parameter", say("parameter_empty"), name)
    if "\0" in value:
        raise BadRequest("bad_parameter", say("text_zero"), name)


def _check_given(given: dict[str, str], query: Struct) -> None:
    """Refuse a given parameter that was decoded as nothing: msgspec reads the text ``null`` as ``None`` for an optional choice."""
    for name, field in zip(query.__struct_encode_fields__, query.__struct_fields__, strict=True):
        if name in given and getattr(query, field) is None:
            raise BadRequest("bad_parameter", describe_mismatch_at(f"Invalid enum value {given[name]!r}", f"$.{name}", type(query)), name)


@cache
def _forms(kind: type[Struct]) -> dict[str, tuple[re.Pattern[str], Phrase] | None]:
    described = inspect.type_info(kind)
    assert isinstance(described, inspect.StructType)
    forms = {field.encode_name: _form(field.type) for field in described.fields}
    return {name: forms[name] for name in parameter_names(kind)}


def parameter_names(kind: type[Struct]) -> list[str]:
    """Return the names of the parameters: those of the query itself before those that it shares with others."""
    return [one.encode_name for one in sorted(msgspec.structs.fields(kind), key=lambda one: one.name not in kind.__annotations__)]


def _form(kind: inspect.Type) -> tuple[re.Pattern[str], Phrase] | None:
    if isinstance(kind, inspect.Metadata):
        return _form(kind.type)
    if isinstance(kind, inspect.UnionType):
        return next((form for form in map(_form, kind.types) if form), None)
    return _FORMS.get(type(kind))


# Fields that requests share, and the base classes of requests and responses. Values that rules judge are ``Any`` and stay undecoded.


Whole: TypeAlias = Annotated[int, Meta(ge=0, le=10**15 - 1)]
Number: TypeAlias = Annotated[int, Meta(ge=1, le=LARGEST_NUMBER)]
Name: TypeAlias = Annotated[str, Meta(min_length=1, max_length=LONGEST_ID)]
"""An id to look for: ids that were recorded before there was one pattern may have another form."""
Id: TypeAlias = Annotated[str, Meta(min_length=1, max_length=LONGEST_ID, pattern=ID, extra_json_schema={FORM: "form.id"})]
"""An id that goes into an event: of a player, a club, a tournament, a table. It is opaque; it should be no name."""
Follow: TypeAlias = Annotated[bool, Meta(description="false: only what is already recorded; then the stream ends")]
LocalTime: TypeAlias = Annotated[
    str,
    Meta(
        max_length=40,
        extra_json_schema={FORM: "form.local_time", "anyOf": [{"format": "date"}, {"format": "date-time"}]},
        examples=["2026-11-01"],
    ),
]
"""A date (its first moment), or a time; without an offset it is meant in the zone of the tournament, else of the house."""
Timestamp: TypeAlias = Annotated[datetime, Meta(tz=True, extra_json_schema={FORM: "form.time"})]
View: TypeAlias = Annotated[str, Meta(pattern="^(arbiter|public|seat:[0-9]{1,2})$", extra_json_schema={FORM: "form.view"})]
FreeText: TypeAlias = Annotated[str, Meta(min_length=1, max_length=4000)]
"""Words of a person. They go into the register of texts, never into an event."""
RuleNumber: TypeAlias = Annotated[
    str,
    Meta(
        pattern=r"^[A-Z]{2,4}-[0-9]{1,4}$(?!\n)",
        examples=["CNO-22"],
        extra_json_schema={FORM: "form.rule"},
    ),
]

# Their meaning is the same wherever they stand.

SEAT = {"type": "integer", "minimum": 0, "maximum": 63}
Seat: TypeAlias = Annotated[Any, Meta(description="a seat, from 0", examples=[0], extra_json_schema=SEAT)]
Seats: TypeAlias = Annotated[
    Any,
    Meta(
        description="number of seats; which, the ruleset says",
        examples=[2],
        extra_json_schema={"type": "integer", "minimum": 1, "maximum": 64},
    ),
]
MOVE = {"$ref": "#/components/schemas/Move"}
Move: TypeAlias = Annotated[Any, Meta(description="a move of this ruleset", extra_json_schema=MOVE)]
WORTH = {"type": "object", "additionalProperties": {"type": "integer"}}
TOLD = {"type": "object", "additionalProperties": {"type": "array", "items": {"type": "string"}}}
"""Cards by zone, as they are told (COM-71)."""

_PER_PARTY = {"type": "array", "maxItems": 64, "items": {"type": "integer", "minimum": -1_000_000, "maximum": 1_000_000}}
RESULT = {
    "title": "HandResult",
    "type": "object",
    "description": "the score of a hand that was not recorded",
    "properties": {
        "points": {**_PER_PARTY, "description": "a number for each party"},
        "rows": {
            "type": "object",
            "additionalProperties": _PER_PARTY,
            "maxProperties": 64,
            "description": "rows of the score sheet, a number for each party; they add up to the points",
        },
        "end": {"type": "string", "maxLength": 100, "description": "how the hand ended, as on the score sheet"},
    },
    "required": ["points"],
    "additionalProperties": False,
}
"""The result of a hand of which only the result is known (COM-67)."""

Options: TypeAlias = Annotated[
    Any,
    Meta(
        description="of this ruleset; what is left out has its default, or its value in the `preset`",
        extra_json_schema={"$ref": "#/components/schemas/Options"},
    ),
]
RulesetKey: TypeAlias = Annotated[Name, Meta(description="the key of the ruleset (`GET /v1/rulesets`)", examples=["casino"])]
OpenWhen: TypeAlias = Annotated[
    Openness,
    Meta(
        description=("when hidden cards open to everybody: after each hand, the game, the round or the tournament, at a moment, or never")
    ),
]
IsLive: TypeAlias = Annotated[bool, Meta(description="whether the public sees a game while it is played; else only that it is on")]
PlayersMove: TypeAlias = Annotated[bool, Meta(description="the players may make their own moves")]
FairShuffle: TypeAlias = Annotated[
    Literal["fair"] | None,
    Meta(description=("`fair`: every hand is dealt from a fair shuffle (docs/fair-decks.md); by default any deck may be dealt")),
]
HappenedAt: TypeAlias = Annotated[Timestamp | None, Meta(description="the time at the table; left out if unknown")]
Cursor: TypeAlias = Annotated[str, Meta(max_length=1000, description="`next` of the earlier page; opaque")] | None
Limit: TypeAlias = Annotated[int, Meta(ge=1, le=1000, description="the largest number on a page")]
ShortLimit: TypeAlias = Annotated[int, Meta(ge=1, le=200, description="the largest number on a page")]
MinSequence: TypeAlias = Annotated[
    Whole | None, Meta(description="wait until the projection has reached this sequence, from the answer to a write; 2 s at most")
]
ChangedSince: TypeAlias = Annotated[Whole | None, Meta(description="only where something was recorded after this sequence")]
AfterPosition: TypeAlias = Annotated[Whole, Meta(description="only events after this position; 0 for all")]
DryRunOnly: TypeAlias = Annotated[bool, Meta(description="only try: answer what would be recorded, without recording it")]


S = TypeVar("S", bound=Struct)


class Incoming(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The base of all request bodies and queries."""

    alternatives: ClassVar[bool] = False
    """Whether one of its optional fields has to be there, so that the body must not be empty."""

    corrects: ClassVar[bool] = False
    """Whether what is left out stays as it is; then null makes a field empty, and is refused where it cannot be empty."""


class ResponseModel(Struct, frozen=True, kw_only=True):
    """The base of all responses. Fields that are left out are ``UNSET`` by default."""


class ActBody(Incoming, frozen=True, kw_only=True):
    """The base of the bodies of acts: the time at the table."""

    happened_at: HappenedAt = None


class ReasonBody(ActBody, frozen=True, kw_only=True):
    """An act that needs no more than a reason."""

    reason: Annotated[FreeText | None, Meta(description="the reason, in words")] = None


def copy_fields(source: object, kind: type[S], **others: object) -> S:
    """Return a Struct of this kind: fields that are not given come from the attributes of the same name."""
    return kind(**others, **{name: getattr(source, name) for name in kind.__struct_fields__ if name not in others})


class DryRun(Incoming, frozen=True, kw_only=True):
    dry_run: DryRunOnly = False


class MinSequenceQuery(Incoming, frozen=True, kw_only=True):
    min_sequence: MinSequence = None


class PageQuery(Incoming, frozen=True, kw_only=True):
    """A page of a list that is read from a register."""

    cursor: Cursor = None
    limit: ShortLimit = 50


class HistoryQuery(Incoming, frozen=True, kw_only=True):
    after: AfterPosition = 0
    limit: Limit = 100
