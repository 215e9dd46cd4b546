"""Notices to a table: extra time, and a call to the director."""

from typing import Annotated

from msgspec import Meta

from api.http.decoding import HappenedAt, Incoming
from api.tournaments.commands import tournament_act
from domain.tournament.notices import notify_table


class NotifyTable(Incoming, frozen=True, kw_only=True):
    """A notice to a table. A field that is left out stays as it is."""

    extra_minutes: Annotated[int, Meta(ge=0, le=600, description="minutes beyond the time of the round, all in all")] | None = None
    called: Annotated[bool | None, Meta(description="whether its players are to come to the director")] = None
    happened_at: HappenedAt = None


NOTICE = tournament_act(
    "rounds/{round:int}/tables/{table:str}/notice",
    "notify_table",
    "Give a table extra time, or call its players to the director",
    NotifyTable,
    "director",
    lambda on: (notify_table(on.now, on.path_parameter("round"), on.path_parameter("table"), on.body.extra_minutes, on.body.called),),
    description=(
        "`extra_minutes` count beyond the time of the round, all in all; 0 takes them back. `called` stands until it is set to false. A "
        "field that is left out stays. The page of each player of the table and the wall show both. A result by the director ends them."
    ),
)
