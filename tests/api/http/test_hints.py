"""A message about what does not fit says what would."""

from typing import Annotated, Literal

import msgspec
import pytest
from msgspec import Meta, Struct

from api.http.fields import FORM
from api.http.hints import hinted


class Inner(Struct, frozen=True, forbid_unknown_fields=True):
    colour: Literal["red", "black"] | None = None


class Outer(Struct, frozen=True, forbid_unknown_fields=True, rename={"many": "several"}):
    one: Inner = Inner()
    many: list[Inner] = []
    pairs: tuple[Inner, ...] = ()
    by_name: dict[str, Inner] = {}
    label: (
        Annotated[Annotated[str, Meta(pattern="^[a-z]+$", extra_json_schema={FORM: "small letters"})], Meta(description="a name")] | None
    ) = None
    plain: Annotated[str, Meta(pattern="^[a-z]+$")] = "a"
    number: Annotated[int, Meta(ge=1)] = 1
    short: Annotated[str, Meta(max_length=3)] = ""


class Nothing(Struct, frozen=True, forbid_unknown_fields=True):
    pass


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"one": {"colour": "green"}}, "'green' is not known here; known are black, red"),
        ({"several": [{}, {"colour": "green"}]}, "'green' is not known here; known are black, red"),
        ({"pairs": [{"colour": "green"}]}, "'green' is not known here; known are black, red"),
        ({"by_name": {"x": {"colour": "green"}}}, "'green' is not known here; known are black, red"),
        ({"one": {"color": "red"}}, "there is no field 'color'; known here: colour"),
        ({"many": []}, "there is no field 'many'; known here: one, several, pairs, by_name, label, plain, number, short"),
        ({"label": "A"}, "this has to be: small letters"),
        ({"label": 7}, "this has to be text or null, not a whole number"),
        ({"plain": "A"}, "Expected `str` matching regex '^[a-z]+$'"),
        ({"number": "1"}, "this has to be a whole number, not text"),
        ({"number": 0}, "this has to be a whole number, at least 1"),
        ({"short": "long"}, "this has to be text of length at most 3"),
        ([], "this has to be an object, not a list"),
    ],
)
def test_what_is_known_at_the_place_is_named(given: object, message: str):
    with pytest.raises(msgspec.ValidationError) as error:
        msgspec.convert(given, Outer)
    said, _, where = str(error.value).partition(" - at `")
    assert hinted(said, where.rstrip("`") or "$", Outer) == message


def test_where_nothing_may_stand_that_is_said():
    assert hinted("Object contains unknown field `x`", "$", Nothing) == "there is no field 'x'; none is known here"
