"""The OpenAPI document, written from what each route says about itself and from the Structs that decode and encode.

Not Litestar's own: bodies and queries are decoded strictly by this house, so a description made from handlers' signatures would
describe something else.
"""

from collections.abc import Iterable, Mapping
from importlib.metadata import version
from typing import Any

import msgspec
from litestar import Litestar
from litestar.handlers import HTTPRouteHandler

from api.answers import Problem
from api.operations import Content, Operation
from api.problems import HTTP, KINDS, MEDIA_TYPE
from domain.effects import Plain

_REF = "#/components/schemas/{name}"
_ALWAYS = (400, 401, 403, 429, 500, 503)
_WITH_BODY = (413, 415, 422)

_PARAMETERS: Mapping[str, tuple[str, dict[str, Any]]] = {
    "If-Match": ("the position decided on, in quotes; 412 if the game went on", {"type": "string", "examples": ['"42"']}),
    "If-None-Match": ("ETags held already; 304 if one still stands", {"type": "string"}),
    "Idempotency-Key": (
        "the same key with the same request is answered again, not done again",
        {"type": "string", "minLength": 1, "maxLength": 200, "examples": ["9f1c2c7a-move-17"]},
    ),
}
_LANGUAGE = {
    "name": "Accept-Language",
    "in": "header",
    "description": "of the sentences of refusals: en or de",
    "schema": {"type": "string"},
}
_SAID: Mapping[str, str] = {
    "Location": "where it can be read",
    "ETag": "what to send as If-None-Match; of a write the position for the next If-Match",
    "Link": 'rel="next": the next page',
    "Content-Location": "the position and view that are shown",
}
_TAGS = {
    "Games": "opening games, and finding them",
    "Playing": "hands, moves and taking them back",
    "Reading": "what happened, how the table lies or lay, and what it brought",
    "Records": "games in and out",
    "Rulesets": "what is played here, and by which rules",
    "Operation": "for those who run the service",
}


def operations(app: Litestar) -> Iterable[tuple[str, str, Operation]]:
    """Every documented route: path, method (lower case), what it says."""
    for route in app.routes:
        for handler in getattr(route, "route_handlers", ()):
            if isinstance(handler, HTTPRouteHandler) and "operation" in handler.opt:
                method = "post" if "POST" in handler.http_methods else "get"
                yield route.path_format, method, handler.opt["operation"]


def document(app: Litestar) -> dict[str, Any]:
    found = list(operations(app))
    schemas, components = _schemas(operation for _, _, operation in found)
    paths: dict[str, dict[str, Any]] = {}
    for path, method, operation in sorted(found, key=lambda item: item[0]):
        paths.setdefault(path, {})[method] = _operation(path, operation, schemas)
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "Kiebitz",
            "version": version("kiebitz"),
            "summary": "Records card games move by move",
            "description": "A game is a line of events; a position is the number of an event in its game. Errors are problems (RFC 9457).",
        },
        "servers": [{"url": "/"}],
        "tags": [{"name": name, "description": text} for name, text in _TAGS.items()],
        "paths": paths,
        "components": {"schemas": components, "responses": _problems(schemas), "securitySchemes": _SECURITY},
        "security": [{"token": []}],
    }


_SECURITY = {"token": {"type": "http", "scheme": "bearer", "description": "`Authorization: Bearer kb_…`; `kiebitz tokens issue` makes one"}}


class _Schemas:
    """The JSON Schema of a type, or a schema as it stands."""

    def __init__(self, types: list[Any]) -> None:
        found, self.components = msgspec.json.schema_components(types, ref_template=_REF)
        self._found = list(zip(types, found, strict=True))

    def __getitem__(self, kind: Any) -> dict[str, Any]:
        return kind if isinstance(kind, dict) else next(schema for known, schema in self._found if known == kind)


def _schemas(operations: Iterable[Operation]) -> tuple[_Schemas, dict[str, Any]]:
    types: list[Any] = [Problem]
    queries: list[Any] = []
    for operation in operations:
        queries.append(operation.query)
        used = [*operation.body.values(), *(kind for content in operation.answers.values() for kind in content.types.values())]
        types += [kind for kind in (operation.query, *used) if not isinstance(kind, dict) and kind not in types]
    schemas = _Schemas(types)
    hidden = {_named(schemas[kind]) for kind in queries}
    shown = {name: _short(schema) for name, schema in schemas.components.items() if name not in hidden}
    return schemas, dict(sorted({**shown, **_PLAIN}.items()))


_PLAIN = {"Plain": {"description": "a JSON value", "type": ["null", "boolean", "number", "string", "array", "object"]}}
_PLAIN_IN_FULL = msgspec.json.schema(Plain)


def _short(schema: Any) -> Any:
    """The same schema, with a reference where a plain value is described level by level."""
    if schema == _PLAIN_IN_FULL:
        return {"$ref": _REF.format(name="Plain")}
    if isinstance(schema, dict):
        return {key: _short(value) for key, value in schema.items()}
    return [_short(item) for item in schema] if isinstance(schema, list) else schema


def _named(schema: dict[str, Any]) -> str:
    return str(schema.get("$ref", "")).rpartition("/")[2]


def _operation(path: str, operation: Operation, schemas: _Schemas) -> dict[str, Any]:
    described: dict[str, Any] = {
        "operationId": operation.id,
        "tags": [operation.tag],
        "summary": operation.summary,
        "description": " ".join(filter(None, [operation.description, _ROLES[operation.role]])),
        "parameters": [*_in_path(path), *_in_query(operation, schemas), *_in_headers(operation)],
        "responses": _responses(operation, schemas),
    }
    if operation.body:
        content = {media: {"schema": schemas[kind]} for media, kind in operation.body.items()}
        if operation.body_examples:
            next(iter(content.values()))["examples"] = {name: {"value": value} for name, value in operation.body_examples.items()}
        described["requestBody"] = {"required": True, "content": content}
    if operation.role == "anybody":
        described["security"] = []
    return described


_ROLES = {"anybody": "Needs no token.", "viewer": "Any token.", "recorder": "Role: recorder or director."}


def _in_path(path: str) -> list[dict[str, Any]]:
    names = [part[1:-1] for part in path.split("/") if part.startswith("{")]
    kinds = {"game": {"type": "string", "format": "uuid"}}
    return [{"name": name, "in": "path", "required": True, "schema": kinds.get(name, {"type": "string"})} for name in names]


def _in_query(operation: Operation, schemas: _Schemas) -> list[dict[str, Any]]:
    described = schemas.components[_named(schemas[operation.query])]
    return [{"name": name, "in": "query", "schema": _bare(schema)} for name, schema in described["properties"].items()]


def _bare(schema: dict[str, Any]) -> dict[str, Any]:
    """A parameter is left out rather than null."""
    kinds = [kind for kind in schema.get("anyOf", ()) if kind != {"type": "null"}]
    return kinds[0] if len(kinds) == 1 else schema


def _in_headers(operation: Operation) -> list[dict[str, Any]]:
    named = [
        {"name": name, "in": "header", "description": _PARAMETERS[name][0], "schema": _PARAMETERS[name][1]} for name in operation.headers
    ]
    return [*named, _LANGUAGE] if 422 in operation.refuses else named


def _responses(operation: Operation, schemas: _Schemas) -> dict[str, Any]:
    answers = {str(status): _answer(content, schemas) for status, content in operation.answers.items()}
    if "If-None-Match" in operation.headers:
        answers["304"] = {"description": "what the caller holds still stands"}
    open_to_all = operation.role == "anybody"
    statuses = {400, 500, *operation.refuses} if open_to_all else {*_ALWAYS, *operation.refuses}
    statuses |= set(_WITH_BODY) if operation.role == "recorder" else set()
    problems = {str(status): {"$ref": f"#/components/responses/Problem{status}"} for status in sorted(statuses)}
    return {**problems, **answers}


def _answer(content: Content, schemas: _Schemas) -> dict[str, Any]:
    described: dict[str, Any] = {
        "description": content.says,
        "content": {media: {"schema": schemas[kind]} for media, kind in content.types.items()},
    }
    if content.headers:
        described["headers"] = {name: {"description": _SAID[name], "schema": {"type": "string"}} for name in content.headers}
    return described


def _problems(schemas: _Schemas) -> dict[str, Any]:
    """One answer a status, with an example of each kind of problem that has it."""
    kinds = [*KINDS.values(), *HTTP.values()]
    return {
        f"Problem{status}": {
            "description": "; ".join(dict.fromkeys(kind.title for kind in kinds if kind.status == status)),
            "content": {MEDIA_TYPE: {"schema": schemas[Problem], "examples": _examples([kind for kind in kinds if kind.status == status])}},
        }
        for status in sorted({kind.status for kind in kinds})
    }


def _examples(kinds: list[Any]) -> dict[str, Any]:
    return {
        kind.name: {"value": {"type": f"/docs#{kind.name}", "title": kind.title, "status": kind.status, "detail": "…", "code": kind.name}}
        for kind in kinds
    }
