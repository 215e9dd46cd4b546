"""Hints for a value that does not fit its Struct: which values, fields or forms would have fitted at that place."""

import re
from collections.abc import Iterable, Iterator
from functools import cache
from typing import Any

import msgspec.inspect as inspect

from api.http.fields import FORM

_STEP = re.compile(r"\.([^.\[]+)|\[([0-9.]*)\]")
_TYPES = {
    "int": "a whole number",
    "float": "a number with a fraction",
    "str": "text",
    "bool": "true or false",
    "array": "a list",
    "object": "an object",
}
_TYPE = re.compile(r"Expected `(.*)`, got `(.*)`")
_LIMITS = {">=": "at least", "<=": "at most"}
_LIMIT = re.compile(r"Expected `(.*)`( of length)? (>=|<=) (\S+)")
_WORD, _FIELD = re.compile(r"Invalid enum value '?(.*?)'?"), re.compile(r"Object contains unknown field `(.*)`")


def hinted(message: str, where: str, kind: Any) -> str:
    """The message of msgspec about a value of this kind, and what to do. ``where`` is its path, ``$`` for the whole."""
    found = list(_at(_info(kind), where))
    if word := _WORD.fullmatch(message):
        known = [str(value) for one in found if isinstance(one, inspect.LiteralType) for value in one.values]
        return f"{word[1]!r} is not known here; known are {', '.join(known)}" if known else message
    if field := _FIELD.fullmatch(message):
        fields = [field.encode_name for one in found if isinstance(one, inspect.StructType) for field in one.fields]
        return f"there is no field {field[1]!r}; {'known here: ' + ', '.join(fields) if fields else 'none is known here'}"
    if types := _TYPE.fullmatch(message):
        return f"this has to be {_in_words(types[1])}, not {_in_words(types[2])}"
    if limit := _LIMIT.fullmatch(message):
        return f"this has to be {_in_words(limit[1])}{limit[2] or ','} {_LIMITS[limit[3]]} {limit[4]}"
    if message.startswith("Expected `str` matching regex"):
        return next((f"this has to be: {form}" for form in _forms(kind, where)), message)
    return message


def _in_words(types: str) -> str:
    return " or ".join(_TYPES.get(one, one) for one in types.split(" | "))


@cache
def _info(kind: Any) -> inspect.Type:
    return inspect.type_info(kind)


def _forms(kind: Any, where: str) -> Iterator[str]:
    for one in _whole(_info(kind), where):
        if isinstance(one, inspect.Metadata) and FORM in (one.extra_json_schema or {}):
            yield str((one.extra_json_schema or {})[FORM])


def _at(kind: inspect.Type, where: str) -> Iterator[inspect.Type]:
    return (one for one in _whole(kind, where) if not isinstance(one, inspect.Metadata | inspect.UnionType))


def _whole(kind: inspect.Type, where: str) -> list[inspect.Type]:
    """All that may stand at this place, with what is wrapped around it."""
    found = list(_unwrapped(kind))
    for name, _ in _STEP.findall(where):
        found = [inner for one in found for next in _inside(one, name) for inner in _unwrapped(next)]
    return found


def _unwrapped(kind: inspect.Type) -> Iterator[inspect.Type]:
    yield kind
    inner: Iterable[inspect.Type] = (kind.type,) if isinstance(kind, inspect.Metadata) else ()
    for one in kind.types if isinstance(kind, inspect.UnionType) else inner:
        yield from _unwrapped(one)


def _inside(kind: inspect.Type, name: str) -> Iterator[inspect.Type]:
    """``name`` of a field; empty for an item."""
    match kind:
        case inspect.StructType(fields=fields) if name:
            yield from (field.type for field in fields if field.encode_name == name)
        case inspect.ListType(item_type=item) | inspect.VarTupleType(item_type=item) if not name:
            yield item
        case inspect.TupleType(item_types=items) if not name:
            yield from items
        case inspect.DictType(value_type=value) if not name:
            yield value
        case _:
            return
