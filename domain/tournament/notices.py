"""Notices to and from a table of the round in play: extra time, a call to the director, and a call for the director."""

from msgspec.structs import replace

from domain.errors import Refused
from domain.events.tournament import TableNoticeSet
from domain.tournament.tournament import Tournament


def notify_table(
    tournament: Tournament,
    round: int,
    table: str,
    extra_minutes: int | None = None,
    called: bool | None = None,
    calls: bool | None = None,
) -> TableNoticeSet:
    """Return the notice; what is ``None`` stays as it is. Raises ``Refused`` once the round is closed, and where nothing changes."""
    tournament.check_open()
    at = tournament.table(round, table)
    if tournament.round(round).closed and not at.adjourned:
        raise Refused("round_closed", round=round)
    now = TableNoticeSet(round, table, at.extra_minutes, at.called, at.calls)
    given = {"extra_minutes": extra_minutes, "called": called, "calls": calls}
    wanted = replace(now, **{name: value for name, value in given.items() if value is not None})
    if wanted == now:
        raise Refused("notice_stands", table=table)
    return wanted
