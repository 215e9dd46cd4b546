"""How long is waited after an attempt that failed, and when a webhook is given up."""

from datetime import timedelta

_FIRST, _LONGEST = 5.0, 4 * 3600.0  # seconds
_DOUBLED = 12  # so often; then the longest is reached
_MOST_ASKED = 24 * 3600.0

GIVEN_UP = timedelta(days=5)
"""After so long with nothing but failures a webhook is disabled."""


def pause_after(attempts: int, chance: float, asked: float | None) -> float:
    """Seconds. ``attempts``: so many have failed; ``chance`` from 0 to 1, so that not all come back at once; ``asked``: what the receiver
    wants at the least (``Retry-After``), up to a day.
    """
    doubled: int = 2 ** min(attempts - 1, _DOUBLED)
    usual = min(_LONGEST, _FIRST * doubled) * (0.75 + 0.5 * chance)
    return usual if asked is None else max(usual, min(asked, _MOST_ASKED))
