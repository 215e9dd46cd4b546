"""Requests about a tournament as a whole: who may read it, names of its players, its time zone, and when its rounds begin."""

from typing import Annotated

from msgspec import Meta

from api.http.decoding import HappenedAt, Incoming, LocalTime
from api.tournaments.requests import NamesInTheHall, TimeZone
from domain.events.tournament import Publication


class PublishTournament(Incoming, frozen=True, kw_only=True):
    publication: Annotated[
        Publication,
        Meta(
            description=(
                "`no`: only callers with a token may read it; `aliases`: everybody, with aliases; `names`: everybody, with the "
                "names of players who agreed"
            )
        ),
    ]
    happened_at: HappenedAt = None


class ChooseHallNames(Incoming, frozen=True, kw_only=True):
    hall_names: NamesInTheHall
    happened_at: HappenedAt = None


class ChooseTimeZone(Incoming, frozen=True, kw_only=True):
    time_zone: TimeZone
    happened_at: HappenedAt = None


class SetSchedule(Incoming, frozen=True, kw_only=True):
    """When the rounds begin from now on; an empty list removes the schedule."""

    starts: Annotated[
        list[LocalTime],
        Meta(
            max_length=200,
            description="of each round, from round 1 on",
            examples=[["2026-11-28T19:30:00+01:00", "2026-11-28T20:30:00+01:00"]],
        ),
    ]
    happened_at: HappenedAt = None
