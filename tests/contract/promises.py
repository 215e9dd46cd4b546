"""What the description promises to whoever wrote a client: one line each, so that a line which goes is a promise that is broken.

``promises.txt`` keeps the lines of the last release. Not promised are words for people, examples, the order of things, and limits, which
may be widened.
"""

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from api.http.description.shapes import REF
from domain.rules import Rulesets
from domain.version import VERSION

FILE = Path(__file__).with_suffix(".txt")

Json = Mapping[str, Any]
_EVERYWHERE = ("Request-Id", "RateLimit", "RateLimit-Policy", "Kiebitz-Epoch", "Kiebitz-Behind", "Idempotent-Replayed")
"""Headers that docs/api.md promises of every answer of a kind."""
_SCHEMA = REF.format(name="")


def heading() -> str:
    return f"# Promised by Kiebitz {VERSION}, written by ./run contract --promise when the version rises"


def promises(document: Json, rulesets: Rulesets) -> list[str]:
    told = {*_operations(document), *_codes(rulesets)}
    for name in _reached(document, "requestBody"):
        told.update(_taken(name, document["components"]["schemas"][name]))
    for name in _reached(document, "responses"):
        told.update(_given(name, document["components"]["schemas"][name]))
    return sorted(told)


def _codes(rulesets: Rulesets) -> Iterator[str]:
    return (f"{key} refuses with {code}" for key, ruleset in rulesets.items() for code in ruleset.about().codes)


def _operations(document: Json) -> Iterator[str]:
    for path, methods in document["paths"].items():
        for method, operation in methods.items():
            name = operation["operationId"]
            yield f"{name} is {method.upper()} {path}"
            yield from _asked(name, operation)
            for status, answer in operation["responses"].items():
                yield from _answered(f"{name} answers {status}", answer)


def _asked(name: str, operation: Json) -> Iterator[str]:
    given = operation["parameters"]
    yield f"{name} requires of parameters: {_listed(one['name'] for one in given if one.get('required'))}"
    for one in given:
        yield f"{name} takes {one['name']} in {one['in']}: {_kind(one['schema'])}"
        yield from _values(f"{name} takes {one['name']}", one["schema"])
    for media, content in operation.get("requestBody", {}).get("content", {}).items():
        yield f"{name} takes {media}: {_kind(content['schema'])}"


def _answered(what: str, answer: Json) -> Iterator[str]:
    for media, content in answer.get("content", {}).items():
        yield f"{what} as {media}: {_kind(content['schema'])}"
    for header in answer.get("headers", {}):
        if header not in _EVERYWHERE:
            yield f"{what} with {header}"


def _taken(name: str, schema: Json) -> Iterator[str]:
    """Of what is sent: nothing more may be required, and nothing less be taken."""
    yield f"{name} sent requires: {_listed(schema.get('required', ()))}"
    for field, one in schema.get("properties", {}).items():
        yield f"{name}.{field} sent: {_kind(one)}"
        yield from _values(f"{name}.{field} sent", one)


def _given(name: str, schema: Json) -> Iterator[str]:
    """Of what is answered: what is always there stays so. Values of closed lists may be added, so none is named."""
    for field, one in schema.get("properties", {}).items():
        always = " always" if field in schema.get("required", ()) else ""
        yield f"{name}.{field} answered{always}: {_kind(one)}"


def _kind(schema: Json) -> str:
    match schema:
        case {"$ref": str(ref)}:
            return ref.removeprefix(_SCHEMA)
        case {"contentSchema": lines}:
            return f"lines of {_kind(lines)}"
        case {"anyOf": kinds} | {"oneOf": kinds}:
            return " or ".join(sorted({_kind(one) for one in kinds}))
        case {"type": "array", "items": items}:
            return f"list of {_kind(items)}"
        case {"type": "object", "additionalProperties": dict() as values} if values:
            return f"{_kind(values)} by name"
        case {"type": str(kind)}:
            return kind
        case {"type": list() as kinds}:
            return " or ".join(sorted(map(str, kinds)))
        case {"const": value} | {"enum": [value, *_]}:
            return type(value).__name__
        case _:
            return "anything"


def _values(what: str, schema: Json) -> Iterator[str]:
    for value in schema.get("enum", [schema["const"]] if "const" in schema else []):
        yield f"{what} may be {json.dumps(value, ensure_ascii=False)}"
    for key in ("anyOf", "oneOf"):
        for one in schema.get(key, ()):
            yield from _values(what, one)
    if isinstance(schema.get("items"), dict):
        yield from _values(what, schema["items"])


def _reached(document: Json, where: str) -> set[str]:
    """The schemas that stand in bodies of this side, down to the last."""
    found: set[str] = set()
    pending = [operation.get(where, {}) for methods in document["paths"].values() for operation in methods.values()]
    while pending:
        for ref in _refs(pending.pop()):
            if ref not in found:
                found.add(ref)
                pending.append(document["components"]["schemas"][ref])
    return found


def _refs(node: Any) -> Iterator[str]:
    if isinstance(node, dict):
        if str(node.get("$ref", "")).startswith(_SCHEMA):
            yield node["$ref"].removeprefix(_SCHEMA)
        for key, value in node.items():
            if key not in ("examples", "default", "links"):
                yield from _refs(value)
    elif isinstance(node, list):
        for value in node:
            yield from _refs(value)


def _listed(names: Any) -> str:
    return ", ".join(sorted(names)) or "nothing"
