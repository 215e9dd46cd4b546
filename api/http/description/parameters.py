"""Parameters of an operation in the OpenAPI document: path, query and headers, each with its meaning and its limits."""

from collections.abc import Mapping
from typing import Any

from api.http.decoding import parameter_names
from api.http.description import examples
from api.http.description.components import Schemas, names_in
from api.http.operations import Operation
from api.http.request import LARGEST_NUMBER
from domain.name_validation import LONGEST_ID
from domain.texts import LANGUAGES

_LANGUAGES = " or ".join(LANGUAGES)
_NUMBER = {"type": "integer", "minimum": 1, "maximum": LARGEST_NUMBER}
_NAME = {"type": "string", "minLength": 1, "maxLength": LONGEST_ID}

PATH: Mapping[str, tuple[str, dict[str, Any]]] = {
    "game": ("the id of the game, from the answer to its opening", {"type": "string", "format": "uuid"}),
    "number": ("the number of the dispute in its game, or of the list of the ruleset, from 1", _NUMBER),
    "position": ("the number of the event, from 1", _NUMBER),
    "player": ("the id of the player", _NAME),
    "token": ("the id of the token, from the list; never its secret", _NAME),
    "tournament": ("the id of the tournament", _NAME),
    "series": ("the id of the series", _NAME),
    "round": ("the number of the round, from 1", _NUMBER),
    "table": ("the name of the table in its round", _NAME),
    "entrant": ("the number of the entrant, from 1", _NUMBER),
    "wish": ("the number of the wish, from 1", _NUMBER),
    "session": ("the id of the session, from the list", _NAME),
    "code": ("the id of the code, from the list; not the code itself", _NAME),
    "digest": ("the digest of the file; any other digest also answers the present file", {"type": "string", "pattern": "^[^/]+$"}),
    "webhook": ("the id of the webhook, from the list", _NAME),
    "message": ("the id of the message: its `webhook-id`", {"type": "string", "minLength": 1, "maxLength": 200}),
    "name": ("the name of the file", _NAME),
    "key": ("the key of the ruleset", _NAME),
    "ruleset": ("the key of the ruleset", _NAME),
    "schema": ("the name of the table", _NAME),
    "level": ("of the tile, from 0", {"type": "string", "pattern": "^([0-9]|[1-5][0-9]|6[0-3])$"}),
    "place": (
        "`<N>`, or `<N>.p/<W>`, as in c2sp.org/tlog-tiles",
        {"type": "string", "pattern": "^(x[0-9]{3}/)*[0-9]{3}([.]p/[1-9][0-9]{0,2})?$"},
    ),
}
"""The meaning and the schema of each name in a path."""
_PARAMETERS: Mapping[str, tuple[str, dict[str, Any]]] = {
    "If-Match": (
        ("the position that the decision is based on, in quotes, from the ETag of an answer; 412 if something was recorded since"),
        {"type": "string", "pattern": r'^(\*|(W/)?"[0-9]{1,15}(\.[^"]*)?")$'},
    ),
    "If-None-Match": ("ETags of cached answers; 304 if one is still current", {"type": "string"}),
    "Accept-Language": (f"of the sentences: {_LANGUAGES}", {"type": "string"}),
    "Last-Event-ID": (
        "the id of the last message received before the stream broke; it takes precedence over `after`",
        {"type": "string", "pattern": "^[0-9]{0,15}$"},
    ),
    "Idempotency-Key": (
        "the same key with the same request repeats the answer, not the change",
        {"type": "string", "minLength": 1, "maxLength": 200, "pattern": "^[ -~]*$"},
    ),
}
ANY_TEXT = r"^[^\x00]*$"
_SAID = {"minLength": 1, "pattern": ANY_TEXT}
"""A text in the query is not empty, and no store keeps the character 0."""
_SPELT = {"enum", "const", "pattern", "format", "anyOf"}
_LANGUAGE = {
    "name": "Accept-Language",
    "in": "header",
    "description": f"of all that is said in words: {_LANGUAGES}",
    "schema": {"type": "string"},
}
_EPOCH = {
    "name": "Kiebitz-Epoch",
    "in": "header",
    "description": "the epoch of the data that the caller refers to, from an answer; 409 if another one has begun",
    "schema": {"type": "string"},
}


def parameters(path: str, operation: Operation, schemas: Schemas) -> list[dict[str, Any]]:
    found = [*_in_path(path), *_in_query(operation, schemas), *_in_headers(operation)]
    steps = examples.steps_of(operation.id)
    return [_with_examples(one, examples.of_parameter(steps, one["in"], one["name"])) for one in found]


def _with_examples(parameter: dict[str, Any], given: dict[str, Any]) -> dict[str, Any]:
    """Add examples as values of the schema; in an address ``true`` is a text."""
    if not given:
        return parameter
    is_yes_or_no = parameter["schema"].get("type") == "boolean"
    return {**parameter, "examples": {name: {"value": one["value"] == "true"} for name, one in given.items()} if is_yes_or_no else given}


def as_sent(value: object) -> object:
    """Return the value of an example as an address has it."""
    return ("false", "true")[value] if isinstance(value, bool) else value


def _in_path(path: str) -> list[dict[str, Any]]:
    return [_of_path(name, *PATH.get(name, ("", {"type": "string"}))) for name in names_in(path)]


def _of_path(name: str, meaning: str, schema: dict[str, Any]) -> dict[str, Any]:
    return {"name": name, "in": "path", "required": True, "description": meaning, "schema": schema}


def _in_query(operation: Operation, schemas: Schemas) -> list[dict[str, Any]]:
    described = schemas.fields(operation.query)
    return [_of_query(name, _bare(described[name])) for name in parameter_names(operation.query)]


def _of_query(name: str, schema: dict[str, Any]) -> dict[str, Any]:
    """Return the parameter with its meaning on the parameter, not in its schema.

    An empty text as default means that the parameter has to be given: the handler refuses the empty text.
    """
    has_to_be_given = schema.get("default") == ""
    bare = {key: value for key, value in schema.items() if key not in ("description", *(["default"] if has_to_be_given else []))}
    required = {"required": True} if has_to_be_given else {}
    said = (_SAID if bare.get("type") == "string" and not _SPELT & bare.keys() else {}) | ({"minLength": 1} if has_to_be_given else {})
    return {"name": name, "in": "query", **required, "description": schema.get("description", ""), "schema": {**said, **bare}}


def _bare(schema: dict[str, Any]) -> dict[str, Any]:
    """Return the schema without null: a parameter is left out rather than null."""
    kinds = [kind for kind in schema.get("anyOf", ()) if kind != {"type": "null"}]
    if len(kinds) != 1:
        return schema
    return {**kinds[0], **{key: schema[key] for key in ("description",) if key in schema}}


def _in_headers(operation: Operation) -> list[dict[str, Any]]:
    named = [
        {"name": name, "in": "header", "description": _PARAMETERS[name][0], "schema": _PARAMETERS[name][1]} for name in operation.headers
    ]
    named += [] if operation.role == "anybody" else [_EPOCH]
    return [*named, _LANGUAGE] if 422 in operation.refuses else named
