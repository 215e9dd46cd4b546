"""How long a command that came second waits before it is decided again."""

from collections.abc import Callable, Iterator
from random import random

_FIRST = 0.002  # seconds
_LONGEST = 0.1


def growing_pauses(chance: Callable[[], float] = random) -> Iterator[float]:
    """Seconds, without end. By chance, so that two processes that met once do not meet again and again; ``chance`` is from 0 to 1."""
    longest = _FIRST
    while True:
        yield chance() * longest
        longest = min(2 * longest, _LONGEST)
