"""Parts that operations of the OpenAPI document refer to: schemas made from the Structs, and an answer for each status of a problem."""

from collections.abc import Sequence
from typing import Any

import msgspec
from msgspec import Struct

from api.http.operations import Operation, by_media_type
from api.http.problems import HTTP, MEDIA_TYPE, PROBLEMS, Problem, ProblemType
from domain.effects import Plain

_REF = "#/components/schemas/{name}"
_PLAIN = {"Plain": {"description": "a JSON value", "type": ["null", "boolean", "number", "string", "array", "object"]}}
_PLAIN_IN_FULL = msgspec.json.schema(Plain)


class Schemas:
    """The JSON Schema of a type, or a schema as it stands. Queries are shown as parameters, not among the components."""

    def __init__(self, types: Sequence[Any], queries: Sequence[type[Struct]]) -> None:
        kinds = [*types, *queries]
        found, self._components = msgspec.json.schema_components(kinds, ref_template=_REF)
        self._found = list(zip(kinds, found, strict=True))
        self._queries = queries

    def __getitem__(self, kind: Any) -> dict[str, Any]:
        return kind if isinstance(kind, dict) else next(schema for known, schema in self._found if known == kind)

    def fields(self, kind: type[Struct]) -> dict[str, Any]:
        """The properties of a Struct."""
        return dict(self._components[_named(self[kind])]["properties"])

    def shown(self) -> dict[str, Any]:
        hidden = {_named(self[kind]) for kind in self._queries}
        shown = {name: _short(schema) for name, schema in self._components.items() if name not in hidden}
        return dict(sorted({**shown, **_PLAIN}.items()))


def schemas_of(operations: Sequence[Operation]) -> Schemas:
    types: list[Any] = [Problem]
    queries: list[type[Struct]] = []
    for operation in operations:
        described = [operation.body, *(content.types for content in operation.responses.values())]
        used = [kind for types in described for kind in by_media_type(types).values()]
        types += [kind for kind in used if not isinstance(kind, dict) and kind not in types]
        queries += [] if operation.query in queries else [operation.query]
    return Schemas(types, queries)


def _short(schema: Any) -> Any:
    """The same schema, with a reference where a plain value is described level by level."""
    if schema == _PLAIN_IN_FULL:
        return {"$ref": _REF.format(name="Plain")}
    if isinstance(schema, dict):
        return {key: _short(value) for key, value in schema.items()}
    return [_short(item) for item in schema] if isinstance(schema, list) else schema


def _named(schema: dict[str, Any]) -> str:
    return str(schema.get("$ref", "")).rpartition("/")[2]


def problems(schemas: Schemas) -> dict[str, Any]:
    """One answer a status, with an example of each kind of problem that has it."""
    by_status: dict[int, list[ProblemType]] = {}
    for kind in (*PROBLEMS.values(), *HTTP.values()):
        by_status.setdefault(kind.status, []).append(kind)
    return {f"Problem{status}": _problem(kinds, schemas) for status, kinds in sorted(by_status.items())}


def _problem(kinds: Sequence[ProblemType], schemas: Schemas) -> dict[str, Any]:
    examples = {kind.name: {"value": _example(kind)} for kind in kinds}
    titles = dict.fromkeys(kind.title() for kind in kinds)
    return {"description": "; ".join(titles), "content": {MEDIA_TYPE: {"schema": schemas[Problem], "examples": examples}}}


def _example(kind: ProblemType) -> dict[str, Any]:
    return {"type": f"/docs#{kind.name}", "title": kind.title(), "status": kind.status, "detail": "…", "code": kind.name}
