"""Components of the OpenAPI document: schemas made from the Structs, and a response for each status of a problem."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

import msgspec
from msgspec import Struct

from api.http.description.shapes import PLAIN, REF, simplify_schema
from api.http.operations import Content, Operation, by_media_type
from api.http.problems import HTTP, MEDIA_TYPE, PROBLEMS, Problem, ProblemType

# Descriptions of the headers of responses, and the headers that a problem may have.


SAID: Mapping[str, str] = {
    "Location": "the address of the new resource",
    "Set-Cookie": "the session: HttpOnly, SameSite=Lax; `__Host-kiebitz` and Secure on https, on http `kiebitz-8000` by the port",
    "ETag": "the value for If-None-Match; after a write the position for the next If-Match",
    "Link": 'rel="next": the next page; rel="prev": the one before, where pages go both ways',
    "Content-Location": "the position and view that are shown",
    "Kiebitz-Behind": "after a stopped projection: the number of sequences that may be missing here",
    "Retry-After": "seconds until it is worth another try",
    "Kiebitz-As-Of": "the sequence at which this was true",
    "Kiebitz-Epoch": "the epoch of the store in which positions, sequences and cursors of this answer hold",
    "RateLimit": "for viewers: how many requests are left, and the seconds to wait where there is none",
    "RateLimit-Policy": "for viewers: how many requests may come in a row",
    "Request-Id": "the one that was sent, where it has 1 to 128 letters, digits and . _ ~ : @ / + = -, else one that was made",
    "Idempotent-Replayed": "`true` where this was answered before, under the same Idempotency-Key, and is answered again",
    "WWW-Authenticate": "how to show who one is (RFC 6750)",
    "Allow": "the methods that there are here",
    "Deprecation": "since when a client should not use this operation (RFC 9745)",
    "Sunset": "from when it may be gone (RFC 8594)",
}
"""The description of each header that a response may have."""
_OF_PROBLEMS: Mapping[int, tuple[str, ...]] = {
    401: ("WWW-Authenticate",),
    405: ("Allow",),
    409: ("Retry-After",),
    429: ("Retry-After",),
    503: ("Retry-After",),
}


def list_headers(names: Iterable[str]) -> dict[str, Any]:
    return {name: {"description": SAID[name], "schema": {"type": "string"}} for name in names}


def headers_of_problem(status: int) -> dict[str, Any]:
    return list_headers((*_OF_PROBLEMS.get(status, ()), "RateLimit", "RateLimit-Policy", "Request-Id"))


_NULL = {"type": "null"}
_ABOUT = ("description", "default", "examples", "title", "deprecated", "discriminator")


class Schemas:
    """The JSON Schemas of types; a schema is taken as it is. Queries are shown as parameters, not among the components."""

    def __init__(self, bodies: Sequence[Any], answers: Sequence[Any], queries: Sequence[type[Struct]], more: Mapping[str, Any]) -> None:
        kinds = [*dict.fromkeys([*bodies, *answers, *queries])]
        found, self._components = msgspec.json.schema_components(kinds, ref_template=REF)
        self._found = list(zip(kinds, found, strict=True))
        self._components = {**more, **self._components}
        self._bodies, self._answers, self._queries = bodies, answers, queries
        self._fields = {kind: self._fields_of(kind) for kind in queries}

    def __getitem__(self, kind: Any) -> dict[str, Any]:
        if isinstance(kind, dict):
            return self._add_component(kind)
        found: dict[str, Any] = simplify_schema(next(schema for known, schema in self._found if known == kind))
        return found

    def _add_component(self, schema: dict[str, Any]) -> dict[str, Any]:
        """Return a schema as it is; a reference to one with a title."""
        if "title" not in schema:
            return schema
        self._components[schema["title"]] = schema
        return {"$ref": REF.format(name=schema["title"])}

    def fields(self, kind: type[Struct]) -> dict[str, Any]:
        """Return the parameters of a query."""
        return self._fields[kind]

    def _fields_of(self, kind: type[Struct]) -> dict[str, Any]:
        return {name: simplify_schema(schema) for name, schema in self._components[_component_name(self[kind])]["properties"].items()}

    def list_components(self) -> dict[str, Any]:
        hidden = {_component_name(self[kind]) for kind in self._queries}
        shown = {name: simplify_schema(schema) for name, schema in self._components.items() if name not in hidden}
        unchanged = {_component_name(self[kind]) for kind in self._bodies if kind.corrects}
        sent, answered = (self._within([self[kind] for kind in kinds]) for kinds in (self._bodies, self._answers))
        nullable = {name: _take_null(shown[name]) for name in sent - answered if name not in unchanged}
        return dict(sorted({**shown, **nullable, **PLAIN}.items()))

    def _within(self, schemas: list[Any]) -> set[str]:
        """Return the components of the schemas, and those within them."""
        found, rest = set[str](), list(schemas)
        while rest:
            match rest.pop():
                case {"$ref": str(ref)} if (name := ref.rpartition("/")[2]) not in found:
                    found.add(name)
                    rest.append(self._components.get(name))
                case dict() as one:
                    rest += one.values()
                case list() as some:
                    rest += some
        return found


def schemas_of(operations: Sequence[Operation], more: Mapping[str, Any]) -> Schemas:
    """Return the schemas of all requests and responses of the operations, and ``more`` schemas by name."""
    bodies = _list_types(operation.body for operation in operations)
    answers = _list_types(content.types for operation in operations for content in operation.responses.values())
    answers += [message for operation in operations for message in operation.sends.values()]
    queries = list(dict.fromkeys(operation.query for operation in operations))
    return Schemas(bodies, [Problem, *answers], queries, more)


def _list_types(described: Iterable[Any]) -> list[Any]:
    return [kind for types in described for kind in by_media_type(types).values() if not isinstance(kind, dict)]


def _take_null(schema: dict[str, Any]) -> dict[str, Any]:
    """Return the schema of an object in which null says that a field is left out."""
    fields, needed = schema.get("properties", {}), schema.get("required", ())
    taken = {name: one if name in needed else _or_null(one) for name, one in fields.items()}
    return {**schema, "properties": taken} if fields else schema


def _or_null(schema: dict[str, Any]) -> dict[str, Any]:
    if not {"type", "enum", "const", "anyOf", "$ref"} & schema.keys() or _NULL in schema.get("anyOf", ()) or schema.get("type") == "null":
        return schema
    # openapi-python-client makes nothing of an object as default of what may be null.
    about = {name: one for name, one in schema.items() if name in _ABOUT and not (name == "default" and isinstance(one, dict))}
    rest = {name: one for name, one in schema.items() if name not in _ABOUT}
    return {**about, "anyOf": [*(rest["anyOf"] if rest.keys() == {"anyOf"} else [rest]), _NULL]}


def _component_name(schema: dict[str, Any]) -> str:
    return str(schema.get("$ref", "")).rpartition("/")[2]


def problems(schemas: Schemas) -> dict[str, Any]:
    """Return one response per status, with an example of each kind of problem that has it."""
    by_status: dict[int, list[ProblemType]] = {}
    for kind in (*PROBLEMS.values(), *HTTP.values()):
        by_status.setdefault(kind.status, []).append(kind)
    return {f"Problem{status}": _problem(status, kinds, schemas) for status, kinds in sorted(by_status.items())}


def _problem(status: int, kinds: Sequence[ProblemType], schemas: Schemas) -> dict[str, Any]:
    examples = {kind.name: {"value": _example(kind)} for kind in kinds}
    titles = dict.fromkeys(kind.title() for kind in kinds)
    return {
        "description": "; ".join(titles),
        "content": {MEDIA_TYPE: {"schema": schemas[Problem], "examples": examples}},
        "headers": headers_of_problem(status),
    }


def _example(kind: ProblemType) -> dict[str, Any]:
    return {"type": f"/docs#{kind.name}", "title": kind.title(), "status": kind.status, "detail": "…", "code": kind.name}


# Links from a response that creates something to the reads of it, found by the names in the paths.


Route = tuple[str, str, Operation]
"""Path, method, operation."""


def links(path: str, content: Content, routes: Iterable[Route]) -> dict[str, Any]:
    """Return links to every read whose path consists of ids that the response creates, and of names in the path of the request."""
    if not content.creates:
        return {}
    own = {name: f"$request.path.{name}" for name in names_in(path)}
    known = {**own, **{name: f"$response.body#{pointer}" for name, pointer in content.creates.items()}}
    return {id: {"operationId": id, "parameters": given, "description": says} for id, says, given in _reads(content, known, routes)}


def _reads(content: Content, known: dict[str, str], routes: Iterable[Route]) -> Iterator[tuple[str, str, dict[str, str]]]:
    for path, method, operation in routes:
        names = set(names_in(path))
        if method == "get" and names & content.creates.keys() and names <= known.keys() and not _has_to_be_asked_more(operation):
            yield operation.id, operation.summary, {name: known[name] for name in names_in(path)}


def _has_to_be_asked_more(operation: Operation) -> bool:
    return "" in operation.query.__struct_defaults__


def names_in(path: str) -> list[str]:
    return [part[1:-1] for part in path.split("/") if part.startswith("{")]
