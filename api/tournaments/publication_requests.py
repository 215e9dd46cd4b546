"""Requests about the publication of a tournament: who may read it, how its players are named, and in which time zone its days are."""

from typing import Annotated

from msgspec import Meta

from api.http.decoding import HappenedAt, Incoming
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
