"""Notices to a table of the round in play: extra time, and a call to the director."""

from domain.errors import Refused
from domain.events.tournament import TableNoticeSet
from domain.tournament.tournament import Tournament


def notify_table(tournament: Tournament, round: int, table: str, extra_minutes: int | None, called: bool | None) -> TableNoticeSet:
    """Return the notice; what is ``None`` stays as it is. Raises ``Refused`` once the round is closed, and where nothing changes."""
    tournament.check_open()
    at = tournament.table(round, table)
    if tournament.round(round).closed and not at.adjourned:
        raise Refused("round_closed", round=round)
    minutes = at.extra_minutes if extra_minutes is None else extra_minutes
    calls = at.called if called is None else called
    if (minutes, calls) == (at.extra_minutes, at.called):
        raise Refused("notice_stands", table=table)
    return TableNoticeSet(round, table, minutes, calls)
