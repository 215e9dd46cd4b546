"""The OpenAPI document, written from what each route says about itself and from the Structs that decode and encode.

Not Litestar's own: bodies and queries are decoded strictly by this house, so a description made from handlers' signatures would
describe something else.
"""

from collections.abc import Iterable, Mapping
from importlib.metadata import version
from typing import Any

from litestar import Litestar
from litestar.handlers import HTTPRouteHandler

from api.http.components import Schemas, problems, schemas_of
from api.http.operations import Content, Operation, by_media_type
from api.http.tokens import ROLES_FOR
from domain.texts import LANGUAGES

_LANGUAGES = " or ".join(LANGUAGES)
_ALWAYS = (400, 401, 403, 409, 429, 500, 503)
_WITH_BODY = (413, 415, 422)

_PARAMETERS: Mapping[str, tuple[str, dict[str, Any]]] = {
    "If-Match": ("the position decided on, in quotes; 412 if the game went on", {"type": "string", "examples": ['"42"']}),
    "If-None-Match": ("ETags held already; 304 if one still stands", {"type": "string"}),
    "Accept-Language": (f"of the sentences: {_LANGUAGES}", {"type": "string"}),
    "Idempotency-Key": (
        "the same key with the same request is answered again, not done again",
        {"type": "string", "minLength": 1, "maxLength": 200, "examples": ["9f1c2c7a-move-17"]},
    ),
}
_LANGUAGE = {
    "name": "Accept-Language",
    "in": "header",
    "description": f"of the sentences of refusals: {_LANGUAGES}",
    "schema": {"type": "string"},
}
_EPOCH = {
    "name": "Kiebitz-Epoch",
    "in": "header",
    "description": "the epoch in which the caller knows what he names, as an answer told it; 409 if another one has begun",
    "schema": {"type": "string", "examples": ["5f0c9a3be1d27a44"]},
}
_SAID: Mapping[str, str] = {
    "Location": "where it can be read",
    "ETag": "what to send as If-None-Match; of a write the position for the next If-Match",
    "Link": 'rel="next": the next page; rel="prev": the one before, where pages go both ways',
    "Content-Location": "the position and view that are shown",
    "Kiebitz-Behind": "where a projection stands still: so many sequences may be missing here",
    "Retry-After": "seconds until it is worth another try",
    "Kiebitz-As-Of": "the sequence at which this was true",
    "Kiebitz-Epoch": "the epoch of the store in which positions, sequences and cursors of this answer hold",
    "RateLimit": "for viewers: how many requests are left, and the seconds to wait where there is none",
    "RateLimit-Policy": "for viewers: how many requests may come in a row",
    "Request-Id": "the one that was sent, where it has 1 to 128 letters, digits and . _ ~ : @ / + = -, else one that was made",
    "Idempotent-Replayed": "`true` where this was answered before, under the same Idempotency-Key, and is answered again",
}
_TAGS = {
    "Games": "opening games, and finding them",
    "Playing": "hands, moves and taking them back",
    "Rulings": "disputes, and what arbiters, committees and directors do",
    "Reading": "what happened, how the table lies or lay, and what it brought",
    "Scores": "score lines of all games, and what they come to for a player",
    "Tournaments": "announcing, entries, rounds, seating and results",
    "Players": "the directory: names, clubs, mergers, erasure",
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
    schemas = schemas_of([operation for _, _, operation in found])
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
        "components": {"schemas": schemas.shown(), "responses": problems(schemas), "securitySchemes": _SECURITY},
        "security": [{"token": []}],
    }


_SECURITY = {"token": {"type": "http", "scheme": "bearer", "description": "`Authorization: Bearer kb_…`; `kiebitz tokens issue` makes one"}}


def _operation(path: str, operation: Operation, schemas: Schemas) -> dict[str, Any]:
    described: dict[str, Any] = {
        "operationId": operation.id,
        "tags": [operation.tag],
        "summary": operation.summary,
        "description": " ".join(filter(None, [operation.description, _ROLES[operation.role]])),
        "parameters": [*_in_path(path), *_in_query(operation, schemas), *_in_headers(operation)],
        "responses": _responses(operation, schemas),
    }
    if operation.body:
        content = {media: {"schema": schemas[kind]} for media, kind in by_media_type(operation.body).items()}
        if operation.body_examples:
            next(iter(content.values()))["examples"] = {name: {"value": value} for name, value in operation.body_examples.items()}
        described["requestBody"] = {"required": True, "content": content}
    if operation.role == "anybody":
        described["security"] = []
    return described


_ROLES: Mapping[str, str] = {
    "anybody": "Needs no token.",
    "viewer": "Any token.",
    **{need: f"Role: {' or '.join(filter(None, [', '.join(roles[:-1]), roles[-1]]))}." for need, roles in ROLES_FOR.items()},
}


def _in_path(path: str) -> list[dict[str, Any]]:
    names = [part[1:-1] for part in path.split("/") if part.startswith("{")]
    number = {"type": "integer", "minimum": 1}
    counted = dict.fromkeys(("number", "position", "round", "entrant"), number)
    kinds: dict[str, dict[str, Any]] = {"game": {"type": "string", "format": "uuid"}, **counted}
    return [{"name": name, "in": "path", "required": True, "schema": kinds.get(name, {"type": "string"})} for name in names]


def _in_query(operation: Operation, schemas: Schemas) -> list[dict[str, Any]]:
    fields = schemas.fields(operation.query)
    return [{"name": name, "in": "query", "schema": _bare(schema)} for name, schema in fields.items()]


def _bare(schema: dict[str, Any]) -> dict[str, Any]:
    """A parameter is left out rather than null."""
    kinds = [kind for kind in schema.get("anyOf", ()) if kind != {"type": "null"}]
    return kinds[0] if len(kinds) == 1 else schema


def _in_headers(operation: Operation) -> list[dict[str, Any]]:
    named = [
        {"name": name, "in": "header", "description": _PARAMETERS[name][0], "schema": _PARAMETERS[name][1]} for name in operation.headers
    ]
    named += [] if operation.role == "anybody" else [_EPOCH]
    return [*named, _LANGUAGE] if 422 in operation.refuses else named


def _responses(operation: Operation, schemas: Schemas) -> dict[str, Any]:
    # Operations that read projections are those that name 503 themselves.
    more = [
        ("Kiebitz-Behind", 503 in operation.refuses),
        ("Idempotent-Replayed", "Idempotency-Key" in operation.headers),
        ("Kiebitz-Epoch", operation.role != "anybody"),
        *((name, operation.role != "anybody") for name in ("RateLimit", "RateLimit-Policy")),
        ("Request-Id", True),
    ]
    told = [name for name, may_be in more if may_be]
    responses = {str(status): _response(content, schemas, told) for status, content in operation.responses.items()}
    if "If-None-Match" in operation.headers:
        responses["304"] = {"description": "what the caller holds still stands"}
    open_to_all = operation.role == "anybody"
    statuses = {400, 500, *operation.refuses} if open_to_all else {*_ALWAYS, *operation.refuses}
    statuses |= set(_WITH_BODY) if operation.body else set()
    statuses |= {409} if "Idempotency-Key" in operation.headers else set()
    problems = {str(status): {"$ref": f"#/components/responses/Problem{status}"} for status in sorted(statuses)}
    return {**problems, **responses}


def _response(content: Content, schemas: Schemas, more: Iterable[str]) -> dict[str, Any]:
    """``more``: headers that every operation of this kind may send."""
    described: dict[str, Any] = {
        "description": content.says,
        "content": {media: {"schema": schemas[kind]} for media, kind in by_media_type(content.types).items()},
    }
    if names := (*content.headers, *more):
        described["headers"] = {name: {"description": _SAID[name], "schema": {"type": "string"}} for name in names}
    return described
