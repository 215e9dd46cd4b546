"""A seat goes by the name of its player, else by that of its place."""

import pytest

from api.common.names import letter_places, name_places, name_seats

PLACES = {
    (1, "en"): (["Seat 1"], ["1"]),
    (1, "de"): (["Platz 1"], ["1"]),
    (2, "en"): (["Seat 1", "Seat 2"], ["1", "2"]),
    (2, "de"): (["Platz 1", "Platz 2"], ["1", "2"]),
    (3, "en"): (["Seat 1", "Seat 2", "Seat 3"], ["1", "2", "3"]),
    (3, "de"): (["Platz 1", "Platz 2", "Platz 3"], ["1", "2", "3"]),
    (4, "en"): (["North", "East", "South", "West"], ["N", "E", "S", "W"]),
    (4, "de"): (["Nord", "Ost", "Süd", "West"], ["N", "O", "S", "W"]),
}


@pytest.mark.parametrize(("seats", "language"), PLACES)
def test_four_places_go_by_the_compass_and_others_are_counted_from_one(seats: int, language: str):
    assert (name_places(seats, language), letter_places(seats, language)) == PLACES[seats, language]


def test_a_player_gives_the_seat_their_name():
    assert name_seats(["Anna", None], "de") == ["Anna", "Platz 2"]
    assert name_seats([None, "Bert", None, None], "en") == ["North", "Bert", "South", "West"]
