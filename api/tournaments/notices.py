"""Notices to and from a table: extra time, a call to the director, and a call for the director."""

from typing import Annotated

from msgspec import Meta

from api.common.act_handlers import CommandContext
from api.http.decoding import HappenedAt, Incoming
from api.http.errors import say
from api.tournaments.commands import tournament_act
from api.tournaments.results import list_own_sides
from domain.access import WRITERS
from domain.errors import Forbidden
from domain.events import Event
from domain.tournament.notices import notify_table
from domain.tournament.tournament import Tournament


class NotifyTable(Incoming, frozen=True, kw_only=True):
    """A notice to or from a table. A field that is left out stays as it is."""

    extra_minutes: Annotated[int, Meta(ge=0, le=600, description="minutes beyond the time of the round, all in all")] | None = None
    called: Annotated[bool | None, Meta(description="whether its players are to come to the director")] = None
    calls: Annotated[bool | None, Meta(description="whether its players call the director")] = None
    happened_at: HappenedAt = None


def _notify(on: CommandContext[Tournament]) -> tuple[Event]:
    """Return the event. Raises ``Forbidden`` for players of another table, and for anybody but the director who does more than call."""
    at, user = (on.now, on.path_parameter("round"), on.path_parameter("table")), on.request.user
    if user.role != "director" and (on.body.extra_minutes, on.body.called) != (None, None):
        raise Forbidden(say("notice_of_director"), "director")
    if user.role == "player" and not list_own_sides(user.grant.player, *at):
        raise Forbidden(say("other_side"), *WRITERS)
    return (notify_table(*at, on.body.extra_minutes, on.body.called, on.body.calls),)


NOTICE = tournament_act(
    "rounds/{round:int}/tables/{table:str}/notice",
    "notify_table",
    "Give a table extra time, call its players to the director, or call the director",
    NotifyTable,
    "player_or_recorder",
    _notify,
    description=(
        "Recorders, and players of the table, send only `calls`: the desk shows that they call the director. `extra_minutes` count beyond "
        "the time of the round, all in all; 0 takes them back. `called` and `calls` stand until they are set to false. A field that is "
        "left out stays. The page of each player of the table and the wall show extra time and `called`. A result by the director "
        "ends all three."
    ),
)
