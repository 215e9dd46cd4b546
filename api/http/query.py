"""Query parameters: each known, each once, each well-formed. A misspelt filter that is passed over would answer another question."""

import re
from functools import cache
from typing import TypeVar
from urllib.parse import parse_qsl

import msgspec
import msgspec.inspect as inspect
from msgspec import Struct

from api.http.errors import BadRequest
from api.http.hints import hinted
from api.http.paging import bare_cursor
from api.http.request import Request
from domain.errors import BadCursor

Query = TypeVar("Query", bound=Struct)

_MOST = 50  # parameters; more than any operation has
_FORMS: dict[type, tuple[re.Pattern[str], str]] = {
    inspect.IntType: (re.compile(r"-?[0-9]{1,15}"), "a whole number"),
    inspect.BoolType: (re.compile(r"true|false"), "true or false"),
    inspect.DateTimeType: (re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}.+"), "a time like 2026-11-21T19:04:11Z"),
}


class Nothing(Struct, frozen=True, forbid_unknown_fields=True):
    """The query of a resource that takes no parameters."""


def read_query(request: Request, kind: type[Query]) -> Query:
    """The query as a Struct, all of whose fields have defaults. Raises ``BadRequest`` that names the parameter, and ``BadCursor``."""
    given = _given(request.scope["query_string"])
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
        raise BadRequest("bad_parameter", hinted(message, f"$.{where}", kind), where) from error
    _check_said(given, query)
    return query


def _given(raw: bytes) -> dict[str, str]:
    if not raw:
        return {}
    try:
        pairs = parse_qsl(raw.decode("latin-1"), keep_blank_values=True, errors="strict", max_num_fields=_MOST)
    except ValueError as error:
        raise BadRequest("bad_parameter", "the query is not UTF-8, or has too many parameters") from error
    given = dict(pairs)
    if len(given) < len(pairs):
        names = [name for name, _ in pairs]
        twice = next(name for name in names if names.count(name) > 1)
        raise BadRequest("bad_parameter", "a parameter may be given once", twice)
    return given


def _check(name: str, value: str, forms: dict[str, tuple[re.Pattern[str], str] | None]) -> None:
    if name not in forms:
        allowed = f"known here: {', '.join(forms)}" if forms else "none is known here"
        raise BadRequest("unknown_parameter", f"there is no parameter {name!r}; {allowed}", name)
    form = forms[name]
    if form and not form[0].fullmatch(value):
        raise BadRequest("bad_parameter", f"this has to be {form[1]}", name)
    if not value and not form:
        raise BadCursor if name == "cursor" else BadRequest("bad_parameter", "this is empty; leave it out, or say what it is", name)
    if "\0" in value:
        raise BadRequest("bad_parameter", "text holds the character 0", name)


def _check_said(given: dict[str, str], query: Struct) -> None:
    """A parameter that is given says something. msgspec takes the text ``null`` for nothing where a choice may be left out."""
    for name, field in zip(query.__struct_encode_fields__, query.__struct_fields__, strict=True):
        if name in given and getattr(query, field) is None:
            raise BadRequest("bad_parameter", hinted(f"Invalid enum value {given[name]!r}", f"$.{name}", type(query)), name)


@cache
def _forms(kind: type[Struct]) -> dict[str, tuple[re.Pattern[str], str] | None]:
    described = inspect.type_info(kind)
    assert isinstance(described, inspect.StructType)
    return {field.encode_name: _form(field.type) for field in described.fields}


def _form(kind: inspect.Type) -> tuple[re.Pattern[str], str] | None:
    if isinstance(kind, inspect.Metadata):
        return _form(kind.type)
    if isinstance(kind, inspect.UnionType):
        return next((form for form in map(_form, kind.types) if form), None)
    return _FORMS.get(type(kind))
