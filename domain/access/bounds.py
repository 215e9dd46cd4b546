"""How many tokens, codes and webhooks may be in force: of one giver, and in all."""

from collections.abc import Iterable
from typing import Literal, NamedTuple, TypeAlias

from domain.errors import Refused

Given: TypeAlias = Literal["tokens", "codes", "webhooks"]


class Bound(NamedTuple):
    """``each``: of one giver; ``in_all``: of everybody."""

    each: int
    in_all: int


BOUNDS: dict[Given, Bound] = {"tokens": Bound(1_000, 10_000), "codes": Bound(1_000, 10_000), "webhooks": Bound(20, 200)}
"""A large tournament has a code for each of several hundred seats. A webhook is work for every event, a token or code is a row."""


def check_room(given: Given, giver: str, givers: Iterable[str | None]) -> None:
    """Raises ``Refused`` where one more would be too many. ``givers``: who gave those that are in force.

    Several who give at the same moment may pass together: so there may be a few more.
    """
    bound, known = BOUNDS[given], list(givers)
    if known.count(giver) >= bound.each or len(known) >= bound.in_all:
        raise Refused(f"too_many_{given}", each=bound.each, in_all=bound.in_all)
