"""Scoring of alcasan: the places of a hand and what they are worth (ALC-38 to ALC-43)."""

from collections.abc import Sequence

from domain.cards import Seat

ROWS = ("seats_beaten",)


def hand_places(finished: Sequence[Seat], cards_left: Sequence[int]) -> tuple[int, ...]:
    """Return the place of each seat: seats that have finished in their order, then the others by the number of their cards; equal numbers
    share a place.
    """
    others = [seat for seat in range(len(cards_left)) if seat not in finished]
    return tuple(
        1 + finished.index(seat) if seat in finished else 1 + len(finished) + sum(cards_left[other] < cards_left[seat] for other in others)
        for seat in range(len(cards_left))
    )


def count_lower_seats(places: Sequence[int]) -> tuple[int, ...]:
    """Return for each seat the number of seats with a worse place."""
    return tuple(sum(other > place for other in places) for place in places)
