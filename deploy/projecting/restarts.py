"""How long is waited before a process that has ended by itself is started again."""

_PAUSES = (0.0, 1.0, 2.0, 4.0, 8.0, 16.0, 30.0)  # seconds; the last for all further ones
_LONG = 60.0  # seconds: after one that lived as long the pauses begin anew


class Restarts:
    """Of processes that follow each other."""

    def __init__(self) -> None:
        self._in_a_row = 0

    def pause(self, lived: float) -> float:
        """Seconds, after one that lived so long."""
        self._in_a_row = 1 if lived > _LONG else self._in_a_row + 1
        return _PAUSES[min(self._in_a_row, len(_PAUSES)) - 1]
