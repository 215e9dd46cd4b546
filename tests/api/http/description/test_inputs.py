"""Whatever comes in is described: what it means, of which form it is and how large it may be. Walks the whole document.

A failing case names the field and the file in which to write what is missing; CONTRIBUTING.md says how.
"""

import re
from collections.abc import Iterator
from functools import cache
from typing import Any, NamedTuple

import pytest
from msgspec import Struct

from domain.forms import FORM, form_of
from domain.games import RULESETS
from domain.texts import render
from tests.api.conftest import running, settings_of

Schema = dict[str, Any]

FORM_OF_IDS = render(form_of("form.id"))

JUDGED = {"seats", "dealer", "deck", "seat", "options", "move", "effects", "known", "lacks", "worth", "deal", "result"}
"""What the rules of a game judge, like all that stands in its moves and options: the limits differ from game to game."""
UNLIMITED = {
    "Scoring.places": "one for each place at a table, by the ruleset; in any unit",
    "Scoring.bye": "in any unit",
    "Scoring.forfeit": "in any unit",
    "If-None-Match": "a list of ETags (RFC 9110)",
    "Accept-Language": "a list of languages (RFC 9110)",
    "Kiebitz-Epoch": "compared, never kept",
    "Record": "as large as the body may be; what stands in it, the rules judge",
}
_BOUNDED = {"enum", "const", "pattern", "maxLength", "format", "$ref"}


class Field(NamedTuple):
    """A parameter, or a field of a body. ``owner``: the operation, or the schema."""

    owner: str
    name: str
    meaning: str
    schema: Schema

    def __str__(self) -> str:
        return f"{self.owner}.{self.name}"


@pytest.fixture(scope="module")
def document(tmp_path_factory: pytest.TempPathFactory) -> Schema:
    with running(settings_of(tmp_path_factory.mktemp("document"))) as service:
        found: Schema = service.client.get("/openapi.json").json()
        return found


def operations(document: Schema) -> Iterator[Schema]:
    return (operation for methods in document["paths"].values() for operation in methods.values())


def parameters(document: Schema) -> Iterator[Field]:
    for operation in operations(document):
        for one in operation["parameters"]:
            yield Field(operation["operationId"], one["name"], one.get("description", ""), one["schema"])


def queried(document: Schema) -> Iterator[Field]:
    for operation in operations(document):
        for one in operation["parameters"]:
            if one["in"] == "query":
                yield Field(operation["operationId"], one["name"], one.get("description", ""), one["schema"])


def fields(document: Schema) -> Iterator[Field]:
    """Of all bodies, down to the last."""
    known: set[str] = set()
    for operation in operations(document):
        for content in operation.get("requestBody", {}).get("content", {}).values():
            yield from _fields(document, content["schema"], operation["operationId"], known)


def _fields(document: Schema, schema: Schema, owner: str, known: set[str]) -> Iterator[Field]:
    if "$ref" in schema:
        owner = schema["$ref"].rpartition("/")[2]
        if owner in known:
            return
        known.add(owner)
        schema = document["components"]["schemas"][owner]
    for name, field in schema.get("properties", {}).items():
        yield Field(schema.get("title", owner), name, field.get("description", ""), field)
    for inner in inside(schema):
        yield from _fields(document, inner, owner, known)


def inside(schema: Schema) -> Iterator[Schema]:
    yield from schema.get("properties", {}).values()
    for key in ("anyOf", "oneOf", "allOf", "prefixItems"):
        yield from schema.get(key, ())
    for key in ("items", "additionalProperties", "contentSchema"):
        if isinstance(schema.get(key), dict):
            yield schema[key]


def schemas(node: Any, where: str = "") -> Iterator[tuple[str, Schema]]:
    """Every object of the document, with its path."""
    if isinstance(node, dict):
        yield where, node
        for key, value in node.items():
            if key not in ("examples", "example", "default", "enum", "const"):
                yield from schemas(value, f"{where}/{key}")
    elif isinstance(node, list):
        for number, value in enumerate(node):
            yield from schemas(value, f"{where}/{number}")


@cache
def structs() -> dict[str, str]:
    """By name, the file of each."""
    found: dict[str, str] = {}
    pending: list[type] = [Struct]
    for kind in pending:
        pending += kind.__subclasses__()
        found.setdefault(kind.__name__, f"{kind.__module__.replace('.', '/')}.py")
    return found


def written_in(owner: str) -> str:
    """The file in which the Struct of this name stands. Types of games have the name of the game before their own."""
    if game := next((key for key in RULESETS if owner.startswith("".join(map(str.capitalize, key.split("-"))))), None):
        return f"domain/games/{game.replace('-', '/')}"
    if owner in structs():
        return structs()[owner]
    return "api/records/schema.py" if owner.startswith("Record") else f"the query of the operation {owner}"


def test_every_parameter_says_what_it_means(document: Schema):
    silent = [
        f"{one}: write its meaning into PATH of api/http/description/parameters.py, or as Meta(description=…) at the field of the query"
        for one in parameters(document)
        if not one.meaning or one.meaning == FORM_OF_IDS
    ]
    assert silent == [], "\n".join(silent)


def test_a_text_in_the_query_is_not_empty_and_holds_no_character_0(document: Schema):
    said = {"type", "minLength", "maxLength", "pattern"}
    texts = [one for one in queried(document) if one.schema.get("type") == "string" and one.schema.keys() <= said | {"examples"}]
    assert {one.name for one in texts} >= {"cursor", "ruleset", "tournament"}
    loose = [str(one) for one in texts if (one.schema.get("minLength") or 0) < 1 and re.search(one.schema.get("pattern", ""), "")]
    holding = [str(one) for one in texts if re.search(one.schema.get("pattern", ""), "a\0")]
    assert (loose, holding) == ([], [])


def test_every_field_of_a_body_says_what_it_means(document: Schema):
    silent = [
        f"{one}: write Annotated[…, Meta(description=…)] at the field in {written_in(one.owner)}; of which form it is, is no meaning"
        for one in fields(document)
        if not {"$ref", "const"} & one.schema.keys() and (not one.meaning or one.meaning == FORM_OF_IDS)
    ]
    assert silent == [], "\n".join(silent)


def test_every_input_says_how_large_it_may_be(document: Schema):
    endless = [
        f"{one}: write its limits (ge, le, max_length or pattern) into the Meta at the field in {written_in(one.owner)}, "
        "or why there are none into UNLIMITED of this test"
        for one in (*parameters(document), *fields(document))
        if one.name not in JUDGED
        and not written_in(one.owner).startswith("domain/games/")
        and not {str(one), one.name, one.owner[:6]} & UNLIMITED.keys()
        and any(endless_in(one.schema))
    ]
    assert endless == [], "\n".join(endless)


def endless_in(schema: Schema) -> Iterator[Schema]:
    kind = str(schema.get("type"))
    bounded = {"integer": {"minimum", "maximum"} <= schema.keys(), "string": bool(_BOUNDED & schema.keys()), "array": "maxItems" in schema}
    if not bounded.get(kind, True) and not schema.keys() & {"enum", "const"}:
        yield schema
    for inner in inside(schema):
        yield from endless_in(inner)


def test_every_array_says_what_it_holds_in_a_way_that_generators_of_clients_understand(document: Schema):
    bare = [
        f"{where}: say with `items` what it holds (extra_json_schema, where the type is Any)"
        for where, one in schemas(document)
        if one.get("type") == "array" and not isinstance(one.get("items"), dict)
    ]
    assert bare == [], "\n".join(bare)


def test_no_schema_is_true_or_false(document: Schema):
    keys = ("items", "contains", "not", "if", "then", "else")
    assert [where for where, one in schemas(document) for key in keys if isinstance(one.get(key), bool)] == []


def test_the_form_in_words_follows_the_meaning_and_stands_nowhere_by_itself(document: Schema):
    club = document["components"]["schemas"]["TransferPlayer"]["properties"]["club"]
    assert club["description"] == "the opaque id of the club; null for none"
    assert club["anyOf"][0]["description"] == FORM_OF_IDS
    assert [where for where, one in schemas(document) if FORM in one] == []


def test_examples_of_headers_that_would_be_sent_as_they_stand_are_not_given(document: Schema):
    named = [one for one in parameters(document) if one.name in ("If-Match", "If-None-Match", "Idempotency-Key", "Kiebitz-Epoch")]
    assert len(named) > 20
    assert [str(one) for one in named if {"example", "examples", "default"} & one.schema.keys()] == []
