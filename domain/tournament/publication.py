"""Publication of a tournament to everybody, names in the hall, its time zone, the wall, and boards still in play elsewhere."""

from collections.abc import Sequence
from itertools import pairwise
from typing import Literal, TypeAlias

from msgspec import Struct

from domain.errors import Refused
from domain.events.tournament import HallNames, HallNamesSet, Publication, ScheduleSet, TimeZoneSet, TournamentPublished
from domain.game import Game
from domain.opening import Boards
from domain.tournament.announcement import check_time_zone
from domain.tournament.over import round_of
from domain.tournament.state import Round
from domain.tournament.tally import is_decided
from domain.tournament.tournament import Tournament


def publish(tournament: Tournament, publication: Publication) -> TournamentPublished:
    """Return the publication, also of a tournament that has ended. Raises ``Refused`` if it is already published so."""
    if tournament.publication == publication:
        raise Refused("published_so_already", publication=publication)
    return TournamentPublished(publication)


# The names of players for readers who are signed in within a tournament.


def choose_hall_names(tournament: Tournament, hall_names: HallNames) -> HallNamesSet:
    """Return the choice, also for a tournament that has ended. Raises ``Refused`` if players are already called so."""
    if tournament.hall_names == hall_names:
        raise Refused("named_so_already", hall_names=hall_names)
    return HallNamesSet(hall_names)


def choose_time_zone(tournament: Tournament, time_zone: str) -> TimeZoneSet:
    """Return the choice. Raises ``Refused`` for a zone that this machine does not know, and for the present one."""
    check_time_zone(time_zone)
    if tournament.time_zone == time_zone:
        raise Refused("time_zone_so_already", time_zone=time_zone)
    return TimeZoneSet(time_zone)


def set_schedule(tournament: Tournament, starts: Sequence[str]) -> ScheduleSet:
    """Return the schedule. ``starts``: when each round begins, RFC 3339 in UTC, from round 1 on. Raises ``Refused``."""
    tournament.check_open()
    if tournament.starts == tuple(starts):
        raise Refused("scheduled_so_already")
    if late := next((number for number, (one, next) in enumerate(pairwise(starts), 2) if one >= next), None):
        raise Refused("schedule_falls", round=late)
    return ScheduleSet(tuple(starts))


# The wall: the content of the screens in the hall of a tournament. A register, no event; only the present content is kept.
#
# It records nothing, and nothing depends on it; words that were on the wall are gone once others are.


Shown: TypeAlias = Literal["current", "pairings", "standings", "tables", "bracket", "prizes", "clock", "notice"]
"""``current``: pairings while a round is played, else the standings. ``prizes``: the standings, place by place from below."""
PairingsBy: TypeAlias = Literal["name", "table"]
ClockCounts: TypeAlias = Literal["round", "last_hand", "break"]


class WallPhase(Struct, frozen=True):
    """What a clock counts once the time before is over, for so many seconds."""

    counts: ClockCounts
    seconds: int


class WallClock(Struct, frozen=True):
    """Counts down to the end of the round, of its last hand, or of the break: until a moment (RFC 3339 in UTC), or stopped with so many
    seconds left. ``phases`` follow it, one after the other.
    """

    counts: ClockCounts
    until: str | None = None
    left: int | None = None
    phases: tuple[WallPhase, ...] = ()


class WallPlan(Struct, frozen=True):
    """The content of the wall without its message. ``turn``: seconds for which a page stays. ``hidden``: how many places at the top prize
    giving does not show yet.
    """

    show: Shown = "current"
    by: PairingsBy | None = None
    round: int | None = None
    clock: WallClock | None = None
    turn: int | None = None
    hidden: int | None = None


class Wall(Struct, frozen=True):
    """The wall. ``version`` rises with every change, from 1; 0 where nothing has been chosen yet."""

    version: int = 0
    plan: WallPlan = WallPlan()
    message: str | None = None
    changed_at: str | None = None
    changed_by: str | None = None


# Prepared boards: which boards of a game another table of its round still plays, so that their cards are not shown too early.


def find_other_boards(own: Game, others: Sequence[Game], tournament: Tournament | None) -> Boards:
    """Return the boards of the game that lie on another table of the round, or may still be dealt there.

    ``others`` are the games of the round; ``tournament`` is ``None`` where it is not known here. Raises nothing.
    """
    at: dict[str, list[Game]] = {}
    for game in others:
        at.setdefault(_place(game), []).append(game)
    paired, planned = round_of(own, tournament), tournament.plan.games if tournament else 0
    places = {*at, *(table.name for table in paired.tables)} if paired else set(at)
    elsewhere = places - {_place(own)}
    return frozenset(board for board in own.boards if any(_plays(board, at.get(place, ()), place, paired, planned) for place in elsewhere))


def _place(game: Game) -> str:
    return game.opened.table or str(game.id)


def _plays(board: int, games: Sequence[Game], place: str, paired: Round | None, planned: int) -> bool:
    counting = [game for game in games if game.docket.ended != "annulled"]
    if any(game.is_in_progress and game.table.in_hand and game.deals and game.deals[-1].board == board for game in counting):
        return True
    if any(deal.board == board for game in counting for deal in game.deals):
        return False
    table = paired.table(place) if paired else None
    if paired and paired.closed and not (table and table.adjourned):
        return False
    if table is None:
        return any(game.is_in_progress for game in counting)
    return not is_decided(table) and sum(not game.is_in_progress for game in counting) < planned
