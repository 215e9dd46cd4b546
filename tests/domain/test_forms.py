"""A message about what does not fit says what would."""

from datetime import datetime
from typing import Annotated, Literal

import msgspec
import pytest
from msgspec import Meta, Struct

from domain.forms import FORM, describe_mismatch, describe_mismatch_at
from domain.name_validation import ID
from domain.texts import render, say
from tests.each import each


class Inner(Struct, frozen=True, forbid_unknown_fields=True):
    colour: Literal["red", "black"] | None = None


class Go(Struct, frozen=True, tag="go"):
    far: bool


class Stay(Struct, frozen=True, tag="stay"):
    pass


class Outer(Struct, frozen=True, forbid_unknown_fields=True, rename={"many": "several"}):
    one: Inner = Inner()
    many: list[Inner] = []
    pairs: tuple[Inner, ...] = ()
    by_name: dict[str, Inner] = {}
    label: Annotated[str, Meta(pattern="^[a-z]+$", examples=["red", "black"])] | None = None
    id: Annotated[str, Meta(pattern=ID, extra_json_schema={FORM: "form.id"})] = "a"
    two: tuple[int, int] = (1, 2)
    at: datetime | None = None
    move: Go | Stay | None = None
    plain: Annotated[str, Meta(pattern="^[a-z]+$")] = "a"
    number: Annotated[int, Meta(ge=1)] = 1
    short: Annotated[str, Meta(max_length=3)] = ""


GREEN = '"green" is not known here. Known are: "black", "red".'


class Nothing(Struct, frozen=True, forbid_unknown_fields=True):
    pass


@each(
    ("given", "message", "german"),
    [
        (
            {"one": {"colour": "green"}},
            GREEN,
            "„green“ ist hier nicht bekannt. Bekannt sind: „black“, „red“.",
        ),
        ({"several": [{}, {"colour": "green"}]}, GREEN, None),
        ({"pairs": [{"colour": "green"}]}, GREEN, None),
        ({"by_name": {"x": {"colour": "green"}}}, GREEN, None),
        (
            {"one": {"color": "red"}},
            'There is no field "color". Known here: "colour".',
            "Ein Feld „color“ gibt es nicht. Bekannt sind: „colour“.",
        ),
        (
            {"label": "A"},
            'This has to be written as one of these: "red", "black".',
            "Das wird geschrieben wie eines von diesen: „red“, „black“.",
        ),
        ({"label": 7}, "This has to be text or null, not a whole number.", "Hier muss Text oder null stehen, nicht eine ganze Zahl."),
        ({"plain": "A"}, "This is not written in the form that it should have.", "Das ist nicht so geschrieben, wie es sein muss."),
        ({"id": "/"}, str(render(say("form.id", longest=100))), render(say("form.id", longest=100), "de")),
        ({"number": "1"}, "This has to be a whole number, not text.", "Hier muss eine ganze Zahl stehen, nicht Text."),
        ({"number": 0}, "This has to be a number, at least 1.", "Die Zahl muss mindestens 1 sein."),
        ({"short": "long"}, "This takes at most 3 characters.", "Erlaubt sind höchstens 3 Zeichen."),
        ({"two": [1]}, "This has to have 2 items, not 1.", "Hier müssen 2 Einträge stehen, nicht 1."),
        ({"at": "today"}, "This has to be a time with an offset, like 2026-11-21T19:04:11Z.", None),
        ([], "This has to be an object, not a list.", "Hier muss ein Objekt stehen, nicht eine Liste."),
        ({"move": {"type": "jump"}}, '"jump" is not known here. Known are: "go", "stay".', None),
        ({"move": {"type": "go"}}, '"far" is missing.', "„far“ fehlt."),
    ],
)
def test_what_is_known_at_the_place_is_named(given: object, message: str, german: str | None):
    with pytest.raises(msgspec.ValidationError) as error:
        msgspec.convert(given, Outer)
    says, _ = describe_mismatch(error.value, Outer)
    assert (render(says), render(says, "de") if german else None) == (message, german)


def test_the_place_is_named():
    with pytest.raises(msgspec.ValidationError) as error:
        msgspec.convert({"several": [{}, {"colour": 1}]}, Outer)
    assert describe_mismatch(error.value, Outer)[1] == "$.several[1].colour"


def test_where_nothing_may_stand_that_is_said():
    assert render(describe_mismatch_at("Object contains unknown field `x`", "$", Nothing)) == 'There is no field "x" here.'
