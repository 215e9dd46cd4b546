"""Cursors of lists: what is given out is read again, and nothing else is."""

import pytest

from domain.errors import InvalidFormatError
from projections.models.reading import cursor_of, place_of, text_place_of
from tests.each import each


@each("place", [0, 17, 2**63 - 1])
def test_a_place_in_an_order_of_sequences_comes_back(place: int):
    assert place_of(cursor_of(place)) == place


@each("place", ["", "GER-1017", "Jörg", "100%", "17"])
def test_a_place_in_an_order_of_texts_comes_back(place: str):
    assert text_place_of(cursor_of(place)) == place


@each("cursor", ["", "MTc=", "MTc ", "x", cursor_of("a"), cursor_of("-1"), cursor_of(2**63), cursor_of("9" * 5000), cursor_of("²")])
def test_what_was_not_given_out_is_refused(cursor: str):
    with pytest.raises(InvalidFormatError, match="This is not a cursor that was given out here"):
        place_of(cursor)


@each("cursor", ["MTc=", "x", "____", cursor_of("a\0b")])
def test_a_text_that_was_not_given_out_is_refused(cursor: str):
    with pytest.raises(InvalidFormatError, match="This is not a cursor that was given out here"):
        text_place_of(cursor)
