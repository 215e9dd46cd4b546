"""Moves and options of the games in the document: named types, which generators of clients read well."""

import json
from typing import Any

import pytest
from jsonschema_rs import Draft202012Validator

from api.http.description.openapi import schemas_of_games
from domain.games import RULESETS

SCHEMAS = schemas_of_games(RULESETS)
MOVES = [one["$ref"].rpartition("/")[2] for one in SCHEMAS["Move"]["anyOf"]]


def fits(name: str, value: object) -> bool:
    whole = {"$ref": f"#/components/schemas/{name}", "components": {"schemas": SCHEMAS}}
    return Draft202012Validator(whole).is_valid(value)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("CasinoMove", {"type": "trail", "card": "KC"}),
        ("Move", {"type": "take"}),
        ("Move", {"type": "draw", "position": 1}),
        ("QuartettClassicAsk", {"type": "ask", "target": 1, "card": "A4"}),
        ("CanastaOptions", {"start_totals": [100, -50]}),
        ("Options", {"sweeps": True}),
    ],
)
def test_what_a_rulebook_takes_fits_the_schema(name: str, value: object):
    assert fits(name, value)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("CasinoMove", {"type": "draw"}),
        ("CasinoTrail", {"type": "trail", "card": "KX"}),
        ("Move", {"type": "castle"}),
        ("CanastaOptions", {"start_totals": [1, 2, 3]}),
        ("CasinoOptions", {"sweeps": 1}),
    ],
)
def test_what_no_rulebook_takes_does_not_fit_the_schema(name: str, value: object):
    assert not fits(name, value)


def test_every_game_has_its_move_and_its_options_by_name():
    games = [move.removesuffix("Move") for move in SCHEMAS if move.endswith("Move") and move != "Move"]
    assert games == ["Alcasan", "Canasta", "Cascades", "Casino", "QuartettClassic", "QuartettTrumpf"]
    assert [one["$ref"].rpartition("/")[2] for one in SCHEMAS["Options"]["anyOf"]] == [
        "AlcasanOptions",
        "CanastaOptions",
        "CascadesOptions",
        "CasinoOptions",
        "QuartettClassicOptions",
        "QuartettTrumpfOptions",
    ]


def test_who_takes_the_first_move_that_has_all_that_is_required_loses_no_field():
    """So generated clients read unions: by what has to be there, and what they do not know they drop."""
    for number, long in enumerate(MOVES):
        for short in MOVES[:number]:
            first, second = SCHEMAS[short], SCHEMAS[long]
            if _type(first) == _type(second) and set(first["required"]) <= set(second["properties"]):
                assert set(second["properties"]) <= set(first["properties"]), f"{long} would be read as {short}"


def _type(schema: dict[str, Any]) -> Any:
    return schema["properties"]["type"]["const"]


def test_no_type_refers_to_another_place_than_the_document():
    assert "$defs" not in json.dumps(SCHEMAS)
