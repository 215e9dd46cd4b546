"""Outcomes of tables, and byes: all that standings and pairings know of the games."""

from typing import Literal, TypeAlias
from uuid import UUID

from msgspec import Struct

Origin: TypeAlias = Literal["open", "games", "entered", "forfeited", "adjourned"]


class Outcome(Struct, frozen=True):
    """The outcome of a table of a round. ``parties`` are the entrants of each party, in the order of the seats: ``((3,), (7,))`` two
    partnerships or two single players, ``((3, 8), (5, 1))`` rotating partners, ``((4,),)`` a player who plays alone.

    ``points``: game points of each party, ``None`` while there is no result. ``how``: where they come from. ``absent``: the entrants that
    forfeited. ``games``: the recorded games behind the points, in their order. ``places``: of each party, where the game says otherwise
    than its points; in Casino by order of counting the first to count out has won. ``third_place``: a match for the third place of
    a knock-out, which counts half.
    """

    round: int
    table: str
    parties: tuple[tuple[int, ...], ...]
    points: tuple[int, ...] | None
    how: Origin
    absent: tuple[int, ...] = ()
    games: tuple[UUID, ...] = ()
    places: tuple[int, ...] | None = None
    third_place: bool = False

    @property
    def rank_key(self) -> tuple[int, ...]:
        """The numbers by which the parties are ranked, the best with the most; none while there is no result."""
        return tuple(-place for place in self.places) if self.places else self.points or ()


class Bye(Struct, frozen=True):
    """An entrant that was left over when a round was paired. ``half``: on request, or for a late entrant, with half the score of a bye."""

    round: int
    entrant: int
    half: bool = False
