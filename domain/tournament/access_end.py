"""Access expiry: the moment until which codes and sessions of a tournament are valid.

A protest is raised and the prizes are given after the last round. So access outlives the end of the tournament.
"""

from datetime import datetime, timedelta

from domain.errors import Refused
from domain.tournament.tournament import Tournament

AFTER_END = timedelta(days=1)
AFTER_LAST_ROUND = timedelta(days=14)
"""For codes that are valid for the whole tournament, if its end is not recorded: a league that plays weekly may skip an evening."""


def access_end(tournament: Tournament, *, lasting: bool) -> datetime | None:
    """Return the moment at which access ends; ``None`` where none is known yet.

    ``lasting``: the code is good for the whole tournament. A last round is counted from when it was paired, unpaired or closed. Pairing
    another one moves the end, also after it has passed. A tournament that is reopened gives back the access that ended with it.
    """
    if tournament.ended_at is not None:
        return tournament.ended_at + AFTER_END
    if lasting and tournament.round_changed_at is not None:
        return tournament.round_changed_at + AFTER_LAST_ROUND
    return None


def check_access(tournament: Tournament, now: datetime, *, lasting: bool) -> None:
    """Raise ``Refused`` where access has ended."""
    end = access_end(tournament, lasting=lasting)
    if end is not None and end <= now:
        raise Refused("tournament_ended") if tournament.ended else Refused("last_round_long_ago", days=AFTER_LAST_ROUND.days)
