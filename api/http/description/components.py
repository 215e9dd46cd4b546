"""Parts that operations of the OpenAPI document refer to: schemas made from the Structs, and an answer for each status of a problem."""

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec
from msgspec import Struct

from api.http.description.headers import headers_of_problem
from api.http.description.shapes import PLAIN, REF, told
from api.http.operations import Operation, by_media_type
from api.http.problems import HTTP, MEDIA_TYPE, PROBLEMS, Problem, ProblemType


class Schemas:
    """The JSON Schema of a type, or a schema as it stands. Queries are shown as parameters, not among the components."""

    def __init__(self, types: Sequence[Any], queries: Sequence[type[Struct]], more: Mapping[str, Any]) -> None:
        kinds = [*types, *queries]
        found, self._components = msgspec.json.schema_components(kinds, ref_template=REF)
        self._found = list(zip(kinds, found, strict=True))
        self._components = {**self._components, **more}
        self._queries = queries

    def __getitem__(self, kind: Any) -> dict[str, Any]:
        if isinstance(kind, dict):
            return self._given(kind)
        found: dict[str, Any] = told(next(schema for known, schema in self._found if known == kind))
        return found

    def _given(self, schema: dict[str, Any]) -> dict[str, Any]:
        """A schema as it stands; one with a title by its title."""
        if "title" not in schema:
            return schema
        self._components[schema["title"]] = schema
        return {"$ref": REF.format(name=schema["title"])}

    def fields(self, kind: type[Struct]) -> dict[str, Any]:
        """The properties of a Struct."""
        return {name: told(schema) for name, schema in self._components[_named(self[kind])]["properties"].items()}

    def shown(self) -> dict[str, Any]:
        hidden = {_named(self[kind]) for kind in self._queries}
        shown = {name: told(schema) for name, schema in self._components.items() if name not in hidden}
        return dict(sorted({**shown, **PLAIN}.items()))


def schemas_of(operations: Sequence[Operation], more: Mapping[str, Any]) -> Schemas:
    """What the operations take and give, and ``more`` schemas by name."""
    types: list[Any] = [Problem]
    queries: list[type[Struct]] = []
    for operation in operations:
        described = [operation.body, *(content.types for content in operation.responses.values())]
        used = [kind for types in described for kind in by_media_type(types).values()]
        types += [kind for kind in used if not isinstance(kind, dict) and kind not in types]
        queries += [] if operation.query in queries else [operation.query]
    return Schemas(types, queries, more)


def _named(schema: dict[str, Any]) -> str:
    return str(schema.get("$ref", "")).rpartition("/")[2]


def problems(schemas: Schemas) -> dict[str, Any]:
    """One answer a status, with an example of each kind of problem that has it."""
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
