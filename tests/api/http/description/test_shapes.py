"""Schemas in the shape in which the document tells them."""

import json
import re
from typing import Annotated

import msgspec
from msgspec import Meta, Struct

from api.http.decoding import Id
from api.http.description.shapes import simplify_schema
from domain.forms import FORM


class Score(Struct):
    pair: tuple[int, int] = (0, 0)
    mixed: tuple[int, str] = (0, "")
    club: Annotated[str, Meta(description="where he plays")] | None = None
    code: Annotated[str, Meta(description="of the club", extra_json_schema={FORM: "form.line"})] = "abc"


def field(name: str) -> object:
    schema = simplify_schema(msgspec.json.schema_components([Score])[1]["Score"])
    return json.loads(json.dumps(schema["properties"][name]))


def test_a_list_of_fixed_length_says_what_its_items_are():
    assert field("pair") == {"type": "array", "minItems": 2, "maxItems": 2, "items": {"type": "integer"}, "default": [0, 0]}
    mixed = {"anyOf": [{"type": "integer"}, {"type": "string"}]}
    assert field("mixed") == {"type": "array", "minItems": 2, "maxItems": 2, "items": mixed, "default": [0, ""]}


def test_what_a_field_means_that_may_be_null_stands_with_the_field():
    assert field("club") == {"description": "where he plays", "anyOf": [{"type": "string"}, {"type": "null"}], "default": None}


def test_the_form_in_words_follows_the_meaning():
    assert field("code") == {"description": "of the club. It stands on one line and is not blank.", "type": "string", "default": "abc"}


class Seated(Struct):
    player: Id


def test_a_pattern_that_only_python_reads_is_told_as_every_reader_of_patterns_reads_it():
    schema = simplify_schema(msgspec.json.schema_components([Seated])[1]["Seated"])["properties"]["player"]
    assert schema["pattern"] == r"^(?!\.\.?$)[^\s/\x00-\x1f\x7f-\x9f]+( [^\s/\x00-\x1f\x7f-\x9f]+)*$"
    taken = [id for id in ("GER-1017", "De Vries", "Ǆ", ".", "..", "a/b", "a  b", " a", "a\0") if re.search(schema["pattern"], id)]
    assert taken == ["GER-1017", "De Vries", "Ǆ"]
