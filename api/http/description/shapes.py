"""JSON Schemas for the OpenAPI document: change what msgspec makes of the Structs into a shape that people and client generators read well.

No array has ``items: false``; the meaning of a field stands beside its type, not within one of its alternatives; a format in words
(``fields.FORM``) follows the meaning.
"""

from collections.abc import Iterable
from typing import Any

import msgspec

from domain import texts
from domain.effects import Plain
from domain.forms import FORM, form_of
from domain.name_validation import ID

REF = "#/components/schemas/{name}"
PLAIN = {"Plain": {"description": "any JSON value"}}
_PLAIN_IN_FULL = msgspec.json.schema(Plain)
_NULL = {"type": "null"}
_FOR_ALL_READERS = {ID: r"^(?!\.\.?$)[^\s/\x00-\x1f\x7f-\x9f]+( [^\s/\x00-\x1f\x7f-\x9f]+)*$"}
"""Patterns that only Python reads, and their equivalents in ECMA 262. Those accept a little more; the format in words says so."""


def simplify_schema(schema: Any) -> Any:
    """Return the same schema in that shape; a reference where any JSON value is described level by level."""
    if isinstance(schema, dict):
        said = {key: schema[key] for key in ("description", "default") if key in schema}
        if {key: value for key, value in schema.items() if key not in said} == _PLAIN_IN_FULL:
            return {"$ref": REF.format(name="Plain"), **said}
        simple = {key: simplify_schema(value) for key, value in schema.items()}
        return _with_form(_lift_description(_simplify_list(_convert_flag(_convert_pattern(simple)))))
    return [simplify_schema(item) for item in schema] if isinstance(schema, list) else schema


def _convert_flag(schema: dict[str, Any]) -> dict[str, Any]:
    """Return the schema of a field that is ``true`` or left out as a boolean: no client generator knows an ``enum`` of ``true``."""
    is_flag = len(schema.get("enum", ())) == 1 and schema["enum"][0] is True
    return {**{key: value for key, value in schema.items() if key != "enum"}, "type": "boolean"} if is_flag else schema


def _convert_pattern(schema: dict[str, Any]) -> dict[str, Any]:
    pattern = schema.get("pattern")
    return {**schema, "pattern": _FOR_ALL_READERS[pattern]} if isinstance(pattern, str) and pattern in _FOR_ALL_READERS else schema


def _simplify_list(schema: dict[str, Any]) -> dict[str, Any]:
    """Simplify a list of fixed length: client generators do not understand ``prefixItems``."""
    if "prefixItems" not in schema:
        return schema
    kinds = _distinct(schema["prefixItems"])
    rest = {key: value for key, value in schema.items() if key != "prefixItems"}
    return {**rest, "items": kinds[0] if len(kinds) == 1 else {"anyOf": kinds}}


def _distinct(schemas: Iterable[Any]) -> list[Any]:
    found: list[Any] = []
    for schema in schemas:
        found += [] if schema in found else [schema]
    return found


def _lift_description(schema: dict[str, Any]) -> dict[str, Any]:
    """Move the meaning of a field that may be null, or left out, from its alternative to the field."""
    kinds = schema.get("anyOf", ())
    alone = [kind for kind in kinds if kind != _NULL]
    if len(kinds) == len(alone) or len(alone) != 1 or not isinstance(alone[0], dict) or "description" not in alone[0]:
        return schema
    meaning = alone[0]["description"]
    if "description" in schema:
        return schema
    bare = {key: value for key, value in alone[0].items() if key != "description"}
    return {"description": meaning, **schema, "anyOf": [bare if kind is alone[0] else kind for kind in kinds]}


def _with_form(schema: dict[str, Any]) -> dict[str, Any]:
    if not isinstance(schema.get(FORM), str):
        return schema
    meaning = ". ".join(filter(None, [schema.get("description"), texts.render(form_of(schema[FORM]))]))
    return {"description": meaning, **{key: value for key, value in schema.items() if key not in (FORM, "description")}}
