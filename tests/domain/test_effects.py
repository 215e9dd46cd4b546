"""The vocabulary of effects and what it may hold."""

from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from domain.effects import (
    CardsMoved,
    DetailAnnounced,
    Effect,
    Effects,
    GameClosed,
    HandClosed,
    HandOpened,
    Known,
    MarkSet,
    Plain,
    Scored,
    SightSet,
    TurnPassed,
    ZoneAdded,
    plain,
)
from tests.each import each
from tests.strategies import effect_values, plains

decode = msgspec.json.Decoder(Effects).decode
encode = msgspec.json.encode

STORED: list[tuple[Effect, str]] = [
    (HandOpened(1, 3), '["hand",1,3]'),
    (ZoneAdded("stock", "none", None, ("2S", "AS")), '["zone","stock","none",null,["2S","AS"]]'),
    (SightSet("reserve:0", "top"), '["sight","reserve:0","top"]'),
    (CardsMoved(("7D",), "board", "won:1"), '["moved",["7D"],"board","won:1",false,false]'),
    (Known("hand:1", ("7D", "?")), '["known","hand:1",["7D","?"]]'),
    (MarkSet("frozen", True, "pile"), '["mark","frozen",true,"pile"]'),
    (DetailAnnounced(2, "last", {"deal": 6}), '["said",2,"last",{"deal":6}]'),
    (Scored("cards", (3, 0)), '["scored","cards",[3,0]]'),
    (TurnPassed("play", 1, (1,)), '["turn","play",1,[1]]'),
    (HandClosed("played_out", {"residue": 2}), '["closed","played_out",{"residue":2}]'),
    (GameClosed((1, None), {}), '["over",[1,null],{}]'),
]


@each(("effect", "stored"), STORED, ids=[type(effect).__name__ for effect, _ in STORED])
def test_an_effect_is_stored_as_a_tagged_array_for_ever(effect: Effect, stored: str):
    assert encode(effect).decode() == stored
    assert decode(f"[{stored}]") == (effect,)


@given(effect_values)
def test_what_is_decoded_equals_what_was_encoded(effect: Effect):
    stored = encode((effect,))
    assert decode(stored) == (effect,)
    assert encode(decode(stored)) == stored  # True == 1 in Python, but not in the store


@each(
    "stored",
    [
        '["nonsense",1]',
        '["hand",1]',
        '["hand",1,0,7]',
        '["hand",1.0,0]',
        '["hand",true,0]',
        '["hand","1",0]',
        '["hand",null,0]',
        '["zone","stock","secret",null,[]]',
        '["moved","7D","board","won:1"]',
        '["moved",[7],"board","won:1"]',
        '["mark",7,true]',
        '["closed","end",null]',
        '{"type":"hand","hand":1,"dealer":0}',
    ],
)
def test_what_is_not_of_the_vocabulary_is_refused(stored: str):
    with pytest.raises(msgspec.ValidationError):
        decode(f"[{stored}]")


@given(plains())
def test_a_plain_value_comes_back_from_json_as_it_was(value: Any):
    assert plain(msgspec.json.decode(encode(value)), fractions=True) == value


def test_lists_become_tuples():
    assert plain([1, ["a", None], {"b": [True]}]) == (1, ("a", None), {"b": (True,)})


def test_a_boolean_stays_one():  # COM-3
    assert plain(True) is True


def nested(levels: int) -> object:
    values: list[object] = [0]
    for _ in range(levels):
        values = [values]
    return values[0]


def test_six_levels_can_be_stored():
    value = plain(nested(6))
    assert decode(encode((MarkSet("deep", value),))) == (MarkSet("deep", value),)


UNSTORABLE: dict[str, object] = {
    "a fraction": 1.5,
    "a whole number written as a fraction": 2.0,
    "no number": float("nan"),
    "65 bits": 2**63,
    "65 bits, negative": -(2**63),
    "seven levels": nested(7),
    "endless levels": nested(100_000),
    "an object around six levels": {"a": nested(6)},
    "bytes": b"bytes",
    "a number as a key": {1: "a"},
    "half a surrogate pair": "\ud800",
    "the other half": "text \udfff",
    "half a pair as a key": {"\udc00": 1},
    "half a pair in a list": ["\ud800"],
    "something else": object(),
}


@each("value", UNSTORABLE.values(), ids=UNSTORABLE)
def test_what_cannot_be_stored_is_refused(value: object):
    with pytest.raises(ValueError, match="a value is text, a whole number"):
        plain(value)


def test_a_number_with_a_fraction_is_a_value_only_where_it_is_asked_for():  # COM-3
    value: Plain = {"values": (1.5, 2.0, 2)}
    assert encode(plain(value, fractions=True)) == b'{"values":[1.5,2.0,2]}'
    assert decode(encode((MarkSet("deck", value),))) == (MarkSet("deck", value),)
    for number in (float("nan"), float("inf"), -float("inf")):
        with pytest.raises(ValueError, match="a whole number"):
            plain([number], fractions=True)


@given(st.text(st.characters(codec="utf-8")))
def test_every_text_that_utf8_can_write_can_be_stored(text: str):
    assert plain({text: text}) == {text: text}


def test_the_largest_and_smallest_numbers_can_be_stored():
    largest = 2**63 - 1
    assert decode(encode((DetailAnnounced(None, "n", (largest, -largest)),))) == (DetailAnnounced(None, "n", (largest, -largest)),)
