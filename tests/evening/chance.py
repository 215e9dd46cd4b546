"""Time, ids and chance of a recorded evening: the same ones each time, however often they are asked for before."""

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from random import Random
from typing import TypeVar
from uuid import UUID

Card = TypeVar("Card")

START = datetime(2026, 11, 21, 18, 0, tzinfo=UTC)


class Chance:
    """``turn(number)`` before each request. A second passes from one to the next, and a millisecond each time somebody looks at the clock.

    Whatever a request takes of ids and chance follows from its number, so that a request that takes more changes its own answer only.
    """

    def __init__(self) -> None:
        self.turn(0)

    def turn(self, number: int) -> None:
        self._now = START + timedelta(seconds=number)
        self._random = Random(f"evening {number}")

    def now(self) -> datetime:
        self._now += timedelta(milliseconds=1)
        return self._now

    def second(self) -> datetime:
        """The same as often as it is looked at: where others look at the clock meanwhile."""
        return self._now.replace(microsecond=0)

    def new_id(self) -> UUID:
        return UUID(int=self._random.getrandbits(128), version=4)

    def shuffled(self, cards: Sequence[Card]) -> tuple[Card, ...]:
        return tuple(self._random.sample(cards, len(cards)))

    def new_salt(self) -> bytes:
        return self._random.randbytes(16)
