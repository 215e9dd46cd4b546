"""The closed lists of events: what is forgotten in one of them is found here."""

from typing import get_args, get_type_hints

from msgspec import Struct, inspect

from domain.events import NAMES
from domain.events.base import TextRef, text_ref_of, without_text
from domain.events.game import ACTS, Act
from tests.each import each

WORDS = TextRef("t1", "ab" * 32)


def words_in(kind: type[Struct]) -> list[str]:
    return [name for name, hint in get_type_hints(kind).items() if "TextRef" in str(hint)]


def with_words(kind: type[Struct]) -> Struct:
    """An event of this class of which only the words matter."""
    words = words_in(kind)
    return kind(**{name: WORDS if name in words else None for name in kind.__struct_fields__})


def test_every_act_has_its_line():
    assert set(ACTS) == set(get_args(Act))


def references_in(kind: inspect.Type) -> int:
    """How often a value of this kind may refer to words, however deep."""
    if isinstance(kind, inspect.StructType) and kind.cls is TextRef:
        return 1
    inner: list[inspect.Type] = []
    for name in ("type", "types", "item_type", "item_types", "key_type", "value_type", "fields"):
        value = getattr(kind, name, ())
        inner += [one.type if isinstance(one, inspect.Field) else one for one in (value if isinstance(value, tuple) else (value,))]
    return sum(references_in(one) for one in inner)


@each("kind", NAMES, ids=NAMES.values())
def test_words_that_an_event_refers_to_have_a_field_of_their_own_and_are_found_and_left_out_by_its_type(kind: type[Struct]):
    assert references_in(inspect.type_info(kind)) == len(words_in(kind))
    event = with_words(kind)
    assert len(words_in(kind)) <= 1
    assert (text_ref_of(event) is WORDS) is bool(words_in(kind))
    assert text_ref_of(without_text(event)) is None
    assert without_text(event) == kind(*(None for _ in kind.__struct_fields__))
