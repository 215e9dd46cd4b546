"""Query parameters: each known, each once, each well-formed. A misspelt filter that is passed over would answer another question."""

import re
from functools import cache
from typing import TypeVar
from urllib.parse import parse_qsl

import msgspec
import msgspec.inspect as inspect
from msgspec import Struct

from api.http.errors import BadRequest, say
from api.http.paging import bare_cursor
from api.http.request import Request
from domain import texts
from domain.errors import BadCursor
from domain.forms import misfit_at
from domain.texts import Phrase

Query = TypeVar("Query", bound=Struct)

_MOST = 50  # parameters; more than any operation has
_FORMS: dict[type, tuple[re.Pattern[str], Phrase]] = {
    inspect.IntType: (re.compile(r"-?[0-9]{1,15}"), texts.say("type.int")),
    inspect.BoolType: (re.compile(r"true|false"), texts.say("type.bool")),
    inspect.DateTimeType: (re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}.+"), texts.say("type.datetime")),
}


class Nothing(Struct, frozen=True, forbid_unknown_fields=True):
    """The query of a resource that takes no parameters."""


def read_query(request: Request, kind: type[Query]) -> Query:
    """The query as a Struct, all of whose fields have defaults. Raises ``BadRequest`` that names the parameter, and ``BadCursor``."""
    raw = request.scope["query_string"]
    if not raw:
        return kind()
    given = given_in(raw)
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
        raise BadRequest("bad_parameter", misfit_at(message, f"$.{where}", kind), where) from error
    _check_said(given, query)
    return query


def given_in(raw: bytes) -> dict[str, str]:
    """The parameters of a query as they came. Raises ``BadRequest``."""
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


def _check_said(given: dict[str, str], query: Struct) -> None:
    """A parameter that is given says something. msgspec takes the text ``null`` for nothing where a choice may be left out."""
    for name, field in zip(query.__struct_encode_fields__, query.__struct_fields__, strict=True):
        if name in given and getattr(query, field) is None:
            raise BadRequest("bad_parameter", misfit_at(f"Invalid enum value {given[name]!r}", f"$.{name}", type(query)), name)


@cache
def _forms(kind: type[Struct]) -> dict[str, tuple[re.Pattern[str], Phrase] | None]:
    described = inspect.type_info(kind)
    assert isinstance(described, inspect.StructType)
    return {field.encode_name: _form(field.type) for field in described.fields}


def _form(kind: inspect.Type) -> tuple[re.Pattern[str], Phrase] | None:
    if isinstance(kind, inspect.Metadata):
        return _form(kind.type)
    if isinstance(kind, inspect.UnionType):
        return next((form for form in map(_form, kind.types) if form), None)
    return _FORMS.get(type(kind))
