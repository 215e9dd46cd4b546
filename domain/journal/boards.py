"""Boards that a director prepared: decks that several tables of a round are to play.

The register of boards is the one place that holds such a deck until it is dealt. What is read of it for people never holds a card.
"""

from msgspec import Struct

from domain.cards import Card


class Board(Struct, frozen=True):
    """A prepared deck. ``number`` is that of the board in its round; the first card is dealt first."""

    tournament: str
    round: int
    number: int
    deck: tuple[Card, ...]


class PreparedBoard(Struct, frozen=True):
    """That a board is there: who prepared it, when (RFC 3339 in UTC), and whether any table was dealt it."""

    round: int
    number: int
    prepared_at: str
    prepared_by: str
    dealt: bool
