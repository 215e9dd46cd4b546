"""Types of moves for the client, made from the OpenAPI document: ``python -m tests.deploy.client.moves`` writes the file."""

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from tests.api.conftest import running, settings_of

FILE = Path(__file__).parents[3] / "deploy" / "client" / "kiebitz_client" / "moves.py"
_HEAD = '''"""Moves of the rulesets, from the OpenAPI document. Do not edit: ``python -m tests.deploy.client.moves`` writes this file."""

from collections.abc import Mapping, Sequence
from typing import Any, Literal, TypeAlias

from msgspec import UNSET, Struct, UnsetType
'''
_PLAIN = {"string": "str", "integer": "int", "boolean": "bool", "number": "float"}
Schema = Mapping[str, Any]


def write_moves(document: Schema) -> str:
    """Return the module: a Struct for each type of move, a union for each ruleset, and ``MOVES`` by the key of the ruleset."""
    schemas: Schema = document["components"]["schemas"]
    unions = {name: schema["oneOf"] for name, schema in sorted(schemas.items()) if _is_union(name, schema)}
    parts = [_HEAD]
    for name, members in unions.items():
        names = [_name(member) for member in members]
        helpers = {used for member in names for used in _references(schemas[member])}
        parts += [_struct(one, schemas[one]) for one in (*sorted(helpers), *names)]
        parts.append(f"{name}: TypeAlias = {' | '.join(names)}\n")
    keys = "".join(f'    "{_key(schemas[name])}": {name},\n' for name in unions)
    parts += [f"Move: TypeAlias = {' | '.join(unions)} | Mapping[str, Any]\n", f"MOVES: Mapping[str, Any] = {{\n{keys}}}\n"]
    return "\n\n".join(parts)


def _is_union(name: str, schema: Schema) -> bool:
    return name.endswith("Move") and "discriminator" in schema


def _key(schema: Schema) -> str:
    """Return the key of the ruleset, as ``quartett-classic`` of QuartettClassicMove."""
    name: str = schema["title"].removesuffix("Move")
    return "".join(f"-{sign.lower()}" if sign.isupper() else sign for sign in name).removeprefix("-")


def _struct(name: str, schema: Schema) -> str:
    tag = schema["properties"].get("type", {}).get("const")
    tagged = f', tag_field="type", tag="{tag}"' if tag else ""
    head = f"class {name}(Struct, frozen=True, kw_only=True, omit_defaults=True{tagged}):"
    return "\n".join([head, f'    """{schema["description"]}"""\n', *_fields(schema, tagged=bool(tag))]).rstrip() + "\n"


def _fields(schema: Schema, *, tagged: bool) -> Iterator[str]:
    for name, field in schema["properties"].items():
        if tagged and name == "type":
            continue
        kind, default = _type(field), ""
        if "default" in field:
            default = f" = {tuple(field['default']) if isinstance(field['default'], list) else field['default']!r}"
        elif name not in schema["required"]:
            kind, default = f"{kind} | UnsetType", " = UNSET"
        yield f"    {name}: {kind}{default}"
        if "description" in field:
            yield f'    """{field["description"]}"""'


def _type(schema: Schema) -> str:
    if "$ref" in schema:
        return _name(schema)
    if "const" in schema or "enum" in schema:
        return f"Literal[{', '.join(map(json.dumps, schema.get('enum', [schema.get('const')])))}]"
    if "anyOf" in schema:
        return " | ".join(map(_type, schema["anyOf"]))
    if schema["type"] == "array":
        return f"Sequence[{_type(schema['items'])}]"
    return {"null": "None"}.get(schema["type"]) or _PLAIN[schema["type"]]


def _name(reference: Schema) -> str:
    return str(reference["$ref"]).rpartition("/")[2]


def _references(schema: Any) -> Iterator[str]:
    if isinstance(schema, Mapping):
        if "$ref" in schema:
            yield _name(schema)
        for value in schema.values():
            yield from _references(value)
    elif isinstance(schema, list):
        for value in schema:
            yield from _references(value)


def main() -> None:
    with TemporaryDirectory() as folder, running(settings_of(Path(folder))) as service:
        FILE.write_text(write_moves(service.client.get("/openapi.json").json()), encoding="utf-8")


if __name__ == "__main__":
    main()
