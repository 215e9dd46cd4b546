"""What people at a table call its seats. Programs, rules and captions count them from 0 (COM-1)."""

from collections.abc import Sequence

_OPPOSITE = ((0, 2), (1, 3))


def compass(parties: Sequence[Sequence[int]], letters: str) -> list[str]:
    """A letter for each seat, clockwise from north, where two partnerships sit at a table of four; of other tables none.

    ``letters``: the four of a language, with blanks between them.
    """
    return letters.split() if tuple(map(tuple, parties)) == _OPPOSITE else []
