"""The OpenAPI document, written from the ``Operation`` of each route and from the Structs that decode and encode.

Litestar's own document is not used: bodies and queries are decoded strictly by our own code, so a description made from handlers'
signatures would describe something else.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from litestar import Litestar
from litestar.handlers import HTTPRouteHandler

from api.http import media_types
from api.http.decoding import may_be_empty
from api.http.description import examples
from api.http.description.components import Route, Schemas, links, list_headers, problems, schemas_of
from api.http.description.events import TAG, TAG_SAYS, schemas_of_events, webhooks
from api.http.description.parameters import parameters
from api.http.description.shapes import REF, simplify_schema
from api.http.operations import PAGES, Content, Operation, by_media_type, is_public_operation
from api.http.request import ROLES_FOR, part_of
from api.services import Services
from domain.rules import Rulesets
from domain.setup import FIELD, NAMES
from domain.version import VERSION

# Options and moves of the games as schemas of the document, by the names of the rulesets; the rulebooks decode them. A game describes its
# own types (``GET /v1/rulesets/{key}``). Here each type gets the name of the game as a prefix, as ``CasinoTrail``; ``CasinoMove`` is any
# move of Casino, ``Move`` any move at all, ``Options`` the options of any game.


SchemasByName = Mapping[str, Any]
_DEFS = "#/$defs/"
_PRESET = {"enum": list(NAMES), "description": "a complete set of options, to which the others are the exceptions; not in answers"}


def schemas_of_games(rulesets: Rulesets) -> dict[str, Any]:
    described = {_type_prefix(key): ruleset.about() for key, ruleset in rulesets.items()}
    types = {
        name: one for game, about in described.items() for name, one in (_types(game, about.moves) | _types(game, about.options)).items()
    }
    moves = {game: _alternatives(game, about.moves) for game, about in described.items()}
    options = [name for game in described if (name := f"{game}Options") in types]
    for name in options:
        types[name]["properties"] = {**types[name]["properties"], FIELD: _PRESET}
    return {
        **types,
        **{f"{game}Move": _move_of(game, names, types) for game, names in moves.items() if names},
        "Move": _any_of("Move", "a move, by the ruleset and its `type`", _longest_first(moves, types)),
        "Options": _any_of("Options", "options, by the ruleset; what is left out has its default", options),
    }


def _type_prefix(key: str) -> str:
    """Return ``quartett-trumpf`` as ``QuartettTrumpf``."""
    return "".join(part.capitalize() for part in key.split("-"))


def _types(game: str, schema: SchemasByName) -> dict[str, Any]:
    defs = schema.get("$defs", {}).items()
    return {f"{game}{name}": {**simplify_schema(_rename_references(one, game)), "title": f"{game}{name}"} for name, one in defs}


def _rename_references(value: Any, game: str) -> Any:
    """Return the schema with references to the types under their new names, and a type of one value as that value."""
    match value:
        case {"$ref": str(ref)} if ref.startswith(_DEFS):
            return {**value, "$ref": REF.format(name=game + ref.removeprefix(_DEFS))}
        case {"enum": [str(alone)], **rest}:
            return {**rest, "type": "string", "const": alone}
        case dict():
            return {key: _rename_references(one, game) for key, one in value.items()}
        case list():
            return [_rename_references(one, game) for one in value]
        case _:
            return value


def _alternatives(game: str, moves: SchemasByName) -> list[str]:
    """Return the types of the moves by their new names; none where a game does not describe them."""
    found = moves.get("anyOf") or [moves]
    return [game + one["$ref"].removeprefix(_DEFS) for one in found if "$ref" in one]


def _move_of(game: str, names: Iterable[str], types: SchemasByName) -> dict[str, Any]:
    refs = {types[name]["properties"]["type"]["const"]: REF.format(name=name) for name in names}
    found = [{"$ref": ref} for ref in refs.values()]
    return {
        "title": f"{game}Move",
        "description": f"a move of {game}",
        "oneOf": found,
        "discriminator": {"propertyName": "type", "mapping": refs},
    }


def _longest_first(moves: Mapping[str, list[str]], types: SchemasByName) -> list[str]:
    """Sort the moves by the number of their required fields, most first.

    Moves of two games may have the same type. A reader that takes the first that fits must not take one for a shorter one.
    """
    return sorted((name for names in moves.values() for name in names), key=lambda name: -len(types[name]["required"]))


def _any_of(title: str, says: str, names: Iterable[str]) -> dict[str, Any]:
    return {"title": title, "description": says, "anyOf": [{"$ref": REF.format(name=name)} for name in names]}


_ALWAYS = (400, 401, 403, 409, 429, 500, 503)
_WITH_BODY = (413, 415, 422)

_TAGS = {
    "Rulesets": "the games of this service, and their rules",
    "Players": "the directory: names, clubs, mergers, erasure",
    "Games": "opening games, and finding them",
    "Playing": "hands, moves and rewinds",
    "Reading": "events, the table now and earlier, and scores",
    "Rulings": "disputes, and the rulings of arbiters, committees and directors",
    "Tournaments": "announcing, entries, rounds, seating and results",
    "Records": "import and export of games",
    "Scores": "score lines of all games, and a player's totals",
    "Looks": "access log of hidden cards: looks by officials, for directors",
    "Access": "authentication and permissions: tokens, codes, and the sessions of browsers",
    "Webhooks": "webhooks after the Standard Webhooks specification",
    TAG: TAG_SAYS,
    "Log": "proofs that a record is unchanged: checkpoints, tiles, proof files",
    "Series": "tournaments with one table: plan, members, adjustments and standings",
    "Ratings": "ratings of players from all their results in a ruleset",
    "Operation": "for operators of the service",
}
"""In the order of the story of the examples."""


def operations(app: Litestar) -> Iterable[tuple[str, str, Operation]]:
    """Yield every route: path, method (lower case), operation."""
    for route in app.routes:
        for handler in getattr(route, "route_handlers", ()):
            if isinstance(handler, HTTPRouteHandler) and "operation" in handler.opt:
                (method,) = handler.http_methods - {"HEAD"}
                yield route.path_format, method.lower(), handler.opt["operation"]


def list_described(app: Litestar) -> Iterable[tuple[str, str, Operation]]:
    """Return all routes but pages for people."""
    return (found for found in operations(app) if found[2].tag != PAGES)


def document(app: Litestar) -> dict[str, Any]:
    found = sorted(list_described(app), key=lambda item: examples.order(item[2].id))
    rulesets = part_of(app, Services).rulesets
    schemas = schemas_of([operation for _, _, operation in found], {**schemas_of_games(rulesets), **schemas_of_events()})
    paths: dict[str, dict[str, Any]] = {}
    for path, method, operation in found:
        paths.setdefault(path, {})[method] = _with_links(_operation(path, operation, schemas), path, operation, found)
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "Kiebitz",
            "version": VERSION,
            "summary": "Records card games move by move",
            "description": _START,
        },
        "servers": [{"url": "/"}],
        "tags": [{"name": name, "description": text} for name, text in _TAGS.items()],
        "paths": paths,
        "webhooks": {type_: one for _, _, operation in found for type_, one in webhooks(operation.sends)},
        "components": {
            "schemas": schemas.list_components(),
            "responses": problems(schemas),
            "securitySchemes": _SECURITY,
        },
        "security": _SHOWN,
    }


_START = """
A game is a stream of events; a position is the number of an event in its game. Errors are problems (RFC 9457).

**Get a token.** The first `kiebitz serve` prints one, `kiebitz tokens issue` makes others. Set it, and the address of the service:

```sh
export KIEBITZ_URL=http://127.0.0.1:8000 KIEBITZ_TOKEN=kb_…
kb() { curl -s -H "Authorization: Bearer $KIEBITZ_TOKEN" -H "Content-Type: application/json" "$@"; echo; }
```

**Open** a game of Casino and **deal**. `3H` is the first card; without a `deck` the service shuffles.

```sh
GAME=$(kb $KIEBITZ_URL/v1/games -d '{"ruleset": "casino", "seats": 2}' | grep -o '"game":"[^"]*' | cut -d'"' -f4)
kb $KIEBITZ_URL/v1/games/$GAME/hands -d '{"dealer": 1, "deck": ["3H"], "fill": "sorted"}'
```

**Play** one of the legal moves, and **read** the table:

```sh
kb $KIEBITZ_URL/v1/games/$GAME/legal-moves
kb $KIEBITZ_URL/v1/games/$GAME/moves -d '{"seat": 0, "move": {"type": "trail", "card": "3H"}}'
kb $KIEBITZ_URL/v1/games/$GAME/table
```
""".strip()
"""What ``info.description`` says: first steps, which a test takes."""

_SECURITY = {
    "token": {"type": "http", "scheme": "bearer", "description": "`Authorization: Bearer kb_…`; `kiebitz tokens issue` makes one"},
    "session": {
        "type": "apiKey",
        "in": "cookie",
        "name": "kiebitz",
        "description": (
            "the session cookie of a browser, set by `/in`: `__Host-kiebitz` on https, on http `kiebitz-8000` by the port "
            "(earlier `kiebitz`)"
        ),
    },
}
_SHOWN: list[dict[str, list[str]]] = [{"token": []}, {"session": []}]
_SHOWN_BY_SOME: list[dict[str, list[str]]] = [*_SHOWN, {}]
_SHOWN_BY_NOBODY: list[dict[str, list[str]]] = []


def _operation(path: str, operation: Operation, schemas: Schemas) -> dict[str, Any]:
    announced = operation.deprecation.in_words() if operation.deprecation else ""
    described: dict[str, Any] = {
        "operationId": operation.id,
        "tags": [operation.tag],
        "summary": operation.summary,
        "description": " ".join(filter(None, [announced, operation.description, _describe_access(path, operation)])),
        "parameters": parameters(path, operation, schemas),
        "responses": _responses(operation, schemas),
    }
    if announced:
        described["deprecated"] = True
    if operation.body:
        content = _body(operation, schemas)
        described["requestBody"] = {"required": not may_be_empty(operation.body), "content": content}
    if operation.role == "anybody":
        described["security"] = _SHOWN_BY_NOBODY
    elif is_public_operation(path, operation):
        described["security"] = _SHOWN_BY_SOME
    return described


def _describe_access(path: str, operation: Operation) -> str:
    return "Any token; none for what is published." if is_public_operation(path, operation) else _ROLES[operation.role]


def _with_links(described: dict[str, Any], path: str, operation: Operation, routes: Sequence[Route]) -> dict[str, Any]:
    for status, content in operation.responses.items():
        if found := links(path, content, routes):
            described["responses"][str(status)]["links"] = found
    return described


_ROLES: Mapping[str, str] = {
    "anybody": "Needs no token.",
    "viewer": "Any token.",
    **{need: f"Role: {' or '.join(filter(None, [', '.join(roles[:-1]), roles[-1]]))}." for need, roles in ROLES_FOR.items()},
}


def _responses(operation: Operation, schemas: Schemas) -> dict[str, Any]:
    # Operations that read projections are those that name 503 themselves.
    more = [
        ("Kiebitz-Behind", 503 in operation.refuses),
        ("Idempotent-Replayed", "Idempotency-Key" in operation.headers),
        ("Kiebitz-Epoch", operation.role != "anybody"),
        *((name, operation.role != "anybody") for name in ("RateLimit", "RateLimit-Policy")),
        *((name, operation.deprecation is not None) for name in ("Deprecation", "Sunset")),
        ("Request-Id", True),
    ]
    told = [name for name, may_be in more if may_be]
    steps = examples.steps_of(operation.id)
    responses = {str(status): _response(content, schemas, told) for status, content in operation.responses.items()}
    for status, answer in responses.items():
        for media, one in answer["content"].items():
            answer["content"][media] = _with_examples(one, examples.examples_of_response(steps, int(status), media))
    if "If-None-Match" in operation.headers:
        responses["304"] = {"description": "the cached answer is still current"}
    open_to_all = operation.role == "anybody"
    statuses = {400, 500, *operation.refuses} if open_to_all else {*_ALWAYS, *operation.refuses}
    statuses |= set(_WITH_BODY) if operation.body else set()
    statuses |= {409, 422} if "Idempotency-Key" in operation.headers else set()
    problems = {str(status): {"$ref": f"#/components/responses/Problem{status}"} for status in sorted(statuses)}
    return {**responses, **problems}


def _body(operation: Operation, schemas: Schemas) -> dict[str, Any]:
    """Return the content of the body. A body that is no JSON is a file."""
    content = _content(operation.body, schemas)
    for media in set(content) - {media_types.JSON}:
        content[media]["schema"] = {**content[media]["schema"], "format": "binary"}
    steps = examples.steps_of(operation.id)
    return {media: _with_examples(one, examples.of_body(steps, media)) for media, one in content.items()}


def _with_examples(content: dict[str, Any], given: dict[str, Any]) -> dict[str, Any]:
    return {**content, "examples": given} if given else content


def _content(types: Any, schemas: Schemas) -> dict[str, Any]:
    return {media: {"schema": _of_media(media, schemas[kind])} for media, kind in by_media_type(types).items()}


def _of_media(media: str, schema: dict[str, Any]) -> dict[str, Any]:
    """Return the schema for this media type.

    NDJSON is a text, and so are server-sent events; the schema is that of each line, of the data of each message.
    """
    in_text = media in (media_types.NDJSON, media_types.EVENT_STREAM)
    return {"type": "string", "contentMediaType": media, "contentSchema": schema} if in_text else schema


def _response(content: Content, schemas: Schemas, more: Iterable[str]) -> dict[str, Any]:
    """Return the description of a response. ``more``: headers that every operation of this kind may send."""
    described: dict[str, Any] = {
        "description": content.says,
        "content": _content(content.types, schemas),
    }
    if names := (*content.headers, *more):
        described["headers"] = list_headers(names)
    return described
