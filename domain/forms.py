"""Explanations of msgspec validation errors, in words: which values, fields or forms would have been valid at that place."""

import re
from collections.abc import Iterable, Iterator
from functools import cache
from typing import Any

import msgspec.inspect as inspect

from domain.name_validation import LONGEST_ID
from domain.texts import Phrase, say

FORM = "x-form"
"""The key in a JSON Schema under which a text names the sentence (a key of the catalogue) that says how it is written."""

_STEP = re.compile(r"\.([^.\[]+)|\[([0-9.]*)\]")
_TYPES = frozenset({"int", "float", "str", "bool", "array", "object", "null", "uuid", "datetime"})
_TYPE = re.compile(r"Expected `(.*)`, got `(.*)`")
_MISSING, _FIELD = re.compile(r"Object missing required field `(.*)`"), re.compile(r"Object contains unknown field `(.*)`")
_WORD = re.compile(r"Invalid (?:enum )?value '?(.*?)'?")
_LIMITS = {">=": "at_least", ">": "more_than", "<=": "at_most", "<": "less_than"}
_LIMIT = re.compile(r"Expected `(.*)`( of length)? (>=|<=|>|<) (\S+)")
_LENGTH = re.compile(r"Expected `array` of length ([0-9]+), got ([0-9]+)")
_OTHERS = {
    "Invalid UUID": "form.uuid",
    "Invalid RFC3339 encoded datetime": "form.time",
    "Expected `datetime` with a timezone component": "form.time",
    "Integer value out of range": "form.range",
}


def describe_mismatch(error: Exception, kind: Any) -> tuple[Phrase, str]:
    """Return the problem that msgspec found in a value of this kind, and the path to the place, ``$`` for the whole."""
    message, _, where = str(error).partition(" - at `")
    where = where.rstrip("`") or "$"
    return describe_mismatch_at(message, where, kind), where


def describe_mismatch_at(message: str, where: str, kind: Any) -> Phrase:
    """Return the problem of a message whose place is known."""
    if word := _WORD.fullmatch(message):
        return _of_known(word[1], _values(_at(_info(kind), where)))
    if field := _FIELD.fullmatch(message):
        return unknown_field(field[1], _fields(_at(_info(kind), where)))
    if field := _MISSING.fullmatch(message):
        return say("form.missing", name=field[1])
    if types := _TYPE.fullmatch(message):
        return say("form.type", wanted=_name_types(types[1]), given=_name_types(types[2]))
    if length := _LENGTH.fullmatch(message):
        return say("form.length", wanted=int(length[1]), given=int(length[2]))
    if limit := _LIMIT.fullmatch(message):
        what = ("items" if limit[1] == "array" else "length") if limit[2] else "number"
        return say(f"form.{what}.{_LIMITS[limit[3]]}", limit=int(limit[4]) if limit[4].isdigit() else limit[4])
    if message.startswith("Expected `str` matching regex"):
        return next(_forms(kind, where), say("form.pattern"))
    return say(_OTHERS.get(message, "form.other"))


def leave_out_nulls(value: Any, kind: Any) -> Any:
    """Return the value without the fields that are null, and could be left out and hold no null."""
    return _without_nulls(value, _info(kind))


def _without_nulls(value: Any, kind: inspect.Type) -> Any:
    within = list(_unwrap(kind))
    structs, items = [one for one in within if isinstance(one, inspect.StructType)], [next for one in within for next in _inside(one, "")]
    match value:
        case dict() if len(structs) == 1:
            fields = {field.encode_name: field for field in structs[0].fields}
            return {
                name: _without_nulls(one, fields[name].type) if name in fields else one
                for name, one in value.items()
                if one is not None or name not in fields or fields[name].required or _may_be_null(fields[name].type)
            }
        case list() if len(items) == 1:
            return [_without_nulls(one, items[0]) for one in value]
        case _:
            return value


def _may_be_null(kind: inspect.Type) -> bool:
    return any(isinstance(one, inspect.NoneType) for one in _unwrap(kind))


def unknown_field(name: str, known: Iterable[str]) -> Phrase:
    fields = tuple(known)
    return say("form.unknown_field", name=name, known=fields) if fields else say("form.no_field", name=name)


def form_of(key: str) -> Phrase:
    """Return the sentence that a ``FORM`` names."""
    return say(key, longest=LONGEST_ID)


def _of_known(value: str, known: tuple[str, ...]) -> Phrase:
    return say("form.unknown_value", value=value, known=known) if known else say("form.other")


def _name_types(types: str) -> Phrase:
    """Return ``int | null`` in words."""
    names = [say(f"type.{one if one in _TYPES else 'other'}") for one in types.split(" | ")]
    first, *others = names
    for other in others:
        first = say("type.or", one=first, other=other)
    return first


@cache
def _info(kind: Any) -> inspect.Type:
    return inspect.type_info(kind)


def _values(found: Iterator[inspect.Type]) -> tuple[str, ...]:
    """Return the choices at a place where the choice is closed: values, or the types of objects."""
    names: list[object] = []
    for one in found:
        match one:
            case inspect.LiteralType(values=values):
                names += values
            case inspect.StructType(tag=tag) if tag is not None:
                names.append(tag)
    return tuple(map(str, names))


def _fields(found: Iterator[inspect.Type]) -> Iterator[str]:
    return (field.encode_name for one in found if isinstance(one, inspect.StructType) for field in one.fields)


def _forms(kind: Any, where: str) -> Iterator[Phrase]:
    """Return the required forms of a text, where there is a sentence or an example."""
    for one in _list_types_at(_info(kind), where):
        about = (one.extra_json_schema or {}) if isinstance(one, inspect.Metadata) else {}
        if FORM in about:
            yield form_of(about[FORM])
        elif "examples" in about:
            yield say("form.like", examples=tuple(about["examples"]))


def _at(kind: inspect.Type, where: str) -> Iterator[inspect.Type]:
    return (one for one in _list_types_at(kind, where) if not isinstance(one, inspect.Metadata | inspect.UnionType))


def _list_types_at(kind: inspect.Type, where: str) -> list[inspect.Type]:
    """Return all types that may stand at this place, with what is wrapped around them."""
    found = list(_unwrap(kind))
    for name, _ in _STEP.findall(where):
        found = [inner for one in found for next in _inside(one, name) for inner in _unwrap(next)]
    return found


def _unwrap(kind: inspect.Type) -> Iterator[inspect.Type]:
    yield kind
    inner: Iterable[inspect.Type] = (kind.type,) if isinstance(kind, inspect.Metadata) else ()
    for one in kind.types if isinstance(kind, inspect.UnionType) else inner:
        yield from _unwrap(one)


def _inside(kind: inspect.Type, name: str) -> Iterator[inspect.Type]:
    """Return the types within one. ``name`` is that of a field; empty for an item."""
    match kind:
        case inspect.StructType(fields=fields, tag_field=tag_field) if name:
            yield from (field.type for field in fields if field.encode_name == name)
            if name == tag_field:
                yield kind
        case inspect.ListType(item_type=item) | inspect.VarTupleType(item_type=item) if not name:
            yield item
        case inspect.TupleType(item_types=items) if not name:
            yield from items
        case inspect.DictType(value_type=value) if not name:
            yield value
        case _:
            return
